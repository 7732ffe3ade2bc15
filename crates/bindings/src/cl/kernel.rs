//! Kernels, and their arguments.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use numpy::PyUntypedArray;
use opencl_runtime::info::TABLES;
use opencl_runtime::{Arg, CommandQueue, Error, Kernel as Runtime, status};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{Borrowed, PyTraverseError, PyVisit, intern};
use smallvec::SmallVec;

use super::declared::Declared;
use super::device::Device;
use super::event::Event;
use super::launch::Keywords;
use super::memory::MemoryObjectHolder;
use super::program::ProgramBase;
use super::shown;
use super::svm::SvmPointer;
use crate::convert::arg::{ArgType, Converted, convert, convert_as};
use crate::convert::dims::{Sizes, launch_sizes};
use crate::error::{IntoPyResult, raise, to_py};
use crate::gil::detached;
use crate::info::{add_attributes, answer, get_info};
use crate::made::Made;
#[cfg(vectorcall)]
use crate::vectorcall::{Arguments, Called, Class, Vectorcall};

/// Local memory of *size* bytes, as an argument of a kernel.
#[pyclass(frozen, subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct LocalMemory {
    /// Size in bytes.
    #[pyo3(get)]
    pub(crate) size: usize,
}

#[pymethods]
impl LocalMemory {
    #[new]
    fn new(size: usize) -> Self {
        Self { size }
    }
}

/// A driver's kernel that several Python objects call, and which of them did so last.
#[derive(Debug)]
pub(crate) struct SharedKernel {
    pub(crate) kernel: Runtime,
    last_caller: AtomicU64,
}

impl From<Runtime> for SharedKernel {
    fn from(kernel: Runtime) -> Self {
        Self { kernel, last_caller: AtomicU64::new(0) }
    }
}

/// A kernel, made of a built program and the function's name: called with a queue, sizes and arguments, it is
/// launched.
///
/// ``kernel(queue, global_size, local_size, *args, global_offset=None, wait_for=None, g_times_l=False,
/// allow_empty_ndrange=False)`` gives an :class:`Event`. The sizes are tuples of one to three integers; the local
/// one may be ``None``. One argument follows for each that the kernel declares: memory objects (of arrays, their
/// ``data``), :class:`LocalMemory`, NumPy scalars, structs and vectors, ``None`` for a null pointer; plain numbers
/// where the types were declared with :meth:`set_arg_types`. Indices start at *global_offset*; the launch waits for
/// the events of *wait_for*. With *g_times_l*, the global size counts work-groups; with *allow_empty_ndrange*, a
/// size of zero launches nothing.
///
/// One kernel may be called by several threads. Kernels that were fetched from a program by attribute share
/// the driver's kernel until arguments are set, so that fetching one costs next to nothing.
#[pyclass(frozen, subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct Kernel {
    shared: Arc<SharedKernel>,
    /// Tells this object from others that share its kernel.
    id: u64,
    /// A kernel of this object's own, made when its first argument is set.
    own: OnceLock<Runtime>,
    /// The objects that were set as arguments.
    kept: Mutex<Vec<Option<Py<PyAny>>>>,
    types: Declared,
    made: Made,
    #[cfg(vectorcall)]
    vectorcall: Vectorcall<Self>,
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

impl Kernel {
    /// An object that shares the driver's kernel with others until arguments are set.
    pub(crate) fn shared(shared: Arc<SharedKernel>) -> Self {
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Self {
            shared,
            id,
            own: OnceLock::new(),
            kept: Mutex::default(),
            types: Declared::default(),
            made: Made::new(),
            #[cfg(vectorcall)]
            vectorcall: Vectorcall::new(),
        }
    }

