//! Declarations of kernel arguments as OpenCL C writes them: `__global const float *x`, `unsigned int n`,
//! `float4 *v`, `my_struct *s`.

use super::DType;
use super::cname::integer_words;
use crate::error::{Error, Result};

/// A declaration of one kernel argument. Qualifiers are read and left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Declaration {
    /// The name of the type: words with one space between them, integer types of several words as
    /// `unsigned long`.
    pub type_name: String,
    /// The argument's name.
    pub name: String,
    /// Whether it points at elements of the type in global memory.
    pub pointer: bool,
}

/// The words around a type that say nothing about it. `struct` may stand before the name of one.
const QUALIFIERS: [&str; 11] = [
    "__global",
    "global",
    "__private",
    "private",
    "const",
    "volatile",
    "restrict",
    "__restrict",
    "__restrict__",
    "__const",
    "struct",
];

/// Address spaces whose memory no array has.
const OTHER_SPACES: [&str; 4] = ["__local", "local", "__constant", "constant"];

impl Declaration {
    /// Reads one declaration. Arrays (`float x[3]`) are pointers, as in C.
    ///
    /// ```
    /// use opencl_array::dtype::{DType, Declaration};
    ///
    /// # fn main() -> Result<(), opencl_array::Error> {
    /// let x = Declaration::parse("__global const unsigned int *x")?;
    /// assert_eq!((x.name.as_str(), x.pointer), ("x", true));
    /// assert_eq!(DType::from_c_name(&x.type_name), Some(DType::U32));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Declaration`] if it is none, [`Error::AddressSpace`] for local and constant memory.
    pub fn parse(text: &str) -> Result<Self> {
        let text = without_comments(text);
        let refuse = |problem: &'static str| Error::Declaration { text: text.trim().to_owned(), problem };
        let (declarator, lengths) = match text.split_once('[') {
            Some((declarator, lengths)) => (declarator, Some(lengths.trim_end())),
            None => (text.as_str(), None),
        };
        if lengths.is_some_and(|lengths| !lengths.ends_with(']') || lengths.contains('[')) {
            return Err(refuse("the lengths of an array are not understood"));
        }
        let mut words: Vec<&str> = Vec::new();
        let mut stars = usize::from(lengths.is_some());
        let mut named_after_star = false;
        for token in tokens(declarator) {
            let token = token.ok_or_else(|| refuse("there is something else than names and '*'"))?;
            if token == "*" {
                if words.is_empty() || named_after_star {
                    return Err(refuse("'*' is not between a type and a name"));
                }
                stars += 1;
            } else if OTHER_SPACES.contains(&token) {
                return Err(Error::AddressSpace { text: text.trim().to_owned() });
            } else if !QUALIFIERS.contains(&token) {
                named_after_star |= stars > usize::from(lengths.is_some());
                words.push(token);
            }
        }
        let name = words.pop().ok_or_else(|| refuse("nothing is declared"))?;
        if words.is_empty() {
            return Err(refuse("there is no type or no name"));
        }
        if !is_identifier(name) {
            return Err(refuse("the name is not an identifier"));
        }
        if stars > 1 {
            return Err(refuse("a pointer to pointers is no argument of a kernel"));
        }
        let type_name = words.join(" ");
        let type_name = integer_words(&type_name).unwrap_or(type_name);
        Ok(Self { type_name, name: name.to_owned(), pointer: stars == 1 })
    }

    /// Reads a list with commas between the declarations.
    ///
    /// # Errors
    /// As [`Declaration::parse`].
    pub fn parse_list(text: &str) -> Result<Vec<Self>> {
        split_list(text).iter().map(|declaration| Self::parse(declaration)).collect()
    }

    /// The dtype of the type: one that `named` knows, else one of OpenCL C.
    ///
    /// # Errors
    /// [`Error::UnknownType`].
    pub fn dtype(&self, named: impl FnOnce(&str) -> Option<DType>) -> Result<DType> {
        named(&self.type_name)
            .or_else(|| DType::from_c_name(&self.type_name))
            .ok_or_else(|| Error::UnknownType { name: self.type_name.clone() })
    }
}

/// Splits a list of declarations at its commas.
#[must_use]
pub fn split_list(text: &str) -> Vec<String> {
    let text = without_comments(text);
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for character in text.chars() {
        match character {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        // There is a part from the start.
        if let Some(part) = parts.last_mut() {
            part.push(character);
        }
    }
    parts
}

/// The text with a space in the place of each comment.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        kept.push_str(&rest[..start]);
        kept.push(' ');
        let (end, length) = if rest[start..].starts_with("//") { ("\n", 1) } else { ("*/", 2) };
        rest = rest[start + 2..].find(end).map_or("", |at| &rest[start + 2 + at + length..]);
    }
    kept + rest
}

/// Names and stars; `None` for anything else. Names of types may be those of C++, as `complex<float>`.
fn tokens(text: &str) -> impl Iterator<Item = Option<&str>> {
    let inside = |character: char| character.is_alphanumeric() || "_:<>".contains(character);
    let mut rest = text.trim_start();
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = match first {
            '*' => 1,
            _ if inside(first) => rest.find(|character| !inside(character)).unwrap_or(rest.len()),
            _ => 0,
        };
        let (token, after) = rest.split_at(length);
        rest = if length == 0 { "" } else { after.trim_start() };
        Some((length > 0).then_some(token))
    })
}

fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
}
