//! `providers/<id>.toml`: an LLM provider and its models (LibreFang registry).
//!
//! The specification lists the provider's keys at the top level; published files put them under `[provider]`.
//! Both are read; the nested form is canonical and is what is written. Both at once is an error.

use crate::rules;
use crate::values::{Date, EnvVar, HttpUrl, Id, KeyName, Label, ModelId, Price, TokenCount};
use agentry_macros::document;
use agentry_text::{
    Condition, Extra, Invalid, Map, Node, OrEmpty, Read, Reader, Shape, Unique, UniqueBy, When, options,
    text_type,
};
use serde::Serialize;

/// The file of one provider.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Provider {
    /// The provider itself.
    pub provider: ProviderInfo,
    /// Its models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<Unique<Model>>,
    /// Unknown keys beside the two.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Provider {
    /// A provider without models.
    pub fn new(provider: ProviderInfo) -> Self {
        Self { provider, models: None, extra: Extra::default() }
    }

    /// The same with models.
    #[must_use]
    pub fn with_models(mut self, models: Unique<Model>) -> Self {
        self.models = Some(models);
        self
    }

    /// The models; none where the key is absent.
    pub fn models(&self) -> &[Model] {
        self.models.as_deref().unwrap_or_default()
    }
}

/// A provider file with the provider under `[provider]`: the canonical form.
#[document(no_new)]
struct NestedProvider {
    /// The provider itself: who it is, where its API is, and how it is paid for.
    pub provider: ProviderInfo,
    /// Its models, one table each.
    pub models: Option<Unique<Model>>,
    #[serde(flatten)]
    pub extra: Extra,
}

/// A provider file with the provider's keys at the top level, as the specification lists them.
// The models are read first: what then is left belongs to the provider.
#[document(no_new, open)]
struct FlatProvider {
    /// Its models, one table each.
    pub models: Option<Unique<Model>>,
    #[serde(flatten)]
    pub provider: ProviderInfo,
}

impl Read for Provider {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        if node.get("provider").is_none() {
            let FlatProvider { models, provider } = FlatProvider::read(node, reader)?;
            return Some(Self { provider, models, extra: Extra::default() });
        }
        let flat_keys = flat_keys();
        let mut both = false;
        for entry in node.as_table().into_iter().flat_map(|table| &table.entries) {
            if flat_keys.contains(&entry.key.as_str()) {
                both = true;
                reader.push(
                    agentry_text::Finding::new(
                        &agentry_text::rules::CONFLICTING_KEYS,
                        format!("/{}", entry.key),
                        entry.key_span,
                        format!(
                            "`{}` stands at the top level, and there is a `[provider]` table too",
                            entry.key
                        ),
                    )
                    .label("a key of the provider")
                    .help("move it into `[provider]`: a file uses one of the two forms"),
                );
            }
        }
        let shape = NestedProvider::table_shape();
        let nested = agentry_text::read_table_as::<NestedProvider>(node, reader, shape, &flat_keys);
        if both {
            return None;
        }
        let NestedProvider { provider, models, extra } = nested?;
        Some(Self { provider, models, extra })
    }

    fn shape() -> Option<&'static Shape> {
        NestedProvider::shape()
    }
}

/// The provider's keys, which the flat form has at the top level.
fn flat_keys() -> Vec<&'static str> {
    ProviderInfo::table_shape().keys.iter().map(|key| key.name).collect()
}

agentry_text::deserialize_by_reading!(Provider);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Provider {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Provider".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let without = |keys: &[&str]| {
            let required: Vec<_> = keys.iter().map(|key| agentry_text::required(&[key])).collect();
            schemars::json_schema!({ "anyOf": required })
        };
        let nested = generator.subschema_for::<NestedProvider>();
        let flat = generator.subschema_for::<FlatProvider>();
        schemars::json_schema!({
            "description": "The file of an LLM provider: the provider and its models.",
            "type": "object",
            "oneOf": [
                {
                    "description": "The canonical form: the provider under `[provider]`, the models beside it.",
                    "allOf": [nested],
                    "not": without(&flat_keys()),
                },
                {
                    "description": "The older form: the provider's keys at the top level.",
                    "allOf": [flat],
                    "not": without(&["provider"]),
                },
            ],
        })
    }
}

