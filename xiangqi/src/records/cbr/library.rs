//! CBL: a header, an index of fixed capacity, and complete CBR records in slots of 4096 bytes.

use super::{GUID, LIBRARY_MAGIC, field, put_field, read, u32_at, write_without};
use crate::records::source::Source;
use crate::records::{Losses, Record, RecordError, RecordProblem};

pub(in crate::records) const CAPACITY_AT: usize = 60;
const FIELDS: [(usize, usize, &str); 3] = [(64, 512, "Library"), (576, 256, "LibrarySource"), (832, 64, "LibraryCreator")];
/// Tag for the name of a record in the index, if it differs from the title in the record.
const INDEX_TITLE: &str = "IndexTitle";
/// File kind, followed by the identifier of the library; and a field of unknown meaning that is the same in all real libraries.
const KIND_AT: usize = 16;
const KIND: u8 = 3;
const UNKNOWN_AT: usize = 52;
const UNKNOWN: u32 = 0x7fff_ffff;
/// Capacity of the smallest index. Capacities are powers of two, since some readers accept only certain sizes.
const LEAST_CAPACITY: usize = 128;
/// State of an entry in use, and the value after its slot number.
const IN_USE: u32 = 7;
const ONE: u32 = 1;
pub(in crate::records) const INDEX_AT: usize = 66_624;
pub(in crate::records) const INDEX_ENTRY: usize = 276;
/// Offsets in an index entry of the record's identifier, as text, and the record's name.
const GUID_AT: usize = 20;
const NAME_AT: usize = 100;
const NAME: usize = 128;
const SLOT: usize = 4096;
/// Maximum ratio of bytes read by the index entries to the size of the library.
const ALLOWANCE: usize = 4;

/// The records of a library, in the order of its index.
pub(in crate::records) struct Library {
    bytes: Vec<u8>,
    capacity: usize,
    /// Next index entry.
    entry: usize,
    /// Number of record bytes that may still be read. Entries of real libraries can share a record, but a hostile index must not
    /// multiply the work.
    allowance: usize,
    /// Number of entries whose records start after the end of the file. Reported in a single error at the end.
    missing: usize,
    tags: Vec<(&'static str, String)>,
}

impl Library {
    /// Opens a library.
    ///
    /// # Errors
    /// Returns an error if the signature is missing or the file ends inside the header or index.
    pub(in crate::records) fn open(bytes: Vec<u8>) -> Result<Library, RecordError> {
        if !bytes.starts_with(LIBRARY_MAGIC) {
            return Err(RecordError::new(
                "byte 0",
                RecordProblem::NotThisFormat("a CBL library, which begins with 'CCBridgeLibrary'"),
            ));
        }
        let capacity = u32_at(&bytes, CAPACITY_AT).unwrap_or(0) as usize;
        let index_end = capacity.saturating_mul(INDEX_ENTRY).saturating_add(INDEX_AT);
        if bytes.len() < index_end {
            return Err(RecordError::new(
                format!("byte {}", bytes.len()),
                RecordProblem::Truncated(format!("the CBL index of {capacity} entries, expected {index_end} bytes or more")),
            ));
        }
        let allowance = bytes.len().saturating_mul(ALLOWANCE);
        let tags = FIELDS.iter().map(|&(offset, size, tag)| (tag, field(&bytes, offset, size))).collect();
        Ok(Library { bytes, capacity, entry: 0, allowance, missing: 0, tags })
    }

    pub(in crate::records) fn source(bytes: Vec<u8>) -> Result<Box<dyn Source>, RecordError> {
        Ok(Box::new(Library::open(bytes)?))
    }
}

impl Source for Library {
    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        while self.entry < self.capacity {
            let entry = INDEX_AT + INDEX_ENTRY * self.entry;
            self.entry += 1;
            if u32_at(&self.bytes, entry)? == 0 {
                continue;
            }
            let slot = u32_at(&self.bytes, entry + 4)? as usize;
            let length = u32_at(&self.bytes, entry + 12)? as usize;
            let place = format!("index entry {}", self.entry);
            let start = slot.saturating_mul(SLOT).saturating_add(INDEX_AT + INDEX_ENTRY * self.capacity);
            if start >= self.bytes.len() {
                self.missing += 1;
                continue;
            }
            let bytes = self.bytes.get(start..).map(|rest| &rest[..length.min(rest.len())]).unwrap_or_default();
            if bytes.len() > self.allowance {
                self.entry = self.capacity;
                let problem = format!("the index refers to the same bytes more than {ALLOWANCE} times; the rest is skipped");
                return Some(Err(RecordError::new(place, problem)));
            }
            self.allowance -= bytes.len();
            return Some(read(bytes).map_err(|error| error.within(&place)).map(|mut record| {
                if bytes.len() < length {
                    record.warn(format!("{place}: the file ends inside the record"));
                }
                let name = field(&self.bytes[..entry + INDEX_ENTRY], entry + NAME_AT, NAME);
                if record.tag("Title").is_none() {
                    record.set_tag("Title", name);
                } else if record.tag("Title") != Some(name.as_str()) {
                    record.set_tag(INDEX_TITLE, name);
                }
                self.tags.iter().for_each(|(tag, value)| record.set_tag(tag, value.as_str()));
                record
            }));
        }
        let missing = std::mem::take(&mut self.missing);
        let problem = || format!("the file ends before {missing} of the records in its index");
        (missing > 0).then(|| Err(RecordError::new(format!("byte {}", self.bytes.len()), problem())))
    }

