//! The notation of the Plum Flower Manual: the ninety points are named by the ninety different characters of a poem.

use super::coordinates;
use super::error::Reason;
use super::text::is_invisible;
use crate::board::Board;
use crate::types::{FILES, Move, RANKS, SQUARES, Square, quoted};
use std::fmt;
use std::str::FromStr;

/// A poem of ninety different characters, one for each point, rank by rank from the top left as seen by Red (a9, b9, …, i0).
///
/// ```
/// use xiangqi::notation::Legend;
///
/// let legend: Legend = Legend::THOUSAND_CHARACTERS.parse()?;
/// assert_eq!(legend, Legend::default());
/// let error = "天地玄黃天".parse::<Legend>().unwrap_err();
/// assert!(error.to_string().contains("'天'"));
/// # Ok::<(), xiangqi::notation::LegendError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Legend {
    characters: [char; SQUARES],
}

/// Error when parsing a [`Legend`]. Positions count characters from 1, without whitespace and punctuation.
///
/// ```
/// use xiangqi::notation::{Legend, LegendError};
///
/// assert_eq!("天地".parse::<Legend>(), Err(LegendError::TooFew { count: 2, last: Some('地') }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LegendError {
    /// A character occurs twice.
    Repeated {
        /// The character.
        character: char,
        /// Position of its first occurrence.
        first: usize,
        /// Position of its second occurrence.
        second: usize,
    },
    /// There are more than ninety characters.
    TooMany {
        /// The ninety-first character.
        character: char,
    },
    /// There are fewer than ninety characters.
    TooFew {
        /// The number of characters.
        count: usize,
        /// The last character, or `None` if the text is empty.
        last: Option<char>,
    },
}

impl fmt::Display for LegendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |character: &char| quoted(character.encode_utf8(&mut [0; 4]));
        match self {
            LegendError::Repeated { character, first, second } => {
                let name = name(character);
                write!(f, "legend character {second}, {name}, is already character {first}; expected 90 different characters")
            }
            LegendError::TooMany { character } => {
                write!(f, "legend character 91, {}, is one too many; expected 90 different characters", name(character))
            }
            LegendError::TooFew { count, last: Some(last) } => {
                write!(f, "legend ends with character {count}, {}; expected 90 different characters", name(last))
            }
            LegendError::TooFew { .. } => write!(f, "legend is empty; expected 90 different characters"),
        }
    }
}

impl std::error::Error for LegendError {}

/// Pairs of a variant and the character of the default legend that it stands for.
const VARIANTS: &str =
    "黄黃张張来來闰閏余餘岁歲吕呂调調阳陽云雲腾騰结結为為爲為丽麗昆崑崐崑冈岡剑劍号號阙闕称稱奈柰姜薑咸鹹鳞鱗潜潛龙龍师師鸟鳥";

impl Legend {
    /// The first ninety characters of the Thousand Character Classic (千字文), the default legend.
    ///
    /// ```
    /// use xiangqi::notation::Legend;
    ///
    /// assert_eq!(Legend::THOUSAND_CHARACTERS.chars().count(), 90);
    /// ```
    pub const THOUSAND_CHARACTERS: &str = "天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往秋收冬藏閏餘成歲律呂調陽雲騰致雨露結為霜\
        金生麗水玉出崑岡劍號巨闕珠稱夜光果珍李柰菜重芥薑海鹹河淡鱗潛羽翔龍師火帝鳥官人皇始制文字乃服衣裳推位";

    /// The character that names a point.
    ///
    /// ```
    /// use xiangqi::notation::Legend;
    ///
    /// assert_eq!(Legend::default().character("a9".parse()?), '天');
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn character(&self, square: Square) -> char {
        self.characters[index(square)]
    }

    /// The point named by a character, or `None` if the legend doesn't contain it.
    ///
    /// ```
    /// use xiangqi::notation::Legend;
    ///
    /// assert_eq!(Legend::default().square('天'), Some("a9".parse()?));
    /// assert_eq!(Legend::default().square('車'), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn square(&self, character: char) -> Option<Square> {
        let place = self.characters.iter().position(|&other| other == character)?;
        Square::at((place % FILES) as i32, (RANKS - 1 - place / FILES) as i32)
    }

    /// Like [`Legend::square`], but also accepts variants of a character that the legend doesn't contain itself.
    fn square_of_variant(&self, character: char) -> Option<Square> {
        self.square(character).or_else(|| {
            let mut variants = VARIANTS.chars();
            while let (Some(variant), Some(usual)) = (variants.next(), variants.next()) {
                if variant == character {
                    return self.square(usual);
                }
            }
            None
        })
    }
}

