//! The topics of the World Xiangqi Rules manual (docs/src/rules/world.md#s5): the ruling that applies to a repetition, with the
//! numbers of its diagrams. A topic never decides a result; it is a reference for the reader.

use super::actions::{Action, MoveReport};
use super::offences::Offence;
use super::threats::{Attack, Harmless};
use crate::board::Board;
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// A ruling of the manual.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Cause, Rules};
/// use xiangqi::types::Move;
///
/// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
/// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
///     game.make(Move::from_uci(text)?);
/// }
/// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
/// assert_eq!((repetition.topic.english, repetition.topic.diagrams), ("perpetual check loses", "D1-D3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(PartialEq, Eq, Debug)]
pub struct Topic {
    /// The ruling in English.
    pub english: &'static str,
    /// The ruling in Chinese.
    pub chinese: &'static str,
    /// The diagram numbers, such as `D1-D3`; empty if there are none.
    pub diagrams: &'static str,
}

macro_rules! topics {
    ($($name:ident: $english:literal, $chinese:literal, $diagrams:literal;)*) => {
        $(pub(super) static $name: Topic = Topic { english: $english, chinese: $chinese, diagrams: $diagrams };)*
    };
}

topics! {
    PERPETUAL_CHECK: "perpetual check loses", "单方长将，作负", "D1-D3";
    MUTUAL_CHECK: "both sides check on every move: draw", "双方长将，作和", "D4";
    CHECK_AGAINST_CHECKS: "one side checks on every move, the other only on some: the former loses", "一方长将，一方间有将军，长将方作负", "D5";
    KILL: "perpetual kill is allowed: draw", "单方长杀，作和", "D6-D9";
    MUTUAL_KILL: "kill is answered by kill: draw", "双方互杀，作和", "D10";
    CHECK_AND_KILL: "one check, one kill: draw", "一将一杀，作和", "D11";
    CHECK_AND_CHASE: "one check, one chase: draw", "一将一捉，作和", "D12-D13";
    CHECK_AND_OTHERS: "checks mixed with other threats: draw", "将、杀、捉交替，作和", "D14-D17";
    CHECK_AND_MOVES: "checks alternate with moves that do not attack: draw", "将与闲着交替，作和", "D17";
    CANNON_ON_ROOK: "cannons chase a rook, rooted or not: the chaser loses", "炮长捉车，不论有根无根，作负", "D18-D25";
    CANNON_ON_ROOKS: "cannons attack two rooks in turn: draw", "炮轮捉两车，作和", "D26-D28";
    HORSE_ON_ROOK: "a horse chases a rook: the chaser loses", "马长捉车，作负", "D93-D95";
    SEVERAL_ON_ROOK: "several pieces take turns against one rook: the chaser loses", "数子轮捉一车，作负", "D24 D25 D45 D96";
    SCREEN_ON_ROOK: "screen play against a rook: the chaser loses", "以炮架长捉车，作负", "D21 D61 D62";
    SMALL_ON_BETTER: "an advisor or elephant chases a better piece: the chaser loses", "士象长捉强子，作负", "";
    ROOTED: "the attacked piece is rooted, always or on one of its squares: draw", "所捉之子有真根，作和", "D29-D31 D54 D66 D86-D89";
    ROOK_ON_CANNON: "a rook chases an unrooted cannon: the chaser loses", "车长捉无根炮，作负", "D32-D38 D90 D91";
    TIED_BY_HORSE: "chasing a rook that is tied by a horse: the chaser loses", "长捉被马牵制之车，作负", "D39-D41";
    TIED_ROOK_THREATENS_NOTHING: "a tied piece threatens nothing off its line: draw", "被牵制之子离线无捉，作和", "D63";
    TIED_VICTIM: "an equal piece that may not take back is chased: the chaser loses", "长捉无反捉能力的同类子，作负", "D53 D64 D65";
    BLOCKED_HORSE: "a horse chases a horse whose way back is blocked: the chaser loses", "马长捉蹩腿之马，作负", "D55";
    HORSE_CHASED: "an unrooted horse is chased: the chaser loses", "长捉无根马，作负", "D42-D44 D46 D49 D50";
    MUTUAL_CHASE: "both sides chase: draw", "双方互捉，作和", "D48 D107";
    EXCHANGE: "equal pieces that can take each other: an offer, draw", "同类子互可吃，为兑，作和", "D51 D52 D101 D103";
    SCREEN_ON_OTHER_PIECES: "the cannon stands still and its screens move: the chaser loses", "炮不动而动炮架长捉，作负", "D56-D59";
    HOME_PAWN: "a pawn that has not crossed the river may be attacked: draw", "长捉未过河兵卒，作和", "D60";
    KING_OR_PAWN: "king and pawns may attack forever: draw", "帅(将)、兵(卒)长捉，作和", "D67-D70";
    UNCOVERED_BY_KING_OR_PAWN: "moves of king or pawn uncover threats by other pieces: the chaser loses", "帅兵走动，他子长捉，作负", "D71-D75 D105";
    PAWN_CHASED: "a pawn over the river is chased: the chaser loses", "长捉过河兵卒，作负", "D59 D73 D77 D82";
    VICTIMS_IN_TURN: "two or more pieces are attacked in turn: draw", "轮捉两子或多子，作和", "D76-D80";
    SEVERAL_ON_ONE: "several pieces chase one: the chaser loses", "数子轮捉一子，作负", "D47 D81 D82 D92";
    FALSE_ROOT: "the root cannot take back: the chaser loses", "所捉之子为假根，作负", "D83-D85 D108-D110";
    HIDDEN_ROOT: "a root that protects only through the capturer does not count: the chaser loses", "根子隔在捉子之后，不算有根，作负", "D39-D41 D61";
    BARE_PIECE: "an unrooted piece is chased: the chaser loses", "长捉无根子，作负", "D46 D47";
    BLOCK: "perpetual block is allowed: draw", "长拦，作和", "D99 D100";
    OFFER: "perpetual offer is allowed: draw", "长献，作和", "D101-D104";
    IDLE: "neither side breaks a rule: draw", "双方均未犯例，作和", "D97 D98 D106";
    CHINESE_ATTACK: "Chinese rules: an unbroken series of checks, kills and chases must be varied", "中国规则：长打方变着，不变作负", "";
    CHINESE_MUTUAL: "Chinese rules: both sides attack, draw", "中国规则：双方长打，不变作和", "";
    CHINESE_CHECK: "Chinese rules: perpetual check loses to other perpetual attacks", "中国规则：长将对其他长打，长将方作负", "";
    NOTHING_FORBIDDEN: "every repetition is a draw", "任何循环均作和", "";
    NO_CHECK: "only perpetual check is forbidden: draw", "仅禁长将，作和", "";
}

