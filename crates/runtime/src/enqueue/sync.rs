//! Markers and barriers.

use super::with_event;
use crate::call::call;
use crate::{CommandQueue, Event, Result, Version, WaitList};

impl CommandQueue {
    /// An event that is done when all commands of the wait list are, or all before it if the list is
    /// empty (`clEnqueueMarkerWithWaitList`; before OpenCL 1.2 `clEnqueueWaitForEvents` and
    /// `clEnqueueMarker`).
    ///
    /// # Errors
    /// What the functions give.
    pub fn marker(&self, wait_for: &WaitList<'_>) -> Result<Event> {
        if self.api().version < Version::new(1, 2) {
            self.wait_before_1_2(wait_for)?;
            return self.marker_before_1_2();
        }
        // SAFETY: queue and events are live.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueMarkerWithWaitList(self.as_raw(), wait_for.len(), wait_for.as_ptr(), event)
            )
        })
    }

    /// The same, and no later command starts before (`clEnqueueBarrierWithWaitList`; before OpenCL 1.2
    /// `clEnqueueWaitForEvents`, `clEnqueueBarrier` and `clEnqueueMarker`).
    ///
    /// # Errors
    /// What the functions give.
    pub fn barrier(&self, wait_for: &WaitList<'_>) -> Result<Event> {
        if self.api().version < Version::new(1, 2) {
            self.wait_before_1_2(wait_for)?;
            // SAFETY: the queue is live.
            unsafe { call!(self.api(), clEnqueueBarrier(self.as_raw()))? };
            return self.marker_before_1_2();
        }
        // SAFETY: queue and events are live.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueBarrierWithWaitList(self.as_raw(), wait_for.len(), wait_for.as_ptr(), event)
            )
        })
    }

    fn marker_before_1_2(&self) -> Result<Event> {
        // SAFETY: the queue is live.
        with_event(self, |event| unsafe { call!(self.api(), clEnqueueMarker(self.as_raw(), event)) })
    }

    fn wait_before_1_2(&self, wait_for: &WaitList<'_>) -> Result<()> {
        if wait_for.is_empty() {
            return Ok(());
        }
        // SAFETY: queue and events are live.
        unsafe { call!(self.api(), clEnqueueWaitForEvents(self.as_raw(), wait_for.len(), wait_for.as_ptr())) }
    }
}
