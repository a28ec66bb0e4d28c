//! The trees of valid documents, one function per kind.

use super::Random;
use super::words::{self, TONGUES, Tongue};
use serde_json::{Map, Value, json};

/// What a registry has so far, for documents that name others.
#[derive(Debug)]
pub(super) struct World {
    pub(super) random: Random,
    /// The language of names and descriptions.
    tongue: usize,
    /// The languages of translations: the same for every document.
    translations: Vec<usize>,
    /// How many ids were given.
    number: usize,
    pub(super) providers: Vec<String>,
    /// Each with its provider.
    pub(super) models: Vec<(String, String)>,
    pub(super) channels: Vec<String>,
    /// Each with the variables that it needs.
    pub(super) servers: Vec<(String, Vec<String>)>,
    pub(super) skills: Vec<String>,
    pub(super) plugins: Vec<String>,
    pub(super) agents: Vec<String>,
    pub(super) configs: Vec<String>,
}

/// Tools that runtimes bring along.
const TOOLS: &[&str] =
    &["agent_send", "file_list", "file_read", "file_write", "memory_recall", "memory_store", "web_fetch"];

/// A hook script, and its SHA-256.
pub(super) const INGEST: (&str, &str) = (
    "import json, sys\n\n# Answers a message with a note.\nrequest = json.load(sys.stdin)\n\
     print(json.dumps({\"type\": \"ingest_result\", \"memories\": [{\"content\": request[\"message\"]}]}))\n",
    "00d620bb555d1ba261f9af0b43b6b0a553cba594235f0f8a334d2cc2418e5e96",
);
pub(super) const AFTER_TURN: (&str, &str) = (
    "import json, sys\n\n# Says that it is done.\njson.load(sys.stdin)\nprint(json.dumps({\"type\": \"ok\"}))\n",
    "dbc3efba2d06983a1be1c8366aeb4a8f9103db8e43c77300385b87617d1352c7",
);

/// A table that is filled key by key.
struct Filling<'w> {
    table: Map<String, Value>,
    random: &'w mut Random,
}

impl Filling<'_> {
    fn put(&mut self, key: &str, value: impl Into<Value>) {
        self.table.insert(key.to_owned(), value.into());
    }

    /// Puts a key as often as not.
    fn may<V: Into<Value>>(&mut self, key: &str, value: impl FnOnce(&mut Random) -> V) {
        if self.random.coin() {
            let value = value(self.random);
            self.put(key, value);
        }
    }

    fn done(self) -> Value {
        Value::Object(self.table)
    }
}

fn filling(random: &mut Random) -> Filling<'_> {
    Filling { table: Map::new(), random }
}

fn table(value: Value) -> Map<String, Value> {
    if let Value::Object(table) = value { table } else { Map::new() }
}

impl World {
    pub(super) fn new(mut random: Random) -> Self {
        // Most registries are in English, which half of the rules about words know best.
        let tongue = if random.coin() { 0 } else { random.below(TONGUES.len()) };
        let mut translations: Vec<usize> = (0..TONGUES.len()).filter(|other| *other != tongue).collect();
        random.shuffle(&mut translations);
        let count = random.below(3);
        translations.truncate(count);
        Self {
            random,
            tongue,
            translations,
            number: 0,
            providers: Vec::new(),
            models: Vec::new(),
            channels: Vec::new(),
            servers: Vec::new(),
            skills: Vec::new(),
            plugins: Vec::new(),
            agents: Vec::new(),
            configs: Vec::new(),
        }
    }

