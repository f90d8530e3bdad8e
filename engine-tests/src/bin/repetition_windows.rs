//! Generates repetitions for comparing referees: `cargo run --release -p engine-tests --bin repetition_windows COUNT [SEED]`.
//! With `-` for COUNT it reads such lines from stdin and prints them again. With `games` it reads games from stdin, a FEN or `startpos`
//! followed by ` moves …` on each line, and prints every loop in them: up to the third occurrence if the
//! game continued that far, else with the loop played twice.
//!
//! Prints one line per window, tab-separated: source of the position, FEN, moves up to the third occurrence, our
//! verdict, and for each side the effect of its moves on every enemy piece that is attacked after all of them, such as
//! `Red:n:mS`. The letters mean, move by move, that the piece is newly threatened by the moved piece (`m`), by another whose
//! line was opened (`o`) or by another whose attack has become a threat (`t`), in each case in upper case if a rook or
//! cannon could take back that attacks the point only after the capturer has left its line; or that it is newly attacked but rooted
//! (`r`), in an even trade (`e`), by a tied piece (`p`), by king or pawn (`k`), as a pawn at home (`h`); or that it was
//! attacked before (`s`). A `+` marks a check; `Red::++` is a side that checks on every move.
//!
//! Positions are from random play, from a greedy one-ply player, and from random placements.
//! From each, loops are tried in which both sides make tours of two, three or four moves that end where they
//! began: out and back with one piece or two, along a line in three moves, or around a square;
//! or one piece pursues another. Windows in which a side attacks
//! something on every move are kept, and every tenth of the others, since idle loops are less informative.

use chuhe::board::{Board, Position};
use chuhe::records::fen_list::read_line;
use chuhe::rules::{Action, Attack, Cause, GameResult, Harmless, MoveReport, NaturalLimit, Rules, Verdict};
use chuhe::types::{Color, Move, Piece, PieceType, Square};
use engine_tests::loops::{Random, composed, played, window};
use std::io::BufRead;

/// The effect of one move on the enemy piece in a slot, see the module documentation; none if it is not attacked.
fn effect(report: &MoveReport, before: &Board, after: &Board, slot: usize) -> Option<char> {
    let at = after.square_of_slot(slot)?;
    let side = before.side_to_move();
    let was_attacked = |from: Square| from != report.mv.to() && before.attacks_from(from).has(at);
    let chase = report.chases().iter().filter(|attack| attack.at == at).min_by_key(|attack| attack.from != report.mv.to());
    if let Some(attack) = chase {
        let moved = attack.from == report.mv.to();
        let code = if moved {
            'm'
        } else if was_attacked(attack.from) {
            't'
        } else {
            'o'
        };
        return Some(if has_root_through(attack, after) { code.to_ascii_uppercase() } else { code });
    }
    let is_exchange =
        |action: &Action| matches!(action, Action::Exchange(attacks) if attacks.iter().any(|attack| attack.at == at));
    if report.is(is_exchange) {
        return Some('e');
    }
    let harmless = report.harmless.iter().find(|(attack, _)| attack.at == at).map(|(_, why)| match why {
        Harmless::ByKingOrPawn => 'k',
        Harmless::OnHomePawn => 'h',
        Harmless::AttackerTied => 'p',
        Harmless::EvenTrade => 'e',
        Harmless::Rooted(_) | Harmless::NoGain => 'r',
    });
    harmless.or_else(|| after.color(side).into_iter().any(|from| after.attacks_from(from).has(at)).then_some('s'))
}

/// Whether a rook or cannon attacks the victim's point only after the capture.
fn has_root_through(attack: &Attack, board: &Board) -> bool {
    let owner = attack.victim.color();
    let seen = |occupied| board.attackers_of(owner, attack.at, occupied);
    let through = seen(board.occupied().without(attack.from)) & !seen(board.occupied());
    through.into_iter().any(|root| matches!(board.piece_on(root).map(Piece::kind), Some(PieceType::Rook | PieceType::Cannon)))
}

/// For one side, the enemy pieces that are attacked after each of its moves, with the effects.
fn effects(side: Color, moves: &[MoveReport], boards: &[Board]) -> Vec<String> {
    let own = || moves.iter().zip(boards.windows(2)).filter(|(report, _)| report.piece.color() == side);
    let check = |report: &MoveReport| report.is(|action| *action == Action::Check);
    let mut found = Vec::new();
    if own().all(|(report, _)| check(report)) {
        found.push(format!("{side:?}::{}", "+".repeat(own().count() / 2)));
    }
    let first = (!side).index() * 16;
    for slot in first + 1..first + 16 {
        let codes: Option<String> = own()
            .skip(own().count() / 2)
            .map(|(report, boards)| {
                let code = effect(report, &boards[0], &boards[1], slot)?;
                Some(if check(report) { format!("+{code}") } else { code.into() })
            })
            .collect();
        if let (Some(codes), Some(piece)) = (codes, Board::piece_of_slot(slot)) {
            found.push(format!("{side:?}:{}:{codes}", piece.fen_letter()));
        }
    }
    found
}

/// Whether some side attacks something, king or not, on each of its moves.
fn is_lively(moves: &[MoveReport]) -> bool {
    let attacks = |report: &MoveReport| {
        !report.harmless.is_empty()
            || report.is(|action| matches!(action, Action::Check | Action::Chase(_) | Action::Exchange(_)))
    };
    Color::ALL.into_iter().any(|side| moves.iter().filter(|report| report.piece.color() == side).all(attacks))
}

