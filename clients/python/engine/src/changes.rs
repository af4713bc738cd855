//! Changes to a world file: `robot.keeper.player.params.level = 3`.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::Value as Json;
use toml::{Table, Value};

/// Sets each value at its place.
///
/// A place is a path of keys with dots between them. In a list of tables the next part is the `name` or `id` of one of them, or its
/// number from 0. What the world has from the parts that it includes is in `merged`, and is changed as the file itself would do it:
/// by a key, or by a list's entry of the same name.
pub(crate) fn apply(world: &mut Table, merged: &Json, changes: &Bound<'_, PyDict>) -> PyResult<()> {
    for (path, value) in changes {
        let path: String = path.extract().map_err(|_| {
            PyTypeError::new_err("changes: keys are texts such as \"robot.keeper.player.params.level\"")
        })?;
        let value = to_toml(&value, &path)?;
        set(world, merged, &path, value)
            .map_err(|reason| PyValueError::new_err(format!("changes[{path:?}]: {reason}")))?;
    }
    Ok(())
}

fn set(world: &mut Table, merged: &Json, path: &str, value: Value) -> Result<(), String> {
    let (parents, last) = path.rsplit_once('.').map_or(("", path), |(parents, last)| (parents, last));
    if last.is_empty() {
        return Err("the path ends in a dot".into());
    }
    let mut parts = parents.split('.').filter(|part| !part.is_empty());
    let (mut table, mut whole) = (world, merged);
    while let Some(part) = parts.next() {
        // An earlier change may have put it there.
        let is_new = whole.get(part).is_none();
        if is_new && !table.contains_key(part) {
            let known: Vec<&str> =
                whole.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
            return Err(format!("there is no {part:?}; there is {}", known.join(", ")));
        }
        whole = whole.get(part).unwrap_or(&Json::Null);
        if !is_new && !whole.is_object() && !whole.is_array() {
            return Err(format!("{part:?} holds no other values"));
        }
        let empty = || if whole.is_array() { Value::Array(Vec::new()) } else { Value::Table(Table::new()) };
        table = match table.entry(part).or_insert_with(empty) {
            Value::Table(inner) => inner,
            Value::Array(list) => {
                let chosen =
                    parts.next().ok_or_else(|| format!("say which {part} is meant, by name or number"))?;
                let (own, all) = entry(list, whole, part, chosen)?;
                whole = all;
                own
            }
            _ => return Err(format!("{part:?} holds no other values")),
        };
    }
    let is_list =
        whole.get(last).and_then(Json::as_array).is_some_and(|list| list.iter().any(Json::is_object));
    if is_list && !value.is_array() {
        return Err(format!("say which {last} is meant, by name or number"));
    }
    table.insert(last.to_owned(), value);
    Ok(())
}

/// An entry of a list: the file's own, which is made if it comes from a part, and all that is said of it.
fn entry<'a, 'b>(
    own: &'a mut Vec<Value>,
    whole: &'b Json,
    what: &str,
    chosen: &str,
) -> Result<(&'a mut Table, &'b Json), String> {
    let all = whole.as_array().map(Vec::as_slice).unwrap_or_default();
    let name =
        |value: &'b Json| ["id", "name"].into_iter().find_map(|key| Some((key, value.get(key)?.as_str()?)));
    let index = all.iter().position(|value| name(value).is_some_and(|(_, name)| name == chosen));
    let index =
        index.or_else(|| chosen.parse().ok().filter(|&index| index < all.len())).ok_or_else(|| {
            let names: Vec<&str> = all.iter().filter_map(|value| name(value).map(|(_, name)| name)).collect();
            format!("there is no {what} {chosen:?}; there are {}, named: {}", all.len(), names.join(", "))
        })?;
    let place = match name(&all[index]) {
        Some((key, name)) => {
            let place = own.iter().position(|value| value.get(key).and_then(Value::as_str) == Some(name));
            place.unwrap_or_else(|| {
                own.push(Value::Table(Table::from_iter([(key.to_owned(), Value::String(name.to_owned()))])));
                own.len() - 1
            })
        }
        // The parts' entries come first.
        None => (index + own.len()).checked_sub(all.len()).ok_or_else(|| {
            format!("{what} {chosen} comes from an included part and has no name by which to change it")
        })?,
    };
    let table = own.get_mut(place).and_then(Value::as_table_mut);
    Ok((table.ok_or_else(|| format!("{what} {chosen} holds no other values"))?, &all[index]))
}

fn integer(value: &Bound<'_, PyAny>, path: &str) -> PyResult<Value> {
    value.extract().map(Value::Integer).map_err(|_| {
        PyValueError::new_err(format!(
            "changes[{path:?}]: {value} is beyond the whole numbers of a world file, -2^63 to 2^63 - 1"
        ))
    })
}

fn to_toml(value: &Bound<'_, PyAny>, path: &str) -> PyResult<Value> {
    // Python's True is an integer, too: it comes first.
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return integer(value, path);
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::String(value.extract()?));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let values = value.try_iter()?.map(|item| to_toml(&item?, path)).collect::<PyResult<_>>()?;
        return Ok(Value::Array(values));
    }
    if let Ok(table) = value.cast::<PyDict>() {
        let entries = table.iter().map(|(key, value)| Ok((key.extract::<String>()?, to_toml(&value, path)?)));
        return Ok(Value::Table(entries.collect::<PyResult<_>>()?));
    }
    let kind = value.get_type().name()?.to_string();
    // What numpy has instead.
    if kind == "bool" || kind == "bool_" {
        return Ok(Value::Boolean(value.is_truthy()?));
    }
    if value.hasattr("__index__")? {
        return integer(&value.call_method0("__index__")?, path);
    }
    if value.hasattr("__float__")? {
        return Ok(Value::Float(value.call_method0("__float__")?.extract()?));
    }
    Err(PyTypeError::new_err(format!(
        "changes[{path:?}]: {kind} cannot stand in a world file; bool, int, float, str, list and dict can"
    )))
}
