//! Expressions over arrays that are computed when asked for, in one kernel.

use opencl_runtime::CommandQueue;
use smallvec::SmallVec;

use crate::array::{Array, Operand};
use crate::dtype::{DType, Scalar, promote_weak};
use crate::error::{Error, Result};
use crate::evaluate::{evaluate, evaluate_into, leaf, queue_for};
use crate::expr::{BinaryOp, Expr, Function, Id, UnaryOp};
use crate::policy;

/// An expression with its operands. Nothing runs before [`Lazy::evaluate`] or a reduction.
#[derive(Clone, Debug)]
pub struct Lazy(State);

#[derive(Clone, Debug)]
enum State {
    /// A number that has not met an array: its dtype is open if it is weak.
    Scalar(Scalar),
    Graph(Box<Graph>),
}

/// An expression and what its leaves stand for.
#[derive(Clone, Debug)]
struct Graph {
    expr: Expr,
    arrays: Vec<Array>,
    scalars: Vec<Scalar>,
}

impl From<&Array> for Lazy {
    fn from(array: &Array) -> Self {
        let graph = Graph { expr: leaf(array.dtype()), arrays: vec![array.clone()], scalars: Vec::new() };
        Self(State::Graph(Box::new(graph)))
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
            // A graph is never empty: it starts with a leaf.
            State::Graph(graph) => graph.expr.result().map_or(DType::F64, |(_, dtype)| dtype),
        }
    }

    /// `self op other`.
    ///
    /// # Errors
    /// [`Error::Undefined`], [`Error::OutOfBounds`] and [`Error::NegativePower`] where NumPy refuses the
    /// operands.
    pub fn binary(&self, op: BinaryOp, other: &Self) -> Result<Self> {
        let negative = matches!(other.0, State::Scalar(scalar) if scalar.is_negative_integer());
        let (left, right) = match (&self.0, &other.0) {
            (State::Scalar(a), State::Graph(_)) => {
                (a.cast(policy::scalar_dtype(op, other.dtype(), *a))?.into(), other.clone())
            }
            (State::Graph(_), State::Scalar(b)) => {
                (self.clone(), b.cast(policy::scalar_dtype(op, self.dtype(), *b))?.into())
            }
            _ => (self.clone(), other.clone()),
        };
        let mut builder = Builder::default();
        let (lhs, rhs) = (builder.take(&left)?, builder.take(&right)?);
        let result = builder.expr.binary(op, lhs, rhs)?;
        if op == BinaryOp::Power && negative && builder.expr.dtype(result).is_integer() {
            return Err(Error::NegativePower);
        }
        Ok(builder.finish())
    }

    /// `op self`.
    ///
    /// # Errors
    /// [`Error::Undefined`].
    pub fn unary(&self, op: UnaryOp) -> Result<Self> {
        let mut builder = Builder::default();
        let operand = builder.take(self)?;
        builder.expr.unary(op, operand)?;
        Ok(builder.finish())
    }

    /// `function(self)`.
    ///
    /// # Errors
    /// [`Error::Undefined`].
    pub fn call(&self, function: Function) -> Result<Self> {
        let mut builder = Builder::default();
        let operand = builder.take(self)?;
        builder.expr.call(function, operand)?;
        Ok(builder.finish())
    }

    /// The same converted to `dtype`.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] for a weak integer that does not fit.
    pub fn cast(&self, dtype: DType) -> Result<Self> {
        if let State::Scalar(scalar) = self.0 {
            return Ok(scalar.cast(dtype)?.into());
        }
        let mut builder = Builder::default();
        let operand = builder.take(self)?;
        builder.expr.cast(operand, dtype);
        Ok(builder.finish())
    }

    /// `then` where `self` is not zero, else `otherwise`; dtypes as in `numpy.where`.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] for a weak integer that does not fit the dtype of the other one.
    pub fn select(&self, then: &Self, otherwise: &Self) -> Result<Self> {
        let (then, otherwise) = (then.beside(otherwise)?, otherwise.beside(then)?);
        let (then, otherwise) = (&then, &otherwise);
        let mut builder = Builder::default();
        let (condition, then, otherwise) =
            (builder.take(self)?, builder.take(then)?, builder.take(otherwise)?);
        builder.expr.select(condition, then, otherwise);
        Ok(builder.finish())
    }

    /// The same with a strong dtype if it is a number beside an expression.
    fn beside(&self, other: &Self) -> Result<Self> {
        match (&self.0, &other.0) {
            (State::Scalar(scalar), State::Graph(_)) if scalar.is_weak() => {
                Ok(scalar.cast(promote_weak(other.dtype(), *scalar))?.into())
            }
            _ => Ok(self.clone()),
        }
    }

    /// Computes the elements, in one kernel, into new memory.
    ///
    /// # Errors
    /// [`Error::Broadcast`], [`Error::NoQueue`], [`Error::DifferentContexts`], [`Error::NoFp64`], or what build
    /// and launch give.
    pub fn evaluate(&self, queue: Option<&CommandQueue>) -> Result<Array> {
        let (expr, operands) = self.parts()?;
        evaluate(queue_for(queue, &operands)?, None, &operands, self.dtype(), || Ok(expr))
    }

    /// Computes the elements into an array that exists, cast to its dtype.
    ///
    /// # Errors
    /// As [`Lazy::evaluate`]; [`Error::OutputDType`], [`Error::OutputShape`].
    pub fn evaluate_into(&self, output: &Array, queue: Option<&CommandQueue>) -> Result<()> {
        if !policy::can_store(self.dtype(), output.dtype()) {
            return Err(Error::OutputDType { from: self.dtype(), to: output.dtype() });
        }
        let (expr, operands) = self.parts()?;
        let queue = queue.or(output.queue()).ok_or(Error::NoQueue)?;
        evaluate_into(queue, None, &operands, output, || Ok(expr))
    }

    /// The expression and its operands, arrays first.
    pub(crate) fn parts(&self) -> Result<(Expr, SmallVec<[Operand<'_>; 4]>)> {
        match &self.0 {
            State::Scalar(scalar) => {
                let scalar = scalar.cast(scalar.dtype())?;
                let mut expr = Expr::new();
                expr.scalar(scalar.dtype());
                Ok((expr, [Operand::Scalar(scalar)].into_iter().collect()))
            }
            State::Graph(graph) => {
                let arrays = graph.arrays.iter().map(Operand::Array);
                let scalars = graph.scalars.iter().map(|&scalar| Operand::Scalar(scalar));
                Ok((graph.expr.clone(), arrays.chain(scalars).collect()))
            }
        }
    }
}

