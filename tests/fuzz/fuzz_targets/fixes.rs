//! Every fix for any text: see `agentry_fuzz::mend`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| agentry_fuzz::mend(data));
