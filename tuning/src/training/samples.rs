//! Compact training samples.

use super::{Filter, Target};
use crate::records::{Game, Ply};
use chuhe::board::{Board, Position};
use chuhe::eval::unscaled;
use chuhe::nnue::{Balance, bucket, feature, mirrored};
use chuhe::rules::NaturalLimit;
use chuhe::types::{Color, Square};

/// Number of physical pieces of a board.
const SLOTS: usize = 32;
/// Half points of a position that was not in a game.
const NO_RESULT: u8 = u8::MAX;
/// Marks a piece that is not on the board.
const OFF: u8 = u8::MAX;

/// Absolute value of the search's draw scores. They depend on the path to the position, not on the position.
const LARGEST_DRAW: u16 = 1;

/// A position with its score and result, in 37 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Point of every physical piece.
    places: [u8; SLOTS],
    /// Bit 0: Black to move. Bits 1 and 2: Red's and Black's view is mirrored. From bit 3 up: the output bucket.
    flags: u8,
    /// Half points of the side to move: 2 for a win, 1 for a draw, 0 for a loss; [`NO_RESULT`] for a position off the game.
    half_points: u8,
    /// Score in centipawns from the view of the side to move.
    score: i16,
}

/// The features of a position, those of the view of the side to move first.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    rows: [[u16; SLOTS]; 2],
    count: usize,
}

impl Features {
    /// No features yet.
    pub const NONE: Features = Features { rows: [[0; SLOTS]; 2], count: 0 };

    /// The features of a view: 0 for the side to move, 1 for the other.
    #[inline(always)]
    pub fn view(&self, view: usize) -> &[u16] {
        &self.rows[view][..self.count]
    }
}

/// The network output that gives this score as evaluation: the evaluation is scaled down as the natural limit approaches,
/// and for a side without attackers. The search applies both to the output of the trained network.
fn network_score(position: &Position, score: i16) -> i16 {
    let value = NaturalLimit::STANDARD.undamped(score as i32, position.clock());
    unscaled(position.board(), value).clamp(i16::MIN as i32, i16::MAX as i32) as i16
}

/// Whether a score passes the filter.
fn is_score_wanted(score: i16, filter: &Filter) -> bool {
    let size = score.unsigned_abs();
    size <= filter.max_score && !(filter.skip_draws && size <= LARGEST_DRAW)
}

/// Whether the position before a ply passes the filter.
fn is_wanted(position: &Position, ply: &Ply, filter: &Filter) -> bool {
    ply.score.is_some_and(|score| is_score_wanted(score, filter))
        && !(filter.skip_checks && position.in_check())
        && !(filter.skip_captures && position.board().is_capture(ply.mv))
}

/// Blends later scores into the scores of the samples of a game, from its last ply to its first. The scores of all plies are used, from the
/// view of the side to move, including those of positions that are not samples.
/// Returns by how much the winning probability of each ply changes, from the view of its side to move.
fn trace(plies: &mut [(Option<i16>, Option<Sample>)], target: &Target) -> Vec<f64> {
    let (share, surprise, scale) = (target.trace as f64, target.trace_surprise as f64, target.scale as f64);
    // The winning probability and its blended value at the next ply, from the view of the side to move there.
    let mut after: Option<(f64, f64)> = None;
    let mut changes = vec![0.0; plies.len()];
    for ((score, sample), change) in plies.iter_mut().zip(&mut changes).rev() {
        let Some(score) = *score else {
            after = None;
            continue;
        };
        let chance = chance(score, scale);
        let blended = match after {
            Some((next, blended)) if (chance - (1.0 - next)).abs() <= surprise => {
                (1.0 - share) * chance + share * (1.0 - blended)
            }
            _ => chance,
        };
        after = Some((chance, blended));
        *change = blended - chance;
        if let Some(sample) = sample {
            sample.score = score_of(blended, scale);
        }
    }
    changes
}

/// The winning probability of a score.
fn chance(score: i16, scale: f64) -> f64 {
    1.0 / (1.0 + (-(score as f64) / scale).exp())
}

/// The score of a winning probability.
fn score_of(chance: f64, scale: f64) -> i16 {
    // A probability of 0 or 1 has no score.
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    (scale * (chance / (1.0 - chance)).ln()).round() as i16
}

impl Sample {
    /// A position, its score and half points, both of the side to move.
    pub fn new(board: &Board, score: i16, half_points: u8) -> Sample {
        let balance = Balance::of(board);
        let [red, black] = Color::ALL.map(|color| mirrored(color, board, balance) as u8);
        let side = board.side_to_move().index() as u8;
        let flags = side | red << 1 | black << 2 | (bucket(board) as u8) << 3;
        let places = std::array::from_fn(|slot| board.square_of_slot(slot).map_or(OFF, |square| square.index() as u8));
        Sample { places, flags, half_points, score }
    }

