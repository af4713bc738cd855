//! A competition file: who takes part in challenges. A table with `;` between its columns, or TOML. (CH3)

use crate::document::{At, Document};
use crate::files::NAME;
use crate::report::{Problem, Report};
use crate::schema::{Schema, nearest};
use crate::source::{Disk, SourceFile};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::env::consts::DLL_SUFFIX;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The columns that every table may have; all others are parameters of the challenge.
const COLUMNS: [&str; 5] = ["name", "script", "plugin", "params", "rate_hz"];

/// The teams of a competition.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Touchline competition file")]
pub(crate) struct CompetitionFile {
    /// Who takes part.
    #[schemars(length(min = 1, max = 1000))]
    pub team: Vec<TeamFile>,
}

/// One that takes part: with a script or with a player plugin.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TeamFile {
    /// Its name.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// An executable file, relative to this file: it is started for each attempt and each robot.
    #[schemars(length(min = 1))]
    pub script: Option<String>,
    /// A player plugin: its name, or a library file relative to this file.
    #[schemars(length(min = 1))]
    pub plugin: Option<String>,
    /// The plugin's parameters.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// How often the plugin decides, 1/s.
    #[serde(default = "rate")]
    #[schemars(range(max = 10_000.0), extend("exclusiveMinimum" = 0))]
    pub rate_hz: f64,
    /// Parameters of the challenge for this team, by name; the challenge says which there are.
    #[serde(default)]
    pub set: BTreeMap<String, f64>,
}

fn rate() -> f64 {
    50.0
}

/// The teams of a competition, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CompetitionSpec {
    /// Who takes part, in the order of the file.
    pub teams: Vec<TeamSpec>,
}

/// One team of a competition.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamSpec {
    /// Name of the team.
    pub name: String,
    /// Script or plugin that plays for the team.
    pub entry: EntrySpec,
    /// Parameters of the challenge for it.
    pub set: BTreeMap<String, f64>,
}

/// With what a team plays.
#[derive(Clone, Debug, PartialEq)]
pub enum EntrySpec {
    /// A script; it runs in its own folder.
    Script(PathBuf),
    /// A player plugin, which drives each robot of the team.
    Plugin {
        /// Its name, or the whole path of its library file.
        plugin: String,
        /// Where the library file is, if it is one.
        library: Option<PathBuf>,
        /// Parameters of the plugin, JSON.
        params: Value,
        /// How often it decides, 1/s.
        rate_hz: f64,
    },
}

impl EntrySpec {
    /// A plugin by its name, or by its library file relative to a folder.
    pub fn plugin(plugin: &str, folder: &Path, params: Value, rate_hz: f64) -> Self {
        let is_file = plugin.contains(['/', '\\']) || plugin.ends_with(DLL_SUFFIX);
        let library = is_file.then(|| folder.join(plugin));
        let library = library.map(|path| std::path::absolute(&path).unwrap_or(path));
        // Results name it so that it is found again from any folder.
        let plugin = library.as_ref().map_or_else(|| plugin.into(), |path| path.display().to_string());
        Self::Plugin { plugin, library, params, rate_hz }
    }

    /// A script.
    ///
    /// # Errors
    /// Why it cannot be started, and what would do.
    pub fn script(path: &Path) -> Result<Self, (String, &'static str)> {
        let metadata = std::fs::metadata(path);
        let metadata = metadata.map_err(|error| {
            (
                format!("{}: {error}", path.display()),
                "the script's path is relative to the file that names it",
            )
        })?;
        if metadata.is_dir() {
            return Err((format!("{}: this is a folder", path.display()), "name the script in it"));
        }
        #[cfg(unix)]
        if std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 == 0 {
            return Err((format!("{}: it is not executable", path.display()), "chmod +x"));
        }
        std::path::absolute(path)
            .map(Self::Script)
            .map_err(|error| (format!("{}: {error}", path.display()), "name it by its whole path"))
    }
}

/// Loads a competition file; `params` are the parameters that the challenges let a team have.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load_competition(path: &Path, params: &BTreeSet<String>) -> Result<CompetitionSpec, Report> {
    read(path, Some(params))
}

/// Checks a competition file without its challenges: a team may have any parameter.
///
/// # Errors
/// Everything that is wrong with it.
pub fn check_competition(path: &Path) -> Result<CompetitionSpec, Report> {
    read(path, None)
}

