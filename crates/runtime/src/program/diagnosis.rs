//! What is told about a failed build: devices, log, options, and the source lines that the log names.

use std::collections::BTreeSet;
use std::fmt;

use super::BuildOptions;
use crate::{Device, Error, status};

/// At most so many places of the source are shown.
const MAX_PLACES: usize = 5;

/// What the compiler said for one device.
#[derive(Clone, Debug)]
pub struct BuildLog {
    /// The device's name.
    pub device: String,
    /// The platform's name.
    pub platform: String,
    /// The log.
    pub log: String,
}

/// A failed build.
#[derive(Clone, Debug)]
pub struct BuildError {
    /// The C function.
    pub function: &'static str,
    /// Its status.
    pub code: i32,
    /// The options.
    pub options: String,
    /// The logs, one a device.
    pub logs: Vec<BuildLog>,
    /// The lines of the source that the logs name, each with its number (from one) and whether it is
    /// named itself or only stands beside one.
    pub lines: Vec<(usize, bool, String)>,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for BuildLog { device, platform, log } in &self.logs {
            write!(f, "\n\nBuild on '{device}' on '{platform}':\n\n{}", log.trim_end())?;
        }
        write!(f, "\n\n(options: {})", if self.options.is_empty() { "none" } else { &self.options })?;
        if !self.lines.is_empty() {
            f.write_str("\n\nSource lines:")?;
        }
        let mut last = 0;
        for (number, named, text) in &self.lines {
            if last != 0 && *number != last + 1 {
                f.write_str("\n      ⋮")?;
            }
            write!(f, "\n{} {number:4} | {text}", if *named { '>' } else { ' ' })?;
            last = *number;
        }
        Ok(())
    }
}

/// What compilers write for every program, whatever its source: NVIDIA's (the first), Intel's (the others).
const CHATTER: &[&str] = &[
    "overriding noinline attribute",
    "Compilation started",
    "Compilation done",
    "Linking started",
    "Linking done",
    "Device build started",
    "Device build done",
    "Options used by backend compiler",
    "was successfully vectorized",
    "was not vectorized",
    "remark: <unknown>:0:0:",
    "Reload Program Binary Object",
];

/// A log without what says nothing: white space around it, and lines that compilers write for every program.
/// Empty if nothing else is in it.
#[must_use]
pub fn meaningful_log(log: &str) -> &str {
    let chatter = |line: &str| {
        let line = line.trim();
        line.is_empty() || line == "Done." || CHATTER.iter().any(|known| line.contains(known))
    };
    if log.lines().all(chatter) { "" } else { log.trim() }
}

/// The error of a build; errors that are none of the compiler's stay as they are.
pub(super) fn diagnose(
    error: &Error,
    options: &BuildOptions,
    source: Option<&str>,
    devices: &[Device],
    log_of: impl Fn(&Device) -> String,
) -> Error {
    let (function, code) = (error.routine(), error.code());
    let by_compiler = matches!(
        code,
        status::BUILD_PROGRAM_FAILURE
            | status::COMPILE_PROGRAM_FAILURE
            | status::LINK_PROGRAM_FAILURE
            | status::INVALID_BUILD_OPTIONS
            | status::INVALID_COMPILER_OPTIONS
            | status::INVALID_LINKER_OPTIONS
    );
    if !by_compiler {
        let detail = match error {
            Error::Unsupported { function, version } => return Error::unsupported(function, *version),
            Error::Status { .. } if !options.as_str().is_empty() => format!("with the options: {options}"),
            _ => error.detail(),
        };
        return Error::refused(function, code, detail);
    }
    let logs: Vec<BuildLog> = devices
        .iter()
        .map(|device| BuildLog {
            device: device.name().unwrap_or_default(),
            platform: device.platform().and_then(|platform| platform.name()).unwrap_or_default(),
            log: log_of(device),
        })
        .collect();
    let named = logs.iter().flat_map(|log| lines_named_by(&log.log)).collect();
    let lines = source.map_or_else(Vec::new, |source| around(source, &named));
    Error::Build(Box::new(BuildError { function, code, options: options.to_string(), logs, lines }))
}

/// The line numbers that a log names in the forms `file:LINE:COLUMN:` and `file(LINE)`; headers (files
/// whose name ends in `.h`) are left out.
fn lines_named_by(log: &str) -> BTreeSet<usize> {
    let mut lines = BTreeSet::new();
    for text in log.lines() {
        for (at, c) in text.char_indices().filter(|(_, c)| matches!(c, ':' | '(')) {
            if text[..at].ends_with(".h") {
                break;
            }
            let Some((line, rest)) = number(&text[at + 1..]) else { continue };
            let named = match c {
                ':' => rest.strip_prefix(':').and_then(number).is_some(),
                _ => rest.starts_with(')'),
            };
            if named && line > 0 {
                lines.insert(line);
                break;
            }
        }
        if lines.len() >= MAX_PLACES {
            break;
        }
    }
    lines
}

/// A number at the start of a text, and the rest.
fn number(text: &str) -> Option<(usize, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text[..text.len() - rest.len()].parse().ok().map(|number| (number, rest))
}

/// The named lines with a line before and after each.
fn around(source: &str, named: &BTreeSet<usize>) -> Vec<(usize, bool, String)> {
    let near = |number: usize| named.range(number.saturating_sub(1)..=number + 1).next().is_some();
    source
        .lines()
        .enumerate()
        .map(|(index, text)| (index + 1, text))
        .filter(|(number, _)| near(*number))
        .map(|(number, text)| (number, named.contains(&number), text.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_different_compilers_are_found() {
        let log = "error: /cache/tempfile_X.cl:3:18: use of undeclared identifier\n\
                   <kernel>:7:1: error: expected '}'\n\
                   /inc/a.h:99:1: error: in a header\n\
                   input.cl(12) : warning\n\
                   no line: here";
        assert_eq!(lines_named_by(log).into_iter().collect::<Vec<_>>(), [3, 7, 12]);
    }

    #[test]
    fn logs_that_say_nothing_are_empty() {
        assert_eq!(meaningful_log("\n <kernel>:1: warning: overriding noinline attribute with x\n\n"), "");
        assert_eq!(meaningful_log(" 1 warning\n"), "1 warning");
    }

    #[test]
    fn the_text_shows_log_options_and_lines() {
        let lines = around("a\nb\nc\nd\ne\nf\ng", &BTreeSet::from([2, 7]));
        let error = BuildError {
            function: "clBuildProgram",
            code: status::BUILD_PROGRAM_FAILURE,
            options: "-DX=1".to_owned(),
            logs: vec![BuildLog { device: "d".into(), platform: "p".into(), log: "oh no\n".into() }],
            lines,
        };
        assert_eq!(
            error.to_string(),
            "\n\nBuild on 'd' on 'p':\n\noh no\n\n(options: -DX=1)\n\nSource lines:\n     1 | a\n>    2 | b\n\
             \u{20}    3 | c\n      ⋮\n     6 | f\n>    7 | g"
        );
    }
}
