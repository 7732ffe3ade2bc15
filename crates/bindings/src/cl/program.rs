//! Programs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opencl_runtime::cache::build_in;
use opencl_runtime::constants::ProgramKind;
use opencl_runtime::info::TABLES;
use opencl_runtime::{
    BuildOptions, Context as RuntimeContext, Device as RuntimeDevice, Program as Runtime, link,
    meaningful_log, status,
};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};

use super::context::Context;
use super::device::Device;
use super::kernel::{Kernel, SharedKernel};
use super::options::build_options;
use super::{hash_of, shown};
use crate::error::IntoPyResult;
use crate::gil::detached;
use crate::info::{add_attributes, answer, get_info};

/// The first bytes of a SPIR-V module, in either byte order.
const SPIRV_MAGIC: [[u8; 4]; 2] = [[0x07, 0x23, 0x02, 0x03], [0x03, 0x02, 0x23, 0x07]];

/// A program as the driver has it; :class:`pyopencl.Program` adds the cache and kernels as attributes.
#[pyclass(frozen, name = "_Program", subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct ProgramBase {
    kind: ProgramKind,
    context: RuntimeContext,
    /// The program; for source that is not built yet, the text that it will be made of.
    state: Mutex<State>,
}

enum State {
    Source(Arc<str>),
    Made(Runtime),
}

