//! Python objects to Rust values, and answers back.

pub(crate) mod arg;
pub(crate) mod dims;
pub(crate) mod dtype;
pub(crate) mod host;
pub(crate) mod value;
pub(crate) mod wait_list;
