//! The one list of the driver's functions.
//!
//! From it come the dispatch table, the look-up by name, the call counters and the failure injection.

use std::mem::{offset_of, size_of};

use crate::config::{Icd2, Shape};
use crate::sys::*;
use crate::{
    context, device, enqueue, event, gl, image, kernel, launch, memory, pipe, platform, program, queue,
    sampler, svm, transfer,
};

/// Slots of the frozen table of `cl_khr_icd`.
pub(crate) const SLOTS: usize = 150;
const WORD: usize = size_of::<usize>();
const _: () = assert!(size_of::<cl_icd_dispatch>() == SLOTS * WORD);

macro_rules! table {
    (
        dispatch { $($name:ident = $module:ident),* $(,)? }
        absent { $($absent:ident),* $(,)? }
        named { $($extra:ident = $extra_module:ident),* $(,)? }
    ) => {
        /// The functions that the driver has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Function { $($name,)* $($extra),* }

        impl Function {
            /// All of them, in the order of their discriminants.
            pub(crate) const ALL: &'static [Function] =
                &[$(Function::$name,)* $(Function::$extra),*];

            /// The C name.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Function::$name => stringify!($name),)*
                    $(Function::$extra => stringify!($extra),)*
                }
            }

            /// The entry point.
            pub(crate) fn address(self) -> usize {
                match self {
                    $(Function::$name => $module::$name as *const () as usize,)*
                    $(Function::$extra => $extra_module::$extra as *const () as usize,)*
                }
            }

            /// The place in the dispatch table, if the function has one.
            pub(crate) fn slot(self) -> Option<usize> {
                match self {
                    $(Function::$name => Some(offset_of!(cl_icd_dispatch, $name) / WORD),)*
                    $(Function::$extra => None,)*
                }
            }
        }

        /// The whole table; the struct's fields check the prototypes.
        pub(crate) fn dispatch() -> cl_icd_dispatch {
            cl_icd_dispatch {
                $($name: Some($module::$name),)*
                $($absent: None,)*
            }
        }
    };
}

table! {
    dispatch {
        clGetPlatformIDs = platform,
        clGetPlatformInfo = platform,
        clGetDeviceIDs = device,
        clGetDeviceInfo = device,
        clCreateContext = context,
        clCreateContextFromType = context,
        clRetainContext = context,
        clReleaseContext = context,
        clGetContextInfo = context,
        clCreateCommandQueue = queue,
        clRetainCommandQueue = queue,
        clReleaseCommandQueue = queue,
        clGetCommandQueueInfo = queue,
        clSetCommandQueueProperty = queue,
        clCreateBuffer = memory,
        clCreateImage2D = image,
        clCreateImage3D = image,
        clCreateFromGLBuffer = gl,
        clCreateFromGLTexture2D = gl,
        clCreateFromGLTexture3D = gl,
        clCreateFromGLRenderbuffer = gl,
        clCreateFromGLTexture = gl,
        clGetGLObjectInfo = gl,
        clGetGLTextureInfo = gl,
        clEnqueueAcquireGLObjects = gl,
        clEnqueueReleaseGLObjects = gl,
        clRetainMemObject = memory,
        clReleaseMemObject = memory,
        clGetSupportedImageFormats = image,
        clGetMemObjectInfo = memory,
        clGetImageInfo = image,
        clCreateSampler = sampler,
        clRetainSampler = sampler,
        clReleaseSampler = sampler,
        clGetSamplerInfo = sampler,
        clCreateProgramWithSource = program,
        clCreateProgramWithBinary = program,
        clRetainProgram = program,
        clReleaseProgram = program,
        clBuildProgram = program,
        clUnloadCompiler = platform,
        clGetProgramInfo = program,
        clGetProgramBuildInfo = program,
        clCreateKernel = kernel,
        clCreateKernelsInProgram = kernel,
        clRetainKernel = kernel,
        clReleaseKernel = kernel,
        clSetKernelArg = kernel,
        clGetKernelInfo = kernel,
        clGetKernelWorkGroupInfo = kernel,
        clWaitForEvents = event,
        clGetEventInfo = event,
        clRetainEvent = event,
        clReleaseEvent = event,
        clGetEventProfilingInfo = event,
        clFlush = queue,
        clFinish = queue,
        clEnqueueReadBuffer = transfer,
        clEnqueueWriteBuffer = transfer,
        clEnqueueCopyBuffer = transfer,
        clEnqueueReadImage = image,
        clEnqueueWriteImage = image,
        clEnqueueCopyImage = image,
        clEnqueueCopyImageToBuffer = image,
        clEnqueueCopyBufferToImage = image,
        clEnqueueMapBuffer = transfer,
        clEnqueueMapImage = image,
        clEnqueueUnmapMemObject = transfer,
        clEnqueueNDRangeKernel = launch,
        clEnqueueTask = launch,
        clEnqueueNativeKernel = launch,
        clEnqueueMarker = enqueue,
        clEnqueueWaitForEvents = enqueue,
        clEnqueueBarrier = enqueue,
        clGetExtensionFunctionAddress = platform,
        clSetEventCallback = event,
        clCreateSubBuffer = memory,
        clSetMemObjectDestructorCallback = memory,
        clCreateUserEvent = event,
        clSetUserEventStatus = event,
        clEnqueueReadBufferRect = transfer,
        clEnqueueWriteBufferRect = transfer,
        clEnqueueCopyBufferRect = transfer,
        clCreateSubDevices = device,
        clRetainDevice = device,
        clReleaseDevice = device,
        clCreateImage = image,
        clCreateProgramWithBuiltInKernels = program,
        clCompileProgram = program,
        clLinkProgram = program,
        clUnloadPlatformCompiler = platform,
        clGetKernelArgInfo = kernel,
        clEnqueueFillBuffer = transfer,
        clEnqueueFillImage = image,
        clEnqueueMigrateMemObjects = enqueue,
        clEnqueueMarkerWithWaitList = enqueue,
        clEnqueueBarrierWithWaitList = enqueue,
        clGetExtensionFunctionAddressForPlatform = platform,
        clCreateCommandQueueWithProperties = queue,
        clCreatePipe = pipe,
        clGetPipeInfo = pipe,
        clSVMAlloc = svm,
        clSVMFree = svm,
        clEnqueueSVMFree = svm,
        clEnqueueSVMMemcpy = svm,
        clEnqueueSVMMemFill = svm,
        clEnqueueSVMMap = svm,
        clEnqueueSVMUnmap = svm,
        clCreateSamplerWithProperties = sampler,
        clSetKernelArgSVMPointer = kernel,
        clSetKernelExecInfo = kernel,
        clGetKernelSubGroupInfoKHR = kernel,
        clCloneKernel = kernel,
        clCreateProgramWithIL = program,
        clEnqueueSVMMigrateMem = svm,
        clGetDeviceAndHostTimer = device,
        clGetHostTimer = device,
        clGetKernelSubGroupInfo = kernel,
        clSetDefaultDeviceCommandQueue = queue,
        clSetProgramReleaseCallback = program,
        clSetProgramSpecializationConstant = program,
        clCreateBufferWithProperties = memory,
        clCreateImageWithProperties = image,
        clSetContextDestructorCallback = context,
        clGetKernelSuggestedLocalWorkSize = launch,
    }
    absent {
        clGetGLContextInfoKHR, clGetDeviceIDsFromD3D10KHR, clCreateFromD3D10BufferKHR,
        clCreateFromD3D10Texture2DKHR, clCreateFromD3D10Texture3DKHR, clEnqueueAcquireD3D10ObjectsKHR,
        clEnqueueReleaseD3D10ObjectsKHR, clCreateSubDevicesEXT, clRetainDeviceEXT, clReleaseDeviceEXT,
        clCreateEventFromGLsyncKHR, clGetDeviceIDsFromD3D11KHR,
        clCreateFromD3D11BufferKHR, clCreateFromD3D11Texture2DKHR, clCreateFromD3D11Texture3DKHR,
        clCreateFromDX9MediaSurfaceKHR, clEnqueueAcquireD3D11ObjectsKHR, clEnqueueReleaseD3D11ObjectsKHR,
        clGetDeviceIDsFromDX9MediaAdapterKHR, clEnqueueAcquireDX9MediaSurfacesKHR,
        clEnqueueReleaseDX9MediaSurfacesKHR, clCreateFromEGLImageKHR, clEnqueueAcquireEGLObjectsKHR,
        clEnqueueReleaseEGLObjectsKHR, clCreateEventFromEGLSyncKHR,
    }
    named {
        clIcdGetPlatformIDsKHR = platform,
        clIcdGetFunctionAddressForPlatformKHR = platform,
        clIcdSetPlatformDispatchDataKHR = platform,
    }
}

