//! Migration.

use std::sync::{Mutex, PoisonError};

use super::with_event;
use crate::call::call;
use crate::{CommandQueue, Event, MemMigrationFlags, MemObject, Result, WaitList};

static MIGRATING: Mutex<()> = Mutex::new(());

impl CommandQueue {
    /// Moves memory objects to the queue's device, or to the host
    /// (`clEnqueueMigrateMemObjects`, OpenCL 1.2).
    ///
    /// # Errors
    /// What the function gives.
    pub fn migrate(
        &self,
        objects: &[&MemObject],
        flags: MemMigrationFlags,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        let handles = objects
            .iter()
            .map(|object| self.raw_of(object, "clEnqueueMigrateMemObjects"))
            .collect::<Result<Vec<_>>>()?;
        // NVIDIA's driver 580 crashes where two threads enqueue migrations at once.
        let _guard = MIGRATING.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: queue, objects and events are live.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueMigrateMemObjects(
                    self.as_raw(),
                    handles.len() as u32,
                    handles.as_ptr(),
                    flags.bits(),
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }
}
