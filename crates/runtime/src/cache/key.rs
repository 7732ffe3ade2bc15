//! What identifies a built program.

use std::path::PathBuf;

use super::include;
use crate::{BuildOptions, split_options};

/// The hash of everything that the binaries depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(blake3::Hash);

impl Key {
    /// In hexadecimal, for file names.
    pub(super) fn to_hex(self) -> String {
        self.0.to_hex().to_string()
    }

    /// The key of this name, if it is one.
    pub(super) fn from_hex(name: &str) -> Option<Self> {
        blake3::Hash::from_hex(name).ok().map(Self)
    }
}

/// The key of a source with options for devices of this identity; `None` if it includes a file whose
/// name only the compiler can know.
pub(super) fn of(source: &str, options: &BuildOptions, identity: &str) -> Option<Key> {
    let mut hasher = blake3::Hasher::new();
    // Each part is preceded by its length, so that no two lists of parts look alike.
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(env!("CARGO_PKG_VERSION").as_bytes());
    part(identity.as_bytes());
    part(options.as_str().as_bytes());
    part(source.as_bytes());
    // Most sources have no directive at all, so their directories are not looked up.
    if source.contains('#') || source.contains("%:") || source.contains("??=") {
        for (path, text) in include::files(source, &include_directories(options)?)? {
            part(path.to_string_lossy().as_bytes());
            part(&text);
        }
    }
    Some(Key(hasher.finalize()))
}

/// The directories of `-I dir` and `-Idir`, and of the variables that compilers read; `None` for options that
/// include in other ways.
fn include_directories(options: &BuildOptions) -> Option<Vec<PathBuf>> {
    const OTHERS: [&str; 7] = ["-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "@"];
    let mut words = split_options(options.as_str()).into_iter();
    let mut directories = Vec::new();
    while let Some(word) = words.next() {
        if OTHERS.iter().any(|other| word.starts_with(other)) {
            return None;
        }
        if word == "-I" {
            directories.extend(words.next().map(PathBuf::from));
        } else if let Some(path) = word.strip_prefix("-I") {
            directories.push(PathBuf::from(path));
        }
    }
    for name in ["CPATH", "C_INCLUDE_PATH"] {
        #[allow(clippy::disallowed_methods, reason = "the cache reads what decides over a program")]
        let list = std::env::var_os(name);
        directories.extend(list.iter().flat_map(std::env::split_paths));
    }
    Some(directories)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_part_changes_the_key() {
        let options = BuildOptions::text("-DX=1");
        let key = of("kernel", &options, "device").unwrap();
        assert_eq!(of("kernel", &options, "device"), Some(key));
        assert_ne!(of("kernel ", &options, "device"), Some(key));
        assert_ne!(of("kernel", &BuildOptions::text("-DX=2"), "device"), Some(key));
        assert_ne!(of("kernel", &options, "device2"), Some(key));
    }

    #[test]
    fn a_changed_header_changes_the_key_also_a_nested_one() {
        let dir = tempfile::tempdir().unwrap();
        let spaced = dir.path().join("my headers");
        fs::create_dir(&spaced).unwrap();
        fs::write(spaced.join("outer.h"), "#include \"inner.h\"\n").unwrap();
        fs::write(spaced.join("inner.h"), "#define V 1\n").unwrap();
        let options = BuildOptions::words(&["-I".to_owned(), spaced.display().to_string()]);
        let key = || of("#include <outer.h>\n", &options, "device").unwrap();
        let first = key();
        assert_eq!(key(), first);
        fs::write(spaced.join("inner.h"), "#define V 2\n").unwrap();
        assert_ne!(key(), first);
    }

    #[test]
    fn an_include_by_macro_has_no_key() {
        assert_eq!(of("#include HEADER\n", &BuildOptions::default(), "device"), None);
    }
}
