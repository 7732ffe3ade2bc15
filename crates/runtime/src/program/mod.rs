//! Programs: made, built, asked.

mod create;
mod diagnosis;
mod folder_link;
pub(crate) mod options;

use std::ffi::{CString, c_void};
use std::ptr;
use std::sync::Arc;

use opencl_driver::Api;
use opencl_driver::sys::{
    CL_KERNEL_PROGRAM, CL_PROGRAM_BINARY_TYPE, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
    CL_PROGRAM_BUILD_LOG, CL_PROGRAM_BUILD_OPTIONS, CL_PROGRAM_BUILD_STATUS, CL_PROGRAM_CONTEXT,
    CL_PROGRAM_SOURCE, cl_kernel, cl_program,
};

use crate::call::{call, room};
use crate::handle::{Handle, OfKernel, OfProgram};
use crate::info::answer::{Answer, Ask};
use crate::known::Known;
use crate::{Context, Device, Error, Kernel, Result};

pub use create::link;
pub use diagnosis::{BuildError, BuildLog, meaningful_log};
pub(crate) use options::BuildOptions;

/// A program: source, intermediate language or binaries, built or not.
#[derive(Clone)]
pub struct Program(Arc<Shared>);

struct Shared {
    /// Shared with the program's kernels: some drivers give a kernel's program back as an invalid handle once
    /// the program itself was released.
    handle: Arc<Handle<OfProgram>>,
    context: Context,
    source: Option<Arc<str>>,
}

static KNOWN: Known<Shared> = Known::new();

impl Drop for Shared {
    fn drop(&mut self) {
        KNOWN.forget(self.handle.raw());
    }
}

impl Program {
    /// Takes over a handle; `source` is the text that the program comes from, if it is known.
    fn from_handle(handle: Handle<OfProgram>, context: &Context, source: Option<Arc<str>>) -> Self {
        let raw = handle.raw();
        // If it is known, `handle`'s own reference goes; the known one keeps the program alive.
        Self(KNOWN.get_or_insert(raw, || Shared {
            handle: Arc::new(handle),
            context: context.clone(),
            source,
        }))
    }

    /// Wraps a handle that came from elsewhere.
    ///
    /// # Safety
    /// * `raw` is null or a live program.
    /// * With `retain` false, the caller owns a reference to it, which is given away.
    ///
    /// # Errors
    /// `INVALID_PROGRAM` if it is null or belongs to no driver that is loaded here.
    pub unsafe fn from_raw(raw: cl_program, retain: bool) -> Result<Self> {
        // SAFETY: the caller's promises.
        unsafe { Handle::from_foreign(raw, retain) }.and_then(Self::complete)
    }

    /// # Safety
    /// `raw` is a live program of the platform of `api`.
    pub(crate) unsafe fn from_borrowed(raw: cl_program, api: &'static Api) -> Result<Self> {
        // SAFETY: the caller's promise.
        unsafe { Handle::from_borrowed(raw, api) }.and_then(Self::complete)
    }

    fn complete(handle: Handle<OfProgram>) -> Result<Self> {
        Self::complete_with(handle, None)
    }

    /// Asks for what a program made here would know; `source` is its text, if that is known.
    fn complete_with(handle: Handle<OfProgram>, source: Option<Arc<str>>) -> Result<Self> {
        let ask = |question| Ask {
            api: handle.api(),
            function: "clGetProgramInfo",
            get: handle.api().clGetProgramInfo,
            object: handle.raw(),
            question,
            since: "1.0",
        };
        let context = Context::read(&ask(CL_PROGRAM_CONTEXT))?;
        let source = source.or_else(|| {
            let text = String::read(&ask(CL_PROGRAM_SOURCE)).ok()?;
            (!text.is_empty()).then(|| text.into())
        });
        Ok(Self::from_handle(handle, &context, source))
    }

    /// The program of a kernel, whose source the kernel may know.
    pub(crate) fn of_kernel(kernel: cl_kernel, api: &'static Api, source: Option<Arc<str>>) -> Result<Self> {
        let raw = usize::read(&Ask {
            api,
            function: "clGetKernelInfo",
            get: api.clGetKernelInfo,
            object: kernel,
            question: CL_KERNEL_PROGRAM,
            since: "1.0",
        })? as cl_program;
        if raw.is_null() {
            return Err(Error::null("clGetKernelInfo"));
        }
        // SAFETY: the driver answered with a live program of this platform.
        unsafe { Handle::from_borrowed(raw, api) }.and_then(|handle| Self::complete_with(handle, source))
    }

