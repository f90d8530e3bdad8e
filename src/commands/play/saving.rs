//! Saving of games: to the file of `--pgn`, and with `save`.

use super::{Game, Side};
use crate::commands::Failure;
use crate::commands::failure::FileError;
use crate::commands::files::{Force, OutputFile};
use crate::notation::System;
use crate::records::{self, Format, Losses, PgnOptions, Record, RecordResult};
use crate::system::{is_same_file, pgn_of_system};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A file written by this run, which it may replace.
pub struct OwnFile {
    path: PathBuf,
    format: Format,
    /// The previous games.
    earlier: Vec<u8>,
    /// The current game as last written, if it was.
    game: Option<Vec<u8>>,
}

impl OwnFile {
    /// Prepares for another game; false if the format allows only one.
    fn begin_next(&mut self) -> bool {
        if let Some(game) = self.game.take() {
            self.earlier.extend(game);
            // Games are separated by an empty line.
            self.earlier.extend_from_slice(pgn_of_system().line_ends.of("\n").as_bytes());
        }
        self.format == Format::Pgn
    }
}

impl Game<'_> {
    /// Writes all games so far to the file of `--pgn`, if this one has changed.
    pub(super) fn save_to_pgn(&mut self) -> Result<(), Failure> {
        // A game without moves or result only replaces what this run has written of it.
        let is_game = self.position.plies() > 0 || self.result.is_some() || self.is_in_pgn;
        if self.is_unsaved && is_game { self.write_to_pgn() } else { Ok(()) }
    }

    /// Notes that the game has changed, so that no file has it as it is.
    pub(super) fn set_unsaved(&mut self) {
        (self.is_unsaved, self.is_saved_elsewhere) = (true, false);
    }

    /// Reports that the file of `--pgn` cannot be written. The session goes on: otherwise this game would be lost.
    pub(super) fn tell_unsaved(&mut self, failure: &Failure) -> Result<(), Failure> {
        let advice = self.either("; save FILE writes the game to another file", "；可用 save FILE 将对局存为另一文件");
        writeln!(self.output, "{}{advice}", self.text_of(failure))
    }

    /// The text of a failure to save, in the language of the messages.
    pub(super) fn text_of(&self, failure: &Failure) -> String {
        self.either(Failure::to_string as fn(&Failure) -> String, in_chinese)(failure)
    }

    fn write_to_pgn(&mut self) -> Result<(), Failure> {
        let Some(path) = &self.arguments.pgn else { return Ok(()) };
        let games = [&self.earlier[..], &self.pgn()?].concat();
        // After the first write the file is ours and may be replaced without --force.
        let force = Force { force: self.arguments.force.force || self.has_written_pgn };
        OutputFile::write_whole(path, &games, &[], force)?;
        (self.is_unsaved, self.has_written_pgn, self.is_in_pgn) = (false, true, true);
        Ok(())
    }

    /// Writes this game to a file, after the games of this run that it already contains; without a name, to the last file used. Returns the
    /// path, and what the format cannot store.
    pub(super) fn save(&mut self, name: &str) -> Result<(PathBuf, Losses), Failure> {
        // File managers and terminals put a path into quotation marks when it is copied or dropped.
        let bare = |mark: char| name.strip_prefix(mark).and_then(|name| name.strip_suffix(mark));
        let name = bare('"').or_else(|| bare('\'')).unwrap_or(name);
        let path = match (name, self.own_files.last()) {
            ("", Some(last)) => last.path.clone(),
            ("", None) => {
                let expected = self.either("save: expected the name of a file after it", "save：后面应为文件名");
                self.arguments.pgn.clone().ok_or(expected)?
            }
            _ => PathBuf::from(name),
        };
        if self.arguments.pgn.as_ref().is_some_and(|pgn| is_same_file(pgn, &path)) {
            self.write_to_pgn()?;
            return Ok((path, Losses::default()));
        }
        let format = format_of(&path).map_err(|[english, chinese]| self.either(english, chinese))?;
        let (game, losses) = self.record().and_then(|record| written(&record, format))?;
        let mut file = match self.own_files.iter().position(|own| is_same_file(&own.path, &path)) {
            Some(index) => {
                // If this fails, the file remains one of this run, and the next attempt may replace it.
                let games = [&self.own_files[index].earlier[..], &game].concat();
                OutputFile::write_whole(&path, &games, &[], Force { force: true })?;
                self.own_files.remove(index)
            }
            None if path.is_file() => {
                let path = path.display();
                let english = format!("save {path}: exists already, expected another name");
                return Err(self.either(english, format!("save {path}：已存在，请换一个名字")).into());
            }
            None => {
                OutputFile::write_whole(&path, &game, &[], Force { force: false })?;
                OwnFile { path: path.clone(), format, earlier: Vec::new(), game: None }
            }
        };
        file.game = Some(game);
        self.own_files.push(file);
        self.is_saved_elsewhere = true;
        Ok((path, losses))
    }

    /// Stores this game before another begins.
    pub(super) fn keep(&mut self) -> Result<(), Failure> {
        // A game that `save` has written does not keep the next one from beginning.
        self.save_to_pgn().or_else(|failure| if self.is_saved_elsewhere { Ok(()) } else { Err(failure) })?;
        if self.position.plies() > 0 || self.result.is_some() {
            let game = self.pgn()?;
            self.earlier.extend(game);
            self.earlier.extend_from_slice(pgn_of_system().line_ends.of("\n").as_bytes());
        }
        // A file of a format with one game is finished.
        self.own_files.retain_mut(OwnFile::begin_next);
        Ok(())
    }

    /// The game as PGN.
    fn pgn(&self) -> Result<Vec<u8>, Failure> {
        Ok(written(&self.record()?, Format::Pgn)?.0)
    }

    /// The game as a record.
    fn record(&self) -> Result<Record, Failure> {
        let mut record = Record::of_position(&self.position).map_err(Failure::at("the game"))?;
        let engine = format!("chuhe {} level {}", env!("CARGO_PKG_VERSION"), self.played_level.unwrap_or(self.level));
        let [red, black] = match self.arguments.side {
            Side::Red => ["Player", &engine],
            Side::Black => [&engine, "Player"],
            Side::Both => ["Player", "Player"],
        };
        record.set_tag("Date", crate::arena::today());
        record.set_tag("Red", red);
        record.set_tag("Black", black);
        record.result = self.result.map_or(RecordResult::Unknown, RecordResult::from);
        Ok(record)
    }
}

