//! Tests of what the suites of adjudicated lines do not cover: clocks, second occurrences, other rule sets and explanations.

use super::*;
use crate::types::Move;

fn play(fen: &str, moves: &str) -> Position {
    let mut position = Position::from_diagram(fen).unwrap();
    for text in moves.split_ascii_whitespace() {
        let mv = Move::from_uci(text).unwrap();
        assert!(position.board().is_legal(mv), "{text} in {}", position.to_fen());
        position.make(mv);
    }
    position
}

/// Plays a loop the given number of times.
fn rounds(fen: &str, moves: &str, times: usize) -> Position {
    play(fen, &vec![moves; times].join(" "))
}

/// Diagram 1: a rook checks on every move.
const PERPETUAL_CHECK: (&str, &str) = ("c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w", "h8h9 f9f8 h9h8 f8f9");
/// Diagram 5: one counter-check in reply to two checks.
const COUNTER_CHECKS: (&str, &str) = ("5c3/8R/4k2P1/3P5/5P3/6P2/5pN2/5A3/4CK3/6rn1 w", "f5e5 f3e3 e5f5 e3f3");
/// Both kings shuffle.
const SHUFFLE: (&str, &str) = ("3k5/9/9/9/2b1p4/2B1P4/9/9/9/5K3 w", "f0f1 d9d8 f1f0 d8d9");
/// A rook and two unprotected cannons: it can chase one along ranks and the other along files.
const TWO_VICTIMS: &str = "3k5/4c4/9/9/9/9/c3R4/4B4/4A4/4K4 b";
const FIRST_VICTIM: &str = "a3a4 e3e4 a4a3 e4e3";
const SECOND_VICTIM: &str = "e8f8 e3f3 f8e8 f3e3";
/// A rook attacks two pawns in turn, one of them with check.
const CHECK_AND_TWO_VICTIMS: (&str, &str) = ("3k5/9/9/9/6R2/9/3p2p2/9/9/5K3 w", "g5d5 d9e9 d5g5 e9d9");

fn rules(set: RuleSet) -> Rules {
    Rules { set, ..Rules::default() }
}

#[test]
fn ten_checks_of_a_side_count_towards_the_natural_limit() {
    let (fen, moves) = PERPETUAL_CHECK;
    for (times, clock, checks) in [(1, 4, 2), (5, 20, 10), (6, 20, 12), (10, 20, 20)] {
        let position = rounds(fen, moves, times);
        assert_eq!((position.clock(), position.state().checks), (clock, [checks, 0]), "{times} rounds");
    }
    // The eleventh check is void. The counter-check in reply is not counted either and does not use up one of Black's ten.
    let (fen, moves) = COUNTER_CHECKS;
    assert_eq!(rounds(fen, moves, 5).state().checks, [10, 5]);
    let position = rounds(fen, moves, 7);
    assert_eq!((position.clock(), position.state().checks), (20, [14, 5]));
}

#[test]
fn a_capture_resets_the_clock() {
    let (fen, moves) = PERPETUAL_CHECK;
    let mut position = rounds(fen, moves, 6);
    position.make(Move::from_uci("h8e8").unwrap());
    assert_eq!((position.clock(), position.state().checks, position.state().reversible), (0, [0, 0], 0));
}

#[test]
fn the_natural_limit_counts_from_the_clock_of_the_fen() {
    let rules = Rules::default();
    let (fen, _) = SHUFFLE;
    for (clock, moves, verdict) in [
        (118, "f0f1", Verdict::None),
        (118, "f0f1 d9d8", Verdict::Final(GameResult::Draw)),
        (120, "", Verdict::Final(GameResult::Draw)),
        (500, "", Verdict::Final(GameResult::Draw)),
    ] {
        let position = play(&format!("{fen} - - {clock} 90"), moves);
        assert_eq!(rules.verdict(&position), verdict, "{clock} {moves}");
        assert_eq!(Rules { natural_limit: NaturalLimit::NONE, ..rules }.verdict(&position), Verdict::None);
        let limit = Rules { natural_limit: NaturalLimit::of(100), ..rules };
        assert_eq!(limit.ruling(&position).cause, Cause::NaturalLimit(position.clock()));
    }
}

