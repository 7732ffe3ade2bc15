//! Kernels.

pub(crate) mod argument;
mod exec_info;
pub(crate) mod launch;
pub(crate) mod parameter;
mod sub_group;
mod values;

use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use opencl_driver::Api;
use opencl_driver::sys::cl_kernel;

use crate::call::{call, create};
use crate::handle::{Handle, OfKernel, OfProgram};
use crate::{Device, Error, Program, Result, status};
use parameter::Parameter;
use values::Values;

/// A kernel. It may be shared by threads: setting arguments and enqueueing is one step under its lock.
#[derive(Clone)]
pub struct Kernel(Arc<Shared>);

struct Shared {
    handle: Handle<OfKernel>,
    name: String,
    num_args: u32,
    /// The handle of its context, which lives as long as the kernel does.
    context: usize,
    /// Keeps the program's handle valid.
    program: Option<Arc<Handle<OfProgram>>>,
    /// The text of the program, from which parameters are read where the driver does not tell.
    source: Option<Arc<str>>,
    parameters: OnceLock<Vec<Parameter>>,
    /// Held while arguments are set and used: `clSetKernelArg` is the one call that is not thread-safe.
    arguments: Mutex<Values>,
    /// Whether others may set arguments through the handle.
    is_known_elsewhere: AtomicBool,
}

impl Kernel {
    /// The kernel `name` of a built program (`clCreateKernel`).
    ///
    /// # Errors
    /// `INVALID_KERNEL_NAME`, naming the kernels that there are; else what the function gives.
    pub fn new(program: &Program, name: &str) -> Result<Self> {
        Self::make(program, name, program.source_text().cloned())
    }

    fn make(program: &Program, name: &str, source: Option<Arc<str>>) -> Result<Self> {
        let invalid = |detail| Error::refused("clCreateKernel", status::INVALID_KERNEL_NAME, detail);
        let c_name =
            CString::new(name).map_err(|_| invalid(format!("the kernel name {name:?} holds a zero byte")))?;
        let api = program.api();
        // SAFETY: the program is live and the name ends in a zero byte.
        let made = unsafe { create!(api, clCreateKernel(program.as_raw(), c_name.as_ptr())) };
        let raw = made.map_err(|error| match error {
            Error::Status { code: status::INVALID_KERNEL_NAME, .. } => {
                // Before OpenCL 1.2, programs do not tell.
                let known = program.kernel_names().unwrap_or_default().replace(';', ", ");
                let listed = if known.is_empty() { known } else { format!("; it has: {known}") };
                invalid(format!("the program has no kernel {name:?}{listed}"))
            }
            Error::Status { function, code: status::INVALID_PROGRAM_EXECUTABLE } => {
                let detail = format!("kernel {name:?} of a program that is not built");
                Error::refused(function, status::INVALID_PROGRAM_EXECUTABLE, detail)
            }
            other => other,
        })?;
        // SAFETY: the driver gives away the reference that it made.
        Self::complete(unsafe { Handle::from_owned(raw, api) }, source, Some(program.handle()))
    }

    pub(crate) fn complete(
        handle: Handle<OfKernel>,
        source: Option<Arc<str>>,
        program: Option<Arc<Handle<OfProgram>>>,
    ) -> Result<Self> {
        use crate::info::answer::{Answer, Ask};
        use opencl_driver::sys::{CL_KERNEL_CONTEXT, CL_KERNEL_FUNCTION_NAME, CL_KERNEL_NUM_ARGS};
        let ask = |question| Ask {
            api: handle.api(),
            function: "clGetKernelInfo",
            get: handle.api().clGetKernelInfo,
            object: handle.raw(),
            question,
            since: "1.0",
        };
        let name = String::read(&ask(CL_KERNEL_FUNCTION_NAME))?;
        let num_args = u32::read(&ask(CL_KERNEL_NUM_ARGS))?;
        let context = usize::read(&ask(CL_KERNEL_CONTEXT))?;
        Ok(Self(Arc::new(Shared {
            handle,
            name,
            num_args,
            context,
            program,
            source,
            parameters: OnceLock::new(),
            arguments: Mutex::new(Values::unknown(num_args)),
            is_known_elsewhere: AtomicBool::new(false),
        })))
    }

