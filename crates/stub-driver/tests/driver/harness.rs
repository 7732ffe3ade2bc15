//! Opens the shared library as a loader would, and calls it through its table.

use std::ffi::{CString, c_int};
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use libloading::Library;
use sys::*;

#[path = "../../src/sys.rs"]
#[allow(dead_code, unused_imports, non_camel_case_types, reason = "the driver's own list of what it takes")]
pub(crate) mod sys;

/// The library's state is one per process; where tests share a process they take turns.
static TURN: Mutex<()> = Mutex::new(());

/// Waits for the other tests of the process.
pub(crate) fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The opened driver.
pub(crate) struct Stub {
    library: Library,
}

/// The library beside the test executable.
fn path() -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    let found =
        exe.ancestors().map(|folder| folder.join("libopencl_stub_driver.so")).find(|file| file.exists());
    found.expect("the shared library is built with the tests")
}

impl Stub {
    /// Opens and configures the driver.
    pub(crate) fn open(configuration: &str) -> Self {
        // SAFETY: the library's initialisers do nothing.
        let stub = Self { library: unsafe { Library::new(path()) }.unwrap() };
        stub.number::<()>("stub_reset");
        assert_eq!(stub.configure(configuration), 0, "{configuration}");
        stub
    }

    /// An exported function.
    pub(crate) fn export<T: Copy>(&self, name: &str) -> T {
        // SAFETY: the callers name the type that the function has.
        *unsafe { self.library.get::<T>(name) }.unwrap()
    }

    pub(crate) fn configure(&self, configuration: &str) -> c_int {
        let text = CString::new(configuration).unwrap();
        let configure: unsafe extern "C" fn(*const c_char) -> c_int = self.export("stub_configure");
        // SAFETY: a C string.
        unsafe { configure(text.as_ptr()) }
    }

    pub(crate) fn fail(&self, function: &str, nth: u32, status: c_int) {
        let text = CString::new(function).unwrap();
        let fail: unsafe extern "C" fn(*const c_char, u32, c_int) -> c_int = self.export("stub_fail");
        // SAFETY: a C string.
        assert_eq!(unsafe { fail(text.as_ptr(), nth, status) }, 0);
    }

    pub(crate) fn count(&self, control: &str, name: &str) -> u64 {
        let text = CString::new(name).unwrap();
        let count: unsafe extern "C" fn(*const c_char) -> u64 = self.export(control);
        // SAFETY: a C string.
        unsafe { count(text.as_ptr()) }
    }

    pub(crate) fn calls(&self, function: &str) -> u64 {
        self.count("stub_calls", function)
    }

    pub(crate) fn live(&self, kind: &str) -> u64 {
        self.count("stub_live", kind)
    }

    pub(crate) fn text(&self, control: &str) -> String {
        let dump: unsafe extern "C" fn(*mut c_char, usize) -> usize = self.export(control);
        let mut bytes = vec![0_u8; 4096];
        // SAFETY: the size is that of the buffer.
        let length = unsafe { dump(bytes.as_mut_ptr().cast(), bytes.len()) };
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    }

    /// Calls a control function without arguments.
    pub(crate) fn number<T>(&self, control: &str) -> T {
        let call: unsafe extern "C" fn() -> T = self.export(control);
        // SAFETY: it takes no arguments.
        unsafe { call() }
    }

    /// An address from `clGetExtensionFunctionAddress`.
    pub(crate) fn extension(&self, name: &str) -> *mut c_void {
        let text = CString::new(name).unwrap();
        let get: unsafe extern "C" fn(*const c_char) -> *mut c_void =
            self.export("clGetExtensionFunctionAddress");
        // SAFETY: a C string.
        unsafe { get(text.as_ptr()) }
    }

    /// The platforms, or the status.
    pub(crate) fn platforms(&self) -> sys::Result<Vec<cl_platform_id>> {
        let get: clIcdGetPlatformIDsKHR_t =
            // SAFETY: the driver gives the function of this name.
            unsafe { std::mem::transmute(self.extension("clIcdGetPlatformIDsKHR")) };
        let get = get.unwrap();
        let mut count = 0;
        // SAFETY: a null list asks for the count.
        let status = unsafe { get(0, null_mut(), &raw mut count) };
        if status != CL_SUCCESS {
            return Err(status);
        }
        let mut list = vec![null_mut(); count as usize];
        // SAFETY: the list has room for `count`.
        assert_eq!(unsafe { get(count, list.as_mut_ptr(), null_mut()) }, CL_SUCCESS);
        Ok(list)
    }
}

