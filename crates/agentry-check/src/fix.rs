//! Applying fixes: on the text, proved on the value, judged again before anything is written.
//!
//! Fixes come with the findings of a text. Those that may be applied and do not overlap are applied together; the result is
//! read and judged like any other text, and is kept only if its value is what the fixes say, nothing else changed, and no
//! error is there that was not there before. What makes that untrue is left out. The same again with the result, until
//! nothing is left to mend.

use crate::beside;
use crate::check::{Checked, Checker, Input};
use crate::policy::Policy;
use crate::walk::{FileReport, format_of};
use agentry_text::{Edit, Effect, Finding, Fix, Lines, Safety, Severity, Value, mask_in_place};
use similar::{Algorithm, ChangeTag, TextDiff};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How often a text is mended and judged again at most. What is under a moved table or a broken line shows in the next
/// round, and little is under that.
const MAX_ROUNDS: usize = 10;

/// How many sets of fixes are tried for one text at most, where some of them do not hold.
const MAX_TRIES: usize = 100;

/// How many lines around a change a diff shows.
const CONTEXT: usize = 3;

/// A fix that was applied, or could not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The name of the rule whose finding it mends.
    pub rule: &'static str,
    /// The line of the finding, from 1, in the text as it was when the fix was tried.
    pub line: usize,
    /// What the fix does.
    pub title: String,
}

/// What became of a text.
pub struct Mended {
    /// The text, with every fix that holds.
    pub text: String,
    /// The ranges of it that are secret.
    secrets: Vec<Range<usize>>,
    /// The fixes that were applied.
    pub applied: Vec<Note>,
    /// The fixes that were not, since the document would then have an error that it has not, or say something else.
    pub refused: Vec<Note>,
}

/// How long a secret is at least that is looked for in another text: a short one may be a part of any word.
const MIN_MOVED: usize = 6;

/// Shows nothing of the text, which may hold secrets.
impl std::fmt::Debug for Mended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mended")
            .field("applied", &self.applied)
            .field("refused", &self.refused)
            .finish_non_exhaustive()
    }
}

/// Which fixes are applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    /// Those that can only mean one thing.
    #[default]
    Safe,
    /// All of them.
    All,
}

impl Which {
    fn takes(self, fix: &Fix) -> bool {
        self == Self::All || fix.safety == Safety::Safe
    }
}

/// Mends a text. `judge` says what is found in a text; only the fixes of these findings are applied.
pub fn mend(text: &str, which: Which, judge: &mut dyn FnMut(&str) -> Checked) -> Mended {
    let mut text = text.to_owned();
    let mut now = judge(&text);
    let (mut applied, mut refused): (Vec<Note>, Vec<Note>) = (Vec::new(), Vec::new());
    let mut tries = 0;
    for _ in 0..MAX_ROUNDS {
        let is_refused = |finding: &Finding, fix: &Fix| {
            refused.iter().any(|note| note.rule == finding.rule.name && note.title == fix.title)
        };
        let mut chosen: Vec<(&Finding, &Fix)> = now
            .findings
            .iter()
            .filter_map(|finding| Some((finding, finding.fix.as_ref()?)))
            .filter(|(finding, fix)| which.takes(fix) && !is_refused(finding, fix))
            .collect();
        apart(&mut chosen);
        let mut good = None;
        let mut out = Vec::new();
        while !chosen.is_empty() && tries < MAX_TRIES {
            tries += 1;
            if let Some((new, checked)) = attempt(&text, &now, &chosen, judge) {
                good = Some((
                    new,
                    checked,
                    chosen.iter().map(|chosen| note(&text, *chosen)).collect::<Vec<_>>(),
                ));
                break;
            }
            match chosen.len() {
                1 => {
                    out.push(note(&text, chosen[0]));
                    break;
                }
                // The first half is tried alone; the rest has its turn in the next round.
                several => chosen.truncate(several / 2),
            }
        }
        let refusals = !out.is_empty();
        refused.append(&mut out);
        if let Some((new, checked, notes)) = good {
            text = new;
            now = checked;
            applied.extend(notes);
        } else if !refusals {
            break;
        }
    }
    let secrets = now.secrets.iter().map(|span| span.start..span.end).collect();
    Mended { text, secrets, applied, refused }
}

