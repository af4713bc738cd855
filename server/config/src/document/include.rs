//! Parts that a file includes, merged into it.
//!
//! Lists of tables at the root go on from part to part and into the file itself; an entry of the file's own that has the
//! name of a part's entry changes that one, key by key. Tables are merged. Any other key is set by one part, or by the
//! file that includes them: that one counts.

use super::{At, Content, Document, MAX_FILES, Node, Table};
use crate::source::{BESIDE, FileSource};
use serde_json::Value;

impl Document {
    /// Merges the parts that the root table includes into it.
    pub(super) fn include(&mut self, root: &mut Node, source: &dyn FileSource, open: &mut Vec<usize>) {
        let Content::Table(own) = &mut root.content else { return };
        let Some(Content::List(names)) = own.get("include").map(|node| &node.content) else { return };
        let names = names.clone();
        let mut parts = Table::new();
        for name in names {
            let Content::Scalar(Value::String(text)) = &name.content else { continue };
            if self.files.len() >= MAX_FILES {
                let what = format!("more than {MAX_FILES} files are included");
                self.push(&name.place, At::Value, "config/file-not-read", what);
                break;
            }
            let from = self.files[name.place.file].path.clone();
            match source.read(&from, text) {
                Err(reason) => {
                    let what = format!("cannot include \"{text}\": {reason}");
                    let problem = self.push(&name.place, At::Value, "config/file-not-read", what);
                    problem.hint = Some(BESIDE.into());
                }
                Ok(file) if open.iter().any(|&number| self.files[number].path == file.path) => {
                    let chain: Vec<_> =
                        open.iter().map(|&number| self.files[number].path.display().to_string()).collect();
                    let what = format!("\"{text}\" includes itself");
                    let problem = self.push(&name.place, At::Value, "config/include-cycle", what);
                    problem.hint = Some(format!("{} -> {}", chain.join(" -> "), file.path.display()));
                }
                Ok(file) => {
                    let part = self.parse_file(file, source, open);
                    if let Content::Table(part) = part.content {
                        self.merge_parts(&mut parts, part, own, true);
                    }
                }
            }
        }
        let own_entries = std::mem::take(own);
        for (key, node) in own_entries {
            override_entry(&mut parts, key, node, true);
        }
        *own = parts;
    }

    /// Adds one part to those before it. The same key in both is a conflict, unless the file that includes them sets it.
    fn merge_parts(&mut self, into: &mut Table, part: Table, own: &Table, is_root: bool) {
        for (key, node) in part {
            if key == "include" && is_root {
                continue;
            }
            let own_node = own.get(&key);
            let Some(old) = into.get_mut(&key) else {
                into.insert(key, node);
                continue;
            };
            match (&mut old.content, node.content) {
                (Content::Table(old), Content::Table(new)) => {
                    let nothing = Table::new();
                    let own = match own_node.map(|node| &node.content) {
                        Some(Content::Table(own)) => own,
                        _ => &nothing,
                    };
                    self.merge_parts(old, new, own, false);
                }
                (Content::List(old), Content::List(new))
                    if is_root && all_tables(old) && all_tables(&new) =>
                {
                    old.extend(new);
                }
                _ if own_node.is_some() => {}
                _ => {
                    let (line, _) = self.line_column(old.place.file, old.place.value.start);
                    let hint = format!(
                        "{}:{line} sets it as well; set it in the file that includes both, or in one part only",
                        self.files[old.place.file].path.display()
                    );
                    let what = format!("two included parts set \"{key}\"");
                    self.push(&node.place, At::Key, "config/include-conflict", what).hint = Some(hint);
                }
            }
        }
    }
}

/// Sets a key over what the parts say: lists of tables at the root go on, tables merge, anything else is replaced. An
/// entry of such a list that has the name of one of the parts' changes that one.
fn override_entry(parts: &mut Table, key: String, node: Node, is_root: bool) {
    let Some(old) = parts.get_mut(&key) else {
        parts.insert(key, node);
        return;
    };
    old.place = node.place;
    match (&mut old.content, node.content) {
        (Content::Table(old), Content::Table(new)) => {
            for (key, node) in new {
                override_entry(old, key, node, false);
            }
        }
        (Content::List(old), Content::List(new)) if is_root && all_tables(old) && all_tables(&new) => {
            let mut is_overridden = vec![false; old.len()];
            for node in new {
                let name = name_of(&node);
                let mut from_parts = old.iter().zip(&is_overridden);
                match from_parts.position(|(old, _)| name.is_some() && name_of(old) == name) {
                    Some(index) if !is_overridden[index] => {
                        is_overridden[index] = true;
                        override_item(&mut old[index], node);
                    }
                    // A second one of a name is one too many, as without a part.
                    _ => old.push(node),
                }
            }
        }
        (old, new) => *old = new,
    }
}

/// Sets the keys of one entry of a list over those of the part's entry of the same name.
fn override_item(old: &mut Node, new: Node) {
    if let (Content::Table(old), Content::Table(new)) = (&mut old.content, new.content) {
        for (key, node) in new {
            override_entry(old, key, node, false);
        }
    }
}

/// What an entry of a list is called, if it is called anything: a sensor's `id`, a manipulator's, team's, robot's `name`.
fn name_of(item: &Node) -> Option<(&'static str, &str)> {
    let Content::Table(table) = &item.content else { return None };
    ["id", "name"].into_iter().find_map(|key| match &table.get(key)?.content {
        Content::Scalar(Value::String(name)) => Some((key, name.as_str())),
        _ => None,
    })
}

fn all_tables(items: &[Node]) -> bool {
    items.iter().all(|item| matches!(item.content, Content::Table(_)))
}
