//! Tags of a record as columns, and dates.

use super::details;
use super::line;
use crate::board::Position;
use crate::book;
use crate::records::{LineFault, Record, RecordResult, read_date};

/// Tags with their own text column, in the order of [`Columns::texts`]. The date also has a column, which is numeric.
const TEXTS: [&str; 5] = ["Event", "Site", "Round", "Red", "Black"];
const DATE: &str = "Date";
/// Prefix in the list of tag names: the value of this tag is in the details.
const IN_DETAILS: char = '+';
/// Entry in the list of tag names: both the name and the value of this tag are in the details.
const UNNAMED: &str = "*";

/// A record prepared for storing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Prepared {
    pub(super) line: Vec<u8>,
    pub(super) plies: u32,
    pub(super) result: RecordResult,
    pub(super) columns: Columns,
    pub(super) opening: Option<String>,
    pub(super) details: Option<Vec<u8>>,
}

/// The tag columns; none for a missing or empty tag.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Columns {
    /// Event, site, round, Red and Black.
    pub(super) texts: [Option<String>; 5],
    /// Year, month and day as one decimal number, with 0 for unknown parts.
    pub(super) date: Option<u32>,
    /// The names of all tags in order, one per line.
    pub(super) tags: Option<String>,
}

/// The reason a record cannot be stored.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unstorable {
    #[error(transparent)]
    Line(#[from] LineFault),
    #[error("a move that its piece cannot make, expected legal ones")]
    Move,
}

impl Prepared {
    pub(super) fn new(record: &Record) -> Result<Prepared, Unstorable> {
        let plies = record.plies();
        let game = match record.final_position() {
            Ok(game) => Some(game),
            // An impossible position without moves is stored as a diagram.
            Err(_) if plies == 0 => None,
            Err(fault) => return Err(fault.into()),
        };
        let (columns, values) = Columns::new(record);
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        Ok(Prepared {
            line: line::encode(record).ok_or(Unstorable::Move)?,
            plies: plies as u32,
            result: record.result,
            opening: opening(record, game.as_ref()),
            details: details::encode(record, &values),
            columns,
        })
    }
}

/// The name of the opening, from the record or otherwise from the built-in book.
fn opening(record: &Record, game: Option<&Position>) -> Option<String> {
    book::opening_of_record(record).or_else(|| game.and_then(book::opening_of).map(ToString::to_string))
}

impl Columns {
    /// The columns of a record, and the values of the tags without a column.
    fn new(record: &Record) -> (Columns, Vec<String>) {
        let mut columns = Columns::default();
        let mut values = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for (name, value) in record.tags() {
            let is_first = !names.iter().any(|known| known == name);
            let column = TEXTS.iter().position(|&text| text == name).filter(|_| is_first);
            if let Some(column) = column {
                columns.texts[column] = Some(value.to_string()).filter(|value| !value.is_empty());
                names.push(name.to_string());
                continue;
            }
            // Tags are found whatever their case, as by `Record::tag`; one that is not written as here is restored from the details.
            if let Some(column) = TEXTS.iter().position(|text| text.eq_ignore_ascii_case(name))
                && columns.texts[column].is_none()
                && !names.iter().any(|known| known == TEXTS[column])
            {
                columns.texts[column] = Some(value.to_string()).filter(|value| !value.is_empty());
            }
            if name.eq_ignore_ascii_case(DATE) && is_first && columns.date.is_none() {
                columns.date = read_date(value);
                if name == DATE && columns.date.is_some_and(|date| write_date(date) == value) {
                    names.push(name.to_string());
                    continue;
                }
            }
            if name.contains('\n') || name.starts_with(IN_DETAILS) || name == UNNAMED {
                names.push(UNNAMED.to_string());
                values.push(name.to_string());
            } else {
                names.push(format!("{IN_DETAILS}{name}"));
            }
            values.push(value.to_string());
        }
        columns.tags = (!names.is_empty()).then(|| names.join("\n"));
        (columns, values)
    }

