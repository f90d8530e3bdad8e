//! Computes, with the very types that read them, the attack tables of the board, the aHash value of every feature of the
//! position key, and the opening book that the program carries; finds the evaluation network that `EVALFILE` names. Fetches
//! nothing and writes nothing outside Cargo's output folder.

#[allow(dead_code)]
#[path = "src/book/compile.rs"]
mod compile;
#[allow(dead_code)]
#[path = "src/book/encode.rs"]
mod encode;
#[path = "src/book/mailbox.rs"]
mod mailbox;
#[allow(dead_code)]
#[path = "src/book/referee.rs"]
mod referee;
#[allow(dead_code)]
#[path = "src/book/text.rs"]
mod text;
#[allow(dead_code, unused_imports)]
#[path = "src/types/mod.rs"]
mod types;
#[allow(dead_code)]
#[path = "src/board/window.rs"]
mod window;
#[allow(dead_code)]
#[path = "src/book/wxf.rs"]
mod wxf;

use std::fmt::Write as _;
use std::path::Path;
use types::{Color, FILES, Piece, RANKS, SQUARES, Square};
use window::CENTRE;

/// Row and column count of the tables that are indexed by the place of a piece: the ninety points, the place of captured
/// pieces, whose entries are empty, and padding, so that a byte is always a valid index.
const PLACES: usize = 256;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/types");
    println!("cargo:rerun-if-changed=src/board/feature_keys.txt");
    println!("cargo:rerun-if-changed=src/board/window.rs");
    println!("cargo:rerun-if-changed=src/book");
    println!("cargo:rerun-if-changed=book");
    let out = std::env::var("OUT_DIR").expect("cargo names the output folder");
    let mut text = String::new();
    sliders(&mut text);
    leapers(&mut text);
    lines(&mut text);
    write(&out, "attack_tables.rs", text);
    write(&out, "feature_keys.rs", feature_keys());
    embed_network();
    write(&out, "book.bin", book().unwrap_or_else(|error| fail(&error)));
}

/// Tells the library where the network lies that the environment variable `EVALFILE` asks for in place of the pinned one. See
/// `src/nnue/embedded.rs`, which checks it.
fn embed_network() {
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rustc-check-cfg=cfg(evalfile)");
    let Some(asked) = std::env::var_os("EVALFILE").filter(|path| !path.is_empty()) else { return };
    let path = std::path::absolute(&asked).unwrap_or_else(|error| fail(&format!("EVALFILE: {error}")));
    if let Err(error) = std::fs::File::open(&path) {
        fail(&format!("EVALFILE: {}: {error}", path.display()));
    }
    println!("cargo:rerun-if-changed={}", path.display());
    println!("cargo:rustc-env=CHUHE_EVALFILE={}", path.display());
    println!("cargo:rustc-cfg=evalfile");
}

/// Ends the build with a line that names the place of the fault.
fn fail(error: &str) -> ! {
    eprintln!("{error}");
    println!("cargo:error={error}");
    std::process::exit(1);
}

/// Compiles the sources of the opening book, in the order of their names.
fn book() -> Result<Vec<u8>, String> {
    let entries = std::fs::read_dir("book").map_err(|error| format!("book: {error}"))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "wxf"));
    paths.sort();
    let mut compiler = compile::Compiler::<mailbox::Mailbox>::new()?;
    for path in paths {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        compiler.read(&name, &text).map_err(|error| error.to_string())?;
    }
    Ok(compiler.finish()?.to_bytes())
}

fn write(folder: &str, name: &str, text: impl AsRef<[u8]>) {
    std::fs::write(Path::new(folder).join(name), text).expect("the output folder can be written");
}

/// Writes a static array of any depth; `values` is its initialiser as Rust prints it.
fn table(text: &mut String, name: &str, kind: &str, values: &impl std::fmt::Debug) {
    writeln!(text, "pub(super) static {name}: {kind} = {values:?};").expect("strings take all text");
}

/// Rook and cannon goals along one line. The cannon's hold its quiet goals and its captures at once: on an empty point it
/// can only be the one, on an occupied point only the other.
fn line_goals(length: usize, at: usize, occupied: usize) -> (u16, u16) {
    let (mut rook, mut cannon) = (0u16, 0u16);
    for step in [-1i32, 1] {
        let mut screens = 0;
        let mut place = at as i32 + step;
        while (0..length as i32).contains(&place) {
            let bit = 1u16 << place;
            let taken = occupied >> place & 1 != 0;
            if screens == 0 {
                rook |= bit;
            }
            if (screens == 0 && !taken) || (screens == 1 && taken) {
                cannon |= bit;
            }
            screens += taken as u32;
            place += step;
        }
    }
    (rook, cannon)
}

