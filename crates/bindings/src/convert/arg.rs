//! Arguments of kernels.
//!
//! How an argument is converted is decided by its exact Python type, or once for the kernel by
//! [`ArgType`]s: nothing is tried out.

use numpy::{PyArrayDescr, PyArrayDescrMethods};
use opencl_runtime::{Arg, MemObject};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyType};
use pyo3::{Borrowed, ffi};
use smallvec::SmallVec;

use super::host::HostMemory;
use crate::cl::buffer::Buffer;
use crate::cl::kernel::LocalMemory;
use crate::cl::memory::MemoryObjectHolder;
use crate::cl::queue::CommandQueue;
use crate::cl::sampler::Sampler;
use crate::cl::svm::SvmPointer as PySvmPointer;

/// An argument, with its bytes where these are no object's.
pub(crate) enum Converted<'a> {
    /// As the runtime takes it.
    Ready(Arg<'a>),
    /// A scalar: the bytes and how many they are.
    Inline([u8; 16], usize),
    Heap(Vec<u8>),
}

/// The arguments of one launch; most kernels have fewer than 17.
pub(crate) type ConvertedList<'a> = SmallVec<[Converted<'a>; 16]>;

impl Converted<'_> {
    /// As the runtime takes it.
    #[inline]
    pub(crate) fn as_arg(&self) -> Arg<'_> {
        match self {
            Self::Ready(arg) => *arg,
            Self::Inline(bytes, size) => Arg::Bytes(&bytes[..*size]),
            Self::Heap(bytes) => Arg::Bytes(bytes),
        }
    }

    /// Whether the object has to be kept until the launch.
    pub(crate) fn refers_to_object(&self) -> bool {
        matches!(self, Self::Ready(Arg::Mem(_) | Arg::Queue(_) | Arg::Sampler(_) | Arg::Svm(_)))
    }
}

/// What a kernel was told of one of its arguments.
#[derive(Debug)]
pub(crate) enum ArgType {
    /// Nothing: the argument's own type decides.
    Any,
    /// A scalar.
    Scalar(Scalar),
    /// A vector or struct of this dtype.
    Bytes(Py<PyArrayDescr>, usize),
}

impl PartialEq for ArgType {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, Self::Any) => true,
            (Self::Scalar(one), Self::Scalar(other)) => one == other,
            (Self::Bytes(one, _), Self::Bytes(other, _)) => one.as_ptr() == other.as_ptr(),
            _ => false,
        }
    }
}

/// Scalars that Python numbers are converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Bool,
    Int { size: usize, signed: bool },
    Float(usize),
    Complex(usize),
}

impl ArgType {
    /// From an entry of `set_arg_types`: `None`, or whatever NumPy takes as a dtype.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_none() {
            return Ok(Self::Any);
        }
        let dtype = PyArrayDescr::new(object.py(), object.clone())?;
        let size = dtype.itemsize();
        let scalar = match dtype.kind() {
            b'b' => Scalar::Bool,
            b'i' => Scalar::Int { size, signed: true },
            b'u' => Scalar::Int { size, signed: false },
            b'f' => Scalar::Float(size),
            b'c' => Scalar::Complex(size),
            _ => return Ok(Self::Bytes(dtype.unbind(), size)),
        };
        Ok(Self::Scalar(scalar))
    }
}

/// NumPy's scalar types with their sizes in bytes.
struct ScalarTypes(Vec<(Py<PyType>, usize)>);

static SCALAR_TYPES: PyOnceLock<ScalarTypes> = PyOnceLock::new();

const SCALAR_NAMES: [&str; 16] = [
    "int32",
    "float32",
    "int64",
    "float64",
    "uint32",
    "uint64",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "longlong",
    "ulonglong",
    "bool_",
    "float16",
    "complex64",
    "complex128",
];

