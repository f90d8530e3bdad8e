//! `chuhe site`: writes the board as a folder of static files for any web host. The engine comes from the npm package `chuhe`.

use super::Failure;
use super::files::{self, Force, OutputFile};
use super::output::Output;
use crate::board_page::assets;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe site --package web -o site                       after web/build
  chuhe site --package node_modules/chuhe -o site --force     after npm install";

/// Arguments of `chuhe site`.
#[derive(Args, Debug)]
pub struct Site {
    /// Folder of the npm package chuhe, which contains the engine as WebAssembly
    #[arg(long, value_name = "FOLDER")]
    package: PathBuf,
    /// Folder to write; it is created if it does not exist
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

/// Files copied from `dist/` of the package to `engine/`.
const ENGINE: [&str; 10] = [
    "bytes.js",
    "connection.js",
    "error.js",
    "parts.js",
    "searches.js",
    "worker.js",
    "wasm/module.js",
    "wasm/chuhe-simd128.wasm",
    "data/network.nnue",
    "data/opening.book",
];
/// Files from the companion packages: package, file, target.
const OTHERS: [(&str, &str, &str); 2] =
    [("chuhe-plain", "chuhe.wasm", "engine/wasm/chuhe.wasm"), ("chuhe-endgames", "endgames.egts", "engine/data/endgames.egts")];
const LICENSES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE-OFL"];
/// The document, under the name that hosts serve for a folder.
const DOCUMENT: &str = "index.html";
const SERVICE_WORKER: &str = "sw.js";

/// The files of a site by path, with `/` as separator.
type Files = BTreeMap<String, Vec<u8>>;

#[derive(Deserialize)]
struct Manifest {
    name: String,
    version: String,
}

impl Site {
    pub(super) fn run(self) -> Result<(), Failure> {
        files::check_folder("--output", &self.output)?;
        check_package(&self.package, "chuhe")?;
        let mut inputs = Vec::new();
        let mut read = |path: PathBuf| {
            let bytes = std::fs::read(&path).map_err(Failure::at(path.display()))?;
            inputs.push(path);
            Ok::<_, Failure>(bytes)
        };
        let mut engine = Files::new();
        for name in ENGINE {
            engine.insert(format!("engine/{name}"), read(self.package.join("dist").join(name))?);
        }
        for (package, name, goal) in OTHERS {
            let folder = self.companion(package);
            check_package(&folder, package)?;
            engine.insert(goal.to_string(), read(folder.join(name))?);
        }
        for name in LICENSES {
            engine.insert(name.to_string(), read(self.package.join(name))?);
        }
        let files = assemble(engine).map_err(Failure::at("gzip"))?;
        for name in files.keys() {
            files::check(&self.output.join(name), &inputs, self.force)?;
        }
        // The service worker names the version, so it is written last: a live host announces a new version only when it is complete.
        let (last, first): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| name.starts_with(SERVICE_WORKER));
        for (name, bytes) in first.into_iter().chain(last) {
            let path = self.output.join(name);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(Failure::at(folder.display()))?;
            }
            OutputFile::write_whole(&path, bytes, &inputs, self.force)?;
        }
        let mut output = Output::new();
        writeln!(output, "{}: {} files", self.output.display(), files.len())?;
        output.finish()
    }

    /// The folder of another package, as Node resolves it: in the package's own `node_modules`, or next to the package.
    fn companion(&self, package: &str) -> PathBuf {
        let own = self.package.join("node_modules").join(package);
        if own.is_dir() { own } else { self.package.join("..").join(package) }
    }
}

/// Checks name and version of a package. The version must be that of this program, because page and module exchange messages.
fn check_package(folder: &Path, expected: &str) -> Result<(), Failure> {
    let path = folder.join("package.json");
    let bytes = std::fs::read(&path).map_err(Failure::at(path.display()))?;
    let manifest: Manifest = serde_json::from_slice(&bytes).map_err(Failure::at(path.display()))?;
    let own = env!("CARGO_PKG_VERSION");
    if manifest.name == expected && manifest.version == own {
        return Ok(());
    }
    let Manifest { name, version } = manifest;
    Err(Failure::at(path.display())(format!("is {name} {version}, expected {expected} {own}, the version of this program")))
}

