//! How far a run is, on a terminal, once it takes longer than a second.

use agentry_check::walk::Progress;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How long a run may take before anything is said.
const SILENT: Duration = Duration::from_secs(1);
/// How long a line stands before it is written again.
const STEP: Duration = Duration::from_millis(100);

/// Does some work, and shows on a terminal how far it is. The line is gone when the work is done.
pub(crate) fn shown<T>(work: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::default();
    if !io::stderr().is_terminal() {
        return work(&progress);
    }
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let progress = &progress;
        scope.spawn(move || show(progress, &is_done, SILENT, &mut io::stderr()));
        let result = work(progress);
        drop(done);
        result
    })
}

/// Writes the line until the other end of the channel is gone. Whether a terminal takes it is no concern of the run.
fn show(progress: &Progress, is_done: &mpsc::Receiver<()>, silent: Duration, out: &mut impl Write) {
    let mut wait = silent;
    let mut written = false;
    while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(wait) {
        let _ = write!(out, "\r\x1b[K{}", line(progress));
        let _ = out.flush();
        written = true;
        wait = STEP;
    }
    if written {
        let _ = write!(out, "\r\x1b[K");
        let _ = out.flush();
    }
}

fn line(progress: &Progress) -> String {
    match (progress.done.load(Ordering::Relaxed), progress.total.load(Ordering::Relaxed)) {
        (_, 0) => "looking for manifests …".to_owned(),
        (done, total) => format!("checked {done} of {total} files …"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_the_run_is_and_is_gone_at_the_end() {
        let progress = Progress::default();
        let mut out = Vec::new();
        let (done, is_done) = mpsc::channel();
        drop(done);
        show(&progress, &is_done, SILENT, &mut out);
        assert!(out.is_empty(), "a short run says nothing");
        let (done, is_done) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let progress = &progress;
            let shown = scope.spawn(move || {
                let mut out = Vec::new();
                show(progress, &is_done, Duration::ZERO, &mut out);
                String::from_utf8(out).expect("text")
            });
            thread::sleep(STEP);
            progress.total.store(7, Ordering::Relaxed);
            progress.done.store(3, Ordering::Relaxed);
            thread::sleep(STEP * 5);
            drop(done);
            let said = shown.join().expect("it ends");
            assert!(said.starts_with("\r\x1b[Klooking for manifests …"), "{said:?}");
            assert!(said.contains("\r\x1b[Kchecked 3 of 7 files …"), "{said:?}");
            assert!(said.ends_with("\r\x1b[K"), "{said:?}");
        });
    }
}