impl Topic {
    /// The topic of a loop with these offences. `allowed` is the topic of loops without an offence, if the rule set has only one.
    pub(super) fn of(
        allowed: Option<&'static Topic>,
        offences: &[Offence; 2],
        moves: &[MoveReport],
        boards: &[&Board],
    ) -> &'static Topic {
        let other_checks = |side: Color| moves.iter().any(|report| report.piece.color() != side && report.is_check());
        let side = if offences[0].level() > offences[1].level() { Color::Red } else { Color::Black };
        let (worse, milder) = (&offences[side.index()], &offences[(!side).index()]);
        match (worse, milder) {
            (Offence::PerpetualCheck, Offence::PerpetualCheck) => &MUTUAL_CHECK,
            (Offence::PerpetualCheck, Offence::PerpetualAttack) => &CHINESE_CHECK,
            (Offence::PerpetualCheck, Offence::None) if other_checks(side) => &CHECK_AGAINST_CHECKS,
            (Offence::PerpetualCheck, _) => &PERPETUAL_CHECK,
            (Offence::PerpetualAttack, Offence::None) => &CHINESE_ATTACK,
            (Offence::PerpetualAttack, _) => &CHINESE_MUTUAL,
            (Offence::PerpetualChase(_), Offence::PerpetualChase(_)) => &MUTUAL_CHASE,
            (Offence::PerpetualChase(chase), _) => chase_topic(&Chased::of(side, chase.slot, moves, boards)),
            (Offence::None, _) => allowed.unwrap_or_else(|| allowed_topic(moves)),
        }
    }
}

/// The chase of one piece in a loop.
struct Chased<'a> {
    /// The threats, each with the position after the move and whether the attacker itself moved.
    threats: Vec<(Attack, &'a Board, bool)>,
    /// Slots of the attackers.
    attackers: Vec<usize>,
    only_king_or_pawn_moved: bool,
}

