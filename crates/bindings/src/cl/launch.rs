//! Launching kernels: the hot path.

use opencl_runtime::{Arg, Error, NdRange, status};
use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::event::{self, Event};
use super::kernel::{Kernel, check_count, convert_at, name_type};
use super::queue::CommandQueue;
use crate::convert::arg::{ArgType, Converted, ConvertedList, Plain, plain};
use crate::convert::dims::{Sizes, launch_sizes, plain_sizes};
use crate::convert::wait_list::Events;
use crate::error::{IntoPyResult, raise, to_py};

/// The keyword arguments of a launch.
#[derive(Default)]
pub(super) struct Keywords<'py> {
    wait_for: Option<Bound<'py, PyAny>>,
    g_times_l: bool,
    allow_empty_ndrange: bool,
    global_offset: Option<Bound<'py, PyAny>>,
}

impl<'py> Keywords<'py> {
    /// From names and values.
    #[inline]
    pub(super) fn new(
        kernel: &Kernel,
        given: impl Iterator<Item = (Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    ) -> PyResult<Self> {
        let mut keywords = Self::default();
        for (name, value) in given {
            keywords.take(kernel, &name, value)?;
        }
        Ok(keywords)
    }

    fn take(&mut self, kernel: &Kernel, name: &Bound<'py, PyAny>, value: Bound<'py, PyAny>) -> PyResult<()> {
        let given = |value: Bound<'py, PyAny>| (!value.is_none()).then_some(value);
        match name.extract::<&str>()? {
            "wait_for" => self.wait_for = given(value),
            "g_times_l" => self.g_times_l = value.extract()?,
            "allow_empty_ndrange" => self.allow_empty_ndrange = value.extract()?,
            "global_offset" => self.global_offset = given(value),
            other => {
                let name = kernel.for_call().name();
                let text = format!("kernel `{name}` got an unexpected keyword argument '{other}'");
                return Err(PyTypeError::new_err(text));
            }
        }
        Ok(())
    }
}

/// `kernel(queue, global_work_size, local_work_size, *args, …)`.
#[inline]
pub(super) fn call<'a, 'py>(
    slf: &'a Bound<'py, Kernel>,
    args: &[Borrowed<'a, 'py, PyAny>],
    keywords: &Keywords<'py>,
) -> PyResult<Bound<'py, Event>> {
    let py = slf.py();
    let kernel = slf.get().for_call();
    let [queue, global, local, args @ ..] = args else { return Err(too_few(kernel)) };
    let Ok(queue) = queue.cast::<CommandQueue>() else { return Err(no_queue(kernel)) };
    let queue = queue.get().live(py)?;
    let range = range(*global, (!local.is_none()).then_some(*local), keywords)?;
    let events = Events::new(keywords.wait_for.as_ref())?;
    check_count(kernel, args.len())?;
    let types = slf.get().types();
    if !keywords.allow_empty_ndrange
        && let Some(event) = launch_plain(kernel, queue, &range, args, types, &events)
    {
        return event::wrap(py, event?);
    }
    // A loop rather than collecting: this is the hot path.
    let mut converted = ConvertedList::new();
    for (index, object) in (0..).zip(args) {
        converted.push(convert_at(kernel, types, index, *object)?);
    }
    let event = if keywords.allow_empty_ndrange && range.is_empty() {
        queue.marker(&events.list()).into_py()?
    } else {
        let arguments = converted.iter().map(Converted::as_arg);
        // SAFETY: what the kernel does with its arguments is its author's business; Python has no way of checking.
        let launched = unsafe { kernel.launch_with_each(queue, &range, arguments, &events.list()) };
        launched.map_err(|error| explain(error, args))?
    };
    event::wrap(py, event)
}

/// Launches with arguments that are set as they come; `None` if one of them is not a plain one, which leaves the kernel
/// to whoever sets all of them. The kernel is locked meanwhile: none of Python's code runs.
#[inline(always)]
fn launch_plain(
    kernel: &opencl_runtime::Kernel,
    queue: &opencl_runtime::CommandQueue,
    range: &NdRange,
    args: &[Borrowed<'_, '_, PyAny>],
    types: Option<&[ArgType]>,
    events: &Events<'_>,
) -> Option<PyResult<opencl_runtime::Event>> {
    let mut launch = kernel.begin();
    let mut declared = types.unwrap_or_default().iter();
    for object in args {
        let set = match plain(*object, declared.next())? {
            Plain::Memory(object) => launch.arg(Arg::Mem(object)),
            Plain::Scalar(bytes) => launch.bytes(bytes),
            Plain::Number(bytes, size) => launch.bytes(&bytes[..size]),
        };
        if let Err(error) = set {
            drop(launch);
            return Some(Err(explain(error, args)));
        }
    }
    // SAFETY: what the kernel does with its arguments is its author's business; Python has no way of checking.
    let launched = unsafe { launch.enqueue_with_event(queue, range, &events.list()) };
    Some(launched.map_err(|error| explain(error, args)))
}

