//! The examples of the sources, word for word. Seeds: 000 is Chinese Chess for Beginners, 001 Jim Png's introduction to the
//! notation systems, 002 the notation of Taikyoku Shogi, 003 Jouni Tolonen's page on the standard of 1999. Where a diagram
//! is lost, the position is built from what the text says of it.

use super::{System, read, write};
use crate::board::{Board, START_FEN};
use crate::types::Move;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn mv(text: &str) -> Move {
    Move::from_uci(text).expect("a move")
}

/// The move is written so, and the text is read as the move.
fn holds(fen: &str, coordinates: &str, texts: &[(System, &str)]) {
    let board = board(fen);
    for &(system, text) in texts {
        assert_eq!(write(system, &board, mv(coordinates)), text, "{system} {coordinates} in {fen}");
        assert_eq!(read(system, &board, text), Ok(mv(coordinates)), "{system} {text} in {fen}");
    }
}

/// The text is read as the move, though the writer has another form.
fn is_read(fen: &str, system: System, text: &str, coordinates: &str) {
    assert_eq!(read(system, &board(fen), text), Ok(mv(coordinates)), "{system} {text} in {fen}");
}

const START_BLACK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";

#[test]
fn the_central_cannon_in_every_system() {
    holds(
        START_FEN,
        "h2e2",
        &[
            (System::Iccs, "H2-E2"),
            (System::Uci, "h2e2"),
            (System::Uci10, "h3e3"),
            (System::Wxf, "C2.5"),
            (System::Wxr, "C2=5"),
            (System::Tandem, "C2.5"),
            (System::Chinese, "炮二平五"),
            (System::ChineseSimplified, "炮二平五"),
        ],
    );
    holds(START_BLACK, "b7e7", &[(System::Chinese, "砲２平５"), (System::ChineseSimplified, "炮２平５")]);
    is_read(START_FEN, System::Iccs, "h2e2", "h2e2");
}

/// Seed 003, "Examples are possible moves in the starting position. Note that each example is a valid move for either Red or
/// Black!"
#[test]
fn standard_of_1999_start_position() {
    let examples = [
        ("H2+3", "h0g2", "b9c7"),
        ("E7+5", "c0e2", "g9e7"),
        ("A6+5", "d0e1", "f9e8"),
        ("C2=3", "h2g2", "b7c7"),
        ("C2+7", "h2h9", "b7b0"),
        ("P7+1", "c3c4", "g6g5"),
        ("C2-1", "h2h1", "b7b8"),
        ("K5+1", "e0e1", "e9e8"),
    ];
    for (text, red, black) in examples {
        for (fen, coordinates) in [(START_FEN, red), (START_BLACK, black)] {
            holds(fen, coordinates, &[(System::Wxr, text), (System::Wxf, &text.replace('=', "."))]);
            for system in [System::Wxf, System::Wxr, System::Tandem] {
                is_read(fen, system, text, coordinates);
            }
        }
    }
}

/// Seed 003, double pieces: the red cannon takes the chariot with C+=1, the rear one goes C-=1, and C-=2 is written so
/// "even though the front cannon hasn't got a corresponding move".
#[test]
fn standard_of_1999_double_pieces() {
    let fen = "3k5/9/9/4C1n1r/9/9/4C4/9/9/5K3 w";
    holds(fen, "e6i6", &[(System::Wxf, "C+.1"), (System::Tandem, "C+.1"), (System::Wxr, "+C=1")]);
    holds(fen, "e3i3", &[(System::Wxf, "C-.1"), (System::Wxr, "-C=1")]);
    holds(fen, "e3h3", &[(System::Wxf, "C-.2"), (System::Wxr, "-C=2")]);
    for (text, goal) in [("C+=1", "e6i6"), ("C-=1", "e3i3"), ("C-=2", "e3h3"), ("+C=1", "e6i6"), ("C-·2", "e3h3")] {
        is_read(fen, System::Wxf, text, goal);
    }
}