impl<'a> Chased<'a> {
    fn of(side: Color, victim: usize, moves: &[MoveReport], boards: &[&'a Board]) -> Chased<'a> {
        let own = || moves.iter().zip(boards.iter().skip(1)).filter(|(report, _)| report.piece.color() == side);
        let threats: Vec<(Attack, &Board, bool)> = own()
            .flat_map(|(report, &after)| {
                let on_victim = report.chases().iter().filter(move |attack| after.slot_on(attack.at) == Some(victim));
                on_victim.map(move |attack| (*attack, after, attack.from == report.mv.to()))
            })
            .collect();
        let mut attackers: Vec<usize> = threats.iter().filter_map(|(attack, board, _)| board.slot_on(attack.from)).collect();
        attackers.sort_unstable();
        attackers.dedup();
        let light = |kind| matches!(kind, PieceType::King | PieceType::Pawn);
        Chased { threats, attackers, only_king_or_pawn_moved: own().all(|(report, _)| light(report.piece.kind())) }
    }

    fn any(&self, test: impl Fn(&Attack, &Board) -> bool) -> bool {
        self.threats.iter().any(|(attack, board, _)| test(attack, board))
    }

    /// Whether a piece of this kind is among the attackers on every move.
    fn by(&self, kind: PieceType) -> bool {
        self.threats.iter().all(|(_, board, _)| {
            self.threats.iter().any(|(attack, other, _)| std::ptr::eq(*other, *board) && attack.attacker.kind() == kind)
        })
    }
}

/// Whether the victim is on the leg of a horse that would otherwise give check.
fn is_leg_of_checking_horse(attack: &Attack, board: &Board) -> bool {
    let without = board.occupied().without(attack.at);
    let king = board.king(attack.victim.color());
    board.color(attack.attacker.color()).into_iter().any(|from| {
        board.piece_on(from).is_some_and(|piece| piece.kind() == PieceType::Horse)
            && board.moves_from(from, without).has(king)
            && !board.attacks_from(from).has(king)
    })
}

/// The topic of a perpetual chase of one piece.
fn chase_topic(chased: &Chased) -> &'static Topic {
    let Some((first, _, _)) = chased.threats.first() else { return &BARE_PIECE };
    let victim = first.victim.kind();
    let mover_never_attacks = chased.threats.iter().all(|(_, _, by_mover)| !by_mover);
    let equal = chased.any(|attack, _| attack.attacker.kind() == attack.victim.kind());
    let small = |kind| matches!(kind, PieceType::Advisor | PieceType::Elephant);
    match victim {
        PieceType::Rook if chased.any(is_leg_of_checking_horse) => &TIED_BY_HORSE,
        _ if equal && chased.any(|attack, board| board.attacks_from(attack.at).has(attack.from)) => &TIED_VICTIM,
        PieceType::Horse if equal && chased.by(PieceType::Horse) => &BLOCKED_HORSE,
        _ if chased.only_king_or_pawn_moved => &UNCOVERED_BY_KING_OR_PAWN,
        PieceType::Rook if chased.by(PieceType::Cannon) && mover_never_attacks => &SCREEN_ON_ROOK,
        PieceType::Rook if chased.by(PieceType::Cannon) => &CANNON_ON_ROOK,
        PieceType::Rook if chased.by(PieceType::Horse) => &HORSE_ON_ROOK,
        PieceType::Rook if chased.any(|attack, _| small(attack.attacker.kind())) => &SMALL_ON_BETTER,
        PieceType::Rook => &SEVERAL_ON_ROOK,
        PieceType::Cannon | PieceType::Horse if chased.any(|attack, _| small(attack.attacker.kind())) => &SMALL_ON_BETTER,
        _ if chased.any(has_false_root) => &FALSE_ROOT,
        _ if chased.any(|attack, board| !hidden_roots(attack, board).is_empty()) => &HIDDEN_ROOT,
        _ if chased.by(PieceType::Cannon) && mover_never_attacks => &SCREEN_ON_OTHER_PIECES,
        PieceType::Pawn => &PAWN_CHASED,
        _ if chased.attackers.len() > 1 => &SEVERAL_ON_ONE,
        PieceType::Cannon if chased.by(PieceType::Rook) => &ROOK_ON_CANNON,
        PieceType::Horse => &HORSE_CHASED,
        _ => &BARE_PIECE,
    }
}

/// Whether the victim appears to be protected by a piece that cannot take back; since it is being chased, no protector can but those of
/// [`hidden_roots`].
fn has_false_root(attack: &Attack, board: &Board) -> bool {
    !(guards(attack, board) | takers(attack, board) & !hidden_roots(attack, board)).is_empty()
}

/// The rooks and cannons that attack the victim's point only once the capturer has left their line. They could take back, but are no roots
/// (docs/src/rules/world.md#s4-2, clause 6).
fn hidden_roots(attack: &Attack, board: &Board) -> Bitboard {
    let slides = |root: &Square| matches!(board.piece_on(*root).map(Piece::kind), Some(PieceType::Rook | PieceType::Cannon));
    (takers(attack, board) & !guards(attack, board)).into_iter().filter(slides).collect()
}

/// The pieces of the victim's side that attack its point.
fn guards(attack: &Attack, board: &Board) -> Bitboard {
    board.attackers_of(attack.victim.color(), attack.at, board.occupied())
}

/// The pieces of the victim's side that attack its point after the capture.
fn takers(attack: &Attack, board: &Board) -> Bitboard {
    board.attackers_of(attack.victim.color(), attack.at, board.occupied().without(attack.from))
}

/// The topic of a loop without an offence: the first that fits either side.
fn allowed_topic(moves: &[MoveReport]) -> &'static Topic {
    let of = |side: Color| moves.iter().filter(move |report| report.piece.color() == side);
    let each = |side: Color, test: &dyn Fn(&MoveReport) -> bool| of(side).all(test);
    let either = |test: &dyn Fn(&MoveReport) -> bool| Color::ALL.into_iter().any(|side| each(side, test));
    let some_of = |side: Color, test: &dyn Fn(&MoveReport) -> bool| of(side).any(test);
    let check: &dyn Fn(&MoveReport) -> bool = &|report| report.is_check();
    let kill: &dyn Fn(&MoveReport) -> bool = &|report| report.is(|action| *action == Action::Kill);
    let chase: &dyn Fn(&MoveReport) -> bool = &|report| !report.chases().is_empty();
    let harmless = |wanted: fn(&Harmless) -> bool| {
        move |report: &MoveReport| {
            report.harmless.iter().any(|(attack, why)| wanted(why) && attack.victim.kind() != PieceType::King)
        }
    };
    // Slots of the pieces that a move chases or would chase if they were not rooted; they stand where they stood before it.
    let attacked = |report: &MoveReport| -> u32 {
        let rooted = report.harmless.iter().filter(|(_, why)| matches!(why, Harmless::Rooted(_) | Harmless::NoGain));
        let victims = report.chases().iter().chain(rooted.map(|(attack, _)| attack));
        let victims = victims.filter(|attack| attack.victim.kind() != PieceType::King);
        victims.filter_map(|attack| report.before.slot_on(attack.at)).fold(0, |set, slot| set | 1 << slot)
    };
    let attacks_one_piece = |side: Color| of(side).fold(u32::MAX, |set, report| set & attacked(report)) != 0;
    let light: &dyn Fn(&MoveReport) -> bool = &harmless(|why| *why == Harmless::ByKingOrPawn);
    let home_pawn: &dyn Fn(&MoveReport) -> bool = &harmless(|why| *why == Harmless::OnHomePawn);
    let tied: &dyn Fn(&MoveReport) -> bool = &harmless(|why| *why == Harmless::AttackerTied);
    // If every move is a chase, the checks among them don't break the series: only the change of victims does.
    let mixed = |first: &dyn Fn(&MoveReport) -> bool, second: &dyn Fn(&MoveReport) -> bool| {
        Color::ALL.into_iter().any(|side| {
            !each(side, chase)
                && each(side, &|report| first(report) || second(report))
                && some_of(side, first)
                && some_of(side, second)
        })
    };
    let on_rooks = |report: &MoveReport| {
        report.chases().iter().any(|a| a.attacker.kind() == PieceType::Cannon && a.victim.kind() == PieceType::Rook)
    };
    let exchange = |report: &MoveReport| report.is(|action| matches!(action, Action::Exchange(_)));
    let topics: [(bool, &'static Topic); 17] = [
        (Color::ALL.into_iter().all(|side| each(side, chase)), &MUTUAL_CHASE),
        (mixed(check, kill), &CHECK_AND_KILL),
        (mixed(check, chase), &CHECK_AND_CHASE),
        (mixed(check, &|report| kill(report) || chase(report)), &CHECK_AND_OTHERS),
        (either(&on_rooks), &CANNON_ON_ROOKS),
        (either(chase), &VICTIMS_IN_TURN),
        (either(&exchange), &EXCHANGE),
        (Color::ALL.into_iter().any(attacks_one_piece), &ROOTED),
        (Color::ALL.into_iter().all(|side| each(side, kill)), &MUTUAL_KILL),
        (either(kill), &KILL),
        (either(light), &KING_OR_PAWN),
        (either(home_pawn), &HOME_PAWN),
        (either(tied), &TIED_ROOK_THREATENS_NOTHING),
        (either(&|report| report.is(|action| *action == Action::Offer)), &OFFER),
        (either(&|report| report.is(|action| matches!(action, Action::Block(_)))), &BLOCK),
        (mixed(check, &|report| !check(report)), &CHECK_AND_MOVES),
        (true, &IDLE),
    ];
    topics.into_iter().find(|(fits, _)| *fits).map_or(&IDLE, |(_, topic)| topic)
}
