//! The core functions of OpenCL as a table of optional pointers, grouped by the version that brought
//! them.

use std::ffi::{CStr, c_void};
use std::fmt;

use crate::sys::*;

/// A version of OpenCL, as in `CL_PLATFORM_VERSION`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The number before the dot.
    pub major: u16,
    /// The number after the dot.
    pub minor: u16,
}

impl Version {
    /// `major.minor`.
    #[must_use]
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }

    /// Reads a version text, `OpenCL <major>.<minor> <more>` or `OpenCL C <major>.<minor> <more>`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.trim_start().strip_prefix("OpenCL ")?;
        let rest = rest.strip_prefix("C ").unwrap_or(rest);
        let (major, minor) = rest.split_whitespace().next()?.split_once('.')?;
        Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The value that a driver of `cl_khr_icd` 2.0 puts into the slots of `clGetPlatformIDs` and
/// `clUnloadCompiler`: those slots hold no function then.
pub const ICD2_TAG: usize = {
    // "OPENCL31" in ASCII on 64-bit systems, "OCL3" on 32-bit ones (cl_khr_icd, version 2.0).
    #[cfg(target_pointer_width = "64")]
    {
        0x4F50_454E_434C_3331
    }
    #[cfg(not(target_pointer_width = "64"))]
    {
        0x4F43_4C33
    }
};

macro_rules! api {
    ($( ($major:literal, $minor:literal) { $($name:ident: $ty:ident,)* } )*) => {
        /// Core entry points of one platform; `None` means that the driver does not have it.
        ///
        /// `clGetPlatformIDs` and `clUnloadCompiler` are left out on purpose: drivers of
        /// `cl_khr_icd` 2.0 keep a tag in their slots.
        #[allow(non_snake_case, reason = "the fields carry the names of the C functions")]
        pub struct Api {
            /// The platform that this table belongs to; null for a table of `libOpenCL`.
            pub platform: cl_platform_id,
            /// The version that the platform reports.
            pub version: Version,
            $($(
                #[doc = concat!("`", stringify!($name), "`, OpenCL ", $major, ".", $minor)]
                pub $name: $ty,
            )*)*
        }

        impl std::fmt::Debug for Api {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "Api(OpenCL {})", self.version)
            }
        }

        impl Api {
            /// Copies the slots that `version` promises out of a driver's dispatch table. Where a
            /// slot is empty, `by_name` is asked (drivers of `cl_khr_icd` 2.0).
            ///
            /// # Safety
            /// * `table` is the dispatch table of a platform that reports `version`.
            /// * What `by_name` returns is null or the address of the named function.
            pub(crate) unsafe fn from_dispatch(
                table: *const cl_icd_dispatch,
                platform: cl_platform_id,
                version: Version,
                by_name: &dyn Fn(&CStr) -> *mut c_void,
            ) -> Self {
                Self {
                    platform,
                    version,
                    $($(
                        $name: if version >= Version::new($major, $minor) {
                            // SAFETY: the slots of this version exist, by the caller's promise. Only
                            // this slot is read, so a table that ends earlier is not over-read.
                            let slot = unsafe { (&raw const (*table).$name).read() };
                            // SAFETY: the address is that of the named function, or null.
                            slot.or_else(|| unsafe {
                                function(by_name(cstr(concat!(stringify!($name), "\0"))))
                            })
                        } else {
                            None
                        },
                    )*)*
                }
            }

            /// Fills the table by name.
            ///
            /// # Safety
            /// What `by_name` returns is null or the address of the named function.
            pub(crate) unsafe fn from_names(
                platform: cl_platform_id,
                version: Version,
                by_name: &dyn Fn(&CStr) -> *mut c_void,
            ) -> Self {
                Self {
                    platform,
                    version,
                    $($(
                        // SAFETY: the address is that of the named function, or null.
                        $name: unsafe {
                            function(by_name(cstr(concat!(stringify!($name), "\0"))))
                        },
                    )*)*
                }
            }

            /// Name, version and presence of every entry, in table order.
            #[must_use]
            pub fn entries(&self) -> Vec<(&'static str, Version, bool)> {
                vec![$($(
                    (stringify!($name), Version::new($major, $minor), self.$name.is_some()),
                )*)*]
            }
        }
    };
}