#[cold]
fn too_few(kernel: &opencl_runtime::Kernel) -> PyErr {
    let text = format!(
        "kernel `{}` is called with a queue, a global and a local size, then its arguments",
        kernel.name()
    );
    PyTypeError::new_err(text)
}

#[cold]
fn no_queue(kernel: &opencl_runtime::Kernel) -> PyErr {
    PyTypeError::new_err(format!("kernel `{}`: the first argument must be a CommandQueue", kernel.name()))
}

/// The error of a launch; for a refused argument with the type of the object that it came from.
#[cold]
fn explain(error: Error, args: &[Borrowed<'_, '_, PyAny>]) -> PyErr {
    if let Error::Argument(refused) = &error
        && let Some(object) = args.get(refused.index as usize)
    {
        return name_type(error, *object);
    }
    to_py(&error)
}

/// Sizes as the runtime takes them.
#[inline]
fn range(
    global: Borrowed<'_, '_, PyAny>,
    local: Option<Borrowed<'_, '_, PyAny>>,
    keywords: &Keywords<'_>,
) -> PyResult<NdRange> {
    if !keywords.g_times_l
        && keywords.global_offset.is_none()
        && let Some((dimensions, sizes)) = plain_sizes(global)
    {
        let Some(local) = local else { return Ok(NdRange::of_entries(dimensions, sizes, None)) };
        if let Some((same, local)) = plain_sizes(local)
            && same == dimensions
        {
            return Ok(NdRange::of_entries(dimensions, sizes, Some(local)));
        }
    }
    any_range(&global, local.as_deref(), keywords)
}

#[cold]
fn any_range(
    global: &Bound<'_, PyAny>,
    local: Option<&Bound<'_, PyAny>>,
    keywords: &Keywords<'_>,
) -> PyResult<NdRange> {
    let mut global = launch_sizes(global, "the global size")?;
    let mut local = local.map(|local| launch_sizes(local, "the local size (or None)")).transpose()?;
    // Without a local size, there is nothing to multiply with.
    if keywords.g_times_l
        && let Some(local) = &mut local
    {
        multiply(&mut global, local)?;
    }
    let mut range = NdRange::new(&global);
    if let Some(local) = local {
        range = range.local(&local).into_py()?;
    }
    if let Some(offset) = &keywords.global_offset {
        range = range.offset(&launch_sizes(offset, "the global offset")?).into_py()?;
    }
    Ok(range)
}

/// The global size in work-items from one in work-groups; the shorter size is filled with ones.
fn multiply(global: &mut Sizes, local: &mut Sizes) -> PyResult<()> {
    let dimensions = global.len().max(local.len());
    global.resize(dimensions, 1);
    local.resize(dimensions, 1);
    for (global, local) in global.iter_mut().zip(local.iter()) {
        *global = global.checked_mul(*local).ok_or_else(|| {
            raise("enqueue_nd_range_kernel", status::INVALID_GLOBAL_WORK_SIZE, "the global size is too large")
        })?;
    }
    Ok(())
}

/// Launch a kernel with the arguments that were set before.
///
/// Sizes and keyword arguments are those of a call of the :class:`Kernel`.
#[pyfunction]
#[pyo3(signature = (queue, kernel, global_work_size, local_work_size, global_work_offset = None, wait_for = None, g_times_l = false, allow_empty_ndrange = false))]
#[allow(clippy::too_many_arguments, reason = "the parameters of the Python function")]
fn enqueue_nd_range_kernel<'py>(
    queue: &Bound<'py, CommandQueue>,
    kernel: &Kernel,
    global_work_size: &Bound<'py, PyAny>,
    local_work_size: Option<&Bound<'py, PyAny>>,
    global_work_offset: Option<Bound<'py, PyAny>>,
    wait_for: Option<Bound<'py, PyAny>>,
    g_times_l: bool,
    allow_empty_ndrange: bool,
) -> PyResult<Bound<'py, Event>> {
    let keywords = Keywords { wait_for, g_times_l, allow_empty_ndrange, global_offset: global_work_offset };
    let range = range(global_work_size.as_borrowed(), local_work_size.map(Bound::as_borrowed), &keywords)?;
    let events = Events::new(keywords.wait_for.as_ref())?;
    let py = queue.py();
    let queue = queue.get().live(py)?;
    if allow_empty_ndrange && range.is_empty() {
        return event::wrap(py, queue.marker(&events.list()).into_py()?);
    }
    kernel.check_kept(py)?;
    let runtime = kernel.as_set()?;
    // SAFETY: as for a call; the objects that were set as arguments are kept by the kernel.
    let event = unsafe { runtime.launch_as_set(queue, &range, &events.list()) }.into_py()?;
    kernel.note_uses(py, queue);
    event::wrap(py, event)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(enqueue_nd_range_kernel, m)?)
}
