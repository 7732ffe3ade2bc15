//! The files that a source includes, found as a preprocessor would find them.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// All files that `source` includes, directly or through others, with their content. Conditions are not
/// evaluated, so files may be listed that a compiler would skip; names that are in none of the
/// directories are left out, since they are the compiler's own. `None` if an include is no literal name.
pub(super) fn files(source: &str, directories: &[PathBuf]) -> Option<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut open: VecDeque<PathBuf> = VecDeque::new();
    visit(source, None, directories, &mut open)?;
    while let Some(path) = open.pop_front() {
        if found.contains_key(&path) {
            continue;
        }
        let Ok(text) = fs::read(&path) else { continue };
        visit(&String::from_utf8_lossy(&text), path.parent(), directories, &mut open)?;
        found.insert(path, text);
    }
    Some(found)
}

/// Puts the files that `text` includes into `open`. `beside` is the directory of the file it is from.
fn visit(
    text: &str,
    beside: Option<&Path>,
    directories: &[PathBuf],
    open: &mut VecDeque<PathBuf>,
) -> Option<()> {
    for line in text.lines() {
        let Some(directive) = line.trim_start().strip_prefix('#') else { continue };
        let Some(name) = directive.trim_start().strip_prefix("include") else { continue };
        let name = name.trim_start();
        let (close, local) = match name.chars().next() {
            Some('"') => ('"', true),
            Some('<') => ('>', false),
            _ => return None,
        };
        let name = &name[1..name[1..].find(close)? + 1];
        // A quoted name is looked for beside the including file first; a program's own text has no
        // place, and compilers take the working directory.
        let first = local.then(|| beside.unwrap_or(Path::new(".")).to_owned());
        let all = first.iter().chain(directories);
        open.extend(all.map(|directory| directory.join(name)).find(|path| path.is_file()));
    }
    Some(())
}
