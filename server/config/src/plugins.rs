//! A table that chooses a plugin: whether there is one of that name, and whether it accepts its parameters.
//!
//! The parameters are held against the plugin's own schema first; if they fit, an instance is made on trial, so that
//! what depends on several parameters is found as well.

use crate::document::{At, Document, child, split};
use crate::hint::explained;
use crate::schema::{Schema, nearest};
use crate::source::FileSource;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory};

/// The schemas that were compiled so far, or why that failed.
type Schemas = BTreeMap<(PluginKind, String), Result<Rc<Schema>, String>>;

/// All plugins that there are.
pub(crate) struct Plugins<'a> {
    pub factory: &'a dyn PluginFactory,
    descriptions: Vec<PluginDescription>,
    schemas: RefCell<Schemas>,
}

impl<'a> Plugins<'a> {
    pub(crate) fn new(factory: &'a dyn PluginFactory) -> Self {
        Self { factory, descriptions: factory.descriptions(), schemas: RefCell::default() }
    }

    fn of_kind(&self, kind: PluginKind) -> impl Iterator<Item = &PluginDescription> {
        self.descriptions.iter().filter(move |description| description.kind == kind)
    }

    fn schema(&self, description: &PluginDescription) -> Result<Rc<Schema>, String> {
        let key = (description.kind, description.name.clone());
        let mut schemas = self.schemas.borrow_mut();
        let make = || Schema::new(description.params_schema.clone()).map(Rc::new);
        schemas.entry(key).or_insert_with(make).clone()
    }

    /// Reads the table's `plugin` and `params`; `None` if something is wrong with them, which is then reported.
    pub(crate) fn choice(
        &self,
        document: &mut Document,
        kind: PluginKind,
        table: &str,
    ) -> Option<PluginChoice> {
        let plugin_pointer = format!("{table}/plugin");
        let plugin: String = document.read(&plugin_pointer)?;
        let Some(description) = self.of_kind(kind).find(|description| description.name == plugin) else {
            self.not_found(document, kind, &plugin, &plugin_pointer);
            return None;
        };
        let params_pointer = format!("{table}/params");
        if let Some(Value::Object(map)) = document.value.pointer_mut(table) {
            map.entry("params").or_insert_with(|| Value::Object(Map::new()));
        }
        self.check_params(document, description, table);
        let params = document.read(&params_pointer)?;
        // A robot's file may say it for all of its plugins.
        let is_true = |pointer: &str| document.value.pointer(pointer) == Some(&Value::Bool(true));
        let isolate = is_true("/isolate") || is_true(&format!("{table}/isolate"));
        let choice = PluginChoice { isolate, ..PluginChoice::new(plugin, params) };
        (!document.is_bad(&plugin_pointer)).then_some(choice)
    }

    /// Holds the table's `params` against the plugin's schema.
    fn check_params(&self, document: &mut Document, description: &PluginDescription, table: &str) {
        let (plugin, params_pointer) = (&description.name, format!("{table}/params"));
        match self.schema(description) {
            Ok(schema) => {
                let before = document.problems.len();
                schema.check(document, &params_pointer);
                for problem in document.problems.iter_mut().skip(before) {
                    problem.hint.get_or_insert_with(|| explained(plugin));
                }
            }
            Err(error) => {
                let what = format!("plugin \"{plugin}\" does not say properly which parameters it has");
                let pointer = format!("{table}/plugin");
                document.report(&pointer, At::Value, "plugin/bad-schema", what).hint = Some(error);
            }
        }
        for parameter in description.player_params() {
            self.check_ordered(document, &child(&params_pointer, parameter));
        }
    }

    /// A player that the plugin of a team or a referee will order: none is made on trial, for its robot is not known.
    fn check_ordered(&self, document: &mut Document, table: &str) {
        let pointer = format!("{table}/plugin");
        let plugin: Option<String> = document.read(&pointer);
        // Without a name it is the plugin that the robot has.
        let Some(plugin) = plugin.filter(|plugin| !plugin.is_empty()) else { return };
        match self.of_kind(PluginKind::Player).find(|description| description.name == plugin) {
            Some(description) => self.check_params(document, description, table),
            None => self.not_found(document, PluginKind::Player, &plugin, &pointer),
        }
    }