/// Builds all files of a site from those of the package.
fn assemble(engine: Files) -> std::io::Result<Files> {
    let mut files = engine;
    for name in assets::names() {
        let Some(asset) = assets::find(name) else { continue };
        let name = if name.is_empty() { DOCUMENT } else { name };
        files.insert(name.to_string(), asset.bytes.to_vec());
    }
    files.extend(assets::SITE.iter().map(|&(name, bytes)| (name.to_string(), bytes.to_vec())));
    for (_, bytes) in files.iter_mut().filter(|(name, _)| name.ends_with(".js")) {
        *bytes = compact(&String::from_utf8_lossy(bytes)).into_bytes();
    }
    let worker = files.remove(SERVICE_WORKER).unwrap_or_default();
    let document = String::from_utf8_lossy(&files.remove(DOCUMENT).unwrap_or_default()).into_owned();
    let large: Vec<String> = files.keys().filter(|name| is_large(name)).cloned().collect();
    for name in large {
        let packed = gzip(&files[&name])?;
        files.insert(format!("{name}.gz"), packed);
    }
    let hash = |bytes: &[u8]| hex(&Sha256::digest(bytes));
    let version = {
        let mut all = Sha256::new();
        for (name, bytes) in &files {
            all.update(name);
            all.update(hash(bytes));
        }
        all.update(&document);
        all.update(&worker);
        hex(&all.finalize())[..16].to_string()
    };
    files.insert(DOCUMENT.into(), document.replace("</head>", &format!("{}</head>", head(&version))).into_bytes());
    // The document is requested by the name of the folder. Icons are fetched by the system when the page is installed, so they are not cached.
    let kept = files.iter().filter(|(name, _)| !name.ends_with(".png") && !name.starts_with("LICENSE"));
    let hashes: BTreeMap<&str, String> =
        kept.map(|(name, bytes)| (if name == DOCUMENT { "./" } else { name }, hash(bytes))).collect();
    let list = serde_json::to_string_pretty(&hashes)?;
    let worker = format!("const VERSION = \"{version}\";\nconst FILES = {list};\n\n{}", String::from_utf8_lossy(&worker));
    files.insert(SERVICE_WORKER.into(), worker.into_bytes());
    // For hosts that serve a precompressed file if there is one.
    let texts: Vec<String> = files.keys().filter(|name| is_text(name)).cloned().collect();
    for name in texts {
        let packed = gzip(&files[&name])?;
        files.insert(format!("{name}.gz"), packed);
    }
    Ok(files)
}

/// Whether the page itself fetches the gzip version of a file: few hosts compress anything but text.
fn is_large(name: &str) -> bool {
    [".book", ".egts", ".nnue", ".wasm"].iter().any(|ending| name.ends_with(ending))
}

fn is_text(name: &str) -> bool {
    [".html", ".js", ".jsonl", ".svg", ".webmanifest"].iter().any(|ending| name.ends_with(ending))
}

