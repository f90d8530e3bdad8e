//! The examples of the sources, quoted verbatim. Source 000 is Chinese Chess for Beginners, 001 Jim Png's introduction to the
//! notation systems, 002 the notation of Taikyoku Shogi, 003 Jouni Tolonen's page on the 1999 standard. If a diagram was not
//! available, the position is reconstructed from the text.

use super::{LineStyle, Notation, ReadError, Script, System, read, read_auto, read_line_auto, write};
use crate::board::{Board, START_FEN};
use crate::types::Move;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn mv(text: &str) -> Move {
    Move::from_uci(text).expect("a move")
}

/// Asserts that the move is written as the text and the text read as the move.
fn holds(fen: &str, coordinates: &str, texts: &[(System, &str)]) {
    let board = board(fen);
    for &(system, text) in texts {
        assert_eq!(write(system, &board, mv(coordinates)), text, "{system} {coordinates} in {fen}");
        assert_eq!(read(system, &board, text), Ok(mv(coordinates)), "{system} {text} in {fen}");
    }
}

/// Asserts that the text is read as the move; the writer may use another form.
fn is_read(fen: &str, system: System, text: &str, coordinates: &str) {
    assert_eq!(read(system, &board(fen), text), Ok(mv(coordinates)), "{system} {text} in {fen}");
}

const START_BLACK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";

/// The red move in the start position is tested with the table of systems, which has it in each of them.
#[test]
fn the_central_cannon() {
    let left_cannon_shut_in = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1CN4C1/9/R1BAKABNR w";
    holds(left_cannon_shut_in, "h2e2", &[(System::Hodges, "C-5h")]);
    holds(START_BLACK, "b7e7", &[(System::Chinese, "砲２平５"), (System::ChineseSimplified, "炮２平５")]);
    is_read(START_FEN, System::Iccs, "h2e2", "h2e2");
}

/// Source 003, "Examples are possible moves in the starting position. Note that each example is a valid move for either Red or
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

/// Source 003, double pieces: the red cannon takes the chariot with C+=1, the rear one goes C-=1, and C-=2 is written so
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

/// Source 000, special cases for tandem pawns (I), and the table of three.
#[test]
fn three_tandem_pawns() {
    let fen = "3k5/9/9/6P2/6P2/6P2/9/9/9/4K4 w - - 0 1";
    holds(fen, "g6f6", &[(System::Wxr, "13=4"), (System::Tandem, "P+.4"), (System::Wxf, "P+.4"), (System::Chinese, "前兵平四")]);
    holds(fen, "g5f5", &[(System::Wxr, "23=4"), (System::Tandem, "P3.4"), (System::Wxf, "P3.4"), (System::Chinese, "中兵平四")]);
    // P-.4 of the source, with the rear pawn across the river.
    let crossed = "3k5/9/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 1";
    holds(crossed, "g5f5", &[(System::Wxr, "33=4"), (System::Tandem, "P-.4"), (System::Chinese, "後兵平四")]);
    is_read(crossed, System::Chinese, "三兵平4", "g5f5");
    is_read(crossed, System::Chinese, "二兵平四", "g6f6");
    is_read(crossed, System::Chinese, "一兵平四", "g7f7");
}

/// Source 000, special cases (II) and (III).
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

/// If only one file has a tandem, two equal digits with `=` are a pawn's place and file; with a dot they are the middle pawn of the
/// beginner's system.
#[test]
fn equal_digits_are_a_place_and_a_file() {
    let edge = "3k5/9/9/7rP/7nP/8P/9/9/9/4K4 w";
    holds(edge, "i6h6", &[(System::Wxr, "11=2")]);
    assert_eq!(read_auto(&board(edge), "11=2"), Ok(mv("i6h6")));
    let three = "3k5/9/6P2/6P2/6P2/9/9/9/9/4K4 w";
    assert_eq!(read_auto(&board(three), "33=4"), Ok(mv("g5f5")));
    is_read(three, System::Wxf, "33.4", "g6f6");
    assert!(matches!(read(System::Wxf, &board(three), "33=4"), Err(ReadError::NotThisNotation { .. })));
    // With tandems on two files both systems use such texts.
    let two = "3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w";
    is_read(two, System::Wxf, "33=4", "g6f6");
    is_read(two, System::Wxr, "33=4", "g5f5");
}

