//! Shared virtual memory: allocations that host and device see at the same address.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::border::{check, items, lock};
use crate::context::Context;
use crate::enqueue::{Enqueue, Host};
use crate::memory::Storage;
use crate::object;
use crate::rect::{self, copy_bytes};
use crate::sys::*;

type FreeNotify = unsafe extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void, *mut c_void);

struct Allocation {
    /// Owned: the memory goes when this does.
    _storage: Storage,
    context: usize,
    size: usize,
}

/// By address.
static ALLOCATIONS: Mutex<BTreeMap<usize, Allocation>> = Mutex::new(BTreeMap::new());

/// How many allocations there are.
pub(crate) fn live() -> u64 {
    lock(&ALLOCATIONS).len() as u64
}

/// Whether an address lies in an allocation.
pub(crate) fn owns(address: usize) -> bool {
    contains(address, 1)
}

fn contains(address: usize, size: usize) -> bool {
    let allocations = lock(&ALLOCATIONS);
    let below = allocations.range(..=address).next_back();
    let end = address.checked_add(size);
    below.is_some_and(|(start, one)| end.is_some_and(|end| end <= start + one.size))
}

/// Whether a range lies in an allocation.
///
/// # Errors
/// `CL_INVALID_VALUE` if not.
fn check_range(pointer: *const c_void, size: usize) -> Result {
    check(!pointer.is_null() && contains(pointer as usize, size), CL_INVALID_VALUE)
}

fn allocate(
    context: cl_context,
    flags: cl_svm_mem_flags,
    size: usize,
    alignment: cl_uint,
) -> Result<*mut c_void> {
    let context = object::get::<Context>(context)?;
    check(context.devices.iter().any(|device| device.svm()), CL_INVALID_OPERATION)?;
    let access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    check(flags & !(access | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS) == 0, CL_INVALID_VALUE)?;
    check((flags & access).count_ones() <= 1, CL_INVALID_VALUE)?;
    // The devices have no SVM atomics.
    check(flags & CL_MEM_SVM_ATOMICS == 0, CL_INVALID_VALUE)?;
    check(size > 0 && size as u64 <= context.max_alloc(), CL_INVALID_VALUE)?;
    check(alignment == 0 || (alignment.is_power_of_two() && alignment <= 128), CL_INVALID_VALUE)?;
    let storage = Storage::allocate(size)?;
    let address = storage.address();
    let allocation = Allocation { _storage: storage, context: context.handle() as usize, size };
    lock(&ALLOCATIONS).insert(address, allocation);
    Ok(address as *mut c_void)
}

fn free(address: usize, context: usize) {
    let mut allocations = lock(&ALLOCATIONS);
    if allocations.get(&address).is_some_and(|one| one.context == context) {
        allocations.remove(&address);
    }
}

entry! {
    plain fn clSVMAlloc(
        context: cl_context, flags: cl_svm_mem_flags, size: size_t, alignment: cl_uint,
    ) -> *mut c_void {
        allocate(context, flags, size, alignment)
    } else std::ptr::null_mut()
}

entry! {
    plain fn clSVMFree(context: cl_context, svm_pointer: *mut c_void) -> () {
        let context = object::get::<Context>(context)?;
        free(svm_pointer as usize, context.handle() as usize);
        Ok(())
    } else ()
}

entry! {
    status fn clEnqueueSVMFree(
        command_queue: cl_command_queue, num_svm_pointers: cl_uint, svm_pointers: *mut *mut c_void,
        pfn_free_func: Option<FreeNotify>, user_data: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        check((num_svm_pointers > 0) != svm_pointers.is_null(), CL_INVALID_VALUE)?;
        // SAFETY: as above.
        let pointers = unsafe { items(svm_pointers, num_svm_pointers as usize) };
        let mut addresses: Vec<usize> = pointers.into_iter().map(|pointer| pointer as usize).collect();
        let context = enqueue.queue.context.handle() as usize;
        let queue = enqueue.queue.clone();
        let data = Host::new(user_data);
        enqueue.submit(CL_COMMAND_SVM_FREE, false, move || match pfn_free_func {
            None => addresses.iter().for_each(|address| free(*address, context)),
            Some(callback) => {
                let list = addresses.as_mut_ptr().cast::<*mut c_void>();
                // SAFETY: the application gave the function and its data for this call.
                unsafe { callback(queue.handle(), num_svm_pointers, list, data.0 as *mut c_void) };
            }
        })
    }
}

