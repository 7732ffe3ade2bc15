//! Expressions over arrays that are computed when asked for, in one kernel.

use std::sync::Arc;

use opencl_runtime::CommandQueue;
use smallvec::SmallVec;

use super::graph::{Graph, join};
use super::{Resolved, Typed, is_root};
use crate::array::{Array, Operand};
use crate::dtype::{DType, Element, Scalar, common, promote_weak};
use crate::error::{Error, Result};
use crate::evaluate::{evaluate_as, evaluate_into, leaf, queue_for, result_layout};
use crate::expr::{BinaryOp, Expr, Function, UnaryOp};
use crate::layout::{Layout, Order};
use crate::policy;

/// An expression with its operands. Nothing runs before [`Lazy::evaluate`] or a reduction.
///
/// Dtype, shape and layout of the result are known before, and are, as its elements are, those that the same
/// operations would give one by one ([`crate::ops::add`] and its kin). Operands are read when the expression is
/// computed: what was written to them meanwhile counts (see [`crate::Deferred`] for the contrary).
///
/// The operators `+ - * /` and negation build expressions of arrays, expressions and numbers; literals without a
/// suffix are weak, as Python's numbers are:
///
/// ```
/// use opencl_array::{Array, Error, reduction};
/// use opencl_runtime::{CommandQueue, Context};
///
/// # fn main() -> Result<(), Error> {
/// let queue = CommandQueue::new(&Context::from_environment()?)?;
/// let x = Array::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
/// let y = Array::from_slice(&queue, &[10.0_f32, 20.0, 30.0])?;
/// let z = (&x * 2.0 + &y * &x).eval(&queue)?; // one kernel
/// assert_eq!(z.to_vec::<f32>()?, [12.0, 44.0, 96.0]);
/// let d = &x - &y;
/// assert_eq!(reduction::sum(&d * &d, None, None)?.to_vec::<f32>()?, [1134.0]); // one kernel as well
/// # Ok(())
/// # }
/// ```
///
/// An operator has no other way to tell that its operands do not fit: the expression is then one that gives the
/// error when it is computed. [`Lazy::binary`] gives it at once.
///
/// An expression whose kernel would have more than 16 arrays, 64 operations and leaves, or 1024 bytes of arguments
/// is computed in parts: what is largest among the operands of the operation that would be one too many is computed
/// when that is built.
#[derive(Clone, Debug)]
pub struct Lazy(pub(super) State);

#[derive(Clone, Debug)]
pub(super) enum State {
    /// A number that has not met an array: its dtype is open if it is weak.
    Scalar(Scalar),
    Leaf(Array),
    Graph(Arc<Graph>),
    Failed(Arc<Error>),
}

impl From<&Array> for Lazy {
    fn from(array: &Array) -> Self {
        Self(State::Leaf(array.clone()))
    }
}

impl From<&Self> for Lazy {
    fn from(lazy: &Self) -> Self {
        lazy.clone()
    }
}

impl From<Scalar> for Lazy {
    fn from(scalar: Scalar) -> Self {
        Self::scalar(scalar)
    }
}

/// A scalar stands for its own array, for operands that have none.
impl From<Operand<'_>> for Lazy {
    fn from(operand: Operand<'_>) -> Self {
        match operand {
            Operand::Array(array) => array.into(),
            Operand::Scalar(scalar) => scalar.into(),
        }
    }
}

/// An operand of an operation whose types are resolved.
#[derive(Clone, Copy)]
enum Side<'a> {
    Lazy(&'a Lazy),
    Number(Scalar),
}

impl Typed for Side<'_> {
    fn dtype(&self) -> DType {
        match self {
            Self::Lazy(lazy) => lazy.dtype(),
            Self::Number(scalar) => scalar.dtype(),
        }
    }

    fn number(&self) -> Option<Scalar> {
        match self {
            Self::Lazy(Lazy(State::Scalar(scalar))) | Self::Number(scalar) => Some(*scalar),
            Self::Lazy(_) => None,
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, Self::Lazy(lazy) if lazy.shape().contains(&0))
    }

    fn of_number(number: Scalar) -> Self {
        Self::Number(number)
    }
}

impl Side<'_> {
    fn into_lazy(self) -> Lazy {
        match self {
            Self::Lazy(lazy) => lazy.clone(),
            Self::Number(scalar) => scalar.into(),
        }
    }
}

impl Lazy {
    /// A number.
    #[must_use]
    pub fn scalar(scalar: Scalar) -> Self {
        Self(State::Scalar(scalar))
    }

    /// The dtype of the result.
    #[must_use]
    pub fn dtype(&self) -> DType {
        match &self.0 {
            State::Scalar(scalar) => scalar.dtype(),
            State::Leaf(array) => array.dtype(),
            State::Graph(graph) => graph.dtype(),
            State::Failed(_) => DType::F64,
        }
    }

