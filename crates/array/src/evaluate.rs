//! An expression over operands becomes an array: shape, layout, kernel, launch.
//!
//! The path of a single operation has a key of 64 bits, made without building the expression; the expression is
//! built on a miss only.

use std::sync::Arc;

use opencl_runtime::CommandQueue;
use smallvec::SmallVec;

use crate::array::{Array, Operand, check_context};
use crate::codegen::{Recipe, Skeleton};
use crate::dtype::{ArgBytes, DType};
use crate::error::{Error, Result};
use crate::expr::{BinaryOp, Expr, Function, UnaryOp};
use crate::kernels::{Compiled, Kernels, Profile, Tuning};
use crate::launch::{Launch, elementwise_width};
use crate::layout::{Layout, Order, Shape, Strides, broadcast_pair, iteration_order};
use crate::plan::{Class, DeviceClass, Plan};
use crate::policy;

/// A single operation, whose expression follows from the dtypes of operands and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Eager {
    Binary(BinaryOp),
    Unary(UnaryOp),
    Call(Function),
    Copy,
    Fill,
    Arange,
}

impl Eager {
    fn code(self) -> u64 {
        match self {
            Self::Binary(op) => op as u64,
            Self::Unary(op) => 0x40 | op as u64,
            Self::Call(function) => 0x100 | function as u64,
            Self::Copy => 0x80,
            Self::Fill => 0x81,
            Self::Arange => 0x82,
        }
    }

    /// The kernel key: operation, operand dtypes and which of them are scalars, output dtype, class, group size.
    fn key(self, operands: &[Operand<'_>], output: DType, class: &Class, profile: Profile) -> Option<u64> {
        let mut key = class.bits()?;
        let mut at = Class::BITS;
        let mut add = |value: u64, bits: u32| {
            key |= value << at;
            at += bits;
        };
        add(profile.group_bits.into(), 4);
        add(self.code(), 9);
        add(output.code()?.into(), 7);
        for operand in operands {
            add(operand.dtype().code()?.into(), 7);
            add(if operand.array().is_some() { 1 } else { 2 }, 2);
        }
        (operands.len() <= 2).then_some(key)
    }
}

/// The queue for an operation: the named one, else that of the first array that has one.
pub(crate) fn queue_for<'a>(
    named: Option<&'a CommandQueue>,
    operands: &[Operand<'a>],
) -> Result<&'a CommandQueue> {
    named.or_else(|| operands.iter().find_map(|operand| operand.array()?.queue())).ok_or(Error::NoQueue)
}

/// The value of an expression in a new array. Scalars among the operands have strong dtypes.
pub(crate) fn evaluate(
    queue: &CommandQueue,
    eager: Option<Eager>,
    operands: &[Operand<'_>],
    result: DType,
    expr: impl FnOnce() -> Result<Expr>,
) -> Result<Array> {
    let arrays = arrays_of(operands);
    let layout = result_layout(arrays.iter().map(|array| array.layout()), result)?;
    compute(queue, eager, operands, &arrays, layout, result, expr)
}

/// The same in a layout of the result that is known.
#[inline]
pub(crate) fn evaluate_as(
    queue: &CommandQueue,
    eager: Option<Eager>,
    operands: &[Operand<'_>],
    layout: Layout,
    result: DType,
    expr: impl FnOnce() -> Result<Expr>,
) -> Result<Array> {
    compute(queue, eager, operands, &arrays_of(operands), layout, result, expr)
}

/// The arrays among operands: pushed one by one, which is the quickest for so few.
#[inline]
fn arrays_of<'a>(operands: &[Operand<'a>]) -> SmallVec<[&'a Array; 3]> {
    let mut arrays = SmallVec::new();
    for operand in operands {
        if let Operand::Array(array) = *operand {
            arrays.push(array);
        }
    }
    arrays
}

