//! Expressions: a small typed graph over the elements of operands.
//!
//! A graph knows operations and dtypes, never shapes or the values of scalars, so that equal graphs are one
//! kernel. Building a node resolves its types through [`crate::policy`]; casts become nodes of their own, so that
//! code generation only ever sees operands that fit.

use smallvec::SmallVec;

use crate::dtype::{DType, common};
use crate::error::Result;
use crate::policy;

mod function;

pub use function::{Domain, Function, Source};

/// A binary operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum BinaryOp {
    /// `a + b`; of truth values, or.
    Add,
    /// `a - b`.
    Subtract,
    /// `a * b`; of truth values, and.
    Multiply,
    /// `a / b`, never an integer.
    TrueDivide,
    /// `a ** b`.
    Power,
    /// `a // b`, the quotient rounded towards minus infinity; of integers by 0, 0.
    FloorDivide,
    /// `a % b`, with the sign of `b`; of integers by 0, 0.
    Modulo,
    /// `a << b`; 0 for a count beyond the width.
    LeftShift,
    /// `a >> b`; 0 or, of negative numbers, -1 for a count beyond the width.
    RightShift,
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// The greater; NaN if one is NaN.
    Maximum,
    /// The lesser; NaN if one is NaN.
    Minimum,
    /// `a < b`.
    Less,
    /// `a <= b`.
    LessEqual,
    /// `a == b`.
    Equal,
    /// `a != b`.
    NotEqual,
    /// `a > b`.
    Greater,
    /// `a >= b`.
    GreaterEqual,
}

impl BinaryOp {
    /// Every binary operation.
    pub const ALL: [Self; 20] = {
        use BinaryOp::*;
        [
            Add,
            Subtract,
            Multiply,
            TrueDivide,
            Power,
            FloorDivide,
            Modulo,
            LeftShift,
            RightShift,
            And,
            Or,
            Xor,
            Maximum,
            Minimum,
            Less,
            LessEqual,
            Equal,
            NotEqual,
            Greater,
            GreaterEqual,
        ]
    };

    /// NumPy's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Subtract => "subtract",
            Self::Multiply => "multiply",
            Self::TrueDivide => "divide",
            Self::Power => "power",
            Self::FloorDivide => "floor_divide",
            Self::Modulo => "remainder",
            Self::LeftShift => "left_shift",
            Self::RightShift => "right_shift",
            Self::And => "bitwise_and",
            Self::Or => "bitwise_or",
            Self::Xor => "bitwise_xor",
            Self::Maximum => "maximum",
            Self::Minimum => "minimum",
            Self::Less => "less",
            Self::LessEqual => "less_equal",
            Self::Equal => "equal",
            Self::NotEqual => "not_equal",
            Self::Greater => "greater",
            Self::GreaterEqual => "greater_equal",
        }
    }

    /// Whether the result is a truth value.
    #[must_use]
    pub const fn is_comparison(self) -> bool {
        self as u8 >= Self::Less as u8
    }
}

/// A unary operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum UnaryOp {
    /// `-a`.
    Negative,
    /// `~a`; of truth values, not.
    Invert,
    /// Magnitude; real for complex operands.
    Absolute,
    /// Complex conjugate.
    Conjugate,
    /// Real part.
    Real,
    /// Imaginary part, 0 for real operands.
    Imag,
}

impl UnaryOp {
    /// NumPy's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Negative => "negative",
            Self::Invert => "invert",
            Self::Absolute => "absolute",
            Self::Conjugate => "conjugate",
            Self::Real => "real",
            Self::Imag => "imag",
        }
    }
}

/// A node of an [`Expr`], by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id(u16);

impl Id {
    /// The node that every graph starts with.
    pub(crate) const FIRST: Self = Self(0);

    /// The position of the node in [`Expr::nodes`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node: a leaf, or an operation on earlier nodes whose dtypes fit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The element of array operand number `operand`.
    Array {
        /// Counts array operands.
        operand: u16,
    },
    /// Scalar operand number `operand`.
    Scalar {
        /// Counts scalar operands.
        operand: u16,
    },
    /// The element's position in C order, an int64.
    Index,
    /// Conversion to this node's dtype.
    Cast(Id),
    /// A unary operation.
    Unary(UnaryOp, Id),
    /// A binary operation.
    Binary(BinaryOp, Id, Id),
    /// The second where the first (a bool) holds, else the third.
    Select(Id, Id, Id),
    /// A function call with one or two operands.
    Call(Function, Id, Option<Id>),
    /// The element of an array operand (a [`Node::Array`]) that lies so many bytes (an int64) from where the walk
    /// finds it.
    Element(Id, Id),
    /// How many bytes from an axis's first element a position lies: position, length of the axis and its stride in
    /// bytes, all int64. Negative positions count from the end, those beyond take the nearest element.
    Offset(Id, Id, Id),
    /// Whether a position is one of an axis: position and length of the axis, both int64.
    OnAxis(Id, Id),
}

