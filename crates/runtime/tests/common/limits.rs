//! What a driver cannot do that tests need, each with the reason. Its like in Python is `tests/python/limits.py`.

use opencl_runtime::Device;

/// What tests need and not every driver does.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(dead_code, reason = "not every test file needs each")]
pub(crate) enum Need {
    /// Commands that wait for a user event while the program goes on.
    WaitingCommands,
    /// Callbacks that are called for commands which are complete already.
    LateCallbacks,
    /// Calls from several threads at once.
    Threads,
    /// The pitches of memory that images are made from.
    Pitches,
    /// Colours that samplers give, without findings about them.
    Samplers,
    /// Built-in functions that store a part of their result in private memory.
    PrivateResults,
    /// Vectors of parts of vectors, without findings about them.
    Swizzles,
}

const OCLGRIND: [(Need, &str); 7] = [
    (Need::WaitingCommands, "Oclgrind runs commands in the thread that flushes, which would wait for ever"),
    (Need::LateCallbacks, "Oclgrind calls no callback that is set when its command is complete"),
    (Need::Threads, "Oclgrind guards none of its lists, and crashes when several threads call it"),
    (Need::Pitches, "Oclgrind does not look at the pitches of images that it makes"),
    (Need::Samplers, "Oclgrind takes colours that samplers give, right ones, for uninitialised"),
    (Need::PrivateResults, "Oclgrind, looking for what is uninitialised, ends a kernel that calls frexp"),
    (Need::Swizzles, "Oclgrind, looking for what is uninitialised, crashes at vectors of parts of vectors"),
];

fn is_oclgrind(device: &Device) -> bool {
    device.platform().unwrap().name().unwrap() == "Oclgrind"
}

/// Whether the device's driver does this; if it does not, says why the test is skipped.
#[allow(dead_code, reason = "not every test file has such a need")]
pub(crate) fn has(device: &Device, need: Need) -> bool {
    let lacks = OCLGRIND.iter().find(|(lacking, _)| *lacking == need && is_oclgrind(device));
    if let Some((_, reason)) = lacks {
        println!("skipped: {reason}");
    }
    lacks.is_none()
}

/// These sizes without those that would take minutes: Oclgrind interprets kernels, some 100 000 instructions a second.
#[allow(dead_code, reason = "not every test file uses large arrays")]
pub(crate) fn bearable(device: &Device, sizes: &[usize]) -> Vec<usize> {
    const LARGEST: usize = 5000;
    if !is_oclgrind(device) {
        return sizes.to_vec();
    }
    let (small, large): (Vec<usize>, Vec<usize>) = sizes.iter().partition(|&&size| size <= LARGEST);
    if !large.is_empty() {
        println!("skipped: Oclgrind interprets kernels, the sizes {large:?} would take minutes");
    }
    small
}
