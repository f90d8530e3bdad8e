//! A file of results that is resumed after an interruption. Its settings lie beside it, in `OUT.settings.json`, since every
//! line of the file itself is a result.

use super::Analyze;
use super::error::AnalyzeError;
use crate::commands::Failure;
use crate::commands::files::{self, Force, OutputFile};
use crate::system::{Exclusive, is_device};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
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
            network: crate::nnue::embedded_name(),
            book: arguments.book.as_ref().map_or("built-in".into(), |path| path.display().to_string()),
            endgames: ["built-in".to_string()]
                .into_iter()
                .chain(arguments.endgames.iter().map(|path| path.display().to_string()))
                .collect::<Vec<_>>()
                .join(";"),
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

/// The file that is written on. It and its settings stay as they were until [`ResumeFile::begin`], before which all its lines have
/// been compared with the input.
pub struct ResumeFile {
    path: PathBuf,
    file: Exclusive,
    /// Bytes of whole lines; after them may stand one that was cut off.
    whole: u64,
    beside: PathBuf,
    settings: Settings,
    is_begun: bool,
    /// Whether this run makes the settings: nothing else is removed.
    makes_settings: bool,
}

impl ResumeFile {
    /// Opens the file and gives the lines that it holds. A last line without an end was cut off and is written again.
    ///
    /// # Errors
    /// When it is an input, was begun with other settings or by another program, or cannot be written; when another run is writing it; and
    /// when somebody else's file lies where the settings go.
    pub fn open(path: &Path, arguments: &Analyze, inputs: &[PathBuf]) -> Result<(ResumeFile, Known), Failure> {
        // It is there to be written on; only what it must not be is asked for.
        let may_exist = Force { force: true };
        files::check(path, inputs, may_exist)?;
        if is_device(path) {
            return Err(AnalyzeError::NoFile { path: path.to_path_buf() }.into());
        }
        let failed = |source: io::Error| AnalyzeError::Resume { path: path.to_path_buf(), source };
        let file = Exclusive::open(path).map_err(failed)?;
        let is_new = file.length().map_err(failed)? == 0;
        let settings = Settings::of(arguments);
        let beside = settings_path(path);
        files::check(&beside, inputs, may_exist)?;
        let begun = read_settings(path, &beside)?;
        if !is_new {
            check_results(path)?;
            check_settings(path, &beside, begun.as_ref(), &settings, arguments.force)?;
        }
        // Tried before the work begins: it may take days.
        files::try_out(&beside, inputs, may_exist)?;
        let makes_settings = begun.is_none();
        let path = path.to_path_buf();
        let mut resumed = ResumeFile { file, path, whole: 0, beside, settings, is_begun: false, makes_settings };
        resumed.whole = end_of_last_line(&mut resumed.file).map_err(failed)?;
        let known = BufReader::new(File::open(&resumed.path).map_err(failed)?).take(resumed.whole);
        Ok((resumed, known))
    }

    /// Whether a line was cut off after those that are known.
    pub fn has_torn_line(&self) -> bool {
        self.file.length().is_ok_and(|length| length > self.whole)
    }

    /// Writes the settings and cuts off what is no whole line: from here on the file belongs to this run.
    ///
    /// # Errors
    /// When the disk is full, or somebody else has put a file where the settings go.
    pub fn begin(&mut self) -> Result<(), Failure> {
        if self.is_begun {
            return Ok(());
        }
        let text = serde_json::to_string(&self.settings).unwrap_or_default() + "\n";
        OutputFile::write_whole(&self.beside, text.as_bytes(), &[], Force { force: !self.makes_settings })?;
        self.is_begun = true;
        self.file.cut(self.whole).map_err(|source| AnalyzeError::Resume { path: self.path.clone(), source }.into())
    }

    /// Writes a line and hands it to the system: a killed process must not lose it.
    ///
    /// # Errors
    /// When the disk is full.
    pub fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.begin()?;
        let written = self.file.append(format!("{text}\n").as_bytes());
        written.map_err(|source| AnalyzeError::Resume { path: self.path.clone(), source }.into())
    }
}

impl Drop for ResumeFile {
    /// Settings without a single result are not left behind, nor is the file itself. What was there before this run stays.
    fn drop(&mut self) {
        if self.makes_settings && self.is_begun && self.file.length().is_ok_and(|length| length == 0) {
            let _ = std::fs::remove_file(&self.beside);
        }
    }
}

/// The settings beside a file of results, if there are any. Anything else that lies there is somebody's, and would be lost.
fn read_settings(path: &Path, beside: &Path) -> Result<Option<Settings>, AnalyzeError> {
    if beside.symlink_metadata().is_err() {
        return Ok(None);
    }
    let mut text = Vec::new();
    let read = File::open(beside).and_then(|file| file.take(1 << 16).read_to_end(&mut text));
    match read.ok().and_then(|_| serde_json::from_slice::<Settings>(&text).ok()) {
        Some(settings) => Ok(Some(settings)),
        None => Err(AnalyzeError::ForeignSettings { path: path.to_path_buf(), settings: beside.to_path_buf() }),
    }
}

/// Makes sure that the file holds results.
fn check_results(path: &Path) -> Result<(), AnalyzeError> {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).take(1 << 24).read_until(b'\n', &mut first));
    read.map_err(|source| AnalyzeError::Resume { path: path.to_path_buf(), source })?;
    // A torn first line is still the beginning of an object.
    let is_result = match first.last() {
        Some(b'\n') => serde_json::from_slice::<serde_json::Map<_, _>>(&first).is_ok(),
        _ => first.starts_with(b"{\"file\":"),
    };
    if is_result { Ok(()) } else { Err(AnalyzeError::Foreign { path: path.to_path_buf() }) }
}

/// Makes sure that the results were found with these settings, unless that does not matter.
fn check_settings(
    path: &Path,
    beside: &Path,
    begun: Option<&Settings>,
    settings: &Settings,
    force: bool,
) -> Result<(), AnalyzeError> {
    if force {
        return Ok(());
    }
    let Some(begun) = begun else {
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
fn end_of_last_line(file: &mut Exclusive) -> io::Result<u64> {
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