    fn tongue(&self) -> &'static Tongue {
        &TONGUES[self.tongue]
    }

    pub(super) fn id(&mut self) -> String {
        self.number += 1;
        words::id(&mut self.random, self.number)
    }

    fn label(&mut self) -> String {
        self.tongue().label(&mut self.random)
    }

    fn sentence(&mut self) -> String {
        self.tongue().sentence(&mut self.random)
    }

    fn lines(&mut self) -> String {
        self.tongue().lines(&mut self.random)
    }

    /// The name of a variable that no other document has.
    fn variable(&mut self, ending: &str) -> String {
        self.number += 1;
        format!("{}_{}_{ending}", words::word(&mut self.random).to_uppercase(), self.number)
    }

    /// The name and the description in every language of the registry.
    fn translated(&mut self, root: &mut Value, with_description: bool) {
        if self.translations.is_empty() {
            return;
        }
        let mut all = Map::new();
        for tongue in self.translations.clone() {
            let tongue = &TONGUES[tongue];
            let mut one = Map::new();
            one.insert("name".to_owned(), tongue.label(&mut self.random).into());
            if with_description {
                one.insert("description".to_owned(), tongue.sentence(&mut self.random).into());
            }
            all.insert(tongue.code.to_owned(), Value::Object(one));
        }
        root["i18n"] = Value::Object(all);
    }

    /// Some of the things there are, each once.
    fn some(&mut self, all: &[String]) -> Vec<String> {
        let mut all = all.to_vec();
        self.random.shuffle(&mut all);
        let count = self.random.between(1, 2.min(all.len()));
        all.truncate(count);
        all
    }

    pub(super) fn provider(&mut self, id: &str) -> Value {
        let local = self.random.once_in(4);
        let display_name = self.label();
        let variable = self.variable("API_KEY");
        let mut provider = filling(&mut self.random);
        provider.put("id", id);
        provider.put("display_name", display_name);
        provider.put("api_key_env", variable.clone());
        provider.put(
            "base_url",
            if local {
                format!("http://localhost:{}/v1", 8000 + id.len())
            } else {
                format!("https://api.{id}.example/v1")
            },
        );
        provider.put("key_required", !local);
        if !local {
            provider.may("signup_url", |_| format!("https://{id}.example/keys"));
            provider
                .may("regions", |_| json!({ "eu": { "base_url": format!("https://eu.{id}.example/v1") } }));
        }
        provider.may("discover_models", Random::coin);
        let provider = provider.done();
        let mut models = Vec::new();
        for _ in 0..self.random.between(1, 4) {
            models.push(self.model(id, local));
        }
        self.providers.push(id.to_owned());
        json!({ "provider": provider, "models": models })
    }

    fn model(&mut self, provider: &str, local: bool) -> Value {
        let id = format!("{}.{}", self.id(), self.random.below(10));
        let name = self.label();
        let media = !local && self.random.once_in(4);
        let price = |random: &mut Random| {
            // One digit behind the point, and never none: 0.1 to 9.9.
            let tenths = u32::try_from(random.between(1, 99)).unwrap_or(1);
            if local { 0.0 } else { f64::from(tenths) / 10.0 }
        };
        let mut model = filling(&mut self.random);
        model.put("id", id.clone());
        model.put("display_name", name);
        let tier = if local { "local" } else { model.random.of(&["frontier", "smart", "balanced", "fast"]) };
        model.put("tier", tier);
        if media {
            let modality = model.random.of(&["image", "audio", "video", "music"]);
            model.put("modality", modality);
            let by_call = matches!(modality, "video" | "music");
            let cost = if by_call { 0.0 } else { price(model.random) };
            model.put("input_cost_per_m", cost);
            model.put("output_cost_per_m", cost);
            if by_call {
                let cost = price(model.random);
                model.put("per_call_cost", cost);
            }
        } else {
            let window = 4096 << model.random.below(7);
            model.put("context_window", window);
            model.put("max_output_tokens", window / 4);
            let (input, output) = (price(model.random), price(model.random));
            model.put("input_cost_per_m", input.min(output));
            model.put("output_cost_per_m", input.max(output));
            model.may("supports_tools", Random::coin);
            model.may("supports_vision", Random::coin);
            model.may("aliases", |_| vec![format!("{id}-latest")]);
        }
        model.put("supports_streaming", !media);
        if !local {
            model.may("last_verified", |random| {
                format!("2026-0{}-1{}", random.between(1, 5), random.below(10))
            });
        }
        self.models.push((id, provider.to_owned()));
        model.done()
    }

    pub(super) fn alias(&mut self) -> Value {
        let mut aliases = Map::new();
        for _ in 0..self.random.between(1, 4) {
            let Some((model, _)) = self.random.pick(&self.models).cloned() else { break };
            aliases.insert(format!("{}-short", self.id()), model.into());
        }
        json!({ "aliases": aliases })
    }

    pub(super) fn channel(&mut self, id: &str) -> Value {
        let (name, description) = (self.label(), self.sentence());
        let mut channel = filling(&mut self.random);
        channel.put("id", id);
        channel.put("name", name);
        channel.put("description", description);
        let category = channel.random.of(&["messaging", "social", "enterprise", "developer", "iot", "email"]);
        channel.put("category", category);
        channel.may("tags", |random| random.some(&["chat", "team", "消息"]));
        channel.may("icon", |random| random.of(&["lucide:flag", "📮"]));
        channel.may("protocol", |random| random.of(&["websocket", "imap", "mqtt", "webhook"]));
        channel.may("metadata", |_| json!({ "docs": format!("https://docs.{id}.example/") }));
        let mut channel = channel.done();
        self.translated(&mut channel, true);
        self.channels.push(id.to_owned());
        channel
    }

    pub(super) fn integration(&mut self, id: &str) -> Value {
        let (name, description, setup) = (self.label(), self.sentence(), self.lines());
        let variables: Vec<String> = (0..self.random.below(3)).map(|_| self.variable("TOKEN")).collect();
        let needs: Vec<Value> = variables
            .iter()
            .map(|variable| {
                let (label, help) = (self.label(), self.sentence());
                let mut need = filling(&mut self.random);
                need.put("name", variable.as_str());
                need.put("label", label);
                need.put("help", help);
                need.may("is_secret", |_| true);
                need.may("get_url", |_| format!("https://{id}.example/tokens"));
                need.done()
            })
            .collect();
        let mut root = filling(&mut self.random);
        root.put("id", id);
        root.put("name", name);
        root.put("description", description);
        let category = root.random.of(&["devtools", "communication", "data", "productivity", "cloud", "ai"]);
        root.put("category", category);
        root.put("icon", "lucide:kanban");
        root.may("tags", |random| random.some(&["issues", "planning", "задачи"]));
        root.may("setup_instructions", |_| setup);
        let transport = match root.random.below(3) {
            0 => json!({ "type": "stdio", "command": "npx", "args": ["-y", format!("@{id}/server@2.3.1")] }),
            1 => json!({ "type": "http", "url": format!("https://mcp.{id}.example/mcp") }),
            _ => json!({ "type": "sse", "url": format!("https://mcp.{id}.example/sse") }),
        };
        root.put("transport", transport);
        if !needs.is_empty() {
            root.put("required_env", needs);
        }
        root.may("oauth", |_| {
            json!({
                "provider": id, "scopes": ["read:all"], "auth_url": format!("https://{id}.example/oauth/authorize"),
                "token_url": format!("https://{id}.example/oauth/token")
            })
        });
        root.may("health_check", |random| {
            json!({ "interval_secs": random.between(30, 300), "unhealthy_threshold": random.between(1, 5) })
        });
        let mut root = root.done();
        self.translated(&mut root, true);
        self.servers.push((id.to_owned(), variables));
        root
    }

    pub(super) fn skill(&mut self, name: &str) -> Value {
        let description = self.sentence();
        let prompt = self.lines();
        let mut skill = filling(&mut self.random);
        skill.put("name", name);
        skill.put("version", "0.4.0");
        skill.put("description", description);
        skill.may("author", |_| "The team");
        skill.may("tags", |random| random.some(&["writing", "notes"]));
        let skill = skill.done();
        let mut input = Map::new();
        let mut template = prompt;
        for _ in 0..self.random.below(4) {
            self.number += 1;
            let parameter = format!("{}_{}", words::word(&mut self.random), self.number);
            template += &["- {{", &parameter, "}}\n"].concat();
            let description = self.sentence();
            let mut one = filling(&mut self.random);
            let (kind, default) = match one.random.below(5) {
                0 => ("string", json!("short")),
                1 => ("integer", json!(8)),
                2 => ("number", json!(0.5)),
                3 => ("boolean", json!(true)),
                _ => ("array", json!(["first", "second"])),
            };
            one.put("type", kind);
            one.put("description", description);
            let required = one.random.coin();
            one.put("required", required);
            if !required {
                one.put("default", default);
            }
            input.insert(parameter, one.done());
        }
        self.skills.push(name.to_owned());
        // One runtime reads another key than the specification's, so skills for both have both.
        let context = self.lines();
        let mut root = json!({
            "skill": skill, "prompt_context": context, "runtime": { "type": "promptonly" }, "prompt": { "template": template }
        });
        if !input.is_empty() {
            root["input"] = Value::Object(input);
        }
        root
    }

    /// The front matter of a skill in the open format, and what is below it.
    pub(super) fn skill_md(&mut self, name: &str) -> (Value, String) {
        let description =
            format!("{} Use it when somebody asks for {}.", self.sentence(), words::word(&mut self.random));
        let mut matter = filling(&mut self.random);
        matter.put("name", name);
        matter.put("description", description);
        matter.may("license", |random| random.of(&["Apache-2.0", "MIT"]));
        matter.may("metadata", |random| json!({ "edition": format!("{}.10", random.below(5)) }));
        let matter = matter.done();
        let mut body = String::from("\n");
        for line in self.lines().lines() {
            body += &["1. ", line, "\n"].concat();
        }
        (matter, body)
    }

    pub(super) fn plugin(&mut self, name: &str) -> Value {
        let description = self.sentence();
        let mut root = filling(&mut self.random);
        root.put("name", name);
        root.put("version", "0.2.0");
        root.put("description", description);
        root.may("author", |_| "The team");
        let ingest = root.random.coin();
        let mut hooks = json!({ "after_turn": "hooks/after_turn.py" });
        let mut integrity = json!({ "hooks/after_turn.py": AFTER_TURN.1 });
        if ingest {
            hooks["ingest"] = "hooks/ingest.py".into();
            integrity["hooks/ingest.py"] = INGEST.1.into();
        }
        let mut hooks = filling_from(hooks, root.random);
        hooks.may("hook_timeout_secs", |random| random.between(5, 50));
        hooks.may("on_hook_failure", |random| random.of(&["warn", "abort", "skip"]));
        hooks.may("priority", |random| random.between(1, 90));
        let hooks = hooks.done();
        root.put("hooks", hooks);
        root.put("integrity", integrity);
        root.may("config", |random| {
            json!({ "page_size": { "type": "number", "default": random.between(1, 90), "description": "How many at once." } })
        });
        root.may(
            "requires",
            |_| json!([{ "binary": "python3", "install_hint": "Install Python 3.9 or newer." }]),
        );
        let mut root = root.done();
        self.translated(&mut root, true);
        self.plugins.push(name.to_owned());
        root
    }

    /// A provider, and one of its models.
    fn model_of(&mut self) -> (String, String) {
        match self.random.pick(&self.models).cloned() {
            Some((model, provider)) => (provider, model),
            None => ("default".to_owned(), "default".to_owned()),
        }
    }

    pub(super) fn agent(&mut self, name: &str) -> Value {
        let (description, prompt) = (self.sentence(), self.lines());
        let (provider, model) = self.model_of();
        let (_, pinned) = self.model_of();
        let servers: Vec<String> = self.servers.iter().map(|(server, _)| server.clone()).collect();
        let (servers, skills) = (self.some(&servers), self.some(&self.skills.clone()));
        let (plugins, channels) = (self.some(&self.plugins.clone()), self.some(&self.channels.clone()));
        let others = self.some(&self.agents.clone());
        let mut root = filling(&mut self.random);
        root.put("name", name);
        root.put("description", description);
        root.put("module", "builtin:chat");
        root.may("version", |random| format!("1.{}.0", random.below(20)));
        root.may("author", |_| "The team");
        root.may("enabled", |_| true);
        root.may("tags", |random| random.some(&["planning", "notes", "بحث"]));
        root.may("priority", |random| random.of(&["low", "normal", "high"]));
        root.may("max_history_messages", |random| random.between(60, 200));
        root.put("mcp_servers", servers);
        if !skills.is_empty() {
            root.may("skills", |_| skills);
        }
        if !plugins.is_empty() {
            root.may("allowed_plugins", |_| plugins);
        }
        if !channels.is_empty() {
            root.may("channels", |_| channels);
        }
        root.may("pinned_model", |_| pinned);
        let mut settings = filling(root.random);
        settings.put("provider", provider.clone());
        settings.put("model", model.clone());
        settings.may("max_tokens", |random| random.between(256, 1024));
        settings.may("temperature", |random| {
            json!(f64::from(u32::try_from(random.below(10)).unwrap_or(0)) / 10.0)
        });
        settings.put("system_prompt", prompt);
        let settings = settings.done();
        root.put("model", settings);
        if provider != "default" {
            root.may("fallback_models", |_| json!([{ "provider": "default", "model": "default" }]));
        }
        root.may("resources", |random| json!({ "max_llm_tokens_per_hour": random.between(1000, 90_000) }));
        let tools: Vec<&str> = root.random.some(TOOLS);
        let mut capabilities = filling(root.random);
        capabilities.put("tools", tools);
        capabilities.may("network", |_| json!(["charts.example.com", "notices.example.org:443"]));
        capabilities.may("memory_read", |_| json!(["self.*", "shared.*"]));
        capabilities.may("memory_write", |_| json!(["self.*"]));
        if !others.is_empty() {
            capabilities.may("agent_message", |_| others);
        }
        let capabilities = capabilities.done();
        root.put("capabilities", capabilities);
        root.may("metadata", |_| json!({ "routing": { "aliases": [format!("ask {name}")], "weak_aliases": [format!("of {name}")] } }));
        let mut root = root.done();
        self.translated(&mut root, true);
        self.agents.push(name.to_owned());
        root
    }

    pub(super) fn hand(&mut self, id: &str) -> Value {
        let (name, description) = (self.label(), self.sentence());
        let key = id.replace('-', "_");
        let metric = format!("{key}_count");
        let servers = self.servers.clone();
        let used = self.random.pick(&servers).cloned().filter(|_| self.random.coin());
        let skills = self.some(&self.skills.clone());
        let mut requires = vec![json!({
            "key": "python", "label": "Python", "requirement_type": "binary", "check_value": "python3",
            "description": self.sentence(), "optional": true
        })];
        for variable in used.iter().flat_map(|(_, variables)| variables) {
            requires.push(json!({
                "key": variable.to_lowercase().replace('_', "-"), "label": self.label(),
                "requirement_type": "api_key", "check_value": variable, "description": self.sentence()
            }));
        }
        let mut settings = Vec::new();
        for number in 0..self.random.below(3) {
            let (label, description) = (self.label(), self.sentence());
            let mut setting =
                json!({ "key": format!("{key}_{number}"), "label": label, "description": description });
            match self.random.below(4) {
                0 => {
                    setting["setting_type"] = "toggle".into();
                    setting["default"] = "true".into();
                }
                1 => {
                    setting["setting_type"] = "select".into();
                    setting["default"] = "late".into();
                    setting["options"] = json!([
                        { "value": "early", "label": self.label() }, { "value": "late", "label": self.label() }
                    ]);
                }
                2 => setting["setting_type"] = "text".into(),
                _ => {
                    setting["setting_type"] = "number".into();
                    setting["default"] = "8".into();
                }
            }
            settings.push(setting);
        }
        let mut agents = Map::new();
        for number in 0..self.random.between(1, 3) {
            let (provider, model) = self.model_of();
            let prompt = format!("{}Store the count with memory_store under {metric}.\n", self.lines());
            let mut role = json!({
                "name": format!("{id}-role-{number}"), "description": self.sentence(), "module": "builtin:chat"
            });
            if self.random.coin() {
                role["provider"] = provider.into();
                role["model"] = model.into();
                role["system_prompt"] = prompt.into();
            } else {
                role["model"] = json!({ "provider": provider, "model": model, "system_prompt": prompt });
            }
            if number == 0 {
                role["coordinator"] = true.into();
            } else {
                role["invoke_hint"] = self.sentence().into();
            }
            agents.insert(format!("role-{number}"), role);
        }
        let metric_label = self.label();
        let mut root = filling(&mut self.random);
        root.put("id", id);
        root.put("name", name);
        root.put("description", description);
        let category =
            root.random.of(&["content", "data", "development", "productivity", "research", "other"]);
        root.put("category", category);
        root.may("version", |_| "1.0.0");
        root.may("icon", |random| random.of(&["lucide:anchor", "🪝"]));
        root.may("tags", |random| random.some(&["office", "planning", "यात्रा"]));
        root.put("tools", TOOLS.to_vec());
        if let Some((server, _)) = &used {
            root.put("mcp_servers", vec![server.clone()]);
        }
        if !skills.is_empty() {
            root.may("skills", |_| skills);
        }
        root.may(
            "routing",
            |_| json!({ "aliases": [format!("open {id}")], "weak_aliases": [format!("about {id}")] }),
        );
        root.put("requires", requires);
        if !settings.is_empty() {
            root.put("settings", settings);
        }
        root.put("agents", agents);
        root.may(
            "dashboard",
            |_| json!({ "metrics": [{ "label": metric_label, "memory_key": metric, "format": "number" }] }),
        );
        root.may("metadata", |random| {
            json!({ "frequency": random.of(&["continuous", "periodic", "on-demand"]), "token_consumption": "low", "default_active": false })
        });
        let mut root = root.done();
        self.translated(&mut root, true);
        root
    }

    pub(super) fn workflow(&mut self, id: &str) -> Value {
        let (name, description) = (self.label(), self.sentence());
        let mut parameters = Vec::new();
        for number in 0..self.random.below(4) {
            let (kind, default) = match self.random.below(3) {
                0 => ("string", json!("short")),
                1 => ("number", json!(3)),
                _ => ("boolean", json!(false)),
            };
            let required = self.random.coin();
            let mut parameter = json!({
                "name": format!("given_{number}"), "description": self.sentence(), "param_type": kind, "required": required
            });
            if !required {
                parameter["default"] = default;
            }
            parameters.push(parameter);
        }
        let mut steps: Vec<Value> = Vec::new();
        for number in 0..self.random.between(1, 4) {
            let mut prompt = self.lines();
            let mut step = json!({ "name": format!("step_{number}") });
            for (at, _) in parameters.iter().enumerate().filter(|(at, _)| at % 4 == number || number == 0) {
                prompt += &["- {{given_", &at.to_string(), "}}\n"].concat();
            }
            if number > 0 {
                let earlier = format!("step_{}", number - 1);
                prompt += &["- {{", &earlier, "}}\n"].concat();
                step["depends_on"] = json!([earlier]);
            }
            step["prompt_template"] = prompt.into();
            if let Some(agent) = self.random.pick(&self.agents).filter(|_| number % 2 == 0) {
                step["agent"] = agent.clone().into();
            }
            steps.push(step);
        }
        let mut root = filling(&mut self.random);
        root.put("id", id);
        root.put("name", name);
        root.put("description", description);
        root.may("category", |random| random.of(&["planning", "engineering", "معرفة"]));
        root.may("tags", |random| random.some(&["review", "計画"]));
        root.may("created_at", |random| format!("2026-05-0{}T09:30:00Z", random.between(1, 9)));
        if !parameters.is_empty() {
            root.put("parameters", parameters);
        }
        root.put("steps", steps);
        let mut root = root.done();
        self.translated(&mut root, true);
        root
    }

    pub(super) fn tool(&mut self, id: &str) -> Value {
        let description = self.sentence();
        let input = self.schema();
        let mut root = filling(&mut self.random);
        root.put("id", id);
        root.put("description", description);
        root.put("version", "1.4.0");
        root.put("output", json!({ "type": "array", "items": { "type": "string" }, "maxItems": 9 }));
        let host = format!("api.{id}.example");
        root.put("effects", json!([{ "kind": "network", "resource": format!("external:{host}") }]));
        match root.random.below(3) {
            0 => {
                let name = input["properties"]
                    .as_object()
                    .and_then(|all| all.keys().next().cloned())
                    .unwrap_or_default();
                root.put("mutating", false);
                root.put("network", json!({ "kind": "allowlist", "hosts": [host] }));
                root.put(
                    "spec",
                    json!({ "kind": "http", "method": "GET", "urlTemplate": format!("https://{host}/v2/{{{name}}}"), "timeoutMs": 9000 }),
                );
            }
            1 => {
                root.put("transport", "mcp");
                root.put("mcpEndpoint", format!("mcp+http://https://{host}/mcp"));
            }
            _ => {
                root.put("transport", "native");
                root.put("sandbox", "strict");
                root.put("limits", json!({ "memMB": 128, "cpuMs": 5000 }));
            }
        }
        root.put("input", input);
        root.may("needs", |_| json!([{ "name": "tenant", "optional": true }]));
        root.may("metadata", |_| json!({ "author": "The team", "tags": ["search"] }));
        root.done()
    }

    /// A JSON Schema of an object.
    fn schema(&mut self) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for number in 0..self.random.between(1, 3) {
            let name = format!("{}_{number}", words::word(&mut self.random));
            let description = self.sentence();
            let schema = match self.random.below(4) {
                0 => json!({ "type": "string", "pattern": "^[A-Z][0-9]{1,3}$", "description": description }),
                1 => json!({ "type": "integer", "minimum": 1, "maximum": 90, "description": description }),
                2 => {
                    json!({ "type": "array", "items": { "$ref": "#/$defs/Name" }, "description": description })
                }
                _ => json!({ "type": "string", "enum": ["near", "far"], "description": description }),
            };
            required.push(Value::String(name.clone()));
            properties.insert(name, schema);
        }
        json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
            "$defs": { "Name": { "type": "string", "minLength": 1 } }
        })
    }

    pub(super) fn package(&mut self, name: &str) -> Value {
        let (display, description, prompt) = (self.label(), self.sentence(), self.lines());
        let parameters = self.schema();
        let mut root = filling(&mut self.random);
        root.put("schema_version", 1);
        root.put("name", name);
        root.put("instructions", prompt);
        root.put("description", description);
        root.may("display_name", |_| display.chars().take(40).collect::<String>());
        root.may("max_iterations", |random| random.between(5, 50));
        root.may("tags", |random| random.some(&["support", "demo"]));
        root.may(
            "capabilities",
            |_| json!(["current_time", { "ref": "web_fetch", "config": { "timeout_secs": 20 } }]),
        );
        root.may("model", |_| json!({ "provider": "acme", "model": "acme-large-1" }));
        root.may(
            "network_access",
            |_| json!({ "allowed": ["*.harbor.example"], "blocked": ["169.254.169.254"] }),
        );
        root.may(
            "starters",
            |_| json!([{ "text": "What is open today?", "icon": "anchor" }, { "text": "What is new?" }]),
        );
        root.put(
            "files",
            json!([
                "notes/first.md",
                { "source": "notes/second.md", "path": "copies/second.md", "is_readonly": false },
                { "path": "notes/today.md", "content": "# Notes\n" }
            ]),
        );
        root.may("mcpServers", |_| {
            json!({
                "tides": { "type": "http", "url": format!("https://mcp.{name}.example/mcp"), "headers": { "X-Team": "harbor" }, "auth_mode": "api_key" }
            })
        });
        root.may("channels", |_| json!({ "chat": { "type": "ag_ui", "config": { "greeting": "Ahoy" } } }));
        root.put(
            "tools",
            json!([{
                "name": "book_berth", "type": "client_side", "description": "Books a berth.", "parameters": parameters,
                "hints": { "readonly": false, "idempotent": true, "side_effect_class": "Idempotent" }
            }]),
        );
        root.done()
    }

    /// A skill configuration, which may name a folder of a skill beside it.
    pub(super) fn skill_config(&mut self, id: &str, folder: Option<&str>) -> Value {
        let name = format!("{}/{id}", words::word(&mut self.random));
        let description = self.sentence();
        let schema = self.schema();
        let includes = self.some(&self.configs.clone());
        let mut root = filling(&mut self.random);
        root.put("name", name.clone());
        root.put("description", description);
        root.put(
            "tools",
            json!([{ "name": "harbor/read-log" }, { "name": "harbor/write-log", "writes": true }]),
        );
        root.put(
            "inline_tools",
            json!([{
                "name": "berth_length", "source": "custom",
                "code": "SLACK = 1.2\n\n\ndef run(input_data):\n    length = input_data[\"length\"]\n    return {\"length\": length * SLACK}\n",
                "input_schema": schema, "writes": false
            }]),
        );
        if !includes.is_empty() {
            root.may("includes", |_| {
                includes.into_iter().map(|name| json!({ "name": name })).collect::<Vec<_>>()
            });
        }
        root.put(
            "mcp_servers",
            json!([
                { "name": "charts", "transport": "stdio", "command": "npx", "args": ["-y", "@harbor/charts-mcp@1.4.2"], "env": { "CHARTS_KEY": "${CHARTS_KEY}" } },
                { "name": "weather", "transport": "streamable-http", "url": format!("https://{id}.example/mcp"), "tool_filter": { "exclude": ["delete_station"] } }
            ]),
        );
        if let Some(folder) = folder {
            root.put("agent_skill_folders", json!([{ "path": format!("skills/{folder}") }]));
        }
        self.configs.push(name);
        root.done()
    }

    pub(super) fn registry_schema(&mut self) -> Value {
        let word = words::word(&mut self.random);
        let (description, of_field, of_section) = (self.sentence(), self.sentence(), self.sentence());
        json!({
            "logbook": {
                "description": description,
                "file_pattern": "logbooks/<name>/logbook.toml",
                "fields": {
                    word: { "type": "string", "required": true, "description": of_field, "example": "curlew" },
                    "waters": { "type": "string", "required": false, "description": "Where", "options": ["coast", "lake"], "default": "coast", "example": "lake" },
                    "length_m": { "type": "number", "required": true, "description": "How long", "example": 8.5 },
                    "engine": { "type": "bool", "required": false, "description": "Whether", "default": true }
                },
                "sections": {
                    "entries": {
                        "description": of_section, "repeatable": true,
                        "fields": { "date": { "type": "string", "required": true, "description": "When", "example": "2026-05-04" } }
                    }
                }
            }
        })
    }
}

fn filling_from(value: Value, random: &mut Random) -> Filling<'_> {
    Filling { table: table(value), random }
}