impl ProgramBase {
    pub(super) fn made(kind: ProgramKind, program: Runtime) -> Self {
        let context = program.context().clone();
        Self { kind, context, state: Mutex::new(State::Made(program)) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The runtime's program, made from its source if that has not happened yet.
    pub(crate) fn runtime(&self) -> PyResult<Runtime> {
        let mut state = self.state();
        match &*state {
            State::Made(program) => Ok(program.clone()),
            State::Source(source) => {
                let program = Runtime::with_source(&self.context, source).into_py()?;
                *state = State::Made(program.clone());
                Ok(program)
            }
        }
    }

    /// The program for its kernels.
    pub(crate) fn built(&self) -> PyResult<Runtime> {
        self.runtime()
    }

    fn set(&self, program: Runtime) {
        *self.state() = State::Made(program);
    }

    /// The source text, if the program is made of one.
    fn source(&self) -> Option<Arc<str>> {
        match &*self.state() {
            State::Source(source) => Some(Arc::clone(source)),
            State::Made(program) if self.kind == ProgramKind::SOURCE => program.source_text().cloned(),
            State::Made(_) => None,
        }
    }

    /// A program of source text, intermediate language, or binaries.
    fn create(
        py: Python<'_>,
        context: &Bound<'_, PyAny>,
        second: Option<&Bound<'_, PyAny>>,
        third: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if second.is_none() && third.is_none() {
            // A program of the driver's as one with a cache.
            let base = context.cast::<Self>()?.get();
            return Ok(Self::made(base.kind, base.runtime()?));
        }
        let context = &context.cast::<Context>()?.get().context;
        let Some(second) = second else {
            return Err(PyTypeError::new_err("a program needs source text, or devices and binaries"));
        };
        if let Some(binaries) = third {
            let devices = devices_of(second)?;
            let binaries: Vec<Vec<u8>> = binaries.extract()?;
            let views: Vec<&[u8]> = binaries.iter().map(Vec::as_slice).collect();
            let program = detached(py, || Runtime::with_binaries(context, &devices, &views))?;
            return Ok(Self::made(ProgramKind::BINARY, program));
        }
        if let Ok(bytes) = second.cast::<PyBytes>() {
            let bytes = bytes.as_bytes();
            if SPIRV_MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
                let program = detached(py, || Runtime::with_il(context, bytes))?;
                return Ok(Self::made(ProgramKind::IL, program));
            }
            return Ok(Self::of_source(context, &utf8(bytes)?));
        }
        Ok(Self::of_source(context, &second.extract::<String>()?))
    }

    fn of_source(context: &RuntimeContext, source: &str) -> Self {
        Self {
            kind: ProgramKind::SOURCE,
            context: context.clone(),
            state: Mutex::new(State::Source(source.into())),
        }
    }
}

/// Bytes as text.
fn utf8(bytes: &[u8]) -> PyResult<String> {
    String::from_utf8(bytes.to_vec()).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The devices of an iterable.
pub(super) fn devices_of(devices: &Bound<'_, PyAny>) -> PyResult<Vec<RuntimeDevice>> {
    devices.try_iter()?.map(|item| Ok(item?.cast_into::<Device>()?.get().device.clone())).collect()
}

pub(super) fn optional_devices(devices: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<RuntimeDevice>>> {
    // An empty list means all devices, as no list does.
    Ok(devices.map(devices_of).transpose()?.filter(|devices| !devices.is_empty()))
}

/// Options of a build without cache: `bytes` as they are, others with those of the package.
fn options_text(options: Option<&Bound<'_, PyAny>>, context: &RuntimeContext) -> PyResult<BuildOptions> {
    let Some(options) = options else { return Ok(BuildOptions::default()) };
    if let Ok(bytes) = options.cast::<PyBytes>() {
        return Ok(BuildOptions::text(utf8(bytes.as_bytes())?));
    }
    build_options(options.py(), Some(options), context)
}

/// Hands what the compiler said on to the package, which warns.
pub(super) fn report_logs(
    py: Python<'_>,
    program: &Runtime,
    devices: Option<&[RuntimeDevice]>,
) -> PyResult<()> {
    let all;
    let devices = match devices {
        Some(devices) => devices,
        None => {
            all = program.devices().into_py()?;
            &all
        }
    };
    for device in devices {
        let log = program.build_log(device).into_py()?;
        let log = meaningful_log(&log);
        if !log.is_empty() {
            let text = format!("Built for {} with this log:\n\n{log}", device.name().into_py()?);
            py.import("pyopencl._warnings")?.call_method1("compiler_output", (text,))?;
        }
    }
    Ok(())
}

#[pymethods]
impl ProgramBase {
    /// A program of source text or SPIR-V, or of one binary for each of some devices.
    #[new]
    #[pyo3(signature = (context, src = None, binaries = None, *, devices = None))]
    fn new(
        py: Python<'_>,
        context: &Bound<'_, PyAny>,
        src: Option<&Bound<'_, PyAny>>,
        binaries: Option<&Bound<'_, PyAny>>,
        devices: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if src.is_some() == devices.is_some() {
            return Err(PyTypeError::new_err("a program needs source text, or devices and binaries"));
        }
        Self::create(py, context, src.or(devices), binaries)
    }

    /// What the program was made from.
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("pyopencl._cl")?.getattr("program_kind")?.call1((self.kind.0,))
    }

    /// Compile and link, without any cache.
    #[pyo3(signature = (options_bytes, devices = None))]
    fn build<'py>(
        slf: &Bound<'py, Self>,
        options_bytes: Option<&Bound<'py, PyAny>>,
        devices: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let options = options_text(options_bytes, &slf.get().context)?;
        let devices = optional_devices(devices)?;
        let program = slf.get().runtime()?;
        detached(slf.py(), || program.build_for(&options, devices.as_deref()))?;
        report_logs(slf.py(), &program, devices.as_deref())?;
        Ok(slf.clone())
    }

    /// Compile without linking. *headers* is a list of names and programs that stand for them.
    #[pyo3(signature = (options = None, devices = None, headers = None))]
    fn compile<'py>(
        slf: &Bound<'py, Self>,
        options: Option<&Bound<'py, PyAny>>,
        devices: Option<&Bound<'py, PyAny>>,
        headers: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let options = options_text(options, &slf.get().context)?;
        let devices = optional_devices(devices)?;
        let mut programs = Vec::new();
        for item in headers.map(|headers| headers.try_iter()).transpose()?.into_iter().flatten() {
            let (name, program): (String, Bound<'_, PyAny>) = item?.extract()?;
            programs.push((name, program.cast::<Self>()?.get().runtime()?));
        }
        let headers: Vec<_> = programs.iter().map(|(name, program)| (name.as_str(), program)).collect();
        let program = slf.get().runtime()?;
        detached(slf.py(), || program.compile(&options, devices.as_deref(), &headers))?;
        report_logs(slf.py(), &program, devices.as_deref())?;
        Ok(slf.clone())
    }

    /// Link compiled programs to one.
    #[staticmethod]
    #[pyo3(signature = (context, programs, options = None, devices = None))]
    fn link(
        py: Python<'_>,
        context: &Context,
        programs: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyAny>>,
        devices: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let inputs = programs
            .try_iter()?
            .map(|item| item?.cast::<Self>()?.get().runtime())
            .collect::<PyResult<Vec<_>>>()?;
        let text = options.map_or(Ok(String::new()), |options| options.extract())?;
        let devices = optional_devices(devices)?;
        let context = &context.context;
        let linked = detached(py, || link(context, &inputs, &BuildOptions::text(text), devices.as_deref()))?;
        Ok(Self::made(ProgramKind::UNKNOWN, linked))
    }

    /// A program of kernels that the devices bring with them; names are separated by semicolons.
    #[staticmethod]
    fn create_with_built_in_kernels(
        py: Python<'_>,
        context: &Context,
        devices: &Bound<'_, PyAny>,
        kernel_names: &str,
    ) -> PyResult<Self> {
        let devices = devices_of(devices)?;
        let context = &context.context;
        let program = detached(py, || Runtime::with_built_in_kernels(context, &devices, kernel_names))?;
        Ok(Self::made(ProgramKind::UNKNOWN, program))
    }

    /// Give a specialization constant its value, anything with the buffer protocol.
    fn set_specialization_constant(&self, spec_id: u32, buffer: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = buffer.py().get_type::<PyBytes>().call1((buffer,))?;
        let value = value.cast::<PyBytes>()?.as_bytes();
        self.runtime()?.set_specialization_constant(spec_id, value).into_py()
    }

    /// All kernels of the built program.
    fn all_kernels(&self, py: Python<'_>) -> PyResult<Vec<Kernel>> {
        let program = self.runtime()?;
        Ok(detached(py, || program.all_kernels())?.into_iter().map(Kernel::own).collect())
    }

    /// The answer of the driver to a question, a value of :class:`program_info`.
    fn get_info(&self, py: Python<'_>, arg: i64) -> PyResult<Py<PyAny>> {
        get_info(py, &self.runtime()?, TABLES.program, arg, "Program.get_info")
    }

    /// The answer to a question about the build for a device, a value of :class:`program_build_info`.
    #[pyo3(signature = (device, param, /))]
    fn get_build_info(&self, py: Python<'_>, device: &Device, param: u32) -> PyResult<Py<PyAny>> {
        let (program, device) = (self.runtime()?, &device.device);
        if Runtime::build_info_is_text(param) {
            let text = program.build_info_text(device, param).into_py()?;
            return Ok(text.into_pyobject(py)?.into_any().unbind());
        }
        let number = program.build_info_number(device, param).into_py()?;
        Ok(number.into_pyobject(py)?.into_any().unbind())
    }

    /// The C handle.
    #[getter]
    fn int_ptr(&self) -> PyResult<usize> {
        Ok(self.runtime()?.as_raw() as usize)
    }

    /// The program with this C handle; with *retain* false, a reference to it is given away.
    #[staticmethod]
    #[pyo3(signature = (int_ptr_value, retain = true))]
    fn from_int_ptr(int_ptr_value: usize, retain: bool) -> PyResult<Self> {
        // SAFETY: the caller vouches for the handle, which is what this method is for.
        let program = unsafe { Runtime::from_raw(int_ptr_value as *mut _, retain) }.into_py()?;
        Ok(Self::made(ProgramKind::UNKNOWN, program))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, slf.get().runtime()?.as_raw(), "")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => Ok(other.get().runtime()? == self.runtime()?),
            Err(_) => Ok(false),
        }
    }

    fn __hash__(&self) -> PyResult<u64> {
        Ok(hash_of(self.runtime()?.as_raw()))
    }
}

