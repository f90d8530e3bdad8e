//! Round trips of a record through a format: tree, comments, result, start position and tags must be equal, except for reported losses.

use chuhe::records::{Format, Losses, PgnOptions, Record, Records, write};

/// The formats that store games rather than positions.
pub fn formats() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|format| format.is_written() && *format != Format::Fen)
}

/// Writes a record in a format and reads it back.
///
/// # Errors
/// When it cannot be written or read, is detected as another format, or gives several records.
pub fn written_and_read(record: &Record, format: Format) -> Result<(Record, Losses), String> {
    let (bytes, losses) = write(record, format, &PgnOptions::default()).map_err(|error| error.to_string())?;
    let shown = Format::shown_by(&bytes);
    if shown != Some(format) {
        return Err(format!("recognised as {shown:?}"));
    }
    let mut records = Records::new(bytes, None).map_err(|error| error.to_string())?;
    let back = records.next().ok_or("no record in the file")?.map_err(|error| error.to_string())?;
    match records.next() {
        None => Ok((back, losses)),
        Some(_) => Err("several records in the file".into()),
    }
}

/// Compares a record with the record read back, except for the reported losses.
///
/// # Errors
/// The first difference.
pub fn compare(record: &Record, back: &Record, losses: &Losses) -> Result<(), String> {
    let named = losses.to_string();
    let names = |what: &[&str]| what.iter().any(|what| named.contains(what));
    let differ = |what: &str, old: &dyn std::fmt::Debug, new: &dyn std::fmt::Debug| {
        Err(format!("{what}: {new:?}, expected {old:?}; named losses: {named}"))
    };
    // Text that was damaged in the original stays damaged, and the reader of DhtmlXQ warns about a game without moves.
    let is_known =
        |warning: &str| warning.contains("unreadable") || (record.moves_in_tree() == 0 && warning.contains("list of moves"));
    let is_new = |warning: &String| record.warnings().is_empty() && !is_known(warning);
    if let Some(warning) = back.warnings().into_iter().find(is_new) {
        return Err(warning);
    }
    let of_moves = |record: &Record| -> Vec<_> { record.walk().map(|(depth, id)| (depth, record.mv(id))).collect() };
    // Text formats do not keep trailing blanks.
    let of_comments = |record: &Record| -> Vec<String> {
        record.walk().map(|(_, id)| record.comment(id).split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let has_variations = !names(&["moves of variations"]);
    if has_variations && of_moves(back) != of_moves(record) {
        return differ("tree", &of_moves(record), &of_moves(back));
    }
    if !back.moves().eq(record.moves()) {
        return differ("moves", &record.moves().collect::<Vec<_>>(), &back.moves().collect::<Vec<_>>());
    }
    if has_variations && !names(&["comment", "characters", "braces"]) && of_comments(back) != of_comments(record) {
        return differ("comments", &of_comments(record), &of_comments(back));
    }
    let has_counters = !names(&["move counters"]);
    if back.start.to_board_fen() != record.start.to_board_fen() || (has_counters && back.start != record.start) {
        return differ("start position", &record.start.to_fen(), &back.start.to_fen());
    }
    if !names(&["result"]) && back.result != record.result {
        return differ("result", &record.result, &back.result);
    }
    for (name, value) in record.tags().filter(|(_, value)| !value.is_empty()) {
        let is_named = names(&[&format!("tag {name} "), "shortened", "characters", "braces", "marks", "brackets", "line breaks"]);
        if !is_named && back.tag(name).map(str::trim) != Some(value.trim()) {
            return differ(&format!("tag {name}"), &value, &back.tag(name));
        }
    }
    Ok(())
}
