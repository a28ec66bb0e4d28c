//! Tools that are one HTTP request: no code, only a description of what is sent and what comes back.

use crate::rules;
use crate::tool::NoOptions;
use crate::values::PositiveCount;
use agentry_macros::document;
use agentry_text::{
    Invalid, Node, Read, Reader, Shape, UnlistedKeys, count_type, looks_secret, options, shown_text_type,
    tagged, text_type,
};
use serde::Serialize;

/// A request over HTTP that is made at every call of the tool. Only `urlTemplate` and the template of a `text`
/// body have placeholders; headers are sent as written.
#[document]
pub struct HttpSpec {
    /// The method of the request.
    pub method: HttpMethod,
    /// The address of the request, in which `{name}` stands for the input property of that name.
    #[key(rename = "urlTemplate", example = "https://api.example.com/items/{id}")]
    pub url_template: UrlTemplate,
    /// Headers that every request carries. Never a credential: that is what `authorization` is for.
    pub headers: Option<Vec<HttpHeader>>,
    /// How the request proves who sends it. Absent where anybody may call.
    pub authorization: Option<HttpAuth>,
    /// What the request carries. Absent means nothing.
    #[key(rename = "requestBody")]
    pub request_body: Option<HttpBody>,
    /// How long a request may take, in milliseconds, until it is given up.
    #[key(rename = "timeoutMs", default = default_timeout())]
    pub timeout_ms: Option<PositiveCount>,
    /// Whether the answer is parsed as JSON before it is returned. Otherwise it is returned as text.
    #[key(rename = "parseJson", default = true)]
    pub parse_json: Option<bool>,
    /// Which status codes count as success. Absent leaves it to the runtime.
    #[key(rename = "successStatus")]
    pub success_status: Option<StatusRange>,
}

fn default_timeout() -> PositiveCount {
    PositiveCount::new(30_000).expect("a fixed number within the bounds")
}

options! {
    /// The method of an HTTP request.
    pub enum HttpMethod {
        /// Asks for something, and changes nothing.
        Get = "GET" from "specification",
        /// Hands something over to be processed or created.
        Post = "POST" from "specification",
        /// Creates or replaces what is at the address.
        Put = "PUT" from "specification",
        /// Changes parts of what is at the address.
        Patch = "PATCH" from "specification",
        /// Removes what is at the address.
        Delete = "DELETE" from "specification",
    }
}

impl HttpMethod {
    /// Whether a request with this method only asks, as RFC 9110 has it.
    pub fn is_safe(&self) -> bool {
        *self == Self::Get
    }
}

/// A header that every request carries.
#[document]
pub struct HttpHeader {
    /// The name of the header.
    #[key(example = "Accept")]
    pub name: HeaderName,
    /// Its value, sent as written: `{name}` stands for nothing here.
    #[key(example = "application/json")]
    pub value: HeaderValue,
}

tagged! {
    /// How a request proves who sends it. The credential itself is looked up when the tool runs.
    pub enum HttpAuth by "kind" {
        /// The credential goes into the header `Authorization`, after the word `Bearer`.
        Bearer(BearerAuth) = "bearer",
        /// The credential goes into a header of its own.
        Header(HeaderAuth) = "header",
    }
}

impl HttpAuth {
    /// Where the credential comes from.
    pub const fn secret(&self) -> &SecretRef {
        match self {
            Self::Bearer(auth) => &auth.secret_ref,
            Self::Header(auth) => &auth.secret_ref,
        }
    }

    /// The header that carries the credential.
    pub fn header_name(&self) -> &str {
        match self {
            Self::Bearer(_) => "Authorization",
            Self::Header(auth) => auth.header_name.as_str(),
        }
    }
}

/// A credential in the header `Authorization`, after the word `Bearer`.
#[document]
pub struct BearerAuth {
    /// Where the credential comes from.
    #[key(rename = "secretRef")]
    pub secret_ref: SecretRef,
}

/// A credential in a header of its own.
#[document]
pub struct HeaderAuth {
    /// The header that carries the credential.
    #[key(rename = "headerName", example = "X-Api-Key")]
    pub header_name: HeaderName,
    /// Where the credential comes from.
    #[key(rename = "secretRef")]
    pub secret_ref: SecretRef,
}

/// Where a credential comes from: two names, never the credential.
#[document]
pub struct SecretRef {
    /// The environment variable that holds the credential.
    #[key(rename = "envName", example = "ACME_API_KEY")]
    pub env_name: SecretVariable,
    /// The name of the credential in the platform's store of secrets.
    #[key(example = "acme-api-key")]
    pub name: SecretName,
}

tagged! {
    /// What a request carries.
    pub enum HttpBody by "kind" {
        /// The tool's input as a JSON document.
        JsonInput(NoOptions) = "json-input",
        /// The tool's input as it came, without being written anew.
        InputPassthrough(NoOptions) = "input-passthrough",
        /// A text made from a template.
        Text(TextBody) = "text",
    }
}