    /// Parameters that name files, as their plugin's schema says (`"format": "path"`), are relative to the file that sets them,
    /// as all names of files are; a plugin does not know that file. One that may not be opened is reported, and not given to the plugin.
    pub(crate) fn resolve_paths(
        &self,
        document: &mut Document,
        kind: PluginKind,
        table: &str,
        source: &dyn FileSource,
    ) {
        let plugin: Option<String> = document.read(&format!("{table}/plugin"));
        let description = self.of_kind(kind).find(|description| Some(&description.name) == plugin.as_ref());
        // Those of a player that it will order as well.
        for parameter in description.into_iter().flat_map(PluginDescription::player_params) {
            let ordered = child(&format!("{table}/params"), parameter);
            self.resolve_paths(document, PluginKind::Player, &ordered, source);
        }
        for parameter in description.into_iter().flat_map(PluginDescription::path_params) {
            let pointer = child(&format!("{table}/params"), parameter);
            // An empty name stays: nobody has said which file.
            let name = document.value.pointer(&pointer).and_then(Value::as_str);
            let Some(name) = name.filter(|name| !name.is_empty()) else { continue };
            let opened = source.opened(document.path_of(&pointer), name);
            let path = opened.as_ref().map_or("", |path| path.to_str().unwrap_or(name)).to_owned();
            if let Some(value) = document.value.pointer_mut(&pointer) {
                *value = path.into();
            }
            if let Err(why) = opened {
                let what = format!("cannot open the file: {why}");
                document.report(&pointer, At::Value, "config/file-not-read", what);
            }
        }
    }

    fn not_found(&self, document: &mut Document, kind: PluginKind, plugin: &str, pointer: &str) {
        let mut names: Vec<_> = self.of_kind(kind).map(|description| description.name.as_str()).collect();
        names.sort_unstable();
        let nearest = nearest(plugin, names.iter().copied());
        let other_kind = self.descriptions.iter().find(|description| description.name == plugin);
        let tried = self.factory.attempts(kind, plugin);
        let what = format!("no plugin \"{plugin}\" of kind {kind}");
        let problem = document.report(pointer, At::Value, "plugin/not-found", what);
        problem.allowed = Some(match names.as_slice() {
            [] => format!("there are no {kind} plugins; build them, or name their folder with --plugins"),
            names => format!("{kind} plugins found: {}", names.join(", ")),
        });
        problem.tried = tried;
        problem.hint = match (nearest, other_kind) {
            (_, Some(other)) => Some(format!("\"{plugin}\" is a {} plugin", other.kind)),
            (Some(nearest), None) => Some(format!("did you mean \"{nearest}\"?")),
            (None, None) => Some("build it, or name the folder that has it with --plugins".into()),
        };
    }

    /// Takes what a trial has made, or reports why it was not made.
    pub(crate) fn made<T>(
        &self,
        document: &mut Document,
        kind: PluginKind,
        table: &str,
        result: Result<T, MakeError>,
    ) -> Option<T> {
        let plugin_pointer = format!("{table}/plugin");
        match result {
            Ok(made) => return Some(made),
            Err(MakeError::NoSuchPlugin { name, .. }) => {
                self.not_found(document, kind, &name, &plugin_pointer)
            }
            Err(MakeError::Failed { name, message, .. }) => {
                let what = format!("plugin \"{name}\" failed: {message}");
                let problem = document.report(&plugin_pointer, At::Value, "plugin/failed", what);
                problem.allowed = Some("a plugin that can be made with these parameters".into());
                problem.hint = Some("the mistake is in the plugin, not in this file: tell its author".into());
            }
            Err(MakeError::Setup { name, error, .. }) => {
                for problem in error.problems {
                    let parameter = problem.pointer.trim_start_matches('/');
                    let pointer = match parameter {
                        "" => plugin_pointer.clone(),
                        parameter => format!("{table}/params/{parameter}"),
                    };
                    let what = match parameter {
                        "" => format!("plugin \"{name}\": {}", problem.message),
                        parameter => {
                            format!("plugin \"{name}\": {}: {}", parameter.replace('/', "."), problem.message)
                        }
                    };
                    let (allowed, nearest) = match self.parameter_rule(kind, &name, parameter) {
                        Some((schema, rule)) => {
                            let value = document.value.pointer(&pointer);
                            let allowed = schema.allowed(rule, split(parameter).1);
                            let nearest = value.and_then(|value| schema.nearest_allowed(rule, value));
                            (Some(allowed).filter(|allowed| !allowed.is_empty()), nearest)
                        }
                        None => (None, None),
                    };
                    let problem = document.report(&pointer, At::Value, "plugin/bad-parameter", what);
                    problem.allowed = allowed;
                    problem.hint = Some(nearest.unwrap_or_else(|| match parameter {
                        "" => "give it what it needs, or take another one: see `touchline plugins`".into(),
                        _ => explained(&name),
                    }));
                }
            }
        }
        None
    }

    /// What a plugin says of one of its parameters.
    fn parameter_rule(
        &self,
        kind: PluginKind,
        plugin: &str,
        parameter: &str,
    ) -> Option<(Rc<Schema>, &Value)> {
        let description = self.of_kind(kind).find(|description| description.name == plugin)?;
        let rule = description.params_schema.get("properties")?.get(parameter)?;
        Some((self.schema(description).ok()?, rule))
    }
}
