//! Memory objects: their storage, buffers and sub-buffers.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::border::{check, lock, pairs};
use crate::context::{self, Context};
use crate::gl::Gl;
use crate::image::Image;
use crate::info::Answer;
use crate::object::{self, Kind, Object, Shared};
use crate::pipe::Pipe;
use crate::sys::*;
use crate::{config, svm};

/// Bytes to which memory and sub-buffers are aligned.
pub(crate) const ALIGN: usize = 128;

type Destructor = unsafe extern "C" fn(cl_mem, *mut c_void);

static USED: AtomicU64 = AtomicU64::new(0);

/// Bytes of memory: the driver's own, or the application's.
pub(crate) struct Storage {
    address: usize,
    own: Option<Layout>,
}

impl Storage {
    /// Takes zeroed memory.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE` if the configured memory, or that of the system, is used up.
    pub(crate) fn allocate(size: usize) -> Result<Self> {
        let layout = Layout::from_size_align(size.max(1), ALIGN).map_err(|_| CL_OUT_OF_HOST_MEMORY)?;
        let length = layout.size() as u64;
        let before = USED.fetch_add(length, Ordering::Relaxed);
        if before + length <= config::memory() {
            // SAFETY: the size is not zero.
            let address = unsafe { alloc_zeroed(layout) } as usize;
            if address != 0 {
                return Ok(Self { address, own: Some(layout) });
            }
        }
        USED.fetch_sub(length, Ordering::Relaxed);
        Err(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    }

    /// Uses memory of the application, which keeps it alive.
    fn borrow(pointer: *mut c_void) -> Self {
        Self { address: pointer as usize, own: None }
    }

    /// Where the bytes begin.
    pub(crate) fn address(&self) -> usize {
        self.address
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        if let Some(layout) = self.own {
            USED.fetch_sub(layout.size() as u64, Ordering::Relaxed);
            // SAFETY: allocated with this layout by `allocate`.
            unsafe { dealloc(self.address as *mut u8, layout) };
        }
    }
}

/// A buffer, sub-buffer, image or pipe.
pub(crate) struct Mem {
    pub(crate) context: Shared<Context>,
    pub(crate) kind: cl_mem_object_type,
    pub(crate) flags: cl_mem_flags,
    pub(crate) size: usize,
    pub(crate) image: Option<Image>,
    pub(crate) pipe: Option<Pipe>,
    pub(crate) gl: Option<Gl>,
    storage: Arc<Storage>,
    offset: usize,
    parent: Option<Shared<Mem>>,
    host: usize,
    properties: Vec<cl_mem_properties>,
    /// Addresses at which it is mapped.
    maps: Mutex<Vec<usize>>,
    destructors: Mutex<Vec<(Destructor, usize)>>,
}

impl Kind for Mem {
    const NAME: &'static str = "mem";
    const INVALID: cl_int = CL_INVALID_MEM_OBJECT;

    fn destroyed(&mut self, handle: *mut c_void) {
        context::run_destructors(&self.destructors, handle);
    }
}

impl Mem {
    /// Where its bytes begin.
    pub(crate) fn address(&self) -> usize {
        self.storage.address() + self.offset
    }

    /// Whether the range lies inside.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if not.
    pub(crate) fn check_range(&self, offset: usize, size: usize) -> Result {
        let end = offset.checked_add(size).ok_or(CL_INVALID_VALUE)?;
        check(end <= self.size, CL_INVALID_VALUE)
    }

    /// Whether it is a buffer.
    ///
    /// # Errors
    /// `CL_INVALID_MEM_OBJECT` if not.
    pub(crate) fn check_buffer(&self) -> Result {
        check(self.kind == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT)
    }

    /// Whether the host may read it.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` if not.
    pub(crate) fn check_host_read(&self) -> Result {
        check(self.flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS) == 0, CL_INVALID_OPERATION)
    }

