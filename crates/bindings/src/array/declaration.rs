//! Declarations of kernel arguments in C, and structs as devices lay them out.

use opencl_array::StructLayout;
use opencl_array::dtype::{Declaration, split_list};
use pyo3::prelude::*;

use crate::cl::queue::CommandQueue;
use crate::error::ArrayResult;

/// The type's name, the argument's name, and whether it is a pointer.
#[pyfunction]
fn _parse_declaration(text: &str) -> PyResult<(String, String, bool)> {
    let Declaration { type_name, name, pointer } = Declaration::parse(text).array_result()?;
    Ok((type_name, name, pointer))
}

/// The declarations of a list.
#[pyfunction]
fn _split_declarations(text: &str) -> Vec<String> {
    split_list(text)
}

/// The size of a struct on the device of a queue, and the offsets of members, in bytes.
#[pyfunction]
fn _struct_layout(
    queue: &Bound<'_, CommandQueue>,
    declarations: &str,
    name: &str,
    members: Vec<String>,
) -> PyResult<(usize, Vec<usize>)> {
    let queue = queue.get().live(queue.py())?;
    let members: Vec<&str> = members.iter().map(String::as_str).collect();
    let layout = StructLayout::measure(queue, declarations, name, &members).array_result()?;
    Ok((layout.size, layout.offsets))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(_parse_declaration, m)?)?;
    m.add_function(wrap_pyfunction!(_split_declarations, m)?)?;
    m.add_function(wrap_pyfunction!(_struct_layout, m)?)
}
