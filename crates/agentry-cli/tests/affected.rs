//! `agentry affected`, from outside.

mod support;

use support::{PROVIDER, agentry, registry, text};

const MODEL: &str = "\n[[models]]\nid = \"m\"\ndisplay_name = \"M\"\ntier = \"smart\"\nmodality = \"image\"\n\
                     input_cost_per_m = 1.0\noutput_cost_per_m = 1.0\n";

#[test]
fn files_that_stop_being_valid_are_told_with_their_place() {
    let old = text(&agentry(&["schema", "provider"], std::path::Path::new(".")).stdout);
    let without_smart = old.replace("\"const\": \"smart\"", "\"const\": \"clever\"");
    assert_ne!(old, without_smart);
    let with_model = format!("{PROVIDER}{MODEL}");
    let secret = PROVIDER.replace("https://api.acme.example/v1", "sk-live-0123456789abcdef0123456789abcdef");
    let folder = registry(&[
        ("old.json", old.as_bytes()),
        ("new.json", without_smart.as_bytes()),
        ("providers/acme.toml", PROVIDER.as_bytes()),
        ("providers/model.toml", with_model.as_bytes()),
        ("providers/secret.toml", secret.as_bytes()),
        ("agents/other/agent.toml", b"name = \"other\"\n"),
        ("data.json", b"{\"tier\": 1}"),
        ("any.json", b"{}"),
        ("numbers.json", b"{\"properties\": {\"tier\": {\"type\": \"string\"}}}"),
    ]);
    for (arguments, status, says) in [
        (
            &["affected", "old.json", "providers", "--new", "new.json"][..],
            1,
            &[
                "providers/model.toml: stops being valid\n  providers/model.toml:11:8  /models/0/tier  ",
                "3 files: 1 stops being valid, 0 becomes valid, 1 stays valid, 1 stays invalid.\n",
            ][..],
        ),
        // The other way round, and the kind of a folder from the address of the schema.
        (
            &["affected", "new.json", "."],
            0,
            &["providers/model.toml: becomes valid\n", "1 becomes valid, 1 stays valid, 1 stays invalid.\n"],
        ),
        // Nothing changed.
        (&["affected", "old.json", "providers"], 0, &["2 stays valid"]),
        // Schemas and files of others.
        (
            &["affected", "any.json", "data.json", "--new", "numbers.json"],
            1,
            &["  data.json:1:10  /tier  ", "1 file: 1 stops being valid"],
        ),
        (
            &["affected", "old.json", "providers", "--new", "new.json", "--format", "json"],
            1,
            &["\"line\": 11"],
        ),
        (&["affected", "any.json", "data.json"], 2, &[]),
        (&["affected", "any.json", "providers", "--new", "any.json"], 2, &[]),
        (&["affected", "old.json", "gone.toml"], 2, &[]),
        (&["affected", "providers/acme.toml", "providers"], 2, &[]),
    ] {
        let output = agentry(arguments, folder.path());
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {output:?}");
        for wanted in says {
            assert!(said.replace("./", "").contains(wanted), "{arguments:?}: no `{wanted}` in:\n{said}");
        }
        assert!(!said.contains("sk-live") && !text(&output.stderr).contains("sk-live"), "{said}");
    }
}