    /// The C handle, valid as long as this object or a clone of it lives.
    #[must_use]
    pub fn as_raw(&self) -> cl_program {
        self.0.handle.raw()
    }

    /// The program's context.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The source text that the program was made from, also where it was built from a binary of a cache.
    #[must_use]
    pub fn source_text(&self) -> Option<&Arc<str>> {
        self.0.source.as_ref()
    }

    /// The source text; empty if the program is not made of one (`CL_PROGRAM_SOURCE`, which drivers leave
    /// empty for programs that came from a cache).
    ///
    /// # Errors
    /// What `clGetProgramInfo` gives.
    pub fn source(&self) -> Result<String> {
        Ok(self.source_text().map_or_else(String::new, |text| text.to_string()))
    }

    /// Compiles and links for all devices of the context (`clBuildProgram`).
    ///
    /// # Errors
    /// [`Error::Build`] with the log, the options and the source lines concerned.
    pub fn build(&self, options: &BuildOptions) -> Result<()> {
        self.build_for(options, None)
    }

    /// The same for some devices of the context.
    ///
    /// # Errors
    /// As for [`build`](Self::build).
    pub fn build_for(&self, options: &BuildOptions, devices: Option<&[Device]>) -> Result<()> {
        let handles = devices.map(|devices| devices.iter().map(Device::as_raw).collect::<Vec<_>>());
        let (count, list) = device_list(handles.as_ref());
        let linked = folder_link::link_folders(options);
        let text = linked.options.to_c()?;
        // SAFETY: program and devices are live, the options end in a zero byte; no call back is set, so
        // the build is done when the call returns.
        let built = unsafe {
            call!(
                self.api(),
                clBuildProgram(self.as_raw(), count, list, text.as_ptr(), None, ptr::null_mut())
            )
        };
        built.map_err(|error| self.diagnose(&error, options, devices))
    }

    /// Compiles without linking, with programs as headers by name (`clCompileProgram`).
    ///
    /// # Errors
    /// As for [`build`](Self::build).
    pub fn compile(
        &self,
        options: &BuildOptions,
        devices: Option<&[Device]>,
        headers: &[(&str, &Self)],
    ) -> Result<()> {
        let handles = devices.map(|devices| devices.iter().map(Device::as_raw).collect::<Vec<_>>());
        let (count, list) = device_list(handles.as_ref());
        let linked = folder_link::link_folders(options);
        let text = linked.options.to_c()?;
        let names = headers.iter().map(|(name, _)| options::to_c(name)).collect::<Result<Vec<CString>>>()?;
        let names: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
        let programs: Vec<_> = headers.iter().map(|(_, program)| program.as_raw()).collect();
        let (programs_list, names_list) =
            if headers.is_empty() { (ptr::null(), ptr::null()) } else { (programs.as_ptr(), names.as_ptr()) };
        // SAFETY: all handles are live, all texts end in zero bytes, and both lists have an entry for
        // each header; no call back is set.
        let compiled = unsafe {
            call!(
                self.api(),
                clCompileProgram(
                    self.as_raw(),
                    count,
                    list,
                    text.as_ptr(),
                    headers.len() as u32,
                    programs_list,
                    names_list.cast_mut(),
                    None,
                    ptr::null_mut()
                )
            )
        };
        compiled.map_err(|error| self.diagnose(&error, options, devices))
    }

    /// Gives a specialization constant of an intermediate-language program its value
    /// (`clSetProgramSpecializationConstant`).
    ///
    /// # Errors
    /// What the function gives: `INVALID_SPEC_ID` for an unknown constant.
    pub fn set_specialization_constant(&self, id: u32, value: &[u8]) -> Result<()> {
        // SAFETY: the program is live and `value` has the length that is told.
        unsafe {
            call!(
                self.api(),
                clSetProgramSpecializationConstant(self.as_raw(), id, value.len(), value.as_ptr().cast())
            )
        }
    }

