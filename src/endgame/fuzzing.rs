//! Entry points of the fuzz targets.

use super::error::EndgameError;
use super::family::Family;
use super::file::{self, Head};
use super::solve::Solver;
use super::tables::{Tables, read_bytes};
use std::sync::OnceLock;

/// The tables that are changed: the smallest one with decided positions, and one with two bytes per value and distances to captures.
fn tables() -> &'static [Vec<u8>; 2] {
    static TABLES: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    TABLES.get_or_init(|| {
        let family = |name: &str| name.parse::<Family>().ok();
        let narrow = family("P-D").and_then(|family| Tables::builtin().bytes_of(&family)).unwrap_or_default().to_vec();
        let mut solver = Solver::new(1, &|_, _| {});
        solver.captures_from = 0;
        let solution = family("P-P").and_then(|family| solver.solve(&family).ok());
        let wide = solution.and_then(|solution| file::write_in(2, &solution, 1, &|_, _| {}).ok()).unwrap_or_default();
        [narrow, wide]
    })
}

/// Seed tables.
pub fn seeds() -> Vec<Vec<u8>> {
    let [narrow, wide] = tables();
    vec![narrow[..narrow.len().min(200)].to_vec(), narrow.clone(), wide.clone()]
}

/// Reads bytes as a table and decompresses all of it.
///
/// # Errors
/// The fault of the table.
pub fn read(bytes: &[u8]) -> Result<(), EndgameError> {
    read_bytes(bytes)
}

/// Reads a valid table after these changes, three bytes each: two for the offset, counted alternately from both ends, and one for the
/// value. The checksums are corrected. With an odd number of changes it is the table with two bytes per value.
pub fn read_changed(changes: &[u8]) {
    let mut bytes = tables()[changes.len() / 3 % 2].clone();
    let Ok(head) = Head::read(&bytes) else { return };
    for (number, change) in changes.chunks_exact(3).enumerate() {
        let offset = u16::from_le_bytes([change[0], change[1]]) as usize % bytes.len();
        let offset = if number % 2 == 0 { offset } else { bytes.len() - 1 - offset };
        bytes[offset] = change[2];
    }
    head.repair(&mut bytes);
    let _ = read_bytes(&bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};

    #[test]
    fn changes_are_refused_or_read_without_a_panic() {
        assert!(tables().iter().all(|table| read(table).is_ok()) && read(&seeds()[0]).is_err());
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(3);
        for length in 0..60 {
            let mut changes = vec![0; length];
            random.fill_bytes(&mut changes);
            read_changed(&changes);
        }
    }
}
