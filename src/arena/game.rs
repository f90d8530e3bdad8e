//! A single game: turns, clocks, and adjudication.

use super::engine::{Engine, EngineFault, Turn};
use super::reply::Answer;
use super::spec::TimeControl;
use crate::board::Position;
use crate::rules::{Cause, GameResult, Language, Rules, Verdict};
use crate::search::Score;
use crate::types::{Color, Move};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Conditions for ending a game, other than mate.
#[derive(Clone, Debug)]
pub struct Adjudication {
    /// The rules of repetition and the natural limit.
    pub rules: Rules,
    /// Plies after which a game is drawn.
    pub max_plies: usize,
    /// A game is lost if both engines have agreed for this many moves each that one of them is this many centipawns down.
    pub resign: Option<(u32, i32)>,
    /// A game is drawn if, from this ply on, both engines have been within this many centipawns of 0 for this many moves each.
    pub draw: Option<(usize, u32, i32)>,
    /// Allowed overrun of the clock; time is measured on this side of the pipe.
    pub time_margin: Duration,
    /// Allowed overrun of a time per move.
    pub move_margin: Duration,
    /// Time limit for engines without a clock.
    pub patience: Duration,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            rules: Rules::default(),
            max_plies: 600,
            resign: None,
            draw: None,
            time_margin: Duration::from_millis(10),
            move_margin: Duration::from_millis(500),
            patience: Duration::from_secs(60),
        }
    }
}

/// The reason for the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// No legal move, in check.
    Mate,
    /// No legal move, not in check.
    Stalemate,
    /// The rules of repetition.
    Repetition,
    /// Too long without a capture.
    NaturalLimit,
    /// Neither side can attack.
    BareMaterial,
    /// An engine resigned.
    Resignation,
    /// Both engines agreed to a draw.
    Agreement,
    /// Both engines evaluated the game as lost for one of them.
    ScoreWin,
    /// Both engines evaluated the game as even for long enough.
    ScoreDraw,
    /// The maximum length was reached.
    MaxPlies,
    /// The clock ran out.
    TimeForfeit,
    /// A move was not legal.
    IllegalMove,
    /// The process ended.
    Crash,
    /// The engine did not answer.
    Hang,
}

impl Ending {
    /// Endings that are an engine's fault.
    pub const FAULTS: [Ending; 4] = [Ending::TimeForfeit, Ending::IllegalMove, Ending::Crash, Ending::Hang];

    /// Whether the process must be restarted.
    pub fn needs_restart(self) -> bool {
        matches!(self, Ending::Crash | Ending::Hang | Ending::IllegalMove)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Mate => "mate",
            Ending::Stalemate => "stalemate",
            Ending::Repetition => "repetition",
            Ending::NaturalLimit => "natural limit",
            Ending::BareMaterial => "bare material",
            Ending::Resignation => "resignation",
            Ending::Agreement => "agreement",
            Ending::ScoreWin => "adjudicated win",
            Ending::ScoreDraw => "adjudicated draw",
            Ending::MaxPlies => "longest game",
            Ending::TimeForfeit => "time forfeit",
            Ending::IllegalMove => "illegal move",
            Ending::Crash => "crash",
            Ending::Hang => "hang",
        })
    }
}

/// A move played in a game.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// The engine's score, from its own view.
    pub score: Option<Score>,
    /// The engine's depth.
    pub depth: Option<u32>,
    /// Time taken.
    pub time: Duration,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The opening position.
    pub opening: Position,
    /// The moves played by the engines.
    pub moves: Vec<Played>,
    /// The result.
    pub result: GameResult,
    /// The reason for the end.
    pub ending: Ending,
    /// Details of the reason, if any: the illegal move, the exit status, the ruling on a repetition.
    pub detail: Option<String>,
}

/// Number of consecutive moves for which each engine has evaluated the game as lost, won or even.
#[derive(Default)]
struct ScoreStreaks {
    lost: [u32; 2],
    won: [u32; 2],
    even: [u32; 2],
}