#[test]
fn mate_on_the_last_ply_of_the_limit_is_mate() {
    let position = play("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 119 90", "a1d1");
    assert_eq!(position.clock(), 120);
    assert_eq!(Rules::default().game_result(&position), Some(GameResult::Loses(Color::Black)));
    assert_eq!(Rules::default().ruling(&position).cause, Cause::Checkmate(Color::Black));
}

#[test]
fn stalemate_loses() {
    let position = play("3k5/9/8R/9/9/9/9/9/9/4K4 w", "i7i8");
    assert!(!position.in_check());
    assert_eq!(Rules::default().game_result(&position), Some(GameResult::Loses(Color::Black)));
    assert_eq!(Rules::default().ruling(&position).cause, Cause::Stalemate(Color::Black));
}

#[test]
fn bare_material_is_a_draw() {
    let rules = Rules::default();
    let bare = play("2bak4/4a4/4b4/9/9/9/9/9/9/4KAB2 w", "f0e1");
    assert_eq!(rules.ruling(&bare), Ruling { verdict: Verdict::Final(GameResult::Draw), cause: Cause::BareMaterial });
    for attacker in ["P", "p", "N", "n", "C", "c", "R", "r"] {
        let fen = format!("2bak4/4a4/4b4/9/8{attacker}/9/9/9/9/4KAB2 w");
        assert_eq!(rules.verdict(&play(&fen, "f0e1")), Verdict::None, "{attacker}");
    }
}

#[test]
fn the_second_occurrence_is_provisional_and_the_third_final() {
    let rules = Rules::default();
    let (fen, moves) = PERPETUAL_CHECK;
    let red_loses = GameResult::Loses(Color::Red);
    assert_eq!(rules.verdict(&rounds(fen, moves, 0)), Verdict::None);
    assert_eq!(rules.verdict(&rounds(fen, moves, 1)), Verdict::Provisional(red_loses));
    assert_eq!(rules.verdict(&rounds(fen, moves, 2)), Verdict::Final(red_loses));
    assert_eq!(rules.verdict(&rounds(fen, moves, 3)), Verdict::Final(red_loses));
}

#[test]
fn a_search_judges_second_occurrences_strictly_after_its_root() {
    let rules = Rules::default();
    let draw = Outlook::Over(GameResult::Draw);
    let check = Outlook::Over(GameResult::Loses(Color::Red));
    let chase = Outlook::GainsNothing(Color::Red);
    for ((fen, moves), inside) in [(PERPETUAL_CHECK, check), ((TWO_VICTIMS, FIRST_VICTIM), chase), (SHUFFLE, draw)] {
        let once = rounds(fen, moves, 1);
        // The earlier occurrence is four plies back: it is the root at ply 4, and below the root at ply 5.
        for (ply, outlook) in [(0, Outlook::Open), (4, Outlook::Open), (5, inside), (20, inside)] {
            assert_eq!(rules.outlook(&once, ply), outlook, "{fen} at ply {ply}");
        }
        assert_eq!(Rules { search_fold: Fold::Third, ..rules }.outlook(&once, 5), Outlook::Open);
        let twice = rounds(fen, moves, 2);
        for ply in 0..10 {
            let Verdict::Final(result) = rules.verdict(&twice) else { panic!("{fen}") };
            assert_eq!(rules.outlook(&twice, ply), Outlook::Over(result));
        }
    }
    // Near the natural limit another loop of checks may reach the draw; at the limit the game is a draw in any case.
    let (fen, moves) = PERPETUAL_CHECK;
    for (clock, outlook) in [(75, check), (76, chase), (115, chase)] {
        assert_eq!(rules.outlook(&play(&format!("{fen} - - {clock} 90"), moves), 5), outlook, "{clock}");
    }
    let at_limit = play(&format!("{fen} - - 118 90"), moves);
    assert_eq!(rules.outlook(&at_limit, 20), draw);
}

