//! Files that usually hold credentials, by their names: the one table of them.

/// Names of files, compared without regard to case.
const FILES: [&str; 34] = [
    ".dockercfg",
    ".git-credentials",
    ".htpasswd",
    ".my.cnf",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".s3cfg",
    ".vault-token",
    ".yarnrc.yml",
    "application_default_credentials.json",
    "auth.json",
    "client_secret.json",
    "client_secrets.json",
    "credentials",
    "credentials.db",
    "credentials.json",
    "credentials.toml",
    "credentials.yaml",
    "credentials.yml",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "kubeconfig",
    "secring.gpg",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "service-account.json",
    "service_account.json",
];

/// Endings of names.
const ENDINGS: [&str; 12] = [
    ".jks",
    ".kdbx",
    ".key",
    ".keystore",
    ".ovpn",
    ".p12",
    ".p8",
    ".pem",
    ".pfx",
    ".ppk",
    ".tfstate",
    ".tfvars",
];

/// Names of key files, to which people add what a key is for.
const KEYS: [&str; 4] = ["id_dsa", "id_ecdsa", "id_ed25519", "id_rsa"];

/// Beginnings of the names of `.json` files, to which cloud consoles add a number or a project.
const JSON: [&str; 4] = ["client_secret", "client-secret", "service-account", "service_account"];

/// What editors and programs add to the name of an older copy.
const COPIES: [&str; 5] = [".backup", ".bak", ".old", ".orig", "~"];

/// Folders, everything in which belongs to one person or machine.
const FOLDERS: [&str; 9] =
    [".aws", ".azure", ".docker", ".gcloud", ".git", ".gnupg", ".kube", ".ssh", ".terraform"];

/// What says that a file of variables is a sample to be copied.
const SAMPLES: [&str; 5] = [".dist", ".example", ".sample", ".template", ".tpl"];

/// Whether a file of a package usually holds credentials, by its path with `/`.
pub(crate) fn holds_credentials(path: &str) -> bool {
    let mut folders = path.split('/');
    let name = folders.next_back().unwrap_or(path).to_lowercase();
    if folders.any(is_credential_folder) {
        return true;
    }
    let mut name = name.as_str();
    // A copy holds what the original does.
    while let Some(original) = COPIES.iter().find_map(|copy| name.strip_suffix(copy)) {
        name = original;
    }
    let sample = SAMPLES.iter().any(|sample| name.ends_with(sample) || name.contains(&format!("{sample}.")));
    let variables = name == ".envrc" || name.starts_with(".env.") || has_ending(name, ".env");
    variables && !sample
        || FILES.contains(&name)
        || ENDINGS.iter().any(|ending| name.len() > ending.len() && has_ending(name, ending))
        || KEYS.iter().any(|key| is_key_for_something(name, key))
        || !sample
            && name.strip_suffix(".json").is_some_and(|name| JSON.iter().any(|json| is_continued(name, json)))
}

/// Whether a name is that of a key, and what the key is for: `id_rsa_work`, `id_ed25519-deploy`.
fn is_key_for_something(name: &str, key: &str) -> bool {
    name.strip_prefix(key).is_some_and(|rest| rest.starts_with(['_', '-']) && !rest.contains('.'))
}

/// Whether a name is another one, with nothing or a further part behind it.
fn is_continued(name: &str, beginning: &str) -> bool {
    name.strip_prefix(beginning).is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '-', '.']))
}

/// Whether a name in lower case ends so.
fn has_ending(name: &str, ending: &str) -> bool {
    name.ends_with(ending)
}

/// Whether everything in a folder of this name is somebody's own.
pub(super) fn is_credential_folder(name: &str) -> bool {
    FOLDERS.contains(&name.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::holds_credentials;

    #[test]
    fn credentials_are_told_from_other_files_by_their_names() {
        for path in [
            ".env",
            "deploy/.env.production",
            ".ENV",
            "prod.env",
            "keys/server.pem",
            "id_rsa",
            ".ssh/known_hosts",
            ".git/config",
            "a/Credentials.json",
            ".npmrc",
            "id_rsa.bak",
            "id_ed25519_work",
            ".env~",
            ".env.bak",
            "terraform.tfstate",
            "terraform.tfstate.backup",
            "AuthKey_1.p8",
            "secring.gpg",
            "service-account-prod.json",
            "client_secret_12.apps.json",
            ".my.cnf",
        ] {
            assert!(holds_credentials(path), "{path}");
        }
        for path in [
            ".env.example",
            "env.md",
            "keys.md",
            ".key",
            "environment",
            "id_rsa.pub",
            "docs/credentials.md",
            "git/config",
            "monkey",
            ".gitignore",
            "service-accounts.md",
            "service-accounts.json",
            "client_secret.example.json",
            "client_secrets_guide.md",
            "id_ed25519_work.pub",
            "id_rsa.md",
            "map8",
            "notes.bak",
        ] {
            assert!(!holds_credentials(path), "{path}");
        }
    }
}