    /// Appends the positions of a game that pass the filter, with the scores for the target. Returns by how much the trace changes the winning
    /// probability of each ply.
    pub fn extend(game: &Game, filter: &Filter, target: &Target, out: &mut Vec<Sample>) -> Vec<f64> {
        let mut plies: Vec<(Option<i16>, Option<Sample>)> = Vec::with_capacity(game.plies.len());
        game.replay(|position, ply| {
            let score = ply.score.map(|score| if filter.undo_fading { network_score(position, score) } else { score });
            let half_points = game.won.half_points(position.side_to_move());
            let sample = score.filter(|_| is_wanted(position, ply, filter));
            plies.push((score, sample.map(|score| Sample::new(position.board(), score, half_points))));
        });
        let changes = if target.trace > 0.0 { trace(&mut plies, target) } else { Vec::new() };
        out.extend(plies.into_iter().filter_map(|(_, sample)| sample));
        changes
    }

    /// Appends the variations of a game that pass the filter. They are quiet, and no result belongs to them. What the rest of the game says
    /// about the score of the ply where a variation begins, it says about the scores of the variation too.
    pub fn extend_by_variations(game: &Game, changes: &[f64], filter: &Filter, target: &Target, out: &mut Vec<Sample>) {
        let scale = target.scale as f64;
        game.replay_variations(|position, variation| {
            if is_score_wanted(variation.score, filter) {
                let score = variation.score;
                let mut score = if filter.undo_fading { network_score(position, score) } else { score };
                let change = changes.get(variation.ply).copied().unwrap_or_default() * target.variation_trace as f64;
                if change != 0.0 {
                    let sign = if variation.moves.len() % 2 == 0 { 1.0 } else { -1.0 };
                    score = score_of(chance(score, scale) + sign * change, scale);
                }
                out.push(Sample::new(position.board(), score, NO_RESULT));
            }
        });
    }

    /// Output bucket.
    #[inline(always)]
    pub fn bucket(&self) -> usize {
        (self.flags >> 3) as usize
    }

    /// The same position with bucket 0, for models with a single bucket.
    pub fn in_first_bucket(mut self) -> Sample {
        self.flags &= 7;
        self
    }

    /// The target as a winning probability: the result with weight `share`, the rest from the score, which is divided
    /// by `scale` on the logistic curve.
    #[inline(always)]
    pub fn target(&self, share: f32, scale: f32) -> f32 {
        let chance = 1.0 / (1.0 + (-(self.score as f32) / scale).exp());
        let share = if self.half_points == NO_RESULT { 0.0 } else { share };
        share * (self.half_points as f32 / 2.0) + (1.0 - share) * chance
    }

    /// Computes the features.
    #[inline(always)]
    pub fn features(&self, out: &mut Features) {
        let side = if self.flags & 1 == 0 { Color::Red } else { Color::Black };
        let mirror = [self.flags >> 1 & 1 != 0, self.flags >> 2 & 1 != 0];
        let mut count = 0;
        for (slot, &place) in self.places.iter().enumerate() {
            let (Some(square), Some(piece)) = (Square::new(place as usize), Board::piece_of_slot(slot)) else { continue };
            out.rows[0][count] = feature(side, mirror[side.index()], piece, square);
            out.rows[1][count] = feature(!side, mirror[(!side).index()], piece, square);
            count += 1;
        }
        out.count = count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Ending, Variation, Won};

    /// The scores of the samples of a game in which Red and Black move their rooks back and forth.
    fn scores(filter: &Filter, trace: f32, labels: &[i16]) -> Vec<i16> {
        let target = Target { trace, ..Target::default() };
        let start = Position::startpos();
        let moves = ["a0a1", "a9a8", "a1a0", "a8a9"].map(|text| chuhe::types::Move::from_uci(text).expect("a move"));
        let plies = labels.iter().zip(moves.iter().cycle()).map(|(&score, &mv)| Ply { mv, score: Some(score) }).collect();
        let game = Game { id: 0, start, won: Won::Nobody, ending: Ending::PlyLimit, plies, variations: Vec::new() };
        let mut samples = Vec::new();
        Sample::extend(&game, filter, &target, &mut samples);
        samples.iter().map(|sample| sample.score).collect()
    }

