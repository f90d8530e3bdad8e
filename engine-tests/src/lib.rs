//! Black-box tests of the program; this library has the code shared by them.

pub mod adapter;
pub mod client;
pub mod loops;
pub mod notation_check;
pub mod round_trip;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Arguments with which `convert` writes the same bytes on every system; by default they depend on it.
pub const PLAIN_TEXT: &[&str] = &["--encoding", "utf-8", "--line-ends", "lf"];

/// The `chuhe` program of the same profile as the running test, rebuilt if necessary.
///
/// Cargo builds a package's own programs for its tests, but not those of another workspace member, so the existing build may be
/// outdated. The build runs once per test process and takes a fraction of a second if nothing has changed. Without
/// cargo (if the test program was copied elsewhere and started by hand), and with the environment variable
/// `CHUHE_TEST_PROGRAMS=built`, the existing program next to it is used.
///
/// # Panics
/// When there is no program and it cannot be built.
pub fn chuhe() -> &'static Path {
    program("chuhe")
}

/// As [`chuhe()`], for another program of the workspace.
///
/// # Panics
/// When there is no program and it cannot be built.
pub fn program(name: &str) -> &'static Path {
    static FOUND: OnceLock<std::sync::Mutex<Vec<(String, &'static Path)>>> = OnceLock::new();
    let mut found = FOUND.get_or_init(Default::default).lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some((_, path)) = found.iter().find(|(known, _)| known == name) {
        return path;
    }
    let path: &'static Path = Box::leak(build(name).into_boxed_path());
    found.push((name.into(), path));
    path
}

/// Sends a signal such as `INT` to a program.
///
/// # Panics
/// When it has ended, or the system has no `kill`.
#[cfg(unix)]
pub fn signal(child: &std::process::Child, name: &str) {
    let status = Command::new("kill").arg(format!("-{name}")).arg(child.id().to_string()).status();
    assert!(status.expect("kill runs").success(), "kill -{name}");
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

fn build(name: &str) -> PathBuf {
    // target/<profile>/deps/<test>
    let test = std::env::current_exe().expect("a running program has a path");
    let folder = test.ancestors().nth(2).expect("tests lie in target/<profile>/deps").to_path_buf();
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if std::env::var_os("CHUHE_TEST_PROGRAMS").is_some_and(|programs| programs == "built") {
        assert!(path.exists(), "{} was to be built before", path.display());
        return path;
    }
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let target = folder.parent().expect("the profile's folder lies in the target folder");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        // The entire workspace, as in `cargo test`: for a single package cargo would rebuild most libraries with other features.
        .args(["build", "--quiet", "--workspace", "--bins", "--profile", profile])
        .arg("--target-dir")
        .arg(target)
        .current_dir(repository())
        // `.ci/run` sets it only for the tests, to get their times; a build with it would start over.
        .env_remove("RUSTC_BOOTSTRAP")
        .status();
    match built {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("building {name} ended with {status}"),
        Err(_) if path.exists() => {}
        Err(error) => panic!("no {} and cargo can't be started: {error}", path.display()),
    }
    assert!(path.exists(), "{} was built but isn't there", path.display());
    path
}