/// Joins graphs; an array that occurs in both is one operand.
#[derive(Default)]
struct Builder {
    expr: Expr,
    arrays: Vec<Array>,
    array_ids: SmallVec<[Id; 4]>,
    scalars: Vec<Scalar>,
}

impl Builder {
    fn take(&mut self, lazy: &Lazy) -> Result<Id> {
        match &lazy.0 {
            State::Scalar(scalar) => {
                let scalar = scalar.cast(scalar.dtype())?;
                self.scalars.push(scalar);
                Ok(self.expr.scalar(scalar.dtype()))
            }
            State::Graph(graph) => {
                let array_ids: SmallVec<[Id; 4]> =
                    graph.arrays.iter().map(|array| self.array(array)).collect();
                let scalar_ids: SmallVec<[Id; 4]> =
                    graph.scalars.iter().map(|scalar| self.expr.scalar(scalar.dtype())).collect();
                self.scalars.extend_from_slice(&graph.scalars);
                // A graph is never empty: it starts with a leaf.
                let empty = Error::Undefined { operation: "an empty expression", dtypes: Vec::new() };
                self.expr.splice(&graph.expr, &array_ids, &scalar_ids).ok_or(empty)
            }
        }
    }

    fn array(&mut self, array: &Array) -> Id {
        let known = self.arrays.iter().position(|known| {
            known.buffer() == array.buffer()
                && known.layout() == array.layout()
                && known.dtype() == array.dtype()
        });
        if let Some(place) = known {
            return self.array_ids[place];
        }
        let id = self.expr.array(array.dtype());
        self.arrays.push(array.clone());
        self.array_ids.push(id);
        id
    }

    fn finish(self) -> Lazy {
        let graph = Graph { expr: self.expr, arrays: self.arrays, scalars: self.scalars };
        Lazy(State::Graph(Box::new(graph)))
    }
}