fn sliders(text: &mut String) {
    for (name, length) in [("RANK", FILES), ("FILE", RANKS)] {
        // Rows one behind the other; behind the last one of the places on the line is the row of captured pieces, and padding.
        let size = 1 << length;
        let goals = |at: usize, occupied| if at < length { line_goals(length, at, occupied) } else { (0, 0) };
        let (rook, cannon): (Vec<u16>, Vec<u16>) = (0..16 * size).map(|i| goals(i / size, i % size)).unzip();
        let kind = format!("[u16; {}]", 16 * size);
        table(text, &format!("ROOK_{name}"), &kind, &rook);
        table(text, &format!("CANNON_{name}"), &kind, &cannon);
    }
    let spread: Vec<u128> =
        (0..1usize << RANKS).map(|mask| (0..RANKS).filter(|r| mask >> r & 1 != 0).map(|r| 1u128 << (r * FILES)).sum()).collect();
    table(text, "FILE_SPREAD", "[u128; 1024]", &spread);
    // The goals in a mask one after another, as the part they add to a move: `goal << 7`.
    for (name, bits, stride) in [("RANK", FILES, 1), ("FILE", RANKS / 2, FILES)] {
        let lists: Vec<[u16; 8]> = (0..1usize << bits)
            .map(|mask| {
                let mut list = [0; 8];
                let goals = (0..bits).filter(|b| mask >> b & 1 != 0);
                list.iter_mut().zip(goals).for_each(|(slot, b)| *slot = ((b * stride) << 7) as u16);
                list
            })
            .collect();
        table(text, &format!("{name}_GOALS"), &format!("[[u16; 8]; {}]", 1 << bits), &lists);
    }
}

fn in_palace(square: Square, color: Color) -> bool {
    let rank = if color == Color::Red { square.rank() } else { 9 - square.rank() };
    (3..=5).contains(&square.file()) && rank <= 2
}

fn advisor_point(square: Square, color: Color) -> bool {
    in_palace(square, color) && (square.file() + if color == Color::Red { square.rank() } else { 9 - square.rank() }) % 2 == 1
}

fn elephant_point(square: Square, color: Color) -> bool {
    let rank = if color == Color::Red { square.rank() } else { 9 - square.rank() };
    matches!((square.file(), rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2))
}

fn pawn_point(square: Square, color: Color) -> bool {
    let rank = if color == Color::Red { square.rank() } else { 9 - square.rank() };
    rank >= 5 || (rank >= 3 && square.file().is_multiple_of(2))
}

fn window_bit(from: Square, to: Square) -> u64 {
    1 << (CENTRE as i32 + to.index() as i32 - from.index() as i32)
}

/// The window of the points at these steps, kept where `keep` agrees.
fn steps(from: Square, steps: &[(i32, i32)], keep: impl Fn(Square) -> bool) -> u64 {
    steps.iter().filter_map(|&(f, r)| from.offset(f, r)).filter(|&to| keep(to)).map(|to| window_bit(from, to)).sum()
}

const ORTHOGONAL: [(i32, i32); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// The bit of a step in the window around any point.
fn step_bit((file, rank): (i32, i32)) -> u64 {
    1 << (CENTRE as i32 + rank * FILES as i32 + file)
}

/// All combinations of the points of a mask.
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let subset = next?;
        let following = subset.wrapping_sub(mask) & mask;
        next = (following != 0).then_some(following);
        Some(subset)
    })
}

/// A row of a table with one entry for each combination of the points of an index: `of` of that combination.
fn indexed<const BITS: u32, T: Clone + Default>(index: &window::Index<BITS>, of: impl Fn(u64) -> T) -> Vec<T> {
    let mut row = vec![T::default(); 1 << BITS];
    let mut seen = vec![false; 1 << BITS];
    for subset in subsets(index.mask) {
        let at = index.of(subset);
        assert!(!std::mem::replace(&mut seen[at], true), "two combinations of points have index {at}");
        row[at] = of(subset);
    }
    row
}

/// For each combination of goals: what each adds to the move that stays where it is, one after another.
fn step_lists<const BITS: u32>(text: &mut String, name: &str, index: &window::Index<BITS>) {
    let lists = indexed(index, |goals| {
        let mut list = [0u16; 8];
        let goals = (0..64).filter(|bit| goals >> bit & 1 != 0);
        list.iter_mut().zip(goals).for_each(|(slot, bit)| *slot = ((bit - CENTRE as i32) << 7) as u16);
        list
    });
    table(text, name, &format!("[[u16; 8]; {}]", 1 << BITS), &lists);
}

fn horse_goals((leg_file, leg_rank): (i32, i32)) -> [(i32, i32); 2] {
    if leg_file == 0 { [(-1, 2 * leg_rank), (1, 2 * leg_rank)] } else { [(2 * leg_file, -1), (2 * leg_file, 1)] }
}