/// Reads lines with the printed columns, and prints them with our verdict.
fn reprint() -> Result<(), String> {
    for (number, line) in std::io::stdin().lines().enumerate() {
        let line = line.map_err(|error| error.to_string())?;
        let at = |what: String| format!("line {}: {what}", number + 1);
        let fields: Vec<&str> = line.split('\t').collect();
        let [source, fen, moves, ..] = fields[..] else { return Err(at("three columns expected".into())) };
        let start = Board::from_diagram(fen).map_err(|error| at(error.to_string()))?;
        let mut position = Position::new(start, 0, 1);
        for text in moves.split_ascii_whitespace() {
            let mv = Move::from_uci(text).map_err(|error| at(error.to_string()))?;
            if !position.board().is_legal(mv) {
                return Err(at(format!("'{text}' is not legal")));
            }
            position.make(mv);
        }
        print(source, &start, &position, |_| true);
    }
    Ok(())
}

/// Prints the loops in the games on stdin, each once.
fn loops_of_games() -> Result<(), String> {
    let mut known = std::collections::HashSet::new();
    for (number, line) in std::io::stdin().lock().split(b'\n').enumerate() {
        let at = |what: String| format!("line {}: {what}", number + 1);
        let line = line.map_err(|error| at(error.to_string()))?;
        let Some(record) = read_line(&line) else { continue };
        let record = record.map_err(|error| at(error.to_string()))?;
        let game = record.final_position().map_err(|error| at(error.to_string()))?;
        let (states, mut position) = (game.states(), game.initial());
        // The length in plies of the current loop of the game.
        let mut running = None;
        for ply in 1..states.len() {
            position.make(states[ply].last_move);
            let period = position.plies_to_repetition();
            let third = position.occurrences() >= 3;
            // The loop is reported once when it closes, and once more when its third occurrence ends the game.
            if let Some(period) = period.filter(|_| period != running || third) {
                let line: Vec<Move> = states[ply + 1 - period..=ply].iter().map(|state| state.last_move).collect();
                let (first, moves) = match third {
                    false => (ply - period, line.repeat(2)),
                    true => {
                        let key = position.board().key();
                        let reach = position.state().reversible as usize;
                        let back = (period + 2..=reach).step_by(2).find(|back| states[ply - back].board.key() == key);
                        let first = ply - back.unwrap_or(period);
                        (first, states[first + 1..=ply].iter().map(|state| state.last_move).collect())
                    }
                };
                if known.insert((states[first].board.key(), moves.clone())) {
                    let mut window = Position::new(states[first].board, 0, 1);
                    moves.into_iter().for_each(|mv| window.make(mv));
                    print("self-play", &states[first].board, &window, |_| true);
                }
            }
            running = period;
            if third {
                break;
            }
        }
    }
    Ok(())
}

fn print(source: &str, start: &Board, position: &Position, wanted: impl FnOnce(&[MoveReport]) -> bool) -> bool {
    let ruling = Rules { natural_limit: NaturalLimit::NONE, ..Rules::default() }.ruling(position);
    let Cause::Repetition(repetition) = &ruling.cause else { return false };
    if !wanted(&repetition.moves) {
        return false;
    }
    let verdict = match ruling.verdict {
        Verdict::Final(GameResult::Loses(color)) => format!("{color}-loses"),
        Verdict::Final(GameResult::Draw) => "draw".into(),
        _ => "undecided".into(),
    };
    let moves: Vec<String> = position.moves().map(|mv| mv.to_string()).collect();
    let states = position.states();
    let boards: Vec<Board> = states[states.len() - 1 - repetition.moves.len()..].iter().map(|state| state.board).collect();
    let effects: Vec<String> = Color::ALL.into_iter().flat_map(|side| effects(side, &repetition.moves, &boards)).collect();
    println!("{source}\t{} - - 0 1\t{}\t{verdict}\t{}", start.to_fen(), moves.join(" "), effects.join(" "));
    true
}

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.peek().is_some_and(|text| text == "-") {
        return reprint();
    }
    if arguments.peek().is_some_and(|text| text == "games") {
        return loops_of_games();
    }
    let mut number = |default: u64| match arguments.next() {
        None => Ok(default),
        Some(text) => text.parse::<u64>().map_err(|_| format!("'{text}' is not a number")),
    };
    let (count, seed) = (number(1000)?, number(1)?);
    let mut random = Random::new(seed);
    let mut printed = 0;
    while printed < count {
        let (source, board) = match random.below(3) {
            0 => ("random play", played(&mut random, false)),
            1 => ("greedy play", played(&mut random, true)),
            _ => ("composed", composed(&mut random)),
        };
        let Some(board) = board else { continue };
        let mut kept = 0;
        for _ in 0..400 {
            if let Some(position) = window(&board, &mut random) {
                let wanted = |moves: &[MoveReport]| is_lively(moves) || random.one_in(10);
                kept += print(source, &board, &position, wanted) as u64;
            }
            // Only a few from each position, for variety.
            if kept >= 8 || printed + kept >= count {
                break;
            }
        }
        printed += kept;
    }
    Ok(())
}