#[test]
fn repetitions_do_not_cross_null_moves() {
    let (fen, moves) = SHUFFLE;
    let mut position = rounds(fen, moves, 1);
    assert!(matches!(Rules::default().verdict(&position), Verdict::Provisional(GameResult::Draw)));
    position.make_null();
    position.make_null();
    for text in moves.split(' ').take(3) {
        position.make(Move::from_uci(text).unwrap());
        assert_eq!(Rules::default().verdict(&position), Verdict::None);
    }
    for _ in 0..5 {
        position.unmake();
    }
    assert!(matches!(Rules::default().verdict(&position), Verdict::Provisional(GameResult::Draw)));
}

#[test]
fn chases_of_different_victims_are_judged_as_one_window() {
    let rules = Rules::default();
    let red_loses = Verdict::Final(GameResult::Loses(Color::Red));
    assert_eq!(rules.verdict(&rounds(TWO_VICTIMS, FIRST_VICTIM, 2)), red_loses);
    assert_eq!(rules.verdict(&rounds(TWO_VICTIMS, SECOND_VICTIM, 2)), red_loses);
    let mixed = play(TWO_VICTIMS, &format!("{FIRST_VICTIM} {SECOND_VICTIM}"));
    assert_eq!(rules.verdict(&mixed), Verdict::Final(GameResult::Draw));
    // Under the Chinese rules the victims do not matter, only that every move is a chase.
    assert_eq!(Rules { set: RuleSet::Chinese, ..rules }.verdict(&mixed), red_loses);
}

#[test]
fn rule_sets_give_different_results() {
    let table = [
        // Diagram 7: a horse threatens mate on every move.
        ("2b2k3/9/4b2P1/3N5/1R6p/6P2/5p2r/8n/4p4/5K3 w", "d6c8 f9f8 c8d6 f8f9", "draw", "red loses", "draw"),
        // Diagram 11: check and kill in turn.
        ("2bak4/4a4/4b4/8p/5R3/8P/n8/1r2C4/9/1cBAKAB2 w", "f5h5 e9f9 h5f5 f9e9", "draw", "red loses", "draw"),
        // Diagram 15: check and chase in turn.
        ("1R1C1abr1/4k4/4b4/p7p/2p6/9/r1P3P2/B8/9/2B1KA3 w", "b9b8 e8e9 b8b9 e9e8", "draw", "red loses", "draw"),
        // Diagram 33: a rook chases an unprotected cannon.
        ("4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w", "h6i6 i0h0 i6h6 h0i0", "red loses", "red loses", "draw"),
        // Diagram 37: that cannon checks once and chases once, which is an unbroken attack under the Chinese rules.
        ("3ak4/4a4/4b4/p8/2p3n2/9/P1P3r2/3AB4/c3N3N/1RB1KA3 w", "b0b1 a1a0 b1b0 a0a1", "red loses", "draw", "draw"),
        // Diagram 67: a king alone.
        ("4ka3/4a4/4b4/p7p/9/4C4/4P4/4B4/4K4/3Ac1B2 b", "e0f0 e1f1 f0e0 f1e1", "draw", "draw", "draw"),
        (PERPETUAL_CHECK.0, PERPETUAL_CHECK.1, "red loses", "red loses", "red loses"),
        (COUNTER_CHECKS.0, COUNTER_CHECKS.1, "red loses", "red loses", "red loses"),
        (SHUFFLE.0, SHUFFLE.1, "draw", "draw", "draw"),
    ];
    for (fen, moves, world, chinese, simple) in table {
        for (set, expected) in [(RuleSet::World, world), (RuleSet::Chinese, chinese), (RuleSet::Simple, simple)] {
            let position = rounds(fen, moves, 2);
            let result = match rules(set).verdict(&position) {
                Verdict::Final(GameResult::Draw) => "draw".into(),
                Verdict::Final(GameResult::Loses(color)) => format!("{color} loses"),
                other => format!("{other:?}"),
            };
            assert_eq!(result, expected, "{set:?} {fen} {moves}");
        }
    }
}