#[inline]
fn compute(
    queue: &CommandQueue,
    eager: Option<Eager>,
    operands: &[Operand<'_>],
    arrays: &[&Array],
    layout: Layout,
    result: DType,
    expr: impl FnOnce() -> Result<Expr>,
) -> Result<Array> {
    if let Some(array) = arrays.first() {
        check_context(array.storage(), queue)?;
    }
    let output = Array::for_result(queue, arrays, layout, result)?;
    run(queue, eager, operands, arrays, &output, expr)?;
    Ok(output)
}

/// The value of an expression in an array that exists; it is cast to the array's dtype.
pub(crate) fn evaluate_into(
    queue: &CommandQueue,
    eager: Option<Eager>,
    operands: &[Operand<'_>],
    output: &Array,
    expr: impl FnOnce() -> Result<Expr>,
) -> Result<()> {
    // What would be overwritten before it is read is copied first.
    let mut copies: SmallVec<[Array; 2]> = SmallVec::new();
    for array in operands.iter().filter_map(Operand::array) {
        if array.buffer() == output.buffer()
            && array.layout() != output.layout()
            && overlap(array.layout(), output.layout())
        {
            copies.push(copy(queue, array)?);
        }
    }
    if copies.is_empty() {
        let arrays: SmallVec<[&Array; 3]> = operands.iter().filter_map(Operand::array).collect();
        return run(queue, eager, operands, &arrays, output, expr);
    }
    let mut copied = copies.iter();
    let operands: SmallVec<[Operand<'_>; 3]> = operands
        .iter()
        .map(|&operand| match operand.array() {
            Some(array)
                if array.buffer() == output.buffer()
                    && array.layout() != output.layout()
                    && overlap(array.layout(), output.layout()) =>
            {
                copied.next().map_or(operand, Operand::Array)
            }
            _ => operand,
        })
        .collect();
    let arrays: SmallVec<[&Array; 3]> = operands.iter().filter_map(Operand::array).collect();
    run(queue, eager, &operands, &arrays, output, expr)
}

/// A copy in new memory, without gaps.
pub(crate) fn copy(queue: &CommandQueue, array: &Array) -> Result<Array> {
    let dtype = array.dtype();
    evaluate(queue, Some(Eager::Copy), &[Operand::Array(array)], dtype, || Ok(leaf(dtype)))
}

/// Copies the elements of one array into another, cast to its dtype.
pub(crate) fn copy_into(queue: &CommandQueue, from: &Array, to: &Array) -> Result<()> {
    evaluate_into(queue, Some(Eager::Copy), &[Operand::Array(from)], to, || Ok(leaf(from.dtype())))
}

/// The expression of an array's element.
pub(crate) fn leaf(dtype: DType) -> Expr {
    let mut expr = Expr::new();
    expr.array(dtype);
    expr
}

fn run(
    queue: &CommandQueue,
    eager: Option<Eager>,
    operands: &[Operand<'_>],
    arrays: &[&Array],
    output: &Array,
    expr: impl FnOnce() -> Result<Expr>,
) -> Result<()> {
    check_context(output.storage(), queue)?;
    for array in arrays {
        check_context(array.storage(), queue)?;
        // An output may be wider than its inputs, not narrower.
        if !array.layout().has_shape(output.shape())
            && broadcast_pair(array.shape(), output.shape())?[..] != *output.shape()
        {
            return Err(Error::OutputShape { expected: array.shape().into(), found: output.shape().into() });
        }
    }
    if output.layout().size() == 0 {
        return Ok(());
    }
    let kernels = output.storage().kernels();
    let mut profile = kernels.profile(queue.device())?;
    let layouts = arrays.iter().map(|array| array.layout()).chain([output.layout()]);
    let in_order = matches!(eager, Some(Eager::Arange));
    // Single operations have their expressions made on a miss only.
    let expr = if eager.is_none() { Ok(expr()?) } else { Err(expr) };
    let is_local = expr.as_ref().map_or(!in_order, Expr::is_local);
    let mut plan = Plan::new(profile.class, output.shape(), layouts.clone(), in_order)?;
    if is_local && plan.walk.is_some() {
        let block = vector(profile, arrays, output, Tuning::block_of);
        let count = vector(profile, arrays, output, Tuning::row_vector_of);
        let layouts = layouts.collect::<SmallVec<[_; 4]>>();
        plan = plan.tiled(&layouts, profile.tuning.tile, block).in_vectors(&layouts, count);
        if plan.class.tile > 0 && plan.class.vector > 1 {
            // Of tiles of small elements fewer fit into the memory pipeline.
            profile = profile.with_larger_groups();
        }
    } else if is_local && profile.class == DeviceClass::Gpu {
        let count = vector(profile, arrays, output, Tuning::vector_of);
        if count > 1 && layouts.into_iter().all(|layout| layout.offset().is_multiple_of(16)) {
            plan.class.vector = count as u8;
        }
    }
    plan.class.aliased = arrays.iter().any(|array| array.buffer() == output.buffer());
    let mut scalars: SmallVec<[ArgBytes; 4]> = SmallVec::new();
    for operand in operands {
        if let Operand::Scalar(scalar) = operand {
            scalars.push(scalar.arg_bytes());
        }
    }
    let compiled = find(kernels, queue, profile, eager, operands, output.dtype(), &mut plan, |class| {
        let mut expr = expr.or_else(|expr| expr())?;
        if let Some((root, dtype)) = expr.result() {
            policy::check_cast(dtype, output.dtype())?;
            expr.cast(root, output.dtype());
        }
        Ok(Recipe { skeleton: Skeleton::Elementwise, expr, output: output.dtype(), class: class.clone() })
    })?;
    let width = match profile.class {
        // A tile for each group.
        DeviceClass::Gpu if plan.class.tile > 0 => plan.tiles(),
        _ => elementwise_width(profile, compiled.items, plan.size),
    };
    Launch { queue, profile, plan: &plan, inputs: arrays, scalars: &scalars, output, width, last: None }
        .run(&compiled)
}

/// How many elements are moved at once on a GPU: `of` their largest size, where all are plain numbers.
#[inline]
pub(crate) fn vector(
    profile: Profile,
    arrays: &[&Array],
    output: &Array,
    of: fn(Tuning, usize) -> usize,
) -> usize {
    let operands = || arrays.iter().copied().chain([output]);
    let largest = operands().map(|array| array.dtype().size()).max().unwrap_or(1);
    let count = of(profile.tuning, largest);
    let plain = |array: &Array| {
        let dtype = array.dtype();
        array.layout().is_aligned() && dtype.is_number() && !dtype.is_complex()
    };
    if count > 1 && profile.class == DeviceClass::Gpu && operands().all(plain) { count } else { 1 }
}

#[allow(clippy::too_many_arguments, reason = "the parts of a key, each from elsewhere")]
fn find(
    kernels: &Kernels,
    queue: &CommandQueue,
    profile: Profile,
    eager: Option<Eager>,
    operands: &[Operand<'_>],
    output: DType,
    plan: &mut Plan,
    recipe: impl FnOnce(&Class) -> Result<Recipe>,
) -> Result<Arc<Compiled>> {
    match eager.and_then(|eager| eager.key(operands, output, &plan.class, profile)) {
        Some(key) => kernels.eager(key, queue, profile, || recipe(&plan.class)),
        None => kernels.general(recipe(&plan.class)?, queue, profile),
    }
}

/// Whether two layouts of one memory may share bytes.
fn overlap(a: &Layout, b: &Layout) -> bool {
    match (a.span(), b.span()) {
        (Some((a_low, a_high)), Some((b_low, b_high))) => a_low < b_high && b_low < a_high,
        _ => true,
    }
}

/// Shape of the broadcast operands, in new memory: in C order, unless memory is walked better in another.
#[inline]
pub(crate) fn result_layout<'a>(
    layouts: impl Iterator<Item = &'a Layout> + Clone,
    dtype: DType,
) -> Result<Layout> {
    let Some(first) = layouts.clone().next() else {
        return Layout::contiguous(&[], dtype.size(), Order::C);
    };
    if layouts.clone().all(|layout| layout.is_c_contiguous() && layout.has_shape(first.shape())) {
        let mut shared = layouts.filter(|layout| layout.is_canonical() && layout.item_size() == dtype.size());
        return match shared.next() {
            Some(layout) => Ok(layout.clone()),
            None => Layout::contiguous(first.shape(), dtype.size(), Order::C),
        };
    }
    broadcast_layout(first, &layouts.collect::<SmallVec<[_; 3]>>(), dtype)
}

fn broadcast_layout(first: &Layout, layouts: &[&Layout], dtype: DType) -> Result<Layout> {
    let mut shape = Shape::from_slice(first.shape());
    for other in layouts {
        if other.shape() != &shape[..] {
            shape = broadcast_pair(&shape, other.shape())?;
        }
    }
    let alike =
        |test: fn(&Layout) -> bool| layouts.iter().all(|layout| layout.shape() == &shape[..] && test(layout));
    if shape.len() <= 1 {
        return Layout::contiguous(&shape, dtype.size(), Order::C);
    }
    if alike(Layout::is_f_contiguous) {
        return Layout::contiguous(&shape, dtype.size(), Order::F);
    }
    let broadcast = layouts
        .iter()
        .map(|layout| layout.broadcast_strides(&shape))
        .collect::<Result<SmallVec<[Strides; 3]>>>()?;
    let strides: SmallVec<[&[isize]; 3]> = broadcast.iter().map(|strides| &strides[..]).collect();
    let order = iteration_order(&shape, &strides);
    // Gap-free with the axes in that order, then told in the order of the shape.
    let turned: Shape = order.iter().map(|&axis| shape[axis]).collect();
    let layout = Layout::contiguous(&turned, dtype.size(), Order::C)?;
    let mut back = Shape::from_elem(0, shape.len());
    for (place, &axis) in order.iter().enumerate() {
        back[axis] = place;
    }
    layout.transpose(&back)
}
