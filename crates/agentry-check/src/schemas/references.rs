//! References between schemas: `$ref` and `$dynamicRef`, and where they lead.

use super::{Place, escaped};
use crate::rules;
use agentry_text::{Finding, Kind, Node, Span, nearest, quoted};
use std::collections::{HashMap, HashSet, VecDeque};
use url::Url;

/// The address of a schema that states none.
const NO_ADDRESS: &str = "json-schema:///";

/// A schema with an address of its own: the root, and each with an `$id`.
struct Resource<'n> {
    node: &'n Node,
    pointer: String,
    address: Url,
    anchors: HashSet<&'n str>,
    /// Whether the address, or the one that it continues, was stated in full.
    stated: bool,
}

/// A reference that was found.
struct Reference<'n> {
    text: &'n str,
    pointer: String,
    span: Span,
    resource: usize,
}

/// The references of one schema.
pub(super) struct References<'n> {
    resources: Vec<Resource<'n>>,
    by_address: HashMap<String, usize>,
    waiting: Vec<Reference<'n>>,
    /// Resources and texts that were followed already.
    followed: HashSet<(usize, &'n str)>,
    /// The keys of large tables: a schema may have thousands of definitions, each referred to.
    index: HashMap<*const Node, HashMap<&'n str, &'n Node>>,
    /// How many references led nowhere.
    dangling: usize,
    outside: bool,
}

enum Target<'n> {
    Schema(Place<'n>),
    /// A schema that every reader knows.
    Known,
    /// A schema that stands elsewhere.
    Outside,
    /// Nothing: why, and what may have been meant.
    Nothing(String, Option<String>),
}

impl<'n> References<'n> {
    pub(super) fn new(root: &'n Node) -> Self {
        let address = Url::parse(NO_ADDRESS).expect("a fixed address");
        let by_address = HashMap::from([(address.as_str().to_owned(), 0)]);
        let root =
            Resource { node: root, pointer: String::new(), address, anchors: HashSet::new(), stated: false };
        Self {
            resources: vec![root],
            by_address,
            waiting: Vec::new(),
            followed: HashSet::new(),
            index: HashMap::new(),
            dangling: 0,
            outside: false,
        }
    }

    /// Whether a reference leads to a schema that stands elsewhere.
    pub(super) fn leaves_the_document(&self) -> bool {
        self.outside
    }

    /// Takes note of a schema's address and anchors. Returns the resource that what is in it belongs to.
    pub(super) fn enter(&mut self, place: &Place<'n>, findings: &mut Vec<Finding>) -> usize {
        let text = |keyword: &str| place.node.get(keyword).and_then(|entry| entry.node.as_str());
        let is_root = std::ptr::eq(self.resources[0].node, place.node);
        if is_root {
            self.resources[0].pointer.clone_from(&place.pointer);
        }
        let mut resource = place.resource;
        if let Some(id) = text("$id").map(|id| id.trim_end_matches('#')).filter(|id| !id.is_empty()) {
            match self.resources[resource].address.join(id) {
                Ok(address) => {
                    let key = address.as_str().to_owned();
                    if is_root {
                        self.resources[0].address = address;
                        self.resources[0].stated = true;
                    } else {
                        resource = self.resources.len();
                        let stated = self.resources[place.resource].stated || Url::parse(id).is_ok();
                        self.resources.push(Resource {
                            node: place.node,
                            pointer: place.pointer.clone(),
                            address,
                            anchors: HashSet::new(),
                            stated,
                        });
                    }
                    self.by_address.insert(key, resource);
                }
                Err(error) => {
                    let span = place.node.get("$id").map_or(place.node.span, |entry| entry.node.span);
                    findings.push(
                        Finding::new(
                            &rules::INVALID_SCHEMA,
                            format!("{}/$id", place.pointer),
                            span,
                            format!("{} is not an address: {error}", quoted(id)),
                        )
                        .label("not an address"),
                    );
                }
            }
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = text(keyword) {
                self.resources[resource].anchors.insert(anchor);
            }
        }
        resource
    }

    /// Takes note of a reference.
    pub(super) fn found(&mut self, text: &'n str, place: &Place<'n>) {
        self.waiting.push(Reference {
            text,
            pointer: place.pointer.clone(),
            span: place.node.span,
            resource: place.resource,
        });
    }

    /// Follows the next reference: what it leads to is added to the places to be judged, once. False when there is
    /// none left.
    pub(super) fn follow(&mut self, places: &mut VecDeque<Place<'n>>, findings: &mut Vec<Finding>) -> bool {
        let Some(reference) = self.waiting.pop() else { return false };
        match self.resolve(&reference) {
            Target::Schema(place) => {
                if self.followed.insert((reference.resource, reference.text)) {
                    places.push_back(place);
                }
            }
            Target::Known => {}
            Target::Outside => {
                self.outside = true;
                let message = format!(
                    "{} is a schema outside this file, and was not looked at",
                    quoted(reference.text)
                );
                findings.push(
                    Finding::new(&rules::REMOTE_REFERENCE, reference.pointer, reference.span, message)
                        .label("leads out of the file")
                        .help("copy it into `$defs`, and refer to it as `#/$defs/NAME`: readers seldom fetch schemas"),
                );
            }
            Target::Nothing(why, meant) => {
                self.dangling += 1;
                let help = match meant {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "a reference inside the schema starts with `#/`, such as `#/$defs/Item`, and each part is a key".to_owned(),
                };
                let message = format!("{} leads nowhere: {why}", quoted(reference.text));
                findings.push(
                    Finding::new(&rules::DANGLING_REFERENCE, reference.pointer, reference.span, message)
                        .label("leads nowhere")
                        .help(help),
                );
            }
        }
        true
    }