/// An exchange is judged by the best captures of both sides, so it does not matter which of two equal pieces the board lists first, and
/// a check that stands forbids none of them.
#[test]
fn chinese_rulings_do_not_depend_on_the_order_of_pieces() {
    let other_side = |letter: char| if letter.is_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() };
    let turned = |moves: &str, turn: &dyn Fn(u8) -> u8| -> String { moves.bytes().map(|byte| turn(byte) as char).collect() };
    for (fen, prefix, moves, loser) in [
        // The horse attacks a cannon with two rooks as roots; only the capture by one of them takes the red cannon's screen away.
        ("5k3/9/9/9/C1r1c2r1/9/R7n/9/4N4/2BK1AB2 w", "", "e1f3 f9f8 f3e1 f8f9", None),
        ("5k3/9/7r1/9/C1r1c4/9/R7n/9/4N4/2BK1AB2 b", "h7h5", "e1f3 f9f8 f3e1 f8f9", None),
        ("3k5/4a4/4bc2b/RC3N3/3P5/2n6/R8/c8/3K5/9 w", "", "a3b3 a2b2 b3a3 b2a2", Some(Color::Red)),
        ("2b2kb2/CR1ca4/R1n5N/7P1/4CN1P1/9/9/5K3/9/9 w", "", "i7h9 c7b5 h9i7 b5c7", None),
        // The elephant parries a check; the rook has attacked the horse before, with the same result.
        ("3r1k3/9/4r4/9/R2n5/9/2N6/R3B1c2/9/4K4 b", "", "e7f7 e2c0 f7e7 c0e2", None),
    ] {
        let (placement, side) = fen.split_once(' ').unwrap();
        let rows: Vec<&str> = placement.split('/').collect();
        let moves = format!("{prefix} {moves} {moves}");
        let mirror = rows.iter().map(|row| row.chars().rev().collect::<String>()).collect::<Vec<_>>().join("/");
        let swap: String = rows.iter().rev().copied().collect::<Vec<_>>().join("/").chars().map(other_side).collect();
        let to_left = |byte: u8| if byte.is_ascii_lowercase() { b'a' + b'i' - byte } else { byte };
        let to_front = |byte: u8| if byte.is_ascii_digit() { b'0' + b'9' - byte } else { byte };
        for (fen, moves, loser) in [
            (fen.to_string(), moves.clone(), loser),
            (format!("{mirror} {side}"), turned(&moves, &to_left), loser),
            (format!("{swap} {}", if side == "w" { "b" } else { "w" }), turned(&moves, &to_front), loser.map(|side| !side)),
        ] {
            let expected = Verdict::Final(loser.map_or(GameResult::Draw, GameResult::Loses));
            assert_eq!(rules(RuleSet::Chinese).verdict(&play(&fen, &moves)), expected, "{fen} {moves}");
        }
    }
}

#[test]
fn reasons_name_every_move_and_the_offence_in_both_languages() {
    let ruling = Rules::default().ruling(&rounds("4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w", "h6i6 i0h0 i6h6 h0i0", 2));
    let Cause::Repetition(repetition) = &ruling.cause else { panic!("{ruling:?}") };
    assert_eq!((repetition.first_ply, repetition.moves.len()), (1, 8));
    assert_eq!(repetition.topic.diagrams, "D32-D38 D90 D91");
    let english = ruling.lines(Language::English);
    assert_eq!(english.len(), 1 + 8 + 2 + 1);
    assert!(english[1].starts_with("1. h6i6 red rook: chase (red rook i6 on black cannon i0)"), "{}", english[1]);
    assert!(english[9].contains("Red: newly threatens to win the same piece, the black cannon i0"), "{}", english[9]);
    assert!(english[0].ends_with("the third time; rounds 1 to 4 are judged"), "{}", english[0]);
    assert!(english[2].starts_with("1... i0h0 black cannon: ") && english[8].starts_with("4... h0i0"), "{english:?}");
    let chinese = ruling.lines(Language::Chinese);
    assert_eq!(chinese.len(), english.len());
    assert!(chinese[1].starts_with("1. h6i6 红车：捉（红车(i6)对黑炮(i0)）"), "{}", chinese[1]);
    assert!(chinese[9].contains("长捉"));
    assert!(ruling.summary(Language::Chinese).starts_with("红方负"));
}

