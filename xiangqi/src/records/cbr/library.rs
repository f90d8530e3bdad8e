//! CBL: a header, an index of fixed capacity, and complete CBR records, each in as many blocks of 4096 bytes as it needs. The records lie one
//! after another in the order of the index, whose entries contain their position in the list that the program shows.

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
use super::packed::PackedLibrary;
use super::{
    GUID, LIBRARY_CREATED, LIBRARY_MAGIC, LIBRARY_MODIFIED, LIBRARY_REMARK, PACKED_MAGIC, RECORD_MAGIC, field, put_field, read,
    u32_at, write_without,
};
use crate::records::source::{File, MAX_FILE, Source};
use crate::records::warning::warning;
use crate::records::{Losses, Record, RecordError, RecordProblem};
use crate::types::sort_by;
use std::collections::BTreeMap;

pub(in crate::records) const CAPACITY_AT: usize = 60;
const FIELDS: [(usize, usize, &str); 7] = [
    (64, 512, "Library"),
    (576, 256, "LibrarySource"),
    (832, 64, "LibraryCreator"),
    (896, 64, "LibraryEmail"),
    (960, 64, LIBRARY_CREATED),
    (1024, 64, LIBRARY_MODIFIED),
    (1088, 65_536, LIBRARY_REMARK),
];
/// Tag for the name of a record in the index, if it differs from the title in the record.
const INDEX_TITLE: &str = "IndexTitle";
/// File kind, followed by the identifier of the library; and a field of unknown meaning, which has this value in most real libraries.
const KIND_AT: usize = 16;
const KIND: u8 = 3;
const UNKNOWN_AT: usize = 52;
const UNKNOWN: u32 = 0x7fff_ffff;
/// Capacity of the smallest index. Capacities are powers of two, since some readers accept only certain sizes.
const LEAST_CAPACITY: usize = 128;
/// States of an entry.
const FREE: u32 = 0;
const DELETED: u32 = 5;
const IN_USE: u32 = 7;
pub(in crate::records) const INDEX_AT: usize = 66_624;
pub(in crate::records) const INDEX_ENTRY: usize = 276;
/// Offsets in an index entry of the position in the list, the number of blocks, and the length of the record in bytes.
const ORDER_AT: usize = 4;
pub(in crate::records) const BLOCKS_AT: usize = 8;
pub(in crate::records) const LENGTH_AT: usize = 12;
/// Offsets in an index entry of the record's identifier, as text, and the record's name.
const GUID_AT: usize = 20;
const NAME_AT: usize = 100;
const NAME: usize = 128;
const BLOCK: usize = 4096;

/// A record according to the index, or found without it.
struct Entry {
    /// Number of its index entry, from 0; none if the index lacks the record.
    number: Option<usize>,
    order: u32,
    is_deleted: bool,
    start: usize,
    length: usize,
}

impl Entry {
    /// Whether the entry has a state of those in use. The bytes of records, which a wrong capacity makes entries, have others.
    fn is_listed(&self, index: &[u8]) -> bool {
        let state = self.number.and_then(|number| u32_at(index, INDEX_ENTRY * number));
        state.is_some_and(|state| [DELETED, IN_USE].contains(&state))
    }
}