/// Who a provider is, where its API is, and how it is paid for.
#[document]
pub struct ProviderInfo {
    /// The provider's identifier, by which agents name it. LibreFang specification.
    #[key(example = "anthropic")]
    pub id: Id,
    /// The name that people see.
    #[key(example = "Anthropic")]
    pub display_name: Label,
    /// The name of the environment variable that holds the API key. Never the key itself. Empty only where no
    /// key is needed.
    #[key(example = "ACME_API_KEY")]
    pub api_key_env: OrEmpty<EnvVar>,
    /// The address that API calls start with. Empty only where the runtime knows it by itself.
    #[key(example = "https://api.acme.example/v1")]
    pub base_url: OrEmpty<HttpUrl>,
    /// Whether calls need an API key: false for models that run locally.
    pub key_required: bool,
    /// The API key itself. Read, and warned about: keep it in the environment, a manifest is published.
    pub api_key: Option<Secret>,
    /// Where a key can be obtained. LibreFang runtime.
    pub signup_url: Option<HttpUrl>,
    /// Other addresses of the same API, by region. Published files and the LibreFang runtime.
    pub regions: Option<Map<KeyName, Region>>,
    /// What else than text the provider makes, such as `image_generation`. Published files.
    pub media_capabilities: Option<Vec<MediaCapability>>,
    /// Whether the runtime asks the provider for its models and adds them to those listed here. LibreFang runtime.
    pub discover_models: Option<bool>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The address of a provider's API in one region.
#[document]
pub struct Region {
    /// The address that API calls in this region start with.
    #[key(example = "https://eu.api.acme.example/v1")]
    pub base_url: HttpUrl,
    /// The name of the variable that holds this region's key; absent where the provider's own is used.
    pub api_key_env: Option<EnvVar>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

text_type! {
    /// The value of a credential. It is never shown, in messages or debug output, and a manifest is the wrong
    /// place for it.
    pub struct Secret {
        pattern: r"^[\s\S]*$",
        form: "a credential: any text",
        example: "",
        remark: |secret| (!secret.is_empty()).then(||
            Invalid::new(&rules::LITERAL_SECRET, "a credential stands in the file")
                .label("the value itself")
                .help("delete it here, and name the environment variable that holds it instead"),
        ),
        secret: true,
    }
}

agentry_text::shown_text_type! {
    /// Something other than text that a provider makes or reads, as lowercase words joined by `_`.
    pub struct MediaCapability {
        pattern: r"^[a-z0-9]+(_[a-z0-9]+)*$",
        form: "a media capability: lowercase words joined by `_`",
        example: "image_generation",
    }
}

/// A model of a provider. LibreFang specification.
#[document]
pub struct Model {
    /// The id that the provider's API takes. No two models of a file share one.
    #[key(example = "acme-large-1")]
    pub id: ModelId,
    /// The name that people see.
    #[key(example = "Acme Large")]
    pub display_name: Label,
    /// How capable and how costly the model is, among all models.
    pub tier: Tier,
    /// What it makes, and how much it takes in and puts out: `modality` and the two limits.
    #[serde(flatten)]
    pub limits: Limits,
    /// Price of a million text tokens that go in, in US dollars. 0 for free and local models.
    #[key(example = 2.5)]
    pub input_cost_per_m: Price,
    /// Price of a million text tokens that come out, in US dollars. 0 for free and local models.
    #[key(example = 10.0)]
    pub output_cost_per_m: Price,
    /// Price of a million image tokens that go in, in US dollars.
    pub image_input_cost_per_m: Option<Price>,
    /// Price of a million image tokens that come out, in US dollars.
    pub image_output_cost_per_m: Option<Price>,
    /// Price of one call, in US dollars, for models that are not paid by the token. Without it a video or music
    /// model is counted as free. The LibreFang runtime drops this key today.
    #[key(example = 0.33)]
    pub per_call_cost: Option<Price>,
    /// Whether the prices are known: false where they only stand for "unknown". LibreFang runtime.
    pub pricing_known: Option<bool>,
    /// The day on which the prices were last compared with the provider's own list. Written as a string: a bare
    /// TOML date is refused, as runtimes do.
    #[key(example = "2026-03-15")]
    pub last_verified: Option<Date>,
    /// Whether the model calls tools.
    #[key(default = false)]
    pub supports_tools: Option<bool>,
    /// Whether the model reads images.
    #[key(default = false)]
    pub supports_vision: Option<bool>,
    /// Whether answers arrive piece by piece. The LibreFang runtime reads an absent key as false, so write it.
    #[key(default = true)]
    pub supports_streaming: Option<bool>,
    /// Whether the model thinks before it answers.
    #[key(default = false)]
    pub supports_thinking: Option<bool>,
    /// What becomes of earlier thinking when a conversation is sent again.
    #[key(default = ReasoningEchoPolicy::None)]
    pub reasoning_echo_policy: Option<ReasoningEchoPolicy>,
    /// Other names by which the model may be asked for.
    pub aliases: Option<Vec<ModelId>>,
    /// The provider that serves the model, where it is not the one of this file. Published files.
    pub provider: Option<Id>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl UniqueBy for Model {
    const KEY: &'static str = "id";

    fn unique_value(&self) -> &str {
        self.id.as_str()
    }
}

/// What a model makes, and how much it can take in and put out. A text model has both limits; for others they
/// are optional.
#[document(no_new, open, conditions(TEXT_LIMITS))]
pub struct Limits {
    /// What the model makes. Absent means text.
    #[key(default = Modality::Text)]
    modality: Option<Modality>,
    /// How many tokens the model can take in at most. Required of text models.
    #[key(example = 128_000)]
    context_window: Option<TokenCount>,
    /// How many tokens the model can put out at most. Required of text models.
    #[key(example = 16_384)]
    max_output_tokens: Option<TokenCount>,
}

const TEXT_LIMITS: Condition = Condition::Requires {
    when: When { path: &["modality"], is: &["text"], or_absent: true },
    keys: &["context_window", "max_output_tokens"],
    why: "a text model, which it is without another `modality`, states its limits",
};

impl Limits {
    /// The limits of a text model.
    pub fn text(context_window: TokenCount, max_output_tokens: TokenCount) -> Self {
        Self {
            modality: None,
            context_window: Some(context_window),
            max_output_tokens: Some(max_output_tokens),
        }
    }