    fn progress(&self) -> (usize, usize) {
        (self.entry, self.capacity)
    }
}

/// Writer of a library. The header at the start contains the number of records, so the encoded records are held in memory until the
/// end.
#[derive(Default)]
pub(in crate::records) struct LibraryWriter {
    header: Vec<u8>,
    index: Vec<u8>,
    slots: Vec<u8>,
    /// Texts of the header, each from the first record that has it.
    texts: [Option<String>; FIELDS.len()],
}

impl LibraryWriter {
    /// Adds a record. Returns the data that the format cannot store.
    ///
    /// # Errors
    /// Same as for a single record. The library is unchanged after an error.
    pub(in crate::records) fn add(&mut self, record: &Record) -> Result<Losses, RecordError> {
        let mut losses = Losses::default();
        let bytes = write_without(record, &[FIELDS[0].2, FIELDS[1].2, FIELDS[2].2, INDEX_TITLE], &mut losses)?;
        self.header.resize(INDEX_AT, 0);
        for ((offset, size, tag), known) in FIELDS.into_iter().zip(&mut self.texts) {
            match (record.tag(tag), known) {
                (Some(text), known @ None) => {
                    losses.add(SHORTENED, !put_field(&mut self.header, offset, size, text) as usize);
                    *known = Some(text.to_string());
                }
                (Some(text), Some(known)) if known != text => {
                    losses.add(&format!("tag {tag} where it differs from an earlier game's"), 1);
                }
                _ => {}
            }
        }
        let entry = self.index.len();
        self.index.resize(entry + INDEX_ENTRY, 0);
        let [slot, length] = [self.slots.len() / SLOT, bytes.len()].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        for (at, number) in [(0, IN_USE), (4, slot), (8, ONE), (12, length)] {
            self.index[entry + at..entry + at + 4].copy_from_slice(&number.to_le_bytes());
        }
        let guid: [u8; GUID] = bytes[super::GUID_AT..super::GUID_AT + GUID].try_into().unwrap_or_default();
        put_field(&mut self.index, entry + GUID_AT, NAME_AT - GUID_AT, &text_of(guid));
        let title = record.tag(INDEX_TITLE).or_else(|| record.tag("Title")).unwrap_or_default();
        let is_whole = put_field(&mut self.index, entry + NAME_AT, NAME, title);
        // For the title of the record, the loss was already counted.
        losses.add(SHORTENED, (!is_whole && record.tag(INDEX_TITLE).is_some()) as usize);
        self.slots.extend_from_slice(&bytes);
        self.slots.resize(self.slots.len().next_multiple_of(SLOT), 0);
        Ok(losses)
    }

    /// The bytes of the entire library.
    ///
    /// # Errors
    /// Returns an error if it has more records or bytes than its index can hold.
    pub(in crate::records) fn finish(mut self) -> Result<Vec<u8>, RecordError> {
        let games = self.index.len() / INDEX_ENTRY;
        let capacity = games.max(LEAST_CAPACITY).next_power_of_two();
        let stated = u32::try_from(capacity).ok().filter(|_| self.slots.len() / SLOT <= u32::MAX as usize);
        let too_many = || RecordError::of(format!("{games} records, more than the index of a CBL library can hold"));
        let stated = stated.ok_or_else(too_many)?;
        self.header.resize(INDEX_AT, 0);
        self.header[..LIBRARY_MAGIC.len()].copy_from_slice(LIBRARY_MAGIC);
        self.header[KIND_AT] = KIND;
        self.header[KIND_AT + 4..KIND_AT + 4 + GUID].copy_from_slice(&super::guid(&self.slots));
        self.header[UNKNOWN_AT..UNKNOWN_AT + 4].copy_from_slice(&UNKNOWN.to_le_bytes());
        self.header[CAPACITY_AT..CAPACITY_AT + 4].copy_from_slice(&stated.to_le_bytes());
        self.index.resize(INDEX_ENTRY * capacity, 0);
        Ok([self.header, self.index, self.slots].concat())
    }
}