/// The format for a file name, or why there is none, in English and in Chinese.
fn format_of(path: &Path) -> Result<Format, [String; 2]> {
    let place = path.display();
    let expected: Vec<String> = Format::ALL
        .into_iter()
        .filter(|format| format.is_written() && *format != Format::Fen)
        .map(|format| format!(".{}", format.extension()))
        .collect();
    let (expected, listed) = (expected.join(", "), expected.join("、"));
    match Format::of_path(path) {
        Some(Format::Fen) => Err([
            format!("save {place}: a list of positions cannot contain a game, expected one of {expected}"),
            format!("save {place}：局面列表不能存对局，应为{listed}之一"),
        ]),
        Some(format) if !format.is_written() => Err([
            format!("save {place}: {format} is not written, expected one of {expected}"),
            format!("save {place}：不能写成{format}，应为{listed}之一"),
        ]),
        Some(format) => Ok(format),
        None if path.extension().is_none() => Ok(Format::Pgn),
        None => Err([
            format!("save {place}: an unknown extension, expected one of {expected}, or none for PGN"),
            format!("save {place}：未知的扩展名，应为{listed}之一，PGN可不写"),
        ]),
    }
}

/// Why a file could not be written, in Chinese.
fn in_chinese(failure: &Failure) -> String {
    match failure {
        Failure::File(FileError::Exists(path)) => format!("{}：已存在", path.display()),
        Failure::File(FileError::IsFolder(path)) => format!("{}：是文件夹，应为文件", path.display()),
        Failure::File(FileError::System { path, source }) => {
            let reason = match source.kind() {
                ErrorKind::NotFound => "所在的文件夹不存在",
                ErrorKind::NotADirectory => "上一级不是文件夹",
                ErrorKind::PermissionDenied => "没有写入的权限",
                ErrorKind::ReadOnlyFilesystem => "文件系统为只读",
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "没有剩余空间",
                _ => return format!("{}：无法写入（{source}）", path.display()),
            };
            format!("{}：无法写入，{reason}", path.display())
        }
        other => other.to_string(),
    }
}

/// Encodes a game as a file. Returns what the format cannot store, too.
fn written(record: &Record, format: Format) -> Result<(Vec<u8>, Losses), Failure> {
    let options = PgnOptions { notation: System::Iccs, ..pgn_of_system() };
    Ok(records::write(record, format, &options)?)
}