/// The records of a library, in the order in which the program lists them, and then the deleted ones.
pub(in crate::records) struct Library {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Number of entries that have been read.
    at: usize,
    /// Number of entries whose records start after the end of the file. Reported in a single error at the end.
    missing: usize,
    /// If the index does not lead to the records: how many were found without it, and how many are in it. Reported with the first record.
    searched: Option<(usize, usize)>,
    /// Offset at which another library begins, if files were joined. Reported in an error at the end.
    other: Option<usize>,
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
        // A stated capacity beyond the end of the file is wrong if records follow a smaller index.
        let is_cut = bytes.len() < index_end;
        let index = bytes.get(INDEX_AT..index_end.min(bytes.len())).unwrap_or_default();
        let (mut entries, mut searched) = (entries(index, index_end), None);
        if is_cut || leads_elsewhere(&bytes, index, &entries) {
            let found = found(&bytes, index);
            if !found.is_empty() {
                searched = Some((found.len(), entries.iter().filter(|entry| entry.is_listed(index)).count()));
                entries = found;
            }
        }
        if is_cut && searched.is_none() {
            return Err(RecordError::new(
                format!("byte {}", bytes.len()),
                RecordProblem::Truncated(format!("the CBL index of {capacity} entries, expected {index_end} bytes or more")),
            ));
        }
        let end = entries.iter().map(|entry| entry.start.saturating_add(entry.length)).max().unwrap_or(index_end);
        let behind = bytes.get(end..).unwrap_or_default();
        let other = behind.windows(LIBRARY_MAGIC.len()).position(|part| part == LIBRARY_MAGIC).map(|at| end + at);
        // CCBridge keeps deleted records, and numbers the others without them.
        sort_by(&mut entries, |a, b| (a.is_deleted, a.order).cmp(&(b.is_deleted, b.order)));
        let text = |offset, size| field(&bytes, offset, size).replace("\r\n", "\n");
        let tags = FIELDS.iter().map(|&(offset, size, tag)| (tag, text(offset, size))).collect();
        Ok(Library { bytes, entries, at: 0, missing: 0, searched, other, tags })
    }

    /// Opens a library of any version.
    ///
    /// # Errors
    /// Same as [`Library::open`].
    pub(in crate::records) fn source(file: File) -> Result<Box<dyn Source>, RecordError> {
        if file.bytes.starts_with(PACKED_MAGIC) {
            #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
            return PackedLibrary::source(file);
            #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
            return Err(RecordError::new(
                "byte 0",
                "a compressed library of an old version, which is not read in a browser".to_string(),
            ));
        }
        Ok(Box::new(Library::open(file.bytes)?))
    }
}

/// The entries of an index, and the places of their records, of which the first starts at `start`.
fn entries(index: &[u8], mut start: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (number, entry) in index.chunks_exact(INDEX_ENTRY).enumerate() {
        let [state, order, blocks, length] = [0, ORDER_AT, BLOCKS_AT, LENGTH_AT].map(|at| u32_at(entry, at).unwrap_or(0));
        if state == FREE {
            continue;
        }
        let length = length as usize;
        entries.push(Entry { number: Some(number), order, is_deleted: state == DELETED, start, length });
        // Libraries that chuhe wrote before it knew the meaning of the fields have 1 as the number of blocks, and the first block of the
        // record as its position.
        let blocks = (blocks as usize).max(length.div_ceil(BLOCK));
        start = start.saturating_add(blocks.saturating_mul(BLOCK));
    }
    entries
}

/// The identifier of an index entry as text. Empty if the program that wrote the library left it out.
fn guid_of_entry(index: &[u8], number: usize) -> String {
    field(index, INDEX_ENTRY * number + GUID_AT, NAME_AT - GUID_AT).to_ascii_uppercase()
}

/// The identifier of the record at an offset, in the form of the index. Empty at the end of the file.
fn guid_of_record(bytes: &[u8], start: usize) -> String {
    let guid = bytes.get(start..).and_then(|record| record.get(super::GUID_AT..super::GUID_AT + GUID));
    guid.and_then(|guid| guid.try_into().ok()).map_or_else(String::new, text_of)
}

/// The numbers of the entries in use with each identifier, the last one first.
fn entries_by_guid(index: &[u8]) -> BTreeMap<String, Vec<usize>> {
    let mut numbers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for number in (0..index.len() / INDEX_ENTRY).rev().filter(|number| u32_at(index, INDEX_ENTRY * number) != Some(FREE)) {
        numbers.entry(guid_of_entry(index, number)).or_default().push(number);
    }
    numbers.remove("");
    numbers
}

/// Whether the index is empty, or leads to a place in the file where no record begins, or one with the identifier of another entry.
fn leads_elsewhere(bytes: &[u8], index: &[u8], entries: &[Entry]) -> bool {
    let known = entries_by_guid(index);
    let is_wrong = |entry: &Entry| {
        let rest = bytes.get(entry.start..).unwrap_or_default();
        let guid = guid_of_record(bytes, entry.start);
        let is_of_other = || known.contains_key(&guid) && entry.number.is_some_and(|number| guid_of_entry(index, number) != guid);
        !RECORD_MAGIC.starts_with(&rest[..rest.len().min(RECORD_MAGIC.len())]) || is_of_other()
    };
    entries.is_empty() || entries.iter().any(is_wrong)
}

