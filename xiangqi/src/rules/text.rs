//! Explanations of rulings in English and Chinese.

use super::actions::{Action, MoveReport};
use super::offences::Offence;
use super::reasons::{Cause, Repetition, Ruling};
use super::registry::Scope;
use super::threats::{Attack, Harmless};
use super::{GameResult, RuleSet, Verdict};
use crate::board::Board;
use crate::types::{Color, Move, Piece, Square};

/// The language of explanations.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Language, Rules};
///
/// let ruling = Rules::default().ruling(&Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 w")?);
/// assert_eq!(ruling.summary(Language::Chinese), "和棋：双方均无过河子力");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

crate::named_values! { Language, "language": English "en" | "english", Chinese "zh" | "chinese" }

/// How explanations are written: the language and the notation of moves. A [`Language`] converts to a `Wording` that writes moves in
/// coordinates.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{self, System};
/// use xiangqi::rules::{Language, Rules, Wording};
/// use xiangqi::types::Move;
///
/// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
/// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
///     game.make(Move::from_uci(text)?);
/// }
/// let write = |board: &_, mv| notation::write(System::Wxr, board, mv);
/// let lines = Rules::default().ruling(&game).lines(Wording { language: Language::English, write: &write });
/// assert_eq!(lines[1], "1. R2+1 red rook: check");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Wording<'a> {
    /// The language.
    pub language: Language,
    /// Writes a legal move of a board as text.
    pub write: &'a dyn Fn(&Board, Move) -> String,
}

impl From<Language> for Wording<'static> {
    fn from(language: Language) -> Wording<'static> {
        Wording { language, write: &coordinates }
    }
}

fn coordinates(_: &Board, mv: Move) -> String {
    mv.to_string()
}

fn english_name(piece: Piece) -> String {
    format!("{} {}", piece.color(), piece.kind())
}

pub(crate) fn chinese_name(piece: Piece) -> String {
    format!("{}{}", chinese_side(piece.color()), piece.simplified())
}

pub(crate) fn chinese_side(color: Color) -> &'static str {
    match color {
        Color::Red => "红",
        Color::Black => "黑",
    }
}

fn capitalized(color: Color) -> &'static str {
    match color {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}

impl Language {
    fn choose(self, english: impl FnOnce() -> String, chinese: impl FnOnce() -> String) -> String {
        match self {
            Language::English => english(),
            Language::Chinese => chinese(),
        }
    }

    fn piece(self, piece: Piece, at: Square) -> String {
        self.choose(|| format!("{} {at}", english_name(piece)), || format!("{}({at})", chinese_name(piece)))
    }

    fn attacks(self, attacks: &[Attack]) -> String {
        let one = |attack: &Attack| {
            let (attacker, victim) = (self.piece(attack.attacker, attack.from), self.piece(attack.victim, attack.at));
            self.choose(|| format!("{attacker} on {victim}"), || format!("{attacker}对{victim}"))
        };
        let separator = if self == Language::English { ", " } else { "、" };
        attacks.iter().map(one).collect::<Vec<_>>().join(separator)
    }

    fn result(self, result: GameResult) -> String {
        match result {
            GameResult::Draw => self.choose(|| "draw".into(), || "和棋".into()),
            GameResult::Loses(color) => {
                self.choose(|| format!("{} loses", capitalized(color)), || format!("{}方负", chinese_side(color)))
            }
        }
    }
}

