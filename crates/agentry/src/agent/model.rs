//! `[model]`, `[[fallback_models]]`, `[routing]` and `[thinking]` of an agent: which model, and how it is asked.

use crate::values::{
    Count, EnvVar, HttpUrl, ModelRef, OpenTable, Prose, ProviderRef, Temperature, TokenCount,
};
use agentry_macros::document;
use agentry_text::{Extra, OrEmpty};

/// What becomes of a key of a model that is not known.
const SENT_ALONG: &str = "it is sent to the provider in the body of every request";

/// The model of an agent, and how it is asked. Every key that is not known here is legal and sent to the provider
/// in the body of each request: that is meant for settings such as `top_p`, and it happens to a misspelt key too.
#[document(passed_on = SENT_ALONG)]
pub struct AgentModel {
    /// What the model is told before every conversation. LibreFang specification: required once `[model]` is there.
    #[key(example = "You review code. Name the line of every fault you find.")]
    pub system_prompt: Prose,
    /// Which model, where it is, and how it is asked.
    #[serde(flatten)]
    pub settings: ModelSettings,
    /// Keys that are not known: the runtime sends them to the provider in the body of each request.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The model of a role that builds on an agent file, which may give whatever is absent here. Keys that are not
/// known are sent to the provider in the body of each request.
#[document(passed_on = SENT_ALONG)]
pub struct RoleModel {
    /// What the model is told before every conversation. May be absent where the role has a `base`.
    pub system_prompt: Option<Prose>,
    /// Which model, where it is, and how it is asked.
    #[serde(flatten)]
    pub settings: ModelSettings,
    /// Keys that are not known: the runtime sends them to the provider in the body of each request.
    #[serde(flatten)]
    pub extra: Extra,
}

impl From<AgentModel> for RoleModel {
    fn from(model: AgentModel) -> Self {
        let AgentModel { system_prompt, settings, extra } = model;
        Self { system_prompt: Some(system_prompt), settings, extra }
    }
}

/// Which model is asked, where it is, and how. None of the keys is required.
#[document(open)]
pub struct ModelSettings {
    /// The id of the provider, or `default` for the one that the runtime is configured to use.
    #[key(example = "default")]
    pub provider: Option<ProviderRef>,
    /// The id or an alias of the model, or `default` for the one that the runtime is configured to use. The older
    /// name of the key is `name`.
    #[key(legacy("name"), example = "default")]
    pub model: Option<ModelRef>,
    /// How many tokens one answer may have at most; 1 or more.
    #[key(example = 4096)]
    pub max_tokens: Option<TokenCount>,
    /// How freely words are chosen: from 0, always the likeliest, to 2.
    #[key(example = 0.7)]
    pub temperature: Option<Temperature>,
    /// The name of the environment variable with the API key, where it is not the provider's own. Published files.
    pub api_key_env: Option<OrEmpty<EnvVar>>,
    /// The address of the API, where it is not the provider's own. LibreFang runtime.
    pub base_url: Option<OrEmpty<HttpUrl>>,
    /// How many tokens the model can take in, where the runtime has it wrong. LibreFang runtime.
    pub context_window: Option<TokenCount>,
    /// How many tokens the model can put out, where the runtime has it wrong. LibreFang runtime.
    pub max_output_tokens: Option<TokenCount>,
    /// More settings for the body of each request. The LibreFang runtime collects the unknown keys of this table
    /// under the same name. Any keys and values: they are the provider's to define.
    pub extra_params: Option<OpenTable>,
}

/// A model to try when the ones before it fail. Published files and the LibreFang runtime.
#[document]
pub struct FallbackModel {
    /// The id of the provider, or `default`.
    #[key(example = "default")]
    pub provider: ProviderRef,
    /// The id or an alias of the model, or `default`.
    #[key(example = "default")]
    pub model: ModelRef,
    /// The name of the environment variable with the API key, where it is not the provider's own.
    pub api_key_env: Option<OrEmpty<EnvVar>>,
    /// The address of the API, where it is not the provider's own.
    pub base_url: Option<OrEmpty<HttpUrl>>,
    /// More settings for the body of each request. Any keys and values: they are the provider's to define.
    pub extra_params: Option<OpenTable>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Picks a model by the size of the question. Not the `[metadata.routing]` that picks an agent by what a user
/// says. LibreFang runtime.
#[document]
pub struct ModelRouting {
    /// The model for simple questions.
    pub simple_model: Option<ModelRef>,
    /// The model for questions in between.
    pub medium_model: Option<ModelRef>,
    /// The model for complex questions.
    pub complex_model: Option<ModelRef>,
    /// A question of fewer tokens than this is simple.
    #[key(example = 100)]
    pub simple_threshold: Option<Count>,
    /// A question of more tokens than this is complex.
    #[key(example = 600)]
    pub complex_threshold: Option<Count>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Thinking before the answer, for models that can. LibreFang runtime.
#[document]
pub struct Thinking {
    /// How many tokens may be spent on it. Stay below the `max_tokens` of the model.
    #[key(example = 4096)]
    pub budget_tokens: Option<Count>,
    /// Whether people see the thinking as it comes.
    #[key(default = false)]
    pub stream_thinking: Option<bool>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
