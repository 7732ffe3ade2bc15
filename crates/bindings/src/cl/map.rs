//! Mapped memory as NumPy arrays.

use std::ffi::{c_int, c_void};

use numpy::npyffi::{NPY_ARRAY_WRITEABLE, NpyTypes, PY_ARRAY_API, get_type_object, npy_intp};
use numpy::{PyArrayDescr, PyArrayDescrMethods};
use opencl_array::layout::Tuple;
use opencl_runtime::{CommandQueue as RuntimeQueue, Image, Map, MapFlags};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::event::Event;
use super::memory::MemoryObjectHolder;
use super::queue::CommandQueue;
use crate::convert::dims::{self, Sizes};
use crate::convert::dtype::descr;
use crate::convert::wait_list::Events;
use crate::error::{IntoPyResult, invalid};
use crate::gil::detached;

/// Mapped memory: the base of the array over it. It is unmapped with the array, or by :meth:`release`.
#[pyclass(frozen, subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct MemoryMap {
    map: Map,
    /// Keeps the mapped object, and with it host memory that it uses in place.
    _object: Py<MemoryObjectHolder>,
}

impl MemoryMap {
    /// A map of memory that `object` holds.
    pub(crate) fn new(map: Map, object: Py<MemoryObjectHolder>) -> Self {
        Self { map, _object: object }
    }
}

#[pymethods]
impl MemoryMap {
    /// Unmap the memory; the array must not be used afterwards. Returns the event of the command.
    #[pyo3(signature = (queue = None, wait_for = None))]
    fn release(
        &self,
        py: Python<'_>,
        queue: Option<&CommandQueue>,
        wait_for: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Event> {
        let events = Events::new(wait_for)?;
        let queue = queue.map(|queue| queue.live(py)).transpose()?;
        self.map.unmap(queue, &events.list()).into_py().map(Event::from)
    }

    /// The map itself.
    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// Unmap the memory, unless :meth:`release` has done so.
    fn __exit__(
        &self,
        exc_type: &Bound<'_, PyAny>,
        exc_val: &Bound<'_, PyAny>,
        exc_tb: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let _ = (exc_type, exc_val, exc_tb);
        if self.map.is_mapped() {
            self.map.unmap(None, &opencl_runtime::WaitList::default()).into_py()?;
        }
        Ok(())
    }
}

/// Layout of an array over given memory.
pub(crate) struct View<'py> {
    dtype: Bound<'py, PyArrayDescr>,
    shape: Sizes,
    strides: Vec<isize>,
    /// Bytes from the first to the end of the last element.
    extent: usize,
}

impl<'py> View<'py> {
    /// A layout by shape, dtype, and order or strides in bytes.
    fn new(
        shape: &Bound<'py, PyAny>,
        dtype: &Bound<'py, PyAny>,
        order: &str,
        strides: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        Self::with_gaps(shape, dtype, order, strides, &[])
    }

    /// The same for memory with gaps: where the inner axes span the first number of bytes, the next step is the
    /// second one. Strides that are given have the last word.
    fn with_gaps(
        shape: &Bound<'py, PyAny>,
        dtype: &Bound<'py, PyAny>,
        order: &str,
        strides: Option<&Bound<'py, PyAny>>,
        mut gaps: &[(usize, usize)],
    ) -> PyResult<Self> {
        let dtype = descr(dtype)?;
        if dtype.has_object() {
            return Err(PyTypeError::new_err("device memory cannot be seen as an array of Python objects"));
        }
        let shape = match shape.extract::<usize>() {
            Ok(length) => Sizes::from_slice(&[length]),
            Err(_) => dims::sizes(shape)?,
        };
        let too_large = || PyValueError::new_err(format!("the shape {} is too large", Tuple(&shape)));
        let item = dtype.itemsize();
        let strides = match strides {
            Some(strides) => {
                strides.try_iter()?.map(|stride| stride?.extract()).collect::<PyResult<Vec<isize>>>()?
            }
            None => {
                let mut step = item;
                let mut strides = vec![0; shape.len()];
                let axes: Vec<usize> = match order {
                    "C" | "c" => (0..shape.len()).rev().collect(),
                    "F" | "f" => (0..shape.len()).collect(),
                    _ => {
                        return Err(PyValueError::new_err(format!(
                            "order must be 'C' or 'F', not {order:?}"
                        )));
                    }
                };
                for axis in axes {
                    strides[axis] = isize::try_from(step).map_err(|_| too_large())?;
                    step = step.checked_mul(shape[axis]).ok_or_else(too_large)?;
                    while let [(span, next), outer @ ..] = gaps
                        && *span == step
                    {
                        (step, gaps) = (*next, outer);
                    }
                }
                strides
            }
        };
        if strides.len() != shape.len() {
            let text = format!("{} strides for {} dimensions", strides.len(), shape.len());
            return Err(PyValueError::new_err(text));
        }
        if strides.iter().any(|stride| *stride < 0) {
            return Err(PyValueError::new_err("the strides of mapped memory must not be negative"));
        }
        let last = |total: usize, (length, stride): (&usize, &isize)| {
            total.checked_add(length.checked_sub(1)?.checked_mul(stride.cast_unsigned())?)
        };
        let extent = if shape.contains(&0) {
            0
        } else {
            shape.iter().zip(&strides).try_fold(item, last).ok_or_else(too_large)?
        };
        Ok(Self { dtype, shape, strides, extent })
    }