/// Source 000, special case (IV).
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

/// With tandems on two files, numbers may continue from file to file, from the mover's right to left.
#[test]
fn pawns_are_numbered_over_two_files() {
    let fen = "3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w";
    for (text, goal) in [("三兵平四", "g5f5"), ("四兵平六", "c6d6"), ("五兵平六", "c5d5"), ("二兵平四", "g6f6")] {
        is_read(fen, System::Chinese, text, goal);
    }
    // The first of either file if files are counted separately, so it must be the first of all.
    is_read(fen, System::Chinese, "一兵进一", "g7g8");
    // Black counts from the other side.
    let black = "4k4/9/9/9/9/2p3p2/2p3p2/6p2/9/3K5 b";
    is_read(black, System::Chinese, "2卒平4", "c4d4");
    is_read(black, System::Chinese, "5卒平6", "g4f4");
    // The third of file 7, or the first of file 7 behind the two of file 3.
    let third = read(System::Chinese, &board(black), "3卒平6");
    assert!(
        matches!(&third, Err(ReadError::Ambiguous { candidates, .. }) if *candidates == [mv("g2f2"), mv("g4f4")]),
        "{third:?}"
    );
}

/// The letters of XiangQi Wizard number all tandem pawns, regardless of their files.
#[test]
fn pawns_by_letters() {
    let fen = "4k4/9/4P4/3PP1p2/3P5/6p2/4P1p2/6p2/6p2/4K4 w";
    for (text, goal) in [("Pa+1", "e7e8"), ("Pb.4", "e6f6"), ("pd.7", "d6c6"), ("PE=7", "d5c5"), ("Pc+1", "e3e4")] {
        for system in [System::Wxf, System::Wxr, System::Tandem] {
            is_read(fen, system, text, goal);
        }
    }
    let black = fen.replace(" w", " b");
    is_read(&black, System::Wxf, "Pa.6", "g1f1");
    is_read(&black, System::Wxf, "Pe+1", "g6g5");
    assert!(matches!(read(System::Wxf, &board(START_FEN), "Pa+1"), Err(ReadError::NoSuchPiece { .. })));
    assert!(matches!(read(System::Wxf, &board(START_FEN), "Ca.5"), Err(ReadError::NotThisNotation { .. })));
}

/// The federation's letters, and place and file as in the 2018 rules for tandems that the federation does not specify.
#[test]
fn vietnamese() {
    let holds = |fen: &str, coordinates: &str, text: &str| holds(fen, coordinates, &[(System::Vietnamese, text)]);
    for (text, red, black) in [
        ("P2-5", "h2e2", "b7e7"),
        ("P8/1", "b2b1", "h7h8"),
        ("M2.3", "h0g2", "b9c7"),
        ("X1.1", "i0i1", "a9a8"),
        ("T3.5", "g0e2", "c9e7"),
        ("S6.5", "d0e1", "f9e8"),
        ("Tg5.1", "e0e1", "e9e8"),
        ("B7.1", "c3c4", "g6g5"),
    ] {
        holds(START_FEN, red, text);
        holds(START_BLACK, black, text);
    }
    let rooks = "4k4/9/1c5R1/7R1/9/9/9/9/9/3K3n1 w";
    holds(rooks, "h7h8", "Xt.1");
    holds(rooks, "h6h1", "Xs/5");
    let three = "3k5/9/6P2/6P2/6P2/9/9/9/9/4K4 w";
    for (coordinates, text) in [("g7f7", "Bt-4"), ("g6f6", "Bg-4"), ("g5f5", "Bs-4")] {
        holds(three, coordinates, text);
    }
    let five = "3k5/6P2/6P2/6P2/6P2/6P2/9/9/9/4K4 w";
    holds(five, "g7f7", "B23-4");
    let two = "3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w";
    holds(two, "c5d5", "B27-6");
    for (text, goal) in [("B7s-6", "c5d5"), ("Bt3-4", "g7f7"), ("b3g–4", "g6f6")] {
        is_read(two, System::Vietnamese, text, goal);
    }
    is_read(START_FEN, System::Vietnamese, "V3.5", "g0e2");
    is_read(START_FEN, System::Vietnamese, "C7.1", "c3c4");
    for text in ["C2-5", "P2=5", "P2+1", "Tg.1", "P-5", "Pt-5", "B123-4", "P2-0"] {
        assert!(read(System::Vietnamese, &board(START_FEN), text).is_err(), "{text}");
    }
}