/// A kernel that was fetched by attribute: its name, interned, the driver's kernel, and how often.
struct Fetched {
    name: Py<PyString>,
    kernel: Arc<SharedKernel>,
    times: u32,
}

/// A program: ``Program(context, source)``, ``Program(context, spirv)`` or
/// ``Program(context, devices, binaries)``. Once built, its kernels are attributes.
#[pyclass(frozen, extends = ProgramBase, subclass, module = "pyopencl")]
pub(crate) struct Program {
    fetched: Mutex<Vec<Fetched>>,
}

impl Program {
    fn layers(base: ProgramBase) -> PyClassInitializer<Self> {
        PyClassInitializer::from(base).add_subclass(Self { fetched: Mutex::default() })
    }

    /// Wraps a program of the runtime.
    pub(crate) fn wrap(py: Python<'_>, program: Runtime) -> PyResult<Py<Self>> {
        let kind = if program.source_text().is_some() { ProgramKind::SOURCE } else { ProgramKind::UNKNOWN };
        Py::new(py, Self::layers(ProgramBase::made(kind, program)))
    }

    fn fetched(&self) -> MutexGuard<'_, Vec<Fetched>> {
        self.fetched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kernel of this name if it was fetched before, and whether this is the second time.
    #[inline]
    fn fetch_again(&self, name: &Bound<'_, PyString>) -> Option<(Kernel, bool)> {
        let mut fetched = self.fetched();
        let found = fetched.iter_mut().find(|known| known.name.as_ptr() == name.as_ptr())?;
        found.times = found.times.saturating_add(1);
        Some((Kernel::shared(Arc::clone(&found.kernel)), found.times == 2))
    }