    /// The kernel `name` (`clCreateKernel`).
    ///
    /// # Errors
    /// As for [`Kernel::new`].
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        Kernel::new(self, name)
    }

    /// All kernels (`clCreateKernelsInProgram`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn all_kernels(&self) -> Result<Vec<Kernel>> {
        let api = self.api();
        let mut count = 0;
        // SAFETY: the program is live; a null list asks for the count only.
        unsafe { call!(api, clCreateKernelsInProgram(self.as_raw(), 0, ptr::null_mut(), &raw mut count))? };
        if count == 0 {
            // Some drivers refuse a list without room.
            return Ok(Vec::new());
        }
        let mut list = room("clCreateKernelsInProgram", ptr::null_mut(), count as usize)?;
        // SAFETY: the list has room for `count` handles.
        unsafe {
            call!(api, clCreateKernelsInProgram(self.as_raw(), count, list.as_mut_ptr(), ptr::null_mut()))?
        };
        // SAFETY: the driver gives away the references that it made.
        let own = |raw| unsafe { Handle::<OfKernel>::from_owned(raw, api) };
        let handles: Vec<_> = list.into_iter().map(own).collect();
        let complete = |handle| Kernel::complete(handle, self.0.source.clone(), Some(self.handle()));
        handles.into_iter().map(complete).collect()
    }

    /// What the compiler said for a device; empty if nothing.
    ///
    /// # Errors
    /// What `clGetProgramBuildInfo` gives.
    pub fn build_log(&self, device: &Device) -> Result<String> {
        self.build_info_text(device, CL_PROGRAM_BUILD_LOG)
    }

    /// A text answer of `clGetProgramBuildInfo`: log or options.
    ///
    /// # Errors
    /// What the function gives.
    pub fn build_info_text(&self, device: &Device, question: u32) -> Result<String> {
        let mut size = 0;
        let (program, device) = (self.as_raw(), device.as_raw());
        // SAFETY: program and device are live; a null value asks for the size only.
        unsafe {
            call!(
                self.api(),
                clGetProgramBuildInfo(program, device, question, 0, ptr::null_mut(), &raw mut size)
            )?;
        }
        let mut text = room("clGetProgramBuildInfo", 0_u8, size)?;
        // SAFETY: as above, and `text` has room for `size` bytes.
        unsafe {
            call!(
                self.api(),
                clGetProgramBuildInfo(
                    program,
                    device,
                    question,
                    size,
                    text.as_mut_ptr().cast(),
                    ptr::null_mut()
                )
            )?;
        }
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
        Ok(String::from_utf8_lossy(&text[..end]).into_owned())
    }

    /// A numeric answer of `clGetProgramBuildInfo`: status, binary type, or size of global variables.
    ///
    /// # Errors
    /// What the function gives.
    pub fn build_info_number(&self, device: &Device, question: u32) -> Result<i64> {
        let mut number = [0_u32; 2];
        let wide = question == CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE;
        let room = if wide { size_of::<usize>() } else { 4 };
        // SAFETY: program and device are live, and `number` has room for either width.
        unsafe {
            call!(
                self.api(),
                clGetProgramBuildInfo(
                    self.as_raw(),
                    device.as_raw(),
                    question,
                    room,
                    number.as_mut_ptr().cast(),
                    ptr::null_mut()
                )
            )?;
        }
        Ok(match question {
            // The status is a signed number, the type of binary is not.
            CL_PROGRAM_BUILD_STATUS => i64::from(number[0].cast_signed()),
            CL_PROGRAM_BINARY_TYPE => i64::from(number[0]),
            _ => bytemuck::cast::<[u32; 2], i64>(number),
        })
    }

    /// Whether a question of `clGetProgramBuildInfo` is answered with a text.
    #[must_use]
    pub fn build_info_is_text(question: u32) -> bool {
        matches!(question, CL_PROGRAM_BUILD_OPTIONS | CL_PROGRAM_BUILD_LOG)
    }

    /// A failed build with all that is known of it; other errors as they are.
    fn diagnose(&self, error: &Error, options: &BuildOptions, devices: Option<&[Device]>) -> Error {
        let asked = devices.map_or_else(|| self.devices().unwrap_or_default(), <[Device]>::to_vec);
        diagnosis::diagnose(error, options, self.source_text().map(AsRef::as_ref), &asked, |device| {
            self.build_log(device).unwrap_or_default()
        })
    }

    /// The handle, for kernels that keep it.
    pub(crate) fn handle(&self) -> Arc<Handle<OfProgram>> {
        Arc::clone(&self.0.handle)
    }

    pub(crate) fn api(&self) -> &'static Api {
        self.0.handle.api()
    }

    #[allow(clippy::unnecessary_wraps, reason = "the objects of the information tables share this signature")]
    pub(crate) fn live_raw(&self) -> Result<*mut c_void> {
        Ok(self.as_raw())
    }
}

/// The list for the driver: none means all devices of the program.
fn device_list(handles: Option<&Vec<*mut c_void>>) -> (u32, *const *mut c_void) {
    handles.map_or((0, ptr::null()), |handles| (handles.len() as u32, handles.as_ptr()))
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        self.0.handle == other.0.handle
    }
}

impl Eq for Program {}

impl std::hash::Hash for Program {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.handle.hash(state);
    }
}
