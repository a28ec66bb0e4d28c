//! Files that a new session starts with.

use super::{Destination, PackageGlob};
use agentry_macros::document;
use agentry_text::{
    ANY_TEXT, Condition, Invalid, Node, Nullable, Read, Reader, Shape, When, options, text_type,
};
use serde::Serialize;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Files that a new session starts with: files of the package by a path or pattern, the same with another destination,
/// or a text that stands in the manifest.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum PackageFile {
    /// A path or pattern. The files keep their paths, and are read-only in the session.
    Path(PackageGlob),
    /// A path or pattern, with where the files go and whether they are read-only.
    Source(FileSource),
    /// A text in the manifest, with where it goes.
    Inline(InlineFile),
}

impl PackageFile {
    /// The path or pattern of the package that it takes its files from. None for a text in the manifest.
    pub const fn source(&self) -> Option<&PackageGlob> {
        match self {
            Self::Path(source) => Some(source),
            Self::Source(source) => Some(&source.source),
            Self::Inline(_) => None,
        }
    }

    /// Where it goes in the working directory. A path from its top, where that can be told without looking at the
    /// package: not for patterns.
    pub fn destination(&self) -> Option<&str> {
        let kept = |source: &'_ PackageGlob| !source.has_wildcards() && !source.plain().is_empty();
        match self {
            Self::Path(source) => kept(source).then(|| source.plain()),
            Self::Source(source) => match source.path() {
                Some(path) => kept(&source.source).then(|| path.resolved()),
                None => kept(&source.source).then(|| source.source.plain()),
            },
            Self::Inline(file) => Some(file.path.resolved()),
        }
    }

    /// Whether the session may not change the files, as written or by default: a file of the package is read-only, and
    /// a text in the manifest is not.
    pub fn is_readonly(&self) -> bool {
        match self {
            Self::Path(_) => true,
            Self::Source(source) => source.is_readonly(),
            Self::Inline(file) => file.is_readonly(),
        }
    }
}

impl Read for PackageFile {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        if node.as_str().is_some() {
            return PackageGlob::read(node, reader).map(Self::Path);
        }
        if node.get("source").is_some() {
            return FileSource::read(node, reader).map(Self::Source);
        }
        if node.as_table().is_some() {
            return InlineFile::read(node, reader).map(Self::Inline);
        }
        reader.wrong_type(node, "a path, a table with `source`, or a table with `path` and `content`");
        None
    }

    fn shape() -> Option<&'static Shape> {
        // What either table knows: to find where a stray key belongs.
        static SHAPE: LazyLock<Option<Shape>> = LazyLock::new(|| {
            let mut shape = FileSource::shape()?.clone();
            shape.join(InlineFile::shape()?.clone());
            Some(shape)
        });
        SHAPE.as_ref()
    }
}

agentry_text::deserialize_by_reading!(PackageFile);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for PackageFile {
    fn schema_name() -> Cow<'static, str> {
        "PackageFile".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut inline = generator.subschema_for::<InlineFile>();
        // `source` tells the two tables apart, also where they may have keys of a newer version.
        inline.insert("not".to_owned(), agentry_text::required(&["source"]));
        schemars::json_schema!({
            "description": "Files that a new session starts with: a path or pattern of the package, the same with \
                            another destination, or a text that stands in the manifest.",
            "anyOf": [
                generator.subschema_for::<PackageGlob>(),
                generator.subschema_for::<FileSource>(),
                inline,
            ],
        })
    }
}

/// Files of the package, with where they go.
#[document]
pub struct FileSource {
    /// A path of the package, or a pattern for several.
    #[key(example = "data/**")]
    pub source: PackageGlob,
    /// Where the files go in the working directory. Absent means that they keep their paths.
    #[key(example = "reference/rates.csv")]
    pub path: Option<Nullable<Destination>>,
    /// Whether the session may not change the files. For a text in the manifest the default is false.
    #[key(default = true)]
    pub is_readonly: Option<bool>,
}

/// A text that stands in the manifest and becomes a file.
#[document]
pub struct InlineFile {
    /// Where the file goes in the working directory.
    #[key(example = "notes/today.md")]
    pub path: Destination,
    /// What the file holds, and how that is written.
    #[serde(flatten)]
    pub content: FileContent,
    /// Whether the session may not change or delete the file. For a file of the package the default is true.
    #[key(default = false)]
    pub is_readonly: Option<bool>,
}

/// What a file holds, and how that is written.
#[document(no_new, open, conditions(IS_BASE64))]
pub struct FileContent {
    /// The content: the text itself, or base64 where `encoding` says so.
    #[key(example = "# Notes\n")]
    content: FileText,
    /// How `content` is written.
    #[key(default = FileEncoding::Text)]
    encoding: Option<FileEncoding>,
}