/// A C string literal that ends in its zero byte.
fn cstr(name: &'static str) -> &'static CStr {
    // The macros above end each name with "\0" and function names hold no other zero byte.
    CStr::from_bytes_with_nul(name.as_bytes()).unwrap_or_default()
}

/// An address as an optional function pointer.
///
/// # Safety
/// `address` is null or the address of a function of type `F`'s payload; `F` is an
/// `Option<extern "C" fn …>`.
pub(crate) unsafe fn function<F: Copy>(address: *mut c_void) -> F {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: an optional function pointer has the size of a pointer, and null is `None`.
    unsafe { std::mem::transmute_copy(&address) }
}

api! {
    (1, 0) {
        clGetPlatformInfo: clGetPlatformInfo_t,
        clGetDeviceIDs: clGetDeviceIDs_t,
        clGetDeviceInfo: clGetDeviceInfo_t,
        clCreateContext: clCreateContext_t,
        clCreateContextFromType: clCreateContextFromType_t,
        clRetainContext: clRetainContext_t,
        clReleaseContext: clReleaseContext_t,
        clGetContextInfo: clGetContextInfo_t,
        clCreateCommandQueue: clCreateCommandQueue_t,
        clRetainCommandQueue: clRetainCommandQueue_t,
        clReleaseCommandQueue: clReleaseCommandQueue_t,
        clGetCommandQueueInfo: clGetCommandQueueInfo_t,
        clSetCommandQueueProperty: clSetCommandQueueProperty_t,
        clCreateBuffer: clCreateBuffer_t,
        clCreateImage2D: clCreateImage2D_t,
        clCreateImage3D: clCreateImage3D_t,
        clRetainMemObject: clRetainMemObject_t,
        clReleaseMemObject: clReleaseMemObject_t,
        clGetSupportedImageFormats: clGetSupportedImageFormats_t,
        clGetMemObjectInfo: clGetMemObjectInfo_t,
        clGetImageInfo: clGetImageInfo_t,
        clCreateSampler: clCreateSampler_t,
        clRetainSampler: clRetainSampler_t,
        clReleaseSampler: clReleaseSampler_t,
        clGetSamplerInfo: clGetSamplerInfo_t,
        clCreateProgramWithSource: clCreateProgramWithSource_t,
        clCreateProgramWithBinary: clCreateProgramWithBinary_t,
        clRetainProgram: clRetainProgram_t,
        clReleaseProgram: clReleaseProgram_t,
        clBuildProgram: clBuildProgram_t,
        clGetProgramInfo: clGetProgramInfo_t,
        clGetProgramBuildInfo: clGetProgramBuildInfo_t,
        clCreateKernel: clCreateKernel_t,
        clCreateKernelsInProgram: clCreateKernelsInProgram_t,
        clRetainKernel: clRetainKernel_t,
        clReleaseKernel: clReleaseKernel_t,
        clSetKernelArg: clSetKernelArg_t,
        clGetKernelInfo: clGetKernelInfo_t,
        clGetKernelWorkGroupInfo: clGetKernelWorkGroupInfo_t,
        clWaitForEvents: clWaitForEvents_t,
        clGetEventInfo: clGetEventInfo_t,
        clRetainEvent: clRetainEvent_t,
        clReleaseEvent: clReleaseEvent_t,
        clGetEventProfilingInfo: clGetEventProfilingInfo_t,
        clFlush: clFlush_t,
        clFinish: clFinish_t,
        clEnqueueReadBuffer: clEnqueueReadBuffer_t,
        clEnqueueWriteBuffer: clEnqueueWriteBuffer_t,
        clEnqueueCopyBuffer: clEnqueueCopyBuffer_t,
        clEnqueueReadImage: clEnqueueReadImage_t,
        clEnqueueWriteImage: clEnqueueWriteImage_t,
        clEnqueueCopyImage: clEnqueueCopyImage_t,
        clEnqueueCopyImageToBuffer: clEnqueueCopyImageToBuffer_t,
        clEnqueueCopyBufferToImage: clEnqueueCopyBufferToImage_t,
        clEnqueueMapBuffer: clEnqueueMapBuffer_t,
        clEnqueueMapImage: clEnqueueMapImage_t,
        clEnqueueUnmapMemObject: clEnqueueUnmapMemObject_t,
        clEnqueueNDRangeKernel: clEnqueueNDRangeKernel_t,
        clEnqueueTask: clEnqueueTask_t,
        clEnqueueNativeKernel: clEnqueueNativeKernel_t,
        clEnqueueMarker: clEnqueueMarker_t,
        clEnqueueWaitForEvents: clEnqueueWaitForEvents_t,
        clEnqueueBarrier: clEnqueueBarrier_t,
        clGetExtensionFunctionAddress: clGetExtensionFunctionAddress_t,
    }
    (1, 1) {
        clCreateFromGLBuffer: clCreateFromGLBuffer_t,
        clCreateFromGLTexture2D: clCreateFromGLTexture2D_t,
        clCreateFromGLTexture3D: clCreateFromGLTexture3D_t,
        clCreateFromGLRenderbuffer: clCreateFromGLRenderbuffer_t,
        clGetGLObjectInfo: clGetGLObjectInfo_t,
        clGetGLTextureInfo: clGetGLTextureInfo_t,
        clEnqueueAcquireGLObjects: clEnqueueAcquireGLObjects_t,
        clEnqueueReleaseGLObjects: clEnqueueReleaseGLObjects_t,
        clGetGLContextInfoKHR: clGetGLContextInfoKHR_t,
        clSetEventCallback: clSetEventCallback_t,
        clCreateSubBuffer: clCreateSubBuffer_t,
        clSetMemObjectDestructorCallback: clSetMemObjectDestructorCallback_t,
        clCreateUserEvent: clCreateUserEvent_t,
        clSetUserEventStatus: clSetUserEventStatus_t,
        clEnqueueReadBufferRect: clEnqueueReadBufferRect_t,
        clEnqueueWriteBufferRect: clEnqueueWriteBufferRect_t,
        clEnqueueCopyBufferRect: clEnqueueCopyBufferRect_t,
    }
    (1, 2) {
        clCreateEventFromGLsyncKHR: clCreateEventFromGLsyncKHR_t,
        clCreateSubDevices: clCreateSubDevices_t,
        clRetainDevice: clRetainDevice_t,
        clReleaseDevice: clReleaseDevice_t,
        clCreateImage: clCreateImage_t,
        clCreateProgramWithBuiltInKernels: clCreateProgramWithBuiltInKernels_t,
        clCompileProgram: clCompileProgram_t,
        clLinkProgram: clLinkProgram_t,
        clUnloadPlatformCompiler: clUnloadPlatformCompiler_t,
        clGetKernelArgInfo: clGetKernelArgInfo_t,
        clEnqueueFillBuffer: clEnqueueFillBuffer_t,
        clEnqueueFillImage: clEnqueueFillImage_t,
        clEnqueueMigrateMemObjects: clEnqueueMigrateMemObjects_t,
        clEnqueueMarkerWithWaitList: clEnqueueMarkerWithWaitList_t,
        clEnqueueBarrierWithWaitList: clEnqueueBarrierWithWaitList_t,
        clGetExtensionFunctionAddressForPlatform: clGetExtensionFunctionAddressForPlatform_t,
        clCreateFromGLTexture: clCreateFromGLTexture_t,
    }
    (2, 0) {
        clCreateCommandQueueWithProperties: clCreateCommandQueueWithProperties_t,
        clCreatePipe: clCreatePipe_t,
        clGetPipeInfo: clGetPipeInfo_t,
        clSVMAlloc: clSVMAlloc_t,
        clSVMFree: clSVMFree_t,
        clEnqueueSVMFree: clEnqueueSVMFree_t,
        clEnqueueSVMMemcpy: clEnqueueSVMMemcpy_t,
        clEnqueueSVMMemFill: clEnqueueSVMMemFill_t,
        clEnqueueSVMMap: clEnqueueSVMMap_t,
        clEnqueueSVMUnmap: clEnqueueSVMUnmap_t,
        clCreateSamplerWithProperties: clCreateSamplerWithProperties_t,
        clSetKernelArgSVMPointer: clSetKernelArgSVMPointer_t,
        clSetKernelExecInfo: clSetKernelExecInfo_t,
    }
    (2, 1) {
        clGetKernelSubGroupInfoKHR: clGetKernelSubGroupInfoKHR_t,
        clCloneKernel: clCloneKernel_t,
        clCreateProgramWithIL: clCreateProgramWithIL_t,
        clEnqueueSVMMigrateMem: clEnqueueSVMMigrateMem_t,
        clGetDeviceAndHostTimer: clGetDeviceAndHostTimer_t,
        clGetHostTimer: clGetHostTimer_t,
        clGetKernelSubGroupInfo: clGetKernelSubGroupInfo_t,
        clSetDefaultDeviceCommandQueue: clSetDefaultDeviceCommandQueue_t,
    }
    (2, 2) {
        clSetProgramReleaseCallback: clSetProgramReleaseCallback_t,
        clSetProgramSpecializationConstant: clSetProgramSpecializationConstant_t,
    }
    (3, 0) {
        clCreateBufferWithProperties: clCreateBufferWithProperties_t,
        clCreateImageWithProperties: clCreateImageWithProperties_t,
        clSetContextDestructorCallback: clSetContextDestructorCallback_t,
    }
    (3, 1) {
        clGetKernelSuggestedLocalWorkSize: clGetKernelSuggestedLocalWorkSize_t,
    }
}

// SAFETY: the table is read-only data; OpenCL functions may be called from any thread (specification,
// section "Thread-safety"), `clSetKernelArg` on one kernel apart, which callers lock.
unsafe impl Send for Api {}
// SAFETY: as above.
unsafe impl Sync for Api {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_texts_are_read() {
        assert_eq!(Version::parse("OpenCL 3.0 CUDA 13.0.98"), Some(Version::new(3, 0)));
        assert_eq!(Version::parse("OpenCL C 1.2 pocl"), Some(Version::new(1, 2)));
        assert_eq!(Version::parse("OpenGL 3.0"), None);
        assert_eq!(Version::parse("OpenCL three"), None);
        assert!(Version::new(1, 2) < Version::new(2, 0));
    }

    #[test]
    fn an_empty_source_gives_an_empty_table() {
        let none = |_: &CStr| std::ptr::null_mut();
        // SAFETY: null is a legal answer.
        let api = unsafe { Api::from_names(std::ptr::null_mut(), Version::new(3, 1), &none) };
        assert!(api.clFinish.is_none());
        assert_eq!(api.entries().len(), 125);
        assert!(api.entries().iter().all(|(_, _, present)| !present));
    }
}