/// Seed 000, special cases for tandem pawns (I), and the table of three.
#[test]
fn three_tandem_pawns() {
    let fen = "3k5/9/9/6P2/6P2/6P2/9/9/9/4K4 w - - 0 1";
    holds(fen, "g6f6", &[(System::Wxr, "13=4"), (System::Tandem, "P+.4"), (System::Wxf, "P+.4"), (System::Chinese, "前兵平四")]);
    holds(fen, "g5f5", &[(System::Wxr, "23=4"), (System::Tandem, "P3.4"), (System::Wxf, "P3.4"), (System::Chinese, "中兵平四")]);
    // P-.4 of the seed, with the rear pawn across the river.
    let crossed = "3k5/9/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 1";
    holds(crossed, "g5f5", &[(System::Wxr, "33=4"), (System::Tandem, "P-.4"), (System::Chinese, "後兵平四")]);
    is_read(crossed, System::Chinese, "三兵平4", "g5f5");
    is_read(crossed, System::Chinese, "二兵平四", "g6f6");
    is_read(crossed, System::Chinese, "一兵平四", "g7f7");
}

/// Seed 000, special cases (II) and (III).
#[test]
fn four_and_five_tandem_pawns() {
    let five = "3k5/6P2/6P2/6P2/6P2/6P2/9/9/9/4K4 w - - 0 1";
    let rows = [
        ("g8f8", "13=4", "++.4", "前兵平四"),
        ("g7f7", "23=4", "P+.4", "二兵平四"),
        ("g6f6", "33=4", "P3.4", "三兵平四"),
        ("g5f5", "43=4", "P-.4", "四兵平四"),
        ("g8g9", "13+1", "+++1", "前兵進一"),
    ];
    for (coordinates, wxr, tandem, chinese) in rows {
        let texts = [(System::Wxr, wxr), (System::Tandem, tandem), (System::Wxf, tandem), (System::Chinese, chinese)];
        holds(five, coordinates, &texts);
    }
    is_read(five, System::Chinese, "中兵平四", "g6f6");
    let five_crossed = "3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 1";
    holds(five_crossed, "g5f5", &[(System::Wxr, "53=4"), (System::Tandem, "--.4"), (System::Chinese, "後兵平四")]);
    let four = "3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 1";
    let rows = [
        ("g8f8", "13=4", "++.4", "前兵平四"),
        ("g7f7", "23=4", "P+.4", "二兵平四"),
        ("g6f6", "33=4", "P-.4", "三兵平四"),
        ("g5f5", "43=4", "--.4", "後兵平四"),
    ];
    for (coordinates, wxr, tandem, chinese) in rows {
        holds(four, coordinates, &[(System::Wxr, wxr), (System::Tandem, tandem), (System::Chinese, chinese)]);
    }
}

/// Seed 000, special case (IV).
#[test]
fn two_files_of_tandem_pawns() {
    let fen = "3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w - - 0 1";
    let rows = [
        ("g7f7", "13=4", "3+.4", "前三平四"),
        ("g6f6", "23=4", "33.4", "中三平四"),
        ("g5f5", "33=4", "3-.4", "後三平四"),
        ("c6d6", "17=6", "7+.6", "前七平六"),
        ("c5d5", "27=6", "7-.6", "後七平六"),
    ];
    for (coordinates, wxr, tandem, chinese) in rows {
        let texts = [(System::Wxr, wxr), (System::Tandem, tandem), (System::Wxf, tandem), (System::Chinese, chinese)];
        holds(fen, coordinates, &texts);
    }
}

