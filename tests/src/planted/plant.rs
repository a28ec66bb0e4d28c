//! Planting one defect in a registry, and saying where it must be found.

use super::emit::{Text, child, raw};
use super::{Manifest, Random, Registry};
use agentry::Kind;
use agentry_text::{Format, Others, Shape};
use serde_json::Value;

/// What makes a defect of a rule's kind. None where this registry has no place for it.
pub type Plant = fn(&mut Planting) -> Option<Planted>;

/// A change of a text; the line where the defect then is.
pub type Edit = Box<dyn Fn(&mut Text, &mut Random) -> Option<usize>>;

/// A registry in which something is planted.
pub struct Planting {
    /// The registry.
    pub registry: Registry,
    /// Decides where.
    pub random: Random,
}

/// What was planted.
pub struct Planted {
    /// The manifest that the finding is about.
    pub manifest: usize,
    /// Where the finding is.
    pub at: At,
    /// What is done to the text of the manifest.
    pub edit: Option<Edit>,
    /// Rules that the defect breaks too, each with the reason: in the same file,
    pub also: Vec<(&'static str, &'static str)>,
    /// and in other files.
    pub elsewhere: Vec<(&'static str, &'static str)>,
}

/// Where a finding is.
#[derive(Clone, Debug)]
pub enum At {
    /// In the line of a value's key or header.
    Place(String),
    /// In the line where a value begins, which YAML may write below its key.
    Value(String),
    /// In the line of the later one of two keys.
    Later(String, String),
    /// In the line of a part of a text.
    Part(String, String),
    /// In a line.
    Line(usize),
    /// Where the edit says.
    Edited,
}

impl Planted {
    /// Something at a value.
    pub fn at(manifest: usize, pointer: impl Into<String>) -> Self {
        Self { manifest, at: At::Place(pointer.into()), edit: None, also: Vec::new(), elsewhere: Vec::new() }
    }

    /// Something in a line.
    pub fn in_line(manifest: usize, line: usize) -> Self {
        Self { manifest, at: At::Line(line), edit: None, also: Vec::new(), elsewhere: Vec::new() }
    }

    /// Something done to the text.
    pub fn edited(manifest: usize, edit: impl Fn(&mut Text, &mut Random) -> Option<usize> + 'static) -> Self {
        Self { manifest, at: At::Edited, edit: Some(Box::new(edit)), also: Vec::new(), elsewhere: Vec::new() }
    }

    /// The same, which breaks another rule too, and why.
    #[must_use]
    pub fn also(mut self, rule: &'static str, reason: &'static str) -> Self {
        self.also.push((rule, reason));
        self
    }

    /// The same, which breaks another rule in another file, and why.
    #[must_use]
    pub fn elsewhere(mut self, rule: &'static str, reason: &'static str) -> Self {
        self.elsewhere.push((rule, reason));
        self
    }

    /// The same at another place.
    #[must_use]
    pub fn found_at(mut self, pointer: impl Into<String>) -> Self {
        self.at = At::Place(pointer.into());
        self
    }

    /// The same where the value begins.
    #[must_use]
    pub fn at_its_value(mut self) -> Self {
        if let At::Place(pointer) = self.at {
            self.at = At::Value(pointer);
        }
        self
    }

    /// The same at a part of a text.
    #[must_use]
    pub fn part(mut self, pointer: impl Into<String>, part: impl Into<String>) -> Self {
        self.at = At::Part(pointer.into(), part.into());
        self
    }
}

/// A table or value of a registry.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The manifest.
    pub manifest: usize,
    /// The JSON pointer.
    pub pointer: String,
}

impl Planting {
    /// The value of a spot.
    pub fn value(&mut self, spot: &Spot) -> Option<&mut Value> {
        self.registry.manifests.get_mut(spot.manifest)?.root.pointer_mut(&spot.pointer)
    }

    /// The manifest of a spot.
    pub fn manifest(&mut self, spot: &Spot) -> Option<&mut Manifest> {
        self.registry.manifests.get_mut(spot.manifest)
    }

    /// One of the values at a pointer, in which `*` stands for any key or entry, of any manifest of a kind.
    pub fn find(&mut self, kind: Kind, pattern: &str) -> Option<Spot> {
        self.find_where(kind, pattern, |_| true)
    }

    /// The same, of values that fit.
    pub fn find_where(&mut self, kind: Kind, pattern: &str, fits: impl Fn(&Value) -> bool) -> Option<Spot> {
        let mut spots = Vec::new();
        for manifest in self.registry.of_kind(kind) {
            let root = &self.registry.manifests[manifest].root;
            let mut found = Vec::new();
            expand(root, pattern, String::new(), &mut found);
            let fitting = found.into_iter().filter(|pointer| root.pointer(pointer).is_some_and(&fits));
            spots.extend(fitting.map(|pointer| Spot { manifest, pointer }));
        }
        self.random.pick(&spots).cloned()
    }

    /// A manifest of some formats.
    pub fn of_format(&mut self, formats: &[Format]) -> Option<usize> {
        let all = self.registry.manifests.iter().enumerate();
        let fitting: Vec<usize> =
            all.filter(|(_, one)| formats.contains(&one.format)).map(|(place, _)| place).collect();
        self.random.pick(&fitting).copied()
    }