/// A line in Vietnamese notation is detected; if a system in general use can read it too, that is chosen and Vietnamese reported.
#[test]
fn vietnamese_is_detected() {
    let line = ["P2-5", "M8.7", "M2.3", "X9-8", "X1-2", "M2.3", "B7.1", "P8/1"];
    let detected = read_line_auto(&board(START_FEN), &line).expect("a line");
    assert_eq!((detected.systems, detected.others), (vec![System::Vietnamese], Vec::new()));
    assert_eq!(
        detected.moves.iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" "),
        "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 h7h8"
    );
    // A pawn moving sideways or a cannon advancing.
    let both = board("3k5/9/9/9/6P2/9/9/9/6C2/4K4 w");
    let detected = read_line_auto(&both, &["P3.4"]).expect("a move");
    assert_eq!(detected.moves, [mv("g5f5")]);
    assert!(
        detected.others.iter().any(|other| (other.system, other.mv) == (System::Vietnamese, mv("g1g5")))
            || detected.others.is_empty()
    );
    // An illegal move in the more common notation is an error.
    let reader = super::LineReader::default();
    let position = |fen: &str| crate::board::Position::from_fen(fen).expect("a position");
    let slip = position("3k5/9/9/9/6p2/6P2/9/9/6C2/4K4 w");
    assert!(matches!(reader.read_move(&slip, "P3.4"), Err(ReadError::CannotMoveSo { .. })));
    for (text, goal) in [("P3-5", "g1e1"), ("P3/1", "g1g0"), ("Tg5.1", "e0e1")] {
        assert_eq!(reader.read_move(&slip, text), Ok(mv(goal)), "{text}");
    }
}

/// A piece letter in front of the points, with ranks from 0 or from 1.
#[test]
fn long_algebraic() {
    for text in ["Ch2-e2", "ch2e2", "Ch2–e2", "C h2 - e2"] {
        for system in [System::Iccs, System::Uci] {
            is_read(START_FEN, system, text, "h2e2");
        }
        assert_eq!(read_auto(&board(START_FEN), text), Ok(mv("h2e2")), "{text}");
    }
    is_read(START_FEN, System::Uci10, "Ch3-e3", "h2e2");
    is_read(START_BLACK, System::Uci10, "Hh10-g8", "h9g7");
    is_read(START_FEN, System::Iccs, "Ch2xh9", "h2h9");
    for text in ["Hh0-g2", "Nh0-g2", "Ec0-e2", "Bc0-e2", "Pc3-c4", "Rh1-g3"] {
        assert!(read_auto(&board(START_FEN), text).is_ok() != text.starts_with('R'), "{text}");
    }
    let error = read(System::Iccs, &board(START_FEN), "Rh2-e2");
    assert!(matches!(&error, Err(ReadError::NoSuchPiece { sought, .. }) if sought == "no red rook on h2"), "{error:?}");
}

/// Source 001, diagrams 6 and 7: the chariot takes the horse with R2+9, the black cannon retreats with C3-4.
#[test]
fn rules_of_2018_straight_lines() {
    holds("3aka1n1/9/9/9/9/9/9/9/9/3K3R1 w", "h0h9", &[(System::Wxr, "R2+9")]);
    let fen = "4k4/9/9/2P6/2p6/9/9/2c6/9/3K5 b";
    holds(fen, "c2c6", &[(System::Wxr, "C3-4"), (System::Wxf, "C3-4"), (System::Chinese, "砲３退４")]);
}

/// Source 001, diagrams 8 to 11.
#[test]
fn rules_of_2018_opening_moves() {
    holds(START_FEN, "h2e2", &[(System::Wxr, "C2=5")]);
    let reply = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b";
    holds(reply, "h9g7", &[(System::Wxr, "H8+7"), (System::ChineseSimplified, "马８进７")]);
}