/// The size of a NumPy scalar of exactly that type; `None` for anything else.
#[inline]
fn scalar_size(py: Python<'_>, kind: *mut ffi::PyTypeObject) -> PyResult<Option<usize>> {
    let types = SCALAR_TYPES.get_or_try_init(py, || {
        let numpy = py.import("numpy")?;
        let look_up = |name: &str| {
            let kind = numpy.getattr(name)?.cast_into::<PyType>()?;
            let size = PyArrayDescr::new(py, &kind)?.itemsize();
            Ok((kind.unbind(), size))
        };
        SCALAR_NAMES.into_iter().map(look_up).collect::<PyResult<_>>().map(ScalarTypes)
    })?;
    Ok(types.size_of(kind))
}

impl ScalarTypes {
    #[inline]
    fn size_of(&self, kind: *mut ffi::PyTypeObject) -> Option<usize> {
        self.0.iter().find(|(known, _)| known.as_ptr() == kind.cast()).map(|(_, size)| *size)
    }
}

/// NumPy's C interface (`numpy/arrayscalars.h`) lays a scalar out as the head of an object and the value.
const HEAD: usize = size_of::<ffi::PyObject>();

/// The first `size` bytes of a NumPy scalar, which is of one of [`SCALAR_NAMES`]'s types.
#[inline]
pub(crate) fn scalar_bytes(object: Borrowed<'_, '_, PyAny>, size: usize) -> [u8; 16] {
    let mut bytes = [0; 16];
    // SAFETY: the object is alive and holds a value of `size` bytes, at most 16, behind its head.
    unsafe {
        let value = object.as_ptr().cast::<u8>().add(HEAD);
        std::ptr::copy_nonoverlapping(value, bytes.as_mut_ptr(), size.min(16));
    }
    bytes
}

/// The first `size` bytes of a NumPy scalar where they lie. Scalars do not change.
#[inline]
fn scalar_view<'a>(object: Borrowed<'a, '_, PyAny>, size: usize) -> &'a [u8] {
    // SAFETY: as for `scalar_bytes`; the object lives as long as the slice.
    unsafe { std::slice::from_raw_parts(object.as_ptr().cast::<u8>().add(HEAD), size) }
}

/// Converts a buffer of no particular class, which is what most arguments are.
#[inline(always)]
pub(crate) fn convert_buffer<'a>(object: Borrowed<'a, '_, PyAny>) -> Option<Converted<'a>> {
    object.cast_exact::<Buffer>().ok()?;
    // SAFETY: a buffer is a memory object.
    let holder = unsafe { object.cast_unchecked::<MemoryObjectHolder>() };
    Some(Converted::Ready(Arg::Mem(&holder.get().object)))
}

