//! `touchline plugins`: what was found, and what was refused and why. (P1)

use super::{Failure, shipped};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use touchline_host::{Attempt, AttemptResult};
use touchline_sim::PluginFactory;

pub fn list(as_json: bool, plugins: &[PathBuf]) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins);
    let mut out = std::io::stdout().lock();
    if as_json {
        let attempts: Vec<Value> = host.attempts().iter().map(attempt_json).collect();
        let found: Vec<Value> = host
            .descriptions()
            .iter()
            .map(|plugin| {
                let path = host.path_of(plugin.kind, &plugin.name).map(|path| path.display().to_string());
                json!({
                    "kind": plugin.kind, "name": plugin.name, "version": plugin.version,
                    "summary": plugin.summary, "path": path, "params_schema": plugin.params_schema,
                })
            })
            .collect();
        writeln!(out, "{}", json!({ "plugins": found, "attempts": attempts }))?;
        return Ok(());
    }
    for plugin in host.descriptions() {
        writeln!(
            out,
            "{:8} {:14} {:8} {}",
            plugin.kind.as_str(),
            plugin.name,
            plugin.version,
            plugin.summary
        )?;
        let names = parameter_names(&plugin.params_schema);
        if !names.is_empty() {
            writeln!(out, "{:24}parameters: {}", "", names.join(", "))?;
        }
    }
    for attempt in host.attempts() {
        if let AttemptResult::Refused(_) = attempt.result {
            writeln!(out, "refused  {attempt}")?;
        }
    }
    if host.descriptions().is_empty() {
        let folders: Vec<_> =
            shipped::plugin_folders(plugins).iter().map(|folder| folder.display().to_string()).collect();
        writeln!(out, "no plugins in {}", folders.join(", "))?;
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

fn parameter_names(schema: &Value) -> Vec<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
}