/// Source 001, diagram 12: +R+1 gives check, -R-7 takes the horse, +R=8 takes the cannon; R+ and R- are read as well.
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

/// Source 001, the black elephants in tandem: -E+5, +E-5, and E7+5, "not official, but it is clear enough".
#[test]
fn rules_of_2018_tandem_elephants() {
    let fen = "3k2b2/9/9/9/6b2/9/9/9/9/4K4 b";
    holds(fen, "g9e7", &[(System::Wxr, "-E+5"), (System::Chinese, "象７進５"), (System::Vietnamese, "T7.5")]);
    holds(fen, "g5e7", &[(System::Wxr, "+E-5"), (System::Chinese, "象７退５"), (System::Vietnamese, "T7/5")]);
    is_read(fen, System::Chinese, "後象進５", "g9e7");
    is_read(fen, System::Chinese, "前象退５", "g5e7");
    is_read(fen, System::Vietnamese, "Ts.5", "g9e7");
    is_read(fen, System::Wxr, "E7+5", "g9e7");
    is_read(fen, System::Wxr, "E7-5", "g5e7");
    is_read(fen, System::ChineseSimplified, "象7进5", "g9e7");
}

/// Source 001, diagram 13: three red pawns on the first file, 11=2 takes the chariot, 21=2 the horse, 31+1 is the only move of
/// the third.
#[test]
fn rules_of_2018_one_set_of_pawns() {
    let fen = "3k5/9/7rP/7nP/9/8P/9/9/9/4K4 w";
    holds(fen, "i7h7", &[(System::Wxr, "11=2")]);
    holds(fen, "i6h6", &[(System::Wxr, "21=2")]);
    holds(fen, "i4i5", &[(System::Wxr, "31+1")]);
    assert!(read(System::Wxr, &board(fen), "31=2").is_err());
}

/// Source 001, diagram 14: a second set on the ninth file; 19=8 is the only move of the pawn in the corner, 29+1 crosses the
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

/// Source 001, shorthand: C25 or 炮25, H87 underlined, C34 overlined.
#[test]
fn shorthand() {
    holds(START_FEN, "h2e2", &[(System::Shorthand, "C25")]);
    is_read(START_FEN, System::Shorthand, "炮25", "h2e2");
    let reply = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b";
    holds(reply, "h9g7", &[(System::Shorthand, "H87\u{332}")]);
    let retreat = "4k4/9/9/2P6/2p6/9/9/2c6/9/3K5 b";
    holds(retreat, "c2c6", &[(System::Shorthand, "C34\u{305}")]);
    let styles = [
        (Script::English, LineStyle::Html, "C3<span style=\"text-decoration:overline\">4</span>"),
        (Script::English, LineStyle::Ansi, "C3\x1b[53m4\x1b[55m"),
        (Script::Traditional, LineStyle::Combining, "砲34\u{305}"),
        (Script::Simplified, LineStyle::Combining, "炮34\u{305}"),
    ];
    for (script, lines, text) in styles {
        let notation = Notation { script, lines, ..Notation::new(System::Shorthand) };
        assert_eq!(notation.write(&board(retreat), mv("c2c6")), text);
        assert_eq!(notation.read(&board(retreat), text), Ok(mv("c2c6")));
    }
    // The first two components of a tandem are as in the rules of 2018.
    let tandem = "4k4/9/1c5R1/7R1/9/9/9/9/9/3K3n1 w";
    holds(tandem, "h7b7", &[(System::Shorthand, "+R8")]);
    holds(tandem, "h7h8", &[(System::Shorthand, "+R1\u{332}")]);
}

/// "This overline cannot be shown on webpages": without it a text can match two moves, and then both are reported.
#[test]
fn shorthand_without_its_lines() {
    is_read("4k4/9/9/2P6/2p6/9/9/2c6/9/3K5 b", System::Shorthand, "C34", "c2d2");
    is_read("4k4/9/9/2P6/2p6/9/9/2c6/9/3K5 b", System::Shorthand, "K51", "e9e8");
    let horse = board("4k4/9/9/9/9/4H4/9/9/9/3K5 w");
    let both = ReadError::Ambiguous { text: "H54".into(), candidates: vec![mv("e4f6"), mv("e4f2")] };
    assert_eq!(read(System::Shorthand, &horse, "H54"), Err(both));
}