impl Node {
    /// The nodes that it is computed from.
    #[must_use]
    pub fn operands(self) -> [Option<Id>; 3] {
        match self {
            Self::Array { .. } | Self::Scalar { .. } | Self::Index => [None; 3],
            Self::Cast(a) | Self::Unary(_, a) => [Some(a), None, None],
            Self::Call(_, a, b) => [Some(a), b, None],
            Self::Binary(_, a, b) | Self::Element(a, b) | Self::OnAxis(a, b) => [Some(a), Some(b), None],
            Self::Select(a, b, c) | Self::Offset(a, b, c) => [Some(a), Some(b), Some(c)],
        }
    }
}

/// A typed graph. Equality and hash are structural: they are the kernel key's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Expr {
    nodes: Vec<(Node, DType)>,
    arrays: u16,
    scalars: u16,
    root: u16,
    target: Target,
}

/// Where results go, if not simply to the element of the output that the walk finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Target {
    /// A bool: elements for which it does not hold stay as they are.
    pub condition: Option<Id>,
    /// How many bytes from there, an int64.
    pub offset: Option<Id>,
}

impl Expr {
    /// A graph without nodes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The nodes in an order in which operands come first.
    #[must_use]
    pub fn nodes(&self) -> &[(Node, DType)] {
        &self.nodes
    }

