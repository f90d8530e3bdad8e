//! Encodings of the Encoding Standard (WHATWG), implemented with encoding_rs.

use encoding_rs::{BIG5, CoderResult, Encoding, GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// A character encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Charset(&'static Encoding);

impl Charset {
    pub const UTF_8: Charset = Charset(UTF_8);
    pub const UTF_16LE: Charset = Charset(UTF_16LE);
    pub const UTF_16BE: Charset = Charset(UTF_16BE);
    pub const GB18030: Charset = Charset(GB18030);
    pub const GBK: Charset = Charset(GBK);
    pub const BIG5: Charset = Charset(BIG5);

    /// The encoding with this label, if it is ASCII-compatible or UTF-16.
    pub fn of_label(label: &str) -> Option<Charset> {
        let known = Encoding::for_label(label.as_bytes())?;
        (known.is_ascii_compatible() || [UTF_16LE, UTF_16BE].contains(&known)).then_some(Charset(known))
    }

    /// The name in lower case.
    pub fn name(self) -> String {
        self.0.name().to_ascii_lowercase()
    }

    /// Decodes bytes. A byte order mark is not treated specially.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.0.decode_without_bom_handling(bytes).0
    }

    /// Like [`Charset::decode`], but for large files: decodes in steps, since decoding at once reserves memory for the worst case.
    pub fn decode_large(self, bytes: &[u8]) -> String {
        const PIECE: usize = 1 << 20;
        // Two bytes in other encodings usually become three in UTF-8.
        let mut text = String::with_capacity(bytes.len() / 2 * 3);
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let mut rest = bytes;
        loop {
            let (result, read, _) = decoder.decode_to_string(rest, &mut text, true);
            rest = &rest[read..];
            match result {
                CoderResult::InputEmpty => return text,
                CoderResult::OutputFull => text.reserve(PIECE),
            }
        }
    }

    /// Encodes text. `None` if it contains a character that the encoding lacks.
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        let (bytes, _, is_lossy) = self.0.encode(text);
        (!is_lossy).then_some(bytes)
    }
}