impl Function {
    /// The function of a C name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|function| function.name() == name)
    }
}

/// Builds a platform's table in memory that ends exactly where the table ends: the next page cannot be read.
///
/// # Errors
/// `CL_OUT_OF_HOST_MEMORY` if the system gives no pages.
pub(crate) fn allocate(shape: &Shape) -> Result<usize> {
    let mut words = [0_usize; SLOTS];
    if shape.icd2 != Icd2::ByName {
        let table = dispatch();
        // SAFETY: the struct is `SLOTS` words, asserted above, and any bits are a word.
        unsafe {
            std::ptr::copy_nonoverlapping((&raw const table).cast::<usize>(), words.as_mut_ptr(), SLOTS);
        }
        for function in &shape.missing {
            if let Some(slot) = function.slot() {
                words[slot] = 0;
            }
        }
    }
    if shape.icd2 != Icd2::None {
        for function in [Function::clGetPlatformIDs, Function::clUnloadCompiler] {
            if let Some(slot) = function.slot() {
                words[slot] = CL_ICD2_TAG_KHR as usize;
            }
        }
    }
    guarded(&words[..shape.slots.min(SLOTS)])
}

/// Copies words to the end of a page that is followed by a page without access. Never freed: handles point there.
fn guarded(words: &[usize]) -> Result<usize> {
    // SAFETY: no pointer is passed.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    let used = (words.len() * WORD).next_multiple_of(page).max(page);
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a fresh anonymous mapping touches no memory of ours.
    let base = unsafe {
        libc::mmap(std::ptr::null_mut(), used + page, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0)
    };
    if base == libc::MAP_FAILED {
        return Err(CL_OUT_OF_HOST_MEMORY);
    }
    let start = base as usize + used - words.len() * WORD;
    // SAFETY: `words` fit between `start` and the end of the used pages.
    unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), start as *mut usize, words.len()) };
    // SAFETY: the last page belongs to the mapping and holds nothing.
    let rc = unsafe { libc::mprotect((base as usize + used) as *mut c_void, page, libc::PROT_NONE) };
    if rc == 0 { Ok(start) } else { Err(CL_OUT_OF_HOST_MEMORY) }
}
