//! Encodings of the Encoding Standard (WHATWG), implemented for WebAssembly with the `TextDecoder` of the JavaScript host: the tables
//! of encoding_rs would be a third of the download.

use std::borrow::Cow;
use std::sync::OnceLock;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type TextDecoder;
    type Options;

    #[wasm_bindgen(constructor, catch)]
    fn new(label: &str, options: &js_sys::Object) -> Result<TextDecoder, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn encoding(this: &TextDecoder) -> String;
    #[wasm_bindgen(method, catch)]
    fn decode(this: &TextDecoder, bytes: &[u8]) -> Result<String, JsValue>;
}

/// The names that `TextDecoder` reports for UTF-16 and all ASCII-compatible encodings.
const NAMES: [&str; 38] = [
    "utf-8",
    "utf-16le",
    "utf-16be",
    "gb18030",
    "gbk",
    "big5",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "euc-jp",
    "shift_jis",
    "euc-kr",
    "x-user-defined",
];

/// A character encoding, identified by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Charset(&'static str);

impl Charset {
    pub const UTF_8: Charset = Charset("utf-8");
    pub const UTF_16LE: Charset = Charset("utf-16le");
    pub const UTF_16BE: Charset = Charset("utf-16be");
    pub const GB18030: Charset = Charset("gb18030");
    pub const GBK: Charset = Charset("gbk");
    pub const BIG5: Charset = Charset("big5");

    /// The encoding with this label, if it is ASCII-compatible or UTF-16.
    pub fn of_label(label: &str) -> Option<Charset> {
        let name = TextDecoder::new(label, &js_sys::Object::new()).ok()?.encoding();
        NAMES.iter().find(|known| **known == name).map(|known| Charset(known))
    }

    /// The name in lower case.
    pub fn name(self) -> String {
        self.0.to_string()
    }

    /// Decodes bytes. A byte order mark is not treated specially.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        if self == Charset::UTF_8 {
            return String::from_utf8_lossy(bytes);
        }
        let options = js_sys::Object::new();
        let _ = js_sys::Reflect::set(&options, &"ignoreBOM".into(), &true.into());
        let read = TextDecoder::new(self.0, &options).and_then(|decoder| decoder.decode(bytes));
        // If the host lacks this encoding, at least ASCII remains readable.
        read.map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Owned)
    }

    /// Same as [`Charset::decode`]. Exists because the implementation for other targets treats large files separately.
    pub fn decode_large(self, bytes: &[u8]) -> String {
        self.decode(bytes).into_owned()
    }

    /// Encodes text. `None` if it contains a character that the encoding lacks.
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        if self == Charset::UTF_8 || text.is_ascii() {
            return Some(Cow::Borrowed(text.as_bytes()));
        }
        let letters = self.letters();
        let mut bytes = Vec::with_capacity(text.len());
        for letter in text.chars() {
            if letter.is_ascii() {
                bytes.push(letter as u8);
            } else if letter == '€' && self == Charset::GBK {
                bytes.push(0x80);
            } else {
                let at = letters.binary_search_by_key(&letter, |(known, _)| *known).ok()?;
                bytes.extend_from_slice(&letters[at].1);
            }
        }
        Some(Cow::Owned(bytes))
    }

    /// The two-byte characters of the encoding, sorted; determined by decoding all byte pairs.
    fn letters(self) -> &'static [(char, [u8; 2])] {
        static GBK: OnceLock<Vec<(char, [u8; 2])>> = OnceLock::new();
        static BIG5: OnceLock<Vec<(char, [u8; 2])>> = OnceLock::new();
        match self {
            Charset::GBK => GBK.get_or_init(|| self.pairs(0x81)),
            // Lower lead bytes are Hong Kong extensions, which are decoded but never encoded.
            Charset::BIG5 => BIG5.get_or_init(|| self.pairs(0xa1)),
            _ => &[],
        }
    }

    fn pairs(self, first: u8) -> Vec<(char, [u8; 2])> {
        let pairs: Vec<[u8; 2]> = (first..=0xfe).flat_map(|lead| (0x40..=0xfe).map(move |trail| [lead, trail])).collect();
        // One pair per line: an invalid pair becomes one or two characters without affecting the others.
        let lines: Vec<u8> = pairs.iter().flat_map(|&[lead, trail]| [lead, trail, b'\n']).collect();
        // Some hosts other than browsers support fewer characters under the name GBK.
        let reader = if self == Charset::GBK { Charset::GB18030 } else { self };
        let text = reader.decode(&lines);
        let mut letters: Vec<(char, [u8; 2])> = pairs
            .into_iter()
            .zip(text.split('\n'))
            .filter_map(|(pair, line)| {
                let mut letters = line.chars();
                let letter = letters.next().filter(|letter| *letter != char::REPLACEMENT_CHARACTER)?;
                letters.next().is_none().then_some((letter, pair))
            })
            .collect();
        // By the standard, the first of several pairs for a character is used, and for these Big5 characters the last.
        crate::types::sort_by(&mut letters, Ord::cmp);
        letters
            .chunk_by(|a, b| a.0 == b.0)
            .filter_map(|same| {
                let is_last = self == Charset::BIG5 && "═╞╡╪十卅".contains(same[0].0);
                if is_last { same.last() } else { same.first() }.copied()
            })
            .collect()
    }
}
