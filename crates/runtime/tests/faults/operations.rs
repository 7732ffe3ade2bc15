//! The table of operations.

mod command;
mod gl;
mod image;
mod object;
mod program;
mod svm;

use crate::bench::Bench;
use crate::sweep::{self, from, operation};

/// Something that a program does with the runtime.
pub(crate) type Operation = sweep::Operation<Bench>;

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