fn note(text: &str, (finding, fix): (&Finding, &Fix)) -> Note {
    Note {
        rule: finding.rule.name,
        line: Lines::new(text).position(finding.span.start).line,
        title: fix.title.clone(),
    }
}

/// Keeps fixes that do not overlap, the first of them in the order of the text. What is put in at one place keeps the order
/// of the findings.
fn apart(chosen: &mut Vec<(&Finding, &Fix)>) {
    let mut taken: Vec<&Edit> = Vec::new();
    chosen.retain(|(_, fix)| {
        let free = fix.edits.iter().all(|edit| taken.iter().all(|other| !overlap(edit, other)));
        if free {
            taken.extend(&fix.edits);
        }
        free
    });
}

/// Whether two edits touch the same bytes. Two that put something in at one place do not.
fn overlap(one: &Edit, other: &Edit) -> bool {
    let (one, other) = (one.span, other.span);
    one.start < other.end && other.start < one.end
}

/// The text with some fixes and what is found in it, if the fixes hold.
fn attempt(
    text: &str,
    before: &Checked,
    chosen: &[(&Finding, &Fix)],
    judge: &mut dyn FnMut(&str) -> Checked,
) -> Option<(String, Checked)> {
    let mut expected = Value::from(before.root.as_ref()?);
    let mut effects: Vec<&Effect> = chosen.iter().map(|(_, fix)| &fix.effect).collect();
    effects.sort_by_key(|effect| effect.rank());
    if !effects.into_iter().all(|effect| effect.apply(&mut expected)) {
        return None;
    }
    let new = edited(text, chosen.iter().flat_map(|(_, fix)| &fix.edits))?;
    let after = judge(&new);
    let same = after.root.as_ref().is_some_and(|root| Value::from(root) == expected);
    let sound = !after.damaged || before.damaged;
    (same && sound && new != text && no_worse(before, &after)).then_some((new, after))
}

/// Whether a text has no error that it had not. Where lines were broken, what they hide could not be said before, and is no
/// new error when it is.
fn no_worse(before: &Checked, after: &Checked) -> bool {
    if before.damaged {
        return true;
    }
    let errors = |checked: &Checked| {
        let mut counts: BTreeMap<(&'static str, Option<String>), usize> = BTreeMap::new();
        for finding in checked.findings.iter().filter(|finding| finding.severity == Severity::Error) {
            *counts.entry((finding.rule.name, finding.key.clone())).or_default() += 1;
        }
        counts
    };
    let old = errors(before);
    errors(after).iter().all(|(error, count)| old.get(error).is_some_and(|old| count <= old))
}

/// The text with some edits; None where they are not of this text.
fn edited<'e>(text: &str, edits: impl Iterator<Item = &'e Edit>) -> Option<String> {
    let mut edits: Vec<&Edit> = edits.collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut new = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in edits {
        new.push_str(text.get(at..edit.span.start)?);
        new.push_str(&edit.replacement);
        at = edit.span.end;
    }
    new.push_str(text.get(at..)?);
    Some(new)
}

