//! Whether the keys of a document are declared by the schema that takes it.

use super::{Solver, class_of};
use crate::graph::{Classes, Graph, Id, Node};
use serde_json::Value;
use std::collections::HashSet;

impl Solver {
    /// Whether every key of a document is declared, or is one of a map whose values have a schema.
    pub(crate) fn declares(&mut self, schema: Id, document: &Value) -> bool {
        self.all_declared(&[schema], document, 0)
    }

    fn all_declared(&mut self, schemas: &[Id], value: &Value, depth: usize) -> bool {
        if depth > 200 {
            return false;
        }
        let mut atoms = Vec::new();
        let mut seen = HashSet::new();
        for schema in schemas {
            self.applied(*schema, value, &mut atoms, &mut seen);
        }
        match value {
            Value::Array(items) => items.iter().enumerate().all(|(index, item)| {
                let index = index as u64;
                let of_item: Vec<Id> = atoms
                    .iter()
                    .filter_map(|atom| match self.graph.node(*atom) {
                        Node::Item(at, id) if *at == index => Some(*id),
                        Node::Rest(from, id) if index >= *from => Some(*id),
                        _ => None,
                    })
                    .collect();
                self.all_declared(&of_item, item, depth + 1)
            }),
            Value::Object(members) => members.iter().all(|(name, member)| {
                let key = Value::from(name.as_str());
                let mut of_member = Vec::new();
                let mut declared = false;
                for atom in &atoms {
                    match self.graph.node(*atom).clone() {
                        Node::Key(known, id) if *known == **name => {
                            declared = true;
                            of_member.push(id);
                        }
                        Node::Has(known) if *known == **name => declared = true,
                        Node::KeyLike(pattern, id) if self.holds(pattern, &key, 0) == Some(true) => {
                            declared = true;
                            of_member.push(id);
                        }
                        Node::Others(others) => {
                            if others.names.iter().any(|known| **known == **name) {
                                declared = true;
                            } else if self.any(&others.patterns, &key, 0) == Some(false) {
                                declared |= !matches!(others.schema, Graph::ANY | Graph::NEVER);
                                of_member.push(others.schema);
                            }
                        }
                        _ => {}
                    }
                }
                declared && self.all_declared(&of_member, member, depth + 1)
            }),
            _ => true,
        }
    }

    /// The statements that apply to a value: of alternatives, those that hold.
    fn applied(&mut self, id: Id, value: &Value, atoms: &mut Vec<Id>, seen: &mut HashSet<Id>) {
        if !seen.insert(id) {
            return;
        }
        match self.graph.node(id).clone() {
            Node::Same(id) => self.applied(id, value, atoms, seen),
            Node::And(ids) => ids.iter().for_each(|id| self.applied(*id, value, atoms, seen)),
            Node::Or(ids) | Node::One(ids) => {
                for id in &*ids {
                    if self.holds(*id, value, 0) == Some(true) {
                        self.applied(*id, value, atoms, seen);
                    }
                }
            }
            Node::Not(_) => {}
            atom if atom.classes().has(class_of(value)) && atom.classes() != Classes::ALL => atoms.push(id),
            _ => {}
        }
    }
}
