//! The levels of play: the documentation agrees with the program and with the measurements.

use chuhe::threads::{LEVELS, PlayLevel};
use engine_tests::repository;

/// The cells of each row of the first table whose header begins with `header`.
fn table(document: &str, header: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(repository().join("docs/src/users").join(document)).expect("the document");
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect();
    let rows = text.lines().skip_while(|line| !line.starts_with(header)).take_while(|line| line.starts_with('|'));
    rows.skip(2).map(cells).collect()
}

/// The Elo difference of a result.
fn elo(won: f64, drawn: f64, lost: f64) -> f64 {
    let share = (won + drawn / 2.0) / (won + drawn + lost);
    400.0 * (share / (1.0 - share)).log10()
}

fn spends(level: &PlayLevel) -> [String; 3] {
    let nodes = if level.elo.is_some() { level.nodes.to_string() } else { "–".into() };
    [format!("{} %", level.random / 10), nodes, level.noise.to_string()]
}

#[test]
fn the_table_of_levels_is_the_program_s() {
    let rows = table("strength.md", "| level | plays like |");
    assert_eq!(rows.len(), LEVELS.len());
    // The origin of the scale.
    let mut below = 0.0;
    for (row, (number, level)) in rows.iter().zip((1..).zip(&LEVELS)) {
        let [random, nodes, noise] = spends(level);
        let elo_name = level.elo.map_or("–".into(), |elo| elo.to_string());
        let expected = [number.to_string(), level.description.into(), elo_name, random, nodes, noise];
        assert_eq!(row[..6], expected, "level {number}");
        // The measured games give the difference to the level below.
        let result: Vec<f64> = row[6].split('-').map(|count| count.parse().expect("a result")).collect();
        let [won, drawn, lost] = result[..] else { panic!("level {number}: {}", row[6]) };
        let measured = elo(won, drawn, lost);
        let documented: f64 = row[7].split(' ').next().and_then(|text| text.parse().ok()).expect("a difference");
        assert!((measured - documented).abs() < 1.0, "level {number}: {measured}, not {documented}");
        let above = level.elo.map_or(below + documented, f64::from);
        assert!((above - below - documented).abs() <= 10.0, "level {number}: {above} stands {documented} above {below}");
        below = above;
    }
}

#[test]
fn the_levels_of_play_are_listed() {
    let rows = table("play.md", "| level | plays like |");
    let expected: Vec<Vec<String>> =
        (1..).zip(LEVELS).map(|(number, level)| vec![number.to_string(), level.description.to_string()]).collect();
    assert_eq!(rows, expected);
}