/// The table of an object.
pub(crate) fn table(object: *mut c_void) -> *const cl_icd_dispatch {
    // SAFETY: the first word of every object is the address of its table.
    unsafe { object.cast::<*const cl_icd_dispatch>().read() }
}

/// Calls a function of an object's table.
macro_rules! cl {
    ($object:expr => $function:ident($($arg:expr),* $(,)?)) => {{
        // SAFETY: the tests use whole tables here.
        let function = unsafe { (&raw const (*$crate::harness::table($object)).$function).read() }
            .expect(stringify!($function));
        // SAFETY: the arguments are those of the prototype.
        unsafe { function($($arg),*) }
    }};
}

/// A device with a context and a queue.
pub(crate) struct Bench {
    pub(crate) stub: Stub,
    pub(crate) device: cl_device_id,
    pub(crate) context: cl_context,
    pub(crate) queue: cl_command_queue,
}

impl Bench {
    pub(crate) fn new(configuration: &str) -> Self {
        let stub = Stub::open(configuration);
        let platform = stub.platforms().unwrap()[0];
        let mut device = null_mut();
        let status =
            cl!(platform => clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &raw mut device, null_mut()));
        assert_eq!(status, CL_SUCCESS);
        let mut status = -1;
        let context =
            cl!(device => clCreateContext(null(), 1, &raw const device, None, null_mut(), &raw mut status));
        assert_eq!(status, CL_SUCCESS);
        let properties = CL_QUEUE_PROFILING_ENABLE;
        let queue = cl!(context => clCreateCommandQueue(context, device, properties, &raw mut status));
        assert_eq!(status, CL_SUCCESS);
        Self { stub, device, context, queue }
    }

    pub(crate) fn buffer(&self, size: usize) -> cl_mem {
        let mut status = -1;
        let context = self.context;
        let mem =
            cl!(context => clCreateBuffer(context, CL_MEM_READ_WRITE, size, null_mut(), &raw mut status));
        assert_eq!(status, CL_SUCCESS);
        mem
    }

    pub(crate) fn write(&self, mem: cl_mem, data: &[u8], blocking: bool, event: *mut cl_event) -> cl_int {
        let (queue, data_at) = (self.queue, data.as_ptr().cast());
        let blocking = cl_bool::from(blocking);
        cl!(queue => clEnqueueWriteBuffer(queue, mem, blocking, 0, data.len(), data_at, 0, null(), event))
    }

    pub(crate) fn read(&self, mem: cl_mem, size: usize) -> Vec<u8> {
        let mut data = vec![0; size];
        let (queue, data_at) = (self.queue, data.as_mut_ptr().cast());
        let status =
            cl!(queue => clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, size, data_at, 0, null(), null_mut()));
        assert_eq!(status, CL_SUCCESS);
        data
    }

    pub(crate) fn program(&self, source: &str) -> cl_program {
        let mut pointer = source.as_ptr().cast::<c_char>();
        let length = source.len();
        let mut status = -1;
        let context = self.context;
        let program = cl!(context => clCreateProgramWithSource(
            context, 1, (&raw mut pointer).cast(), &raw const length, &raw mut status));
        assert_eq!(status, CL_SUCCESS);
        program
    }

    pub(crate) fn build(&self, program: cl_program) -> cl_int {
        cl!(program => clBuildProgram(program, 0, null(), null(), None, null_mut()))
    }

    pub(crate) fn build_log(&self, program: cl_program) -> String {
        let mut size = 0;
        let status = cl!(program => clGetProgramBuildInfo(
            program, self.device, CL_PROGRAM_BUILD_LOG, 0, null_mut(), &raw mut size));
        assert_eq!(status, CL_SUCCESS);
        let mut log = vec![0_u8; size];
        let status = cl!(program => clGetProgramBuildInfo(
            program, self.device, CL_PROGRAM_BUILD_LOG, size, log.as_mut_ptr().cast(), null_mut()));
        assert_eq!(status, CL_SUCCESS);
        assert_eq!(log.pop(), Some(0));
        String::from_utf8(log).unwrap()
    }

    pub(crate) fn event_status(&self, event: cl_event) -> cl_int {
        let mut status = i32::MIN;
        let name = CL_EVENT_COMMAND_EXECUTION_STATUS;
        let code = cl!(event => clGetEventInfo(event, name, 4, (&raw mut status).cast(), null_mut()));
        assert_eq!(code, CL_SUCCESS);
        status
    }
}