/// Index of a point in the legend.
fn index(square: Square) -> usize {
    (RANKS - 1 - square.rank() as usize) * FILES + square.file() as usize
}

impl FromStr for Legend {
    type Err = LegendError;

    /// Parses ninety different characters. Whitespace, punctuation and invisible characters are ignored.
    fn from_str(text: &str) -> Result<Legend, LegendError> {
        let mut characters = ['\0'; SQUARES];
        let mut count = 0;
        for character in text.chars().filter(|letter| letter.is_alphanumeric()) {
            if let Some(first) = characters[..count].iter().position(|&other| other == character) {
                return Err(LegendError::Repeated { character, first: first + 1, second: count + 1 });
            }
            *characters.get_mut(count).ok_or(LegendError::TooMany { character })? = character;
            count += 1;
        }
        if count < SQUARES {
            return Err(LegendError::TooFew { count, last: characters[..count].last().copied() });
        }
        Ok(Legend { characters })
    }
}

impl Default for Legend {
    /// [`Legend::THOUSAND_CHARACTERS`].
    fn default() -> Legend {
        let mut characters = ['\0'; SQUARES];
        characters.iter_mut().zip(Legend::THOUSAND_CHARACTERS.chars()).for_each(|(place, character)| *place = character);
        Legend { characters }
    }
}

/// Writes the characters of origin and destination, joined by a dash.
pub(super) fn write(mv: Move, legend: &Legend, out: &mut String) {
    out.extend([legend.character(mv.from()), '-', legend.character(mv.to())]);
}

/// Reads a move, with any kind of dash or none.
pub(super) fn read(board: &Board, text: &str, legend: &Legend) -> Result<Move, Reason> {
    let mut letters = text.chars().filter(|&letter| !letter.is_whitespace() && !is_invisible(letter));
    let (from, to) = match (letters.next(), letters.next(), letters.next(), letters.next()) {
        (Some(from), Some(to), None, None) => (from, to),
        (Some(from), Some('-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}' | '一' | '至'), Some(to), None) => (from, to),
        _ => return Err(Reason::Form),
    };
    let point = |character| legend.square_of_variant(character).ok_or(Reason::Form);
    coordinates::legal(board, point(from)?, point(to)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_legend_is_ninety_different_characters() {
        assert_eq!(Legend::THOUSAND_CHARACTERS.parse(), Ok(Legend::default()));
        let legend = Legend::default();
        let corner = |text: &str| text.parse::<Square>().expect("a point");
        assert_eq!(legend.character(corner("a9")), '天');
        assert_eq!(legend.character(corner("i9")), '日');
        assert_eq!(legend.character(corner("i0")), '位');
        for square in Square::all() {
            assert_eq!(legend.square(legend.character(square)), Some(square));
        }
    }

    #[test]
    fn variants_map_to_characters_of_the_legend() {
        let legend = Legend::default();
        assert_eq!(VARIANTS.chars().count() % 2, 0);
        for pair in VARIANTS.chars().collect::<Vec<char>>().chunks(2) {
            assert_eq!(legend.square(pair[0]), None, "{}", pair[0]);
            assert!(legend.square(pair[1]).is_some(), "{}", pair[1]);
            assert_eq!(legend.square_of_variant(pair[0]), legend.square(pair[1]));
        }
    }

    #[test]
    fn an_invalid_legend_is_rejected_with_the_character() {
        let good: String = Legend::THOUSAND_CHARACTERS.into();
        let repeated = good.replace('宇', "天");
        assert_eq!(repeated.parse::<Legend>(), Err(LegendError::Repeated { character: '天', first: 1, second: 5 }));
        assert_eq!((good.clone() + "讓").parse::<Legend>(), Err(LegendError::TooMany { character: '讓' }));
        assert_eq!(good.replace('位', "").parse::<Legend>(), Err(LegendError::TooFew { count: 89, last: Some('推') }));
        assert_eq!("".parse::<Legend>(), Err(LegendError::TooFew { count: 0, last: None }));
        for between in ["\u{200b}\n", "，", "。\r\n", "、《", ".", "\u{3000}"] {
            let spaced: String = good.chars().flat_map(|letter| [letter.to_string(), between.to_string()]).collect();
            assert_eq!(spaced.parse(), Ok(Legend::default()), "{between:?}");
        }
    }
}
