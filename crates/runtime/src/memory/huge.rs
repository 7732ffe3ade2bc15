//! Buffers of devices that compute in the host's memory, on huge pages.

use std::alloc::{Layout, alloc, dealloc};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

use super::Buffer;
use crate::{Context, DeviceType, Error, MemFlags, Result, ask_for_huge_pages, status};

/// A huge page of x86-64 and of most others.
const PAGE: usize = 2 << 20;
/// Smaller buffers have few pages of any size.
const LEAST: usize = 2 * PAGE;

/// Memory of the host that begins with a huge page.
struct Pages {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it owns the memory and does nothing but free it.
unsafe impl Send for Pages {}
// SAFETY: as above; a shared reference gives access to nothing.
unsafe impl Sync for Pages {}

impl Pages {
    fn new(size: usize) -> Option<Self> {
        let layout = Layout::from_size_align(size, PAGE).ok()?;
        // SAFETY: the size is not zero.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        // SAFETY: so many bytes, which nobody else knows, were given; they need not be initialized.
        ask_for_huge_pages(unsafe {
            slice::from_raw_parts_mut(start.as_ptr().cast::<MaybeUninit<u8>>(), size)
        });
        Some(Self { start, layout })
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: it was given for this layout.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

impl Buffer {
    /// A buffer as [`new`](Self::new) makes it. If it is of 4 MiB or more and all devices of the context are CPUs, it
    /// lies in host memory for which huge pages were asked (`USE_HOST_PTR` in its flags), where the system has them:
    /// drivers take ordinary ones, which cost kernels that stream through memory a fifth to a third of their speed.
    ///
    /// # Errors
    /// As for [`new`](Self::new); `MEM_OBJECT_ALLOCATION_FAILURE` if the host has no memory.
    pub fn on_huge_pages(context: &Context, flags: MemFlags, size: usize) -> Result<Self> {
        if !cfg!(target_os = "linux") || size < LEAST || !computes_in_host_memory(context)? {
            return Self::new(context, flags, size);
        }
        let Some(pages) = Pages::new(size) else {
            // A driver would give a buffer, and some crash where it has no memory when it is used first.
            let detail = format!("the host has no memory of {size} bytes");
            return Err(Error::refused("clCreateBuffer", status::MEM_OBJECT_ALLOCATION_FAILURE, detail));
        };
        let pages = Arc::new(pages);
        let address = pages.start.as_ptr().cast();
        // SAFETY: the memory has this size, and the driver's own destruction of the buffer lets it go.
        let buffer = unsafe { Self::with_host_ptr(context, flags | MemFlags::USE_HOST_PTR, size, address) }?;
        if let Err(error) = buffer.keep_until_destroyed(Box::new(pages.clone())) {
            // The memory goes after the buffer.
            drop(buffer);
            return Err(error);
        }
        Ok(buffer)
    }
}

fn computes_in_host_memory(context: &Context) -> Result<bool> {
    for device in context.devices()?.iter() {
        if !device.type_()?.contains(DeviceType::CPU) {
            return Ok(false);
        }
    }
    Ok(true)
}