fn leapers(text: &mut String) {
    let of = |place: usize| Square::new(place);
    let per_place = |f: &dyn Fn(Square) -> u64| (0..PLACES).map(|p| of(p).map_or(0, f)).collect::<Vec<u64>>();
    // One row a place, one entry for each combination of blocked neighbours; `goals` are those beyond a free neighbour.
    let beyond = |index: &window::Index<4>, neighbours: [(i32, i32); 4], goals: &dyn Fn(Square, (i32, i32)) -> u64| {
        let row = |from: Square| {
            indexed(index, |blocked| {
                neighbours.iter().filter(|&&n| blocked & step_bit(n) == 0).map(|&n| goals(from, n)).sum::<u64>()
            })
        };
        (0..PLACES).map(|place| of(place).map_or(vec![0; 16], row)).collect::<Vec<Vec<u64>>>()
    };
    let kind = "[[u64; 16]; 256]";
    let horse = beyond(&window::ORTHOGONAL, ORTHOGONAL, &|from, leg| steps(from, &horse_goals(leg), |_| true));
    table(text, "HORSE", kind, &horse);
    // Seen from the goal the legs of the horses that reach it are its four diagonal neighbours.
    let reverse = beyond(&window::DIAGONAL, DIAGONAL, &|goal, (f, r)| steps(goal, &[(2 * f, r), (f, 2 * r)], |_| true));
    table(text, "HORSE_REVERSE", kind, &reverse);
    let elephant = beyond(&window::DIAGONAL, DIAGONAL, &|from, (f, r)| {
        steps(from, &[(2 * f, 2 * r)], |to| Color::ALL.iter().any(|&c| elephant_point(from, c) && elephant_point(to, c)))
    });
    table(text, "ELEPHANT", kind, &elephant);
    step_lists(text, "ORTHOGONAL_STEPS", &window::ORTHOGONAL);
    step_lists(text, "DIAGONAL_STEPS", &window::DIAGONAL);
    step_lists(text, "ELEPHANT_STEPS", &window::ELEPHANT);
    step_lists(text, "HORSE_STEPS", &window::HORSE);
    let same_palace = |from, to| Color::ALL.iter().any(|&c| in_palace(from, c) && in_palace(to, c));
    table(text, "KING", "[u64; 256]", &per_place(&|from| steps(from, &ORTHOGONAL, |to| same_palace(from, to))));
    let advisor = |from| steps(from, &DIAGONAL, |to| Color::ALL.iter().any(|&c| advisor_point(from, c) && advisor_point(to, c)));
    table(text, "ADVISOR", "[u64; 256]", &per_place(&advisor));
    let pawn: Vec<Vec<u64>> = Color::ALL
        .iter()
        .map(|&color| {
            let ahead = if color == Color::Red { 1 } else { -1 };
            per_place(&|from| {
                let crossed = if color == Color::Red { from.rank() >= 5 } else { from.rank() <= 4 };
                let side: &[(i32, i32)] = if crossed { &[(-1, 0), (1, 0), (0, ahead)] } else { &[(0, ahead)] };
                steps(from, side, |_| true)
            })
        })
        .collect();
    table(text, "PAWN", "[[u64; 256]; 2]", &pawn);
    let zones: Vec<Vec<u128>> = Color::ALL
        .iter()
        .map(|&c| {
            let set = |f: &dyn Fn(Square) -> bool| Square::all().filter(|&s| f(s)).map(|s| 1u128 << s.index()).sum();
            let all = (1u128 << SQUARES) - 1;
            vec![
                set(&|s| in_palace(s, c)),
                set(&|s| advisor_point(s, c)),
                set(&|s| elephant_point(s, c)),
                all,
                all,
                all,
                set(&|s| pawn_point(s, c)),
            ]
        })
        .collect();
    table(text, "ZONES", "[[u128; 7]; 2]", &zones);
}

/// Number 0 to 8 of a palace point.
fn palace_number(square: Square) -> usize {
    let rank = if square.rank() <= 2 { square.rank() } else { square.rank() - 7 };
    rank as usize * 3 + square.file() as usize - 3
}

/// The points strictly between two points of one line; nothing for other pairs.
fn between(a: Square, b: Square) -> u128 {
    let (files, ranks) = (b.file() as i32 - a.file() as i32, b.rank() as i32 - a.rank() as i32);
    if (files != 0) == (ranks != 0) {
        return 0;
    }
    let (file, rank) = (files.signum(), ranks.signum());
    let count = files.abs().max(ranks.abs());
    (1..count).filter_map(|n| a.offset(file * n, rank * n)).map(|s| 1u128 << s.index()).sum()
}

