//! Snippets of OpenCL C as kernels, and reductions of them.

use numpy::PyArrayDescrMethods;
use opencl_array::elementwise::{
    ElementwiseKernel, Folding, Parameter, ParameterKind, ReductionKernel, Snippet, Span, Value,
};
use opencl_runtime::Event as RuntimeEvent;
use pyo3::Borrowed;
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
        let (list, types) = parameter_list(parameters)?;
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
        kernel_of(py, &self.kernel, use_range)
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
        let first = first(args)?;
        let queue = first.get().queue_or(py, queue)?;
        let span = span(range, slice, first.get().runtime()?.layout().size())?;
        if !self.kernel.is_built(span.is_some()) {
            py.detach(|| self.kernel.kernel(queue.device(), span.is_some())).array_result()?;
        }
        let converted = converted(&self.kernel.snippet().parameters, &self.types, args)?;
        let values = values(&converted, args)?;
        let events = Events::new(wait_for)?;
        let wait: SmallVec<[&RuntimeEvent; 4]> = events.iter().collect();
        // SAFETY: what the kernel does is its author's business; Python has no way of checking.
        unsafe { self.kernel.run(&values, span, Some(queue), &wait) }.array_result().map(Event::from)
    }
}

/// A reduction as kernels of a context: the parameters, the value of an element, names, options and preamble are as
/// those of a snippet; then the type's name and dtype of the values, the neutral one, and how two become one.
#[pyclass(frozen, name = "_ReductionKernel", module = "pyopencl._cl")]
struct Reduction {
    kernel: ReductionKernel,
    types: Vec<ArgType>,
}

#[pymethods]
impl Reduction {
    #[new]
    #[pyo3(signature = (context, parameters, map, name, options, preamble, type_name, dtype, neutral, reduce))]
    #[allow(clippy::too_many_arguments, reason = "the pieces of the text")]
    fn new(
        context: &Bound<'_, Context>,
        parameters: &Bound<'_, PyAny>,
        map: String,
        name: String,
        options: Option<&Bound<'_, PyAny>>,
        preamble: String,
        type_name: String,
        dtype: &Bound<'_, PyAny>,
        neutral: String,
        reduce: String,
    ) -> PyResult<Self> {
        let (list, types) = parameter_list(parameters)?;
        let snippet = Snippet { name, preamble, ..Snippet::of(list, map) };
        let folding = Folding { type_name, dtype: dtype::from_numpy(dtype)?, neutral, reduce };
        let context = &context.get().context;
        let options = build_options(parameters.py(), options, context)?;
        Ok(Self { kernel: ReductionKernel::new(context, snippet, folding, options), types })
    }

    /// The kernels for the first device of the context: for the elements, and for the results of the groups.
    fn kernels(&self, py: Python<'_>, use_range: bool) -> PyResult<(Kernel, Kernel)> {
        let [elements, results] = self.kernel.stages();
        Ok((kernel_of(py, elements, use_range)?, kernel_of(py, results, false)?))
    }

    /// Enqueues it: gives the result and an event.
    #[pyo3(signature = (args, range, slice, out, queue, wait_for))]
    fn __call__<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        range: Option<&Bound<'py, PyAny>>,
        slice: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, Array>>,
        queue: Option<&Bound<'py, CommandQueue>>,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Py<Array>, Event)> {
        let py = args.py();
        let (first, given) = (first(args).ok(), queue);
        let queue = match (&first, given) {
            (Some(first), queue) => first.get().queue_or(py, queue)?,
            (None, Some(queue)) => queue.get().live(py)?,
            (None, None) => return Err(PyTypeError::new_err("queue= is needed if no argument is an array")),
        };
        let size = first.as_ref().map_or(Ok(0), |first| first.get().layout().map(|layout| layout.size()))?;
        let span = span(range, slice, size)?;
        if first.is_none() && range.is_none() {
            return Err(PyTypeError::new_err("range= is needed if no argument is an array"));
        }
        let [elements, results] = self.kernel.stages();
        if !elements.is_built(span.is_some()) {
            py.detach(|| {
                elements.kernel(queue.device(), span.is_some())?;
                results.kernel(queue.device(), false)
            })
            .array_result()?;
        }
        let parameters = &elements.snippet().parameters;
        let converted = converted(&parameters[..parameters.len() - 1], &self.types, args)?;
        let values = values(&converted, args)?;
        let target = out.map(|out| out.get().runtime()).transpose()?;
        let events = Events::new(wait_for)?;
        let wait: SmallVec<[&RuntimeEvent; 4]> = events.iter().collect();
        // SAFETY: what the kernels do is their author's business; Python has no way of checking.
        let done = unsafe { self.kernel.run(&values, target, span, Some(queue), &wait) };
        let (result, event) = done.array_result()?;
        let result = match (out, &first) {
            (Some(out), _) => out.clone().unbind(),
            (None, Some(first)) => Array::result(first, result)?,
            (None, None) => Array::wrap(py, result, given.map(|queue| queue.clone().unbind()))?,
        };
        Ok((result, Event::from(event)))
    }
}

