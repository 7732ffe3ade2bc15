//! Sums and extrema of all elements of an array or an expression.
//!
//! Two stages of one kernel: each work-group (GPU) or work-item (CPU) reduces a share, then a single one reduces
//! their results. What one can do alone takes one launch.

use opencl_runtime::CommandQueue;
use smallvec::SmallVec;

use crate::array::{Array, Operand, check_context};
use crate::codegen::{Recipe, Skeleton};
use crate::dtype::{ArgBytes, DType, Kind, Scalar};
use crate::error::{Error, Result};
use crate::evaluate::{leaf, queue_for, vector};
use crate::expr::{BinaryOp, Expr};
use crate::kernels::{Compiled, Profile, Tuning, items};
use crate::launch::{Launch, reduction_width};
use crate::layout::{Layout, Order, broadcast_shapes};
use crate::ops::logical::truth;
use crate::ops::{self, Lazy};
use crate::plan::{Class, DeviceClass, Plan};
use crate::policy;

/// The sum, as an array without dimensions; in `dtype` if given. Of no elements it is zero.
///
/// # Errors
/// As [`Lazy::evaluate`].
pub fn sum(input: impl Into<Lazy>, dtype: Option<DType>, queue: Option<&CommandQueue>) -> Result<Array> {
    let input = input.into();
    let dtype = dtype.unwrap_or_else(|| policy::sum(input.dtype()));
    reduce(BinaryOp::Add, &input, dtype, queue)
}

/// The greatest element, as an array without dimensions; NaN if there is one.
///
/// # Errors
/// As [`Lazy::evaluate`]; [`Error::EmptyReduction`].
pub fn max(input: impl Into<Lazy>, queue: Option<&CommandQueue>) -> Result<Array> {
    let input = input.into();
    reduce(BinaryOp::Maximum, &input, input.dtype(), queue)
}

/// Whether an element is not zero, as an array without dimensions; of no elements 0.
///
/// # Errors
/// As [`Lazy::evaluate`].
pub fn any(input: impl Into<Lazy>, queue: Option<&CommandQueue>) -> Result<Array> {
    truth_value(BinaryOp::Maximum, &input.into(), queue)
}

/// Whether no element is zero, as an array without dimensions; of no elements 1.
///
/// # Errors
/// As [`Lazy::evaluate`].
pub fn all(input: impl Into<Lazy>, queue: Option<&CommandQueue>) -> Result<Array> {
    truth_value(BinaryOp::Minimum, &input.into(), queue)
}

fn truth_value(op: BinaryOp, input: &Lazy, queue: Option<&CommandQueue>) -> Result<Array> {
    let truth = truth(input)?;
    if !input.shape().contains(&0) {
        return reduce(op, &truth, truth.dtype(), queue);
    }
    let queue = queue.or(input.queue()).ok_or(Error::NoQueue)?;
    Array::full(queue, &[], Scalar::Bool(op == BinaryOp::Minimum), truth.dtype(), Order::C)
}

/// The least element, as an array without dimensions; NaN if there is one.
///
/// # Errors
/// As [`Lazy::evaluate`]; [`Error::EmptyReduction`].
pub fn min(input: impl Into<Lazy>, queue: Option<&CommandQueue>) -> Result<Array> {
    let input = input.into();
    reduce(BinaryOp::Minimum, &input, input.dtype(), queue)
}

/// [`sum`], [`max`] or [`min`] of the elements and a number, which is the result for no elements. The number is
/// converted to the dtype of the result as elements are that are set to it.
///
/// # Errors
/// As [`Lazy::evaluate`] and [`Array::fill`].
pub fn from_initial(
    op: BinaryOp,
    input: impl Into<Lazy>,
    dtype: Option<DType>,
    initial: Scalar,
    queue: Option<&CommandQueue>,
) -> Result<Array> {
    let input = input.into();
    let own = if op == BinaryOp::Add { policy::sum(input.dtype()) } else { input.dtype() };
    let dtype = dtype.unwrap_or(own);
    let initial = initial.store(dtype)?;
    if input.shape().contains(&0) {
        let queue = queue.or(input.queue()).ok_or(Error::NoQueue)?;
        return Array::full(queue, &[], initial, dtype, Order::C);
    }
    ops::binary(op, &reduce(op, &input, dtype, queue)?, initial, queue)
}