/// Source 001: numbers from the left for both sides, and a piece across the river "would adopt the number of the files on that
/// side".
#[test]
fn old_manual() {
    holds(START_BLACK, "b7e7", &[(System::OldManual, "C8=5")]);
    holds(START_BLACK, "h7e7", &[(System::OldManual, "C2=5")]);
    holds(START_FEN, "b0c2", &[(System::OldManual, "H2+3")]);
    holds(START_FEN, "h2h9", &[(System::OldManual, "C8+7")]);
    // From Red's file 2 to Black's file 7, which is the third from Red's left.
    holds("4k4/9/9/9/9/1N7/9/9/9/3K5 w", "b4c6", &[(System::OldManual, "H2+7")]);
    holds("4k4/9/9/9/9/1N7/9/9/9/3K5 w", "b4d5", &[(System::OldManual, "H2+6")]);
    // Two chariots on "file 2", one on each side of the river, are distinguished as a tandem is.
    let clash = "3k5/9/7R1/9/9/9/9/1R7/9/4K4 w";
    holds(clash, "b2d2", &[(System::OldManual, "-R=4")]);
    holds(clash, "h7f7", &[(System::OldManual, "+R=4")]);
}

/// Source 001, the coordinates of Meng Baolin: H28-47 and P48-49.
#[test]
fn meng() {
    holds("4k4/1N7/9/9/9/9/9/9/9/3K5 w", "b8d7", &[(System::Meng, "H28-47")]);
    holds("5k3/3P5/9/9/9/9/9/9/9/4K4 w", "d8d9", &[(System::Meng, "P48-49")]);
    is_read("5k3/3P5/9/9/9/9/9/9/9/4K4 w", System::Meng, "48-49", "d8d9");
}

/// Source 002: the capture sign, the origin if required, and the signs of other games.
#[test]
fn hodges() {
    holds(START_FEN, "b2b9", &[(System::Hodges, "Cx8a")]);
    holds(START_FEN, "c3c4", &[(System::Hodges, "P-7f")]);
    let two_chariots = "3k5/9/9/9/9/9/9/R6R1/9/4K4 w";
    holds(two_chariots, "a2e2", &[(System::Hodges, "R9h-5h")]);
    holds(two_chariots, "h2h9", &[(System::Hodges, "R-2a")]);
    let error = read(System::Hodges, &board(two_chariots), "R-5h");
    let candidates = [mv("h2e2"), mv("a2e2")];
    assert!(
        matches!(error, Err(ReadError::Ambiguous { candidates: found, .. }) if found.iter().all(|mv| candidates.contains(mv)))
    );
    // The corner 1a is Black's left one.
    holds("3k4r/9/9/9/9/9/9/9/9/4K3R w", "i0i9", &[(System::Hodges, "Rx1a")]);
    for text in ["+CC-5h", "ORx7c+", "LNx!3c", "LNx3cx4d", "HF!3c", "P-12h+"] {
        let error = read(System::Hodges, &board(START_FEN), text);
        assert!(matches!(error, Err(ReadError::OtherGame { .. })), "{text}: {error:?}");
    }
    // Well formed, but there is no file 12 here.
    assert!(matches!(read(System::Hodges, &board(START_FEN), "P-12h"), Err(ReadError::NotThisNotation { .. })));
    assert!(matches!(read(System::Hodges, &board(START_FEN), "Cx5h"), Err(ReadError::CannotMoveSo { .. })));
}

