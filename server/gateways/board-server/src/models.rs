//! The files that plugins may open when a client chooses them: those below the folders that the operator named, and no others.
//!
//! # Invariants
//! - A name that leads elsewhere (absolute, `..`, a link) is answered as one that is not there, and nothing outside is looked at but for
//!   where a link in one of the folders leads.

use serde_json::Value;
use std::path::{Component, Path, PathBuf};
use touchline_board::Reply;
use touchline_plugin_api::plugin::PluginDescription;

/// Folders whose files clients may name.
pub(crate) struct Models(Vec<Folder>);

struct Folder {
    /// As the operator has called it.
    named: PathBuf,
    /// The path with all links resolved.
    real: PathBuf,
}

impl Models {
    /// A folder that is not there has no files.
    pub fn below(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        let real = |named: PathBuf| {
            // The folder of a world file that is named without one.
            let named = if named.as_os_str().is_empty() { PathBuf::from(".") } else { named };
            Some(Folder { real: std::fs::canonicalize(&named).ok()?, named })
        };
        Self(folders.into_iter().filter_map(real).collect())
    }

    /// Puts the files themselves in place of their names, in those parameters of a plugin that name one.
    ///
    /// # Errors
    /// When a name is that of no such file: the same answer whether there is a file or not.
    pub fn resolve(&self, plugin: &PluginDescription, params: &mut Value) -> Result<(), Reply> {
        for parameter in plugin.path_params() {
            let Some(value) = params.get_mut(parameter) else { continue };
            // What is no text, or empty, the plugin itself refuses.
            let Some(name) = value.as_str().filter(|name| !name.is_empty()) else { continue };
            let found = self.find(name).and_then(|path| path.to_str().map(str::to_owned));
            *value = found.ok_or_else(|| no_such_file(parameter, name))?.into();
        }
        Ok(())
    }

    fn find(&self, name: &str) -> Option<PathBuf> {
        self.0.iter().find_map(|folder| folder.find(Path::new(name)))
    }
}

impl Folder {
    fn find(&self, name: &Path) -> Option<PathBuf> {
        let below = match name.is_absolute() {
            true => name.strip_prefix(&self.named).or_else(|_| name.strip_prefix(&self.real)).ok()?,
            false => name,
        };
        if !below.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let path = std::fs::canonicalize(self.real.join(below)).ok()?;
        // The name had no way out of the folder, but a link in it may have one.
        let is_there = path.starts_with(&self.real) && std::fs::metadata(&path).ok()?.is_file();
        is_there.then_some(path)
    }
}

fn no_such_file(parameter: &str, name: &str) -> Reply {
    let message = format!(
        "{parameter}: no file \"{name}\" in the world file's folder, that of the robot files, or one that the server was given with \
         --models"
    );
    Reply::error("board/no-such-file", message).with("file", name).with("parameter", parameter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use touchline_plugin_api::plugin::PluginKind;

    fn plugin() -> PluginDescription {
        PluginDescription {
            name: "onnx".into(),
            kind: PluginKind::Player,
            version: "1".into(),
            summary: String::new(),
            params_schema: json!({ "properties": { "model": { "format": "path" }, "word": {} } }),
        }
    }

    fn answer(models: &Models, name: &str) -> Result<String, String> {
        let mut params = json!({ "model": name, "word": "/etc/passwd" });
        let resolved = models.resolve(&plugin(), &mut params);
        assert_eq!(params["word"], "/etc/passwd", "it names no file");
        let text = |reply: Reply| {
            let mut bytes = Vec::new();
            reply.write(None, "START", &mut bytes);
            String::from_utf8_lossy(&bytes).replace(name, "NAME")
        };
        resolved.map(|()| params["model"].as_str().unwrap_or_default().to_owned()).map_err(text)
    }

    /// What an attacker names is answered as what is not there, whether it is there or not.
    #[test]
    fn only_files_below_the_named_folders_are_opened() {
        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("models");
        std::fs::create_dir_all(folder.join("sub")).unwrap();
        for file in ["secret.onnx", "models/a.onnx", "models/sub/b.onnx"] {
            std::fs::write(outside.path().join(file), "x").unwrap();
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(outside.path().join("secret.onnx"), folder.join("link.onnx")).unwrap();
            symlink(outside.path(), folder.join("up")).unwrap();
            symlink(outside.path().join("nowhere"), folder.join("broken.onnx")).unwrap();
            symlink(folder.join("a.onnx"), folder.join("inside.onnx")).unwrap();
        }
        let real = std::fs::canonicalize(&folder).unwrap();
        let models = Models::below([folder.clone(), outside.path().join("not there")]);
        let path = |file: &str| real.join(file).to_str().unwrap().to_owned();
        assert_eq!(answer(&models, "a.onnx"), Ok(path("a.onnx")));
        assert_eq!(answer(&models, "sub/b.onnx"), Ok(path("sub/b.onnx")));
        assert_eq!(answer(&models, folder.join("a.onnx").to_str().unwrap()), Ok(path("a.onnx")));
        #[cfg(unix)]
        assert_eq!(answer(&models, "inside.onnx"), Ok(path("a.onnx")));
        assert_eq!(answer(&models, ""), Ok(String::new()), "the plugin says that it needs one");
        let absent = answer(&models, "absent.onnx").unwrap_err();
        assert!(absent.contains("ERR board/no-such-file"), "{absent}");
        let secret = outside.path().join("secret.onnx");
        for attack in [
            secret.to_str().unwrap(),
            folder.join("../secret.onnx").to_str().unwrap(),
            "../secret.onnx",
            "sub/../../secret.onnx",
            "link.onnx",
            "up/secret.onnx",
            "broken.onnx",
            "sub",
            ".",
            "..",
            "/etc/passwd",
            "/etc/no-such-file",
            "/dev/zero",
            "/proc/self/environ",
            "a.onnx/x",
            "a.onnx\0",
        ] {
            let refused = answer(&models, attack);
            let same = refused.as_ref().is_err_and(|text| text.contains("ERR board/no-such-file"));
            assert!(same, "{attack}: {refused:?}");
        }
        assert_eq!(answer(&models, "/etc/passwd"), answer(&models, "/etc/no-such-file"));
        assert_eq!(answer(&models, secret.to_str().unwrap()), Err(absent), "is there, and may not be had");
        assert!(answer(&Models::below([]), "a.onnx").is_err(), "no folder, no file");
    }
}
