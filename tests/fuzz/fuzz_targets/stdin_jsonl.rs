//! Any bytes as requests on standard input: see `agentry_fuzz::requests`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| agentry_fuzz::requests(data));