impl Action {
    /// The action in words: its name and, for a chase or exchange, the attacking and attacked pieces.
    ///
    /// ```
    /// use xiangqi::rules::{Action, Language};
    ///
    /// assert_eq!(Action::Check.text(Language::English), "check");
    /// assert_eq!(Action::Check.text(Language::Chinese), "将");
    /// ```
    pub fn text(&self, language: Language) -> String {
        let name = |english: &str, chinese: &str| language.choose(|| english.into(), || chinese.into());
        match self {
            Action::Check => name("check", "将"),
            Action::Kill => name("kill", "杀"),
            Action::Offer => name("offer", "献"),
            Action::Idle => name("idle", "闲"),
            Action::Chase(attacks) => {
                let attacks = language.attacks(attacks);
                language.choose(|| format!("chase ({attacks})"), || format!("捉（{attacks}）"))
            }
            Action::Exchange(attacks) => {
                let attacks = language.attacks(attacks);
                language.choose(|| format!("exchange ({attacks})"), || format!("兑（{attacks}）"))
            }
            Action::Block(enemy) => language.choose(|| format!("block (line of {enemy})"), || format!("拦（{enemy}之线）")),
        }
    }
}

/// An attack that is not a chase, with the reason.
fn harmless_text(attack: &Attack, why: &Harmless, language: Language) -> String {
    let pieces = language.attacks(std::slice::from_ref(attack));
    let (english, chinese) = match why {
        Harmless::ByKingOrPawn => ("kings and pawns may attack".into(), "帅兵捉子允许".into()),
        Harmless::OnHomePawn => ("the pawn has not crossed the river".into(), "兵卒未过河".into()),
        Harmless::AttackerTied => ("the attacker is tied to its line".into(), "捉方子力被牵制".into()),
        Harmless::EvenTrade => ("both can take".into(), "可互吃".into()),
        Harmless::Rooted(root) => (format!("rooted by {root}"), format!("有根于{root}")),
        Harmless::NoGain => ("the exchange wins nothing".into(), "兑换不得子".to_string()),
    };
    language.choose(|| format!("no chase: {pieces}, {english}"), || format!("非捉：{pieces}，{chinese}"))
}

impl MoveReport {
    /// The move with its actions in words, such as `h6i6 red rook: chase (red rook i6 on black cannon i0)`.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{Cause, Language, Rules};
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
    /// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
    /// assert_eq!(repetition.moves[0].text(Language::English), "h8h9 red rook: check");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn text<'a>(&self, wording: impl Into<Wording<'a>>) -> String {
        let Wording { language, write } = wording.into();
        let separator = if language == Language::English { ", " } else { "、" };
        let actions: Vec<String> = self.actions.iter().map(|action| action.text(language)).collect();
        let harmless = self.harmless.iter().map(|(attack, why)| harmless_text(attack, why, language));
        let all = std::iter::once(actions.join(separator)).chain(harmless);
        let semicolon = if language == Language::English { "; " } else { "；" };
        let what = all.collect::<Vec<_>>().join(semicolon);
        let mv = write(&self.before, self.mv);
        language.choose(
            || format!("{mv} {}: {what}", english_name(self.piece)),
            || format!("{mv} {}：{what}", chinese_name(self.piece)),
        )
    }
}

impl Repetition {
    fn offence_text(&self, side: Color, language: Language) -> String {
        let (english, chinese) = match &self.offences[side.index()] {
            Offence::PerpetualCheck => ("gives check on every move: perpetual check".into(), "着着将军，长将".into()),
            Offence::PerpetualChase(chase) => {
                let victim = language.piece(chase.victim, chase.at);
                (
                    format!("newly threatens to win the same piece, the {victim}, on every move: perpetual chase"),
                    format!("着着捉同一子（现为{victim}），长捉"),
                )
            }
            Offence::PerpetualAttack => {
                ("checks, kills or chases on every move: perpetual attack".into(), "着着将、杀、捉，长打".into())
            }
            Offence::None => self.no_offence_text(side),
        };
        language.choose(|| format!("{}: {english}", capitalized(side)), || format!("{}方：{chinese}", chinese_side(side)))
    }