/// The rule that a ruling cites is that of its moves, under both rule sets.
#[test]
fn the_cited_rule_fits_the_moves() {
    let topic = |set, fen, moves| match rules(set).ruling(&rounds(fen, moves, 2)).cause {
        Cause::Repetition(repetition) => repetition.topic.diagrams,
        cause => panic!("{cause:?}"),
    };
    for (fen, moves, diagrams) in [
        // One check, one idle move: no attacks are mixed.
        ("5k3/9/7R1/9/9/9/9/9/9/4K4 w", "h7h9 f9f8 h9h7 f8f9", "D17"),
        // The chased horse is pinned by a rook; its leg is free.
        ("4k4/9/4n4/3R5/3N1N3/9/p8/4R4/9/3K5 w", "d6f6 a3b3 f6d6 b3a3", "D53 D64 D65"),
        // A bare horse and a rooted elephant are attacked in turn.
        ("3k5/9/4b4/9/6b1n/6R2/9/9/9/4K4 w", "g4i4 d9d8 i4g4 d8d9", "D97 D98 D106"),
        // The rook behind the capturer could take back, but is no root.
        ("2rk5/9/9/9/4p4/5R3/1R7/2n2K3/9/6c2 w", "b3c3 c2b0 c3b3 b0c2", "D39-D41 D61"),
        // Both moves chase, one of them with check.
        (CHECK_AND_TWO_VICTIMS.0, CHECK_AND_TWO_VICTIMS.1, "D76-D80"),
    ] {
        assert_eq!(topic(RuleSet::World, fen, moves), diagrams, "{fen}");
    }
    assert_eq!(topic(RuleSet::Chinese, "5k3/9/7R1/9/9/9/9/9/9/4K4 w", "h7h9 f9f8 h9h7 f8f9"), "D17");
}

/// A move that averts mate by standing on a rook's or cannon's line is a block, unless it is the king that has moved.
#[test]
fn kings_do_not_block_lines_to_themselves() {
    let block_by = |fen, moves| match Rules::default().ruling(&rounds(fen, moves, 2)).cause {
        Cause::Repetition(repetition) => {
            let blocks = repetition.moves.into_iter().filter(|report| report.is(|action| matches!(action, Action::Block(_))));
            blocks.map(|report| report.mv.to_string()).collect::<Vec<_>>()
        }
        cause => panic!("{cause:?}"),
    };
    // Diagram 99: the red cannon stands in the way of the black one.
    let cannon = block_by("4k4/3P2P1P/9/9/6b1c/5p1C1/9/9/4A4/3AK1p2 w", "h4i4 i5h5 i4h4 h5i5");
    // The king leaves the file on which the cannon threatens mate, for that of the other cannon.
    let king = block_by("4k4/4c4/9/4c4/7R1/1p7/9/2NA5/4K3n/9 w", "e1f1 e8f8 f1e1 f8e8");
    assert_eq!((cannon.len(), king), (4, Vec::<String>::new()), "{cannon:?}");
}

#[test]
fn explanations_count_victims_and_occurrences() {
    let lines = |fen, moves, times, language| Rules::default().ruling(&rounds(fen, moves, times)).lines(language);
    let (fen, moves) = CHECK_AND_TWO_VICTIMS;
    let reason = "Red: chases on every move, but not one and the same piece".to_string();
    assert!(lines(fen, moves, 2, Language::English).contains(&reason));
    // A game that goes on after its end.
    let (fen, moves) = SHUFFLE;
    for (times, start) in [(1, "the position occurs for the second time; "), (4, "the position has occurred 5 times; ")] {
        assert!(lines(fen, moves, times, Language::English)[0].starts_with(start), "{times}");
    }
    assert!(lines(fen, moves, 4, Language::Chinese)[0].starts_with("局面第5次出现，"));
}

