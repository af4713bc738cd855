//! Where plugins, robots and worlds are found: what an option names, then what the environment names, then what lies beside the program.
//!
//! Beside the program is `../lib/touchline` (plugins) and `../share/touchline` (robots, worlds) of an installation or an unpacked
//! archive; of a build it is the folder of the program, and the repository above it.

use super::{Failure, PluginOptions};
use std::env::consts::DLL_SUFFIX;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use touchline_config::DiskAndShipped;

/// Folders with plugins, separated as in `PATH`.
pub const PLUGINS_VARIABLE: &str = "TOUCHLINE_PLUGINS";
/// The folder of robot files that may be named without a path.
pub const ROBOTS_VARIABLE: &str = "TOUCHLINE_ROBOTS";
/// Folders with worlds that may be named without a path, separated as in `PATH`.
pub const WORLDS_VARIABLE: &str = "TOUCHLINE_WORLDS";

/// How a program without plugins or worlds gets them.
pub const INSTALL_HINT: &str = "in Touchline's sources `cargo xtask install --prefix DIR` puts the program, its plugins, robots and worlds in \
    place, and `cargo xtask dist` makes packages that have them all; or name their folders: --plugins, --robots, --worlds-dir";

/// How far above a built program the repository is looked for: `target/PROFILE/deps`.
const LEVELS_ABOVE: usize = 4;

/// Where a command finds what a user names without a path.
#[derive(Clone, Debug)]
pub struct Places {
    /// Folders of other people's plugins, and then the program's own.
    pub plugins: Vec<PathBuf>,
    /// The program's own among those.
    pub own_plugins: Vec<PathBuf>,
    /// The folder of robot files.
    pub robots: Option<PathBuf>,
    /// Whether an option or the environment names it.
    pub robots_are_chosen: bool,
    worlds: Vec<PathBuf>,
}

impl Places {
    /// Where things are for this call of the program.
    ///
    /// # Errors
    /// When a folder that an option or the environment names cannot be read.
    pub fn find(options: &PluginOptions) -> Result<Self, Failure> {
        let given = |folders: &[PathBuf], option: &str, variable: &str| -> Result<Vec<PathBuf>, Failure> {
            let named = folders.iter().map(|folder| (folder.clone(), option));
            let listed = std::env::var_os(variable).unwrap_or_default();
            let listed: Vec<PathBuf> =
                std::env::split_paths(&listed).filter(|path| !path.as_os_str().is_empty()).collect();
            let all: Vec<_> = named.chain(listed.into_iter().map(|folder| (folder, variable))).collect();
            all.iter().try_for_each(|(folder, from)| check_folder(folder, from))?;
            Ok(all.into_iter().map(|(folder, _)| folder).collect())
        };
        let beside = beside_program();
        let own_plugins = own_plugins(&beside);
        let mut plugins = given(&options.plugins, "--plugins", PLUGINS_VARIABLE)?;
        plugins.extend(own_plugins.iter().cloned());
        let shared = shared(&beside);
        let mut worlds = given(&options.worlds, "--worlds-dir", WORLDS_VARIABLE)?;
        worlds.extend(shared.iter().map(|shared| shared.join("worlds")));
        let robots = given(options.robots.as_slice(), "--robots", ROBOTS_VARIABLE)?.into_iter().next();
        let robots_are_chosen = robots.is_some();
        let robots = robots.or_else(|| shared.map(|shared| shared.join("robots")));
        Ok(Self { plugins, own_plugins, robots, robots_are_chosen, worlds })
    }

