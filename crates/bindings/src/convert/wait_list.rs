//! Wait lists: `None` or any iterable of events.

use opencl_runtime::WaitList;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use smallvec::SmallVec;

use crate::cl::event::Event;

/// Events that a command waits for, kept alive while it is enqueued.
#[derive(Default)]
pub(crate) struct Events<'py>(SmallVec<[Bound<'py, Event>; 2]>);

impl<'py> Events<'py> {
    /// The events of `wait_for=`.
    #[inline]
    pub(crate) fn new(wait_for: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let Some(list) = wait_for else { return Ok(Self::default()) };
        let convert = |item: PyResult<Bound<'py, PyAny>>| {
            item?.cast_into::<Event>().map_err(|error| {
                let name = error.into_inner().get_type();
                PyTypeError::new_err(format!("wait_for: expected events, got an object of {name}"))
            })
        };
        let events: PyResult<_> = match list.cast_exact::<PyList>() {
            Ok(list) => list.iter().map(Ok).map(convert).collect(),
            Err(_) => list.try_iter()?.map(convert).collect(),
        };
        events.map(Self)
    }

    /// As the runtime takes them.
    #[inline]
    pub(crate) fn list(&self) -> WaitList<'_> {
        self.iter().collect()
    }

    /// The events themselves.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &opencl_runtime::Event> {
        self.0.iter().map(|event| &event.get().event)
    }
}
