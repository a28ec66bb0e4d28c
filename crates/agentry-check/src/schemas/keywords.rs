//! The keywords of JSON Schema, Draft 2020-12, and what stands under each.

use agentry_text::{Kind, Node};

/// What stands under a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Any value.
    Anything,
    /// A schema.
    Schema,
    /// An array of schemas, at least one.
    Schemas,
    /// A table of schemas.
    SchemaMap,
    /// A table of schemas whose keys are regular expressions.
    PatternMap,
    /// A table of schemas or lists of names: `dependencies`, of older drafts.
    Dependencies,
    /// The name of a type, or several.
    Type,
    /// A regular expression.
    Pattern,
    /// An address or pointer of a schema.
    Reference,
    /// A list of names of properties.
    Names,
    /// A table of such lists.
    NamesMap,
    /// A table of flags.
    Flags,
    /// A plain value.
    Simple(Simple),
}

/// A value without schemas in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Simple {
    Text,
    Flag,
    Number,
    /// A number above 0.
    Positive,
    /// A whole number, 0 or more.
    Count,
    List,
    /// An address without a fragment.
    Identifier,
    /// A name for references to end in.
    Anchor,
}

const TABLE: &[(&str, Form)] = &[
    ("$schema", Form::Simple(Simple::Text)),
    ("$id", Form::Simple(Simple::Identifier)),
    ("$ref", Form::Reference),
    ("$dynamicRef", Form::Reference),
    ("$anchor", Form::Simple(Simple::Anchor)),
    ("$dynamicAnchor", Form::Simple(Simple::Anchor)),
    ("$vocabulary", Form::Flags),
    ("$comment", Form::Simple(Simple::Text)),
    ("$defs", Form::SchemaMap),
    ("prefixItems", Form::Schemas),
    ("items", Form::Schema),
    ("contains", Form::Schema),
    ("additionalProperties", Form::Schema),
    ("properties", Form::SchemaMap),
    ("patternProperties", Form::PatternMap),
    ("dependentSchemas", Form::SchemaMap),
    ("propertyNames", Form::Schema),
    ("if", Form::Schema),
    ("then", Form::Schema),
    ("else", Form::Schema),
    ("allOf", Form::Schemas),
    ("anyOf", Form::Schemas),
    ("oneOf", Form::Schemas),
    ("not", Form::Schema),
    ("unevaluatedItems", Form::Schema),
    ("unevaluatedProperties", Form::Schema),
    ("type", Form::Type),
    ("const", Form::Anything),
    ("enum", Form::Simple(Simple::List)),
    ("multipleOf", Form::Simple(Simple::Positive)),
    ("maximum", Form::Simple(Simple::Number)),
    ("exclusiveMaximum", Form::Simple(Simple::Number)),
    ("minimum", Form::Simple(Simple::Number)),
    ("exclusiveMinimum", Form::Simple(Simple::Number)),
    ("maxLength", Form::Simple(Simple::Count)),
    ("minLength", Form::Simple(Simple::Count)),
    ("pattern", Form::Pattern),
    ("maxItems", Form::Simple(Simple::Count)),
    ("minItems", Form::Simple(Simple::Count)),
    ("uniqueItems", Form::Simple(Simple::Flag)),
    ("maxContains", Form::Simple(Simple::Count)),
    ("minContains", Form::Simple(Simple::Count)),
    ("maxProperties", Form::Simple(Simple::Count)),
    ("minProperties", Form::Simple(Simple::Count)),
    ("required", Form::Names),
    ("dependentRequired", Form::NamesMap),
    ("title", Form::Simple(Simple::Text)),
    ("description", Form::Simple(Simple::Text)),
    ("default", Form::Anything),
    ("deprecated", Form::Simple(Simple::Flag)),
    ("readOnly", Form::Simple(Simple::Flag)),
    ("writeOnly", Form::Simple(Simple::Flag)),
    ("examples", Form::Simple(Simple::List)),
    ("format", Form::Simple(Simple::Text)),
    ("contentEncoding", Form::Simple(Simple::Text)),
    ("contentMediaType", Form::Simple(Simple::Text)),
    ("contentSchema", Form::Schema),
    // Of older drafts; the meta-schema still says what they hold.
    ("definitions", Form::SchemaMap),
    ("dependencies", Form::Dependencies),
    ("$recursiveAnchor", Form::Simple(Simple::Anchor)),
    ("$recursiveRef", Form::Simple(Simple::Text)),
];

/// What stands under a keyword; None for one that the draft does not know.
pub(super) fn form(keyword: &str) -> Option<Form> {
    TABLE.iter().find(|(name, _)| *name == keyword).map(|(_, form)| *form)
}

/// Every keyword.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}

impl Simple {
    /// What is wanted, in words.
    pub(super) const fn wanted(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Flag => "true or false",
            Self::Number => "a number",
            Self::Positive => "a number above 0",
            Self::Count => "a whole number, 0 or more",
            Self::List => "an array",
            Self::Identifier => "an address without `#`",
            Self::Anchor => "a name of letters, digits, `-`, `_` and `.` that starts with a letter or `_`",
        }
    }

    pub(super) fn fits(self, node: &Node) -> bool {
        match (self, &node.kind) {
            (Self::Text, Kind::String(_))
            | (Self::Flag, Kind::Bool(_))
            | (Self::Number, Kind::Integer(_) | Kind::Float(_))
            | (Self::List, Kind::Array(_)) => true,
            (Self::Positive, Kind::Integer(number)) => *number > 0,
            (Self::Positive, Kind::Float(number)) => *number > 0.0,
            (Self::Count, Kind::Integer(number)) => *number >= 0,
            (Self::Count, Kind::Float(number)) => *number >= 0.0 && number.fract() == 0.0,
            (Self::Identifier, Kind::String(text)) => {
                text.find('#').is_none_or(|place| place + 1 == text.len())
            }
            (Self::Anchor, Kind::String(text)) => {
                text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                    && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
            }
            _ => false,
        }
    }
}
