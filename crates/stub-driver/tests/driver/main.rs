//! The shared library, opened as a loader would.

#![allow(clippy::macro_metavars_in_unsafe, reason = "a block per call would hide the calls")]

#[macro_use]
mod harness;
mod control;
mod data;
mod discovery;
mod event;
mod program;
