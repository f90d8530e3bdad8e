//! The `--resume` file: results of a run that can continue after an interruption. Its settings are stored in `OUT.settings.json`, since
//! every line of the file itself is a result.

use super::Analyze;
use super::error::AnalyzeError;
use crate::commands::Failure;
use crate::commands::files::{self, Force, OutputFile};
use crate::commands::output::note;
use crate::system::{LockedFile, is_device};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The settings shared by all results of a file.
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
    #[serde(default)]
    book: String,
    #[serde(default)]
    endgames: String,
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
            notation: arguments.system().id().into(),
            script: format!("{:?}", arguments.script).to_ascii_lowercase(),
            network: crate::nnue::Network::builtin_name(),
            book: arguments.book.as_ref().map_or("built-in".into(), |path| path.display().to_string()),
            endgames: ["built-in".to_string()]
                .into_iter()
                .chain(arguments.endgames.iter().map(|path| path.display().to_string()))
                .collect::<Vec<_>>()
                .join(";"),
        }
    }

    /// The differences as text, such as `depth 4 (now 6)`; empty if there are none.
    fn differences(&self, now: &Settings) -> String {
        let [then, now] = [self, now].map(|settings| serde_json::to_value(settings).unwrap_or_default());
        let Some(then) = then.as_object() else { return String::new() };
        // An empty value: the file was begun by a version that did not store this setting.
        let differing = then.iter().filter(|(name, value)| now.get(name.as_str()) != Some(*value) && *value != "");
        let words = differing.map(|(name, value)| {
            let shown =
                |value: &serde_json::Value| if value.is_null() { "none".into() } else { value.to_string().replace('"', "") };
            format!("{name} {} (now {})", shown(value), shown(&now[name.as_str()]))
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

/// The path of the settings of a results file.
pub fn settings_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".settings.json");
    name.into()
}

/// Reader of the lines of an earlier run.
pub type EarlierLines = io::Take<BufReader<File>>;

/// The results file. It and its settings are unchanged until [`ResumeFile::begin`], which is called after all existing lines have been
/// compared with the input.
pub struct ResumeFile {
    path: PathBuf,
    file: LockedFile,
    /// Bytes of complete lines; a truncated line may follow.
    complete: u64,
    settings_path: PathBuf,
    settings: Settings,
    is_begun: bool,
    /// Whether this run created the settings file; only then may it be removed.
    creates_settings: bool,
}

impl ResumeFile {
    /// Opens the file and returns a reader of its lines. A last line without a line feed is truncated and will be written again.
    ///
    /// # Errors
    /// If the file is an input, was begun with other settings or by another program, cannot be written, or is being written by another run;
    /// or if the path of the settings is occupied by another file.
    pub fn open(path: &Path, arguments: &Analyze, inputs: &[PathBuf]) -> Result<(ResumeFile, EarlierLines), Failure> {
        // The file may exist; `check` only rejects inputs and folders here.
        let may_exist = Force { force: true };
        files::check(path, inputs, may_exist)?;
        if is_device(path) {
            return Err(AnalyzeError::NoFile { path: path.to_path_buf() }.into());
        }
        let failed = |source: io::Error| AnalyzeError::Resume { path: path.to_path_buf(), source };
        let file = LockedFile::open(path).map_err(failed)?;
        let is_new = file.length().map_err(failed)? == 0;
        let settings = Settings::of(arguments);
        let settings_path = settings_path(path);
        files::check(&settings_path, inputs, may_exist)?;
        let begun = read_settings(path, &settings_path)?;
        if !is_new {
            check_results(path)?;
            check_settings(path, &settings_path, begun.as_ref(), &settings, arguments.force)?;
        }
        // Checked before the analysis starts: it may take days.
        files::try_out(&settings_path, inputs, may_exist)?;
        let creates_settings = begun.is_none();
        let path = path.to_path_buf();
        let mut resumed = ResumeFile { file, path, complete: 0, settings_path, settings, is_begun: false, creates_settings };
        resumed.complete = end_of_last_line(&mut resumed.file).map_err(failed)?;
        let lines = BufReader::new(File::open(&resumed.path).map_err(failed)?).take(resumed.complete);
        Ok((resumed, lines))
    }

    /// Whether a truncated line follows the complete ones.
    pub fn has_truncated_line(&self) -> bool {
        self.file.length().is_ok_and(|length| length > self.complete)
    }

    /// Writes the settings and removes a truncated line; from here on the file belongs to this run.
    ///
    /// # Errors
    /// If the disk is full, or another process has created a file at the path of the settings.
    pub fn begin(&mut self) -> Result<(), Failure> {
        if self.is_begun {
            return Ok(());
        }
        let text = serde_json::to_string(&self.settings).unwrap_or_default() + "\n";
        OutputFile::write_whole(&self.settings_path, text.as_bytes(), &[], Force { force: !self.creates_settings })?;
        self.is_begun = true;
        self.file.truncate(self.complete).map_err(|source| AnalyzeError::Resume { path: self.path.clone(), source }.into())
    }

    /// Writes a line unbuffered, so that a killed process does not lose it.
    ///
    /// # Errors
    /// If the disk is full.
    pub fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.begin()?;
        let written = self.file.append(format!("{text}\n").as_bytes());
        written.map_err(|source| AnalyzeError::Resume { path: self.path.clone(), source }.into())
    }
}