/// The records in the blocks of a library from the first record on, with their index entries by their identifiers. Needed if the index does not
/// lead to them: some programs write no index, or state another size of it, and a library can lack a record that is in its index.
fn found(bytes: &[u8], index: &[u8]) -> Vec<Entry> {
    let behind = bytes.get(INDEX_AT..).unwrap_or_default();
    let first = behind.windows(RECORD_MAGIC.len()).position(|part| part == RECORD_MAGIC);
    let Some(first) = first.map(|at| INDEX_AT + at) else { return Vec::new() };
    let is_record = |at: &usize| bytes[*at..].starts_with(RECORD_MAGIC);
    let starts: Vec<usize> = (first..bytes.len()).step_by(BLOCK).filter(is_record).collect();
    let mut known = entries_by_guid(index);
    let mut entries = Vec::new();
    for (at, &start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(bytes.len());
        let number = known.get_mut(&guid_of_record(bytes, start)).and_then(Vec::pop);
        let stated = |at: usize| number.and_then(|number| u32_at(index, INDEX_ENTRY * number + at));
        let (order, is_deleted) = (stated(ORDER_AT).unwrap_or(u32::MAX), stated(0) == Some(DELETED));
        entries.push(Entry { number, order, is_deleted, start, length: end - start });
    }
    entries
}

impl Source for Library {
    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        while let Some(&Entry { number, start, length, is_deleted, .. }) = self.entries.get(self.at) {
            self.at += 1;
            let place = number.map_or_else(|| format!("byte {start}"), |number| format!("index entry {}", number + 1));
            let shown = number.map_or(self.at, |number| number + 1);
            let Some(rest) = self.bytes.get(start..).filter(|rest| !rest.is_empty()) else {
                self.missing += 1;
                continue;
            };
            let bytes = &rest[..length.min(rest.len())];
            let mut record = match read(bytes) {
                Ok(record) => record,
                Err(error) => return Some(Err(error.within(&place))),
            };
            if let Some((found, stated)) = self.searched.take() {
                record.warn(warning!(
                    "the index of the library does not lead to its records; found without it: {0}, in the index: {1}",
                    "棋库索引所指之处不是相应的棋谱；不用索引找到{0}局，索引中有{1}局",
                    found,
                    stated
                ));
            }
            if bytes.len() < length {
                record.warn(warning!(
                    "index entry {0}: the file ends inside the record",
                    "第{0}个索引项：文件在棋谱中间结束",
                    shown
                ));
            }
            if is_deleted {
                record.warn(warning!("index entry {0}: deleted in the library", "第{0}个索引项：在棋库中已删除", shown));
            }
            let entry = number.map(|number| INDEX_AT + INDEX_ENTRY * number);
            let name = entry.map(|entry| field(&self.bytes[..entry + INDEX_ENTRY], entry + NAME_AT, NAME)).unwrap_or_default();
            if record.tag("Title").is_none() {
                record.set_tag("Title", name);
            } else if record.tag("Title") != Some(name.as_str()) {
                record.set_tag(INDEX_TITLE, name);
            }
            self.tags.iter().for_each(|(tag, value)| record.set_tag(tag, value.as_str()));
            self.tags.retain(|(tag, _)| *tag != LIBRARY_REMARK);
            return Some(Ok(record));
        }
        let missing = std::mem::take(&mut self.missing);
        if missing > 0 {
            let problem = format!("the file ends before {missing} of the records in its index");
            return Some(Err(RecordError::new(format!("byte {}", self.bytes.len()), problem)));
        }
        let at = self.other.take()?;
        Some(Err(RecordError::new(format!("byte {at}"), "another library begins, which is left out, since a file holds one")))
    }

    fn progress(&self) -> (usize, usize) {
        (self.at, self.entries.len())
    }
}

