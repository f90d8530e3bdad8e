//! The benchmark: fixed positions searched to a fixed depth. Its node count is a fingerprint of the search: a non-functional change
//! must not alter it.

use super::Pool;
use crate::board::{Position, START_FEN};
use crate::search::{Limits, Settings};
use crate::types::Move;
use std::time::Duration;
use web_time::Instant;

/// Default depth in plies.
pub const DEFAULT_DEPTH: i32 = 11;
/// Default table size in MiB.
pub const DEFAULT_HASH: usize = 16;

/// The result of a benchmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measurement {
    /// Nodes, summed over all positions and threads.
    pub nodes: u64,
    /// Time spent in searches.
    pub time: Duration,
}

impl Measurement {
    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Number of positions.
pub fn positions() -> usize {
    POSITIONS.len()
}

/// Searches all positions, each with an empty table, and calls `each` with the number, FEN and nodes of each finished position. With
/// one thread the nodes are the same on every run, machine and build type.
///
/// A position that cannot be parsed is skipped; a test verifies that there is none.
pub fn run(depth: i32, threads: usize, hash_mib: usize, mut each: impl FnMut(usize, &str, u64)) -> Measurement {
    let mut pool = Pool::new(threads, hash_mib);
    let mut total = Measurement { nodes: 0, time: Duration::ZERO };
    for (number, (fen, moves)) in POSITIONS.iter().enumerate() {
        let Some(position) = read(fen, moves) else { continue };
        pool.clear();
        pool.prepare_table(|| true);
        let limits = Limits { depth: Some(depth), ..Limits::none() };
        let start = Instant::now();
        let outcome = pool.search(&position, &limits, &Settings::default(), &mut ());
        total.time += start.elapsed();
        total.nodes += outcome.nodes;
        each(number + 1, fen, outcome.nodes);
    }
    total
}

fn read(fen: &str, moves: &str) -> Option<Position> {
    let mut position = Position::from_fen(fen).ok()?;
    for text in moves.split_whitespace() {
        let mv = Move::from_uci(text).ok().filter(|&mv| position.board().is_legal(mv))?;
        position.make(mv);
    }
    Some(position)
}

/// FEN and moves played from it. The positions come from self-play games with random openings, some given with all their moves so that
/// repetitions and clocks matter too; the last ones are old mating compositions.
const POSITIONS: &[(&str, &str)] = &[
    (START_FEN, ""),
    (START_FEN, "b2d2 b7b4 h2f2 c9e7 a0a2 g6g5 d2c2 b4b3 e3e4 b3g3 i0i1 g3e3 h0g2 h7g7"),
    (
        START_FEN,
        "b2d2 b7b4 h2f2 c9e7 a0a2 g6g5 d2c2 b4b3 e3e4 b3g3 i0i1 g3e3 h0g2 h7g7 a2b2 g5g4 f2d2 g7g2 c2g2 g4g3 b2b8 \
         g3g2 d2b2 b9d8 b0c2 e3g3 b8d8 g3g0 e0e1 a9b9 b2g2 b9b1 d8d1 b1d1 e1d1 i9i8 c2e1 i8d8 g2d2 g0d0 i1i2 d0d2 \
         i2d2 d8d2 d1d2 h9g7 e1f3 g7f5 e4e5 e6e5 f3e5 c6c5 e5d7 e9e8 d7b8 f5g3 b8d9 g3e4 d2d1 e4c3",
    ),
    (
        START_FEN,
        "b2d2 b7b4 h2f2 c9e7 a0a2 g6g5 d2c2 b4b3 e3e4 b3g3 i0i1 g3e3 h0g2 h7g7 a2b2 g5g4 f2d2 g7g2 c2g2 g4g3 b2b8 \
         g3g2 d2b2 b9d8 b0c2 e3g3 b8d8 g3g0 e0e1 a9b9 b2g2 b9b1 d8d1 b1d1 e1d1 i9i8 c2e1 i8d8 g2d2 g0d0 i1i2 d0d2 \
         i2d2 d8d2 d1d2 h9g7 e1f3 g7f5 e4e5 e6e5 f3e5 c6c5 e5d7 e9e8 d7b8 f5g3 b8d9 g3e4 d2d1 e4c3 d1e1 c3d5 c0a2 \
         a6a5 d9b8 d5e3 b8a6 c5c4 a6c7 e8d8 a2c4 e3c4 c7e6 i6i5 e6d4 c4a3 d4c6 d8d9 c6a5 a3b5 e1f1 f9e8 f0e1 g9i7 \
         f1f0 d9e9 a5b7 i7g9 b7a5 e7c9 a5b7 g9e7 f0e0 e8d7 e1f0 e9f9 b7d8 f9f8 d8b7 b5c3 f0e1 c3d5 b7a5 d5e3 a5c6 \
         e3g4 e1d0 d7e8 d0e1 g4i3 c6e5 f8f9 e5g6 i3g4 g6f4 i5i4 e0d0 i4h4 e1f0 h4h3 f0e1 h3g3 f4e6 g4e3 d0e0 e8f7 \
         e0f0 g3g2 e6c7 g2g1 f0e0",
    ),
    (
        START_FEN,
        "b2e2 g6g5 h2g2 f9e8 e2d2 i6i5 g3g4 g9e7 g4g5 b7b3 e3e4 e7g5 i0i1 h7e7 i1e1 e6e5 e1f1 e5e4 f0e1 i5i4 f1f5 \
         i4h4 f5g5 h9f8 g5g8 f8e6 g2e2 e6f4 h0g2 f4g2 d2g2 e4e3 e2e7 c9e7 g8h8 h4g4 c0e2 i9i3 b0d1 i3i0",
    ),
    (
        START_FEN,
        "b2e2 g6g5 h2g2 f9e8 e2d2 i6i5 g3g4 g9e7 g4g5 b7b3 e3e4 e7g5 i0i1 h7e7 i1e1 e6e5 e1f1 e5e4 f0e1 i5i4 f1f5 \
         i4h4 f5g5 h9f8 g5g8 f8e6 g2e2 e6f4 h0g2 f4g2 d2g2 e4e3 e2e7 c9e7 g8h8 h4g4 c0e2 i9i3 b0d1 i3i0 h8h9 e8f9 \
         e1f0 i0i1 d0e1 g4g3 a0b0 e3e2 g0e2 b9a7 b0b3 g3g2 h9h7 a7c8 d1e3 g2g1 b3b8 a9c9 e3f5 g1f1 f5e7 c8e7 h7e7 \
         d9e8 b8b6 i1i3 b6a6 i3c3 a6a7 c9b9 a7d7 b9b0 d7d0 b0d0 e1d0",
    ),
    (
        START_FEN,
        "b2e2 g6g5 h2g2 f9e8 e2d2 i6i5 g3g4 g9e7 g4g5 b7b3 e3e4 e7g5 i0i1 h7e7 i1e1 e6e5 e1f1 e5e4 f0e1 i5i4 f1f5 \
         i4h4 f5g5 h9f8 g5g8 f8e6 g2e2 e6f4 h0g2 f4g2 d2g2 e4e3 e2e7 c9e7 g8h8 h4g4 c0e2 i9i3 b0d1 i3i0 h8h9 e8f9 \
         e1f0 i0i1 d0e1 g4g3 a0b0 e3e2 g0e2 b9a7 b0b3 g3g2 h9h7 a7c8 d1e3 g2g1 b3b8 a9c9 e3f5 g1f1 f5e7 c8e7 h7e7 \
         d9e8 b8b6 i1i3 b6a6 i3c3 a6a7 c9b9 a7d7 b9b0 d7d0 b0d0 e1d0 c3d3 a3a4 f1f0 e0f0 d3d0 f0f1 d0a0 e7a7 a0a1 \
         f1f2 c6c5 a4a5 a1a2 a5a6 c5c4 a7c7 a2a6 e2c4 a6f6 f2e2 f6e6 e2d2 e8d9 c7d7 f9e8 d7d3 e6e4 d3c3 e8f7 c3d3 \
         d9e8 d3b3 e4d4 d2e2 e9f9 b3b9 e8d9 e2e1 f7e8 b9c9 d4g4 c9c7 g4g1 e1e2 g1c1 e2d2 c1c0 d2d1 f9e9 d1e1 c0c1 \
         e1e0 e9f9 c7c6 e8f7 c6h6 c1c0 e0e1 c0c4 h6h9 f9f8 h9h8 f8f9 h8h9 f9f8 h9h8 f8f9",
    ),
    (
        START_FEN,
        "a3a4 h7h0 i0h0 b7f7 b2b7 f7f4 b7b2 f4f7 h2e2 b9c7 h0h8 a9b9 b0c2 f7f2 h8c8 b9b7 c8c9 f2c2 c9c8 h9g7 a4a5 \
         a6a5 a0a5 i9i8 c8i8 g7i8 a5f5 d9e8 f5f6 c2c1",
    ),
    (
        START_FEN,
        "a3a4 h7h0 i0h0 b7f7 b2b7 f7f4 b7b2 f4f7 h2e2 b9c7 h0h8 a9b9 b0c2 f7f2 h8c8 b9b7 c8c9 f2c2 c9c8 h9g7 a4a5 \
         a6a5 a0a5 i9i8 c8i8 g7i8 a5f5 d9e8 f5f6 c2c1 b2d2 b7b0 e2e6 c7e6 f6e6 b0c0 e6g6 c0b0 g0e2 b0b7 g6g8 i8g7 \
         d0e1 g9i7 e3e4 g7h5 e4e5 b7e7 g8g4 e7e5 e2c0 e5e3",
    ),
    ("3akabnr/r7c/2n1b1c2/pCp1p1pCp/9/2P6/P3P1P1P/9/6N2/RNBAKAB1R w - - 16 9", ""),
    ("1rbakabnr/4n4/7c1/p1p1p1pC1/6c1p/4C4/P1P1P1P1P/N3B4/4A4/R1BAK2NR b - - 15 8", ""),
    ("1nbakabr1/1C4C2/r3c4/pRp1p1pcp/9/9/P1P1P1P1P/N8/9/2BAKABNR b - - 12 8", ""),
    ("r2akab2/9/2n1b2c1/p1p1p3p/6p2/2PN4P/P3P1P2/4C2r1/5R1cR/2BAKABN1 b - - 11 10", ""),
    ("rnbaka1nr/9/7C1/p1p1p1p1c/6b2/9/P1P1P1P1P/5R3/9/1NBAKAB1R w - - 1 9", ""),
    ("2bakab1r/7C1/r1n3n2/p1p5p/4p1p1c/7R1/P1P1P1P2/2N1B4/3R5/3AKAB2 b - - 11 15", ""),
    ("2baka2r/9/n2c2n2/p1p1p3p/1r4b2/8P/P1P1P4/4CC3/4A4/RNBAK1BR1 w - - 1 14", ""),
    ("1nbaka3/8r/4b1cn1/4R3p/p1P3pC1/1r1N4P/P3P1P1R/6N2/4A4/2B1KAB2 w - - 1 19", ""),
    ("r1bak2n1/4a4/2n1b4/p7p/1cp6/P1B3p2/2P1P3P/N5N1C/9/R2AKAB2 w - - 0 16", ""),
    ("2rak1b2/4a4/2n3n1r/p3p1p1p/9/9/4P1c1P/6N1C/4C4/1RBAKAB1R w - - 7 16", ""),
    ("2baka3/9/c1n1b1nC1/4p1R1p/2c6/p3r1P2/8r/2N1B3N/4A4/3RKAB2 w - - 0 23", ""),
    ("1nba1a3/4k4/r3bNn2/6R1p/4p4/9/pc2P1P1P/8B/1R3N3/2rAKA3 b - - 3 20", ""),
    ("1Rb1kab2/4a4/8n/p3p1p1p/9/9/P1P1P1P2/4N1C2/3K2N2/2cA1rB2 b - - 1 19", ""),
    ("2baka1nr/7R1/4b4/r5p2/4R3p/p2Nc1P2/P7P/3CB4/4A4/4KA3 b - - 2 23", ""),
    ("2baka3/3R2R2/c1n6/4p1N1p/2b6/4r1P2/5r3/4B4/C1c1A4/4KAB2 w - - 12 32", ""),
    ("3akab2/9/9/2p1p2R1/5nb2/r8/2nCP4/2N3N1B/2cK5/2BA1A3 b - - 5 27", ""),
    ("4kab2/4a4/2n1b4/p7p/6p2/3N3R1/r4Nn1P/4B4/9/3AKAB2 w - - 0 35", ""),
    ("2bak4/9/3ab4/r8/8P/Pr7/4p4/4B4/1nN1A1R2/1R2KAB2 w - - 0 43", ""),
    ("2bakab1C/9/2n6/4n3p/4c4/1p4N1P/2R6/4B4/5K3/2BA4r b - - 2 38", ""),
    ("2C1ka1R1/9/n2a4b/p1p5p/9/4r2N1/P1P5P/4B4/5KC2/9 b - - 1 28", ""),
    ("9/4k4/4r3b/4N2R1/p1pn2b2/4P3P/P8/4B4/4A4/2BAK4 b - - 14 43", ""),
    ("3a1kb2/4a4/9/C1R5p/3c2p2/9/P5P1P/1r7/3KA4/5A3 w - - 1 27", ""),
    ("2bak4/1C2a4/9/p8/2b1N1n2/P8/4p4/5A3/3KA4/c1B6 w - - 4 53", ""),
    ("2ba1k3/4a4/4b4/1R7/9/P8/3np4/2r6/5C3/2BAK1B2 b - - 1 50", ""),
    ("3a5/4a4/3k5/9/2nN2p1p/2B6/P7P/4B4/4AK3/3A5 b - - 14 51", ""),
    ("4k1b2/3P5/3a1a3/9/5n3/6B2/9/3A5/2p6/3K1AB2 b - - 41 107", ""),
    ("2bak4/4a4/1C7/4R3p/9/2B5P/9/8B/9/3AK4 b - - 2 38", ""),
    ("5k3/4a4/9/2P1P4/9/4nN3/9/9/4A1p2/3AK1B2 b - - 36 68", ""),
    ("5a3/3ka4/P1P4N1/9/9/2B1n4/9/9/1C2A4/5K3 b - - 4 56", ""),
    ("3ak4/4a4/4b4/9/6b2/9/4C4/1c3A2B/5K3/2B6 w - - 5 74", ""),
    ("3k5/4a4/4Pa3/9/3n5/9/9/9/1C1K1p3/9 b - - 1 81", ""),
    ("9/4ak3/9/3R5/9/9/6r2/4B4/4A4/2B1K4 w - - 23 86", ""),
    ("5P3/4P4/4k4/9/9/9/9/3KB4/4Ap3/3A5 b - - 112 141", ""),
    ("9/4k4/3a5/9/9/9/2n6/5K3/5C3/9 w - - 89 137", ""),
    ("9/4a4/5k3/9/9/9/9/3n5/3CK4/9 b - - 24 104", ""),
    ("3k5/4a4/9/9/9/9/2nC5/9/4K4/9 w - - 107 146", ""),
    ("3a1k3/4a4/7R1/9/8R/9/r8/9/r3A4/3K1A3 w", ""),
    ("4kab2/4a4/4b4/9/9/5R3/9/4B1r2/4A4/1R1A1KBrc w", ""),
    ("2b1ka3/4a4/9/4R4/6N2/9/6r2/9/9/2BAKAB1c w", ""),
    ("2b1kaR2/4a4/9/4R2N1/9/9/9/4B4/3rA4/2B1KA1rc w", ""),
    ("3ak4/4a4/9/7N1/9/4R4/9/9/1n1rAp3/4KA3 w", ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_sound_and_the_count_reproduces() {
        assert!(POSITIONS.len() >= 48);
        for (fen, moves) in POSITIONS {
            assert!(read(fen, moves).is_some(), "{fen} moves {moves}");
        }
        let counts = [(), ()].map(|()| run(4, 1, 1, |_, _, _| {}).nodes);
        assert!(counts[0] > 0);
        assert_eq!(counts[0], counts[1]);
    }
}
