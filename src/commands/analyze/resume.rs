//! A file of results that is gone on in after an interruption. Its settings lie beside it, in `OUT.settings.json`, since every
//! line of the file itself is a result.

use super::Analyze;
use super::error::AnalyzeError;
use crate::commands::Failure;
use crate::commands::files::{self, Force, OutputFile};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The settings that the results of one file share.
#[derive(Serialize, Deserialize)]
struct Settings {
    depth: Option<i32>,
    nodes: Option<u64>,
    movetime: Option<u64>,
    multipv: u16,
    threads: u16,
    hash: u32,
    fresh: bool,
    rules: String,
    notation: String,
    #[serde(default)]
    script: String,
    #[serde(default)]
    network: String,
}

impl Settings {
    fn of(arguments: &Analyze) -> Settings {
        Settings {
            depth: arguments.depth,
            nodes: arguments.nodes,
            movetime: arguments.movetime(),
            multipv: arguments.multipv,
            threads: arguments.threads,
            hash: arguments.hash,
            fresh: arguments.fresh,
            rules: arguments.rules.id().into(),
            notation: arguments.notation.id().into(),
            script: format!("{:?}", arguments.script).to_ascii_lowercase(),
            network: crate::nnue::embedded_name(),
        }
    }

    /// What differs in words, such as `depth 4 (now 6)`; empty when nothing does.
    fn differences(&self, now: &Settings) -> String {
        let [then, now] = [self, now].map(|settings| serde_json::to_value(settings).unwrap_or_default());
        let Some(then) = then.as_object() else { return String::new() };
        // An empty text: the file was begun before this setting was noted.
        let differing = then.iter().filter(|(name, value)| now.get(name.as_str()) != Some(*value) && *value != "");
        let words = differing.map(|(name, value)| {
            let shown =
                |value: &serde_json::Value| if value.is_null() { "none".into() } else { value.to_string().replace('"', "") };
            format!("{name} {} (now {})", shown(value), shown(&now[name.as_str()]))
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

/// Where the settings of a file of results lie.
pub fn settings_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".settings.json");
    name.into()
}

/// The lines of an earlier run.
pub type Known = io::Take<BufReader<File>>;

/// The file that is written on.
pub struct ResumeFile {
    path: PathBuf,
    file: File,
}

impl ResumeFile {
    /// Opens the file and gives the lines that it holds. A last line without an end was cut off and is written again.
    ///
    /// # Errors
    /// When it is an input, was begun with other settings or by another program, or cannot be written.
    pub fn open(path: &Path, arguments: &Analyze, inputs: &[PathBuf]) -> Result<(ResumeFile, Known), Failure> {
        // It is there to be written on; only what it must not be is asked for.
        files::check(path, inputs, Force { force: true })?;
        let failed = |source: io::Error| AnalyzeError::Resume { path: path.to_path_buf(), source };
        let is_new = path.metadata().map_or(true, |data| data.len() == 0);
        let settings = Settings::of(arguments);
        let beside = settings_path(path);
        if !is_new {
            check_settings(path, &beside, &settings, arguments.force)?;
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        // From here on a file that stays empty goes away again.
        let mut resumed = ResumeFile { path: path.to_path_buf(), file };
        let whole = end_of_last_line(&mut resumed.file).map_err(failed)?;
        let text = serde_json::to_string(&settings).unwrap_or_default() + "\n";
        OutputFile::write_whole(&beside, text.as_bytes(), inputs, Force { force: true })?;
        resumed.file.set_len(whole).and_then(|()| resumed.file.seek(SeekFrom::End(0))).map_err(failed)?;
        let known = BufReader::new(File::open(path).map_err(failed)?).take(whole);
        Ok((resumed, known))
    }

    /// Writes a line and hands it to the system: a killed process must not lose it.
    ///
    /// # Errors
    /// When the disk is full.
    pub fn line(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.file.write_all(format!("{text}\n").as_bytes());
        written.map_err(|source| AnalyzeError::Resume { path: self.path.clone(), source }.into())
    }
}

impl Drop for ResumeFile {
    /// A file without a single result is not left behind.
    fn drop(&mut self) {
        if self.file.metadata().is_ok_and(|data| data.is_file() && data.len() == 0) {
            let _ = std::fs::remove_file(&self.path);
            let _ = std::fs::remove_file(settings_path(&self.path));
        }
    }
}

/// Makes sure that the file holds results, found with these settings unless that does not matter.
fn check_settings(path: &Path, beside: &Path, settings: &Settings, force: bool) -> Result<(), AnalyzeError> {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).take(1 << 24).read_until(b'\n', &mut first));
    read.map_err(|source| AnalyzeError::Resume { path: path.to_path_buf(), source })?;
    // A torn first line is still the beginning of an object.
    let is_result = match first.last() {
        Some(b'\n') => serde_json::from_slice::<serde_json::Map<_, _>>(&first).is_ok(),
        _ => first.starts_with(b"{\"file\":"),
    };
    if !is_result {
        return Err(AnalyzeError::Foreign { path: path.to_path_buf() });
    }
    if force {
        return Ok(());
    }
    let text = std::fs::read(beside).ok();
    let Some(begun) = text.and_then(|text| serde_json::from_slice::<Settings>(&text).ok()) else {
        return Err(AnalyzeError::UnknownSettings { path: path.to_path_buf(), settings: beside.to_path_buf() });
    };
    let differences = begun.differences(settings);
    if differences.is_empty() {
        Ok(())
    } else {
        Err(AnalyzeError::OtherSettings { path: path.to_path_buf(), begun: differences })
    }
}

/// Bytes up to and with the last line feed.
fn end_of_last_line(file: &mut File) -> io::Result<u64> {
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = [0u8; 4096];
    while end > 0 {
        let size = end.min(block.len() as u64) as usize;
        file.seek(SeekFrom::Start(end - size as u64))?;
        file.read_exact(&mut block[..size])?;
        if let Some(at) = block[..size].iter().rposition(|&byte| byte == b'\n') {
            return Ok(end - size as u64 + at as u64 + 1);
        }
        end -= size as u64;
    }
    Ok(0)
}
