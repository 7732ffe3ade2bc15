//! Arguments of kernels, and how they are set.

use std::ffi::c_void;
use std::sync::atomic::Ordering;
use std::{fmt, ptr};

use bytemuck::NoUninit;

use super::Kernel;
use crate::call::call;
use crate::constants::MemObjectType;
use crate::kernel::parameter::{Parameter, Takes};
use crate::kernel::values::Values;
use crate::{CommandQueue, Error, MemObject, Result, Sampler, SvmPointer, status};

/// One argument.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Arg<'a> {
    /// A memory object. [`Buffer`](crate::Buffer)s, [`Image`](crate::Image)s and [`Pipe`](crate::Pipe)s fit
    /// with `&`.
    Mem(&'a MemObject),
    /// The bytes of a scalar, vector or struct, laid out as the device wants them.
    Bytes(&'a [u8]),
    /// Local memory of so many bytes.
    Local(usize),
    /// A null pointer to global or constant memory.
    Null,
    /// A queue of the device.
    Queue(&'a CommandQueue),
    /// Shared virtual memory, as a pointer to global or constant memory.
    Svm(SvmPointer<'a>),
    /// A sampler.
    Sampler(&'a Sampler),
}

impl<'a> Arg<'a> {
    /// A value by its bytes: a number such as `&2.5_f32`, an array for a vector type (`&[0_f32; 4]`), or a struct
    /// of yours that is laid out as the device's (`#[repr(C)]`, without padding).
    ///
    /// ```
    /// use opencl_runtime::Arg;
    ///
    /// let args = [Arg::scalar(&7_u32), Arg::scalar(&[0.0_f32, 1.0])];
    /// assert!(matches!(args[1], Arg::Bytes(bytes) if bytes.len() == 8));
    /// ```
    #[must_use]
    pub fn scalar<T: NoUninit>(value: &'a T) -> Self {
        Self::Bytes(bytemuck::bytes_of(value))
    }

    /// What came, for messages.
    fn describe(&self) -> String {
        match self {
            Self::Mem(object) => format!("{} of {} bytes", name_of(object.kind()), object.size()),
            Self::Bytes(bytes) => format!("a value of {} bytes", bytes.len()),
            Self::Local(size) => format!("local memory of {size} bytes"),
            Self::Null => "a null pointer".to_owned(),
            Self::Queue(_) => "a command queue".to_owned(),
            Self::Svm(pointer) => format!("shared virtual memory of {} bytes", pointer.size()),
            Self::Sampler(_) => "a sampler".to_owned(),
        }
    }
}

impl Kernel {
    /// Sets one argument for later launches with [`launch_as_set`](Self::launch_as_set)
    /// (`clSetKernelArg`). The kernel does not keep the object alive: the caller does, until the
    /// launch is enqueued.
    ///
    /// # Errors
    /// `INVALID_ARG_INDEX` if the kernel has no such argument, else what the function gives, with the
    /// argument's position, name and type.
    pub fn set_arg(&self, index: u32, arg: &Arg<'_>) -> Result<()> {
        let takes = self.parameters().get(index as usize).map_or(Takes::Anything, |known| known.takes);
        self.set_taken(&mut self.lock(), index, arg, takes)
    }

    /// Sets one argument of which the kernel takes that; the kernel's lock is held by the caller.
    #[inline(always)]
    pub(super) fn set_taken(
        &self,
        values: &mut Values,
        index: u32,
        arg: &Arg<'_>,
        takes: Takes,
    ) -> Result<()> {
        // What most arguments are, first.
        match (arg, takes) {
            (Arg::Mem(object), Takes::Pointer) if object.kind() == MemObjectType::BUFFER => {
                self.set_object(index, arg, object.raw_in(self.0.context, "clSetKernelArg"))
            }
            (Arg::Bytes(bytes), Takes::Value(size)) if bytes.len() == size => {
                self.set_bytes(values, index, arg, bytes)
            }
            _ => self.set_any(values, index, arg, takes),
        }
    }

    fn set_any(&self, values: &mut Values, index: u32, arg: &Arg<'_>, takes: Takes) -> Result<()> {
        if !fits(takes, arg) {
            return Err(self.misfit(index, arg, takes));
        }
        if !matches!(arg, Arg::Bytes(_)) {
            values.forget(index);
        }
        match arg {
            Arg::Mem(object) => self.set_object(index, arg, object.raw_in(self.0.context, "clSetKernelArg")),
            Arg::Bytes(bytes) => self.set_bytes(values, index, arg, bytes),
            Arg::Local(0) => Err(self.empty_local(index)),
            Arg::Local(size) => self.set_raw(index, arg, *size, ptr::null()),
            Arg::Null => self.set_raw(index, arg, size_of::<*mut c_void>(), ptr::null()),
            Arg::Queue(queue) => self.set_object(index, arg, Ok(queue.as_raw())),
            Arg::Svm(pointer) => {
                let set = self.set_svm_locked(index, pointer);
                set.map_err(|error| self.explain(index, arg, &error))
            }
            Arg::Sampler(sampler) => {
                self.set_object(index, arg, sampler.raw_in(self.0.context, "clSetKernelArg"))
            }
        }
    }

    /// Sets an argument to a value, unless it has that value.
    #[inline]
    fn set_bytes(&self, values: &mut Values, index: u32, arg: &Arg<'_>, bytes: &[u8]) -> Result<()> {
        if values.hold(index, bytes) && !self.0.is_known_elsewhere.load(Ordering::Relaxed) {
            return Ok(());
        }
        values.forget(index);
        self.set_raw(index, arg, bytes.len(), bytes.as_ptr().cast())?;
        values.note(index, bytes);
        Ok(())
    }

    /// Sets an argument to an object by its handle.
    #[inline]
    fn set_object(&self, index: u32, arg: &Arg<'_>, raw: Result<*mut c_void>) -> Result<()> {
        match raw {
            Ok(raw) => self.set_raw(index, arg, size_of_val(&raw), (&raw const raw).cast()),
            Err(error) => Err(self.explain(index, arg, &error)),
        }
    }

    /// Sets an argument to the `size` bytes at `value`, which is null for none.
    #[inline]
    fn set_raw(&self, index: u32, arg: &Arg<'_>, size: usize, value: *const c_void) -> Result<()> {
        // SAFETY: the kernel is live and locked, and `value` is null or points to `size` bytes of `arg`.
        let set = unsafe { call!(self.api(), clSetKernelArg(self.raw(), index, size, value)) };
        set.map_err(|error| self.explain(index, arg, &error))
    }

    fn set_svm_locked(&self, index: u32, pointer: &SvmPointer<'_>) -> Result<()> {
        let address = pointer.address_in(self.0.context, "clSetKernelArgSVMPointer")?;
        // SAFETY: the kernel is live and locked, and the address is one of shared virtual memory.
        unsafe { call!(self.api(), clSetKernelArgSVMPointer(self.raw(), index, address)) }
    }

    /// An argument of the wrong kind. Drivers see sizes only, and would take a number of 8 bytes for an object.
    #[cold]
    fn misfit(&self, index: u32, arg: &Arg<'_>, takes: Takes) -> Error {
        let code = match (arg, takes) {
            (Arg::Bytes(_), Takes::Value(_)) => status::INVALID_ARG_SIZE,
            (Arg::Bytes(bytes), _) if bytes.len() != size_of::<*mut c_void>() => status::INVALID_ARG_SIZE,
            _ => status::INVALID_ARG_VALUE,
        };
        self.argument_error("clSetKernelArg", code, index, arg.describe())
    }

    /// The specification refuses local memory of no size, but not every driver does.
    #[cold]
    fn empty_local(&self, index: u32) -> Error {
        let came = "local memory of 0 bytes".to_owned();
        self.argument_error("clSetKernelArg", status::INVALID_ARG_SIZE, index, came)
    }

    /// The error of an argument, saying which one it was, what was expected and what came.
    #[cold]
    fn explain(&self, index: u32, arg: &Arg<'_>, error: &Error) -> Error {
        let (function, code) = (error.routine(), error.code());
        if code == status::INVALID_ARG_INDEX || index >= self.arity() {
            let detail =
                format!("kernel `{}` has {} arguments, no #{}", self.name(), self.arity(), index + 1);
            return Error::refused(function, status::INVALID_ARG_INDEX, detail);
        }
        let came = match error {
            Error::Refused { detail, .. } => detail.clone(),
            _ => arg.describe(),
        };
        self.argument_error(function, code, index, came)
    }

    /// An error of the argument at `index`, of which `came` says what it was.
    #[must_use]
    pub fn argument_error(&self, function: &'static str, code: i32, index: u32, came: String) -> Error {
        let parameter = self.parameters().get(index as usize);
        Error::Argument(Box::new(ArgumentError {
            function,
            code,
            kernel: self.name().to_owned(),
            index,
            name: parameter.map(|parameter| parameter.name.clone()),
            expected: parameter.map(expectation),
            came,
        }))
    }
}

/// A refused argument of a kernel.
#[derive(Clone, Debug)]
pub struct ArgumentError {
    /// The C function.
    pub function: &'static str,
    /// Its status.
    pub code: i32,
    /// The kernel's name.
    pub kernel: String,
    /// The argument's position, from zero; texts count from one.
    pub index: u32,
    /// The argument's name, where it is known.
    pub name: Option<String>,
    /// What the kernel declares, where it is known.
    pub expected: Option<String>,
    /// What came.
    pub came: String,
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "when processing argument #{} (1-based)", self.index + 1)?;
        if let Some(name) = &self.name {
            write!(f, " `{name}`")?;
        }
        write!(f, " of kernel `{}`: ", self.kernel)?;
        if let Some(expected) = &self.expected {
            write!(f, "expected {expected}, ")?;
        }
        write!(f, "got {}", self.came)
    }
}

/// Whether an argument is of the kind that a parameter takes.
#[inline]
fn fits(takes: Takes, arg: &Arg<'_>) -> bool {
    match takes {
        Takes::Anything => true,
        Takes::Pointer => match arg {
            Arg::Mem(object) => matches!(object.kind(), MemObjectType::BUFFER | MemObjectType::PIPE),
            Arg::Null | Arg::Svm(_) => true,
            _ => false,
        },
        Takes::Memory => matches!(arg, Arg::Mem(_) | Arg::Null | Arg::Svm(_) | Arg::Sampler(_)),
        Takes::Local => matches!(arg, Arg::Local(_)),
        Takes::Value(size) => match arg {
            Arg::Mem(object) => object.kind() == MemObjectType::PIPE,
            Arg::Bytes(bytes) => bytes.len() == size,
            _ => false,
        },
        Takes::Opaque => matches!(arg, Arg::Bytes(_) | Arg::Mem(_) | Arg::Queue(_) | Arg::Sampler(_)),
        Takes::Image(kind) => matches!(arg, Arg::Mem(object) if object.kind() == kind),
        Takes::Sampler => matches!(arg, Arg::Sampler(_)),
        Takes::Queue => matches!(arg, Arg::Queue(_)),
    }
}

/// A kind of memory object, for messages.
fn name_of(kind: MemObjectType) -> &'static str {
    match kind {
        MemObjectType::BUFFER => "a buffer",
        MemObjectType::PIPE => "a pipe",
        MemObjectType::IMAGE1D => "a 1D image",
        MemObjectType::IMAGE1D_BUFFER => "a 1D image over a buffer",
        MemObjectType::IMAGE1D_ARRAY => "an array of 1D images",
        MemObjectType::IMAGE2D => "a 2D image",
        MemObjectType::IMAGE2D_ARRAY => "an array of 2D images",
        MemObjectType::IMAGE3D => "a 3D image",
        _ => "a memory object",
    }
}

/// What a parameter takes.
fn expectation(parameter: &Parameter) -> String {
    let type_name = &parameter.type_name;
    match parameter.takes {
        Takes::Pointer | Takes::Memory => format!("a memory object for `{type_name}`"),
        Takes::Local => format!("local memory for `{type_name}`"),
        _ => match parameter.size() {
            Some(size) => format!("`{type_name}` ({size} bytes)"),
            None => format!("`{type_name}`"),
        },
    }
}