    /// A layout that is known to lie inside of its memory, with strides of any sign; `extent` bytes from its lowest
    /// byte to the end of its highest one.
    pub(crate) fn inside(
        dtype: Bound<'py, PyArrayDescr>,
        shape: &[usize],
        strides: &[isize],
        extent: usize,
    ) -> Self {
        Self { dtype, shape: shape.into(), strides: strides.into(), extent }
    }

    /// The array over memory at `address`, with `base` as what keeps that memory.
    ///
    /// # Safety
    /// `extent` bytes at `address` are valid as long as `base`, and writable if `writable`.
    pub(crate) unsafe fn array(
        self,
        address: *mut c_void,
        base: &Bound<'py, PyAny>,
        writable: bool,
    ) -> PyResult<Py<PyAny>> {
        let py = base.py();
        let mut shape: Vec<npy_intp> = self.shape.iter().map(|length| length.cast_signed()).collect();
        let mut strides: Vec<npy_intp> = self.strides;
        let flags = if writable { NPY_ARRAY_WRITEABLE } else { 0 };
        // SAFETY: shape and strides have an entry a dimension, the reference to the dtype is given away,
        // and the caller promises the memory.
        let array = unsafe {
            let subtype = get_type_object(py, NpyTypes::PyArray_Type);
            let raw = PY_ARRAY_API.PyArray_NewFromDescr(
                py,
                subtype,
                self.dtype.into_dtype_ptr(),
                // NumPy allows 64 dimensions at most and refuses more.
                shape.len() as c_int,
                shape.as_mut_ptr(),
                strides.as_mut_ptr(),
                address,
                flags,
                std::ptr::null_mut(),
            );
            Bound::from_owned_ptr_or_err(py, raw)?
        };
        // SAFETY: the array is new, and the reference to its base is given away.
        let set =
            unsafe { PY_ARRAY_API.PyArray_SetBaseObject(py, array.as_ptr().cast(), base.clone().into_ptr()) };
        if set < 0 { Err(PyErr::fetch(py)) } else { Ok(array.unbind()) }
    }
}

/// The first bytes of `size` ones at `address` as an array, with `base` as what keeps them.
///
/// # Safety
/// `size` bytes at `address` are valid and writable as long as `base`.
pub(crate) unsafe fn array_over<'py>(
    address: *mut c_void,
    size: usize,
    shape: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyAny>,
    order: &str,
    base: &Bound<'py, PyAny>,
) -> PyResult<Py<PyAny>> {
    let view = View::new(shape, dtype, order, None)?;
    check_extent("SVMPointer", view.extent, 0, size)?;
    // SAFETY: the view is inside; the caller promises the rest.
    unsafe { view.array(address, base, true) }
}

/// The memory of an object made with `USE_HOST_PTR` as an array.
pub(crate) fn host_array(
    object: &Bound<'_, MemoryObjectHolder>,
    shape: &Bound<'_, PyAny>,
    dtype: &Bound<'_, PyAny>,
    order: &str,
) -> PyResult<Py<PyAny>> {
    let view = View::new(shape, dtype, order, None)?;
    let runtime = &object.get().object;
    let address = runtime.host_ptr().into_py()?.0;
    if address == 0 {
        return Err(invalid(
            "MemoryObjectHolder.get_host_array",
            "the object does not use host memory (USE_HOST_PTR)",
        ));
    }
    check_extent("MemoryObjectHolder.get_host_array", view.extent, 0, runtime.size())?;
    // SAFETY: the object uses at least that much host memory, and keeps its owner.
    unsafe { view.array(address as *mut c_void, object.as_any(), true) }
}

