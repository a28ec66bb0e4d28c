//! `cargo xtask COMMAND`.

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let status = xtask::run(std::env::args_os().skip(1), &mut io::stdout().lock(), &mut io::stderr().lock());
    // The reader of the output went away: nothing is left to say, and nobody to say it to.
    ExitCode::from(status.unwrap_or(xtask::FAILURE))
}