const BASE64: &str = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";

const IS_BASE64: Condition = Condition::Matches {
    when: When { path: &["encoding"], is: &["base64"], or_absent: false },
    key: "content",
    pattern: BASE64,
    form: "base64: letters, digits, `+` and `/` in groups of four, `=` at the end, and no line breaks",
    example: "aGVsbG8=",
};

text_type! {
    /// The content of a file, as it stands in the manifest.
    pub struct FileText {
        pattern: ANY_TEXT,
        form: "the content of a file: any text",
        example: "",
    }
}

impl FileContent {
    /// A text.
    pub const fn text(text: FileText) -> Self {
        Self { content: text, encoding: None }
    }

    /// Any bytes, given as base64; refused if it is none.
    pub fn base64(text: impl Into<String>) -> Result<Self, Invalid> {
        let content = FileText::new(text)?;
        if decode(content.as_str()).is_none() {
            return Err(Invalid::new(&agentry_text::rules::INVALID_VALUE, "the content is not base64")
                .help("encode the bytes by RFC 4648 with padding, as in `aGVsbG8=`, without line breaks"));
        }
        Ok(Self { content, encoding: Some(FileEncoding::Base64) })
    }

    /// The content as written.
    pub fn as_written(&self) -> &str {
        self.content.as_str()
    }

    /// What the file holds.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        let decoded = if self.encoding() == FileEncoding::Base64 { decode(self.as_written()) } else { None };
        decoded.map_or(Cow::Borrowed(self.as_written().as_bytes()), Cow::Owned)
    }
}

/// The bytes that a base64 text stands for; None where it is none. Bits that are left over count for nothing.
fn decode(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    if !bytes.len().is_multiple_of(4) {
        return None;
    }
    let padding = bytes.iter().rev().take_while(|byte| **byte == b'=').count();
    let mut decoded = Vec::with_capacity(bytes.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in &bytes[..bytes.len() - padding] {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            decoded.push((bits >> count & 0xff).try_into().ok()?);
            bits &= (1 << count) - 1;
        }
    }
    (padding <= 2).then_some(decoded)
}

options! {
    /// How the content of a file is written.
    pub enum FileEncoding {
        /// As the text that it is.
        Text = "text" from "specification",
        /// As base64, for what is no text.
        Base64 = "base64" from "specification",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_what_the_pattern_says() {
        let pattern = agentry_text::Regex::new(BASE64).unwrap();
        for (text, bytes) in [
            ("", Some(&b""[..])),
            ("aGVsbG8=", Some(b"hello")),
            ("aGVsbG8h", Some(b"hello!")),
            ("aA==", Some(b"h")),
            ("aB==", Some(b"h")),
            ("+/+/", Some(&[0xfb, 0xff, 0xbf])),
            ("aGVsbG8", None),
            ("aGVs\nbG8=", None),
            ("aGVsbG8=\n", None),
            ("not base64!", None),
            ("====", None),
            ("a===", None),
            ("aA=a", None),
            ("-_-_", None),
        ] {
            assert_eq!(decode(text).as_deref(), bytes, "{text:?}");
            assert_eq!(pattern.is_match(text), bytes.is_some(), "{text:?}");
            assert_eq!(
                FileContent::base64(text).ok().map(|content| content.bytes().into_owned()).as_deref(),
                bytes
            );
        }
        let text = FileContent::text(FileText::new("aGVsbG8=").unwrap());
        assert_eq!(text.bytes().as_ref(), b"aGVsbG8=");
    }

    #[test]
    fn destinations_are_told_where_no_pattern_decides() {
        let glob = |text: &str| PackageGlob::new(text).unwrap();
        let path = |text: &str| Destination::new(text).unwrap();
        let inline =
            InlineFile::new(path("/workspace/notes.md"), FileContent::text(FileText::new("x").unwrap()));
        for (file, destination, readonly) in [
            (PackageFile::Path(glob("./docs/guide.md")), Some("docs/guide.md"), true),
            (PackageFile::Path(glob("docs/**")), None, true),
            (PackageFile::Path(glob(".")), None, true),
            (PackageFile::Source(FileSource::new(glob("a.md"))), Some("a.md"), true),
            (
                PackageFile::Source(
                    FileSource::new(glob("a.md")).with_path(path("/b.md")).with_is_readonly(false),
                ),
                Some("b.md"),
                false,
            ),
            (PackageFile::Source(FileSource::new(glob("*.md")).with_path(path("docs"))), None, true),
            (PackageFile::Inline(inline.clone()), Some("notes.md"), false),
            (PackageFile::Inline(inline.with_is_readonly(true)), Some("notes.md"), true),
        ] {
            assert_eq!((file.destination(), file.is_readonly()), (destination, readonly), "{file:?}");
        }
    }
}
