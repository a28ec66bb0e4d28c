//! Any text as a document of any kind: see `agentry_fuzz::check`.
#![no_main]

use agentry_text::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| agentry_fuzz::check(Format::Markdown, data));