    /// An object with a kernel of its own.
    pub(crate) fn own(kernel: Runtime) -> Self {
        Self { own: OnceLock::from(kernel.clone()), ..Self::shared(Arc::new(kernel.into())) }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Option<Py<PyAny>>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kernel for a call that sets all arguments.
    #[inline]
    pub(crate) fn for_call(&self) -> &Runtime {
        self.own.get().unwrap_or_else(|| {
            self.shared.last_caller.store(self.id, Ordering::Relaxed);
            &self.shared.kernel
        })
    }

    /// The declared types of the arguments.
    #[inline]
    pub(crate) fn types(&self) -> Option<&[ArgType]> {
        self.types.get()
    }

    /// The kernel for a launch with the arguments that were set before.
    #[inline]
    pub(crate) fn as_set(&self) -> PyResult<&Runtime> {
        if let Some(own) = self.own.get() {
            return Ok(own);
        }
        if self.shared.last_caller.load(Ordering::Relaxed) == self.id {
            return Ok(&self.shared.kernel);
        }
        let text = format!("the arguments of kernel `{}` are not set", self.shared.kernel.name());
        Err(raise("clEnqueueNDRangeKernel", status::INVALID_KERNEL_ARGS, &text))
    }

    /// Refuses a launch with an argument that was released since it was set.
    pub(crate) fn check_kept(&self, py: Python<'_>) -> PyResult<()> {
        let kept = self.kept();
        for (index, object) in (0..).zip(kept.iter()) {
            let Some(object) = object else { continue };
            if let Ok(holder) = object.bind(py).cast::<MemoryObjectHolder>()
                && let Err(error) = holder.get().object.as_raw()
            {
                let came = error.detail();
                let error =
                    self.runtime().argument_error("clEnqueueNDRangeKernel", error.code(), index, came);
                return Err(to_py(&error));
            }
        }
        Ok(())
    }

    /// The kernel that questions are put to.
    fn runtime(&self) -> &Runtime {
        self.own.get().unwrap_or(&self.shared.kernel)
    }

    /// The kernel whose arguments are set one by one: this object's own from here on.
    #[inline]
    fn for_setting(&self, py: Python<'_>) -> PyResult<&Runtime> {
        if let Some(own) = self.own.get() {
            return Ok(own);
        }
        let fresh = detached(py, || self.shared.kernel.fresh())?;
        Ok(self.own.get_or_init(|| fresh))
    }

    /// Sets one argument of `kernel`, of the type that was declared for it, and keeps what it refers to.
    fn set(&self, kernel: &Runtime, index: u32, object: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
        self.set_as(self.types(), kernel, index, object)
    }

    /// The same for values that generated code has packed: what was declared does not matter.
    fn set_packed(&self, kernel: &Runtime, index: u32, object: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
        self.set_as(None, kernel, index, object)
    }

    fn set_as(
        &self,
        types: Option<&[ArgType]>,
        kernel: &Runtime,
        index: u32,
        object: Borrowed<'_, '_, PyAny>,
    ) -> PyResult<()> {
        let converted = convert_at(kernel, types, index, object)?;
        kernel.set_arg(index, &converted.as_arg()).map_err(|error| name_type(error, object))?;
        let kept = converted.refers_to_object().then(|| object.to_owned().unbind());
        self.keep(index, kept);
        Ok(())
    }

    fn keep(&self, index: u32, object: Option<Py<PyAny>>) {
        let mut kept = self.kept();
        let index = index as usize;
        if kept.len() <= index {
            if object.is_none() {
                return;
            }
            kept.resize_with(index + 1, || None);
        }
        let old = std::mem::replace(&mut kept[index], object);
        // What goes may run Python code, so the lock is left first.
        drop(kept);
        drop(old);
    }

    /// Notes that shared virtual memory among the arguments that were set is used by a launch on `queue`.
    pub(crate) fn note_uses(&self, py: Python<'_>, queue: &CommandQueue) {
        for object in self.kept().iter().flatten() {
            if let Ok(svm) = object.bind(py).cast::<SvmPointer>()
                && let Some(allocation) = svm.get().allocation()
            {
                allocation.used_on(queue);
            }
        }
    }

    /// Sets a flat list `(index, value, index, value, …)`.
    fn set_pairs(&self, list: &Bound<'_, PyTuple>) -> PyResult<()> {
        let kernel = self.for_setting(list.py())?;
        let mut items = list.iter_borrowed();
        while let (Some(index), Some(value)) = (items.next(), items.next()) {
            self.set_packed(kernel, index.extract()?, value)?;
        }
        Ok(())
    }
}

/// Converts the argument at `index`; errors name it.
#[inline]
pub(crate) fn convert_at<'a>(
    kernel: &Runtime,
    types: Option<&[ArgType]>,
    index: u32,
    object: Borrowed<'a, '_, PyAny>,
) -> PyResult<Converted<'a>> {
    let converted = match types.and_then(|types| types.get(index as usize)) {
        Some(kind) => convert_as(object, kind),
        None => convert(object),
    };
    converted.map_err(|error| name_argument(kernel, index, object.py(), error))
}