/// Removes indentation and comments on their own lines from a script, which saves a seventh of the scripts that a first visit fetches. A script
/// with multi-line template strings is returned unchanged.
fn compact(script: &str) -> String {
    if script.lines().any(|line| line.matches('`').count() % 2 == 1) {
        return script.to_string();
    }
    let mut out = String::with_capacity(script.len());
    let mut is_comment = false;
    for mut line in script.lines().map(str::trim_start) {
        if is_comment {
            let Some((_, rest)) = line.split_once("*/") else { continue };
            (is_comment, line) = (false, rest.trim_start());
        }
        if line.starts_with("/*") {
            is_comment = !line.contains("*/");
        }
        let is_comment_alone = is_comment || (line.starts_with("/*") && line.ends_with("*/"));
        let is_dropped = is_comment_alone || line.is_empty() || (line.starts_with("//") && !line.contains("License"));
        if !is_dropped {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Compresses with Zopfli, a twentieth smaller than ordinary gzip: a file is compressed once and fetched many times.
fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    /// More iterations take longer and save less than a thousandth.
    const ROUNDS: NonZeroU64 = NonZeroU64::new(5).unwrap();
    /// The default of 15 is for short files. In more blocks, each with codes of its own, a module of 2.8 MB is 1.4 % smaller, in twice the time.
    const SPLITS: u16 = 100;
    let options = zopfli::Options { iteration_count: ROUNDS, maximum_block_splits: SPLITS, ..zopfli::Options::default() };
    // In a single write: Zopfli would compress separate writes independently.
    let mut encoder = zopfli::GzipEncoder::new(options, zopfli::BlockType::Dynamic, Vec::new())?;
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Additional elements of the document head. The content security policy is the one that `chuhe serve` sends as a header, for hosts whose
/// headers cannot be set: nothing is loaded from or sent to other hosts.
fn head(version: &str) -> String {
    let style = STANDARD.encode(Sha256::digest(assets::STYLE));
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
         worker-src 'self'; style-src 'sha256-{style}'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"chuhe-version\" content=\"{version}\">\n\
         <meta name=\"description\" content=\"Xiangqi (Chinese chess): play, analyse, read records. 象棋：对弈、分析、打谱。\">\n\
         <link rel=\"manifest\" href=\"manifest.webmanifest\">\n\
         <link rel=\"apple-touch-icon\" href=\"icon-180.png\">\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(module: &[u8]) -> Files {
        let names = ENGINE.iter().map(|name| format!("engine/{name}")).chain(OTHERS.map(|(_, _, goal)| goal.to_string()));
        assemble(
            names.map(|name| (name, module.repeat(100))).chain(LICENSES.map(|name| (name.to_string(), Vec::new()))).collect(),
        )
        .unwrap()
    }

    fn text<'a>(files: &'a Files, name: &str) -> &'a str {
        std::str::from_utf8(&files[name]).unwrap()
    }

    #[test]
    fn every_file_is_listed_with_its_hash() {
        let files = site(b"one");
        let worker = text(&files, SERVICE_WORKER);
        let list = worker.split_once("const FILES = ").unwrap().1.split_once(";\n").unwrap().0;
        let list: BTreeMap<String, String> = serde_json::from_str(list).unwrap();
        for (name, hash) in &list {
            let name = if name == "./" { DOCUMENT } else { name };
            assert_eq!(*hash, hex(&Sha256::digest(&files[name])), "{name}");
        }
        for name in ["./", "app.js", "glyphs.js", "puzzles.jsonl", "engine/worker.js", "engine/data/network.nnue.gz"] {
            assert!(list.contains_key(name), "{name}");
        }
        // Decompressed data is checked against the hash of the plain file.
        let packed = list.keys().filter_map(|name| name.strip_suffix(".gz"));
        assert!(packed.clone().count() == 5 && packed.clone().all(|name| list.contains_key(name)));
        let document = text(&files, DOCUMENT);
        let version = worker.split('"').nth(1).unwrap();
        assert!(document.contains(&format!("content=\"{version}\"")) && document.contains("manifest.webmanifest"));
    }

    #[test]
    fn scripts_lose_only_comments_and_indentation() {
        let script = "// a\n/** b */\nconst x = `${1}`; // c\n\n  /**\n   * d\n   */\n  f(); /* e */\n// A License.\n";
        assert_eq!(compact(script), "const x = `${1}`; // c\nf(); /* e */\n// A License.\n");
        assert_eq!(compact("x = `\n  // text\n`;"), "x = `\n  // text\n`;");
        let files = site(b"");
        for name in ["app.js", "glyphs.js", "words.js", "socket.js"] {
            let text = text(&files, name);
            assert!(!text.lines().any(|line| line.starts_with([' ', '*'])) && text.len() > 100, "{name}");
        }
        assert!(text(&files, "glyphs.js").contains("SIL Open Font License"));
    }

    #[test]
    fn a_changed_file_changes_the_version() {
        let [one, same, two] = [b"one", b"one", b"two"].map(|module| site(module)[SERVICE_WORKER].clone());
        assert!(one == same && one != two);
    }

    #[test]
    fn all_imports_of_the_scripts_exist() {
        let files = site(b"");
        for name in ["socket.js", "offline.js", "app.js", "link.js"] {
            for import in text(&files, name).split("from \"./").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(files.contains_key(import), "{name} imports {import}");
            }
        }
        assert!(!text(&files, "socket.js").contains("WebSocket("));
    }
}