    /// The lengths of the result's dimensions; none for a number.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        match &self.0 {
            State::Leaf(array) => array.shape(),
            State::Graph(graph) => graph.layout.shape(),
            State::Scalar(_) | State::Failed(_) => &[],
        }
    }

    /// The layout that the result will have.
    ///
    /// # Errors
    /// What went wrong in an operator.
    pub fn layout(&self) -> Result<Layout> {
        match &self.0 {
            State::Leaf(array) => result_layout([array.layout()].into_iter(), array.dtype()),
            State::Graph(graph) => Ok(graph.layout.clone()),
            State::Scalar(scalar) => Layout::contiguous(&[], scalar.dtype().size(), Order::C),
            State::Failed(error) => Err(Error::InExpression(error.clone())),
        }
    }

    /// The arrays that it reads.
    #[must_use]
    pub fn arrays(&self) -> &[Array] {
        match &self.0 {
            State::Leaf(array) => std::slice::from_ref(array),
            State::Graph(graph) => &graph.arrays,
            State::Scalar(_) | State::Failed(_) => &[],
        }
    }

    /// Whether it is an array as it is.
    pub(crate) fn is_array(&self) -> bool {
        matches!(self.0, State::Leaf(_))
    }

    /// The dtype in which it computes in double precision, if it does.
    pub(crate) fn needs_fp64(&self) -> Option<DType> {
        match &self.0 {
            State::Graph(graph) => {
                graph.expr.nodes().iter().map(|&(_, dtype)| dtype).find(|dtype| dtype.needs_fp64())
            }
            _ => Some(self.dtype()).filter(|dtype| dtype.needs_fp64()),
        }
    }

    /// How many nodes it has besides a leaf.
    pub(super) fn operations(&self) -> usize {
        match &self.0 {
            State::Graph(graph) => graph.expr.nodes().len() - 1,
            _ => 0,
        }
    }

    /// The queue of the first array that has one.
    #[must_use]
    pub fn queue(&self) -> Option<&CommandQueue> {
        self.arrays().iter().find_map(Array::queue)
    }

    /// `self op other`.
    ///
    /// # Errors
    /// [`Error::Broadcast`], [`Error::Undefined`], [`Error::OutOfBounds`] and [`Error::NegativePower`] where NumPy
    /// refuses the operands.
    pub fn binary(&self, op: BinaryOp, other: &Self) -> Result<Self> {
        self.check()?;
        other.check()?;
        if is_root(op, Side::Lazy(self), Side::Lazy(other)) {
            return Self::call(Function::Sqrt, &[self]);
        }
        let resolved = Resolved::<Side<'_>>::new(op, Side::Lazy(self), Side::Lazy(other))?;
        let [left, right] = resolved.operands.map(Side::into_lazy);
        join([&left, &right], |expr, [left, right]| expr.binary(resolved.op, left, right))
    }

    /// What `self op= other` stores in an array of this dtype: see [`policy::can_store_in_place`].
    ///
    /// # Errors
    /// As [`Lazy::binary`]; [`Error::OutputDType`].
    pub fn binary_in_place(&self, op: BinaryOp, other: &Self, dtype: DType) -> Result<Self> {
        let result = self.binary(op, other)?;
        if !policy::can_store_in_place(op, result.dtype(), dtype) {
            return Err(Error::OutputDType { from: result.dtype(), to: dtype });
        }
        result.cast(dtype)
    }

    /// `op self`.
    ///
    /// # Errors
    /// [`Error::Undefined`].
    pub fn unary(&self, op: UnaryOp) -> Result<Self> {
        join([self], |expr, [operand]| expr.unary(op, operand))
    }

    /// `function(operands)`.
    ///
    /// # Errors
    /// [`Error::Broadcast`]; [`Error::Undefined`] for dtypes and numbers of operands that the function does not take.
    pub fn call(function: Function, operands: &[&Self]) -> Result<Self> {
        let beside = operands.iter().find(|operand| !matches!(operand.0, State::Scalar(_)));
        let strong = operands
            .iter()
            .map(|&operand| match (&operand.0, beside) {
                (State::Scalar(scalar), Some(beside)) => {
                    Ok(scalar.cast(policy::function_scalar(function, beside.dtype(), *scalar))?.into())
                }
                _ => Ok(operand.clone()),
            })
            .collect::<Result<SmallVec<[Self; 2]>>>()?;
        match &strong[..] {
            [a] => join([a], |expr, [a]| expr.call(function, &[a])),
            [a, b] => join([a, b], |expr, operands| expr.call(function, &operands)),
            _ => Err(policy::undefined(function, &[])),
        }
    }

    /// The same converted to `dtype`.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] for a weak integer that does not fit; [`Error::OutputDType`] for vectors and records that
    /// cannot be converted so.
    pub fn cast(&self, dtype: DType) -> Result<Self> {
        if let State::Scalar(scalar) = self.0 {
            return Ok(scalar.cast(dtype)?.into());
        }
        policy::check_cast(self.dtype(), dtype)?;
        join([self], |expr, [operand]| Ok(expr.cast(operand, dtype)))
    }

    /// `then` where `self` is not zero, else `otherwise`; dtypes as in `numpy.where`.
    ///
    /// # Errors
    /// [`Error::Broadcast`]; [`Error::OutOfBounds`] for a weak integer that does not fit the dtype of the other one.
    pub fn select(&self, then: &Self, otherwise: &Self) -> Result<Self> {
        let (then, otherwise) = (then.beside(otherwise)?, otherwise.beside(then)?);
        common("where", then.dtype(), otherwise.dtype())?;
        join([self, &then, &otherwise], |expr, [condition, then, otherwise]| {
            Ok(expr.select(condition, then, otherwise))
        })
    }

    /// The same with a strong dtype if it is a number beside an expression.
    fn beside(&self, other: &Self) -> Result<Self> {
        match (&self.0, &other.0) {
            (State::Scalar(scalar), State::Leaf(_) | State::Graph(_)) if scalar.is_weak() => {
                let beside = match other.dtype() {
                    DType::Vector(vector) => vector.element(),
                    dtype => dtype,
                };
                Ok(scalar.cast(promote_weak(beside, *scalar))?.into())
            }
            _ => Ok(self.clone()),
        }
    }

    /// An error if an operator went wrong.
    pub(super) fn check(&self) -> Result<()> {
        match &self.0 {
            State::Failed(error) => Err(Error::InExpression(error.clone())),
            _ => Ok(()),
        }
    }

    /// Computes the elements, in one kernel, into new memory. The queue is the given one, or that of the first array
    /// that has one.
    ///
    /// # Errors
    /// [`Error::Broadcast`], [`Error::NoQueue`], [`Error::DifferentContexts`], [`Error::NoFp64`], or what build
    /// and launch give.
    pub fn evaluate(&self, queue: Option<&CommandQueue>) -> Result<Array> {
        let (expr, operands) = self.parts()?;
        let queue = queue_for(queue, &operands)?;
        evaluate_as(queue, None, &operands, self.layout()?, self.dtype(), || Ok(expr))
    }

    /// The same on a queue.
    ///
    /// # Errors
    /// As [`Lazy::evaluate`].
    pub fn eval(&self, queue: &CommandQueue) -> Result<Array> {
        self.evaluate(Some(queue))
    }

    /// The elements on the host, in C order: [`Lazy::evaluate`], then [`Array::to_vec`].
    ///
    /// # Errors
    /// As both.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.evaluate(None)?.to_vec()
    }

    /// Computes the elements into an array that exists, cast to its dtype.
    ///
    /// # Errors
    /// As [`Lazy::evaluate`]; [`Error::OutputDType`], [`Error::OutputShape`].
    pub fn evaluate_into(&self, output: &Array, queue: Option<&CommandQueue>) -> Result<()> {
        if !policy::can_store(self.dtype(), output.dtype()) {
            return Err(Error::OutputDType { from: self.dtype(), to: output.dtype() });
        }
        self.store(output, queue)
    }

    /// The same with any conversion of dtype.
    ///
    /// # Errors
    /// As [`Lazy::evaluate`]; [`Error::OutputShape`].
    pub fn store(&self, output: &Array, queue: Option<&CommandQueue>) -> Result<()> {
        let (expr, operands) = self.parts()?;
        let queue = queue.or(output.queue()).or(self.queue()).ok_or(Error::NoQueue)?;
        evaluate_into(queue, None, &operands, output, || Ok(expr))
    }

    /// The expression and its operands, arrays first.
    pub(crate) fn parts(&self) -> Result<(Expr, SmallVec<[Operand<'_>; 4]>)> {
        match &self.0 {
            State::Failed(error) => Err(Error::InExpression(error.clone())),
            State::Scalar(scalar) => {
                let scalar = scalar.cast(scalar.dtype())?;
                let mut expr = Expr::new();
                expr.scalar(scalar.dtype());
                Ok((expr, [Operand::Scalar(scalar)].into_iter().collect()))
            }
            State::Leaf(array) => Ok((leaf(array.dtype()), [Operand::Array(array)].into_iter().collect())),
            State::Graph(graph) => {
                let arrays = graph.arrays.iter().map(Operand::Array);
                let scalars = graph.scalars.iter().map(|scalar| Operand::Scalar(**scalar));
                Ok((graph.expr.clone(), arrays.chain(scalars).collect()))
            }
        }
    }
}
