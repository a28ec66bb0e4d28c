//! Reads provider files as a runtime would, tolerantly, and lists the models by price.
//!
//! `cargo run --package agentry-examples --bin prices -- examples/registry/providers/*.toml`

use agentry::{Provider, Severity, toml};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut models = Vec::new();
    let mut broken = false;
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                broken = true;
                continue;
            }
        };
        // What can be read is read; what cannot is told, and costs only its own entry.
        let reading = toml::read::<Provider>(&text);
        for finding in &reading.findings {
            if finding.severity == Severity::Error {
                eprintln!("{path}: {}: {}", finding.pointer, finding.message);
                broken = true;
            }
        }
        if let Some(provider) = reading.value {
            models
                .extend(provider.models().iter().cloned().map(|model| (provider.provider.id.clone(), model)));
        }
    }
    models.sort_by(|(_, one), (_, other)| {
        one.output_cost_per_m.get().total_cmp(&other.output_cost_per_m.get())
    });
    for (provider, model) in models {
        println!(
            "{provider:20} {:40} {:>9.3} {:>9.3}  {}",
            model.id.as_str(),
            model.input_cost_per_m.get(),
            model.output_cost_per_m.get(),
            if model.supports_tools() { "tools" } else { "" },
        );
    }
    if broken { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
