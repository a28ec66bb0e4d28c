//! `agentry check --fix` and `--diff`.

use crate::{FAILED, FOUND};
use agentry_check::fix::{self, Note, Which};
use agentry_check::policy::Policy;
use agentry_check::report::{one_line, shown_path};
use agentry_check::walk::{Outcome, PathError};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Which fixes are applied.
pub(crate) const fn which(likely: bool) -> Which {
    if likely { Which::All } else { Which::Safe }
}

/// Shows what would be mended. Status 1 where that is something.
pub(crate) fn diff(outcome: &Outcome, which: Which, policy: &mut Policy) -> io::Result<u8> {
    let mut out = BufWriter::new(anstream::stdout().lock());
    for error in &outcome.errors {
        anstream::eprintln!("agentry: {}: {}", shown_path(&error.path), one_line(&error.message));
    }
    let mut changes = false;
    for report in &outcome.files {
        let Some(mended) = fix::mend_report(report, which, policy) else { continue };
        refused(&report.path, &mended.refused);
        if !mended.applied.is_empty() {
            changes = true;
            fix::write_diff(report, &mended, &mut out)?;
        }
    }
    out.flush()?;
    Ok(match (outcome.errors.is_empty(), changes) {
        (false, _) => FAILED,
        (true, true) => FOUND,
        (true, false) => 0,
    })
}

/// Mends the files of a run, and says what was mended. Gives the files that could not be written.
pub(crate) fn files(outcome: &Outcome, which: Which, policy: &mut Policy) -> Vec<PathError> {
    let mut failed = Vec::new();
    let (mut fixes, mut written) = (0, 0);
    for report in &outcome.files {
        let Some(mended) = fix::mend_report(report, which, policy) else { continue };
        refused(&report.path, &mended.refused);
        if mended.applied.is_empty() {
            continue;
        }
        if let Err(error) = fix::write(&report.path, &report.text, &mended.text) {
            failed.push(PathError { path: report.path.clone(), message: format!("not mended: {error}") });
            continue;
        }
        fixes += mended.applied.len();
        written += 1;
        for note in &mended.applied {
            say(&report.path, note, "mended");
        }
    }
    let plural = |count| if count == 1 { "" } else { "s" };
    anstream::eprintln!(
        "{fixes} fix{} applied in {written} file{}",
        if fixes == 1 { "" } else { "es" },
        plural(written)
    );
    failed
}

fn refused(path: &Path, notes: &[Note]) {
    for note in notes {
        say(path, note, "not mended, since the document would then be wrong or say something else");
    }
}

/// What became of a fix, on the other stream, so that a report stays a report.
fn say(path: &Path, note: &Note, what: &str) {
    let Note { rule, line, title } = note;
    anstream::eprintln!("{}:{line}: {what}: {} [{rule}]", shown_path(path), one_line(title));
}
