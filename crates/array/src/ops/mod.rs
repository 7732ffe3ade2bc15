//! Operations on arrays: each resolves dtypes and builds an expression, nothing else.

mod arithmetic;
mod call;
mod compare;
pub(crate) mod element;
mod graph;
mod lazy;
pub(crate) mod logical;
mod operators;
mod rounding;

use opencl_runtime::CommandQueue;

use crate::array::{Array, Operand};
use crate::dtype::{DType, Kind, Scalar};
use crate::error::{Error, Result};
use crate::evaluate::{Eager, copy, copy_into, evaluate, evaluate_into, leaf, queue_for};
use crate::expr::{BinaryOp, Expr, Function, UnaryOp};
use crate::policy;

pub use arithmetic::{
    add, divide, floor_divide, left_shift, multiply, negative, power, remainder, right_shift, subtract,
};
pub use call::call;
pub use compare::{equal, greater, greater_equal, less, less_equal, not_equal};
pub use element::take;
pub use lazy::Lazy;
pub use logical::{if_positive, logical_and, logical_not, logical_or};
pub use rounding::{clip, round};

/// `lhs op rhs` in a new array, with broadcasting; scalars take their part as in NumPy 2.
///
/// Without a queue it goes to that of the first array that has one.
///
/// # Errors
/// [`Error::Broadcast`], [`Error::Undefined`] and [`Error::OutOfBounds`] where NumPy refuses the operands,
/// [`Error::NegativePower`], [`Error::NoQueue`], [`Error::DifferentContexts`], [`Error::NoFp64`], or what
/// build and launch give.
pub fn binary<'a>(
    op: BinaryOp,
    lhs: impl Into<Operand<'a>>,
    rhs: impl Into<Operand<'a>>,
    queue: Option<&CommandQueue>,
) -> Result<Array> {
    let (lhs, rhs) = (lhs.into(), rhs.into());
    if is_root(op, lhs, rhs) {
        return call(Function::Sqrt, &[lhs], queue);
    }
    let resolved = Resolved::<Operand<'_>>::new(op, lhs, rhs)?;
    let queue = queue_for(queue, &resolved.operands)?;
    evaluate(queue, Some(Eager::Binary(resolved.op)), &resolved.operands, resolved.result, || resolved.expr())
}

/// `lhs op rhs` in an array that exists, for operations in place: see [`policy::can_store_in_place`].
///
/// # Errors
/// As [`binary`]; [`Error::OutputDType`], [`Error::OutputShape`].
pub fn binary_into<'a>(
    op: BinaryOp,
    lhs: impl Into<Operand<'a>>,
    rhs: impl Into<Operand<'a>>,
    output: &'a Array,
    queue: Option<&'a CommandQueue>,
) -> Result<()> {
    let (lhs, rhs) = (lhs.into(), rhs.into());
    if let (Operand::Array(base), true) = (lhs, is_root(op, lhs, rhs)) {
        return Lazy::call(Function::Sqrt, &[&base.into()])?.store(output, queue);
    }
    let resolved = Resolved::<Operand<'_>>::new(op, lhs, rhs)?;
    if !policy::can_store_in_place(resolved.op, resolved.result, output.dtype()) {
        return Err(Error::OutputDType { from: resolved.result, to: output.dtype() });
    }
    let queue = queue_for(queue.or(output.queue()), &resolved.operands)?;
    let eager = Some(Eager::Binary(resolved.op));
    evaluate_into(queue, eager, &resolved.operands, output, || resolved.expr())
}

/// `op operand` in a new array.
///
/// # Errors
/// As [`binary`].
pub fn unary(op: UnaryOp, operand: &Array, queue: Option<&CommandQueue>) -> Result<Array> {
    let (_, result) = policy::unary(op, operand.dtype())?;
    let operands = [Operand::Array(operand)];
    evaluate(queue_for(queue, &operands)?, Some(Eager::Unary(op)), &operands, result, || {
        let mut expr = Expr::new();
        let element = expr.array(operand.dtype());
        expr.unary(op, element)?;
        Ok(expr)
    })
}

impl Array {
    /// The elements converted to `dtype`, in new memory.
    ///
    /// # Errors
    /// [`Error::OutputDType`] for vectors and records that cannot be; [`Error::NoQueue`], or what build and launch give.
    pub fn cast(&self, dtype: DType, queue: Option<&CommandQueue>) -> Result<Self> {
        policy::check_cast(self.dtype(), dtype)?;
        let operands = [Operand::Array(self)];
        evaluate(queue_for(queue, &operands)?, Some(Eager::Copy), &operands, dtype, || {
            let mut expr = leaf(self.dtype());
            if let Some((root, _)) = expr.result() {
                expr.cast(root, dtype);
            }
            Ok(expr)
        })
    }

    /// The elements in new memory without gaps.
    ///
    /// # Errors
    /// [`Error::NoQueue`], or what build and launch give.
    pub fn copy(&self, queue: Option<&CommandQueue>) -> Result<Self> {
        copy(queue_for(queue, &[Operand::Array(self)])?, self)
    }

