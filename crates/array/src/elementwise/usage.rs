//! What a snippet does with an array, as far as its text shows it.

/// Whether text may write an array, or may do with it what cannot be seen. It does not if the array's name stands
/// only before an index in brackets whose element is neither assigned, stepped nor asked for its address.
pub(super) fn may_write(text: &str, preamble: &str, name: &str) -> bool {
    if uses(preamble, name).next().is_some() {
        return true;
    }
    // A macro may do anything with an element that is its argument.
    let has_macros = text.contains("#define") || preamble.contains("#define");
    uses(text, name).any(|(before, after)| has_macros || changes(before, after))
}

/// Whether text has a word of C.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    uses(text, word).next().is_some()
}

/// What stands before and after each place where the text has the name.
fn uses<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let inside = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(name).filter_map(move |(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let whole = !before.ends_with(inside) && !after.starts_with(inside);
        whole.then_some((before, after))
    })
}

/// Whether a use of an array between these texts may change it.
fn changes(before: &str, after: &str) -> bool {
    let before = before.trim_end();
    if before.ends_with('&') && !before.ends_with("&&") || before.ends_with("++") || before.ends_with("--") {
        return true;
    }
    let Some(index) = after.trim_start().strip_prefix('[') else { return true };
    let mut depth = 1;
    let Some(end) = index.find(|character| {
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        depth == 0
    }) else {
        return true;
    };
    let closes = |character: char| character == ')' || character.is_whitespace();
    let rest = index[end + 1..].trim_start_matches(closes);
    let compared = ["==", "<=", ">=", "!="].iter().any(|operator| rest.starts_with(operator));
    let stepped = rest.starts_with("++") || rest.starts_with("--");
    // What is assigned may be a component, or an element of an element.
    let deeper = rest.starts_with(['.', '[']);
    let operator = rest.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
    let assigned = !compared && operator.starts_with('=') && !operator.starts_with("==");
    stepped || deeper || assigned
}

#[cfg(test)]
mod tests {
    use super::may_write;

    #[test]
    fn what_is_only_read_is_seen() {
        for text in [
            "z[i] = a * x[i] + x[n - 1 - i]",
            "z[i] = x[i] == 3 ? y[x[i]] : -x[i]",
            "if (x[i] <= 3 && x[i] >= 2 && x[i] != 1) z[i] = 0",
            "z[i] = max[i] - xx[i]; x_y = 3",
            "z[i] = y[i] &&x[i]",
            "z[i] = x [ table[i] ]",
            "z[i] = f(x[i]) + (x[i]) == 2",
        ] {
            assert!(!may_write(text, "", "x"), "{text}");
            assert!(may_write(text, "", "z"), "{text}");
        }
    }

    #[test]
    fn what_may_be_written_is_not_missed() {
        for text in [
            "x[i] = 1",
            "x[i] += 1",
            "x[i] <<= 1",
            "x[y[i]] =1",
            "x[i]++",
            "--x[i]",
            "atomic_inc(&x[i])",
            "f(x, i)",
            "*(x + i) = 1",
            "x[i].y = 1",
            "(x[i]) = 1",
            "vstore4(v, i, x)",
            "x[i",
        ] {
            assert!(may_write(text, "", "x"), "{text}");
        }
        assert!(may_write("SET(i)", "#define SET(i) x[i] = i", "x"));
        assert!(may_write("SET(x[i], i)", "#define SET(a, b) a = b", "x"));
    }
}