entry! {
    status fn clEnqueueSVMMemcpy(
        command_queue: cl_command_queue, blocking_copy: cl_bool, dst_ptr: *mut c_void,
        src_ptr: *const c_void, size: size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        check(!dst_ptr.is_null() && !src_ptr.is_null(), CL_INVALID_VALUE)?;
        let (from, to) = (src_ptr as usize, dst_ptr as usize);
        check(from.saturating_add(size) <= to || to.saturating_add(size) <= from, CL_MEM_COPY_OVERLAP)?;
        enqueue.submit(CL_COMMAND_SVM_MEMCPY, blocking_copy != CL_FALSE, move || {
            // SAFETY: the application keeps both ranges until the command has ended.
            unsafe { copy_bytes(from, to, size) };
        })
    }
}

entry! {
    status fn clEnqueueSVMMemFill(
        command_queue: cl_command_queue, svm_ptr: *mut c_void, pattern: *const c_void,
        pattern_size: size_t, size: size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        check_range(svm_ptr, size)?;
        check(!pattern.is_null() && pattern_size.is_power_of_two() && pattern_size <= 128, CL_INVALID_VALUE)?;
        check(size.is_multiple_of(pattern_size) && (svm_ptr as usize).is_multiple_of(pattern_size), CL_INVALID_VALUE)?;
        // SAFETY: as above.
        let pattern = unsafe { items(pattern.cast::<u8>(), pattern_size) };
        let target = Host::new(svm_ptr);
        enqueue.submit(CL_COMMAND_SVM_MEMFILL, false, move || {
            // SAFETY: the range was checked; the application frees it after the command.
            unsafe { rect::fill(target.0, &pattern, size) };
        })
    }
}

entry! {
    status fn clEnqueueSVMMap(
        command_queue: cl_command_queue, blocking_map: cl_bool, flags: cl_map_flags,
        svm_ptr: *mut c_void, size: size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        check_range(svm_ptr, size)?;
        let known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
        check(size > 0 && flags & !known == 0, CL_INVALID_VALUE)?;
        enqueue.submit(CL_COMMAND_SVM_MAP, blocking_map != CL_FALSE, || {})
    }
}

entry! {
    status fn clEnqueueSVMUnmap(
        command_queue: cl_command_queue, svm_ptr: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        check_range(svm_ptr, 1)?;
        enqueue.submit(CL_COMMAND_SVM_UNMAP, false, || {})
    }
}

entry! {
    status fn clEnqueueSVMMigrateMem(
        command_queue: cl_command_queue, num_svm_pointers: cl_uint, svm_pointers: *mut *const c_void,
        sizes: *const size_t, flags: cl_mem_migration_flags,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
        check(num_svm_pointers > 0 && !svm_pointers.is_null() && flags & !known == 0, CL_INVALID_VALUE)?;
        // SAFETY: as above.
        let pointers = unsafe { items(svm_pointers, num_svm_pointers as usize) };
        // SAFETY: as above.
        let sizes = unsafe { items(sizes, num_svm_pointers as usize) };
        for (index, pointer) in pointers.iter().enumerate() {
            check_range(*pointer, sizes.get(index).copied().unwrap_or(0))?;
        }
        enqueue.submit(CL_COMMAND_SVM_MIGRATE_MEM, false, || {})
    }
}