    /// The world file that is meant: a path, or the name of a world in one of the folders, such as `f2000`, if there is no such path.
    ///
    /// # Errors
    /// When it is a name, and no folder has it.
    pub fn world(&self, named: &Path) -> Result<PathBuf, Failure> {
        let is_there = named.exists() && !named.is_dir();
        if is_there || named.components().count() != 1 || !may_be_a_name(named) {
            return Ok(named.to_owned());
        }
        let file = named.with_extension("toml");
        if let Some(found) = self.worlds.iter().map(|folder| folder.join(&file)).find(|file| file.is_file()) {
            return Ok(found);
        }
        let known = self.world_names();
        let hint = match known.is_empty() {
            true => format!("there are no worlds here: {INSTALL_HINT}"),
            false => format!("{}worlds that need no path: {}", did_you_mean(named, &known), known.join(", ")),
        };
        Err(Failure::Resource(format!(
            "{}: no such file, and no world of this name\n  hint     {hint}",
            named.display()
        )))
    }

    /// The file that is meant by a word where robots and worlds may stand.
    pub fn robot_or_world(&self, named: &Path) -> PathBuf {
        let robot = self.robots.as_ref().map(|folder| folder.join(named.with_extension("toml")));
        let robot =
            robot.filter(|file| named.components().count() == 1 && may_be_a_name(named) && file.is_file());
        match self.world(named) {
            Ok(world) if world != named || named.exists() => world,
            _ => robot.unwrap_or_else(|| named.to_owned()),
        }
    }

    /// Why a word means nothing that is near to the name of a robot or world, and is no file; none if it means something, or something else is wrong with it.
    pub fn not_there(&self, named: &Path) -> Option<String> {
        let is_name = named.components().count() == 1 && may_be_a_name(named);
        let meant = did_you_mean(named, &names_in(self.worlds.iter().chain(&self.robots)));
        let is_meant = is_name && !meant.is_empty() && !self.robot_or_world(named).exists();
        let what = format!("{}: no such file, and no robot or world of this name", named.display());
        is_meant.then(|| format!("{what}\n  hint     {}", meant.trim_end()))
    }

    /// The names of the worlds that need no path, sorted.
    pub fn world_names(&self) -> Vec<String> {
        names_in(&self.worlds)
    }

    /// Reads what files name: beside them, and then among the robots.
    pub fn files(&self) -> DiskAndShipped {
        DiskAndShipped { robots: self.robots.clone() }
    }
}

/// The names of all files of robots or worlds in the folders, sorted.
fn names_in<'a>(folders: impl IntoIterator<Item = &'a PathBuf>) -> Vec<String> {
    let files = folders.into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let files = files.map(|entry| entry.path()).filter(|path| path.extension() == Some(OsStr::new("toml")));
    let mut names: Vec<String> =
        files.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    names.dedup();
    names
}

/// `did you mean "f2000"? ` if one of the known names is near.
fn did_you_mean(named: &Path, known: &[String]) -> String {
    let word = named.file_stem().unwrap_or_default().to_string_lossy();
    let nearest = touchline_config::nearest(&word, known.iter().map(String::as_str));
    nearest.map(|name| format!("did you mean \"{name}\"? ")).unwrap_or_default()
}

/// Whether a folder that an option or a variable names can be read.
///
/// # Errors
/// When it cannot.
pub fn check_folder(folder: &Path, named_by: &str) -> Result<(), Failure> {
    let unreadable = |error| Failure::Resource(format!("{named_by} {}: {error}", folder.display()));
    fs::read_dir(folder).map(drop).map_err(unreadable)
}

/// A world's name has no ending, or that of a file of its kind.
fn may_be_a_name(named: &Path) -> bool {
    named.extension().is_none_or(|ending| ending == "toml")
}

/// The plugins of an installation; otherwise those in the folder of the program, and in `plugins` there.
fn own_plugins(beside: &Path) -> Vec<PathBuf> {
    let installed = beside.join("../lib/touchline");
    if has_libraries(&installed) {
        return vec![fs::canonicalize(&installed).unwrap_or(installed)];
    }
    let plugins = beside.join("plugins");
    std::iter::once(beside.to_owned()).chain(Some(plugins).filter(|plugins| plugins.is_dir())).collect()
}

