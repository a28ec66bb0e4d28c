//! JSON pointers.

use std::fmt::Write as _;

/// A pointer one step further.
pub(crate) fn join(pointer: &str, step: &str) -> String {
    format!("{pointer}/{}", escaped(step))
}

pub(crate) fn escaped(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

/// The last step of a pointer, as it is meant.
pub(crate) fn last(pointer: &str) -> String {
    let step = pointer.rsplit_once('/').map_or(pointer, |(_, step)| step);
    step.replace("~1", "/").replace("~0", "~")
}

/// A pointer in its one spelling.
pub(crate) fn normal(pointer: &str) -> String {
    let mut normal = String::new();
    for step in pointer.split('/').skip(1) {
        let _ = write!(normal, "/{}", escaped(&step.replace("~1", "/").replace("~0", "~")));
    }
    normal
}

/// A fragment without its percent signs.
pub(crate) fn decoded(fragment: &str) -> String {
    let bytes = fragment.as_bytes();
    let mut decoded = Vec::new();
    let mut index = 0;
    while let Some(byte) = bytes.get(index) {
        let code = bytes.get(index + 1..index + 3).and_then(|code| std::str::from_utf8(code).ok());
        let decoded_byte = code.filter(|_| *byte == b'%').and_then(|code| u8::from_str_radix(code, 16).ok());
        decoded.push(decoded_byte.unwrap_or(*byte));
        index += if decoded_byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