fn check_extent(routine: &str, extent: usize, offset: usize, size: usize) -> PyResult<()> {
    if offset.checked_add(extent).is_some_and(|end| end <= size) {
        return Ok(());
    }
    Err(invalid(routine, format!("{extent} bytes from offset {offset} are not inside of {size} bytes")))
}

/// Map a part of a buffer into host memory: returns ``(array, event)``.
///
/// The array has *shape*, *dtype*, and *order* or *strides* (in bytes), and begins at byte *offset*; its
/// ``base`` is the :class:`MemoryMap`. *flags* is a mask of :class:`map_flags`. If the call does not block,
/// the array may be used once the event is done.
#[pyfunction]
#[pyo3(signature = (queue, buf, flags, offset, shape, dtype, order = "C", strides = None, wait_for = None, is_blocking = true))]
#[allow(clippy::too_many_arguments, reason = "the parameters of the Python function")]
fn enqueue_map_buffer<'py>(
    queue: &Bound<'py, CommandQueue>,
    buf: &Bound<'py, MemoryObjectHolder>,
    flags: u64,
    offset: usize,
    shape: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyAny>,
    order: &str,
    strides: Option<&Bound<'py, PyAny>>,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
) -> PyResult<(Py<PyAny>, Event)> {
    let py = queue.py();
    let view = View::new(shape, dtype, order, strides)?;
    let events = Events::new(wait_for)?;
    let runtime: &RuntimeQueue = queue.get().live(py)?;
    let object = &buf.get().object;
    let flags = MapFlags::from_bits_retain(flags);
    let extent = view.extent;
    let list = events.list();
    let (map, event) =
        detached(py, || runtime.map_buffer(object, is_blocking, flags, offset, extent, &list))?;
    let writable = flags.intersects(MapFlags::WRITE | MapFlags::WRITE_INVALIDATE_REGION);
    let address = map.address();
    let base = Bound::new(py, MemoryMap::new(map, buf.clone().unbind()))?;
    // SAFETY: the map holds `extent` bytes until it is released, which its documentation forbids while the
    // array is used.
    let array = unsafe { view.array(address, base.as_any(), writable) }?;
    Ok((array, Event::from(event)))
}

/// Map a block of an image into host memory: returns ``(array, event, row_pitch, slice_pitch)``.
///
/// *origin* and *region* count pixels. The array has *shape*, *dtype*, and *order* or *strides* (in bytes);
/// without strides, rows and slices begin where the driver puts them. Its ``base`` is the :class:`MemoryMap`.
/// *flags* is a mask of :class:`map_flags`. If the call does not block, the array may be used once the event is
/// done.
#[pyfunction]
#[pyo3(signature = (queue, img, flags, origin, region, shape, dtype, order = "C", strides = None, wait_for = None, is_blocking = true))]
#[allow(clippy::too_many_arguments, reason = "the parameters of the Python function")]
fn enqueue_map_image<'py>(
    queue: &Bound<'py, CommandQueue>,
    img: &Bound<'py, MemoryObjectHolder>,
    flags: u64,
    origin: &Bound<'py, PyAny>,
    region: &Bound<'py, PyAny>,
    shape: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyAny>,
    order: &str,
    strides: Option<&Bound<'py, PyAny>>,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
) -> PyResult<(Py<PyAny>, Event, usize, usize)> {
    let py = queue.py();
    let (origin, region) = (dims::filled(origin, 0, "the origin")?, dims::filled(region, 1, "the region")?);
    let events = Events::new(wait_for)?;
    let runtime: &RuntimeQueue = queue.get().live(py)?;
    let image = Image::of_object(img.get().object.clone());
    let flags = MapFlags::from_bits_retain(flags);
    let list = events.list();
    let (map, layout, event) =
        detached(py, || runtime.map_image(&image, is_blocking, flags, origin, region, &list))?;
    let view = View::with_gaps(shape, dtype, order, strides, &layout.gaps())?;
    check_extent("enqueue_map_image", view.extent, 0, map.size())?;
    let writable = flags.intersects(MapFlags::WRITE | MapFlags::WRITE_INVALIDATE_REGION);
    let address = map.address();
    let base = Bound::new(py, MemoryMap::new(map, img.clone().unbind()))?;
    // SAFETY: the map holds `extent` bytes until it is released, which its documentation forbids while the
    // array is used.
    let array = unsafe { view.array(address, base.as_any(), writable) }?;
    Ok((array, Event::from(event), layout.row_pitch, layout.slice_pitch))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<MemoryMap>()?;
    m.add_function(wrap_pyfunction!(enqueue_map_image, m)?)?;
    m.add_function(wrap_pyfunction!(enqueue_map_buffer, m)?)
}
