//! The table of weights: one row a feature, middle game and endgame, in centipawns.

use super::Tapered;
use super::features::{self, ROWS};

pub(super) static WEIGHTS: [Tapered; ROWS] = build();

const fn build() -> [Tapered; ROWS] {
    let mut table = [Tapered::new(0, 0); ROWS];
    let mut place = 0;
    while place < 50 {
        let (rank, file) = ((place / 5) as i32, (place % 5) as i32);
        let half = if rank >= 5 { 1 } else { 0 };
        // King, advisor, elephant.
        table[place] = Tapered::new(10 - 14 * rank + if file == 4 { 6 } else { 0 }, 0);
        table[50 + place] = Tapered::new(110 + if file == 4 { 5 } else { 0 }, 105);
        table[100 + place] = Tapered::new(100 + if file == 4 { 10 } else { 0 } - if file == 0 { 6 } else { 0 }, 100);
        // Horse.
        let edge = if file == 0 { -18 } else { 0 } + if rank == 0 { -22 } else { 0 } + if rank == 9 { -14 } else { 0 };
        let centre = if rank >= 4 && rank <= 7 && file >= 2 { 20 } else { 0 };
        table[150 + place] = Tapered::new(238 + edge + centre + 6 * half, 250 + edge + centre);
        // Rook.
        let back = if rank == 0 { -14 } else { 0 };
        table[200 + place] = Tapered::new(530 + back + 10 * half + 2 * file, 560 + 6 * half);
        // Cannon.
        let middle_file = if file == 4 { 12 } else { 0 };
        let bottom = if rank == 9 && file <= 3 { 14 } else { 0 };
        table[250 + place] = Tapered::new(262 + middle_file + bottom, 245 + if rank <= 2 { 12 } else { 0 });
        // Pawn.
        let crossed = if rank == 9 { 28 } else { 82 + 5 * file + 4 * (rank - 5) };
        let home = 38 + 8 * (rank - 3) + if file == 4 { 6 } else { 0 };
        table[300 + place] = if rank >= 5 { Tapered::new(crossed, crossed + 10) } else { Tapered::new(home, home + 14) };
        place += 1;
    }
    let mut count = 0;
    while count < 18 {
        let n = count as i32;
        table[features::MOBILITY + count] = Tapered::new(4 * n - 32, 3 * n - 20);
        table[features::MOBILITY + 18 + count] = Tapered::new(2 * n - 16, 2 * n - 14);
        if count < 9 {
            table[features::MOBILITY + 36 + count] = Tapered::new(10 * n - 44, 9 * n - 40);
        }
        if count < 16 {
            table[features::PALACE + count] = Tapered::new(6 * n + n * n / 2 - 20, 4 * n - 12);
        }
        count += 1;
    }
    let values = [0, 105, 100, 240, 540, 255, 60];
    let mut attacker = 0;
    while attacker < 7 {
        let mut victim = 1;
        while victim < 7 {
            let row = features::THREATS + attacker * 14 + victim;
            let gain = values[victim] - if attacker == 0 { 0 } else { values[attacker] };
            table[row] = Tapered::new(values[victim] / 14 + 4, values[victim] / 14 + 4);
            let protected = if gain > 0 { gain / 10 } else { 0 };
            table[row + 7] = Tapered::new(protected, protected);
            victim += 1;
        }
        attacker += 1;
    }
    // A rook and a horse like fewer advisors, a cannon likes them as screens.
    table[features::ADVISORS] = Tapered::new(16, 20);
    table[features::ADVISORS + 3] = Tapered::new(24, 30);
    table[features::ADVISORS + 6] = Tapered::new(-10, -14);
    table[features::ADVISORS + 9] = Tapered::new(12, 16);
    table[features::ELEPHANTS + 6] = Tapered::new(10, 10);
    table[features::ELEPHANTS + 9] = Tapered::new(8, 12);
    table[features::HOLLOW_CANNON] = Tapered::new(70, 30);
    table[features::CANNON_PRESSURE] = Tapered::new(18, 6);
    table[features::ROOK_PRESSURE] = Tapered::new(8, 4);
    table[features::LINKED_PAWNS] = Tapered::new(14, 18);
    table[features::TEMPO] = Tapered::new(12, 8);
    table
}