impl ScoreStreaks {
    fn add(&mut self, side: Color, score: Option<Score>, adjudication: &Adjudication) {
        let value = match score {
            Some(Score::Centipawns(value)) => Some(value),
            Some(Score::Mate(moves)) => Some(if moves > 0 { i32::MAX } else { -i32::MAX }),
            None => None,
        };
        let count = |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        let i = side.index();
        if let Some((_, limit)) = adjudication.resign {
            count(&mut self.lost[i], value.is_some_and(|value| value <= -limit));
            count(&mut self.won[i], value.is_some_and(|value| value >= limit));
        }
        if let Some((_, _, limit)) = adjudication.draw {
            count(&mut self.even[i], value.is_some_and(|value| value.unsigned_abs() <= limit.unsigned_abs()));
        }
    }

    fn verdict(&self, plies: usize, adjudication: &Adjudication) -> Option<(GameResult, Ending)> {
        if let Some((moves, _)) = adjudication.resign {
            for color in Color::ALL {
                if self.lost[color.index()] >= moves && self.won[(!color).index()] >= moves {
                    return Some((GameResult::Loses(color), Ending::ScoreWin));
                }
            }
        }
        let (first, moves, _) = adjudication.draw?;
        (plies >= first && self.even.iter().all(|&count| count >= moves)).then_some((GameResult::Draw, Ending::ScoreDraw))
    }
}

/// The end of a game: result, reason and optional details.
type End = (GameResult, Ending, Option<String>);

/// The ruling on position and history: mate, stalemate or a rule.
fn end_by_rules(position: &Position, adjudication: &Adjudication) -> Option<End> {
    let ruling = adjudication.rules.ruling(position);
    let Verdict::Final(result) = ruling.verdict else { return None };
    let ending = match ruling.cause {
        Cause::Checkmate(_) => Ending::Mate,
        Cause::Stalemate(_) => Ending::Stalemate,
        Cause::BareMaterial => Ending::BareMaterial,
        Cause::NaturalLimit(_) => Ending::NaturalLimit,
        Cause::Repetition(_) | Cause::Ongoing => Ending::Repetition,
    };
    let is_rule = matches!(ending, Ending::Repetition | Ending::NaturalLimit | Ending::BareMaterial);
    Some((result, ending, is_rule.then(|| ruling.summary(Language::English))))
}

/// Plays a game between `engines`, Red first, with the time controls `times`. An engine at fault loses the game.
pub async fn play(
    engines: [&mut Engine; 2],
    times: [TimeControl; 2],
    opening: &Position,
    adjudication: &Adjudication,
) -> GameRecord {
    let mut moves = Vec::new();
    let (result, ending, detail) = play_out(engines, times, opening, adjudication, &mut moves).await;
    GameRecord { opening: opening.clone(), moves, result, ending, detail }
}

/// The end of a game that `color` loses by a fault, with details.
async fn fault_of(color: Color, engine: &mut Engine, fault: EngineFault) -> End {
    let name = engine.name().to_string();
    let (ending, detail) = match fault {
        EngineFault::Crash => (Ending::Crash, format!("{name}: the process ended{}", engine.exit_description().await)),
        EngineFault::Hang => (Ending::Hang, format!("{name}: no answer in time{}", engine.last_errors())),
    };
    (GameResult::Loses(color), ending, Some(detail))
}