/// A kernel for the first device of the context.
fn kernel_of(py: Python<'_>, kernel: &ElementwiseKernel, spanned: bool) -> PyResult<Kernel> {
    let devices = kernel.context().devices().into_py()?;
    // A context has devices.
    let kernel = py.detach(|| kernel.kernel(&devices[0], spanned)).array_result()?;
    Ok(Kernel::shared(std::sync::Arc::new(kernel.into())))
}

/// The first array among the arguments.
fn first<'py>(args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, Array>> {
    let first = args.iter_borrowed().find_map(|arg| arg.to_owned().cast_into::<Array>().ok());
    first.ok_or_else(|| crate::error::array_error(&opencl_array::Error::NoArrays))
}

/// What arguments that are no arrays are converted to.
fn converted<'a>(
    parameters: &[Parameter],
    types: &[ArgType],
    args: &'a Bound<'_, PyTuple>,
) -> PyResult<SmallVec<[Option<Converted<'a>>; 16]>> {
    let convert = |((parameter, kind), arg): ((&Parameter, &ArgType), Borrowed<'a, '_, PyAny>)| {
        if let ParameterKind::Array { .. } = parameter.kind {
            return Ok(None);
        }
        convert_as(arg, kind).map(Some).map_err(|error| named(arg.py(), &error, parameter))
    };
    parameters.iter().zip(types).zip(args.iter_borrowed()).map(convert).collect()
}

/// The arguments as the kernel takes them.
fn values<'a>(
    converted: &'a [Option<Converted<'a>>],
    args: &'a Bound<'_, PyTuple>,
) -> PyResult<SmallVec<[Value<'a>; 16]>> {
    let value = |(number, arg): (usize, Borrowed<'a, '_, PyAny>)| match converted.get(number) {
        Some(Some(converted)) => Ok(Value::Other(converted.as_arg())),
        _ => match arg.cast::<Array>() {
            Ok(array) => array.get().runtime().map(Value::Array),
            Err(_) => Ok(Value::Other(opencl_runtime::Arg::Null)),
        },
    };
    args.iter_borrowed().enumerate().map(value).collect()
}

fn parameter_list(items: &Bound<'_, PyAny>) -> PyResult<(Vec<Parameter>, Vec<ArgType>)> {
    let list = items.try_iter()?.map(|item| parameter(&item?)).collect::<PyResult<Vec<_>>>()?;
    Ok(list.into_iter().unzip())
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
            let expected = |_| expected("slice", "a slice", slice);
            let slice = slice.cast::<PySlice>().map_err(expected)?.indices(size as isize)?;
            (slice.start as i64, slice.stop as i64, slice.step as i64)
        }
        (Some(range), None) => {
            if !range.is_instance_of::<PySlice>() && !range.hasattr("start")? {
                return Err(expected("range", "a slice or a range", range));
            }
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

/// The error of a keyword that is no such thing.
#[cold]
fn expected(keyword: &str, what: &str, found: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("{keyword}: expected {what}, got an object of {}", found.get_type()))
}

/// The error of an argument, with its name.
#[cold]
fn named(py: Python<'_>, error: &PyErr, parameter: &Parameter) -> PyErr {
    let text = format!("the argument `{} {}` is {}", parameter.type_name, parameter.name, error.value(py));
    PyErr::from_type(error.get_type(py), (text,))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Elementwise>()?;
    m.add_class::<Reduction>()
}
