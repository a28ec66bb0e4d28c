//! Files that usually hold credentials, by their names: the one table of them.

/// Names of files, compared without regard to case.
const FILES: [&str; 32] = [
    ".dockercfg",
    ".git-credentials",
    ".htpasswd",
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
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "service-account.json",
    "service_account.json",
];

/// Endings of names.
const ENDINGS: [&str; 11] =
    [".jks", ".kdbx", ".key", ".keystore", ".ovpn", ".p12", ".pem", ".pfx", ".ppk", ".tfstate", ".tfvars"];

/// Folders, everything in which belongs to one person or machine.
const FOLDERS: [&str; 9] =
    [".aws", ".azure", ".docker", ".gcloud", ".git", ".gnupg", ".kube", ".ssh", ".terraform"];

/// What says that a file of variables is a sample to be copied.
const SAMPLES: [&str; 5] = [".dist", ".example", ".sample", ".template", ".tpl"];

/// Whether a file of a package usually holds credentials, by its path with `/`.
pub(super) fn holds_credentials(path: &str) -> bool {
    let mut folders = path.split('/');
    let name = folders.next_back().unwrap_or(path).to_lowercase();
    if folders.any(is_credential_folder) {
        return true;
    }
    let variables = name == ".envrc" || name.starts_with(".env.") || has_ending(&name, ".env");
    variables && !SAMPLES.iter().any(|ending| name.ends_with(ending))
        || FILES.contains(&name.as_str())
        || ENDINGS.iter().any(|ending| name.len() > ending.len() && has_ending(&name, ending))
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
        ] {
            assert!(!holds_credentials(path), "{path}");
        }
    }
}