#[test]
fn moves_are_written_in_the_given_notation() {
    let ruling = Rules::default().ruling(&rounds("4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w", "h6i6 i0h0 i6h6 h0i0", 2));
    let write = |board: &Board, mv: Move| format!("{mv} by {}", board.side_to_move());
    let lines = ruling.lines(Wording { language: Language::English, write: &write });
    assert!(lines[1].starts_with("1. h6i6 by red red rook: chase"), "{}", lines[1]);
    assert!(lines[2].starts_with("1... i0h0 by black black cannon"), "{}", lines[2]);
}

/// Explanations mention only what the rule set forbids: the condition of a single victim applies to the World rules alone.
#[test]
fn explanations_depend_on_the_rule_set() {
    let loop_of_chases = ("4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w", "h6i6 i0h0 i6h6 h0i0");
    let text = |set| rules(set).ruling(&rounds(loop_of_chases.0, loop_of_chases.1, 2)).lines(Language::English)[9].clone();
    assert_eq!(text(RuleSet::Simple), "Red: gives no check, and only perpetual check is forbidden");
    assert!(text(RuleSet::World).contains("the same piece"));
    assert_eq!(text(RuleSet::Chinese), "Red: checks, kills or chases on every move: perpetual attack");
    assert_eq!(text(RuleSet::AlwaysDraw), "Red: may repeat: no repetition is forbidden");
}

/// The diagrams cited in a ruling belong to the World rules; the manual does not cover other rule sets.
#[test]
fn only_world_rulings_cite_diagrams() {
    // With so few pieces Black threatens nothing, so all rule sets see only the checks.
    let game = rounds("5k3/7R1/9/9/9/9/9/9/9/4K4 w", PERPETUAL_CHECK.1, 2);
    let text = |set, language| rules(set).ruling(&game).summary(language);
    assert!(text(RuleSet::World, Language::English).ends_with("(World Xiangqi Rules, diagrams D1-D3)"));
    for set in [RuleSet::Chinese, RuleSet::Simple] {
        assert_eq!(text(set, Language::English), "Red loses: rule: perpetual check loses");
        assert_eq!(text(set, Language::Chinese), "红方负：规则：单方长将，作负");
    }
    assert_eq!(text(RuleSet::AlwaysDraw, Language::English), "draw: rule: every repetition is a draw");
}

#[test]
fn draws_may_count_as_wins() {
    let harmless = rounds(SHUFFLE.0, SHUFFLE.1, 2);
    let natural = play(&format!("{} - - 120 90", SHUFFLE.0), "");
    let check = rounds(PERPETUAL_CHECK.0, PERPETUAL_CHECK.1, 2);
    for (draws, repeated, limit) in [
        (Draws::Nobody, GameResult::Draw, GameResult::Draw),
        (Draws::All(Color::Black), GameResult::Loses(Color::Red), GameResult::Loses(Color::Red)),
        (Draws::All(Color::Red), GameResult::Loses(Color::Black), GameResult::Loses(Color::Black)),
        (Draws::ByRepetition(Color::Red), GameResult::Loses(Color::Black), GameResult::Draw),
    ] {
        let rules = Rules { draws, ..Rules::default() };
        assert_eq!(rules.verdict(&harmless), Verdict::Final(repeated), "{draws:?}");
        assert_eq!(rules.verdict(&natural), Verdict::Final(limit), "{draws:?}");
        assert_eq!(rules.outlook(&natural, 0), Outlook::Over(limit), "{draws:?}");
        assert_eq!(rules.verdict(&check), Verdict::Final(GameResult::Loses(Color::Red)), "{draws:?}");
    }
    let rules = Rules { draws: Draws::All(Color::Black), ..Rules::default() };
    let last_reason = |position: &Position| rules.ruling(position).lines(Language::English).pop();
    for position in [&harmless, &rounds(SHUFFLE.0, SHUFFLE.1, 1), &natural] {
        assert_eq!(last_reason(position).as_deref(), Some("draws count as wins for Black"));
    }
    assert!(last_reason(&check).is_some_and(|reason| reason.starts_with("rule: perpetual check loses")));
    assert!(rules.ruling(&natural).summary(Language::English).starts_with("Red loses: natural limit: 120 plies"));
}