    /// Restores the tags of a record; none if they are inconsistent with the values from the details.
    pub(super) fn restore(&self, values: Vec<String>, record: &mut Record) -> Option<()> {
        let mut values = values.into_iter();
        for name in self.tags.iter().flat_map(|tags| tags.split('\n')) {
            if name == UNNAMED {
                let name = values.next()?;
                record.add_tag(&name, &values.next()?);
            } else if let Some(name) = name.strip_prefix(IN_DETAILS) {
                record.add_tag(name, &values.next()?);
            } else if name == DATE {
                record.add_tag(name, &write_date(self.date?));
            } else {
                let column = TEXTS.iter().position(|&text| text == name)?;
                record.add_tag(name, self.texts[column].as_deref().unwrap_or_default());
            }
        }
        values.next().is_none().then_some(())
    }
}

/// Formats a date as in PGN.
pub(super) fn write_date(date: u32) -> String {
    let part = |number: u32, width: usize| if number == 0 { "?".repeat(width) } else { format!("{number:0width$}") };
    format!("{}.{}.{}", part(date / 10_000, 4), part(date / 100 % 100, 2), part(date % 100, 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;
    use proptest::prelude::*;

    #[test]
    fn unknown_parts_of_dates_are_question_marks() {
        assert_eq!(write_date(19890700), "1989.07.??");
    }

    #[test]
    fn placeholders_are_no_openings() {
        let named = |tags: &[(&str, &str)]| {
            let mut record = Record::new(Setup::standard());
            tags.iter().for_each(|(name, value)| record.add_tag(name, value));
            record.add(record.root(), crate::types::Move::from_uci("h2e2").unwrap()).unwrap();
            Prepared::new(&record).unwrap().opening
        };
        let unknown = [("ECCO", "?"), ("Opening", " ?"), ("Variation", "-")];
        assert_eq!(named(&unknown).as_deref(), Some("Central Cannon 中炮"));
        assert_eq!(named(&[("ECCO", "?"), ("ECO", "C00"), ("Opening", "?")]).as_deref(), Some("C00"));
    }

    #[test]
    fn tags_in_another_case_are_columns_and_restored_as_written() {
        let mut record = Record::new(Setup::standard());
        let tags = [("RED", "Lin"), ("black", "Mo"), ("date", "1989.07.14"), ("Red", "Hu"), ("Site", ""), ("site", "x")];
        tags.iter().for_each(|(name, value)| record.add_tag(name, value));
        let prepared = Prepared::new(&record).unwrap();
        let texts = [None, None, None, Some("Hu"), Some("Mo")].map(|text| text.map(String::from));
        assert_eq!((&prepared.columns.texts, prepared.columns.date), (&texts, Some(19890714)));
        let (values, mut copy) = details::decode(prepared.details.as_deref(), Setup::standard(), &[]).unwrap();
        prepared.columns.restore(values, &mut copy).unwrap();
        assert!(copy == record);
    }

    proptest! {
        #[test]
        fn tags_are_restored_in_order(tags in proptest::collection::vec((
            prop_oneof![Just("Event".to_string()), Just("Date".into()), Just("Red".into()), Just("red".into()), Just("*".into()), Just("+Red".into()), ".{0,5}"],
            prop_oneof![Just("2006.01.13".to_string()), Just("".into()), Just("2006".into()), ".{0,9}"],
        ), 0..12)) {
            let mut record = Record::new(Setup::standard());
            tags.iter().for_each(|(name, value)| record.add_tag(name, value));
            let prepared = Prepared::new(&record).unwrap();
            let (values, mut copy) = details::decode(prepared.details.as_deref(), Setup::standard(), &[]).unwrap();
            prepared.columns.restore(values, &mut copy).unwrap();
            prop_assert!(copy == record);
        }
    }
}