    /// Wraps a handle that came from elsewhere.
    ///
    /// # Safety
    /// * `raw` is null or a live kernel.
    /// * With `retain` false, the caller owns a reference to it, which is given away.
    ///
    /// # Errors
    /// `INVALID_KERNEL` if it is null or belongs to no driver that is loaded here.
    pub unsafe fn from_raw(raw: cl_kernel, retain: bool) -> Result<Self> {
        // SAFETY: the caller's promises.
        let kernel = unsafe { Handle::from_foreign(raw, retain) }
            .and_then(|handle| Self::complete(handle, None, None))?;
        kernel.0.is_known_elsewhere.store(true, Ordering::Relaxed);
        Ok(kernel)
    }

    /// The C handle, valid as long as this object or a clone of it lives.
    #[must_use]
    pub fn as_raw(&self) -> cl_kernel {
        self.0.is_known_elsewhere.store(true, Ordering::Relaxed);
        self.raw()
    }

    pub(super) fn raw(&self) -> cl_kernel {
        self.0.handle.raw()
    }

    /// The name of the function.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// How many arguments it takes.
    #[must_use]
    pub fn arity(&self) -> u32 {
        self.0.num_args
    }

    /// A kernel of the same function with arguments of its own, of which none is set
    /// (`clCreateKernel`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn fresh(&self) -> Result<Self> {
        Self::make(&self.program()?, self.name(), self.0.source.clone())
    }

    /// A kernel of the same function with arguments of its own, those set so far among them
    /// (`clCloneKernel`, OpenCL 2.1).
    ///
    /// # Errors
    /// What the function gives.
    pub fn duplicate(&self) -> Result<Self> {
        let _guard = self.lock();
        // SAFETY: the kernel is live, and no thread is setting arguments.
        let raw = unsafe { create!(self.api(), clCloneKernel(self.raw()))? };
        // SAFETY: the driver gives away the reference that it made.
        let handle = unsafe { Handle::from_owned(raw, self.api()) };
        Self::complete(handle, self.0.source.clone(), self.0.program.clone())
    }

    /// The program that the kernel is of (`CL_KERNEL_PROGRAM`).
    ///
    /// # Errors
    /// What `clGetKernelInfo` gives.
    pub fn program(&self) -> Result<Program> {
        Program::of_kernel(self.raw(), self.api(), self.0.source.clone())
    }

    /// What the kernel declares of each argument. Where the driver does not tell, it is read from the
    /// program's source; where there is none, the list is empty.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        self.0.parameters.get_or_init(|| {
            parameter::of_driver(self)
                .or_else(|| parameter::of_source(self.0.source.as_deref()?, self.name()))
                .filter(|list| list.len() == self.arity() as usize)
                .unwrap_or_default()
        })
    }

    /// An answer of `clGetKernelWorkGroupInfo` as numbers: one, or the three of
    /// `COMPILE_WORK_GROUP_SIZE` and `GLOBAL_WORK_SIZE`.
    ///
    /// # Errors
    /// What the function gives.
    pub fn work_group_info(&self, question: u32, device: &Device) -> Result<Vec<u64>> {
        use opencl_driver::sys::{
            CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_GLOBAL_WORK_SIZE, CL_KERNEL_LOCAL_MEM_SIZE,
            CL_KERNEL_PRIVATE_MEM_SIZE,
        };
        // Sizes of memory are 64 bits wide, all others are of the host's size type.
        let (count, width) = match question {
            CL_KERNEL_COMPILE_WORK_GROUP_SIZE | CL_KERNEL_GLOBAL_WORK_SIZE => (3, size_of::<usize>()),
            CL_KERNEL_LOCAL_MEM_SIZE | CL_KERNEL_PRIVATE_MEM_SIZE => (1, 8),
            _ => (1, size_of::<usize>()),
        };
        let mut answer = vec![0_u64; count];
        // SAFETY: kernel and device are live, and `answer` has room for `count` numbers of any width.
        unsafe {
            call!(
                self.api(),
                clGetKernelWorkGroupInfo(
                    self.raw(),
                    device.as_raw(),
                    question,
                    count * width,
                    answer.as_mut_ptr().cast(),
                    std::ptr::null_mut()
                )
            )?;
        }
        if width == 4 {
            let narrow: Vec<u32> = bytemuck::cast_slice(&answer)[..count].to_vec();
            answer = narrow.into_iter().map(u64::from).collect();
        }
        Ok(answer)
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Values> {
        self.0.arguments.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn api(&self) -> &'static Api {
        self.0.handle.api()
    }

    #[allow(clippy::unnecessary_wraps, reason = "the objects of the information tables share this signature")]
    pub(crate) fn live_raw(&self) -> Result<*mut c_void> {
        Ok(self.raw())
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        self.0.handle == other.0.handle
    }
}

impl Eq for Kernel {}

impl std::hash::Hash for Kernel {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.handle.hash(state);
    }
}