/// Writer of a library. The header at the start contains the number of records, so the encoded records are held in memory until the
/// end.
#[derive(Default)]
pub(in crate::records) struct LibraryWriter {
    header: Vec<u8>,
    index: Vec<u8>,
    blocks: Vec<u8>,
    /// Size of further blocks that are not kept, since the library is too large anyway.
    beyond: usize,
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
        let elsewhere: Vec<&str> = FIELDS.iter().map(|(.., tag)| *tag).chain([INDEX_TITLE]).collect();
        let bytes = write_without(record, &elsewhere, &mut losses)?;
        self.header.resize(INDEX_AT, 0);
        for ((offset, size, tag), known) in FIELDS.into_iter().zip(&mut self.texts) {
            match (record.tag(tag), known) {
                (Some(text), known @ None) => {
                    let lines = text.replace('\n', "\r\n");
                    losses.add(SHORTENED, !put_field(&mut self.header, offset, size, &lines) as usize);
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
        let (order, blocks) = (entry / INDEX_ENTRY, bytes.len().div_ceil(BLOCK));
        let [order, blocks, length] = [order, blocks, bytes.len()].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        for (at, number) in [(0, IN_USE), (ORDER_AT, order), (BLOCKS_AT, blocks), (LENGTH_AT, length)] {
            self.index[entry + at..entry + at + 4].copy_from_slice(&number.to_le_bytes());
        }
        let guid: [u8; GUID] = bytes[super::GUID_AT..super::GUID_AT + GUID].try_into().unwrap_or_default();
        put_field(&mut self.index, entry + GUID_AT, NAME_AT - GUID_AT, &text_of(guid));
        let title = record.tag(INDEX_TITLE).or_else(|| record.tag("Title")).unwrap_or_default();
        let is_whole = put_field(&mut self.index, entry + NAME_AT, NAME, title);
        // For the title of the record, the loss was already counted.
        losses.add(SHORTENED, (!is_whole && record.tag(INDEX_TITLE).is_some()) as usize);
        let size = bytes.len().next_multiple_of(BLOCK);
        if self.beyond > 0 || (self.blocks.len() + size) as u64 > MAX_FILE {
            self.beyond += size;
        } else {
            self.blocks.extend_from_slice(&bytes);
            self.blocks.resize(self.blocks.len().next_multiple_of(BLOCK), 0);
        }
        Ok(losses)
    }

    /// The bytes of the entire library.
    ///
    /// # Errors
    /// Returns an error if it has more records or bytes than its index can hold, or is larger than the files that are read.
    pub(in crate::records) fn finish(mut self) -> Result<Vec<u8>, RecordError> {
        let games = self.index.len() / INDEX_ENTRY;
        let capacity = games.max(LEAST_CAPACITY).next_power_of_two();
        let stated = u32::try_from(capacity).ok().filter(|_| self.blocks.len() / BLOCK <= u32::MAX as usize);
        let too_many = || RecordError::of(format!("{games} records, more than the index of a CBL library can hold"));
        let stated = stated.ok_or_else(too_many)?;
        let size = INDEX_AT + INDEX_ENTRY * capacity + self.blocks.len() + self.beyond;
        if size as u64 > MAX_FILE {
            let too_large = RecordProblem::TooLarge(MAX_FILE);
            return Err(RecordError::of(format!(
                "{games} games make a CBL library of {} MiB, {too_large}; write several",
                size >> 20
            )));
        }
        self.header.resize(INDEX_AT, 0);
        self.header[..LIBRARY_MAGIC.len()].copy_from_slice(LIBRARY_MAGIC);
        self.header[KIND_AT] = KIND;
        self.header[KIND_AT + 4..KIND_AT + 4 + GUID].copy_from_slice(&super::guid(&self.blocks));
        self.header[UNKNOWN_AT..UNKNOWN_AT + 4].copy_from_slice(&UNKNOWN.to_le_bytes());
        self.header[CAPACITY_AT..CAPACITY_AT + 4].copy_from_slice(&stated.to_le_bytes());
        self.index.resize(INDEX_ENTRY * capacity, 0);
        Ok([self.header, self.index, self.blocks].concat())
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

    /// The index entry of a record in use.
    fn entry(order: u32, blocks: u32, length: usize) -> Vec<u8> {
        let mut entry = vec![0; INDEX_ENTRY];
        for (at, number) in [(0, IN_USE), (ORDER_AT, order), (BLOCKS_AT, blocks), (LENGTH_AT, length as u32)] {
            entry[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        entry
    }

    /// A library of these index entries and records.
    fn library_with(entries: &[Vec<u8>], records: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = library()[..INDEX_AT].to_vec();
        bytes[CAPACITY_AT..CAPACITY_AT + 4].copy_from_slice(&(entries.len() as u32).to_le_bytes());
        bytes.extend(entries.concat());
        let base = bytes.len();
        for record in records {
            bytes.extend(record);
            bytes.resize(base + (bytes.len() - base).next_multiple_of(BLOCK), 0);
        }
        bytes
    }

    /// Records with a comment of this many characters, and their number as title.
    fn titled(lengths: &[usize]) -> Vec<Vec<u8>> {
        let of_length = |(number, &length): (usize, &usize)| {
            let mut record = read(&crate::records::fuzzing::cbr()).unwrap();
            record.set_tag("Title", number.to_string());
            record.append_comment(record.root(), &"评".repeat(length));
            super::super::write(&record).unwrap().0
        };
        lengths.iter().enumerate().map(of_length).collect()
    }

    fn titles(bytes: Vec<u8>) -> Vec<String> {
        all(bytes).into_iter().map(|record| record.unwrap().tag("Title").unwrap().to_string()).collect()
    }

    #[test]
    fn records_lie_in_the_order_of_the_index_and_are_listed_by_their_numbers() {
        let records = titled(&[5000, 10, 3000, 10]);
        let blocks: Vec<usize> = records.iter().map(|record| record.len().div_ceil(BLOCK)).collect();
        assert!(blocks[0] > 2 && blocks[1] == 1 && blocks[2] > 1, "{blocks:?}");
        let entries: Vec<_> = (0..4).map(|at| entry([2, 0, 3, 1][at], blocks[at] as u32, records[at].len())).collect();
        assert_eq!(titles(library_with(&entries, &records)), ["1", "3", "0", "2"]);
        // As written by earlier versions: the first block, and always one block.
        let first = |at: usize| blocks[..at].iter().sum::<usize>() as u32;
        let entries: Vec<_> = (0..4).map(|at| entry(first(at), 1, records[at].len())).collect();
        assert_eq!(titles(library_with(&entries, &records)), ["0", "1", "2", "3"]);
    }

    #[test]
    fn deleted_records_come_last_with_a_warning() {
        let records = titled(&[10, 3000, 10]);
        let of_record = |record: &Vec<u8>| entry(0, record.len().div_ceil(BLOCK) as u32, record.len());
        let mut entries: Vec<Vec<u8>> = records.iter().map(of_record).collect();
        entries[1][0] = DELETED as u8;
        let bytes = library_with(&entries, &records);
        assert_eq!(titles(bytes.clone()), ["0", "2", "1"]);
        let warnings: Vec<usize> = all(bytes.clone()).iter().map(|record| record.as_ref().unwrap().warnings().len()).collect();
        assert_eq!(warnings, [0, 0, 1]);
        assert_eq!(all(bytes).remove(2).unwrap().warnings(), ["index entry 2: deleted in the library"]);
        entries.iter_mut().for_each(|entry| entry[0] = DELETED as u8);
        assert_eq!(titles(library_with(&entries, &records)), ["0", "1", "2"]);
    }

    #[test]
    fn hostile_numbers_in_the_index_are_limited() {
        let records = titled(&[10]);
        let entries = [entry(9, u32::MAX, records[0].len()), entry(u32::MAX, u32::MAX, 1 << 31), entry(3, 0, 0), entry(2, 1, 5)];
        let mut results = all(library_with(&entries, &records));
        let last = results.pop().unwrap().unwrap_err().to_string();
        assert!(last.contains("the file ends before 3 of the records"), "{last}");
        assert!(results.len() == 1 && results[0].is_ok());
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
        let mut results = all(bytes[..bytes.len() - 12 * BLOCK].to_vec());
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
                // Some take several blocks.
                record.append_comment(record.root(), &"评".repeat(100 * number));
                record
            })
            .collect();
        let (bytes, losses) = library_of(&records);
        assert!(losses.is_empty(), "{losses}");
        assert_eq!(u32_at(&bytes, CAPACITY_AT), Some(256));
        assert!((bytes.len() - INDEX_AT - 256 * INDEX_ENTRY).is_multiple_of(BLOCK));
        for number in 0..records.len() {
            let entry = INDEX_AT + number * INDEX_ENTRY;
            let [order, blocks, length] = [ORDER_AT, BLOCKS_AT, LENGTH_AT].map(|at| u32_at(&bytes, entry + at).unwrap() as usize);
            assert_eq!((order, blocks), (number, length.div_ceil(BLOCK)));
        }
        let back: Vec<Record> = all(bytes).into_iter().map(Result::unwrap).collect();
        assert_eq!(back, records);
        assert!(back.iter().all(|record| record.warnings().is_empty()));
    }

    #[test]
    fn a_library_joined_to_another_is_reported() {
        let mut writer = LibraryWriter::default();
        writer.add(&Record::new(crate::records::Setup::standard())).unwrap();
        let bytes = writer.finish().unwrap();
        let found = all([bytes.as_slice(), bytes.as_slice()].concat());
        let error = found.last().and_then(|last| last.as_ref().err()).unwrap().to_string();
        assert!(found.len() == 2 && found[0].is_ok(), "{error}");
        assert_eq!(error, format!("byte {}: another library begins, which is left out, since a file holds one", bytes.len()));
    }

    #[test]
    fn a_library_larger_than_what_is_read_is_not_written() {
        // Zeroed memory that is never touched.
        let writer = LibraryWriter { blocks: vec![0; MAX_FILE as usize], ..LibraryWriter::default() };
        let error = writer.finish().unwrap_err().to_string();
        assert_eq!(error, "0 games make a CBL library of 256 MiB, larger than 256 MiB, the most that is read; write several");
    }

    #[test]
    fn the_texts_of_a_library_are_kept() {
        let mut records = vec![all(library()).remove(0).unwrap(); 2];
        for (tag, value) in [("LibraryEmail", "a@b"), (LIBRARY_CREATED, "2017-05-28"), (LIBRARY_MODIFIED, "2019-02-06")] {
            records.iter_mut().for_each(|record| record.set_tag(tag, value));
        }
        records[0].set_tag(LIBRARY_REMARK, "说明\n第二行");
        let (bytes, losses) = library_of(&records);
        assert!(losses.is_empty(), "{losses}");
        assert_eq!(all(bytes).into_iter().map(Result::unwrap).collect::<Vec<_>>(), records);
    }

    #[test]
    fn records_to_which_the_index_does_not_lead_are_found() {
        let records: Vec<Record> = titled(&[10, 3000, 10]).iter().map(|record| read(record).unwrap()).collect();
        let (bytes, _) = library_of(&records);
        let warnings = |bytes: Vec<u8>| all(bytes).into_iter().map(|record| record.unwrap().warnings().len()).collect::<Vec<_>>();
        assert_eq!(warnings(bytes.clone()), [0, 0, 0]);
        // No index; the number of games in place of the capacity, in an index of the usual size.
        let mut without = bytes.clone();
        without[INDEX_AT..INDEX_AT + 3 * INDEX_ENTRY].fill(0);
        let mut small = bytes.clone();
        small[CAPACITY_AT] = 3;
        // A capacity whose index would end behind the file.
        let mut large = bytes.clone();
        large[CAPACITY_AT + 2] = 1;
        for bytes in [without, small, large] {
            assert_eq!(titles(bytes.clone()), ["0", "1", "2"]);
            assert_eq!(warnings(bytes), [1, 0, 0]);
        }
        // A file that ends in its index has no records.
        let error = Library::open(bytes[..INDEX_AT + 4 * INDEX_ENTRY].to_vec()).err().unwrap().to_string();
        assert!(error.contains("the CBL index of 128 entries"), "{error}");
        // The second record is missing.
        let mut lacking = bytes.clone();
        let start = INDEX_AT + LEAST_CAPACITY * INDEX_ENTRY + BLOCK;
        lacking.drain(start..start + 3 * BLOCK);
        let back: Vec<Record> = all(lacking).into_iter().map(Result::unwrap).collect();
        assert_eq!(back, [records[0].clone(), records[2].clone()]);
        assert_eq!(
            back[0].warnings(),
            ["the index of the library does not lead to its records; found without it: 2, in the index: 3"]
        );
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