/// Seed 001, diagrams 6 and 7: the chariot takes the horse with R2+9, the black cannon retreats with C3-4.
#[test]
fn rules_of_2018_straight_lines() {
    holds("3aka1n1/9/9/9/9/9/9/9/9/3K3R1 w", "h0h9", &[(System::Wxr, "R2+9")]);
    let fen = "4k4/9/9/2P6/2p6/9/9/2c6/9/3K5 b";
    holds(fen, "c2c6", &[(System::Wxr, "C3-4"), (System::Wxf, "C3-4"), (System::Chinese, "砲３退４")]);
}

/// Seed 001, diagrams 8 to 11.
#[test]
fn rules_of_2018_opening_moves() {
    holds(START_FEN, "h2e2", &[(System::Wxr, "C2=5")]);
    let reply = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b";
    holds(reply, "h9g7", &[(System::Wxr, "H8+7"), (System::ChineseSimplified, "马８进７")]);
}

/// Seed 001, diagram 12: +R+1 gives check, -R-7 takes the horse, +R=8 takes the cannon; R+ and R- are read as well.
#[test]
fn rules_of_2018_tandem_chariots() {
    let fen = "4k4/9/1c5R1/7R1/9/9/9/9/9/3K3n1 w";
    holds(fen, "h7h8", &[(System::Wxr, "+R+1"), (System::Chinese, "前車進一")]);
    holds(fen, "h7b7", &[(System::Wxr, "+R=8"), (System::Chinese, "前車平八")]);
    let seven_points = "3k5/7R1/7R1/9/9/9/9/9/9/4K2n1 w";
    holds(seven_points, "h7h0", &[(System::Wxr, "-R-7"), (System::ChineseSimplified, "后车退七")]);
    is_read(fen, System::Wxr, "R++1", "h7h8");
    is_read(fen, System::Wxr, "R+=8", "h7b7");
    is_read(seven_points, System::Wxr, "R--7", "h7h0");
}

/// Seed 001, the black elephants in tandem: -E+5, +E-5, and E7+5, "not official, but it is clear enough".
#[test]
fn rules_of_2018_tandem_elephants() {
    let fen = "3k2b2/9/9/9/6b2/9/9/9/9/4K4 b";
    holds(fen, "g9e7", &[(System::Wxr, "-E+5"), (System::Chinese, "後象進５")]);
    holds(fen, "g5e7", &[(System::Wxr, "+E-5"), (System::Chinese, "前象退５")]);
    is_read(fen, System::Wxr, "E7+5", "g9e7");
    is_read(fen, System::Wxr, "E7-5", "g5e7");
    is_read(fen, System::ChineseSimplified, "象7进5", "g9e7");
}

/// Seed 001, diagram 13: three red pawns on the first file, 11=2 takes the chariot, 21=2 the horse, 31+1 is the only move of
/// the third.
#[test]
fn rules_of_2018_one_set_of_pawns() {
    let fen = "3k5/9/7rP/7nP/9/8P/9/9/9/4K4 w";
    holds(fen, "i7h7", &[(System::Wxr, "11=2")]);
    holds(fen, "i6h6", &[(System::Wxr, "21=2")]);
    holds(fen, "i4i5", &[(System::Wxr, "31+1")]);
    assert!(read(System::Wxr, &board(fen), "31=2").is_err());
}

/// Seed 001, diagram 14: a second set on the ninth file; 19=8 is the only move of the pawn in the corner, 29+1 crosses the
/// river.
#[test]
fn rules_of_2018_two_sets_of_pawns() {
    let fen = "P2k5/9/7rP/7nP/9/P7P/9/9/9/4K4 w";
    holds(fen, "a9b9", &[(System::Wxr, "19=8"), (System::Tandem, "9+.8"), (System::Chinese, "前九平八")]);
    holds(fen, "a4a5", &[(System::Wxr, "29+1"), (System::Tandem, "9-+1"), (System::Chinese, "後九進一")]);
    holds(fen, "i7h7", &[(System::Wxr, "11=2")]);
    holds(fen, "i6h6", &[(System::Wxr, "21=2")]);
    holds(fen, "i4i5", &[(System::Wxr, "31+1")]);
}
