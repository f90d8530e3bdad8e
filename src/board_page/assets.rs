//! The page's files, embedded in the executable.

use crate::puzzles::builtin_text;
use crate::report::outlines;
use std::fmt::Write;
use std::sync::LazyLock;

/// A file of the page.
pub struct Asset {
    /// MIME type.
    pub mime: &'static str,
    /// Contents.
    pub bytes: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const LINES: &str = "application/x-ndjson; charset=utf-8";

macro_rules! page {
    ($($name:literal $mime:ident),* $(,)?) => {
        /// All files of the page except the document, `glyphs.js` and `puzzles.jsonl`: name, MIME type, contents.
        const FILES: &[(&str, &str, &[u8])] = &[$(($name, $mime, include_bytes!(concat!("page/", $name)))),*];
    };
}

page! {
    "icon.svg" SVG,
    "app.js" SCRIPT,
    "analysis.js" SCRIPT,
    "board.js" SCRIPT,
    "book.js" SCRIPT,
    "clock.js" SCRIPT,
    "dialogs.js" SCRIPT,
    "dom.js" SCRIPT,
    "drawings.js" SCRIPT,
    "explorer.js" SCRIPT,
    "game.js" SCRIPT,
    "games.js" SCRIPT,
    "graph.js" SCRIPT,
    "keeper.js" SCRIPT,
    "link.js" SCRIPT,
    "moves.js" SCRIPT,
    "mygames.js" SCRIPT,
    "opener.js" SCRIPT,
    "puzzles.js" SCRIPT,
    "setup.js" SCRIPT,
    "share.js" SCRIPT,
    "socket.js" SCRIPT,
    "sounds.js" SCRIPT,
    "start.js" SCRIPT,
    "store.js" SCRIPT,
    "tree.js" SCRIPT,
    "wheel.js" SCRIPT,
    "words.js" SCRIPT,
}

/// The additional files of the page without a server. A file here replaces the one of the same name above; the list of files has yet
/// to be inserted into `sw.js`.
pub const SITE: &[(&str, &[u8])] = &[
    ("icon-180.png", include_bytes!("page/site/icon-180.png")),
    ("icon-512.png", include_bytes!("page/site/icon-512.png")),
    ("icon-maskable.png", include_bytes!("page/site/icon-maskable.png")),
    ("manifest.webmanifest", include_bytes!("page/site/manifest.webmanifest")),
    ("offline.js", include_bytes!("page/site/offline.js")),
    ("socket.js", include_bytes!("page/site/socket.js")),
    ("sw.js", include_bytes!("page/site/sw.js")),
];

/// The style sheet, which is inlined in the document.
pub const STYLE: &str = include_str!("page/style.css");
/// The document's reference to its style sheet, replaced when it is inlined.
const STYLE_LINK: &str = "<link rel=\"stylesheet\" href=\"style.css\">";

/// The document with its style sheet inlined, so that the first paint waits for one response of the server rather than two.
static DOCUMENT: LazyLock<String> =
    LazyLock::new(|| include_str!("page/index.html").replace(STYLE_LINK, &format!("<style>{STYLE}</style>")));

/// The outlines of the characters on the board, as a module: `GLYPHS[sign]` is `[width, path]`.
static GLYPHS: LazyLock<String> = LazyLock::new(|| {
    let mut script = String::from("// Outlines of Noto Serif CJK TC Bold, SIL Open Font License 1.1.\nexport const GLYPHS = {\n");
    for (sign, width, path) in outlines() {
        let _ = writeln!(script, "\"{sign}\":[{width},\"{path}\"],");
    }
    script.push_str("};\n");
    script
});

/// The names of all files of the page; the document's name is empty.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, ..)| *name).chain(["", "glyphs.js", "puzzles.jsonl"])
}

/// The file of this name; the document's name is empty. Names are only compared with the list above and never reach the file system.
pub fn find(name: &str) -> Option<Asset> {
    match name {
        "" | "index.html" => return Some(Asset { mime: HTML, bytes: DOCUMENT.as_bytes() }),
        "glyphs.js" => return Some(Asset { mime: SCRIPT, bytes: GLYPHS.as_bytes() }),
        "puzzles.jsonl" => return Some(Asset { mime: LINES, bytes: builtin_text().as_bytes() }),
        _ => {}
    }
    FILES.iter().find(|(known, ..)| *known == name).map(|&(_, mime, bytes)| Asset { mime, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small() {
        let names = FILES.iter().map(|(name, ..)| *name).chain(["", "glyphs.js"]);
        let size: usize = names.map(|name| find(name).unwrap().bytes.len()).sum();
        assert!(size < 310_000, "{size} bytes");
        assert!(find("").is_some_and(|page| page.mime == HTML));
        // Loaded only when the trainer is opened.
        assert!(find("puzzles.jsonl").is_some_and(|puzzles| puzzles.bytes.len() > 50_000));
        assert!(find("../mod.rs").is_none() && find("page/app.js").is_none());
    }

    #[test]
    fn every_referenced_file_exists() {
        let document = std::str::from_utf8(find("").unwrap().bytes).unwrap();
        assert!(document.contains(STYLE) && !document.contains(STYLE_LINK));
        let scripts = FILES.iter().filter(|(name, ..)| name.ends_with(".js"));
        let texts: Vec<_> = scripts.clone().map(|(name, _, bytes)| (*name, std::str::from_utf8(bytes).unwrap())).collect();
        for (file, text) in texts.iter().copied().chain([("the document", document)]) {
            let imports = text.split("from \"./").skip(1).chain(text.split("import(\"./").skip(1));
            let links = text.split("href=\"").skip(1).chain(text.split("src=\"").skip(1)).filter(|_| file == "the document");
            for name in imports.chain(links).filter_map(|rest| rest.split('"').next()) {
                assert!(name.contains(['#', '<', ':', ' ', '\n']) || find(name).is_some(), "{file} names {name}");
            }
        }
        // start.js requests all modules at once.
        let start = texts.iter().find(|(name, _)| *name == "start.js").unwrap().1;
        for (name, ..) in scripts.filter(|(name, ..)| *name != "start.js") {
            assert!(
                start.contains(&format!("\"{name}\"")) || start.contains(&format!("\"./{name}\"")),
                "start.js does not name {name}"
            );
        }
    }
}
