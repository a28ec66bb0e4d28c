//! How people reach an agent.

use super::name;
use agentry_macros::document;
use agentry_text::{ANY_TEXT, Map, Value, shown_text_type};

/// A way for people to reach an agent. Installation and credentials are the host's, and so is making it public.
#[document]
pub struct PackageChannel {
    /// The sort of channel, such as `ag_ui`, `public_chat`, `fcp` or `slack`.
    #[key(rename = "type", example = "ag_ui")]
    pub channel_type: ChannelType,
    /// Whether the author asks for the channel to be switched on. The host still has to publish it.
    #[key(default = false)]
    pub enabled: Option<bool>,
    /// Settings of the channel, by the keys of its sort. Absent means none. Never a credential, and no id of a host:
    /// either draws a warning.
    pub config: Option<Map<String, Value>>,
}

shown_text_type! {
    /// The sort of a channel, such as `ag_ui`, `public_chat`, `fcp` or `slack`. Hosts may know more.
    pub struct ChannelType {
        pattern: ANY_TEXT,
        form: "the sort of a channel: any text",
        example: "ag_ui",
        remark: |text| name::empty(text, "a sort of channel"),
    }
}
