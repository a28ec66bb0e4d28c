//! Lists the pages of the rules, so that every file in `rules` becomes part of the crate.

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=rules");
    let mut names = Vec::new();
    for entry in fs::read_dir("rules")? {
        let file = entry?.file_name();
        let file = file.to_str().ok_or("a page of a rule has a name that is not UTF-8")?;
        if let Some(name) = file.strip_suffix(".md") {
            names.push(name.to_owned());
        }
    }
    names.sort_unstable();
    let mut list = String::from("&[\n");
    for name in names {
        writeln!(
            list,
            "    ({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/rules/{name}.md\"))),"
        )?;
    }
    list.push_str("]\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("pages.rs"), list)?;
    Ok(())
}