    /// Whether the host may write it.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` if not.
    pub(crate) fn check_host_write(&self) -> Result {
        check(self.flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS) == 0, CL_INVALID_OPERATION)
    }

    /// Whether it may be mapped for what the flags say.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for unknown flags, `CL_INVALID_OPERATION` if not.
    pub(crate) fn check_map(&self, flags: cl_map_flags) -> Result {
        let write = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
        check(flags & !(CL_MAP_READ | write) == 0, CL_INVALID_VALUE)?;
        let exclusive =
            flags & CL_MAP_WRITE_INVALIDATE_REGION != 0 && flags & (CL_MAP_READ | CL_MAP_WRITE) != 0;
        check(!exclusive, CL_INVALID_VALUE)?;
        if flags & CL_MAP_READ != 0 {
            self.check_host_read()?;
        }
        if flags & write != 0 {
            self.check_host_write()?;
        }
        Ok(())
    }

    /// Notes that it is mapped.
    pub(crate) fn map(&self, address: usize) {
        lock(&self.maps).push(address);
    }

    /// Notes that it is no longer mapped.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if it was not mapped there.
    pub(crate) fn unmap(&self, address: usize) -> Result {
        let mut maps = lock(&self.maps);
        let at = maps.iter().position(|one| *one == address).ok_or(CL_INVALID_VALUE)?;
        maps.swap_remove(at);
        Ok(())
    }

    fn uses_svm(&self) -> bool {
        self.host != 0 && self.flags & CL_MEM_USE_HOST_PTR != 0 && svm::owns(self.host)
    }
}

/// What a new memory object is.
pub(crate) struct Plan {
    pub(crate) context: Shared<Context>,
    pub(crate) kind: cl_mem_object_type,
    pub(crate) flags: cl_mem_flags,
    pub(crate) size: usize,
    pub(crate) host: *mut c_void,
    pub(crate) image: Option<Image>,
    pub(crate) pipe: Option<Pipe>,
    pub(crate) gl: Option<Gl>,
    pub(crate) properties: Vec<cl_mem_properties>,
}

/// Which access flags exclude each other.
fn check_flags(flags: cl_mem_flags) -> Result {
    let device = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    let host = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    let places = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    let known = device | host | places | CL_MEM_KERNEL_READ_AND_WRITE;
    check(flags & !known == 0, CL_INVALID_VALUE)?;
    check((flags & device).count_ones() <= 1 && (flags & host).count_ones() <= 1, CL_INVALID_VALUE)?;
    let uses = flags & CL_MEM_USE_HOST_PTR != 0;
    check(!uses || flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR) == 0, CL_INVALID_VALUE)
}

/// Makes a memory object with storage of its own, or that of the application.
///
/// # Errors
/// As `clCreateBuffer`, without those for the size.
///
/// # Safety
/// - With `CL_MEM_USE_HOST_PTR` or `CL_MEM_COPY_HOST_PTR`, `plan.host` is valid for `plan.size` bytes.
pub(crate) unsafe fn create(plan: Plan) -> Result<cl_mem> {
    check_flags(plan.flags)?;
    let given = plan.flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
    check(given != plan.host.is_null(), CL_INVALID_HOST_PTR)?;
    let storage = if plan.flags & CL_MEM_USE_HOST_PTR != 0 {
        Storage::borrow(plan.host)
    } else {
        Storage::allocate(plan.size)?
    };
    if plan.flags & CL_MEM_COPY_HOST_PTR != 0 {
        // SAFETY: readable by the caller's promise, and the storage is as large.
        unsafe {
            std::ptr::copy_nonoverlapping(plan.host.cast::<u8>(), storage.address() as *mut u8, plan.size)
        };
    }
    let host = if plan.flags & CL_MEM_USE_HOST_PTR != 0 { plan.host as usize } else { 0 };
    let dispatch = plan.context.dispatch();
    let mem = Mem {
        context: plan.context,
        kind: plan.kind,
        flags: if plan.flags == 0 { CL_MEM_READ_WRITE } else { plan.flags },
        size: plan.size,
        image: plan.image,
        pipe: plan.pipe,
        gl: plan.gl,
        storage: Arc::new(storage),
        offset: 0,
        parent: None,
        host,
        properties: plan.properties,
        maps: Mutex::default(),
        destructors: Mutex::default(),
    };
    Ok(Object::create(dispatch, 1, mem).handle())
}

/// Makes a memory object that shares a parent's storage.
pub(crate) fn create_part(
    parent: Shared<Mem>,
    kind: cl_mem_object_type,
    flags: cl_mem_flags,
    offset: usize,
    size: usize,
    image: Option<Image>,
) -> cl_mem {
    let device = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    let access = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    let places = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    let inherited = |group: u64| if flags & group == 0 { parent.flags & group } else { flags & group };
    let mem = Mem {
        context: parent.context.clone(),
        kind,
        flags: inherited(device) | inherited(access) | (parent.flags & places),
        size,
        image,
        pipe: None,
        gl: None,
        storage: parent.storage.clone(),
        offset: parent.offset + offset,
        host: if parent.host == 0 { 0 } else { parent.host + offset },
        parent: Some(parent.clone()),
        properties: Vec::new(),
        maps: Mutex::default(),
        destructors: Mutex::default(),
    };
    Object::create(parent.dispatch(), 1, mem).handle()
}