/// The error of a conversion, saying which argument it was and what was expected.
#[cold]
fn name_argument(kernel: &Runtime, index: u32, py: Python<'_>, error: PyErr) -> PyErr {
    let came = error.value(py).to_string();
    let named = to_py(&kernel.argument_error("Kernel.set_arg", status::INVALID_VALUE, index, came));
    named.set_cause(py, Some(error));
    named
}

/// The error of a driver that refused an argument, with the type of the object that it came from.
#[cold]
pub(crate) fn name_type(error: Error, object: Borrowed<'_, '_, PyAny>) -> PyErr {
    match error {
        Error::Argument(mut error) => {
            if let Ok(name) = object.get_type().name() {
                error.came = format!("{name}: {}", error.came);
            }
            if object.cast::<PyUntypedArray>().is_ok()
                && error.expected.as_ref().is_some_and(|expected| expected.starts_with("a memory object"))
            {
                error.came.push_str(" (copy it to a Buffer, or with pyopencl.array.to_device, first)");
            }
            to_py(&Error::Argument(error))
        }
        other => to_py(&other),
    }
}

#[pymethods]
impl Kernel {
    #[new]
    #[pyo3(signature = (program, name, /))]
    fn new(program: &ProgramBase, name: &str) -> PyResult<Self> {
        program.built()?.kernel(name).into_py().map(Self::own)
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Event>> {
        #[cfg(vectorcall)]
        crate::vectorcall::enable(slf);
        let args: SmallVec<[_; 20]> = args.iter_borrowed().collect();
        super::launch::call(slf, &args, &Keywords::new(slf.get(), kwargs.into_iter().flatten())?)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if !self.made.is_made() {
            return Ok(());
        }
        // Where another thread is setting an argument, the garbage collector comes again later.
        let Ok(kept) = self.kept.try_lock() else { return Ok(()) };
        kept.iter().flatten().try_for_each(|object| visit.call(object))
    }

    /// Set one argument, by its index from zero, for :func:`enqueue_nd_range_kernel`.
    fn set_arg(slf: &Bound<'_, Self>, arg_index: u32, arg: &Bound<'_, PyAny>) -> PyResult<()> {
        let kernel = slf.get().for_setting(slf.py())?;
        slf.get().set(kernel, arg_index, arg.as_borrowed())
    }

    /// Set all arguments for :func:`enqueue_nd_range_kernel`.
    #[pyo3(signature = (*args))]
    fn set_args(slf: &Bound<'_, Self>, args: &Bound<'_, PyTuple>) -> PyResult<()> {
        let kernel = slf.get().for_setting(slf.py())?;
        check_count(kernel, args.len())?;
        for (index, object) in (0..).zip(args.iter_borrowed()) {
            slf.get().set(kernel, index, object)?;
        }
        Ok(())
    }

    /// Declare the types of the arguments: a list with a dtype for each scalar, vector or struct, and ``None``
    /// for everything else. Plain Python numbers are converted from then on.
    fn set_arg_types(&self, arg_types: &Bound<'_, PyAny>) -> PyResult<()> {
        let types: Vec<_> =
            arg_types.try_iter()?.map(|item| ArgType::new(&item?)).collect::<PyResult<_>>()?;
        check_count(self.runtime(), types.len())?;
        self.types.set(types);
        Ok(())
    }

    /// The same as :meth:`set_arg_types`.
    fn set_scalar_arg_dtypes(&self, arg_types: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_arg_types(arg_types)
    }

    /// Set arguments from a flat tuple ``(index, value, index, value, …)``.
    #[pyo3(signature = (indices_and_args, /))]
    fn _set_arg_multi(&self, indices_and_args: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.set_pairs(indices_and_args)
    }

    /// The same for values with the buffer protocol.
    #[pyo3(signature = (indices_and_args, /))]
    fn _set_arg_buf_multi(&self, indices_and_args: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.set_pairs(indices_and_args)
    }

    /// The same for numbers, from a flat tuple ``(index, typechar, value, …)`` with the format characters of
    /// the module ``struct``.
    #[pyo3(signature = (indices_chars_and_args, /))]
    fn _set_arg_buf_pack_multi(&self, indices_chars_and_args: &Bound<'_, PyTuple>) -> PyResult<()> {
        let py = indices_chars_and_args.py();
        let kernel = self.for_setting(py)?;
        let pack = py.import("struct")?.getattr("pack")?;
        let mut items = indices_chars_and_args.iter_borrowed();
        while let (Some(index), Some(code), Some(value)) = (items.next(), items.next(), items.next()) {
            let bytes = pack.call1((code, value))?;
            self.set_packed(kernel, index.extract()?, bytes.as_borrowed())?;
        }
        Ok(())
    }

    /// Set one argument from an object with the buffer protocol.
    #[pyo3(signature = (arg_index, arg, /))]
    fn _set_arg_buf(&self, arg_index: u32, arg: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_packed(self.for_setting(arg.py())?, arg_index, arg.as_borrowed())
    }

    /// Set one argument to a null pointer.
    #[pyo3(signature = (arg_index, /))]
    fn _set_arg_null(&self, py: Python<'_>, arg_index: u32) -> PyResult<()> {
        self.for_setting(py)?.set_arg(arg_index, &Arg::Null).into_py()?;
        self.keep(arg_index, None);
        Ok(())
    }

    /// Set one argument to shared virtual memory.
    #[pyo3(signature = (arg_index, arg, /))]
    fn _set_arg_svm(slf: &Bound<'_, Self>, arg_index: u32, arg: &Bound<'_, SvmPointer>) -> PyResult<()> {
        Self::set_arg(slf, arg_index, arg)
    }

    /// Write a call of the kernel down as a program of its own, to *output_file* (a name or a file).
    #[pyo3(signature = (output_file, queue, global_size, local_size, *args, wait_for = None, g_times_l = false, allow_empty_ndrange = false, global_offset = None))]
    #[allow(clippy::too_many_arguments, reason = "the parameters of the Python method")]
    fn capture_call<'py>(
        slf: &Bound<'py, Self>,
        output_file: &Bound<'py, PyAny>,
        queue: &Bound<'py, PyAny>,
        global_size: &Bound<'py, PyAny>,
        local_size: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        wait_for: Option<&Bound<'py, PyAny>>,
        g_times_l: bool,
        allow_empty_ndrange: bool,
        global_offset: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let py = slf.py();
        let keywords = PyDict::new(py);
        keywords.set_item(intern!(py, "wait_for"), wait_for)?;
        keywords.set_item(intern!(py, "g_times_l"), g_times_l)?;
        keywords.set_item(intern!(py, "allow_empty_ndrange"), allow_empty_ndrange)?;
        keywords.set_item(intern!(py, "global_offset"), global_offset)?;
        let head = PyTuple::new(py, [slf.as_any(), output_file, queue, global_size, local_size])?;
        let all = head.as_sequence().concat(args.as_sequence())?.to_tuple()?;
        let capture = py.import("pyopencl.capture_call")?.getattr("capture_kernel_call")?;
        capture.call(all, Some(&keywords)).map(drop)
    }