    fn resolve(&mut self, reference: &Reference<'n>) -> Target<'n> {
        let text = reference.text;
        let (address, fragment) = text.split_once('#').unwrap_or((text, ""));
        let index = if address.is_empty() {
            reference.resource
        } else {
            let base = &self.resources[reference.resource];
            let Ok(target) = base.address.join(address) else {
                return Target::Nothing("it is not an address".to_owned(), None);
            };
            match self.by_address.get(target.as_str()) {
                Some(index) => *index,
                // The meta-schemas are known to every reader.
                None if target.as_str().starts_with("https://json-schema.org/draft/") => {
                    return Target::Known;
                }
                None if Url::parse(address).is_ok() || base.stated => return Target::Outside,
                None => {
                    let meant = base.near_definition(address);
                    return Target::Nothing("it names another file, and there is none".to_owned(), meant);
                }
            }
        };
        let resource = &self.resources[index];
        let Some(fragment) = percent_decoded(fragment) else {
            return Target::Nothing("what follows `#` is not well encoded".to_owned(), None);
        };
        if fragment.is_empty() {
            return Target::Schema(resource.place(index, "", resource.node));
        }
        if !fragment.starts_with('/') {
            return resource.anchor(index, &fragment);
        }
        let (root, dangling) = (resource.node, self.dangling);
        let target = self.walk(root, &fragment);
        let resource = &self.resources[index];
        match target {
            Some(node) if matches!(node.kind, Kind::Table(_) | Kind::Bool(_)) => {
                Target::Schema(resource.place(index, &fragment, node))
            }
            Some(node) => {
                Target::Nothing(format!("{} stands there, which is no schema", node.kind_name()), None)
            }
            // Looking for what was meant takes its time, and after so many nobody reads on.
            None if dangling > super::MAX_FINDINGS => Target::Nothing("it is not there".to_owned(), None),
            None => Target::Nothing(resource.missing(&fragment), resource.near(&fragment)),
        }
    }

    /// The node that a JSON pointer names.
    fn walk(&mut self, root: &'n Node, pointer: &str) -> Option<&'n Node> {
        let mut node = root;
        for segment in pointer.split('/').skip(1) {
            node = match &node.kind {
                Kind::Table(table) if table.entries.len() > 16 => {
                    let segment = segment.replace("~1", "/").replace("~0", "~");
                    let keys = self.index.entry(std::ptr::from_ref(node)).or_insert_with(|| {
                        table.entries.iter().map(|entry| (entry.key.as_str(), &entry.node)).collect()
                    });
                    keys.get(segment.as_str())?
                }
                _ => node.pointer(&format!("/{segment}"))?,
            };
        }
        Some(node)
    }
}

impl<'n> Resource<'n> {
    fn place(&self, index: usize, fragment: &str, node: &'n Node) -> Place<'n> {
        Place { node, pointer: format!("{}{fragment}", self.pointer), resource: index }
    }

    fn anchor(&self, index: usize, name: &str) -> Target<'n> {
        if self.anchors.contains(name) {
            // Every schema with an anchor has been visited: the anchor was found there.
            return Target::Schema(self.place(index, "", self.node));
        }
        let meant = nearest(name, self.anchors.iter().copied())
            .map(|near| format!("#{near}"))
            .or_else(|| self.near_definition(name));
        Target::Nothing(format!("no schema has the anchor {}", quoted(name)), meant)
    }

    /// The first part of a pointer that is not there.
    fn missing(&self, fragment: &str) -> String {
        let mut node = self.node;
        for segment in fragment.split('/').skip(1) {
            let Some(next) = node.pointer(&format!("/{segment}")) else {
                return format!("there is no {} here", quoted(segment));
            };
            node = next;
        }
        "it is not there".to_owned()
    }

    /// A pointer whose last part is near to what is there.
    fn near(&self, fragment: &str) -> Option<String> {
        let (above, last) = fragment.rsplit_once('/')?;
        let table = self.node.pointer(above).and_then(Node::as_table);
        let near =
            table.and_then(|table| nearest(last, table.entries.iter().map(|entry| entry.key.as_str())));
        match near {
            Some(near) => Some(format!("#{above}/{}", escaped(near))),
            None => self.near_definition(last),
        }
    }

    /// A definition of exactly or nearly this name.
    fn near_definition(&self, name: &str) -> Option<String> {
        ["$defs", "definitions"].into_iter().find_map(|keyword| {
            let table = self.node.get(keyword)?.node.as_table()?;
            let near = nearest(name, table.entries.iter().map(|entry| entry.key.as_str()))?;
            Some(format!("#/{keyword}/{}", escaped(near)))
        })
    }
}

/// The text with `%20` and the like replaced; None where that is not well formed.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let value = digit()? * 16 + digit()?;
            bytes.push(u8::try_from(value).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
