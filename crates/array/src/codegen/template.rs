//! The few lines that turn a kernel file with `@name@` into text: a place alone on its line takes lines, each
//! indented as it is; a place within a line takes a word.

use std::fmt::Write as _;

/// Fills the places of `template`. A place without value stays, so that the compiler names it.
pub(crate) fn render(template: &str, values: &[(&str, String)]) -> String {
    let value = |name: &str| values.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str());
    let mut text = String::with_capacity(2 * template.len());
    for line in template.lines() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        let whole = code.strip_prefix('@').and_then(|rest| rest.split_once('@'));
        match whole {
            Some((name, tail)) if !tail.contains('@') && !name.contains(' ') && value(name).is_some() => {
                let lines = value(name).unwrap_or_default();
                let count = lines.lines().count();
                for (number, inserted) in lines.lines().enumerate() {
                    let tail = if number + 1 == count { tail } else { "" };
                    let indent = if inserted.is_empty() { "" } else { indent };
                    let _ = writeln!(text, "{indent}{inserted}{tail}");
                }
            }
            _ => {
                let mut rest = line;
                while let Some((before, after)) = rest.split_once('@') {
                    text.push_str(before);
                    let word = after.split_once('@').and_then(|(name, tail)| Some((value(name)?, tail)));
                    match word {
                        Some((word, tail)) => {
                            text.push_str(word);
                            rest = tail;
                        }
                        None => {
                            text.push('@');
                            rest = after;
                        }
                    }
                }
                text.push_str(rest);
                text.push('\n');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn lines_take_the_place_s_indentation_and_words_its_column() {
        let values = [("body", "a;\nb;".into()), ("word", "x".into()), ("none", String::new())];
        let text = render("{\n    @body@\n    @none@\n    f(@word@, @other@);\n}", &values);
        assert_eq!(text, "{\n    a;\n    b;\n    f(x, @other@);\n}\n");
    }
}