    /// The limits of a model that makes something else than text; None for text, which needs both.
    pub fn media(
        modality: Modality,
        context_window: Option<TokenCount>,
        max_output_tokens: Option<TokenCount>,
    ) -> Option<Self> {
        (modality != Modality::Text).then_some(Self {
            modality: Some(modality),
            context_window,
            max_output_tokens,
        })
    }

    /// How many tokens the model can take in at most.
    pub fn context_window(&self) -> Option<TokenCount> {
        self.context_window
    }

    /// How many tokens the model can put out at most.
    pub fn max_output_tokens(&self) -> Option<TokenCount> {
        self.max_output_tokens
    }
}

options! {
    /// How capable and how costly a model is, among all models.
    pub enum Tier {
        /// The most capable models there are.
        Frontier = "frontier" from "specification, runtime",
        /// Capable models at a moderate price.
        Smart = "smart" from "specification, runtime",
        /// Models between price and speed.
        Balanced = "balanced" from "specification, runtime",
        /// The cheapest and quickest models, for simple tasks.
        Fast = "fast" from "specification, runtime",
        /// Models that run on one's own machine.
        Local = "local" from "specification, runtime",
        /// A tier of one's own: what the runtime makes of a tier that it does not know.
        Custom = "custom" from "runtime",
    }
}

options! {
    /// What a model makes.
    pub enum Modality {
        /// Text: a chat or language model.
        Text = "text" from "specification, runtime",
        /// Pictures.
        Image = "image" from "specification, runtime",
        /// Speech and other sound.
        Audio = "audio" from "specification, runtime",
        /// Moving pictures.
        Video = "video" from "specification, runtime",
        /// Music and songs.
        Music = "music" from "specification, runtime",
    }
}

options! {
    /// What becomes of a model's earlier thinking when the conversation is sent again.
    pub enum ReasoningEchoPolicy {
        /// The field is left out.
        None = "none" from "specification, runtime",
        /// Earlier thinking is removed. DeepSeek R1 and `deepseek-reasoner` refuse conversations that carry it.
        Strip = "strip" from "specification, runtime",
        /// Earlier thinking is sent back as it came. DeepSeek V4 Flash and other models that always think answer
        /// with status 400 otherwise.
        Echo = "echo" from "specification, runtime",
        /// The field is sent as an empty string. Moonshot and Kimi K2 need it on turns with tool calls.
        EmptyString = "empty_string" from "specification, runtime",
    }
}
