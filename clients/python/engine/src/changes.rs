//! Changes to a world file: `robot.keeper.player.params.level = 3`.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use toml::{Table, Value};

/// Sets each value at its place.
///
/// A place is a path of keys with dots between them. In a list of tables the next part is the `name` of one of them, or its
/// number from 0.
pub(crate) fn apply(world: &mut Table, changes: &Bound<'_, PyDict>) -> PyResult<()> {
    for (path, value) in changes {
        let path: String = path.extract().map_err(|_| {
            PyTypeError::new_err("changes: keys are texts such as \"robot.keeper.player.params.level\"")
        })?;
        let value = to_toml(&value, &path)?;
        set(world, &path, value)
            .map_err(|reason| PyValueError::new_err(format!("changes[{path:?}]: {reason}")))?;
    }
    Ok(())
}

fn set(world: &mut Table, path: &str, value: Value) -> Result<(), String> {
    let (parents, last) = path.rsplit_once('.').map_or(("", path), |(parents, last)| (parents, last));
    if last.is_empty() {
        return Err("the path ends in a dot".into());
    }
    let mut parts = parents.split('.').filter(|part| !part.is_empty());
    let mut table = world;
    while let Some(part) = parts.next() {
        let known: Vec<String> = table.keys().cloned().collect();
        let next = table
            .get_mut(part)
            .ok_or_else(|| format!("there is no {part:?}; there is {}", known.join(", ")))?;
        table = match next {
            Value::Table(inner) => inner,
            Value::Array(list) => {
                let chosen =
                    parts.next().ok_or_else(|| format!("say which {part} is meant, by name or number"))?;
                entry(list, part, chosen)?
            }
            _ => return Err(format!("{part:?} holds no other values")),
        };
    }
    if matches!(table.get(last), Some(Value::Array(list)) if list.iter().any(Value::is_table))
        && !value.is_array()
    {
        return Err(format!("say which {last} is meant, by name or number"));
    }
    table.insert(last.to_owned(), value);
    Ok(())
}

fn entry<'a>(list: &'a mut [Value], what: &str, chosen: &str) -> Result<&'a mut Table, String> {
    let name = |value: &Value| value.get("name").and_then(Value::as_str).map(str::to_owned);
    let names: Vec<String> = list.iter().filter_map(name).collect();
    let count = list.len();
    let index = list.iter().position(|value| name(value).as_deref() == Some(chosen));
    let index = index.or_else(|| chosen.parse().ok().filter(|&index| index < count));
    index.and_then(|index| list.get_mut(index)).and_then(Value::as_table_mut).ok_or_else(|| {
        format!("there is no {what} {chosen:?}; there are {count}, named: {}", names.join(", "))
    })
}

fn to_toml(value: &Bound<'_, PyAny>, path: &str) -> PyResult<Value> {
    // Python's True is an integer, too: it comes first.
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Value::Integer(value.extract()?));
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
    Err(PyTypeError::new_err(format!(
        "changes[{path:?}]: {kind} cannot stand in a world file; bool, int, float, str, list and dict can"
    )))
}