    /// A kernel of the same function with arguments of its own, those set so far among them
    /// (OpenCL 2.1).
    fn clone(&self, py: Python<'_>) -> PyResult<Self> {
        let kernel = self.runtime();
        let mut copy = Self::own(detached(py, || kernel.duplicate())?);
        let kept = self.kept();
        let kept = kept.iter().map(|object| object.as_ref().map(|object| object.clone_ref(py)));
        copy.kept = Mutex::new(kept.collect());
        copy.types = self.types.duplicate();
        Ok(copy)
    }

    /// The answer of the driver to a question, a value of :class:`kernel_info`.
    fn get_info(&self, py: Python<'_>, param_name: i64) -> PyResult<Py<PyAny>> {
        get_info(py, self.runtime(), TABLES.kernel, param_name, "Kernel.get_info")
    }

    /// The answer to a question about the kernel on a device, a value of :class:`kernel_work_group_info`.
    fn get_work_group_info(&self, py: Python<'_>, param: u32, device: &Device) -> PyResult<Py<PyAny>> {
        let answer = self.runtime().work_group_info(param, &device.device).into_py()?;
        match answer.as_slice() {
            [number] => Ok(number.into_pyobject(py)?.into_any().unbind()),
            _ => Ok(answer.into_pyobject(py)?.into_any().unbind()),
        }
    }

