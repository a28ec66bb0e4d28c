//! Builds a provider file in Rust and prints it as TOML: what a program writes is checked before it exists.
//!
//! `cargo run --package agentry-examples --bin author`

use agentry::provider::{Limits, Modality, Model, ProviderInfo, Tier};
use agentry::values::{EnvVar, HttpUrl, Id, Label, ModelId, Price, TokenCount};
use agentry::{Provider, Unique, toml};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let info = ProviderInfo::new(
        Id::new("harbour-lights")?,
        Label::new("Harbour Lights")?,
        EnvVar::new("HARBOUR_LIGHTS_API_KEY")?.into(),
        HttpUrl::new("https://api.harbour-lights.example/v1")?.into(),
        true,
    );
    let chat = Model::new(
        ModelId::new("lantern-2")?,
        Label::new("Lantern 2")?,
        Tier::Balanced,
        Limits::text(TokenCount::new(128_000)?, TokenCount::new(8_192)?),
        Price::new(0.5)?,
        Price::new(2.0)?,
    )
    .with_supports_tools(true);
    let film = Model::new(
        ModelId::new("lantern-film")?,
        Label::new("Lantern Film")?,
        Tier::Frontier,
        Limits::media(Modality::Video, None, None).ok_or("a text model needs its limits")?,
        Price::new(0.0)?,
        Price::new(0.0)?,
    )
    .with_per_call_cost(Price::new(0.4)?);
    let provider = Provider::new(info).with_models(Unique::new(vec![chat, film])?);

    let text = toml::to_string(&provider)?;
    print!("{text}");
    // What was written is what is read.
    assert_eq!(toml::from_str::<Provider>(&text)?, provider);
    Ok(())
}
