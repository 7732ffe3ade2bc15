//! Graphs of expressions with their operands, joined to larger ones.

use std::sync::Arc;

use smallvec::SmallVec;

use super::lazy::{Lazy, State};
use crate::array::Array;
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::evaluate::result_layout;
use crate::expr::{Expr, Id};
use crate::layout::Layout;

/// An expression, what its leaves stand for, and the layout of its result.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) expr: Expr,
    pub(super) arrays: Vec<Array>,
    /// Known by address, so that what an expression has twice is one operand.
    pub(super) scalars: Vec<Arc<Scalar>>,
    /// Where the result of the same operations, one after the other, would lie.
    pub(super) layout: Layout,
}

/// Operations and leaves of an expression; more are not worth more: what is saved is reading and writing memory
/// between the operations, and that is little beside so many.
const NODES: usize = 64;
/// Array operands: on GPUs each keeps up to four elements in registers.
const ARRAYS: usize = 16;
/// What every device takes as arguments of a kernel, in bytes.
const ARGUMENTS: usize = 1024;

impl Graph {
    /// Whether one kernel should compute it.
    fn fits(&self) -> bool {
        let dims = self.layout.ndim();
        // Of the elements: number, lengths; of each operand: address, offset, strides.
        let arguments = 8 + 8 * dims + (self.arrays.len() + 1) * (16 + 8 * dims) + 16 * self.scalars.len();
        self.expr.nodes().len() <= NODES && self.arrays.len() <= ARRAYS && arguments <= ARGUMENTS
    }

    /// Dtype of the result. A graph is never empty: it starts with a leaf.
    pub(super) fn dtype(&self) -> DType {
        self.expr.result().map_or(DType::F64, |(_, dtype)| dtype)
    }
}

/// Joins expressions by an operation, which gets their results' places. What would become too large for one kernel is
/// computed before, the largest first.
pub(super) fn join<const N: usize>(
    parts: [&Lazy; N],
    operation: impl Fn(&mut Expr, [Id; N]) -> Result<Id>,
) -> Result<Lazy> {
    let mut parts = parts.map(Lazy::clone);
    loop {
        let mut builder = Builder::default();
        let mut ids = [Id::FIRST; N];
        for (id, part) in ids.iter_mut().zip(&parts) {
            *id = builder.take(part)?;
        }
        operation(&mut builder.expr, ids)?;
        let graph = builder.finish()?;
        let largest = parts.iter_mut().max_by_key(|part| part.operations());
        match largest {
            Some(largest) if !graph.fits() && largest.operations() > 0 && largest.queue().is_some() => {
                let value = largest.evaluate(None)?;
                *largest = Lazy::from(&value);
            }
            _ => return Ok(Lazy(State::Graph(Arc::new(graph)))),
        }
    }
}

/// Collects the operands of several graphs; an array or a number that occurs twice is one operand.
#[derive(Default)]
pub(super) struct Builder<'a> {
    pub(super) expr: Expr,
    arrays: Vec<Array>,
    array_ids: SmallVec<[Id; 4]>,
    scalars: Vec<Arc<Scalar>>,
    scalar_ids: SmallVec<[Id; 4]>,
    layouts: SmallVec<[&'a Layout; 3]>,
}

impl<'a> Builder<'a> {
    pub(super) fn take(&mut self, lazy: &'a Lazy) -> Result<Id> {
        match &lazy.0 {
            State::Failed(error) => Err(Error::InExpression(error.clone())),
            State::Scalar(scalar) => Ok(self.scalar(&Arc::new(scalar.cast(scalar.dtype())?))),
            State::Leaf(array) => {
                self.layouts.push(array.layout());
                Ok(self.array(array))
            }
            State::Graph(graph) => {
                // Without arrays it has no part in the result's shape.
                if !graph.arrays.is_empty() {
                    self.layouts.push(&graph.layout);
                }
                let array_ids: SmallVec<[Id; 4]> =
                    graph.arrays.iter().map(|array| self.array(array)).collect();
                let scalar_ids: SmallVec<[Id; 4]> =
                    graph.scalars.iter().map(|scalar| self.scalar(scalar)).collect();
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

    pub(super) fn scalar(&mut self, scalar: &Arc<Scalar>) -> Id {
        if let Some(place) = self.scalars.iter().position(|known| Arc::ptr_eq(known, scalar)) {
            return self.scalar_ids[place];
        }
        let id = self.expr.scalar(scalar.dtype());
        self.scalars.push(scalar.clone());
        self.scalar_ids.push(id);
        id
    }

    pub(super) fn finish(self) -> Result<Graph> {
        let dtype = self.expr.result().map_or(DType::F64, |(_, dtype)| dtype);
        let layout = result_layout(self.layouts.iter().copied(), dtype)?;
        Ok(Graph { expr: self.expr, arrays: self.arrays, scalars: self.scalars, layout })
    }
}
