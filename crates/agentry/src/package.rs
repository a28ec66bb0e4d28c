//! Agent packages.

mod glob;
mod path;

pub use glob::{Matcher, Progress};
pub use path::{Destination, PackageFolder, PackageGlob, PackagePath, is_device};
