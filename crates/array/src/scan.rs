//! Scans: for each element the sum of all up to it, in C order, over an array or an expression.
//!
//! Three phases, each of them right for any operation that is associative: totals of contiguous shares, a scan of the
//! totals, and a scan of each share that starts with what came before. What one work-group (GPU) or work-item (CPU) can
//! do alone takes one launch. (G. E. Blelloch, "Prefix sums and their applications", 1990, 1.3.)

use std::sync::Arc;

use opencl_runtime::CommandQueue;
use smallvec::SmallVec;

use crate::array::{Array, Operand, check_context};
use crate::codegen::{Recipe, Scan, Skeleton};
use crate::dtype::{ArgBytes, DType};
use crate::error::{Error, Result};
use crate::evaluate::{leaf, queue_for};
use crate::expr::{BinaryOp, Expr};
use crate::kernels::{Compiled, Kernels, Profile, items};
use crate::launch::{Launch, reduction_width};
use crate::layout::{Layout, Order, broadcast_shapes};
use crate::ops::Lazy;
use crate::plan::{Class, Plan};
use crate::policy;
use crate::reduction::accumulator;

/// What elements are combined by.
const OP: BinaryOp = BinaryOp::Add;

/// The sums of all elements up to each one, in C order, as an array of one dimension; in `dtype` if given.
///
/// # Errors
/// As [`Lazy::evaluate`].
pub fn cumsum(input: impl Into<Lazy>, dtype: Option<DType>, queue: Option<&CommandQueue>) -> Result<Array> {
    let input = input.into();
    let dtype = dtype.unwrap_or_else(|| policy::sum(input.dtype()));
    sums(&input, dtype, false, queue)
}

/// The sums of all elements before each one, see [`cumsum`].
///
/// # Errors
/// As [`Lazy::evaluate`].
pub fn exclusive_cumsum(
    input: impl Into<Lazy>,
    dtype: Option<DType>,
    queue: Option<&CommandQueue>,
) -> Result<Array> {
    let input = input.into();
    let dtype = dtype.unwrap_or_else(|| policy::sum(input.dtype()));
    sums(&input, dtype, true, queue)
}

/// Sums in a new array of one dimension and of `dtype`.
fn sums(input: &Lazy, dtype: DType, exclusive: bool, queue: Option<&CommandQueue>) -> Result<Array> {
    policy::check_cast(input.dtype(), dtype)?;
    policy::binary(OP, dtype, dtype)?;
    let (mut expr, operands) = input.parts()?;
    let queue = queue_for(queue, &operands)?;
    let arrays: SmallVec<[&Array; 4]> = operands.iter().filter_map(Operand::array).collect();
    for array in &arrays {
        check_context(array.storage(), queue)?;
    }
    let shape = broadcast_shapes(arrays.iter().map(|array| array.shape()))?;
    // Lengths of one array multiply without overflow, those of several need not.
    let size = shape.iter().try_fold(1_usize, |size, &length| size.checked_mul(length));
    let size = size.ok_or_else(|| Error::TooLarge { shape: shape.clone(), item_size: dtype.size() })?;
    let layout = Layout::contiguous(&[size], dtype.size(), Order::C)?;
    let output = Array::for_result(queue, &arrays, layout, dtype)?;
    if size == 0 {
        return Ok(output);
    }
    let profile = output.storage().kernels().profile(queue.device())?;
    let accumulator = accumulator(OP, dtype, profile);
    if let Some((root, _)) = expr.result() {
        // Elements become what they are added as, once.
        let element = expr.cast(root, dtype);
        expr.cast(element, accumulator);
    }
    let scalars: SmallVec<[ArgBytes; 4]> = operands
        .iter()
        .filter_map(|operand| match operand {
            Operand::Scalar(scalar) => Some(scalar.arg_bytes()),
            Operand::Array(_) => None,
        })
        .collect();
    let layouts: SmallVec<[&Layout; 4]> = arrays.iter().map(|array| array.layout()).collect();
    let plan = Plan::new(profile.class, &shape, layouts.iter().copied(), true)?;
    let skeleton = Skeleton::Scan(OP, Scan::Totals);
    let width = reduction_width(profile, items(skeleton, expr.array_dtypes()), size);

    let stage = Stage { queue, profile, kernels: output.storage().kernels() };
    let launch = |plan, width, output| Launch {
        queue,
        profile,
        plan,
        inputs: &arrays,
        scalars: &scalars,
        output,
        width,
        last: None,
    };
    if width == 1 {
        let compiled = stage.find(&expr, Scan::Whole { exclusive }, dtype, &plan.class)?;
        launch(&plan, 1, &output).run(&compiled)?;
        return Ok(output);
    }
    let partial = || {
        let layout = Layout::contiguous(&[width], accumulator.size(), Order::C)?;
        Array::with_layout(queue, output.storage().shared_state().clone(), layout, accumulator)
    };
    let (totals, carries) = (partial()?, partial()?);
    let compiled = stage.find(&expr, Scan::Totals, accumulator, &plan.class)?;
    launch(&plan, width, &totals).run(&compiled)?;
    stage.scan_totals(&totals, &carries)?;
    let compiled = stage.find(&expr, Scan::Shares { exclusive }, dtype, &plan.class)?;
    Launch { last: Some(&carries), ..launch(&plan, width, &output) }.run(&compiled)?;
    Ok(output)
}

/// What the phases have in common.
struct Stage<'a> {
    queue: &'a CommandQueue,
    profile: Profile,
    kernels: &'a Kernels,
}

impl Stage<'_> {
    fn find(&self, expr: &Expr, scan: Scan, output: DType, class: &Class) -> Result<Arc<Compiled>> {
        let (skeleton, expr, class) = (Skeleton::Scan(OP, scan), expr.clone(), class.clone());
        self.kernels.general(Recipe { skeleton, expr, output, class }, self.queue, self.profile)
    }

    /// What comes before each share.
    fn scan_totals(&self, totals: &Array, carries: &Array) -> Result<()> {
        let (queue, profile) = (self.queue, self.profile);
        let plan = Plan::new(profile.class, totals.shape(), [totals.layout()].into_iter(), true)?;
        let scan = Scan::Whole { exclusive: true };
        let compiled = self.find(&leaf(totals.dtype()), scan, carries.dtype(), &plan.class)?;
        let inputs = &[totals];
        Launch { queue, profile, plan: &plan, inputs, scalars: &[], output: carries, width: 1, last: None }
            .run(&compiled)
    }
}