fn lines(text: &mut String) {
    let squares = || (0..PLACES).map(Square::new);
    let rows: Vec<Vec<u128>> = Square::all().map(|a| squares().map(|b| b.map_or(0, |b| between(a, b))).collect()).collect();
    table(text, "BETWEEN", "[[u128; 256]; 90]", &rows);
    // For each place of a piece of the other side: which points of this side's palace it could attack, whatever stands between.
    let reach = |palace: Color, hits: &dyn Fn(Square, Square) -> bool| -> Vec<u16> {
        let points: Vec<Square> = Square::all().filter(|&s| in_palace(s, palace)).collect();
        let mask = |at: Square| points.iter().filter(|&&p| hits(at, p)).map(|&p| 1 << palace_number(p)).sum();
        squares().map(|s| s.map_or(0, mask)).collect()
    };
    let both = |hits: &dyn Fn(Color, Square, Square) -> bool| {
        Color::ALL.iter().map(|&palace| reach(palace, &|a, b| hits(palace, a, b))).collect::<Vec<_>>()
    };
    let kind = "[[u16; 256]; 2]";
    table(text, "LINE_REACH", kind, &both(&|_, a, b| a != b && (a.file() == b.file() || a.rank() == b.rank())));
    table(
        text,
        "FILE_REACH",
        kind,
        &both(&|palace, a, b| a.file() == b.file() && in_palace(a, if palace == Color::Red { Color::Black } else { Color::Red })),
    );
    let distance = |a: Square, b: Square| (a.file().abs_diff(b.file()), a.rank().abs_diff(b.rank()));
    table(text, "HORSE_REACH", kind, &both(&|_, a, b| matches!(distance(a, b), (1, 2) | (2, 1))));
    let pawn_hits = |palace: Color, a: Square, b: Square| match (palace, distance(a, b)) {
        (Color::Red, (0, 1)) => a.rank() == b.rank() + 1,
        (Color::Black, (0, 1)) => a.rank() + 1 == b.rank(),
        (_, (1, 0)) => true,
        _ => false,
    };
    table(text, "PAWN_REACH", kind, &both(&pawn_hits));
    // The leg of a horse on its way from the second point to the first; 90 where no horse goes that way.
    let leg = |goal: Square, from: Square| {
        let (f, r) = (goal.file() as i32 - from.file() as i32, goal.rank() as i32 - from.rank() as i32);
        let leg = match (f.abs(), r.abs()) {
            (1, 2) => from.offset(0, r.signum()),
            (2, 1) => from.offset(f.signum(), 0),
            _ => None,
        };
        leg.map_or(SQUARES as u8, |s| s.index() as u8)
    };
    let legs: Vec<Vec<u8>> =
        Square::all().map(|goal| squares().map(|from| from.map_or(SQUARES as u8, |from| leg(goal, from))).collect()).collect();
    table(text, "HORSE_LEG", "[[u8; 256]; 90]", &legs);
}

/// The keys of the features: 14 pieces by 90 points, and the side to move last.
///
/// aHash takes a different road where the compiler may use AES instructions. The keys must be the same everywhere, so such
/// a build (`-C target-cpu=native`) takes the committed list instead; every other build computes them and demands that
/// they equal the list.
fn feature_keys() -> String {
    let committed: Vec<u64> = include_str!("src/board/feature_keys.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| u64::from_str_radix(line.trim(), 16).expect("feature_keys.txt holds one hexadecimal number a line"))
        .collect();
    assert_eq!(committed.len(), Piece::COUNT * SQUARES + 1, "feature_keys.txt has a wrong number of keys");
    if !cfg!(target_feature = "aes") {
        let hasher = ahash::RandomState::with_seeds(0x63_6875_6865, 0x695a_9e0e, 0x6c49_8c0c, 2026);
        let mut keys: Vec<u64> = Piece::all()
            .flat_map(|piece| Square::all().map(move |square| (piece.index() as u64) << 8 | square.index() as u64))
            .collect();
        keys.push(u64::MAX);
        let keys: Vec<u64> = keys.iter().map(|feature| hasher.hash_one(feature)).collect();
        if keys != committed {
            let list: String = keys.iter().map(|key| format!("{key:016x}\n")).collect();
            write(&std::env::var("OUT_DIR").expect("cargo names the output folder"), "computed_feature_keys.txt", list);
            panic!("aHash gives other keys than src/board/feature_keys.txt: books and records would no longer be found");
        }
    }
    let (pieces, side) = committed.split_at(Piece::COUNT * SQUARES);
    let mut rows: Vec<&[u64]> = pieces.chunks(SQUARES).collect();
    // The feature of no piece at all changes nothing.
    rows.push(&[0; SQUARES]);
    format!("pub(super) static FEATURE_KEYS: [[u64; 90]; 15] = {rows:?};\npub(super) const BLACK_TO_MOVE: u64 = {};\n", side[0])
}
