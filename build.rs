//! Compiles the built-in opening book and locates the evaluation network named by `EVALFILE`. Downloads nothing and writes nothing
//! outside Cargo's output folder.

use std::path::Path;
use xiangqi::openings::compile::Compiler;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=book");
    let out = std::env::var("OUT_DIR").expect("cargo names the output folder");
    find_network();
    reserve_stack();
    let book = book().unwrap_or_else(|error| fail(&error));
    // Shown by `chuhe --version`.
    println!("cargo:rustc-env=CHUHE_BOOK={:08x}", crc32fast::hash(&book));
    println!("cargo:rustc-env=CHUHE_TARGET={}", std::env::var("TARGET").unwrap_or_default());
    std::fs::write(Path::new(&out).join("book.bin"), book).expect("the output folder can be written");
}

/// Passes the path of the network named by the environment variable `EVALFILE`, which replaces the pinned one, to the library; see
/// `src/nnue/builtin.rs`, which checks the file.
fn find_network() {
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rustc-check-cfg=cfg(evalfile)");
    let Some(asked) = std::env::var_os("EVALFILE").filter(|path| !path.is_empty()) else { return };
    let path = std::path::absolute(&asked).unwrap_or_else(|error| fail(&format!("EVALFILE: {error}")));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| fail(&format!("EVALFILE: {}: {error}", path.display())));
    let (contents, checksum) = bytes.split_at(bytes.len().saturating_sub(4));
    if checksum != crc32fast::hash(contents).to_le_bytes() {
        fail(&format!("EVALFILE: {}: expected a network with its checksum at the end", path.display()));
    }
    println!("cargo:rerun-if-changed={}", path.display());
    println!("cargo:rustc-env=CHUHE_EVALFILE={}", path.display());
    println!("cargo:rustc-cfg=evalfile");
}

/// Gives the main thread of programs for Windows the 8 MiB that other systems give it: commands such as `play` search there, and 1 MiB, the default, is
/// hardly more than a deep search needs.
fn reserve_stack() {
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "windows") {
        let option = if is("CARGO_CFG_TARGET_ENV", "msvc") { "/STACK:8388608" } else { "-Wl,--stack,8388608" };
        println!("cargo:rustc-link-arg-bins={option}");
    }
}

/// Fails the build with a one-line error that names its location.
fn fail(error: &str) -> ! {
    eprintln!("{error}");
    println!("cargo:error={error}");
    std::process::exit(1);
}

/// Compiles the sources of the opening book in alphabetical order.
fn book() -> Result<Vec<u8>, String> {
    let entries = std::fs::read_dir("book").map_err(|error| format!("book: {error}"))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "wxf"));
    paths.sort();
    let mut compiler = Compiler::new().map_err(|error| error.to_string())?;
    for path in paths {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        compiler.read(&name, &text).map_err(|error| error.to_string())?;
    }
    Ok(compiler.finish().map_err(|error| error.to_string())?.to_bytes())
}
