//! The result that a record states.

/// The result as the record states it.
///
/// ```
/// use xiangqi::records::RecordResult;
///
/// assert_eq!(RecordResult::from_token("1-0"), Some(RecordResult::RedWins));
/// assert_eq!(RecordResult::default().token(), "*");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RecordResult {
    /// Not stated, or not finished.
    #[default]
    Unknown,
    /// Red won.
    RedWins,
    /// Black won.
    BlackWins,
    /// Drawn.
    Draw,
}

impl RecordResult {
    /// The token of PGN: `1-0`, `0-1`, `1/2-1/2` or `*`.
    ///
    /// ```
    /// use xiangqi::records::RecordResult;
    ///
    /// assert_eq!(RecordResult::Draw.token(), "1/2-1/2");
    /// ```
    pub fn token(self) -> &'static str {
        match self {
            RecordResult::Unknown => "*",
            RecordResult::RedWins => "1-0",
            RecordResult::BlackWins => "0-1",
            RecordResult::Draw => "1/2-1/2",
        }
    }

    /// Reads a token of PGN.
    ///
    /// ```
    /// use xiangqi::records::RecordResult;
    ///
    /// assert_eq!(RecordResult::from_token("1/2"), Some(RecordResult::Draw));
    /// assert_eq!(RecordResult::from_token("red"), None);
    /// ```
    pub fn from_token(token: &str) -> Option<RecordResult> {
        Some(match token {
            "*" => RecordResult::Unknown,
            "1-0" => RecordResult::RedWins,
            "0-1" => RecordResult::BlackWins,
            "1/2-1/2" | "1/2" | "½-½" => RecordResult::Draw,
            _ => return None,
        })
    }
}