fn read(path: &Path, params: Option<&BTreeSet<String>>) -> Result<CompetitionSpec, Report> {
    let text = crate::disk_text(path)?;
    let is_toml = path.extension().is_some_and(|extension| extension == "toml");
    let rows = if is_toml { toml_rows(text, path)? } else { csv_rows(&text, path, params)? };
    let mut checked = Checked { path, params, problems: Vec::new(), names: BTreeMap::new() };
    let teams = rows.iter().filter_map(|row| checked.team(row)).collect();
    match checked.problems.is_empty() {
        true => Ok(CompetitionSpec { teams }),
        false => Err(Report::new(checked.problems)),
    }
}

/// A team with the line of the file where it stands.
struct Row {
    line: u32,
    team: TeamFile,
    /// The line where the names of its columns stand, if these are names of columns.
    heads: Option<u32>,
}

fn toml_rows(text: String, path: &Path) -> Result<Vec<Row>, Report> {
    static SCHEMA: OnceLock<Option<Schema>> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| Schema::new(crate::competition_rules()).ok()).as_ref();
    let mut document = Document::parse(SourceFile { path: path.to_owned(), text }, &Disk);
    if let Some(schema) = schema {
        schema.check(&mut document, "");
    }
    document.check_unique("/team", "name");
    let mut lines = Vec::new();
    for pointer in document.items("/team") {
        // Where it stands is what the document says of a problem there.
        let before = document.problems.len();
        lines.push(document.report(&pointer, At::Value, "config/bad-value", "").line);
        document.problems.truncate(before);
        document.forgive(&pointer);
    }
    match document.finish::<CompetitionFile>() {
        Some(file) if document.problems.is_empty() => {
            Ok(lines.into_iter().zip(file.team).map(|(line, team)| Row { line, team, heads: None }).collect())
        }
        _ => Err(Report::new(document.problems)),
    }
}

fn csv_rows(text: &str, path: &Path, params: Option<&BTreeSet<String>>) -> Result<Vec<Row>, Report> {
    let problem = |line: u32, what: String, hint: Option<String>| {
        Report::new(vec![Problem { hint, ..at(path, line, what, "config/bad-value") }])
    };
    let mut reader =
        csv::ReaderBuilder::new().delimiter(b';').trim(csv::Trim::All).from_reader(text.as_bytes());
    let heads = reader.headers().map_err(|error| problem(1, error.to_string(), None))?.clone();
    let heads_line = heads.position().map_or(1, |position| position.line() as u32);
    if !heads.iter().any(|head| head == "name") {
        let what =
            format!("there is no column \"name\" among: {}", heads.iter().collect::<Vec<_>>().join(", "));
        let hint = "the first line names the columns, with ; between them: name;script";
        return Err(problem(heads_line, what, Some(hint.into())));
    }
    if let Some(twice) =
        heads.iter().enumerate().find(|(place, head)| heads.iter().take(*place).any(|other| other == *head))
    {
        return Err(problem(heads_line, format!("the column \"{}\" is there twice", twice.1), None));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            let line = error.position().map_or(1, |position| position.line() as u32);
            let what = match error.kind() {
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    format!("{len} columns, where the first line has {expected_len}")
                }
                _ => error.to_string(),
            };
            let starts = text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default();
            let hint = match starts.trim_start().starts_with('#') {
                true => "a table has no remarks, for the name of a team may begin with #: leave the line out",
                false => "an empty column is ;; and one with a ; in it stands in \"\"",
            };
            problem(line, what, Some(hint.into()))
        })?;
        let line = record.position().map_or(1, |position| position.line() as u32);
        let mut team = TeamFile { rate_hz: rate(), ..TeamFile::default() };
        for (head, value) in heads.iter().zip(&record).filter(|(_, value)| !value.is_empty()) {
            let wrong = |what: &str| problem(line, format!("column \"{head}\": {what}: {value}"), None);
            match head {
                "name" => team.name = value.into(),
                "script" => team.script = Some(value.into()),
                "plugin" => team.plugin = Some(value.into()),
                "params" => {
                    team.params = serde_json::from_str(value).map_err(|error| {
                        wrong(&format!("not a table of parameters such as {{\"skill\": 1}} ({error})"))
                    })?;
                }
                _ => {
                    let number = value.parse().ok().filter(|number: &f64| number.is_finite());
                    // What is in a column that there is not does not matter: the column is reported.
                    let is_column = head == "rate_hz" || params.is_none_or(|params| params.contains(head));
                    let number = number.or((!is_column).then_some(0.0)).ok_or_else(|| {
                        let known = nearest(head, COLUMNS.into_iter()).filter(|near| *near != head);
                        let hint = known.map(|near| format!("did you mean the column \"{near}\"?"));
                        problem(line, format!("column \"{head}\": not a number: {value}"), hint)
                    })?;
                    if head == "rate_hz" {
                        team.rate_hz = number;
                    } else {
                        team.set.insert(head.into(), number);
                    }
                }
            }
        }
        rows.push(Row { line, team, heads: Some(heads_line) });
    }
    if rows.is_empty() {
        return Err(problem(
            heads_line,
            "there is no team".into(),
            Some("one line for each: name;script".into()),
        ));
    }
    Ok(rows)
}

