//! From the side of the types: a change of a field, an option, a default or a doc comment, and nothing else, is
//! drift, in every draft.
#![cfg(feature = "schema")]
#![expect(unreachable_pub, reason = "the macros define public types")]

use agentry_schema::{Document, Draft, Form, check, publish, text};
use schemars::{Schema, SchemaGenerator};
use xtask::drift::{MEND, compare};

/// A lamp as a type states it: what its power is, its default colour, and its colours.
macro_rules! lamp {
    ($module:ident {
        $doc:literal $power:ident: ($($power_type:tt)+),
        $default:ident,
        $($option:ident = $text:literal $option_doc:literal,)+
    }) => {
        mod $module {
            use agentry_macros::document;
            use agentry_text::{Extra, count_type, options};

            count_type! {
                /// Electrical power, in watts.
                pub struct Watts(u16) {
                    form: "a power in watts",
                    minimum: 0,
                    maximum: 2_000,
                }
            }

            options! {
                /// What colour the light has.
                pub enum Colour {
                    $(
                        #[doc = $option_doc]
                        $option = $text from "this test",
                    )+
                }
            }

            /// A lamp.
            #[document]
            pub struct Lamp {
                #[doc = $doc]
                pub $power: $($power_type)+,
                /// What colour the light has.
                #[key(default = Colour::$default)]
                pub colour: Option<Colour>,
                /// Unknown keys.
                #[serde(flatten)]
                pub extra: Extra,
            }
        }
    };
}

lamp!(before {
    "How much it draws." power: (Watts), White, White = "white" "Like paper.", Red = "red" "Like brick.",
});
lamp!(field {
    "How much it draws." draw: (Watts), White, White = "white" "Like paper.", Red = "red" "Like brick.",
});
lamp!(required {
    "How much it draws." power: (Option<Watts>), White, White = "white" "Like paper.", Red = "red" "Like brick.",
});
lamp!(option {
    "How much it draws." power: (Watts), White, White = "white" "Like paper.",
});
lamp!(default {
    "How much it draws." power: (Watts), Red, White = "white" "Like paper.", Red = "red" "Like brick.",
});
lamp!(doc {
    "How much power it draws." power: (Watts), White, White = "white" "Like paper.", Red = "red" "Like brick.",
});
lamp!(option_doc {
    "How much it draws." power: (Watts), White, White = "white" "Like snow.", Red = "red" "Like brick.",
});

/// What gives a type's schema.
type Derive = fn(SchemaGenerator) -> Schema;

/// The documents of a lamp.
fn documents(derive: Derive) -> Vec<Document> {
    let document = |draft: &Draft| {
        let schema = publish("lamp", "A lamp.", *draft, derive);
        assert_eq!(check::check(&schema, *draft, Form::File), []);
        Document { path: agentry_schema::path("lamp", *draft), text: text(&schema) }
    };
    Draft::ALL.iter().map(document).collect()
}

#[test]
fn a_change_of_a_type_without_its_documents_is_drift() {
    let dir = tempfile::tempdir().expect("a folder");
    let before = documents(SchemaGenerator::into_root_schema_for::<before::Lamp>);
    for document in &before {
        let file = dir.path().join(&document.path);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("it can be made");
        std::fs::write(file, &document.text).expect("it can be written");
    }
    assert!(compare(&before, dir.path()).expect("it can be compared").is_fresh());

    let draw = "/properties/draw  property `draw` added";
    let power = "/properties/power  property `power` removed";
    let cases: [(Derive, &[&str]); 6] = [
        (
            SchemaGenerator::into_root_schema_for::<field::Lamp>,
            &[
                draw,
                power,
                "/required  required key \"draw\" added",
                "/required  required key \"power\" removed",
            ],
        ),
        (
            SchemaGenerator::into_root_schema_for::<required::Lamp>,
            &["/required  `required` removed: [\"power\"]"],
        ),
        (
            SchemaGenerator::into_root_schema_for::<option::Lamp>,
            &["  option \"red\" removed\n                  breaks existing files, for example {"],
        ),
        (
            SchemaGenerator::into_root_schema_for::<default::Lamp>,
            &["/properties/colour/default  `default` altered from \"white\" to \"red\""],
        ),
        (
            SchemaGenerator::into_root_schema_for::<doc::Lamp>,
            &[
                "/properties/power/description  `description` altered from \"How much it draws.\" to \"How much power",
            ],
        ),
        (
            SchemaGenerator::into_root_schema_for::<option_doc::Lamp>,
            &["/Colour/oneOf/0/description  `description` altered from \"Like paper."],
        ),
    ];
    for (derive, wanted) in cases {
        let report = compare(&documents(derive), dir.path()).expect("it can be compared");
        let text = report.render(MEND);
        for path in before.iter().map(|document| &document.path) {
            assert!(text.contains(&format!("stale        {}/{path}\n", name(dir.path()))), "{text}");
        }
        for line in wanted {
            // In both drafts.
            assert_eq!(text.matches(line).count(), 2, "`{line}` in:\n{text}");
        }
        assert!(text.ends_with("0 fresh, 2 stale. Run `cargo xtask schema-write`.\n"), "{text}");
    }
}

fn name(dir: &std::path::Path) -> String {
    dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
