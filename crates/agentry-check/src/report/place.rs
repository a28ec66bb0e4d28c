//! Where things are, as other programs want to be told.

use agentry_text::{Lines, Span};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// What stands for itself in a path of a URI: the unreserved characters of RFC 3986, and the slash. A colon does not,
/// since in a first segment it would end a scheme.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// A path as a report names it: from a folder down where it lies there, else absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Below the folder.
    Below(PathBuf),
    /// Elsewhere.
    Elsewhere(PathBuf),
}

impl Place {
    pub(crate) fn new(path: &Path, folder: &Path) -> Self {
        let absolute = normal(path);
        match absolute.strip_prefix(normal(folder)) {
            Ok(below) if below.components().next().is_some() => Self::Below(below.to_owned()),
            _ => Self::Elsewhere(absolute),
        }
    }

    /// The path with `/` between folders.
    pub(crate) fn text(&self) -> String {
        let (Self::Below(path) | Self::Elsewhere(path)) = self;
        slashed(path)
    }

    /// The URI: relative for what is below the folder, else with the scheme `file`.
    pub(crate) fn uri(&self) -> String {
        let (Self::Below(path) | Self::Elsewhere(path)) = self;
        let bytes = path.as_os_str().as_encoded_bytes();
        let bytes: Cow<'_, [u8]> = if std::path::MAIN_SEPARATOR == '\\' {
            bytes.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect::<Vec<u8>>().into()
        } else {
            bytes.into()
        };
        let path = percent_encode(&bytes, PLAIN);
        match self {
            Self::Below(_) => path.to_string(),
            Self::Elsewhere(_) => {
                let path = path.to_string();
                let slash = if path.starts_with('/') { "" } else { "/" };
                format!("file://{slash}{path}")
            }
        }
    }
}

/// The text of a path with `/` between folders.
pub(crate) fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '\\' { text.replace('\\', "/") } else { text.into_owned() }
}

/// The path from a folder to a file, with `/` between folders; absolute where the two share no root.
pub(crate) fn relative(path: &Path, folder: &Path) -> String {
    let (path, folder) = (normal(path), normal(folder));
    let (to, from): (Vec<_>, Vec<_>) = (path.components().collect(), folder.components().collect());
    let shared = to.iter().zip(&from).take_while(|(one, other)| one == other).count();
    if shared == 0 {
        return slashed(&path);
    }
    let up = from[shared..].iter().map(|_| Component::ParentDir);
    slashed(&up.chain(to[shared..].iter().copied()).collect::<PathBuf>())
}

/// The absolute path without `.` and `..`. Links are not followed: what a report names is what the user named.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut normal = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// The line and the column in UTF-16 code units, both from 1, of a byte of a text. A byte order mark is no part of the
/// first line.
pub(crate) fn utf16(text: &str, lines: &Lines<'_>, offset: usize) -> (usize, usize) {
    let line = lines.position(offset).line;
    let start = lines.start(line);
    let mut end = offset.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[start..end];
    let before = if line == 1 { before.trim_start_matches('\u{feff}') } else { before };
    (line, before.encode_utf16().count() + 1)
}

/// The start and the end of a place, in UTF-16 code units.
pub(crate) fn region(text: &str, lines: &Lines<'_>, span: Span) -> [(usize, usize); 2] {
    [utf16(text, lines, span.start), utf16(text, lines, span.end.max(span.start))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_named_from_the_folder_down() {
        for (path, folder, text, uri) in [
            ("/r/a/b.toml", "/r", "a/b.toml", "a/b.toml"),
            ("/r/./a/../b.toml", "/r/", "b.toml", "b.toml"),
            ("/r/ü b/#%?c:d.toml", "/r", "ü b/#%?c:d.toml", "%C3%BC%20b/%23%25%3Fc%3Ad.toml"),
            ("/r/c:d.toml", "/r", "c:d.toml", "c%3Ad.toml"),
            ("/q/a b.toml", "/r", "/q/a b.toml", "file:///q/a%20b.toml"),
            ("/r", "/r", "/r", "file:///r"),
        ] {
            let place = Place::new(Path::new(path), Path::new(folder));
            assert_eq!((place.text().as_str(), place.uri().as_str()), (text, uri), "{path} from {folder}");
        }
    }

    #[test]
    fn a_path_leads_from_the_folder_to_the_file() {
        for (path, folder, expected) in [
            ("/r/a/b.toml", "/r", "a/b.toml"),
            ("/r/a/b.toml", "/r/a/", "b.toml"),
            ("/r/a/b.toml", "/r/c/d", "../../a/b.toml"),
            ("/r/./c/../a b.toml", "/r", "a b.toml"),
        ] {
            assert_eq!(relative(Path::new(path), Path::new(folder)), expected, "{path} from {folder}");
        }
    }

    #[test]
    fn columns_are_counted_as_utf_16_counts_them() {
        let text = "\u{feff}a = \"😀ü\" # x\nb = 1\n";
        let lines = Lines::new(text);
        for (needle, expected) in
            [("a", (1, 1)), ("😀", (1, 6)), ("ü", (1, 8)), ("#", (1, 11)), ("b", (2, 1))]
        {
            let at = text.find(needle).expect("it is there");
            assert_eq!(utf16(text, &lines, at), expected, "{needle}");
        }
        let inside = text.find('ü').expect("it is there") + 1;
        assert_eq!(utf16(text, &lines, inside), (1, 8), "inside a character: its start");
        assert_eq!(utf16(text, &lines, 999), (3, 1));
    }
}
