//! A registry: manifests and the files that they name.

use super::documents::{AFTER_TURN, INGEST, World};
use super::emit::{Style, Text, emit};
use super::{Random, words};
use agentry::Kind;
use agentry_text::Format;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::Path;

/// A manifest of a registry.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// Its path from the top of the registry, with `/`.
    pub path: String,
    /// Its kind.
    pub kind: Kind,
    /// Its format.
    pub format: Format,
    /// The value that is written.
    pub root: Value,
    /// What stands below the front matter.
    pub body: String,
    /// The seed of its style.
    pub seed: u64,
}

impl Manifest {
    /// The text.
    pub fn text(&self, style: Style) -> Text {
        emit(self.format, &self.root, &self.body, style, Random::new(self.seed))
    }
}

/// A registry.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// The manifests.
    pub manifests: Vec<Manifest>,
    /// Files that are none: path and text.
    pub files: Vec<(String, String)>,
    /// Links: path and what it leads to.
    pub links: Vec<(String, String)>,
    /// The manifests that are named, and not only found in the folder.
    pub named: Vec<usize>,
    /// The kind that is given for them.
    pub named_kind: Option<Kind>,
}

/// How many manifests of each sort there are.
const SORTS: [(Kind, usize); 13] = [
    (Kind::Channel, 1),
    (Kind::Plugin, 1),
    (Kind::Integration, 1),
    (Kind::Skill, 1),
    (Kind::SkillMd, 1),
    (Kind::Provider, 1),
    (Kind::Agent, 1),
    (Kind::Hand, 1),
    (Kind::Workflow, 1),
    (Kind::Tool, 1),
    (Kind::Package, 1),
    (Kind::SkillConfig, 2),
    (Kind::Alias, 0),
];

impl Registry {
    /// A small registry with manifests of every kind.
    pub fn small(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let counts = SORTS.map(|(kind, least)| {
            let more = if least == 0 { 0 } else { usize::from(random.once_in(3)) };
            (kind, least + more)
        });
        Self::with(&counts, random)
    }

    /// A registry of so many manifests.
    pub fn of_size(size: usize, seed: u64) -> Self {
        // With each plugin, package and configuration come other files.
        let sum: usize = SORTS.iter().map(|(_, count)| count).sum::<usize>() + 5;
        let mut counts = SORTS.map(|(kind, count)| (kind, count * size / sum));
        // Two manifests there are once, at the top.
        let missing = size.saturating_sub(2 + counts.iter().map(|(_, count)| count).sum::<usize>());
        counts[0].1 += missing;
        Self::with(&counts, Random::new(seed))
    }

    fn with(counts: &[(Kind, usize)], random: Random) -> Self {
        let mut registry = Self::default();
        let mut world = World::new(random);
        for &(kind, count) in counts {
            for _ in 0..count {
                registry.add(&mut world, kind);
            }
        }
        let root = world.alias();
        registry.push(&mut world, Kind::Alias, "aliases.toml".to_owned(), root);
        let root = world.registry_schema();
        registry.push(&mut world, Kind::RegistrySchema, "registry-schema.toml".to_owned(), root);
        registry
    }

    fn push(&mut self, world: &mut World, kind: Kind, path: String, root: Value) {
        let ending = path.rsplit('.').next().unwrap_or_default();
        let format = Format::from_name(ending).unwrap_or(Format::Toml);
        let seed = world.random.draw();
        self.manifests.push(Manifest { path, kind, format, root, body: String::new(), seed });
    }

    fn add(&mut self, world: &mut World, kind: Kind) {
        let id = world.id();
        let (path, root) = match kind {
            Kind::Provider => (format!("providers/{id}.toml"), world.provider(&id)),
            Kind::Agent => (format!("agents/{id}/agent.toml"), world.agent(&id)),
            Kind::Hand => (format!("hands/{id}/HAND.toml"), world.hand(&id)),
            Kind::Integration if world.random.once_in(4) => {
                (format!("mcp/{id}/MCP.toml"), world.integration(&id))
            }
            Kind::Integration => (format!("mcp/{id}.toml"), world.integration(&id)),
            Kind::Skill => (format!("skills/{id}/skill.toml"), world.skill(&id)),
            Kind::Channel => (format!("channels/{id}.toml"), world.channel(&id)),
            Kind::Workflow => (format!("workflows/{id}.toml"), world.workflow(&id)),
            Kind::Tool => (format!("tools/{id}.tool.json"), world.tool(&id)),
            Kind::Plugin => {
                for (name, script) in [("ingest", INGEST.0), ("after_turn", AFTER_TURN.0)] {
                    self.files.push((format!("plugins/{id}/hooks/{name}.py"), script.to_owned()));
                }
                (format!("plugins/{id}/plugin.toml"), world.plugin(&id))
            }
            Kind::Package => {
                let folder = format!("packages/{}/{id}", words::word(&mut world.random));
                for name in ["first", "second"] {
                    self.files.push((format!("{folder}/notes/{name}.md"), "# Notes\n".to_owned()));
                }
                let name = world.random.of(&["agent.toml", "agent.yaml", "agent.yml", "agent.json"]);
                (format!("{folder}/{name}"), world.package(&id))
            }
            Kind::SkillMd => {
                let (root, body) = world.skill_md(&id);
                self.push(world, kind, format!("skills/{id}/SKILL.md"), root);
                self.last_body(body);
                return;
            }
            Kind::SkillConfig => {
                let folder = world.random.coin().then(|| world.id());
                if let Some(folder) = &folder {
                    let (root, body) = world.skill_md(folder);
                    self.push(world, Kind::SkillMd, format!("skill-configs/skills/{folder}/SKILL.md"), root);
                    self.last_body(body);
                }
                let name = world.random.of(&["yaml", "yml"]);
                (format!("skill-configs/{id}.{name}"), world.skill_config(&id, folder.as_deref()))
            }
            _ => return,
        };
        self.push(world, kind, path, root);
    }

    fn last_body(&mut self, body: String) {
        if let Some(last) = self.manifests.last_mut() {
            last.body = body;
        }
    }

    /// The manifests of a kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = usize> {
        self.manifests.iter().enumerate().filter(move |(_, one)| one.kind == kind).map(|(place, _)| place)
    }

    /// Writes all of it into a folder.
    pub fn write(&self, folder: &Path, style: Style) -> io::Result<()> {
        for manifest in &self.manifests {
            write(folder, &manifest.path, &manifest.text(style).bytes())?;
        }
        for (path, text) in &self.files {
            write(folder, path, text.as_bytes())?;
        }
        self.write_links(folder)
    }

    /// Makes the links.
    pub fn write_links(&self, folder: &Path) -> io::Result<()> {
        #[cfg(unix)]
        for (path, to) in &self.links {
            std::os::unix::fs::symlink(to, folder.join(path))?;
        }
        Ok(())
    }
}

/// Writes one file of a registry.
pub fn write(folder: &Path, path: &str, bytes: &[u8]) -> io::Result<()> {
    let path = folder.join(path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}