    /// The kernel of this name, fetched for the first time.
    #[cold]
    fn fetch(slf: &Bound<'_, Self>, name: &Bound<'_, PyString>) -> PyResult<Kernel> {
        let text = name.to_str()?;
        let missing = || {
            let text = format!("'{text}' was not found as a program info attribute or as a kernel name");
            Err(PyAttributeError::new_err(text))
        };
        if text.starts_with("__") {
            // What Python itself asks for is no kernel.
            return missing();
        }
        let base = slf.as_super().get();
        if matches!(&*base.state(), State::Source(_)) {
            let text = c"a kernel is fetched from a program that is not built";
            PyErr::warn(slf.py(), &slf.py().get_type::<PyUserWarning>(), text, 1)?;
        }
        match base.runtime()?.kernel(text) {
            Ok(kernel) => {
                let kernel = Arc::new(SharedKernel::from(kernel));
                let known = Fetched {
                    name: PyString::intern(slf.py(), text).unbind(),
                    kernel: Arc::clone(&kernel),
                    times: 1,
                };
                slf.get().fetched().push(known);
                Ok(Kernel::shared(kernel))
            }
            Err(error) if error.code() == status::INVALID_KERNEL_NAME => missing(),
            // So that `hasattr` works.
            Err(error) if error.code() == status::INVALID_PROGRAM_EXECUTABLE => {
                Err(PyAttributeError::new_err(error.to_string()))
            }
            Err(error) => Err(crate::error::to_py(&error)),
        }
    }
}

#[pymethods]
impl Program {
    #[new]
    #[pyo3(signature = (arg1, arg2 = None, arg3 = None))]
    fn new(
        py: Python<'_>,
        arg1: &Bound<'_, PyAny>,
        arg2: Option<&Bound<'_, PyAny>>,
        arg3: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        ProgramBase::create(py, arg1, arg2, arg3).map(Self::layers)
    }