/// All elements of an expression combined, as an array without dimensions and of `dtype`.
pub(crate) fn reduce(
    op: BinaryOp,
    input: &Lazy,
    dtype: DType,
    queue: Option<&CommandQueue>,
) -> Result<Array> {
    policy::check_cast(input.dtype(), dtype)?;
    policy::binary(op, dtype, dtype)?;
    let (mut expr, operands) = input.parts()?;
    let queue = queue_for(queue, &operands)?;
    let arrays: SmallVec<[&Array; 4]> = operands.iter().filter_map(Operand::array).collect();
    for array in &arrays {
        check_context(array.storage(), queue)?;
    }
    let shape = broadcast_shapes(arrays.iter().map(|array| array.shape()))?;
    let layout = Layout::contiguous(&[], dtype.size(), Order::C)?;
    let output = Array::for_result(queue, &arrays, layout, dtype)?;
    if shape.contains(&0) {
        if op == BinaryOp::Add {
            output.fill(Scalar::Bool(false), Some(queue))?;
            return Ok(output);
        }
        return Err(Error::EmptyReduction { operation: op.name() });
    }

    let profile = output.storage().kernels().profile(queue.device())?;
    let accumulator = accumulator(op, dtype, profile);
    if let Some((root, _)) = expr.result() {
        expr.cast(root, accumulator);
    }
    let scalars: SmallVec<[ArgBytes; 4]> = operands
        .iter()
        .filter_map(|operand| match operand {
            Operand::Scalar(scalar) => Some(scalar.arg_bytes()),
            Operand::Array(_) => None,
        })
        .collect();
    let layouts: SmallVec<[&Layout; 4]> = arrays.iter().map(|array| array.layout()).collect();
    // As if the elements were computed before: in the order in which they would lie, with as many in flight, so that
    // sums round alike.
    let mut plan = match input.is_array() {
        true => Plan::new(profile.class, &shape, layouts.iter().copied(), false)?,
        false => Plan::along(profile.class, &input.layout()?, &layouts)?,
    };
    let mut items = items_of(op, input.dtype());
    // What does not round may be combined in any order.
    let exact = matches!(accumulator.kind(), Kind::Signed | Kind::Unsigned | Kind::Bool);
    if exact && plan.walk.is_none() && expr.is_local() {
        let count = vector_of(profile, &arrays);
        if count > 1 {
            plan.class.vector = count as u8;
            items = VECTORS;
        }
    }
    let stage = Stage { op, queue, profile, items };
    let width = reduction_width(profile, items * usize::from(plan.class.vector), plan.size);
    if width == 1 {
        let recipe = stage.recipe(expr, dtype, &plan.class);
        let compiled = output.storage().kernels().of_items(recipe, stage.items, queue, profile)?;
        stage.launch(&compiled, 1, &plan, &arrays, &scalars, &output)?;
        return Ok(output);
    }
    let partial = Layout::contiguous(&[width], accumulator.size(), Order::C)?;
    let partial = Array::with_layout(queue, output.storage().shared_state().clone(), partial, accumulator)?;
    let results = Plan::new(profile.class, &[width], [partial.layout()].into_iter(), false)?;
    let last = Stage { items: items_of(op, accumulator), ..stage };
    let first = stage.recipe(expr, accumulator, &plan.class);
    let second = last.recipe(leaf(accumulator), dtype, &results.class);
    let kernels = output.storage().kernels();
    let [first, second] = kernels.reductions((first, stage.items), (second, last.items), queue, profile)?;
    stage.launch(&first, width, &plan, &arrays, &scalars, &partial)?;
    last.launch(&second, 1, &results, &[&partial], &[], &output)?;
    Ok(output)
}

/// Vectors in flight per work-item on GPUs.
const VECTORS: usize = 2;

/// How many elements one load takes on GPUs, where all lie next to each other.
fn vector_of(profile: Profile, arrays: &[&Array]) -> usize {
    let Some(&first) = arrays.first() else { return 1 };
    let aligned = arrays.iter().all(|array| array.layout().offset().is_multiple_of(16));
    if aligned { vector(profile, arrays, first, Tuning::vector_of) } else { 1 }
}

/// Elements in flight per work-item on GPUs.
fn items_of(op: BinaryOp, dtype: DType) -> usize {
    items(Skeleton::Reduction(op), [dtype].into_iter())
}

/// The dtype in which a reduction accumulates. Half precision is accumulated in single precision. On CPUs, where
/// few work-items add many elements each, sums are accumulated in double precision: it costs nothing beside the
/// memory, and keeps the error of long sums that of the result's own rounding.
pub(crate) fn accumulator(op: BinaryOp, dtype: DType, profile: Profile) -> DType {
    let long = op == BinaryOp::Add && profile.class == DeviceClass::Cpu && profile.fp64;
    match dtype {
        DType::F16 | DType::F32 if long => DType::F64,
        DType::C64 if long => DType::C128,
        DType::Vector(vector) if long && vector.element() == DType::F32 => {
            DType::F64.vector(vector.lanes()).unwrap_or(dtype)
        }
        DType::F16 => DType::F32,
        other => other,
    }
}

struct Stage<'a> {
    op: BinaryOp,
    queue: &'a CommandQueue,
    profile: Profile,
    /// Elements in flight per work-item on GPUs.
    items: usize,
}

impl Stage<'_> {
    fn recipe(&self, expr: Expr, output: DType, class: &Class) -> Recipe {
        Recipe { skeleton: Skeleton::Reduction(self.op), expr, output, class: class.clone() }
    }

    fn launch(
        &self,
        compiled: &Compiled,
        width: usize,
        plan: &Plan,
        inputs: &[&Array],
        scalars: &[ArgBytes],
        output: &Array,
    ) -> Result<()> {
        let (queue, profile) = (self.queue, self.profile);
        Launch { queue, profile, plan, inputs, scalars, output, width, last: None }.run(compiled)
    }
}
