//! Compiles the opening book that the program carries and checks the evaluation network that is built in. Fetches nothing
//! and writes nothing outside Cargo's output folder.

#[allow(dead_code)]
#[path = "src/nnue/architecture.rs"]
mod architecture;

use std::path::Path;
use xiangqi::openings::compile::Compiler;

/// The network that is built in unless the environment variable `EVALFILE` names another, and the checksum at its end: nobody
/// swaps the file without saying so here.
const NETWORK: (&str, u32) = ("src/nnue/networks/second.nnue", 0x53a541c8);

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/nnue/architecture.rs");
    println!("cargo:rerun-if-changed=book");
    let out = std::env::var("OUT_DIR").expect("cargo names the output folder");
    embed_network(&out);
    let book = book().unwrap_or_else(|error| fail(&error));
    // What `chuhe --version` says.
    println!("cargo:rustc-env=CHUHE_BOOK={:08x}", crc32fast::hash(&book));
    println!("cargo:rustc-env=CHUHE_TARGET={}", std::env::var("TARGET").unwrap_or_default());
    std::fs::write(Path::new(&out).join("book.bin"), book).expect("the output folder can be written");
}

/// Puts the network that is built in where the library includes it, if it is one that this program can use.
fn embed_network(out: &str) {
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rerun-if-changed={}", NETWORK.0);
    let asked = std::env::var("EVALFILE").ok().filter(|path| !path.is_empty());
    let path = asked.as_deref().unwrap_or(NETWORK.0);
    println!("cargo:rerun-if-changed={path}");
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let number =
        |at: usize| bytes.get(at..at + 4).map_or(0, |bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let architecture = u64::from(number(12)) | u64::from(number(16)) << 32;
    let (contents, checksum) = (bytes.len().saturating_sub(4), number(bytes.len().saturating_sub(4)));
    let fault = if !bytes.starts_with(architecture::MAGIC) || number(8) != architecture::VERSION {
        format!("is no network file of version {}", architecture::VERSION)
    } else if architecture != architecture::architecture_hash() {
        format!("is of architecture {architecture:016x}, expected {:016x}", architecture::architecture_hash())
    } else if bytes.len() != architecture::HEAD + number(24) as usize + architecture::NUMBERS + 4 {
        format!("has {} bytes, which does not fit its head", bytes.len())
    } else if crc32fast::hash(&bytes[..contents]) != checksum {
        "is damaged: its checksum does not fit".to_string()
    } else if asked.is_none() && checksum != NETWORK.1 {
        format!("has checksum {checksum:08x}, but build.rs pins {:08x}", NETWORK.1)
    } else {
        String::new()
    };
    assert!(fault.is_empty(), "the evaluation network {path} {fault}");
    let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
    println!("cargo:rustc-env=CHUHE_NETWORK={name} {checksum:08x}");
    std::fs::write(Path::new(out).join("embedded.nnue"), &bytes).expect("the output folder can be written");
}

/// Ends the build with a line that names the place of the fault.
fn fail(error: &str) -> ! {
    eprintln!("{error}");
    println!("cargo:error={error}");
    std::process::exit(1);
}

/// Compiles the sources of the opening book, in the order of their names.
fn book() -> Result<Vec<u8>, String> {
    let entries = std::fs::read_dir("book").map_err(|error| format!("book: {error}"))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "wxf"));
    paths.sort();
    let mut compiler = Compiler::new()?;
    for path in paths {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        compiler.read(&name, &text).map_err(|error| error.to_string())?;
    }
    Ok(compiler.finish()?.to_bytes())
}