/// Source 001: "Pawn captures Chariot, King retreats, Chariot advances for Check, Horse to Riverbank".
#[test]
fn descriptive() {
    holds("3k5/9/7rP/9/9/9/9/9/9/4K4 w", "i7h7", &[(System::Descriptive, "Pawn captures Chariot")]);
    holds("5k3/9/9/9/9/9/9/9/4K4/9 w", "e1e0", &[(System::Descriptive, "King retreats")]);
    let chariot = "4k4/9/9/9/9/9/9/9/9/3K4R w";
    assert_eq!(write(System::Descriptive, &board(chariot), mv("i0i9")), "Chariot advances for Check");
    is_read(chariot, System::Descriptive, "Chariot advances for Check", "i0i9");
    let horse = board("4k4/9/9/9/9/9/9/7N1/9/3K5 w");
    assert_eq!(write(System::Descriptive, &horse, mv("h2g4")), "Horse to Riverbank");
    // It can reach two points of the riverbank.
    assert!(matches!(read(System::Descriptive, &horse, "Horse to Riverbank"), Err(ReadError::Ambiguous { .. })));
    let one_way = "4k4/9/9/9/9/9/9/8N/9/3K5 w";
    holds(one_way, "i2h4", &[(System::Descriptive, "Horse to Riverbank")]);
    let mate = "3k5/R8/9/9/9/9/9/9/1R7/4K4 w";
    holds(mate, "b1b9", &[(System::Descriptive, "Chariot advances for Mate")]);

    let chinese = |script| Notation { script, ..Notation::new(System::Descriptive) };
    let rows = [
        ("3k5/9/7rP/9/9/9/9/9/9/4K4 w", "i7h7", "兵吃車", "兵吃车"),
        ("4k4/9/9/9/9/9/9/7N1/9/3K5 w", "h2g4", "馬至河沿", "马至河沿"),
        ("4k4/9/9/9/9/9/9/9/9/3K4R w", "i0i9", "車進照將", "车进照将"),
        ("3k5/R8/9/9/9/9/9/9/1R7/4K4 w", "b1b9", "車進將死", "车进将死"),
        ("9/4k4/9/9/9/9/9/9/9/5K3 b", "e8e9", "將退", "将退"),
    ];
    for (fen, coordinates, traditional, simplified) in rows {
        for (script, text) in [(Script::Traditional, traditional), (Script::Simplified, simplified)] {
            assert_eq!(chinese(script).write(&board(fen), mv(coordinates)), text);
        }
        if !traditional.contains('至') {
            is_read(fen, System::Descriptive, simplified, coordinates);
        }
    }
}

/// An ambiguous text is an error that lists the moves, and `unambiguous` adds the `wxr` form.
#[test]
fn descriptive_reports_ambiguity() {
    let start = board(START_FEN);
    let error = read(System::Descriptive, &start, "Cannon traverses to the centre");
    assert!(matches!(&error, Err(ReadError::Ambiguous { candidates, .. }) if candidates.len() == 2), "{error:?}");
    let notation = Notation { unambiguous: true, ..Notation::new(System::Descriptive) };
    assert_eq!(notation.write(&start, mv("h2e2")), "Cannon traverses (C2=5)");
    for text in ["Cannon traverses (C2=5)", "cannon traverses to the centre [C2=5]", "炮平（C2=5）"] {
        assert_eq!(notation.read(&start, text), Ok(mv("h2e2")), "{text}");
    }
    // Only the notation of the 2018 rules is accepted in brackets.
    assert!(matches!(notation.read(&start, "炮平（炮二平五）"), Err(ReadError::NotThisNotation { .. })));
    assert!(matches!(notation.read(&start, "Cannon advances (C2=5)"), Err(ReadError::CannotMoveSo { .. })));
}

#[test]
fn errors_give_the_reason() {
    let start = board(START_FEN);
    let not_this = read(System::Wxr, &start, "炮二平五");
    assert!(matches!(&not_this, Err(ReadError::NotThisNotation { looks_like: Some(System::Chinese), .. })), "{not_this:?}");
    let message = not_this.map_or_else(|error| error.to_string(), |mv| mv.to_string());
    assert_eq!(message, "'炮二平五' is not wxr notation, expected four characters such as C2=5 or +C=5; it looks like chinese");
    assert!(matches!(read(System::Wxr, &start, "R3+1"), Err(ReadError::NoSuchPiece { .. })));
    assert!(matches!(read(System::Wxr, &start, "+R=5"), Err(ReadError::NoSuchPiece { .. })));
    assert!(matches!(read(System::Wxr, &start, "R1+5"), Err(ReadError::CannotMoveSo { .. })));
    assert!(matches!(read(System::Uci, &start, "h7e7"), Err(ReadError::NoSuchPiece { .. })));
    let facing = board("4k4/4r4/9/9/4R4/9/9/9/9/4K4 w");
    assert_eq!(read(System::Wxr, &facing, "R5=4"), Err(ReadError::LeavesKingInCheck { text: "R5=4".into(), mv: mv("e5f5") }));
    let tandem_rooks = board("3k5/9/9/9/4R4/9/4R4/9/9/4K4 w");
    assert_eq!(
        read(System::Wxr, &tandem_rooks, "R5=4"),
        Err(ReadError::Ambiguous { text: "R5=4".into(), candidates: vec![mv("e5f5"), mv("e3f3")] })
    );
}

