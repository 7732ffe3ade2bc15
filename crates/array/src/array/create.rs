//! New arrays: empty, filled, ranges, from host memory.

use std::sync::Arc;

use opencl_runtime::{CommandQueue, Context};

use super::{Array, Operand, Storage};
use crate::allocator::Allocator;
use crate::dtype::{DType, Kind, Scalar};
use crate::error::{Error, Result};
use crate::evaluate::{Eager, evaluate_into};
use crate::expr::{BinaryOp, Expr};
use crate::layout::{Layout, Order};
use crate::per_context::PerContext;

impl Array {
    /// An array without defined contents.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or what the allocation gives.
    pub fn empty(queue: &CommandQueue, shape: &[usize], dtype: DType, order: Order) -> Result<Self> {
        let layout = Layout::contiguous(shape, dtype.size(), order)?;
        Self::with_layout(queue, PerContext::of(queue.context()), layout, dtype)
    }

    /// An array without defined contents for any layout, in new memory of a context, with a queue or without.
    ///
    /// # Errors
    /// [`Error::DifferentContexts`], or what the allocation gives.
    pub fn in_context(
        context: &Context,
        queue: Option<&CommandQueue>,
        layout: Layout,
        dtype: DType,
    ) -> Result<Self> {
        let bytes = layout.span().map_or(0, |(_, end)| usize::try_from(end).unwrap_or(0));
        let storage = Storage::allocate(context, PerContext::of(context), queue, bytes)?;
        Self::new(storage, layout, dtype, queue.cloned())
    }

    /// An array without defined contents for any layout, in memory of an allocator, which results use too.
    ///
    /// # Errors
    /// [`Error::DifferentContexts`], [`Error::OutOfBuffer`], or what the allocator gives.
    pub fn from_allocator(
        allocator: Arc<dyn Allocator>,
        context: &Context,
        queue: Option<&CommandQueue>,
        layout: Layout,
        dtype: DType,
    ) -> Result<Self> {
        let bytes = layout.span().map_or(0, |(_, end)| usize::try_from(end).unwrap_or(0));
        let storage = allocator.allocate(context, bytes.max(1))?;
        Ok(Self::new(storage, layout, dtype, queue.cloned())?.with_allocator(Some(allocator)))
    }

    /// An array for the result of an operation on `arrays`: in memory of the allocator of the first one, if it has
    /// one.
    pub(crate) fn for_result(
        queue: &CommandQueue,
        arrays: &[&Self],
        layout: Layout,
        dtype: DType,
    ) -> Result<Self> {
        let shared = match arrays.first() {
            Some(Self { allocator: Some(allocator), .. }) => {
                let (allocator, context) = (allocator.clone(), queue.context());
                return Self::from_allocator(allocator, context, Some(queue), layout, dtype);
            }
            Some(array) => array.storage().shared_state().clone(),
            None => PerContext::of(queue.context()),
        };
        Self::with_layout(queue, shared, layout, dtype)
    }

    /// An array in new memory for a gap-free layout.
    pub(crate) fn with_layout(
        queue: &CommandQueue,
        shared: Arc<PerContext>,
        layout: Layout,
        dtype: DType,
    ) -> Result<Self> {
        let storage = Storage::allocate(queue.context(), shared, Some(queue), layout.nbytes())?;
        Ok(Self::inside(storage, layout, dtype, Some(queue.clone())))
    }