/// Mends a file of a run, as far as nothing turned its findings off. None where there is nothing to mend.
pub fn mend_report(report: &FileReport, which: Which, policy: &mut Policy) -> Option<Mended> {
    let wanted = |finding: &Finding| finding.fix.as_ref().is_some_and(|fix| which.takes(fix));
    if report.standing.own || !report.checked.findings.iter().any(wanted) {
        return None;
    }
    let kind = report.checked.kind;
    let absolute = std::path::absolute(&report.path).unwrap_or_else(|_| report.path.clone());
    let mut judge = |text: &str| {
        let format = format_of(&report.path, kind);
        let mut checked =
            Checker::default().check(&Input { path: Some(&absolute), kind, contract: None, format, text });
        // A key that is read by its right name may name a file that is not there.
        if let Some(root) = checked.root.take() {
            beside::check(&mut checked, &root, &absolute);
            checked.root = Some(root);
        }
        let all = checked.findings.clone();
        let mut judged = FileReport::new(report.path.clone(), text.to_owned(), checked);
        policy.apply_to_one(&mut judged);
        let shown = judged.checked.findings;
        // Errors count whatever is shown of them; fixes are those of what is shown.
        let findings = all
            .into_iter()
            .map(|finding| {
                let kept = shown.iter().any(|other| other.rule == finding.rule && other.span == finding.span);
                if kept { finding } else { Finding { fix: None, ..finding } }
            })
            .collect();
        Checked { findings, ..judged.checked }
    };
    let mended = mend(&report.text, which, &mut judge);
    (!mended.applied.is_empty() || !mended.refused.is_empty()).then_some(mended)
}

/// Writes what was mended in place of a file: into a new file beside it, which then takes its name, so that nobody ever sees
/// half of it. Its permissions stay. A link is resolved, and the file that it leads to is written. A file that is not what
/// was judged any more, or that may not be written, is left alone.
pub fn write(path: &Path, judged: &str, mended: &str) -> io::Result<()> {
    let target = fs::canonicalize(path)?;
    let metadata = fs::metadata(&target)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    if metadata.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it may not be written"));
    }
    if fs::read(&target)? != judged.as_bytes() {
        return Err(io::Error::other("it changed while it was judged, and is left as it is"));
    }
    let (temporary, mut file) = beside(&target)?;
    let written = file
        .write_all(mended.as_bytes())
        .and_then(|()| file.set_permissions(metadata.permissions()))
        .and_then(|()| file.sync_all());
    drop(file);
    let unchanged = |()| match fs::read(&target) {
        Ok(bytes) if bytes == judged.as_bytes() => Ok(()),
        Ok(_) => Err(io::Error::other("it changed while it was mended, and is left as it is")),
        Err(error) => Err(error),
    };
    let renamed = written.and_then(unchanged).and_then(|()| fs::rename(&temporary, &target));
    if renamed.is_err() {
        // What went wrong is worth more than what is left of it.
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

/// A new file in the folder of another.
fn beside(target: &Path) -> io::Result<(PathBuf, fs::File)> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let mut number = 0;
    loop {
        let path = target.with_file_name(format!(".{name}.{}-{number}.mended", std::process::id()));
        match fs::OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 100 => number += 1,
            opened => return Ok((path, opened?)),
        }
    }
}

