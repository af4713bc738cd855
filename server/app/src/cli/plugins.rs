//! `touchline plugins`: what was found, and what was refused and why. (P1)

use super::{Failure, PluginOptions, print, shipped, text};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use touchline_config::Parameter;
use touchline_host::{Attempt, AttemptResult, Host};
use touchline_plugin_api::plugin::PluginDescription;
use touchline_sim::PluginFactory;

/// What libraries that break rules on purpose are called; a user has none, but a developer's folder may.
const OF_TESTS: &str = "touchline_test_";

/// Which plugins are listed, and how.
#[derive(Debug, Args)]
pub struct PluginsOptions {
    /// Explain the parameters of this plugin, such as `striker`
    name: Option<String>,
    /// List those that are there for the server's own tests, too
    #[arg(long)]
    all: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Whether a library is there for the server's own tests.
pub fn is_of_tests(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains(OF_TESTS))
}

/// The plugins that a user may want, in the order of kinds and names.
pub fn for_users(host: &Host) -> Vec<PluginDescription> {
    let mut all = host.descriptions();
    all.retain(|plugin| !host.path_of(plugin.kind, &plugin.name).is_some_and(is_of_tests));
    all
}

pub fn list(options: &PluginsOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::find_plugins(plugins)?;
    let (as_json, name) = (options.json, options.name.as_deref());
    let all = if options.all || name.is_some() { host.descriptions() } else { for_users(&host) };
    let chosen: Vec<_> = all.iter().filter(|plugin| name.is_none_or(|name| plugin.name == name)).collect();
    if let (Some(name), true) = (name, chosen.is_empty()) {
        let known: Vec<&str> = all.iter().map(|plugin| plugin.name.as_str()).collect();
        return Err(Failure::Plugin(format!("no plugin \"{name}\"; there are: {}", known.join(", "))));
    }
    if as_json {
        let attempts: Vec<Value> = host.attempts().iter().map(attempt_json).collect();
        let found: Vec<Value> = chosen
            .iter()
            .map(|plugin| {
                let path = host.path_of(plugin.kind, &plugin.name).map(|path| path.display().to_string());
                json!({
                    "kind": plugin.kind, "name": plugin.name, "version": plugin.version,
                    "summary": plugin.summary, "path": path, "params_schema": plugin.params_schema,
                })
            })
            .collect();
        return print(true, &json!({ "plugins": found, "attempts": attempts }), |_| Ok(()));
    }
    let mut out = text();
    for plugin in &chosen {
        writeln!(
            out,
            "{:8} {:14} {:8} {}",
            plugin.kind.as_str(),
            plugin.name,
            plugin.version,
            plugin.summary
        )?;
        let parameters = touchline_config::parameters(&plugin.params_schema);
        if name.is_some() {
            parameters.iter().try_for_each(|parameter| explain(&mut out, parameter))?;
        } else if !parameters.is_empty() {
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            writeln!(out, "{:24}parameters: {}", "", names.join(", "))?;
        }
    }
    if name.is_some() {
        return Ok(());
    }
    for attempt in host.attempts() {
        if let AttemptResult::Refused(_) = attempt.result {
            writeln!(out, "refused  {attempt}")?;
        }
    }
    if host.descriptions().is_empty() {
        writeln!(out, "{}", shipped::no_plugins(plugins))?;
    }
    Ok(())
}

fn attempt_json(attempt: &Attempt) -> Value {
    let (result, reason) = match &attempt.result {
        AttemptResult::Loaded(_) => ("loaded", None),
        AttemptResult::Refused(refusal) => ("refused", Some(refusal.to_string())),
        AttemptResult::NotAPlugin => ("not-a-plugin", None),
    };
    json!({ "path": attempt.path.display().to_string(), "result": result, "reason": reason })
}

fn explain(out: &mut impl Write, parameter: &Parameter) -> std::io::Result<()> {
    let kind = match parameter.choices.as_slice() {
        [] => parameter.kind.clone(),
        choices => choices.join(" | "),
    };
    let default = match (&parameter.default, parameter.is_needed) {
        (_, true) => "needed".into(),
        (Some(default), false) => format!("default {default}"),
        (None, false) => "may be left out".into(),
    };
    let range = parameter.range.as_ref().map(|range| format!("; {range}")).unwrap_or_default();
    writeln!(out, "  {}: {kind}{range}; {default}\n      {}", parameter.name, parameter.meaning)
}