    /// Why a side has committed no offence: what it did, and what the rules would forbid.
    fn no_offence_text(&self, side: Color) -> (String, String) {
        let count = |test: fn(&MoveReport) -> bool| self.moves_of(side).filter(|report| test(report)).count();
        let all = self.moves_of(side).count();
        let checks = count(MoveReport::is_check);
        let chases = count(|report| !report.chases().is_empty());
        let kills = count(|report| report.is(|action| *action == Action::Kill));
        match (self.set.row().scope, checks, chases) {
            (Scope::Nothing, ..) => ("may repeat: no repetition is forbidden".into(), "可循环；本规则不禁任何循环".into()),
            (Scope::Checks, 0, _) => {
                ("gives no check, and only perpetual check is forbidden".into(), "无将军；本规则仅禁长将".into())
            }
            (Scope::Checks, ..) => (
                format!("checks on {checks} of {all} moves; only checking on every move is forbidden"),
                format!("{all}着中将{checks}着；本规则仅禁着着将军"),
            ),
            (Scope::Attacks, ..) if checks + chases + kills == 0 => {
                ("neither checks nor chases nor threatens mate".into(), "无将、无杀、无捉".into())
            }
            (Scope::Attacks, ..) => (
                format!(
                    "checks on {checks}, threatens mate on {kills} and chases on {chases} of {all} moves; some moves are no attack"
                ),
                format!("{all}着中将{checks}着、杀{kills}着、捉{chases}着，间有闲着，不成长打"),
            ),
            (Scope::ChecksAndChases, 0, 0) => ("neither checks nor chases".into(), "无将无捉".into()),
            (Scope::ChecksAndChases, ..) if chases == all => {
                ("chases on every move, but not one and the same piece".into(), "着着有捉，但非同一子".into())
            }
            (Scope::ChecksAndChases, ..) => (
                format!("checks on {checks} and chases on {chases} of {all} moves, which is not perpetual"),
                format!("{all}着中将{checks}着、捉{chases}着，不成长打"),
            ),
        }
    }

    fn lines(&self, wording: Wording) -> Vec<String> {
        let language = wording.language;
        let mut lines = Vec::with_capacity(self.moves.len() + 4);
        let (english, chinese) = match self.occurrences {
            2 => ("occurs for the second time".into(), "二".into()),
            3 => ("occurs for the third time".into(), "三".into()),
            count => (format!("has occurred {count} times"), count.to_string()),
        };
        let (first, last) = (self.first_round, self.last_round());
        lines.push(language.choose(
            || format!("the position {english}; rounds {first} to {last} are judged"),
            || format!("局面第{chinese}次出现，审查第{first}至{last}回合"),
        ));
        let mut round = self.first_round;
        for report in &self.moves {
            let dots = if report.piece.color() == Color::Red { "." } else { "..." };
            lines.push(format!("{round}{dots} {}", report.text(wording)));
            round += (report.piece.color() == Color::Black) as usize;
        }
        lines.extend(Color::ALL.map(|side| self.offence_text(side, language)));
        lines.push(self.rule_text(language));
        lines
    }

    /// The FEN move number of the last move.
    fn last_round(&self) -> usize {
        let rounds = self.moves.iter().rev().skip(1).filter(|report| report.piece.color() == Color::Black).count();
        self.first_round + rounds
    }

    fn rule_text(&self, language: Language) -> String {
        let topic = self.topic;
        // The diagrams are those of the World Xiangqi Rules, which do not cover other rule sets.
        let diagrams = if self.set == RuleSet::World { topic.diagrams } else { "" };
        match (language, diagrams) {
            (Language::English, "") => format!("rule: {}", topic.english),
            (Language::English, diagrams) => format!("rule: {} (World Xiangqi Rules, diagrams {diagrams})", topic.english),
            (Language::Chinese, "") => format!("规则：{}", topic.chinese),
            (Language::Chinese, diagrams) => format!("规则：{}（世界象棋规则图例 {diagrams}）", topic.chinese),
        }
    }
}