    #[test]
    fn damping_is_undone_and_draws_are_excluded() {
        let filter = Filter::default();
        let limit = NaturalLimit::STANDARD.plies() as f64;
        let labels: Vec<i16> = (0..20).map(|ply| if ply == 5 { -1 } else { 200 }).collect();
        let found = scores(&filter, 0.0, &labels);
        assert_eq!(found.len(), 19);
        let expected = 200.0 / (1.0 - 19.0 / (2.0 * limit));
        assert!((found[18] as f64 - expected).abs() <= 1.0, "{found:?}");
        assert_eq!(found[0], 200);
        let as_they_are = Filter { undo_fading: false, skip_draws: false, ..filter };
        assert_eq!(scores(&as_they_are, 0.0, &labels), labels);
    }

    #[test]
    fn variations_have_a_score_but_no_result() {
        let filter = Filter::default();
        let mv = |text| chuhe::types::Move::from_uci(text).expect("a move");
        let plies = vec![Ply { mv: mv("a0a1"), score: None }, Ply { mv: mv("a9a8"), score: None }];
        let variation = |score| Variation { ply: 1, moves: vec![mv("b9c7")], score };
        let variations = [120, 0, 3001, -50].map(variation).to_vec();
        let game = Game { id: 0, start: Position::startpos(), won: Won::Red, ending: Ending::NoMoves, plies, variations };
        let mut samples = Vec::new();
        Sample::extend(&game, &filter, &Target::default(), &mut samples);
        assert!(samples.is_empty());
        Sample::extend_by_variations(&game, &[], &filter, &Target::default(), &mut samples);
        assert_eq!(
            samples.iter().map(|sample| sample.score).collect::<Vec<_>>(),
            [121, -50],
            "the damping of two plies is undone"
        );
        let board = game.start.board().after(mv("a0a1")).after(mv("b9c7"));
        assert_eq!(samples[0], Sample::new(&board, 121, NO_RESULT));
        for sample in samples {
            assert_eq!(sample.target(0.0, 400.0), sample.target(0.7, 400.0));
        }
    }

    #[test]
    fn what_the_game_says_about_a_ply_it_says_about_the_variations_from_there() {
        let filter = Filter { undo_fading: false, skip_draws: false, ..Filter::default() };
        let mv = |text| chuhe::types::Move::from_uci(text).expect("a move");
        let plies = vec![Ply { mv: mv("a0a1"), score: Some(100) }, Ply { mv: mv("a9a8"), score: Some(-60) }];
        // One has the score of the ply, as its opponent sees it; nothing is known after the last ply.
        let variations = [(0, "b0c2", -100), (0, "h0g2", 30), (1, "b9c7", 80)];
        let variations = variations.map(|(ply, text, score)| Variation { ply, moves: vec![mv(text)], score }).to_vec();
        let game = Game { id: 0, start: Position::startpos(), won: Won::Nobody, ending: Ending::PlyLimit, plies, variations };
        let scores = |part| {
            let target = Target { trace: 0.5, variation_trace: part, ..Target::default() };
            let mut samples = Vec::new();
            let changes = Sample::extend(&game, &filter, &target, &mut samples);
            Sample::extend_by_variations(&game, &changes, &filter, &target, &mut samples);
            samples.iter().map(|sample| sample.score).collect::<Vec<_>>()
        };
        assert_eq!(scores(0.0)[2..], [-100, 30, 80]);
        let whole = scores(1.0);
        assert!(whole[0] < 100 && whole[2] == -whole[0] && whole[3] > 30 && whole[4] == 80, "{whole:?}");
        let half = scores(0.5);
        assert!(half[0] == whole[0] && half[2] > -100 && half[2] < whole[2], "{half:?}");
    }

    #[test]
    fn a_trace_blends_later_scores_until_a_surprise() {
        let filter = Filter { undo_fading: false, skip_draws: false, ..Filter::default() };
        // The sides alternate, so a constant advantage has alternating signs.
        let steady = [100, -100, 100, -100];
        assert_eq!(scores(&filter, 0.5, &steady), steady);
        assert_eq!(scores(&filter, 0.0, &[100, -60]), [100, -60]);
        let blended = scores(&filter, 0.5, &[100, -60, 60]);
        assert!(blended[0] > 75 && blended[0] < 85 && blended[1..] == [-60, 60], "{blended:?}");
        // The second move lost a lot, so the scores before it are unchanged.
        assert_eq!(scores(&filter, 0.5, &[100, -100, 400, -400]), [100, -100, 400, -400]);
        assert!(scores(&filter, 0.5, &[100, -140, 400, -400])[0] > 115);
        assert!(scores(&filter, 0.9, &[3000, -3000, 2990]).iter().all(|score| score.abs() > 2500));
    }
}
