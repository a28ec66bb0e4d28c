
/// Whether this mutant is the one that is switched on. Without one, the file that is named takes down which were met.
#[allow(warnings)]
pub(crate) fn mutant_is_on(number: usize) -> bool {
    use std::io::Write as _;
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    static ON: LazyLock<usize> =
        LazyLock::new(|| std::env::var("AGENTRY_MUTANT").ok().and_then(|on| on.parse().ok()).unwrap_or(0));
    static MET_FILE: LazyLock<Option<std::ffi::OsString>> =
        LazyLock::new(|| std::env::var_os("AGENTRY_MUTANTS_MET"));
    static MET: LazyLock<Vec<AtomicBool>> = LazyLock::new(|| (0..100_000).map(|_| false.into()).collect());
    if let Some(path) = &*MET_FILE
        && !MET[number].load(Ordering::Relaxed)
        && !MET[number].swap(true, Ordering::Relaxed)
    {
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        file.and_then(|mut file| file.write_all(format!("{number}\n").as_bytes())).expect("what is met is taken down");
    }
    *ON == number
}