fn has_libraries(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| entry.file_name().to_string_lossy().ends_with(DLL_SUFFIX))
}

/// The folder of challenges that came with the program.
pub fn own_challenges() -> Option<PathBuf> {
    shared(&beside_program()).map(|shared| shared.join("worlds/challenges")).filter(|folder| folder.is_dir())
}

fn beside_program() -> PathBuf {
    let program = std::env::current_exe().and_then(fs::canonicalize).unwrap_or_default();
    program.parent().unwrap_or(Path::new("")).to_owned()
}

/// The folder that has `robots` and `worlds`.
fn shared(beside: &Path) -> Option<PathBuf> {
    let installed = fs::canonicalize(beside.join("../share/touchline")).ok();
    let above = beside.ancestors().take(LEVELS_ABOVE).map(Path::to_owned);
    installed
        .into_iter()
        .chain(above)
        .find(|folder| folder.join("worlds").is_dir() && folder.join("robots").is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(folder: &Path, file: &str) {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
    }

    #[test]
    fn an_installation_is_found_from_its_program() {
        let prefix = tempfile::tempdir().unwrap();
        let prefix = fs::canonicalize(prefix.path()).unwrap();
        for file in ["bin/touchline", "share/touchline/worlds/a.toml", "share/touchline/robots/b.toml"] {
            make(&prefix, file);
        }
        let bin = prefix.join("bin");
        assert_eq!(own_plugins(&bin), std::slice::from_ref(&bin), "none are installed");
        make(&prefix, &format!("lib/touchline/libx{DLL_SUFFIX}"));
        assert_eq!(own_plugins(&bin), [prefix.join("lib/touchline")]);
        assert_eq!(shared(&bin), Some(prefix.join("share/touchline")));
    }

    #[test]
    fn a_build_finds_its_repository() {
        let root = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(root.path()).unwrap();
        for file in ["worlds/a.toml", "robots/b.toml", "target/release/plugins/x", "target/release/touchline"]
        {
            make(&root, file);
        }
        let beside = root.join("target/release");
        assert_eq!(shared(&beside), Some(root.clone()));
        assert_eq!(own_plugins(&beside), [beside.clone(), beside.join("plugins")]);
    }

    #[test]
    fn a_name_is_a_world_if_it_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), "worlds/f2000.toml");
        make(folder.path(), "robots/pioneer.toml");
        let (worlds, robots) = (folder.path().join("worlds"), folder.path().join("robots"));
        let places = Places {
            plugins: Vec::new(),
            own_plugins: Vec::new(),
            robots: Some(robots.clone()),
            robots_are_chosen: false,
            worlds: vec![worlds.clone()],
        };
        for name in ["f2000", "f2000.toml"] {
            assert_eq!(places.world(Path::new(name)).unwrap(), worlds.join("f2000.toml"));
        }
        for path in ["x/f2000", "/f2000", "f2000.mcap"] {
            assert_eq!(places.world(Path::new(path)).unwrap(), Path::new(path));
        }
        let refused = places.world(Path::new("f2001")).unwrap_err().to_string();
        assert!(refused.contains("did you mean \"f2000\"? worlds that need no path: f2000"), "{refused}");
        let refused = places.world(Path::new("zebra")).unwrap_err().to_string();
        assert!(!refused.contains("did you mean"), "{refused}");
        let refused = places.not_there(Path::new("pioner")).unwrap();
        assert!(refused.ends_with("did you mean \"pioneer\"?"), "{refused}");
        for fine in ["pioneer", "f2000", "x/pioner", "zebra"] {
            assert_eq!(places.not_there(Path::new(fine)), None, "{fine}");
        }
        assert_eq!(places.robot_or_world(Path::new("pioneer")), robots.join("pioneer.toml"));
        assert_eq!(places.robot_or_world(Path::new("nobody")), Path::new("nobody"));
    }
}