/// An argument that is converted without running any of Python's code.
pub(crate) enum Plain<'a> {
    /// A buffer.
    Memory(&'a MemObject),
    /// A NumPy scalar, where it lies.
    Scalar(&'a [u8]),
    /// A number as what was declared: the bytes and how many they are.
    Number([u8; 8], usize),
}

/// Converts what most arguments are: a buffer or a NumPy scalar of which nothing was declared, and a number that fits
/// what was. Anything else is left to [`convert`] and [`convert_as`].
#[inline(always)]
pub(crate) fn plain<'a>(object: Borrowed<'a, '_, PyAny>, declared: Option<&ArgType>) -> Option<Plain<'a>> {
    match declared {
        None | Some(ArgType::Any) => {
            if object.cast_exact::<Buffer>().is_ok() {
                // SAFETY: a buffer is a memory object.
                let holder = unsafe { object.cast_unchecked::<MemoryObjectHolder>() };
                return Some(Plain::Memory(&holder.get().object));
            }
            let types = SCALAR_TYPES.get(object.py())?;
            types.size_of(object.get_type_ptr()).map(|size| Plain::Scalar(scalar_view(object, size)))
        }
        Some(ArgType::Scalar(scalar)) => plain_number(object, *scalar),
        Some(ArgType::Bytes(..)) => None,
    }
}

/// A number of Python's own classes as a scalar that it fits.
#[inline]
fn plain_number<'a>(object: Borrowed<'a, '_, PyAny>, scalar: Scalar) -> Option<Plain<'a>> {
    match scalar {
        Scalar::Int { size, signed } => {
            object.cast_exact::<PyInt>().ok()?;
            let mut overflow = 0;
            // SAFETY: the object is alive, and an integer.
            let number = unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
            // What lies beyond the bits of the type is all zero or, for negative numbers, all one.
            let beyond = number >> (8 * size - usize::from(signed)).min(63);
            let fits = overflow == 0 && (beyond == 0 || signed && beyond == -1);
            fits.then(|| Plain::Number(number.to_le_bytes(), size))
        }
        Scalar::Float(size @ (4 | 8)) => {
            object.cast_exact::<PyFloat>().ok()?;
            // SAFETY: the object is alive, and a float.
            let number = unsafe { ffi::PyFloat_AsDouble(object.as_ptr()) };
            let bytes = if size == 8 {
                number.to_ne_bytes()
            } else {
                u64::from((number as f32).to_bits()).to_le_bytes()
            };
            Some(Plain::Number(bytes, size))
        }
        _ => None,
    }
}

/// Converts an argument by its own type. The error says what it is; the caller adds which argument it was.
#[inline]
pub(crate) fn convert<'a>(object: Borrowed<'a, '_, PyAny>) -> PyResult<Converted<'a>> {
    if let Some(buffer) = convert_buffer(object) {
        return Ok(buffer);
    }
    if let Some(size) = scalar_size(object.py(), object.get_type_ptr())? {
        return Ok(Converted::Ready(Arg::Bytes(scalar_view(object, size))));
    }
    convert_other(object)
}

fn convert_other<'a>(object: Borrowed<'a, '_, PyAny>) -> PyResult<Converted<'a>> {
    if let Ok(holder) = object.cast::<MemoryObjectHolder>() {
        return Ok(Converted::Ready(Arg::Mem(&holder.get().object)));
    }
    if object.is_none() {
        return Ok(Converted::Ready(Arg::Null));
    }
    if let Ok(sampler) = object.cast::<Sampler>() {
        return Ok(Converted::Ready(Arg::Sampler(&sampler.get().sampler)));
    }
    if let Ok(local) = object.cast::<LocalMemory>() {
        return Ok(Converted::Ready(Arg::Local(local.get().size)));
    }
    if let Ok(queue) = object.cast::<CommandQueue>() {
        return queue.get().live(object.py()).map(|queue| Converted::Ready(Arg::Queue(queue)));
    }
    if let Ok(pointer) = object.cast::<PySvmPointer>() {
        return pointer.get().runtime().map(|pointer| Converted::Ready(Arg::Svm(pointer)));
    }
    if object.is_instance_of::<PyInt>() || object.is_instance_of::<PyFloat>() {
        let text = format!(
            "a Python {} of unknown size: pass a NumPy scalar, or declare the kernel's types with set_arg_types",
            object.get_type().name()?
        );
        return Err(PyTypeError::new_err(text));
    }
    if object.hasattr("__array_interface__")? || has_buffer(object) {
        return bytes_of(&object).map(Converted::Heap);
    }
    // An array of the package: its memory is an attribute.
    if object.hasattr("base_data")? {
        let text = format!("a {}: pass its memory, `.data` or `.base_data`", object.get_type().name()?);
        return Err(PyTypeError::new_err(text));
    }
    Err(PyTypeError::new_err(format!("an object of type {}", object.get_type().name()?)))
}

/// Whether an object has the buffer protocol.
fn has_buffer(object: Borrowed<'_, '_, PyAny>) -> bool {
    // SAFETY: the object is alive.
    unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

/// The bytes of an object with the buffer protocol.
fn bytes_of(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let host = HostMemory::readable(object)?;
    if host.size == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the object is alive and its memory holds that many bytes.
    Ok(unsafe { std::slice::from_raw_parts(host.address.cast::<u8>(), host.size) }.to_vec())
}

/// Converts an argument to a declared type.
#[inline]
pub(crate) fn convert_as<'a>(object: Borrowed<'a, '_, PyAny>, kind: &ArgType) -> PyResult<Converted<'a>> {
    match kind {
        ArgType::Any => convert(object),
        ArgType::Scalar(scalar) => pack(&object, *scalar),
        ArgType::Bytes(dtype, size) => {
            let dtype = dtype.bind(object.py());
            if object.is_none() {
                return Err(PyTypeError::new_err(format!("None, but a value of dtype {dtype} is needed")));
            }
            // What is no such value yet is converted by NumPy, a tuple of fields for instance.
            let is_value =
                has_buffer(object) && object.getattr("dtype").is_ok_and(|own| own.eq(dtype).unwrap_or(false));
            let bytes = if is_value {
                bytes_of(&object)?
            } else {
                let array = object.py().import("numpy")?.call_method1("array", (object, dtype))?;
                array.call_method0("tobytes")?.cast::<PyBytes>()?.as_bytes().to_vec()
            };
            if bytes.len() != *size {
                let text = format!("{} bytes, but a value of dtype {dtype} has {size}", bytes.len());
                return Err(PyTypeError::new_err(text));
            }
            Ok(Converted::Heap(bytes))
        }
    }
}

/// A number as the bytes of a scalar.
#[inline]
pub(crate) fn pack<'a>(object: &Bound<'_, PyAny>, scalar: Scalar) -> PyResult<Converted<'a>> {
    let mut bytes = [0_u8; 16];
    let size = match scalar {
        Scalar::Bool => {
            bytes[0] = object.is_truthy()?.into();
            1
        }
        Scalar::Int { size, signed } => {
            let number = integer(object)?;
            let bits = 8 * size as u32;
            let (low, high) = if signed {
                (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
            } else {
                (0, (1_i128 << bits) - 1)
            };
            if !(low..=high).contains(&number) {
                let kind = if signed { "int" } else { "uint" };
                return Err(PyOverflowError::new_err(format!("{number}, which does not fit {kind}{bits}")));
            }
            bytes[..size].copy_from_slice(&number.to_le_bytes()[..size]);
            size
        }
        Scalar::Float(size) => {
            write_float(&mut bytes, number(object)?, size, object.py())?;
            size
        }
        Scalar::Complex(size) => {
            let complex = object.cast::<pyo3::types::PyComplex>().ok().map(|complex| {
                use pyo3::types::PyComplexMethods;
                (complex.real(), complex.imag())
            });
            let (real, imag) = match complex {
                Some(parts) => parts,
                None => match object.extract::<f64>() {
                    Ok(real) => (real, 0.0),
                    Err(_) => (object.getattr("real")?.extract()?, object.getattr("imag")?.extract()?),
                },
            };
            let (low, high) = bytes.split_at_mut(size / 2);
            write_float(low, real, size / 2, object.py())?;
            write_float(high, imag, size / 2, object.py())?;
            size
        }
    };
    Ok(Converted::Inline(bytes, size))
}

fn integer(object: &Bound<'_, PyAny>) -> PyResult<i128> {
    if let Ok(number) = object.extract::<i64>() {
        return Ok(number.into());
    }
    object.extract::<u64>().map(i128::from).map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(object.py()) {
            PyOverflowError::new_err(format!("{object}, which does not fit 64 bits"))
        } else {
            unfit(object, "an integer")
        }
    })
}

fn number(object: &Bound<'_, PyAny>) -> PyResult<f64> {
    object.extract().map_err(|_| unfit(object, "a number"))
}

fn unfit(object: &Bound<'_, PyAny>, needed: &str) -> PyErr {
    match object.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("an object of type {name}, but {needed} is needed")),
        Err(error) => error,
    }
}

/// A float of 2, 4 or 8 bytes.
fn write_float(bytes: &mut [u8], value: f64, size: usize, py: Python<'_>) -> PyResult<()> {
    match size {
        8 => bytes[..8].copy_from_slice(&value.to_ne_bytes()),
        // Rounding to the nearest is what NumPy does.
        4 => bytes[..4].copy_from_slice(&(value as f32).to_ne_bytes()),
        2 => {
            let half = py.import("numpy")?.call_method1("float16", (value,))?;
            bytes[..2].copy_from_slice(half.call_method0("tobytes")?.cast::<PyBytes>()?.as_bytes());
        }
        _ => {
            return Err(PyTypeError::new_err(format!(
                "floating-point numbers of {size} bytes are not known to OpenCL"
            )));
        }
    }
    Ok(())
}