/// A body made from a template.
#[document]
pub struct TextBody {
    /// The text, in which `{name}` stands for the input property of that name.
    #[key(example = "id={id}")]
    pub template: BodyTemplate,
}

text_type! {
    /// The address of a request, in which `{name}` stands for the input property of that name. A name is letters,
    /// digits, `_`, `-`, `.` and `$`.
    pub struct UrlTemplate {
        pattern: r"^[\s\S]+$",
        form: "the template of an address: at least one character",
        example: "https://api.example.com/items/{id}",
    }
}

text_type! {
    /// A text, in which `{name}` stands for the input property of that name. A name is letters, digits, `_`, `-`,
    /// `.` and `$`; any other brace is itself. It may be empty.
    pub struct BodyTemplate {
        pattern: r"^[\s\S]*$",
        form: "the template of a body: any text",
        example: "id={id}",
    }
}

/// A `{name}` in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placeholder<'t> {
    /// The name between the braces.
    pub name: &'t str,
    /// Where it begins in the template, in bytes: the opening brace.
    pub start: usize,
    /// Where it ends: the byte after the closing brace.
    pub end: usize,
}

impl UrlTemplate {
    /// The placeholders, in order; the same name may come again.
    pub fn placeholders(&self) -> impl Iterator<Item = Placeholder<'_>> {
        placeholders(self.as_str())
    }

    /// The host that requests go to, where no placeholder is part of it.
    pub fn host(&self) -> Option<&str> {
        let text = self.as_str();
        let (scheme, rest) = text.split_once("://")?;
        let authority = rest.split(['/', '?', '#', '\\']).next()?;
        let host = authority.rsplit('@').next()?;
        (!scheme.contains('{') && !host.is_empty() && !authority.contains(['{', '}'])).then_some(host)
    }
}

impl BodyTemplate {
    /// The placeholders, in order; the same name may come again.
    pub fn placeholders(&self) -> impl Iterator<Item = Placeholder<'_>> {
        placeholders(self.as_str())
    }
}

/// Every `{name}` of a text, from left to right. A brace that opens no placeholder is passed over.
pub fn placeholders(text: &str) -> impl Iterator<Item = Placeholder<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find('{')?;
            let rest = &text[start + 1..];
            let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$');
            let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
            at = start + 1 + length;
            if length > 0 && rest[length..].starts_with('}') {
                at += 1;
                return Some(Placeholder { name: &rest[..length], start, end: at });
            }
        }
    })
}

count_type! {
    /// A status code of HTTP, from 100 to 599.
    pub struct StatusCode(u16) {
        form: "a status code",
        minimum: 100,
        maximum: 599,
    }
}

/// Which status codes count as success: all from the least to the greatest, both included.
///
/// The least is not above the greatest; JSON Schema cannot state this, so it is a rule of the type: `empty-range`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatusRange {
    min: StatusCode,
    max: StatusCode,
    #[serde(flatten, skip_serializing_if = "UnlistedKeys::is_empty")]
    unlisted_keys: UnlistedKeys,
}

impl StatusRange {
    /// A range, if it holds at least one status code.
    pub fn new(min: StatusCode, max: StatusCode) -> Result<Self, Invalid> {
        if min <= max {
            return Ok(Self { min, max, unlisted_keys: UnlistedKeys::default() });
        }
        Err(Invalid::new(
            &rules::EMPTY_RANGE,
            format!("no status code is {min} or more and at most {max}: nothing would count as success"),
        )
        .label("`min` is above `max`")
        .help("let `min` be the lesser one, as in 200 to 299"))
    }

    /// The least status code that counts as success.
    pub const fn min(&self) -> StatusCode {
        self.min
    }

    /// The greatest status code that counts as success.
    pub const fn max(&self) -> StatusCode {
        self.max
    }

    /// Whether a status code counts as success.
    pub fn contains(&self, status: u16) -> bool {
        (self.min.get()..=self.max.get()).contains(&status)
    }
}

/// Which status codes count as success: all from `min` to `max`, both included. `min` is not above `max`.
#[document(no_new)]
struct StatusBounds {
    /// The least status code that counts as success. At most `max`.
    #[key(example = 200)]
    pub min: StatusCode,
    /// The greatest status code that counts as success.
    #[key(example = 299)]
    pub max: StatusCode,
}

impl Read for StatusRange {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let StatusBounds { min, max, unlisted_keys } = StatusBounds::read(node, reader)?;
        match Self::new(min, max) {
            Ok(range) => Some(Self { unlisted_keys, ..range }),
            Err(invalid) => {
                reader.invalid(node, &invalid);
                None
            }
        }
    }

    fn shape() -> Option<&'static Shape> {
        StatusBounds::shape()
    }
}