/// Plays until the end, which is returned; the engines' moves are added to `played`.
async fn play_out(
    engines: [&mut Engine; 2],
    times: [TimeControl; 2],
    opening: &Position,
    adjudication: &Adjudication,
    played: &mut Vec<Played>,
) -> End {
    let start = opening.initial();
    let mut position = start.clone();
    let mut all_moves: Vec<Move> = opening.moves().collect();
    all_moves.iter().for_each(|&mv| position.make(mv));
    for color in Color::ALL {
        if let Err(fault) = engines[color.index()].new_game().await {
            return fault_of(color, engines[color.index()], fault).await;
        }
    }
    let mut clocks = Clocks::new(times);
    let mut streaks = ScoreStreaks::default();
    let mut draw_offered = false;
    loop {
        let side = position.side_to_move();
        let agreed = || streaks.verdict(played.len(), adjudication).map(|(result, ending)| (result, ending, None));
        if let Some(end) = end_by_rules(&position, adjudication).or_else(agreed) {
            return end;
        }
        if played.len() >= adjudication.max_plies {
            return (GameResult::Draw, Ending::MaxPlies, None);
        }
        let turn = Turn {
            opening: &start,
            moves: &all_moves,
            side,
            time: times[side.index()],
            clocks: clocks.remaining,
            increments: clocks.increments(),
            moves_to_go: clocks.moves_to_go,
            draw_offered,
        };
        let loses = GameResult::Loses(side);
        let (reply, time) = match engines[side.index()].think(&turn, clocks.patience(side, adjudication)).await {
            Ok(answer) => answer,
            Err(fault) => return fault_of(side, engines[side.index()], fault).await,
        };
        let name = engines[side.index()].name();
        if let Err(left) = clocks.spend(side, time, adjudication) {
            let detail = format!("{name}: took {:.3} s of {:.3} s", time.as_secs_f64(), left.as_secs_f64());
            return (loses, Ending::TimeForfeit, Some(detail));
        }
        let text = match reply.answer {
            Answer::Plays(text) => text,
            Answer::Resigns => return (loses, Ending::Resignation, None),
            Answer::NoMove(answer) => {
                let detail = format!("{name}: '{answer}', although it has legal moves in {}", position.to_fen());
                return (loses, Ending::Resignation, Some(detail));
            }
        };
        let Some(mv) = engines[side.index()].read_move(position.board(), &text) else {
            let ranks = engines[side.index()].fitting_ranks(position.board(), &text);
            let hint = ranks.map_or(String::new(), |ranks| format!("; it would be with ranks={ranks}"));
            let text: String = text.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect();
            let detail = format!("{name}: '{text}' is not legal in {}{hint}", position.to_fen());
            log::warn!("{detail}");
            return (loses, Ending::IllegalMove, Some(detail));
        };
        position.make(mv);
        all_moves.push(mv);
        played.push(Played { mv, score: reply.score, depth: reply.depth, time });
        if reply.draw && draw_offered {
            return (GameResult::Draw, Ending::Agreement, None);
        }
        draw_offered = reply.draw;
        streaks.add(side, reply.score, adjudication);
    }
}

/// The clocks of both sides.
struct Clocks {
    times: [TimeControl; 2],
    remaining: [Duration; 2],
    /// By how much each side has exceeded its time without losing. The margin is granted once, not for every move.
    overdrawn: [Duration; 2],
    moves_to_go: [Option<u32>; 2],
}

impl Clocks {
    fn new(times: [TimeControl; 2]) -> Clocks {
        let start = |time: TimeControl| match time {
            TimeControl::Clock { base, increment, .. } if base.is_zero() => increment,
            TimeControl::Clock { base, .. } => base,
            _ => Duration::ZERO,
        };
        let moves = |time: TimeControl| if let TimeControl::Clock { moves, .. } = time { moves } else { None };
        Clocks { times, remaining: times.map(start), overdrawn: [Duration::ZERO; 2], moves_to_go: times.map(moves) }
    }

    fn increments(&self) -> [Duration; 2] {
        self.times.map(|time| if let TimeControl::Clock { increment, .. } = time { increment } else { Duration::ZERO })
    }

    /// Time to wait for an answer before the engine counts as hanging. It exceeds the clock by a margin, to distinguish a slow engine from
    /// a dead one.
    fn patience(&self, side: Color, adjudication: &Adjudication) -> Duration {
        let room = Duration::from_secs(2);
        match self.times[side.index()] {
            TimeControl::Clock { .. } => self.remaining[side.index()] + adjudication.time_margin + room,
            TimeControl::MoveTime(time) => time + adjudication.move_margin + room,
            _ => adjudication.patience,
        }
    }

    /// Adds time to the clock of a side, less what it owes.
    fn add(&mut self, i: usize, time: Duration) {
        let owed = self.overdrawn[i].min(time);
        self.overdrawn[i] -= owed;
        self.remaining[i] += time - owed;
    }