    /// The nodes' names, in that order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.nodes.len() as u16).map(Id)
    }

    /// A node.
    pub(crate) fn node(&self, id: Id) -> Node {
        self.nodes[id.index()].0
    }

    /// The dtype of a node.
    #[must_use]
    pub fn dtype(&self, id: Id) -> DType {
        self.nodes[id.index()].1
    }

    /// The result, which is the node asked for last, and its dtype; `None` for a graph without nodes.
    #[must_use]
    pub fn result(&self) -> Option<(Id, DType)> {
        self.nodes.get(usize::from(self.root)).map(|&(_, dtype)| (Id(self.root), dtype))
    }

    /// Whether each result depends on the elements at its place alone, and goes there.
    #[must_use]
    pub fn is_local(&self) -> bool {
        let elsewhere = |node: &Node| matches!(node, Node::Index | Node::Element(..));
        self.target == Target::default() && !self.nodes.iter().any(|(node, _)| elsewhere(node))
    }

    /// Dtypes of the array operands in their order.
    pub fn array_dtypes(&self) -> impl Iterator<Item = DType> + '_ {
        self.nodes.iter().filter(|(node, _)| matches!(node, Node::Array { .. })).map(|&(_, dtype)| dtype)
    }

    /// Dtypes of the scalar operands in their order.
    pub fn scalar_dtypes(&self) -> impl Iterator<Item = DType> + '_ {
        self.nodes.iter().filter(|(node, _)| matches!(node, Node::Scalar { .. })).map(|&(_, dtype)| dtype)
    }

    /// Whether the result depends on the position.
    #[must_use]
    pub fn uses_index(&self) -> bool {
        self.nodes.iter().any(|(node, _)| matches!(node, Node::Index))
    }

    /// Adds a node unless an equal one is there.
    fn push(&mut self, node: Node, dtype: DType) -> Id {
        let place = self.nodes.iter().position(|&other| other == (node, dtype));
        self.root = place.unwrap_or_else(|| {
            self.nodes.push((node, dtype));
            self.nodes.len() - 1
        }) as u16;
        Id(self.root)
    }

    /// The element of a further array operand.
    pub fn array(&mut self, dtype: DType) -> Id {
        self.arrays += 1;
        self.push(Node::Array { operand: self.arrays - 1 }, dtype)
    }

    /// A further scalar operand.
    pub fn scalar(&mut self, dtype: DType) -> Id {
        self.scalars += 1;
        self.push(Node::Scalar { operand: self.scalars - 1 }, dtype)
    }

    /// The position in C order.
    pub fn index(&mut self) -> Id {
        self.push(Node::Index, DType::I64)
    }

    /// `operand` converted to `dtype`; itself if it has it.
    pub fn cast(&mut self, operand: Id, dtype: DType) -> Id {
        self.root = operand.0;
        if self.dtype(operand) == dtype { operand } else { self.push(Node::Cast(operand), dtype) }
    }

    /// `op operand`.
    ///
    /// # Errors
    /// [`crate::Error::Undefined`] for dtypes that the policy refuses.
    pub fn unary(&mut self, op: UnaryOp, operand: Id) -> Result<Id> {
        let (from, to) = policy::unary(op, self.dtype(operand))?;
        let operand = self.cast(operand, from);
        Ok(self.push(Node::Unary(op, operand), to))
    }

    /// `lhs op rhs`.
    ///
    /// # Errors
    /// [`crate::Error::Undefined`] for dtypes that the policy refuses.
    pub fn binary(&mut self, op: BinaryOp, lhs: Id, rhs: Id) -> Result<Id> {
        let types = policy::binary(op, self.dtype(lhs), self.dtype(rhs))?;
        let (lhs, rhs) = (self.cast(lhs, types.lhs), self.cast(rhs, types.rhs));
        Ok(self.push(Node::Binary(op, lhs, rhs), types.result))
    }

    /// `then` where `condition` is not zero, else `otherwise`.
    pub fn select(&mut self, condition: Id, then: Id, otherwise: Id) -> Id {
        let then_dtype = self.dtype(then);
        let dtype = common("where", then_dtype, self.dtype(otherwise)).unwrap_or(then_dtype);
        let condition = self.cast(condition, DType::Bool);
        let (then, otherwise) = (self.cast(then, dtype), self.cast(otherwise, dtype));
        self.push(Node::Select(condition, then, otherwise), dtype)
    }

    /// `function(operands)`.
    ///
    /// # Errors
    /// [`crate::Error::Undefined`] for dtypes that the policy refuses, and for another number of operands than the
    /// function takes.
    pub fn call(&mut self, function: Function, operands: &[Id]) -> Result<Id> {
        let dtypes: SmallVec<[DType; 2]> = operands.iter().map(|&operand| self.dtype(operand)).collect();
        let types = policy::function(function, &dtypes)?;
        let mut cast = operands.iter().zip(types.operands);
        // The policy takes one operand at least.
        let (&first, dtype) = cast.next().ok_or_else(|| policy::undefined(function, &dtypes))?;
        let second = cast.next();
        let first = self.cast(first, dtype);
        let second = second.map(|(&operand, dtype)| self.cast(operand, dtype));
        Ok(self.push(Node::Call(function, first, second), types.result))
    }

    /// The element of the operand `array` (a node that [`Expr::array`] gave) that lies `offset` bytes on.
    pub fn element(&mut self, array: Id, offset: Id) -> Id {
        let offset = self.cast(offset, DType::I64);
        self.push(Node::Element(array, offset), self.dtype(array))
    }

    /// How many bytes from an axis's first element a position lies, see [`Node::Offset`].
    pub fn offset(&mut self, position: Id, length: Id, stride: Id) -> Id {
        let [position, length, stride] = [position, length, stride].map(|id| self.cast(id, DType::I64));
        self.push(Node::Offset(position, length, stride), DType::I64)
    }

    /// Whether a position is one of an axis, see [`Node::OnAxis`].
    pub fn on_axis(&mut self, position: Id, length: Id) -> Id {
        let [position, length] = [position, length].map(|id| self.cast(id, DType::I64));
        self.push(Node::OnAxis(position, length), DType::Bool)
    }

    /// Stores the value `value` as `target` says.
    pub fn store(&mut self, value: Id, target: Target) {
        self.root = value.0;
        self.target = target;
    }

    /// Where results go.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// Whether elements of an array operand are taken from elsewhere than where the walk finds them.
    #[must_use]
    pub fn is_indexed(&self, array: u16) -> bool {
        self.nodes.iter().any(|&(node, _)| match node {
            Node::Element(leaf, _) => self.nodes[leaf.index()].0 == Node::Array { operand: array },
            _ => false,
        })
    }

    /// Takes over the nodes of another graph, whose operand numbers are given anew; returns its result.
    ///
    /// `arrays[n]` and `scalars[n]` are the nodes of this graph that stand for the other's operands.
    #[must_use]
    pub(crate) fn splice(&mut self, other: &Self, arrays: &[Id], scalars: &[Id]) -> Option<Id> {
        let mut ids: Vec<Id> = Vec::with_capacity(other.nodes.len());
        for &(node, dtype) in &other.nodes {
            let at = |id: Id| ids[id.index()];
            let id = match node {
                Node::Array { operand } => arrays[usize::from(operand)],
                Node::Scalar { operand } => scalars[usize::from(operand)],
                Node::Index => self.index(),
                Node::Cast(a) => self.push(Node::Cast(at(a)), dtype),
                Node::Unary(op, a) => self.push(Node::Unary(op, at(a)), dtype),
                Node::Binary(op, a, b) => self.push(Node::Binary(op, at(a), at(b)), dtype),
                Node::Select(c, a, b) => self.push(Node::Select(at(c), at(a), at(b)), dtype),
                Node::Call(function, a, b) => self.push(Node::Call(function, at(a), b.map(at)), dtype),
                Node::Element(a, b) => self.push(Node::Element(at(a), at(b)), dtype),
                Node::Offset(a, b, c) => self.push(Node::Offset(at(a), at(b), at(c)), dtype),
                Node::OnAxis(a, b) => self.push(Node::OnAxis(at(a), at(b)), dtype),
            };
            ids.push(id);
        }
        let root = ids.get(usize::from(other.root)).copied()?;
        self.root = root.0;
        Some(root)
    }
}