struct Checked<'a> {
    path: &'a Path,
    /// What the challenges let a team have; `None` is anything.
    params: Option<&'a BTreeSet<String>>,
    problems: Vec<Problem>,
    names: BTreeMap<String, u32>,
}

impl Checked<'_> {
    fn wrong(&mut self, line: u32, what: String, code: &'static str) -> &mut Problem {
        self.problems.push(at(self.path, line, what, code));
        let last = self.problems.len() - 1;
        &mut self.problems[last]
    }

    fn team(&mut self, row: &Row) -> Option<TeamSpec> {
        let Row { line, team, heads } = row;
        let (line, name) = (*line, team.name.clone());
        let is_name =
            !name.is_empty() && name.len() <= 64 && !name.contains(|c: char| c.is_control() || c == '|');
        if !is_name {
            self.wrong(line, format!("\"{name}\" is no name"), "config/bad-value").allowed =
                Some("1 to 64 characters, without |".into());
        }
        if let Some(first) = self.names.insert(name.clone(), line) {
            let what = format!("team \"{name}\" is there already, in line {first}");
            self.wrong(line, what, "config/duplicate-name").hint =
                Some("two entries of one team need two names".into());
        }
        if !(team.rate_hz > 0.0 && team.rate_hz <= 10_000.0) {
            let what = format!("rate_hz is {}", team.rate_hz);
            self.wrong(line, what, "config/out-of-range").allowed = Some("above 0, up to 10000 (1/s)".into());
        }
        let unknown = |param: &&String| self.params.is_some_and(|params| !params.contains(param.as_str()));
        for param in team.set.keys().filter(unknown).cloned().collect::<Vec<_>>() {
            let known = || COLUMNS.into_iter().chain(self.params.into_iter().flatten().map(String::as_str));
            let (allowed, hint) = (known().collect::<Vec<_>>().join(", "), nearest(&param, known()));
            let hint = hint.map(|near| format!("did you mean \"{near}\"?"));
            let what =
                format!("\"{param}\" is no column, and no parameter that these challenges let a team have");
            let problem = self.wrong(heads.unwrap_or(line), what, "config/unknown-key");
            (problem.allowed, problem.hint) = (Some(allowed), hint);
        }
        if team.script.is_some() && !team.params.is_empty() {
            let what = format!("team \"{name}\" has a script, which takes no params");
            self.wrong(line, what, "config/bad-value").hint =
                Some("params are of a plugin; what a script needs it says itself".into());
        }
        let folder = self.path.parent().unwrap_or(Path::new("")).to_owned();
        let entry = match (&team.script, &team.plugin) {
            (Some(script), None) => match EntrySpec::script(&folder.join(script)) {
                Ok(entry) => entry,
                Err((what, hint)) => {
                    self.wrong(line, format!("team \"{name}\": {what}"), "config/file-not-read").hint =
                        Some(hint.into());
                    return None;
                }
            },
            (None, Some(plugin)) => {
                EntrySpec::plugin(plugin, &folder, Value::Object(team.params.clone()), team.rate_hz)
            }
            (None, None) => {
                self.wrong(
                    line,
                    format!("team \"{name}\" has no script and no plugin"),
                    "config/missing-key",
                )
                .hint = Some("give it one of both".into());
                return None;
            }
            (Some(_), Some(_)) => {
                self.wrong(line, format!("team \"{name}\" has a script and a plugin"), "config/bad-value")
                    .hint = Some("leave one of both out: two entries need two names".into());
                return None;
            }
        };
        Some(TeamSpec { name, entry, set: team.set.clone() })
    }
}

fn at(path: &Path, line: u32, what: String, code: &'static str) -> Problem {
    Problem::new(path.to_owned(), line, 1, what, code)
}
