//! Removing moves with their continuations from source files; all other comments and the layout are kept.

use super::verify::Losses;
use chuhe::book::compile::Compiler;
use chuhe::book::key::book_key;
use chuhe::book::text::{Token, read_line};
use std::collections::HashMap;

use super::stored;

/// A source without the moves that lose more than `max_loss` centipawns, and the number of removed moves.
///
/// # Errors
/// When the source is invalid.
pub fn prune(name: &str, text: &str, losses: &Losses, max_loss: i32) -> anyhow::Result<(String, usize)> {
    // For each line: the first token to remove.
    let mut cuts: HashMap<usize, usize> = HashMap::new();
    let mut compiler = Compiler::new()?;
    compiler.read_watched(name, text, &mut |line, token, board, mv| {
        let (_, orientation) = book_key(board);
        let loss = losses.rows.get(&(stored(board).to_fen(), orientation.stored(mv))).map_or(0, |(loss, _)| *loss);
        if loss > max_loss {
            let cut = cuts.entry(line).or_insert(token);
            *cut = token.min(*cut);
        }
    })?;
    let mut kept = String::new();
    // Indentation of the line whose end was removed: all deeper lines are removed too.
    let mut gone: Option<usize> = None;
    for (index, raw) in text.lines().enumerate() {
        let Some(line) = read_line(index + 1, raw)? else {
            kept.push_str(&format!("{raw}\n"));
            continue;
        };
        if gone.is_some_and(|indent| line.indent > indent) {
            continue;
        }
        gone = None;
        let Some(&cut) = cuts.get(&(index + 1)) else {
            kept.push_str(&format!("{raw}\n"));
            continue;
        };
        gone = Some(line.indent);
        if let (Some(Token::Move(word, _)), 1..) = (line.tokens.get(cut), cut) {
            // The word is a slice of the line.
            let at = word.as_ptr() as usize - raw.as_ptr() as usize;
            kept.push_str(&format!("{}\n", raw[..at].trim_end()));
        }
    }
    Ok((kept, cuts.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::board::Position;
    use chuhe::types::Move;

    #[test]
    fn moves_are_removed_with_their_continuations() {
        let text = "# a comment\nC2.5 \"Central Cannon\" \"中炮\"\n  H8+7 H2+3 R9.8\n    R1.2\n  H2+3\nP7+1\n  P7+1\nE3+5\n";
        let mut position = Position::startpos();
        let mut losses = Losses::default();
        let mut lose = |position: &Position, mv: &str, loss| {
            let mv = Move::from_uci(mv).unwrap();
            let (_, orientation) = book_key(position.board());
            losses.rows.insert((stored(position.board()).to_fen(), orientation.stored(mv)), (loss, 14));
        };
        lose(&position, "c3c4", 70);
        lose(&position, "g0e2", 50);
        position.make(Move::from_uci("h2e2").unwrap());
        position.make(Move::from_uci("h9g7").unwrap());
        lose(&position, "h0g2", 90);
        let (kept, count) = prune("test", text, &losses, 60).unwrap();
        assert_eq!(kept, "# a comment\nC2.5 \"Central Cannon\" \"中炮\"\n  H8+7\n  H2+3\nE3+5\n");
        assert_eq!(count, 2);
    }
}