    /// A layout without gaps of the same shape, with the axes in the order in which this array's lie in memory, for
    /// elements of `dtype`.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn layout_like(&self, dtype: DType) -> Result<Layout> {
        crate::evaluate::result_layout([self.layout()].into_iter(), dtype)
    }

    /// An array of zeros.
    ///
    /// # Errors
    /// As [`Array::empty`], or what the launch gives.
    pub fn zeros(queue: &CommandQueue, shape: &[usize], dtype: DType, order: Order) -> Result<Self> {
        Self::full(queue, shape, Scalar::Bool(false), dtype, order)
    }

    /// An array of equal elements.
    ///
    /// # Errors
    /// As [`Array::empty`]; [`Error::OutOfBounds`] if a weak integer does not fit; what the launch gives.
    pub fn full(
        queue: &CommandQueue,
        shape: &[usize],
        value: Scalar,
        dtype: DType,
        order: Order,
    ) -> Result<Self> {
        let array = Self::empty(queue, shape, dtype, order)?;
        array.fill(value, None)?;
        Ok(array)
    }

    /// Sets every element, of vectors every component; of records only to zero.
    ///
    /// # Errors
    /// [`Error::NoQueue`], [`Error::OutOfBounds`], or what the launch gives.
    pub fn fill(&self, value: Scalar, queue: Option<&CommandQueue>) -> Result<()> {
        let queue = queue.or(self.queue()).ok_or(Error::NoQueue)?;
        if self.dtype().kind() == Kind::Record && value.equals(0.0) {
            return self.fill_bytes(&vec![0; self.dtype().size()], Some(queue));
        }
        let value = value.store(self.dtype())?;
        evaluate_into(queue, Some(Eager::Fill), &[Operand::Scalar(value)], self, || {
            let mut expr = Expr::new();
            expr.scalar(value.dtype());
            Ok(expr)
        })
    }

    /// The numbers `start`, `start + step`, … below `stop` (above, for a negative step), as NumPy's `arange`:
    /// their count comes from the quotient, the elements are computed in `dtype`.
    ///
    /// # Errors
    /// [`Error::ZeroStep`]; [`Error::Undefined`] for complex limits and truth values; as [`Array::empty`];
    /// what the launch gives.
    pub fn arange(
        queue: &CommandQueue,
        start: Scalar,
        stop: Scalar,
        step: Scalar,
        dtype: DType,
    ) -> Result<Self> {
        let complex = [start, stop, step].iter().any(|number| number.dtype().is_complex());
        if dtype.kind() == Kind::Bool || complex || !dtype.is_number() {
            return Err(Error::Undefined { operation: "arange", dtypes: vec![dtype] });
        }
        let count = range_length(start, stop, step)?;
        let array = Self::empty(queue, &[count], dtype, Order::C)?;
        // NumPy steps by the difference of the first two elements.
        let start_value = start.cast(dtype)?;
        let step_value = step_in(dtype, start, step)?;
        evaluate_into(
            queue,
            Some(Eager::Arange),
            &[Operand::Scalar(start_value), Operand::Scalar(step_value)],
            &array,
            || {
                let mut expr = Expr::new();
                let (start, step) = (expr.scalar(dtype), expr.scalar(dtype));
                let index = expr.index();
                let index = expr.cast(index, dtype);
                let way = expr.binary(BinaryOp::Multiply, index, step)?;
                expr.binary(BinaryOp::Add, start, way)?;
                Ok(expr)
            },
        )?;
        Ok(array)
    }

    /// An array with the given elements: bytes in native order, element order `order`.
    ///
    /// # Errors
    /// [`Error::HostSize`] if the number of bytes is wrong; as [`Array::empty`]; what the transfer gives.
    pub fn from_host(
        queue: &CommandQueue,
        shape: &[usize],
        dtype: DType,
        order: Order,
        bytes: &[u8],
    ) -> Result<Self> {
        let array = Self::empty(queue, shape, dtype, order)?;
        array.write(bytes, order, None)?;
        Ok(array)
    }
}

/// Number of elements of a range.
fn range_length(start: Scalar, stop: Scalar, step: Scalar) -> Result<usize> {
    if step.equals(0.0) {
        return Err(Error::ZeroStep);
    }
    let count = match (start.as_integer(), stop.as_integer(), step.as_integer()) {
        (Some(start), Some(stop), Some(step)) => {
            let way = stop - start;
            let whole = way / step;
            let count = if way % step != 0 && (way > 0) == (step > 0) { whole + 1 } else { whole };
            count.max(0)
        }
        _ => ((stop.as_float() - start.as_float()) / step.as_float()).ceil().max(0.0) as i128,
    };
    usize::try_from(count)
        .map_err(|_| Error::TooLarge { shape: [usize::MAX].into_iter().collect(), item_size: 1 })
}

/// The step as the difference of the first two elements, in `dtype`.
fn step_in(dtype: DType, start: Scalar, step: Scalar) -> Result<Scalar> {
    let second = match (start.as_integer(), step.as_integer()) {
        (Some(start), Some(step)) => Scalar::WeakInt(start + step),
        _ => Scalar::WeakFloat(start.as_float() + step.as_float()),
    };
    let first = start.cast(dtype)?;
    // A second element beyond the dtype is never stored if the count is 1.
    let second = second.cast(dtype).unwrap_or(first);
    match (second.as_integer(), first.as_integer()) {
        (Some(second), Some(first)) => Scalar::I64((second - first) as i64).cast(dtype),
        _ => match dtype {
            DType::F32 | DType::F16 | DType::C64 => {
                Scalar::F32(second.as_float() as f32 - first.as_float() as f32).cast(dtype)
            }
            _ => Scalar::F64(second.as_float() - first.as_float()).cast(dtype),
        },
    }
}