    /// Sets the elements to those of another array, broadcast and cast to this one's dtype. Leading axes of length 1
    /// that it has more do not count.
    ///
    /// # Errors
    /// [`Error::Broadcast`], [`Error::OutputShape`], [`Error::NoQueue`], or what build and launch give.
    pub fn assign(&self, from: &Self, queue: Option<&CommandQueue>) -> Result<()> {
        let queue = queue.or(self.queue()).or(from.queue()).ok_or(Error::NoQueue)?;
        if from.layout().ndim() > self.layout().ndim() {
            return copy_into(queue, &from.trimmed(self.layout().ndim())?, self);
        }
        copy_into(queue, from, self)
    }
}

/// What an operation resolves its types of: an array, an expression, or a number.
trait Typed: Copy {
    fn dtype(&self) -> DType;
    fn number(&self) -> Option<Scalar>;
    fn is_empty(&self) -> bool;
    fn of_number(number: Scalar) -> Self;
}

impl Typed for Operand<'_> {
    fn dtype(&self) -> DType {
        self.dtype()
    }

    fn number(&self) -> Option<Scalar> {
        match *self {
            Self::Array(_) => None,
            Self::Scalar(scalar) => Some(scalar),
        }
    }

    fn is_empty(&self) -> bool {
        self.array().is_some_and(|array| array.shape().contains(&0))
    }

    fn of_number(number: Scalar) -> Self {
        Self::Scalar(number)
    }
}

/// Whether this is a power that NumPy takes for a square root: of floating-point numbers to the number 0.5.
#[inline]
fn is_root<T: Typed>(op: BinaryOp, base: T, exponent: T) -> bool {
    op == BinaryOp::Power && is_half_power(base, exponent)
}

#[cold]
fn is_half_power<T: Typed>(base: T, exponent: T) -> bool {
    matches!(base.dtype().kind(), Kind::Float | Kind::Complex)
        && base.number().is_none()
        && exponent.number().is_some_and(|number| {
            number.equals(0.5) && policy::scalar_dtype(BinaryOp::Power, base.dtype(), number) == base.dtype()
        })
}

/// Operands with strong dtypes, and what comes out.
struct Resolved<T> {
    op: BinaryOp,
    operands: [T; 2],
    result: DType,
}

impl<T: Typed> Resolved<T> {
    fn new(op: BinaryOp, lhs: T, rhs: T) -> Result<Self> {
        let (left, right) = match (lhs.number(), rhs.number()) {
            (None, Some(scalar)) => (lhs.dtype(), policy::scalar_dtype(op, lhs.dtype(), scalar)),
            (Some(scalar), None) => (policy::scalar_dtype(op, rhs.dtype(), scalar), rhs.dtype()),
            _ => (lhs.dtype(), rhs.dtype()),
        };
        let types = policy::binary(op, left, right)?;
        if op == BinaryOp::Power
            && types.result.is_integer()
            && let Some(scalar) = rhs.number()
            && scalar.is_negative_integer()
        {
            // One that the base's dtype does not even hold is told as such.
            scalar.cast(right)?;
            if !lhs.is_empty() {
                return Err(Error::NegativePower);
            }
        }
        if let (BinaryOp::Power, None, Some(exponent)) = (op, lhs.number(), rhs.number())
            && types.result == lhs.dtype()
        {
            // As NumPy does, which is exact where a power may not be.
            if exponent.equals(2.0) {
                return Ok(Self { op: BinaryOp::Multiply, operands: [lhs, lhs], result: types.result });
            }
            if exponent.equals(-1.0) && !types.result.is_integer() {
                let one = T::of_number(Scalar::Bool(true).cast(types.result)?);
                return Ok(Self { op: BinaryOp::TrueDivide, operands: [one, lhs], result: types.result });
            }
        }
        if let Some(constant) = compare::out_of_range(op, lhs, rhs) {
            return Ok(constant);
        }
        // A scalar that its own (weak) dtype does not hold is an error; one that it holds goes to the kernel in
        // the dtype of the computation.
        let strong = |operand: T, own: DType, computed: DType| match operand.number() {
            Some(scalar) => Ok::<_, Error>(T::of_number(if own == computed || !scalar.is_weak() {
                scalar.cast(computed)?
            } else {
                scalar.cast(own)?.cast(computed)?
            })),
            None => Ok(operand),
        };
        let operands = [strong(lhs, left, types.lhs)?, strong(rhs, right, types.rhs)?];
        Ok(Self { op, operands, result: types.result })
    }
}

impl Resolved<Operand<'_>> {
    fn expr(&self) -> Result<Expr> {
        let mut expr = Expr::new();
        let mut leaf = |operand: &Operand<'_>| match operand {
            Operand::Array(array) => expr.array(array.dtype()),
            Operand::Scalar(scalar) => expr.scalar(scalar.dtype()),
        };
        let (lhs, rhs) = (leaf(&self.operands[0]), leaf(&self.operands[1]));
        expr.binary(self.op, lhs, rhs)?;
        Ok(expr)
    }
}
