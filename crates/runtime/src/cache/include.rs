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

/// Puts the files that `text` includes into `open`. `beside` is the directory of the file it is from. `None` if
/// the text includes something in a way that is not followed here.
fn visit(
    text: &str,
    beside: Option<&Path>,
    directories: &[PathBuf],
    open: &mut VecDeque<PathBuf>,
) -> Option<()> {
    // The translation phases of C: digraphs and trigraphs of `#`, spliced lines, comments.
    let text = text.replace("\\\r\n", "").replace("\\\n", "").replace("%:", "#").replace("??=", "#");
    for line in without_comments(&text).lines() {
        let Some(directive) = line.trim_start().strip_prefix('#') else { continue };
        let directive = directive.trim_start();
        let end = directive.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(directive.len());
        let (word, rest) = directive.split_at(end);
        match word {
            "include" => {}
            // What is there decides, not only what it holds.
            "include_next" | "import" | "embed" => return None,
            _ if rest.contains("__has_include") || rest.contains("__has_embed") => return None,
            _ => continue,
        }
        let name = rest.trim_start();
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

/// The text with each comment replaced by a space; what stands in quotes is no comment.
fn without_comments(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        result.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            result.push(' ');
            rest = rest[2..].split_once("*/").map_or("", |(_, after)| after);
        } else if rest.starts_with('/') {
            result.push('/');
            rest = &rest[1..];
        } else {
            let length = quoted_length(rest);
            result.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    result.push_str(rest);
    result
}

/// The length of the literal in quotes at the start of a text; it ends with its line at the latest.
fn quoted_length(text: &str) -> usize {
    let mut characters = text.char_indices();
    let Some((_, quote)) = characters.next() else { return 0 };
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => {
                characters.next();
            }
            '\n' => return at,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Option<Vec<String>> {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("in.h"), "").unwrap();
        let files = files(source, &[dir.path().to_owned()])?;
        Some(files.keys().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect())
    }

    #[test]
    fn includes_are_found_however_they_are_written() {
        for source in [
            "#include \"in.h\"",
            "  #  include <in.h> // why",
            "/* c */ #include \"in.h\"",
            "#/**/include \"in.h\"",
            "#inc\\\nlude \"in.h\"",
            "%:include \"in.h\"",
            "/* a\nb */#include \"in.h\"",
            "char *s = \"/*\";\n#include \"in.h\"",
        ] {
            assert_eq!(found(source), Some(vec!["in.h".to_owned()]), "{source}");
        }
    }

    #[test]
    fn what_is_no_include_is_none() {
        for source in
            ["// #include \"in.h\"", "/* #include \"in.h\" */", "#define include in.h", "#include \"gone.h\""]
        {
            assert_eq!(found(source), Some(Vec::new()), "{source}");
        }
    }

    #[test]
    fn what_cannot_be_followed_has_no_answer() {
        for source in [
            "#include NAME",
            "#import \"in.h\"",
            "#if __has_include(\"x.h\")\n#endif",
            "#include_next <in.h>",
        ] {
            assert_eq!(found(source), None, "{source}");
        }
    }
}
