//! Mapping shared virtual memory: its own address is the host's.

use std::ffi::c_void;

use opencl_driver::in_forked_child;

use super::with_event;
use crate::call::call;
use crate::{CommandQueue, Event, MapFlags, Result, SvmPointer, WaitList};

/// Shared virtual memory that the host may touch. It is unmapped when this object goes, or earlier by
/// [`unmap`](Self::unmap).
#[derive(Debug)]
pub struct SvmMap<'a> {
    queue: CommandQueue,
    memory: SvmPointer<'a>,
    address: *mut c_void,
    mapped: bool,
}

// SAFETY: the address is memory that any thread may use; what it holds is the user's business.
unsafe impl Send for SvmMap<'_> {}
// SAFETY: as above.
unsafe impl Sync for SvmMap<'_> {}

impl SvmMap<'_> {
    /// Where the memory is. It may be touched between the end of the mapping command and the unmapping.
    #[must_use]
    pub fn address(&self) -> *mut c_void {
        self.address
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.memory.size()
    }

    /// Unmaps the memory (`clEnqueueSVMUnmap`), on the queue that mapped it or another one of the context. The
    /// memory must not be touched afterwards.
    ///
    /// # Errors
    /// What the function gives; it is not tried again when the object goes.
    pub fn unmap(mut self, queue: Option<&CommandQueue>, wait_for: &WaitList<'_>) -> Result<Event> {
        self.mapped = false;
        queue.unwrap_or(&self.queue).svm_unmap(self.memory, wait_for)
    }
}

impl Drop for SvmMap<'_> {
    fn drop(&mut self) {
        if self.mapped
            && !in_forked_child()
            && let Err(error) = self.queue.svm_unmap(self.memory, &WaitList::default())
        {
            log::warn!("{error}");
        }
    }
}

impl CommandQueue {
    /// Maps shared virtual memory as [`svm_map`](Self::svm_map) does, until the object goes. If the call does not
    /// block, the memory may be touched once the event is done.
    ///
    /// ```
    /// use opencl_runtime::{CommandQueue, Context, MapFlags, SvmAllocation, SvmMemFlags, WaitList};
    ///
    /// # fn main() -> opencl_runtime::Result<()> {
    /// let context = Context::from_environment()?;
    /// let queue = CommandQueue::new(&context)?;
    /// # if !queue.device().svm_capabilities().is_ok_and(|able| !able.is_empty()) {
    /// #     println!("skipped: the device has no shared virtual memory");
    /// #     return Ok(());
    /// # }
    /// let memory = SvmAllocation::new(&context, SvmMemFlags::READ_WRITE, 4, 0)?;
    /// let (map, _) = queue.map_svm(memory.pointer(), true, MapFlags::WRITE, &WaitList::default())?;
    /// // SAFETY: the memory holds a number, is mapped, and no command uses it.
    /// unsafe { map.address().cast::<f32>().write(2.5) };
    /// map.unmap(None, &WaitList::default())?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As for [`svm_map`](Self::svm_map).
    pub fn map_svm<'a>(
        &self,
        memory: SvmPointer<'a>,
        blocking: bool,
        flags: MapFlags,
        wait_for: &WaitList<'_>,
    ) -> Result<(SvmMap<'a>, Event)> {
        let address = self.svm_address(&memory, "clEnqueueSVMMap")?;
        let event = self.svm_map(memory, blocking, flags, wait_for)?;
        Ok((SvmMap { queue: self.clone(), memory, address, mapped: true }, event))
    }

    /// Lets the host touch coarse-grained memory, at its own address (`clEnqueueSVMMap`, OpenCL 2.0): once the
    /// event is done, and until it is [unmapped](Self::svm_unmap).
    ///
    /// # Errors
    /// What the function gives.
    pub fn svm_map(
        &self,
        memory: SvmPointer<'_>,
        blocking: bool,
        flags: MapFlags,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        let address = self.svm_address(&memory, "clEnqueueSVMMap")?;
        if memory.size() == 0 {
            return self.marker(wait_for);
        }
        // SAFETY: queue and events are live; the memory is, as in `svm_copy`.
        let event = with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueSVMMap(
                    self.as_raw(),
                    blocking.into(),
                    flags.bits(),
                    address,
                    memory.size(),
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })?;
        memory.used_on(self);
        Ok(event)
    }

    /// Ends a mapping (`clEnqueueSVMUnmap`, OpenCL 2.0); the host leaves the memory alone from here on.
    ///
    /// # Errors
    /// What the function gives.
    pub fn svm_unmap(&self, memory: SvmPointer<'_>, wait_for: &WaitList<'_>) -> Result<Event> {
        let address = self.svm_address(&memory, "clEnqueueSVMUnmap")?;
        if memory.size() == 0 {
            return self.marker(wait_for);
        }
        // SAFETY: queue and events are live; the memory is, as in `svm_copy`.
        let event = with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueSVMUnmap(self.as_raw(), address, wait_for.len(), wait_for.as_ptr(), event)
            )
        })?;
        memory.used_on(self);
        Ok(event)
    }
}
