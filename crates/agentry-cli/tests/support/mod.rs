//! What the tests of the program share.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A provider with nothing to say about it.
pub(crate) const PROVIDER: &str = r#"[provider]
id = "acme"
display_name = "Acme"
api_key_env = "ACME_API_KEY"
base_url = "https://api.acme.example/v1"
key_required = true
"#;

/// Runs the program in a folder.
pub(crate) fn agentry(arguments: &[&str], folder: &Path) -> Output {
    agentry_amid(&[], arguments, folder)
}

/// Runs the program in a folder, with variables in its environment.
pub(crate) fn agentry_amid(variables: &[(&str, &str)], arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agentry"))
        .args(arguments)
        .current_dir(folder)
        .envs(variables.iter().copied())
        .output()
        .expect("the program runs")
}

/// Output as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder that holds a registry of these files.
pub(crate) fn registry(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, bytes) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, bytes).expect("a file");
    }
    folder
}
