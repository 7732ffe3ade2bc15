//! Build options: a list of words, written to the driver as one text.

use std::ffi::CString;
use std::fmt;

use crate::{Error, Result, status};

/// The options of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BuildOptions(String);

impl BuildOptions {
    /// Options as one text, as compilers take them.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Options as words. Words that hold spaces are quoted.
    #[must_use]
    pub fn words<S: AsRef<str>>(words: &[S]) -> Self {
        Self(join_options(words))
    }

    /// Adds options after those that there are: a list of words, or of texts of several words. A folder, after `-I` or in
    /// one word with it, may hold spaces; in a single text it has to be in quotes then, which some compilers would keep
    /// where they are not needed.
    pub fn add<S: AsRef<str>>(&mut self, options: &[S]) {
        let mut folder_follows = false;
        for option in options {
            let unquoted;
            let mut word = option.as_ref();
            if options.len() == 1 && word.contains("-I") && word.contains(['"', '\'']) {
                unquoted = with_bare_folders(word);
                word = &unquoted;
            }
            if folder_follows {
                self.add_word(&["", word]);
            } else if let Some(folder) = word.strip_prefix("-I")
                && !folder.is_empty()
                && !word.contains(" -")
            {
                self.add_word(&["-I", folder.trim_start()]);
            } else {
                self.add_bare(word);
            }
            folder_follows = !folder_follows && word == "-I";
        }
    }

    /// Adds those of the environment variable `PYOPENCL_BUILD_OPTIONS`.
    pub fn add_of_environment(&mut self) {
        if let Some(more) = crate::cache::variable("PYOPENCL_BUILD_OPTIONS") {
            for word in more.to_string_lossy().split_whitespace() {
                self.add_bare(word);
            }
        }
    }

    fn add_bare(&mut self, word: &str) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0.push_str(word);
    }

    /// Adds an option and its folder, which is put in quotes if that is needed.
    fn add_word(&mut self, [option, folder]: &[&str; 2]) {
        self.add_bare(option);
        push_quoted(&mut self.0, folder);
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn to_c(&self) -> Result<CString> {
        to_c(&self.0)
    }
}

impl fmt::Display for BuildOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A folder, in quotes if it holds spaces and no quotes.
fn push_quoted(text: &mut String, folder: &str) {
    let quote = if folder.contains(' ') && !folder.contains('"') { "\"" } else { "" };
    text.extend([quote, folder, quote]);
}

/// Options as one text, in which a folder has quotes only if it needs them.
fn with_bare_folders(options: &str) -> String {
    let mut text = String::with_capacity(options.len());
    let mut rest = options;
    while let Some((before, after)) = rest.split_once("-I") {
        text.extend([before, "-I"]);
        rest = after;
        let folder = after.trim_start();
        if let Some(quote) = folder.chars().next().filter(|first| matches!(first, '"' | '\''))
            && let Some((folder, after)) = folder[1..].split_once(quote)
        {
            push_quoted(&mut text, folder);
            rest = after;
        }
    }
    text.push_str(rest);
    text
}

pub(crate) fn to_c(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| {
        let detail = format!("{text:?} holds a zero byte");
        Error::refused("clBuildProgram", status::INVALID_VALUE, detail)
    })
}

/// Words as one text: those that hold white space are put in double quotes, which is what the drivers
/// understand. Words that are quoted already stay as they are.
#[must_use]
pub fn join_options<S: AsRef<str>>(words: &[S]) -> String {
    let quote = |word: &str| {
        if word.contains(char::is_whitespace) && !word.contains('"') {
            format!("\"{word}\"")
        } else {
            word.to_owned()
        }
    };
    words.iter().map(|word| quote(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// A text as words, split at white space outside of double quotes; the quotes go.
#[must_use]
pub fn split_options(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_with_spaces_are_quoted() {
        assert_eq!(join_options(&["-I", "my dir", "-DX=1"]), "-I \"my dir\" -DX=1");
        assert_eq!(split_options("-I \"my dir\"  -DX=1 "), ["-I", "my dir", "-DX=1"]);
    }

    #[test]
    fn folders_are_quoted_where_they_need_it() {
        let text = |options: &[&str]| {
            let mut all = BuildOptions::text("-w");
            all.add(options);
            all.as_str().to_owned()
        };
        assert_eq!(text(&[]), "-w");
        assert_eq!(text(&["-I", "/a b", "-DX=1"]), "-w -I \"/a b\" -DX=1");
        assert_eq!(text(&["-I", "-I", "-I/c d"]), "-w -I -I -I\"/c d\"");
        assert_eq!(text(&["-I/a b"]), "-w -I\"/a b\"");
        assert_eq!(text(&["-I /a", "x"]), "-w -I/a x");
        assert_eq!(text(&["-I /a b -DX"]), "-w -I /a b -DX");
        assert_eq!(text(&["-DX -I '/a' -I \"/b c\" -I"]), "-w -DX -I/a -I\"/b c\" -I");
        assert_eq!(text(&["-I '/a"]), "-w -I'/a");
        assert_eq!(text(&["-I \"\""]), "-w -I");
    }

    proptest! {
        #[test]
        fn splitting_undoes_joining(words in proptest::collection::vec("[a-zA-Z=/. -]*[a-z]", 0..6)) {
            prop_assert_eq!(split_options(&join_options(&words)), words);
        }
    }
}