impl Drop for ResumeFile {
    /// Removes settings created by this run if there is not a single result ([`LockedFile`] removes the empty file itself). Earlier files are
    /// kept.
    fn drop(&mut self) {
        if self.creates_settings && self.is_begun && self.file.length().is_ok_and(|length| length == 0) {
            let _ = std::fs::remove_file(&self.settings_path);
        }
    }
}

/// The settings of a results file, if there are any. Anything else at that path is an error, because writing the settings would replace it.
fn read_settings(path: &Path, settings_path: &Path) -> Result<Option<Settings>, AnalyzeError> {
    if settings_path.symlink_metadata().is_err() {
        return Ok(None);
    }
    let mut text = Vec::new();
    let read = File::open(settings_path).and_then(|file| file.take(1 << 16).read_to_end(&mut text));
    match read.ok().and_then(|_| serde_json::from_slice::<Settings>(&text).ok()) {
        Some(settings) => Ok(Some(settings)),
        None => Err(AnalyzeError::ForeignSettings { path: path.to_path_buf(), settings: settings_path.to_path_buf() }),
    }
}

/// Checks that the file contains results.
fn check_results(path: &Path) -> Result<(), AnalyzeError> {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).take(1 << 24).read_until(b'\n', &mut first));
    read.map_err(|source| AnalyzeError::Resume { path: path.to_path_buf(), source })?;
    // A truncated first line must at least start like a result.
    let is_result = match first.last() {
        Some(b'\n') => serde_json::from_slice::<serde_json::Map<_, _>>(&first).is_ok(),
        _ => first.starts_with(b"{\"file\":"),
    };
    if is_result { Ok(()) } else { Err(AnalyzeError::Foreign { path: path.to_path_buf() }) }
}

/// Checks that the results were found with these settings, unless `force` is given.
fn check_settings(
    path: &Path,
    settings_path: &Path,
    begun: Option<&Settings>,
    settings: &Settings,
    force: bool,
) -> Result<(), AnalyzeError> {
    if force {
        let differences = begun.map(|begun| begun.differences(settings)).filter(|differences| !differences.is_empty());
        differences.iter().for_each(|differences| {
            note(format_args!("{}: continues results found with other settings: {differences}", path.display()));
        });
        return Ok(());
    }
    let Some(begun) = begun else {
        return Err(AnalyzeError::UnknownSettings { path: path.to_path_buf(), settings: settings_path.to_path_buf() });
    };
    let differences = begun.differences(settings);
    if differences.is_empty() {
        Ok(())
    } else {
        Err(AnalyzeError::OtherSettings { path: path.to_path_buf(), begun: differences })
    }
}

/// Number of bytes up to and including the last line feed.
fn end_of_last_line(file: &mut LockedFile) -> io::Result<u64> {
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
