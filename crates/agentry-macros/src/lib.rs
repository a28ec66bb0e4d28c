//! The `#[document]` attribute of Agentry.
//!
//! A struct that describes a table of a manifest is written once. The attribute gives it its strict reader
//! (`agentry_text::Read`), its writer (`serde::Serialize`), its `serde::Deserialize`, its JSON Schema, the list
//! of its known keys, a constructor that asks for what is required, one setter per optional key, and its
//! documentation as text (`agentry_text::Described`). All of them are made from the same field list, so none can
//! lag behind.

use proc_macro::TokenStream;

mod document;

/// Turns a struct with named fields into a table of a manifest.
///
/// * `Option<T>` is a key that may be absent; every other field is required, unless it says `omit`. Null is a value
///   of `Option<Nullable<T>>` alone, which has an accessor of the field's name.
/// * A field with `#[serde(flatten)]` is a *group*: several keys of this same table that obey a rule together,
///   or the `Extra` that keeps unknown keys. A struct without an `Extra` is closed: unknown keys are errors, and
///   in the tolerant reading warnings: then they are kept beside the fields, for `unlisted_keys()`.
///
/// Field options, in `#[key(...)]`: `rename = "type"` (the key's name where Rust cannot say it),
/// `legacy("old_name")` (older names, read with a finding and never written), `foreign("other_name")` (what other
/// formats call it: never read, and named where an unknown key is one of them), `default = EXPR` (what an absent
/// key means: stated in the schema and given by an accessor of the field's name), `example = EXPR`, and `omit`, on a
/// field that is no `Option` and has a default: absent and default are one value there, and it is not written.
///
/// Struct options, in `#[document(...)]`: `no_new` leaves out the constructor; `open` allows unknown keys without
/// an `Extra` of its own (a group below keeps them); `any_keys` says that other keys are the author's own, so that
/// only those are reported which clearly belong to another table; `passed_on = "..."` says what becomes of other
/// keys, for the warning; `conditions(...)` lists the `Condition`s between keys, from
/// which both the reader's check and the schema are made. Fields under a condition are private, so that no
/// value can be changed into one that breaks it. `check = FUNCTION` names a `fn(&Fields, &mut Reader) -> bool` for a
/// relation that no schema can state: false when it reported an error. Its fields are private too. `remark = FUNCTION`
/// names a `fn(&Fields, &mut Reader)` that is called with every table, also one that holds an error, to say what is
/// legal and worth a word. `gate = FUNCTION` names a `fn(&Node, &mut Reader) -> bool` that is asked before anything of
/// the table is read; with false, having reported why, it ends the reading there.
#[proc_macro_attribute]
pub fn document(options: TokenStream, item: TokenStream) -> TokenStream {
    document::expand(options.into(), item.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}