agentry_text::deserialize_by_reading!(StatusRange);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for StatusRange {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "StatusRange".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <StatusBounds as schemars::JsonSchema>::json_schema(generator)
    }
}

/// Whether a text is a token, as RFC 9110 has the names of headers.
pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

shown_text_type! {
    /// The name of a header. Any text is kept; what HTTP does not allow as a name draws a warning.
    pub struct HeaderName {
        pattern: r"^[\s\S]+$",
        form: "the name of a header: at least one character",
        example: "Accept",
        remark: |text| (!is_token(text)).then(|| {
            Invalid::new(
                &rules::UNREADABLE_VALUE,
                format!("HTTP allows no header to be called {}", agentry_text::quoted(text)),
            )
            .label("not the name of a header")
            .help("write letters, digits and hyphens, such as `X-Request-Id`, without a colon")
        }),
    }
}

text_type! {
    /// The value of a header. It may be empty, and is sent as written. A credential here draws a warning, and is
    /// never shown.
    pub struct HeaderValue {
        pattern: r"^[\s\S]*$",
        form: "the value of a header: any text",
        example: "application/json",
        remark: |text| if looks_secret(text) {
            Some(
                Invalid::new(&rules::LITERAL_SECRET, "a credential stands in the header of a manifest")
                    .label("looks like a credential")
                    .help("delete the header, and name the credential under `authorization`"),
            )
        } else if text.contains(['\r', '\n', '\0']) {
            Some(
                Invalid::new(&rules::UNREADABLE_VALUE, "HTTP allows no line break in the value of a header")
                    .label("breaks off the header")
                    .help("write it on one line"),
            )
        } else {
            None
        },
    }
}

text_type! {
    /// The name of the environment variable that holds a credential. Any text is kept; what is no such name draws
    /// a warning, and is not repeated, since it may be the credential.
    pub struct SecretVariable {
        pattern: r"^[\s\S]+$",
        form: "the name of an environment variable: at least one character",
        example: "ACME_API_KEY",
        remark: |text| crate::values::EnvVar::new(text).is_err().then(|| {
            Invalid::new(&rules::UNREADABLE_VALUE, "this is not the name of an environment variable")
                .label("not a name")
                .help("write the name of the variable that holds the credential, such as `ACME_API_KEY`, never the credential")
        }),
        guarded: true,
    }
}

text_type! {
    /// The name of a credential in a store of secrets. What looks like the credential itself draws a warning.
    pub struct SecretName {
        pattern: r"^[\s\S]+$",
        form: "the name of a secret: at least one character",
        example: "acme-api-key",
        remark: |text| looks_secret(text).then(|| {
            Invalid::new(&rules::LITERAL_SECRET, "a credential stands where the name of one belongs")
                .label("looks like a credential")
                .help("write the name under which it is stored")
        }),
        guarded: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_found_with_their_places() {
        for (text, expected) in [
            ("https://api.example.com/items/{id}", "id@30..34"),
            ("{a}{b}/ü/{a}", "a@0..3 b@3..6 a@10..13"),
            ("{}{ id }{id", ""),
            ("{{id}}", "id@1..5"),
            ("{\"name\": {name}, \"n\": {a.b-c_$d}}", "name@9..15 a.b-c_$d@22..32"),
            ("{größe}", "größe@0..9"),
            ("}{", ""),
            ("", ""),
        ] {
            let found: Vec<String> = placeholders(text)
                .map(|found| format!("{}@{}..{}", found.name, found.start, found.end))
                .collect();
            assert_eq!(found.join(" "), expected, "{text}");
            for found in placeholders(text) {
                assert_eq!(&text[found.start..found.end], format!("{{{}}}", found.name));
            }
        }
    }

    #[test]
    fn the_host_is_known_where_nothing_stands_in_for_it() {
        for (text, host) in [
            ("https://api.example.com/items/{id}", Some("api.example.com")),
            ("https://api.example.com:8080?q={q}", Some("api.example.com:8080")),
            ("https://user@api.example.com", Some("api.example.com")),
            ("https://{region}.example.com/x", None),
            ("{base}/x", None),
            ("/items", None),
            ("https:///x", None),
        ] {
            assert_eq!(UrlTemplate::new(text).unwrap().host(), host, "{text}");
        }
    }

    #[test]
    fn a_range_of_status_codes_is_not_empty() {
        let range = |min, max| StatusRange::new(StatusCode::new(min).unwrap(), StatusCode::new(max).unwrap());
        let usual = range(200, 299).unwrap();
        assert!(usual.contains(200) && usual.contains(299) && !usual.contains(300));
        assert!(range(204, 204).unwrap().contains(204));
        assert_eq!(range(299, 200).unwrap_err().rule.name, "empty-range");
        assert!(StatusCode::new(99).is_err() && StatusCode::new(600).is_err());
    }
}
