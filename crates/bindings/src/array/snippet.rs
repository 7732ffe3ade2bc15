//! Snippets of OpenCL C as kernels.

use numpy::PyArrayDescrMethods;
use opencl_array::elementwise::{ElementwiseKernel, Parameter, ParameterKind, Snippet, Span, Value};
use opencl_runtime::Event as RuntimeEvent;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use smallvec::SmallVec;

use super::Array;
use crate::cl::context::Context;
use crate::cl::event::Event;
use crate::cl::kernel::Kernel;
use crate::cl::options::build_options;
use crate::cl::queue::CommandQueue;
use crate::convert::arg::{ArgType, Converted, convert_as};
use crate::convert::dtype;
use crate::convert::wait_list::Events;
use crate::error::{ArrayResult, IntoPyResult};

/// A snippet as a kernel of a context.
///
/// *parameters* are pairs of a kind (``"array"``, ``"array with offset"``, ``"scalar"``, ``"other"``), a type's
/// name, a name and a dtype.
#[pyclass(frozen, name = "_ElementwiseKernel", module = "pyopencl._cl")]
struct Elementwise {
    kernel: ElementwiseKernel,
    types: Vec<ArgType>,
}

#[pymethods]
impl Elementwise {
    #[new]
    #[pyo3(signature = (context, parameters, operation, name, options, preamble, loop_prep, after_loop))]
    #[allow(clippy::too_many_arguments, reason = "the pieces of the text")]
    fn new(
        context: &Bound<'_, Context>,
        parameters: &Bound<'_, PyAny>,
        operation: String,
        name: String,
        options: Option<&Bound<'_, PyAny>>,
        preamble: String,
        loop_prep: String,
        after_loop: String,
    ) -> PyResult<Self> {
        let (mut list, mut types) = (Vec::new(), Vec::new());
        for item in parameters.try_iter()? {
            let (parameter, kind) = parameter(&item?)?;
            list.push(parameter);
            types.push(kind);
        }
        let snippet =
            Snippet { name, preamble, before_loop: loop_prep, after_loop, ..Snippet::of(list, operation) };
        let context = &context.get().context;
        let options = build_options(parameters.py(), options, context)?;
        Ok(Self { kernel: ElementwiseKernel::with_options(context, snippet, options), types })
    }

    /// The text of the kernel for the first device of the context.
    fn source(&self, use_range: bool) -> PyResult<String> {
        let devices = self.kernel.context().devices().into_py()?;
        // A context has devices.
        self.kernel.source(&devices[0], use_range).array_result()
    }

    /// The kernel for the first device of the context.
    fn kernel(&self, py: Python<'_>, use_range: bool) -> PyResult<Kernel> {
        let devices = self.kernel.context().devices().into_py()?;
        // A context has devices.
        let kernel = py.detach(|| self.kernel.kernel(&devices[0], use_range)).array_result()?;
        Ok(Kernel::shared(std::sync::Arc::new(kernel.into())))
    }

    /// Enqueues it.
    #[pyo3(signature = (args, range, slice, queue, wait_for))]
    fn __call__<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        range: Option<&Bound<'py, PyAny>>,
        slice: Option<&Bound<'py, PyAny>>,
        queue: Option<&Bound<'py, CommandQueue>>,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Event> {
        let py = args.py();
        let snippet = self.kernel.snippet();
        let first = args.iter_borrowed().find_map(|arg| arg.to_owned().cast_into::<Array>().ok());
        let first = first.ok_or_else(|| crate::error::array_error(&opencl_array::Error::NoArrays))?;
        let queue = first.get().queue_or(py, queue)?;
        let span = span(range, slice, first.get().runtime()?.layout().size())?;
        if !self.kernel.is_built(span.is_some()) {
            py.detach(|| self.kernel.kernel(queue.device(), span.is_some())).array_result()?;
        }
        let mut converted: SmallVec<[Option<Converted<'_>>; 16]> = SmallVec::new();
        for ((parameter, kind), arg) in snippet.parameters.iter().zip(&self.types).zip(args.iter_borrowed()) {
            let converted_arg = match parameter.kind {
                ParameterKind::Array { .. } => None,
                _ => Some(convert_as(arg, kind).map_err(|error| named(py, &error, parameter))?),
            };
            converted.push(converted_arg);
        }
        let mut values: SmallVec<[Value<'_>; 16]> = SmallVec::new();
        for (number, arg) in args.iter_borrowed().enumerate() {
            values.push(match converted.get(number) {
                Some(Some(converted)) => Value::Other(converted.as_arg()),
                _ => match arg.cast::<Array>() {
                    Ok(array) => Value::Array(array.get().runtime()?),
                    Err(_) => Value::Other(opencl_runtime::Arg::Null),
                },
            });
        }
        let events = Events::new(wait_for)?;
        let wait: SmallVec<[&RuntimeEvent; 4]> = events.iter().collect();
        // SAFETY: what the kernel does is its author's business; Python has no way of checking.
        unsafe { self.kernel.run(&values, span, Some(queue), &wait) }.array_result().map(Event::from)
    }
}

/// A parameter, and what Python's arguments for it are converted to.
fn parameter(item: &Bound<'_, PyAny>) -> PyResult<(Parameter, ArgType)> {
    let (kind, type_name, name, descr): (String, String, String, Bound<'_, PyAny>) = item.extract()?;
    let kind = match kind.as_str() {
        "array" => ParameterKind::Array { with_offset: false },
        "array with offset" => ParameterKind::Array { with_offset: true },
        "scalar" => ParameterKind::Scalar,
        "other" => ParameterKind::Other,
        other => return Err(PyValueError::new_err(format!("{other:?} is no kind of parameter"))),
    };
    let (dtype, size) = if descr.is_none() {
        (None, None)
    } else {
        (dtype::from_numpy(&descr).ok(), Some(dtype::descr(&descr)?.itemsize()))
    };
    let converted = match kind {
        ParameterKind::Scalar => ArgType::new(&descr)?,
        _ => ArgType::Any,
    };
    Ok((Parameter { kind, type_name, name, dtype, size }, converted))
}

/// The numbers that `range=` or `slice=` mean for so many elements.
fn span(
    range: Option<&Bound<'_, PyAny>>,
    slice: Option<&Bound<'_, PyAny>>,
    size: usize,
) -> PyResult<Option<Span>> {
    let (start, stop, step) = match (range, slice) {
        (Some(_), Some(_)) => {
            return Err(PyTypeError::new_err(
                "range and slice are two ways to say the same: give one of them",
            ));
        }
        (None, None) => return Ok(None),
        (None, Some(slice)) => {
            let slice = slice.cast::<PySlice>()?.indices(size as isize)?;
            (slice.start as i64, slice.stop as i64, slice.step as i64)
        }
        (Some(range), None) => {
            let number = |name: &str, default: Option<i64>| match range.getattr(name)? {
                value if value.is_none() => default
                    .ok_or_else(|| PyTypeError::new_err(format!("range: it has no {name}, and needs one"))),
                value => value.extract(),
            };
            (number("start", Some(0))?, number("stop", None)?, number("step", Some(1))?)
        }
    };
    Ok(Some(Span { start, stop, step }))
}

/// The error of an argument, with its name.
#[cold]
fn named(py: Python<'_>, error: &PyErr, parameter: &Parameter) -> PyErr {
    let text = format!("the argument `{} {}` is {}", parameter.type_name, parameter.name, error.value(py));
    PyErr::from_type(error.get_type(py), (text,))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Elementwise>()
}