    /// The answer to a question about the kernel's sub-groups on a device, a value of
    /// :class:`kernel_sub_group_info`. *input_value* is what the question takes: a local size, or a number of
    /// sub-groups.
    #[pyo3(signature = (device, param, input_value = None))]
    fn get_sub_group_info(
        &self,
        py: Python<'_>,
        device: &Device,
        param: u32,
        input_value: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let input = match input_value {
            None => Sizes::new(),
            Some(input) => match input.extract() {
                Ok(number) => Sizes::from_slice(&[number]),
                Err(_) => launch_sizes(input, "input_value")?,
            },
        };
        let answer = self.runtime().sub_group_info(param, &device.device, &input).into_py()?;
        match answer.as_slice() {
            [number] => Ok(number.into_pyobject(py)?.into_any().unbind()),
            _ => Ok(answer.into_pyobject(py)?.into_any().unbind()),
        }
    }

    /// The answer to a question about an argument (by index), a value of :class:`kernel_arg_info`.
    #[pyo3(signature = (arg_index, param, /))]
    fn get_arg_info(&self, py: Python<'_>, arg_index: u32, param: u32) -> PyResult<Py<PyAny>> {
        let kernel = self.runtime();
        if Runtime::arg_info_is_text(param) {
            let text = kernel.arg_info_text(arg_index, param).into_py()?;
            return Ok(text.into_pyobject(py)?.into_any().unbind());
        }
        let number = kernel.arg_info_number(arg_index, param).into_py()?;
        Ok(number.into_pyobject(py)?.into_any().unbind())
    }

    /// The C handle. Arguments that are set through it are this object's own.
    #[getter]
    fn int_ptr(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.for_setting(py)?.as_raw() as usize)
    }

    /// The kernel with this C handle; with *retain* false, a reference to it is given away.
    #[staticmethod]
    #[pyo3(signature = (int_ptr_value, retain = true))]
    fn from_int_ptr(int_ptr_value: usize, retain: bool) -> PyResult<Self> {
        // SAFETY: the caller vouches for the handle, which is what this method is for.
        unsafe { Runtime::from_raw(int_ptr_value as *mut _, retain) }.into_py().map(Self::own)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let kernel = slf.get().runtime();
        shown(slf, kernel.as_raw(), &format!(", '{}' with {} arguments", kernel.name(), kernel.arity()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().runtime() == self.runtime())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.runtime().hash(&mut hasher);
        hasher.finish()
    }
}

#[cfg(vectorcall)]
impl Called for Kernel {
    fn field(&self) -> &Vectorcall<Self> {
        &self.vectorcall
    }

    fn class() -> &'static Class {
        static CLASS: Class = Class::new();
        &CLASS
    }

    #[inline]
    fn called<'py>(slf: &Bound<'py, Self>, arguments: Arguments<'_, 'py>) -> PyResult<Py<PyAny>> {
        let keywords = Keywords::new(slf.get(), arguments.named())?;
        super::launch::call(slf, arguments.positional(), &keywords).map(|event| event.into_any().unbind())
    }
}

/// Refuses another number of arguments than the kernel takes.
#[inline]
pub(crate) fn check_count(kernel: &Runtime, count: usize) -> PyResult<()> {
    if count == kernel.arity() as usize {
        return Ok(());
    }
    Err(PyTypeError::new_err(kernel.wrong_count(count).detail()))
}

fn ask(object: &Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>> {
    let slf = object.cast::<Kernel>()?.get();
    answer(object.py(), (TABLES.kernel.questions[index].ask)(slf.runtime()))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<LocalMemory>()?;
    m.add_class::<Kernel>()?;
    #[cfg(vectorcall)]
    crate::vectorcall::register::<Kernel>(m.py());
    add_attributes(&m.py().get_type::<Kernel>(), TABLES.kernel, ask)
}
