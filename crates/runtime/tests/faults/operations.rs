//! The table of operations.

mod command;
mod gl;
mod image;
mod object;
mod program;
mod svm;

use std::ops::RangeInclusive;

use opencl_runtime::Result;

use crate::bench::Bench;

/// Something that a program does.
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Bench) -> Result<()>,
    /// Functions whose failure is no failure of the operation, in these calls, counted from one.
    pub(crate) absorbs: &'static [(&'static str, RangeInclusive<u32>)],
    /// Whether it releases by itself; a release that comes with the end of an object fails unheard.
    pub(crate) releases: bool,
    /// The status that the operation brings about itself and takes for right.
    pub(crate) provokes: Option<i32>,
}

/// A row of the table.
macro_rules! operation {
    ($name:literal, $run:expr $(, releases $releases:literal)? $(, provokes $code:ident)? $(, absorbs $($function:ident in $calls:expr),+)?) => {
        $crate::operations::Operation {
            name: $name,
            run: $run,
            absorbs: &[$($((stringify!($function), $calls)),+)?],
            releases: false $(|| $releases)?,
            provokes: $crate::operations::first(&[$(opencl_runtime::status::$code)?]),
        }
    };
}
use operation;

/// All calls from one on.
const fn from(first: u32) -> RangeInclusive<u32> {
    first..=u32::MAX
}

/// The one number, if there is one.
const fn first(numbers: &[i32]) -> Option<i32> {
    match numbers {
        [] => None,
        [number, ..] => Some(*number),
    }
}

/// How many rows all parts have.
const fn count(parts: &[&[Operation]]) -> usize {
    let (mut part, mut count) = (0, 0);
    while part < parts.len() {
        count += parts[part].len();
        part += 1;
    }
    count
}

/// All rows.
pub(crate) static OPERATIONS: &[&Operation] = &{
    const PARTS: &[&[Operation]] = &[
        object::OPERATIONS,
        program::OPERATIONS,
        command::OPERATIONS,
        svm::OPERATIONS,
        image::OPERATIONS,
        gl::OPERATIONS,
    ];
    const COUNT: usize = count(PARTS);
    let mut all: [&Operation; COUNT] = [&PARTS[0][0]; COUNT];
    let (mut part, mut at, mut next) = (0, 0, 0);
    while next < COUNT {
        if at == PARTS[part].len() {
            (part, at) = (part + 1, 0);
        } else {
            all[next] = &PARTS[part][at];
            (at, next) = (at + 1, next + 1);
        }
    }
    all
};
