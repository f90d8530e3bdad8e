//! Checks of the whole program from outside; this library holds what they share.

pub mod adapter;
pub mod client;
pub mod loops;
pub mod notation_check;
pub mod round_trip;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The `chuhe` program of the same profile as the running test, brought up to date first.
///
/// Cargo builds a package's own programs for its tests, but not those of another workspace member, so an older build could
/// lie there. Building is asked for once a test process and costs a fraction of a second when nothing changed. Without
/// cargo (the test program copied elsewhere and started by hand), and where the environment says
/// `CHUHE_TEST_PROGRAMS=built`, the program found beside it is used as it is.
///
/// # Panics
/// When there is no program and none can be built: no test can continue without it.
pub fn chuhe() -> &'static Path {
    program("chuhe")
}

/// As [`chuhe()`], for another program of the workspace.
///
/// # Panics
/// When there is no program and none can be built.
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
        // The whole workspace, as `cargo test` builds it: for one package alone cargo would build most libraries once more with other features.
        .args(["build", "--quiet", "--workspace", "--bins", "--profile", profile])
        .arg("--target-dir")
        .arg(target)
        .current_dir(repository())
        // `.ci/run` sets it for the tests alone, to have their times; a build would start over for it.
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