/// Variants written by other programs and authors.
#[test]
fn variants_are_read() {
    for text in ["傌二進三", "马二进三", "馬2进3", "馬 二 進 三\r", "⾺⼆进三", "马２进３"] {
        is_read(START_FEN, System::Chinese, text, "h0g2");
        is_read(START_FEN, System::ChineseSimplified, text, "h0g2");
    }
    for text in ["包二平五", "砲二平五", "炮2平5"] {
        is_read(START_FEN, System::Chinese, text, "h2e2");
    }
    for text in ["Ｃ２＝５", "c2.5", "C2·5", "C2＝5"] {
        is_read(START_FEN, System::Wxf, text, "h2e2");
    }
    for (text, goal) in
        [("n2+3", "h0g2"), ("B7+5", "c0e2"), ("m7+5", "c0e2"), ("G6+5", "d0e1"), ("C2–1", "h2h1"), ("C2−1", "h2h1")]
    {
        is_read(START_FEN, System::Wxr, text, goal);
        is_read(START_FEN, System::Wxf, text, goal);
    }
    for (text, goal) in [("S6+5", "d0e1"), ("X7+5", "c0e2"), ("s4+5", "f0e1"), ("x3+5", "g0e2")] {
        is_read(START_FEN, System::Wxr, text, goal);
        is_read(START_FEN, System::Wxf, text, goal);
        assert_eq!(read_auto(&board(START_FEN), text), Ok(mv(goal)), "{text}");
    }
    for text in ["P..4", "P=.4", "P==4", "p.=4"] {
        is_read("3k5/9/6P2/6P2/6P2/9/9/9/9/4K4 w", System::Wxf, text, "g6f6");
        is_read("3k5/9/6P2/6P2/6P2/9/9/9/9/4K4 w", System::Wxr, text, "g6f6");
    }
    for (text, goal) in [("馬二上三", "h0g2"), ("兵七上一", "c3c4"), ("炮2下1", "h2h1")] {
        is_read(START_FEN, System::Chinese, text, goal);
    }
    is_read(START_FEN, System::Uci10, "H3-E3", "h2e2");
    is_read("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b", System::Uci10, "h10g8", "h9g7");
    is_read(START_FEN, System::Poem, "羽–淡", "h2e2");
}

/// Detection chooses the only system that can read the text, and prefers current systems to historical ones.
#[test]
fn the_system_is_detected() {
    let start = board(START_FEN);
    for text in ["H2-E2", "h2e2", "C2.5", "炮二平五", "C25", "羽-淡", "C82-52"] {
        assert_eq!(read_auto(&start, text), Ok(mv("h2e2")), "{text}");
    }
    // Current systems take precedence over An Old Xiangqi Manual, which is reported.
    let detected = read_line_auto(&start, &["C2=5"]).expect("a move");
    assert_eq!(detected.moves, [mv("h2e2")]);
    assert!(detected.others.iter().any(|other| (other.system, other.number, other.mv) == (System::OldManual, 1, mv("b2e2"))));
    // A line that An Old Xiangqi Manual cannot read: the cannon across the river would use the numbers of that side.
    let line = ["C2=5", "H8+7", "C8+3", "P7+1", "C8=9"];
    let detected = read_line_auto(&start, &line);
    assert!(detected.as_ref().is_ok_and(|line| line.systems == [System::Wxf, System::Wxr, System::Tandem]), "{detected:?}");
    assert!(matches!(read_auto(&start, "nonsense"), Err(ReadError::NotThisNotation { system: None, .. })));
}
