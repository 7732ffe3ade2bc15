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

    proptest! {
        #[test]
        fn splitting_undoes_joining(words in proptest::collection::vec("[a-zA-Z=/. -]*[a-z]", 0..6)) {
            prop_assert_eq!(split_options(&join_options(&words)), words);
        }
    }
}