/// Prints the difference as a unified diff. Lines are masked as in every report: where they hold a secret, the diff shows
/// where something changes, and cannot be applied.
pub fn write_diff(report: &FileReport, mended: &Mended, out: &mut impl Write) -> io::Result<()> {
    let secrets = report.checked.secrets.iter().map(|span| span.start..span.end);
    let old = mask_in_place(&report.text, secrets);
    // What was a secret where it stood is one where a fix puts it.
    let moved = report.checked.secrets.iter().filter_map(|span| report.text.get(span.start..span.end));
    let moved = moved
        .map(|secret| secret.trim_matches(['"', '\'']))
        .filter(|secret| secret.len() >= MIN_MOVED)
        .flat_map(|secret| mended.text.match_indices(secret).map(|(at, found)| at..at + found.len()));
    let new = mask_in_place(&mended.text, mended.secrets.iter().cloned().chain(moved));
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let path = crate::report::shown_path(&report.path);
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).diff_lines(&report.text, &mended.text);
    writeln!(out, "--- {path}")?;
    writeln!(out, "+++ {path}")?;
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        writeln!(out, "{}", hunk.header())?;
        for change in hunk.iter_changes() {
            let (sign, line) = match change.tag() {
                ChangeTag::Equal => (' ', change.new_index().and_then(|index| new.get(index))),
                ChangeTag::Delete => ('-', change.old_index().and_then(|index| old.get(index))),
                ChangeTag::Insert => ('+', change.new_index().and_then(|index| new.get(index))),
            };
            let line = line.copied().unwrap_or_default();
            write!(out, "{sign}{line}")?;
            if !line.ends_with('\n') {
                writeln!(out, "\n\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}

/// Whether reports may repeat the edits of a fix: not where they hold something secret, for a masked edit is a wrong one.
pub(crate) fn may_be_shown(fix: &Fix, text: &str, masked: &str) -> bool {
    fix.edits.iter().all(|edit| {
        let range = edit.span.start..edit.span.end;
        text.get(range.clone()) == masked.get(range)
            && mask_in_place(&edit.replacement, []) == edit.replacement
    })
}

/// A text as reports show it.
pub(crate) fn masked(checked: &Checked, text: &str) -> String {
    mask_in_place(text, checked.secrets.iter().map(|span| span.start..span.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agentry::Kind;
    use agentry_text::Format;

    fn judged(kind: Kind, format: Format) -> impl FnMut(&str) -> Checked {
        move |text| {
            Checker::default().check(&Input { path: None, kind: Some(kind), contract: None, format, text })
        }
    }

    /// The text after fixes of a sort, and what was left out.
    fn mended(kind: Kind, format: Format, text: &str, which: Which) -> (String, Vec<&'static str>) {
        let mended = mend(text, which, &mut judged(kind, format));
        let again = mend(&mended.text, which, &mut judged(kind, format));
        assert_eq!(again.text, mended.text, "once is enough");
        (mended.text, mended.refused.iter().map(|note| note.rule).collect())
    }

    const HEAD: &str =
        "id = \"tides\"\nname = \"Tide Tables\"\ndescription = \"Tides\"\ncategory = \"data\"\n";

    /// An integration before and after.
    fn integration(lines: &str, which: Which) -> String {
        let text = format!("{HEAD}{lines}");
        let (new, _) = mended(Kind::Integration, Format::Toml, &text, which);
        new.strip_prefix(HEAD).unwrap_or(&new).to_owned()
    }

    #[test]
    fn what_is_certain_is_mended_and_what_is_likely_is_offered() {
        let table = [
            (
                "[transport]\ntype = \"stdio\"\ncommand = \"x\"\n\n# how\nsetup_instructions = \"y\"\n",
                "# how\nsetup_instructions = \"y\"\n\n[transport]\ntype = \"stdio\"\ncommand = \"x\"\n",
                "",
            ),
            ("[transport]\ncommand = \"x\"\n", "[transport]\ntype = \"stdio\"\ncommand = \"x\"\n", ""),
            // An address does not say which of two ways leads there.
            ("[transport]\nurl = \"https://a.example\"\n", "", ""),
            (
                "[transport]\ntype = \"STDIO\"\ncommand = \"x\"\n",
                "[transport]\ntype = \"stdio\"\ncommand = \"x\"\n",
                "",
            ),
            (
                "[transport]\ntype = \"stdoi\"\ncommand = \"x\"\n",
                "",
                "[transport]\ntype = \"stdio\"\ncommand = \"x\"\n",
            ),
            (
                "[transport]\ntype = \"stdio\"\ncommand = \"C:\\Users\\x.exe\"\n",
                "[transport]\ntype = \"stdio\"\ncommand = \"C:\\\\Users\\\\x.exe\"\n",
                "",
            ),
            (
                "Setup-Instructions = \"y\"\n[transport]\ntype = \"stdio\"\ncommand = \"x\"\n",
                "setup_instructions = \"y\"\n[transport]\ntype = \"stdio\"\ncommand = \"x\"\n",
                "",
            ),
            (
                "setup_instruction = \"y\"\n[transport]\ntype = \"stdio\"\ncommand = \"x\"\n",
                "",
                "setup_instructions = \"y\"\n[transport]\ntype = \"stdio\"\ncommand = \"x\"\n",
            ),
            (
                "[transport]\ntype = \"stdio\"\ncommand = \"x\"\n[health_check]\ninterval_secs = 60.0\nunhealthy_threshold = \"3\"\n",
                "[transport]\ntype = \"stdio\"\ncommand = \"x\"\n[health_check]\ninterval_secs = 60\nunhealthy_threshold = 3\n",
                "",
            ),
            (
                "[transport]\ntype = \"stdio\"\ncommand = \"x\"\n[[required_env]]\nname = \" A_KEY\"\nlabel = \"A\"\nis_secret = \"yes\"\n",
                "[transport]\ntype = \"stdio\"\ncommand = \"x\"\n[[required_env]]\nname = \"A_KEY\"\nlabel = \"A\"\nis_secret = \"yes\"\n",
                "[transport]\ntype = \"stdio\"\ncommand = \"x\"\n[[required_env]]\nname = \"A_KEY\"\nlabel = \"A\"\nis_secret = true\n",
            ),
        ];
        for (text, safe, all) in table {
            let safe = if safe.is_empty() { text } else { safe };
            assert_eq!(integration(text, Which::Safe), safe, "{text}");
            let all = if all.is_empty() { safe } else { all };
            assert_eq!(integration(text, Which::All), all, "{text}");
        }
    }

    #[test]
    fn older_names_become_newer_ones_unless_both_are_there() {
        for (text, expected) in [
            ("name: a\nsystem_prompt: x # y\n", "name: a\ninstructions: x # y\n"),
            ("name: a\ninstructions: x\nsystem_prompt: z\n", "name: a\ninstructions: x\nsystem_prompt: z\n"),
        ] {
            assert_eq!(mended(Kind::Package, Format::Yaml, text, Which::Safe).0, expected);
        }
    }

    #[test]
    fn a_fix_that_would_break_something_is_left_out_and_the_others_are_not() {
        let text = format!(
            "{HEAD}[transport]\ntype = \"STDIO\"\ncommand = \"x\"\n[health_check]\nunhealthy_threshold = 3.0\nsetup_instructions = 3\n"
        );
        let (new, refused) = mended(Kind::Integration, Format::Toml, &text, Which::Safe);
        assert_eq!(new, text.replace("STDIO", "stdio").replace("3.0", "3"));
        assert_eq!(refused, ["misplaced-key"], "a number would be no instructions");
    }

    fn report(folder: &Path, text: &str) -> FileReport {
        let path = folder.join("mcp/tides.toml");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let mut outcome = crate::walk::run(&[path], None);
        outcome.files.remove(0)
    }

    const SWALLOWED: &str = "[transport]\ntype = \"stdio\"\ncommand = \"x\"\nsetup_instructions = \"y\"\n";

    #[test]
    fn a_file_is_replaced_whole_and_only_if_nobody_else_changed_it() {
        let folder = tempfile::tempdir().unwrap();
        let report = report(folder.path(), &format!("{HEAD}{SWALLOWED}"));
        let new = mend_report(&report, Which::Safe, &mut Policy::default()).unwrap().text;
        fs::write(&report.path, "else").unwrap();
        assert!(write(&report.path, &report.text, &new).unwrap_err().to_string().contains("it changed"));
        assert_eq!(fs::read_to_string(&report.path).unwrap(), "else");
        fs::write(&report.path, &report.text).unwrap();
        write(&report.path, &report.text, &new).unwrap();
        assert_eq!(fs::read_to_string(&report.path).unwrap(), new);
        let mut permissions = fs::metadata(&report.path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&report.path, permissions).unwrap();
        assert_eq!(write(&report.path, &new, "x").unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(
            fs::read_dir(report.path.parent().unwrap()).unwrap().count(),
            1,
            "nothing is left beside it"
        );
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_a_link_stays_a_link() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let report = report(folder.path(), "a");
        fs::set_permissions(&report.path, fs::Permissions::from_mode(0o640)).unwrap();
        let link = folder.path().join("link.toml");
        symlink(&report.path, &link).unwrap();
        write(&link, "a", "b").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&report.path).unwrap(), "b");
        assert_eq!(fs::metadata(&report.path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn what_is_turned_off_or_allowed_is_not_mended() {
        let folder = tempfile::tempdir().unwrap();
        let mended = |report: &FileReport, policy: &mut Policy| {
            mend_report(report, Which::Safe, policy).map(|mended| mended.text)
        };
        let text = format!(
            "{HEAD}[transport]\ntype = \"stdio\"\ncommand = \"x\"\n[health_check]\ninterval_secs = 60.0\n\nsetup_instructions = \"y\"\n"
        );
        let whole = report(folder.path(), &text);
        let mut policy =
            Policy::default().level(&agentry_text::rules::MISPLACED_KEY, crate::settings::Level::Off);
        assert_eq!(mended(&whole, &mut policy), Some(text.replace("60.0", "60")));
        let allowed = text.replace("60.0", "60.0 # agentry: allow(whole-number): the runtime wants it");
        let moved = mended(&report(folder.path(), &allowed), &mut Policy::default()).unwrap();
        assert!(moved.contains("60.0 #") && moved.starts_with(&format!("{HEAD}setup")), "{moved}");
    }

    #[test]
    fn a_secret_is_shown_by_no_diff_and_written_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let secret = "sk-abcdefghijklmnop1234567890";
        let text = format!("{HEAD}{}", SWALLOWED.replace("\"y\"", &format!("\"say {secret}\"")));
        let report = report(folder.path(), &text);
        let mended = mend_report(&report, Which::Safe, &mut Policy::default()).unwrap();
        assert!(mended.text.contains(secret));
        let mut out = Vec::new();
        write_diff(&report, &mended, &mut out).unwrap();
        let diff = String::from_utf8(out).unwrap();
        assert!(diff.contains("+setup_instructions = \"say ****") && !diff.contains(secret), "{diff}");
        assert!(!format!("{mended:?} {:?}", report.checked.findings).contains(secret));
        let json =
            serde_json::to_string(&crate::report::json::Diagnostic::all(&report.checked, &report.text))
                .unwrap();
        assert!(json.contains("\"title\":\"move `setup_instructions`") && !json.contains(secret), "{json}");
        assert!(!json.contains("\"edits\""), "an edit that is masked would be a wrong one");
        let outcome = crate::walk::Outcome { files: vec![report], ..crate::walk::Outcome::default() };
        let mut out = Vec::new();
        crate::report::sarif::write(&outcome, folder.path(), &mut out).unwrap();
        assert!(!String::from_utf8(out).unwrap().contains(secret));
    }

    #[test]
    fn a_diff_is_what_patch_reads() {
        let folder = tempfile::tempdir().unwrap();
        let report = report(folder.path(), &format!("{HEAD}{SWALLOWED}").replace('\n', "\r\n"));
        let mended = mend_report(&report, Which::Safe, &mut Policy::default()).unwrap();
        let mut out = Vec::new();
        write_diff(&report, &mended, &mut out).unwrap();
        let diff = String::from_utf8(out).unwrap();
        let (_, body) = diff.split_once("@@").unwrap();
        assert_eq!(
            body,
            " -2,7 +2,7 @@\n name = \"Tide Tables\"\r\n description = \"Tides\"\r\n category = \"data\"\r\n\
             +setup_instructions = \"y\"\r\n [transport]\r\n type = \"stdio\"\r\n command = \"x\"\r\n\
             -setup_instructions = \"y\"\r\n"
        );
    }
}