impl Ruling {
    /// The reasons, one per line, the most general last.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{Language, Rules};
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
    /// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// let lines = Rules::default().ruling(&game).lines(Language::English);
    /// assert!(lines.contains(&"Red: gives check on every move: perpetual check".to_string()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lines<'a>(&self, wording: impl Into<Wording<'a>>) -> Vec<String> {
        let wording = wording.into();
        let language = wording.language;
        let one = |english: String, chinese: String| vec![language.choose(|| english, || chinese)];
        let mut lines = match &self.cause {
            Cause::Ongoing => one("nothing repeats and no limit is reached".into(), "无重复局面，未到限着".into()),
            Cause::Checkmate(side) => {
                one(format!("{} is checkmated", capitalized(*side)), format!("{}方被将死", chinese_side(*side)))
            }
            Cause::Stalemate(side) => one(
                format!("{} has no legal move, which loses", capitalized(*side)),
                format!("{}方无子可动（困毙），作负", chinese_side(*side)),
            ),
            Cause::NaturalLimit(plies) => one(
                format!("natural limit: {plies} plies without a capture, void checks and replies to them not counted"),
                format!("自然限着：{plies}着无吃子（超限将军及其应着不计）"),
            ),
            Cause::BareMaterial => one("neither side has a piece that can cross the river".into(), "双方均无过河子力".into()),
            Cause::Repetition(repetition) => {
                let mut lines = repetition.lines(wording);
                if let Verdict::Provisional(result) = self.verdict {
                    // The rule cited reads like a verdict, but a second occurrence does not decide the game.
                    let result = language.result(result);
                    lines.push(language.choose(
                        || format!("not decided yet: {result} if the position occurs for the third time after such moves"),
                        || format!("尚不裁定：如此着法再使局面第三次出现，则{result}"),
                    ));
                }
                lines
            }
        };
        if let Some(winner) = self.winner_of_draw() {
            lines.push(language.choose(
                || format!("draws count as wins for {}", capitalized(winner)),
                || format!("按设定，和棋算{}方胜", chinese_side(winner)),
            ));
        }
        lines
    }

    /// The side that wins a draw by [`super::Draws`]; `None` if the result is that of the rules.
    fn winner_of_draw(&self) -> Option<Color> {
        let is_draw = match &self.cause {
            Cause::Repetition(repetition) => repetition.result() == GameResult::Draw,
            Cause::NaturalLimit(_) | Cause::BareMaterial => true,
            Cause::Ongoing | Cause::Checkmate(_) | Cause::Stalemate(_) => false,
        };
        match self.verdict {
            Verdict::Final(GameResult::Loses(side)) | Verdict::Provisional(GameResult::Loses(side)) if is_draw => Some(!side),
            _ => None,
        }
    }

    /// The verdict in words, including a provisional one.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{Language, Rules};
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
    /// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(4) {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// let ruling = Rules::default().ruling(&game);
    /// assert_eq!(ruling.conclusion(Language::English), "Red loses if repeated once more");
    /// assert_eq!(Rules::default().ruling(&Position::startpos()).conclusion(Language::Chinese), "未分胜负");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn conclusion(&self, language: Language) -> String {
        match self.verdict {
            Verdict::None => language.choose(|| "undecided".into(), || "未分胜负".into()),
            Verdict::Provisional(result) => {
                let result = language.result(result);
                language.choose(|| format!("{result} if repeated once more"), || format!("再重复一次则{result}"))
            }
            Verdict::Final(result) => language.result(result),
        }
    }

    /// The result and its main reason in one line, as engines report it.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{Language, Rules};
    ///
    /// let mate = Position::from_fen("3k5/3P5/3R5/9/9/9/9/9/9/4K4 b")?;
    /// assert_eq!(Rules::default().ruling(&mate).summary(Language::English), "Black loses: Black is checkmated");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn summary(&self, language: Language) -> String {
        let reason = match &self.cause {
            Cause::Repetition(repetition) => repetition.rule_text(language),
            _ => self.lines(language).into_iter().next().unwrap_or_default(),
        };
        let conclusion = self.conclusion(language);
        language.choose(|| format!("{conclusion}: {reason}"), || format!("{conclusion}：{reason}"))
    }
}
