//! Mapping an array's memory into that of the host.

use opencl_array::Array as Runtime;
use opencl_runtime::{Event as RuntimeEvent, Map, MapFlags};
use pyo3::prelude::*;

use super::Array;
use crate::cl::event::Event;
use crate::cl::map::{MemoryMap, View};
use crate::cl::memory::{MemoryObjectHolder, buffer_layers};
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::convert::wait_list::Events;
use crate::error::ArrayResult;

const WRITES: MapFlags = MapFlags::WRITE.union(MapFlags::WRITE_INVALIDATE_REGION);

#[pymethods]
impl Array {
    /// The elements as a NumPy array over the array's own memory, with the same strides, whatever they are; its
    /// ``base`` is the :class:`MemoryMap`, which ends with it or by its method ``release``. Operations on the array
    /// have to wait until then.
    ///
    /// *flags* is a mask of :class:`map_flags`, by default for reading and writing. The call waits for what was
    /// enqueued on the array and for the events of *wait_for*. If *is_blocking* is false, ``(array, event)`` is
    /// returned, and the array may be used once the event is done.
    #[pyo3(signature = (queue = None, flags = None, is_blocking = true, wait_for = None))]
    fn map_to_host<'py>(
        slf: &Bound<'py, Self>,
        queue: Option<&Bound<'py, CommandQueue>>,
        flags: Option<u64>,
        is_blocking: bool,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let array = slf.get().runtime()?;
        let queue = slf.get().queue_or(py, queue)?;
        let flags = flags.map_or(MapFlags::READ | MapFlags::WRITE, MapFlags::from_bits_retain);
        let memory = match slf.get().base_data(py)?.into_bound(py).cast_into::<MemoryObjectHolder>() {
            Ok(memory) => memory,
            // Shared virtual memory, which commands use through a buffer.
            Err(_) => Bound::new(py, buffer_layers(array.buffer().clone(), None))?.into_super().into_super(),
        };
        let after = Events::new(wait_for)?;
        let after: Vec<&RuntimeEvent> = after.iter().collect();
        let map = |low: usize, size: usize| {
            array.enqueue_with(flags.intersects(WRITES), Some(queue), &after, |queue, wait| {
                queue.map_buffer(array.buffer(), is_blocking, flags, low, size, wait)
            })
        };
        let (low, high) = span(array);
        // An empty range is no map: one byte of the memory stands for it.
        let size = (high - low).max(1);
        let (map, event): (Map, _) =
            py.detach(|| map(low.min(array.buffer().size() - 1), size)).array_result()?;
        let view = View::inside(
            dtype::to_numpy(py, array.dtype())?,
            array.shape(),
            array.layout().strides(),
            high - low,
        );
        let first = map.address().wrapping_byte_add(array.layout().offset() - low);
        let base = Bound::new(py, MemoryMap::new(map, memory.unbind()))?;
        // SAFETY: the map holds every element, from the lowest to the highest, until it is released, which its
        // documentation forbids while the array is used.
        let host = unsafe { view.array(first, base.as_any(), flags.intersects(WRITES)) }?;
        if is_blocking {
            return Ok(host);
        }
        Ok((host, Event::from(event)).into_pyobject(py)?.into_any().unbind())
    }
}

/// First byte and one past the last byte of any element.
fn span(array: &Runtime) -> (usize, usize) {
    // An array lies inside of its memory, so that neither overflows nor is negative.
    let (low, high) = array.layout().span().unwrap_or_default();
    (low.cast_unsigned(), high.cast_unsigned())
}
