//! Reads an agent package in whatever format it is written, and writes it in another one.
//!
//! `cargo run --package agentry-examples --bin package -- examples/packages/complete-yaml/agent.yaml toml`

use agentry::{Format, Package, json, toml, yaml};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, format] = &arguments[..] else {
        eprintln!("usage: package FILE toml|yaml|json");
        return ExitCode::from(2);
    };
    match convert(Path::new(path), format) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn convert(path: &Path, format: &str) -> Result<String, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    // Strict: a value that exists is valid, else the error says where the file is not.
    let package: Package = match Format::from_name(ending) {
        Some(Format::Yaml) => yaml::from_str(&text)?,
        Some(Format::Json) => json::from_str(&text)?,
        _ => toml::from_str(&text)?,
    };
    Ok(match Format::from_name(format) {
        Some(Format::Toml) => toml::to_string(&package)?,
        Some(Format::Yaml) => yaml::to_string(&package)?,
        Some(Format::Json) => json::to_string(&package)?,
        _ => return Err(format!("a package is not written as {format}").into()),
    })
}
