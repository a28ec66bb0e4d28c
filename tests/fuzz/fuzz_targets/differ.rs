//! Any two schemas compared: see `agentry_fuzz::differ`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| agentry_fuzz::differ(data));