/// # Safety
/// - As [`create`].
unsafe fn buffer(
    context: cl_context,
    properties: Vec<cl_mem_properties>,
    flags: cl_mem_flags,
    size: size_t,
    host: *mut c_void,
) -> Result<cl_mem> {
    let context = object::get::<Context>(context)?;
    check(properties.len() <= 1, CL_INVALID_PROPERTY)?;
    check(size > 0 && size as u64 <= context.max_alloc(), CL_INVALID_BUFFER_SIZE)?;
    let kind = CL_MEM_OBJECT_BUFFER;
    let plan = Plan { context, kind, flags, size, host, image: None, pipe: None, gl: None, properties };
    // SAFETY: passed on.
    unsafe { create(plan) }
}

entry! {
    object fn clCreateBuffer(
        context: cl_context, flags: cl_mem_flags, size: size_t, host_ptr: *mut c_void,
    ) {
        // SAFETY: the pointer is as the specification demands.
        unsafe { buffer(context, Vec::new(), flags, size, host_ptr) }
    }
}

entry! {
    object fn clCreateBufferWithProperties(
        context: cl_context, properties: *const cl_mem_properties, flags: cl_mem_flags, size: size_t,
        host_ptr: *mut c_void,
    ) {
        // SAFETY: the pointer is as the specification demands.
        let properties = unsafe { pairs(properties) };
        // SAFETY: as above.
        unsafe { buffer(context, properties, flags, size, host_ptr) }
    }
}

entry! {
    object fn clCreateSubBuffer(
        buffer: cl_mem, flags: cl_mem_flags, buffer_create_type: cl_buffer_create_type,
        buffer_create_info: *const c_void,
    ) {
        let parent = object::get::<Mem>(buffer)?;
        check(parent.kind == CL_MEM_OBJECT_BUFFER && parent.parent.is_none(), CL_INVALID_MEM_OBJECT)?;
        check(buffer_create_type == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE)?;
        check(!buffer_create_info.is_null(), CL_INVALID_VALUE)?;
        check_flags(flags)?;
        let places = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
        check(flags & places == 0, CL_INVALID_VALUE)?;
        // SAFETY: for this type, the pointer is to a region.
        let region = unsafe { buffer_create_info.cast::<cl_buffer_region>().read_unaligned() };
        check(region.size > 0, CL_INVALID_BUFFER_SIZE)?;
        parent.check_range(region.origin, region.size)?;
        check(region.origin % ALIGN == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET)?;
        Ok(create_part(parent, CL_MEM_OBJECT_BUFFER, flags, region.origin, region.size, None))
    }
}

entry! {
    status fn clRetainMemObject(memobj: cl_mem) { object::retain::<Mem>(memobj) }
}

entry! {
    status fn clReleaseMemObject(memobj: cl_mem) { object::release::<Mem>(memobj) }
}

entry! {
    status fn clSetMemObjectDestructorCallback(
        memobj: cl_mem, pfn_notify: Option<Destructor>, user_data: *mut c_void,
    ) {
        let mem = object::get::<Mem>(memobj)?;
        let callback = pfn_notify.ok_or(CL_INVALID_VALUE)?;
        lock(&mem.destructors).push((callback, user_data as usize));
        Ok(())
    }
}

entry! {
    status fn clGetMemObjectInfo(
        memobj: cl_mem, param_name: cl_mem_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let mem = object::get::<Mem>(memobj)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        let version = mem.context.version();
        match param_name {
            CL_MEM_TYPE => answer.value(mem.kind),
            CL_MEM_FLAGS => answer.value(mem.flags),
            CL_MEM_SIZE => answer.value(mem.size),
            CL_MEM_HOST_PTR => answer.value(mem.host as *mut c_void),
            CL_MEM_MAP_COUNT => answer.value(lock(&mem.maps).len() as cl_uint),
            CL_MEM_REFERENCE_COUNT => answer.value(mem.references()),
            CL_MEM_CONTEXT => answer.value(mem.context.handle()),
            CL_MEM_ASSOCIATED_MEMOBJECT if version >= (1, 1) => {
                answer.value(mem.parent.as_ref().map_or(std::ptr::null_mut(), |parent| parent.handle()))
            }
            CL_MEM_OFFSET if version >= (1, 1) => answer.value(mem.offset),
            CL_MEM_USES_SVM_POINTER if version >= (2, 0) => answer.flag(mem.uses_svm()),
            CL_MEM_PROPERTIES if version >= (3, 0) => answer.list(&mem.properties),
            _ => Err(CL_INVALID_VALUE),
        }
    }
}
