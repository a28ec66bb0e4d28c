//! Another project's validator: `boon`, which shares no code with the readers, nor with the validator that the
//! checker uses for schemas inside documents.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value as Json;

/// A schema that was compiled by the validator.
pub struct Judge {
    schemas: Schemas,
    schema: SchemaIndex,
}

impl Judge {
    /// A judge by a schema of any draft, which the schema names itself.
    ///
    /// # Panics
    ///
    /// When the validator refuses the schema.
    pub fn new(schema: &Json) -> Self {
        const PLACE: &str = "https://laws.example/schema.json";
        let mut schema = schema.clone();
        if let Json::Object(root) = &mut schema {
            // Known by the place above: the published address would be fetched.
            root.shift_remove("$id");
        }
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        compiler.add_resource(PLACE, schema).expect("the place is an address");
        let schema =
            compiler.compile(PLACE, &mut schemas).unwrap_or_else(|error| panic!("no schema: {error:#}"));
        Self { schemas, schema }
    }

    /// Whether a document fits.
    pub fn accepts(&self, document: &Json) -> bool {
        self.schemas.validate(document, self.schema).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What ECMA-262 says of patterns, and other dialects do not.
    #[test]
    fn patterns_are_read_as_json_schema_asks() {
        for (pattern, text, fits) in [
            ("^a$", "a", true),
            ("^a$", "a\n", false),
            ("^a$", "b\na\nc", false),
            (r"^\d$", "7", true),
            (r"^\d$", "٧", false),
            (r"^\w$", "é", false),
            (r"^\s$", "\u{a0}", true),
            (r"^[\s\S]$", "\n", true),
            (r"^.$", "\n", false),
            (r"^.$", "🦀", true),
            (r"^\p{Lu}$", "É", true),
            (r"^\p{Lu}$", "é", false),
            (r"^[^\x00-\x1f\x7f]+$", "a\u{7f}", false),
            (r"a", "cat", true),
        ] {
            let judge = Judge::new(&json!({ "pattern": pattern }));
            assert_eq!(judge.accepts(&json!(text)), fits, "{pattern} and {text:?}");
        }
    }

    #[test]
    fn whole_numbers_are_counted_by_their_value() {
        let judge = Judge::new(&json!({ "type": "integer", "maximum": 9_007_199_254_740_991_i64 }));
        for (number, fits) in [
            (json!(3), true),
            (json!(3.0), true),
            (json!(3.5), false),
            (json!(-0.0), true),
            (json!(9_007_199_254_740_991_i64), true),
            (json!(9_007_199_254_740_992_i64), false),
            (json!(u64::MAX), false),
            (json!(1e300), false),
            (json!("3"), false),
        ] {
            assert_eq!(judge.accepts(&number), fits, "{number}");
        }
    }
}
