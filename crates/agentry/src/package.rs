//! Agent packages.

mod path;

pub use path::{Destination, PackageFolder, PackageGlob, PackagePath, is_device};