    /// Subtracts the time of a move. If it was too long, the error is the time that was available.
    fn spend(&mut self, side: Color, time: Duration, adjudication: &Adjudication) -> Result<(), Duration> {
        let i = side.index();
        match self.times[i] {
            TimeControl::Clock { base, increment, moves } => {
                let margin = adjudication.time_margin.saturating_sub(self.overdrawn[i]);
                if time > self.remaining[i] + margin {
                    return Err(self.remaining[i]);
                }
                self.overdrawn[i] += time.saturating_sub(self.remaining[i]);
                self.remaining[i] = self.remaining[i].saturating_sub(time);
                self.add(i, increment);
                if let Some(left) = &mut self.moves_to_go[i] {
                    *left -= 1;
                    if *left == 0 {
                        self.moves_to_go[i] = moves;
                        self.add(i, base);
                    }
                }
                Ok(())
            }
            TimeControl::MoveTime(limit) if time > limit + adjudication.move_margin => Err(limit),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks() {
        let adjudication = Adjudication { time_margin: Duration::ZERO, ..Adjudication::default() };
        let ms = Duration::from_millis;
        let mut clocks = Clocks::new(["2/1+0.1".parse().unwrap(), "movetime:100".parse().unwrap()]);
        assert!(clocks.spend(Color::Red, ms(400), &adjudication).is_ok());
        assert_eq!((clocks.remaining[0], clocks.moves_to_go[0]), (ms(700), Some(1)));
        assert!(clocks.spend(Color::Red, ms(700), &adjudication).is_ok());
        assert_eq!((clocks.remaining[0], clocks.moves_to_go[0]), (ms(1100), Some(2)));
        assert!(clocks.spend(Color::Red, ms(1101), &adjudication).is_err());
        assert!(clocks.spend(Color::Black, ms(600), &adjudication).is_ok());
        assert!(clocks.spend(Color::Black, ms(601), &adjudication).is_err());
    }

    #[test]
    fn the_margin_is_granted_once() {
        let adjudication = Adjudication { time_margin: Duration::from_millis(10), ..Adjudication::default() };
        let ms = Duration::from_millis;
        let mut clocks = Clocks::new(["0.1+0".parse().unwrap(), "0.1+0.02".parse().unwrap()]);
        assert!(clocks.spend(Color::Red, ms(106), &adjudication).is_ok());
        assert!(clocks.spend(Color::Red, ms(4), &adjudication).is_ok());
        assert!(clocks.spend(Color::Red, ms(1), &adjudication).is_err());
        // An increment repays what is owed first.
        assert!(clocks.spend(Color::Black, ms(106), &adjudication).is_ok());
        assert_eq!(clocks.remaining[1], ms(14));
        assert!(clocks.spend(Color::Black, ms(24), &adjudication).is_ok());
        assert!(clocks.spend(Color::Black, ms(21), &adjudication).is_err());
    }

    #[test]
    fn evaluations_must_agree_for_several_moves() {
        let adjudication = Adjudication { resign: Some((2, 500)), draw: Some((4, 2, 10)), ..Adjudication::default() };
        let mut streaks = ScoreStreaks::default();
        let mut add = |red: i32, black: i32, plies| {
            streaks.add(Color::Red, Some(Score::Centipawns(red)), &adjudication);
            streaks.add(Color::Black, Some(Score::Centipawns(black)), &adjudication);
            streaks.verdict(plies, &adjudication)
        };
        assert_eq!(add(600, -600, 2), None);
        assert_eq!(add(600, -400, 4), None);
        assert_eq!(add(600, -600, 6), None);
        assert_eq!(add(600, -600, 8), Some((GameResult::Loses(Color::Black), Ending::ScoreWin)));
        assert_eq!(add(5, -5, 10), None);
        assert_eq!(add(5, -5, 12), Some((GameResult::Draw, Ending::ScoreDraw)));
        assert_eq!(streaks.verdict(3, &adjudication), None);
        // An engine may send any number.
        streaks.add(Color::Red, Some(Score::Centipawns(i32::MIN)), &adjudication);
        assert_eq!(streaks.verdict(20, &adjudication), None);
    }

    #[test]
    fn the_rules_know_mate_and_stalemate() {
        let over = |fen: &str| end_by_rules(&Position::from_fen(fen).unwrap(), &Adjudication::default());
        assert_eq!(over("4k4/4P4/9/9/9/9/9/9/9/3K5 b"), None);
        assert_eq!(over("3k5/4P4/9/9/9/9/9/9/9/4K4 b").map(|(_, ending, _)| ending), Some(Ending::Stalemate));
        assert_eq!(over("3k1R3/5R3/9/9/9/9/9/9/9/4K4 b"), Some((GameResult::Loses(Color::Black), Ending::Mate, None)));
        assert_eq!(over(crate::board::START_FEN), None);
    }
}