/// Name of the loss for a text that is longer than its field.
const SHORTENED: &str = "tags shortened to the field of CBL";

/// A GUID in Windows notation: the first three groups are little-endian numbers.
fn text_of(guid: [u8; GUID]) -> String {
    let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
    let digits: String = order.iter().map(|&at| format!("{:02X}", guid[at])).collect();
    format!("{{{}-{}-{}-{}-{}}}", &digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::fuzzing::library_file as library;

    fn all(bytes: Vec<u8>) -> Vec<Result<Record, RecordError>> {
        let mut library = Library::open(bytes).unwrap();
        std::iter::from_fn(|| library.next()).collect()
    }

    #[test]
    fn a_library_returns_its_records_with_their_titles() {
        let records: Vec<_> = all(library()).into_iter().map(Result::unwrap).collect();
        assert_eq!(records.len(), 1);
        assert_eq!((records[0].tag("Library"), records[0].moves_in_tree()), (Some("库"), 3));
    }

    #[test]
    fn an_index_that_repeats_a_record_is_limited() {
        let mut bytes = library();
        let entries = 400u32;
        let record = bytes.split_off(INDEX_AT + 2 * INDEX_ENTRY);
        let entry = bytes[INDEX_AT + INDEX_ENTRY..].to_vec();
        bytes.truncate(INDEX_AT);
        bytes[CAPACITY_AT..CAPACITY_AT + 4].copy_from_slice(&entries.to_le_bytes());
        (0..entries).for_each(|_| bytes.extend(&entry));
        bytes.extend(record);
        let results: Vec<_> = all(bytes);
        assert!(results[0].is_ok() && results.len() < 400);
        assert!(results.last().unwrap().as_ref().unwrap_err().to_string().contains("the same bytes"));
    }

    #[test]
    fn truncated_libraries_never_panic() {
        let bytes = library();
        for length in (0..INDEX_AT).step_by(997).chain(INDEX_AT..bytes.len()) {
            if let Ok(mut library) = Library::open(bytes[..length].to_vec()) {
                std::iter::from_fn(|| library.next()).for_each(drop);
            }
        }
    }

    fn library_of(records: &[Record]) -> (Vec<u8>, Losses) {
        let (mut writer, mut losses) = (LibraryWriter::default(), Losses::default());
        records.iter().for_each(|record| losses.merge(writer.add(record).unwrap()));
        (writer.finish().unwrap(), losses)
    }

    #[test]
    fn a_truncated_library_reports_missing_records_once() {
        let record = all(library()).remove(0).unwrap();
        let (bytes, _) = library_of(&vec![record; 20]);
        let mut results = all(bytes[..bytes.len() - 12 * SLOT].to_vec());
        let last = results.pop().unwrap().unwrap_err().to_string();
        assert!(last.contains("the file ends before 12 of the records"), "{last}");
        assert!(results.len() == 8 && results.iter().all(Result::is_ok));
    }

    #[test]
    fn many_records_go_into_one_library() {
        let original = all(library()).remove(0).unwrap();
        let records: Vec<Record> = (0..130)
            .map(|number| {
                let mut record = original.clone();
                record.set_tag("Title", format!("第 {number} 局"));
                // Some take several slots.
                record.append_comment(record.root(), &"评".repeat(100 * number));
                record
            })
            .collect();
        let (bytes, losses) = library_of(&records);
        assert!(losses.is_empty(), "{losses}");
        assert_eq!(u32_at(&bytes, CAPACITY_AT), Some(256));
        assert!((bytes.len() - INDEX_AT - 256 * INDEX_ENTRY).is_multiple_of(SLOT));
        let back: Vec<Record> = all(bytes).into_iter().map(Result::unwrap).collect();
        assert_eq!(back, records);
        assert!(back.iter().all(|record| record.warnings().is_empty()));
    }

    #[test]
    fn a_library_has_one_name() {
        let mut records = vec![all(library()).remove(0).unwrap(); 2];
        records[1].set_tag("Library", "another");
        let (bytes, losses) = library_of(&records);
        assert_eq!(losses.to_string(), "tag Library where it differs from an earlier game's 1");
        assert!(all(bytes).into_iter().all(|record| record.unwrap().tag("Library") == Some("库")));
        assert_eq!(all(library_of(&[]).0).len(), 0);
    }

    #[test]
    fn identifiers_are_written_in_windows_notation() {
        let guid = [0x4b, 0x01, 0x14, 0xed, 0x6e, 0x80, 0x53, 0x47, 0x91, 0x32, 0x33, 0xab, 0xfc, 0xc4, 0x8d, 0x80];
        // An example from a real library.
        assert_eq!(text_of(guid), "{ED14014B-806E-4753-9132-33ABFCC48D80}");
    }
}