    /// Puts another value at a pointer.
    pub fn replace(&mut self, kind: Kind, pattern: &str, value: impl Into<Value>) -> Option<Planted> {
        let spot = self.find(kind, pattern)?;
        *self.value(&spot)? = value.into();
        Some(Planted::at(spot.manifest, spot.pointer))
    }

    /// Puts a key into a table.
    pub fn put(&mut self, kind: Kind, pattern: &str, key: &str, value: impl Into<Value>) -> Option<Planted> {
        let spot = self.find(kind, pattern)?;
        self.put_at(&spot, key, value)
    }

    /// Puts a key into a table that is known.
    pub fn put_at(&mut self, spot: &Spot, key: &str, value: impl Into<Value>) -> Option<Planted> {
        self.value(spot)?.as_object_mut()?.insert(key.to_owned(), value.into());
        Some(Planted::at(spot.manifest, child(&spot.pointer, key)))
    }

    /// Puts keys into a table, and finds at the first one.
    pub fn put_all(&mut self, kind: Kind, pattern: &str, keys: &[(&str, Value)]) -> Option<Planted> {
        let spot = self.find(kind, pattern)?;
        let mut first = None;
        for (key, value) in keys {
            let planted = self.put_at(&spot, key, value.clone())?;
            first = first.or(Some(planted));
        }
        first
    }

    /// Takes a key away, and finds at the table.
    pub fn remove(&mut self, spot: &Spot, key: &str) -> Option<Planted> {
        self.value(spot)?.as_object_mut()?.shift_remove(key)?;
        Some(Planted::at(spot.manifest, spot.pointer.clone()))
    }

    /// Every table of every manifest whose keys are known, with what is known of it.
    pub fn shaped(&self) -> Vec<(Spot, &'static Shape)> {
        let mut found = Vec::new();
        for (manifest, one) in self.registry.manifests.iter().enumerate() {
            if let Some(shape) = one.kind.shape() {
                walk(&one.root, manifest, String::new(), shape, &mut found);
            }
        }
        found
    }

    /// One of the tables whose keys are known and are all there are.
    pub fn known_table(&mut self) -> Option<Spot> {
        let mut all = self.shaped();
        all.retain(|(_, shape)| shape.others != Others::Any);
        self.random.pick(&all).map(|(spot, _)| spot.clone())
    }

    /// Every value of every manifest that is no table and fits, with its schema's alternatives.
    pub fn values(&self, fits: impl Fn(&Manifest, &str, &Value) -> bool) -> Vec<Spot> {
        let mut found = Vec::new();
        for (manifest, one) in self.registry.manifests.iter().enumerate() {
            let mut pointers = Vec::new();
            leaves(&one.root, String::new(), &mut pointers);
            let fitting = pointers
                .into_iter()
                .filter(|pointer| one.root.pointer(pointer).is_some_and(|value| fits(one, pointer, value)));
            found.extend(fitting.map(|pointer| Spot { manifest, pointer }));
        }
        found
    }

    /// Writes a value that no tree has.
    pub fn raw(&mut self, spot: &Spot, text: &str) -> Option<Planted> {
        *self.value(spot)? = raw(text);
        Some(Planted::at(spot.manifest, spot.pointer.clone()))
    }
}

fn expand(value: &Value, pattern: &str, pointer: String, found: &mut Vec<String>) {
    let Some(rest) = pattern.strip_prefix('/') else {
        found.push(pointer);
        return;
    };
    let (key, rest) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    match value {
        Value::Object(table) => {
            for (name, value) in table.iter().filter(|(name, _)| key == "*" || *name == key) {
                expand(value, rest, child(&pointer, name), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                if key == "*" || key == index.to_string() {
                    expand(item, rest, child(&pointer, index), found);
                }
            }
        }
        _ => {}
    }
}

fn leaves(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Object(table) => {
            table.iter().for_each(|(key, value)| leaves(value, child(&pointer, key), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| leaves(item, child(&pointer, index), found));
        }
        _ => found.push(pointer),
    }
}

/// The tables of a value, as far as the types tell them from the author's own.
fn walk(
    value: &Value,
    manifest: usize,
    pointer: String,
    shape: &'static Shape,
    found: &mut Vec<(Spot, &'static Shape)>,
) {
    let Value::Object(table) = value else { return };
    for (key, value) in table {
        let Some(inner) = shape.key(key).and_then(|key| (key.shape)()) else { continue };
        let at = child(&pointer, key);
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    walk(item, manifest, child(&at, index), inner, found);
                }
            }
            // The keys of a map are the author's: its tables have the shape.
            Value::Object(entries) if is_map(entries, inner) => {
                for (name, entry) in entries {
                    walk(entry, manifest, child(&at, name), inner, found);
                }
            }
            _ => walk(value, manifest, at, inner, found),
        }
    }
    found.push((Spot { manifest, pointer }, shape));
}

fn is_map(entries: &serde_json::Map<String, Value>, shape: &Shape) -> bool {
    !entries.is_empty()
        && entries.values().all(Value::is_object)
        && entries
            .values()
            .all(|entry| entry.as_object().is_some_and(|entry| entry.keys().any(|key| shape.knows(key))))
        && entries.keys().all(|key| !shape.knows(key))
}
