//! What the reader reports about a record: warnings, moves left out, and why the main line ends.

use super::Record;
use crate::records::warning::{Warning, warning};
use crate::rules::Language;

/// Maximum number of warnings kept as text; further ones are only counted.
const MAX_WARNINGS: usize = 100;

impl Record {
    /// Warnings of the reader about problems in the file, one sentence each, in the order of the file.
    ///
    /// ```
    /// use xiangqi::records::Records;
    ///
    /// let fen = "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1";
    /// let file = format!("[FEN \"{fen}\"]\n\n1. D0-D1 E9-A9 2. D1-D0 *\n");
    /// let record = Records::new(file.into_bytes(), None)?.next().expect("one game")?;
    /// assert!(record.warnings()[0].contains("E9-A9"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn warnings(&self) -> Vec<String> {
        self.warnings_in(Language::English)
    }

    /// The warnings in a language; in English if a warning has no other.
    ///
    /// ```
    /// use xiangqi::records::Records;
    /// use xiangqi::rules::Language;
    ///
    /// let file = b"[DhtmlXQ][DhtmlXQ_title]x[/DhtmlXQ_title][/DhtmlXQ]".to_vec();
    /// let record = Records::new(file, None)?.next().expect("one game")?;
    /// assert_eq!(record.warnings_in(Language::Chinese), ["没有着法列表"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn warnings_in(&self, language: Language) -> Vec<String> {
        let more = (self.more_warnings > 0).then(|| warning!("{0} more of this kind", "另有{0}条同类警告", self.more_warnings));
        self.warnings.iter().chain(&more).map(|warning| warning.text(language).to_string()).collect()
    }

    /// The number of moves of the file that were dropped because they are illegal or follow an illegal move.
    ///
    /// ```
    /// use xiangqi::records::Records;
    ///
    /// // The rook jumps over its pawn, and a move follows.
    /// let file = b"[DhtmlXQ][DhtmlXQ_movelist]774700097967[/DhtmlXQ_movelist][/DhtmlXQ]";
    /// let record = Records::new(file.to_vec(), None)?.next().expect("one game")?;
    /// assert_eq!((record.plies(), record.left_out()), (1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The problem at which the reader had to end the main line, if any. Check this if the final position of the game matters.
    ///
    /// ```
    /// use xiangqi::records::Records;
    ///
    /// let fen = "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1";
    /// let file = format!("[FEN \"{fen}\"]\n\n1. D0-D1 E9-A9 2. D1-D0 *\n");
    /// let record = Records::new(file.into_bytes(), None)?.next().expect("one game")?;
    /// assert!(record.main_line_fault().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn main_line_fault(&self) -> Option<&str> {
        self.main_line_fault.as_ref().map(|fault| fault.text(Language::English))
    }

    /// The reason in a language why the main line ends, as one of the [warnings](Record::warnings_in).
    ///
    /// ```
    /// use xiangqi::records::fen_list::read_line;
    /// use xiangqi::rules::Language;
    ///
    /// let record = read_line(b"startpos moves h2e2 xyz").expect("no empty line")?;
    /// assert!(record.main_line_fault_in(Language::Chinese).is_some_and(|fault| fault.starts_with("第2着")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn main_line_fault_in(&self, language: Language) -> Option<&str> {
        self.main_line_fault.as_ref().map(|fault| fault.text(language))
    }

    /// Records the problem with the next move of the main line, which ends here.
    pub(in crate::records) fn break_main_line(&mut self, fault: Warning) {
        self.main_line_fault = Some(fault.clone());
        self.warn(fault);
    }

    /// Reports that another record begins at an offset, in a file of a format that holds one: files were joined.
    pub(in crate::records) fn warn_of_another(&mut self, at: usize) {
        self.warn(warning!(
            "byte {0}: another record begins, which is left out, since a file of this format holds one",
            "第{0}字节：另有一个棋谱开始，已略去，因为此格式的文件只含一个棋谱",
            at
        ));
    }

    /// Adds a warning. After the first 100, warnings are only counted.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.warn("tag 'Date': no date");
    /// assert_eq!(record.warnings(), ["tag 'Date': no date"]);
    /// ```
    pub fn warn(&mut self, warning: impl Into<Warning>) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning.into());
        } else {
            self.more_warnings += 1;
        }
    }
}