    fn __getattribute__<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyString>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        if let Some((kernel, second)) = slf.get().fetch_again(name) {
            if second {
                warn_of_repetition(py, name)?;
            }
            return Ok(Py::new(py, kernel)?.into_any());
        }
        // SAFETY: both objects are alive; the result is a new reference or null with an exception set.
        let found = unsafe {
            let raw = ffi::PyObject_GenericGetAttr(slf.as_ptr(), name.as_ptr());
            Bound::from_owned_ptr_or_err(py, raw)
        };
        found.map(Bound::unbind)
    }

    /// The kernel of this name: called for what is no attribute.
    fn __getattr__(slf: &Bound<'_, Self>, attr: &Bound<'_, PyString>) -> PyResult<Kernel> {
        Self::fetch(slf, attr)
    }

    /// The kernel of this name. Becomes ``__getattr__`` of the class, see `show_getattr`.
    fn _getattr(slf: &Bound<'_, Self>, attr: &Bound<'_, PyString>) -> PyResult<Kernel> {
        Self::fetch(slf, attr)
    }

    /// Compile and link for *devices* (all of the context by default), or take what was built before from the
    /// cache. Returns the program itself.
    ///
    /// *options* is text, or a list of options. *cache_dir* is the folder of the cache, ``False`` for none; by
    /// default that is the attribute ``cache_dir`` of the context, else one of the user's. Raises
    /// :class:`RuntimeError` with the log, the options and the source lines concerned.
    #[pyo3(signature = (options = None, devices = None, cache_dir = None))]
    fn build<'py>(
        slf: &Bound<'py, Self>,
        options: Option<&Bound<'py, PyAny>>,
        devices: Option<&Bound<'py, PyAny>>,
        cache_dir: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let py = slf.py();
        let base = slf.as_super().get();
        let options = build_options(py, options, &base.context)?;
        let devices = optional_devices(devices)?;
        match base.source() {
            Some(source) => {
                let context = &base.context;
                let cache = super::cache::named(cache_dir, context)?;
                let built =
                    detached(py, || build_in(&cache, context, &source, &options, devices.as_deref()))?;
                if !built.found {
                    report_logs(py, &built.program, devices.as_deref())?;
                }
                base.set(built.program);
            }
            None => {
                let program = base.runtime()?;
                detached(py, || program.build_for(&options, devices.as_deref()))?;
                report_logs(py, &program, devices.as_deref())?;
            }
        }
        slf.get().fetched().clear();
        Ok(slf.clone())
    }

    /// The driver's program.
    fn _get_prg<'py>(slf: &Bound<'py, Self>) -> Bound<'py, ProgramBase> {
        slf.as_super().clone()
    }

    /// The program with this C handle; with *retain* false, a reference to it is given away.
    #[staticmethod]
    #[pyo3(signature = (int_ptr_value, retain = true))]
    fn from_int_ptr(py: Python<'_>, int_ptr_value: usize, retain: bool) -> PyResult<Py<Self>> {
        Py::new(py, Self::layers(ProgramBase::from_int_ptr(int_ptr_value, retain)?))
    }
}

#[cold]
fn warn_of_repetition(py: Python<'_>, name: &Bound<'_, PyString>) -> PyResult<()> {
    let category = py.import("pyopencl._warnings")?.getattr("RepeatedKernelRetrieval")?;
    let text = format!(
        "Kernel '{name}' has been retrieved more than once, each time as an object of its own: \
         make it once, with pyopencl.Kernel(program, {name:?})\0"
    );
    let text = std::ffi::CStr::from_bytes_with_nul(text.as_bytes()).unwrap_or_default();
    PyErr::warn(py, category.cast::<PyType>()?, text, 1)
}

/// A program from intermediate language, SPIR-V for instance.
#[pyfunction]
#[pyo3(signature = (context, il, /))]
fn _create_program_with_il(py: Python<'_>, context: &Context, il: &[u8]) -> PyResult<ProgramBase> {
    let program = detached(py, || Runtime::with_il(&context.context, il))?;
    Ok(ProgramBase::made(ProgramKind::IL, program))
}

fn ask(object: &Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>> {
    let slf = object.cast::<ProgramBase>()?.get();
    answer(object.py(), (TABLES.program.questions[index].ask)(&slf.runtime()?))
}

/// Lets subclasses call `__getattr__`, which Python's types have as a slot alone. Setting the attribute in the usual way
/// would also put the interpreter's own, slower search in place of that slot.
fn show_getattr(class: &Bound<'_, PyType>) -> PyResult<()> {
    let view = class.getattr("__dict__")?;
    let attributes = class.py().import("gc")?.call_method1("get_referents", (view,))?.get_item(0)?;
    attributes.set_item("__getattr__", attributes.call_method1("pop", ("_getattr",))?)?;
    // SAFETY: the class is alive.
    unsafe { ffi::PyType_Modified(class.as_type_ptr()) };
    Ok(())
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<ProgramBase>()?;
    m.add_class::<Program>()?;
    m.add_function(wrap_pyfunction!(_create_program_with_il, m)?)?;
    let class = m.py().get_type::<Program>();
    show_getattr(&class)?;
    add_attributes(&class, TABLES.program, ask)
}
