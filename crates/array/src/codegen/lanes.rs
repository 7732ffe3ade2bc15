//! Function calls on CPUs, where drivers have fast functions of vectors, and call slow ones for each element of a loop.
//!
//! The elements of a kernel go in blocks: the operands of a call for a whole block, then the call by vectors, and so on
//! to the results ([`Operands::call_stages`]). A function of a vector may round otherwise than that of a number, so that
//! kernels without blocks call it for a vector of equal numbers.
//!
//! Reductions of arrays without gaps go in such blocks too, whose values are combined by vectors.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::access::Operands;
use super::call::call;
use super::element::{Calls, Header, function, needed};
use super::{Recipe, Skeleton, vector};
use crate::dtype::{DType, Kind};
use crate::expr::{BinaryOp, Domain, Expr, Function, Id, Node, Source, Target, UnaryOp};
use crate::plan::DeviceClass;

/// The vector by which a node of an expression is called, if it is a call that can be one of vectors.
fn vector_of(expr: &Expr, node: Node) -> Option<&'static str> {
    let operand = match node {
        Node::Call(function, a, _) => {
            let real = matches!(
                function.domain(),
                Domain::Real | Domain::Number | Domain::Whole | Domain::Reals | Domain::Remainder
            );
            // An exponent is an integer.
            let vectors = real && function.source() == Source::OpenCl && function != Function::Ilogb;
            vectors.then_some(a)
        }
        Node::Binary(BinaryOp::Power, a, _) | Node::Unary(UnaryOp::Absolute, a) => Some(a),
        _ => None,
    }?;
    match (expr.dtype(operand), expr.dtype(operand).kind()) {
        (DType::F64, _) => Some("doubles"),
        (_, Kind::Float) => Some("floats"),
        _ => None,
    }
}

/// Whether the result is the one number that is right, by vectors or not.
fn is_exact(node: Node) -> bool {
    match node {
        Node::Call(function, ..) => {
            function.domain() == Domain::Whole || matches!(function, Function::Fabs | Function::Fmod)
        }
        _ => matches!(node, Node::Unary(UnaryOp::Absolute, _)),
    }
}

/// The text of a node that is a call by vectors: `operands` are vectors.
fn vector_call(expr: &Expr, node: Node, operands: [&str; 2], headers: &mut BTreeSet<Header>) -> String {
    headers.insert(Header::Lanes);
    match node {
        Node::Call(function, a, b) => {
            let turns = matches!(function, Function::Sin | Function::Cos | Function::Tan);
            if turns && expr.dtype(a) != DType::F64 {
                headers.insert(Header::Turning);
                return format!("{}_floats({})", function.name(), operands[0]);
            }
            call(function, (operands[0], expr.dtype(a)), b.map(|b| (operands[1], expr.dtype(b))), headers)
        }
        Node::Unary(..) => format!("fabs({})", operands[0]),
        _ => format!("pow({}, {})", operands[0], operands[1]),
    }
}

/// A call of a function by a vector of equal numbers, if its result could be another one than by itself.
pub(super) fn single_call(
    expr: &Expr,
    node: Node,
    operand: impl Fn(Id) -> String,
    headers: &mut BTreeSet<Header>,
) -> Option<String> {
    let vector = vector_of(expr, node).filter(|_| !is_exact(node))?;
    let [a, b, _] = node.operands();
    let [a, b] = [a, b].map(|id| id.map(|id| format!("({vector})({})", operand(id))).unwrap_or_default());
    Some(format!("{}.s0", vector_call(expr, node, [&a, &b], headers)))
}

/// The calls of a recipe's expression that its kernel makes by vectors, block by block.
pub(super) fn calls(recipe: &Recipe) -> Vec<Id> {
    let (expr, class) = (&recipe.expr, &recipe.class);
    let blocks = class.device == DeviceClass::Cpu && class.tile == 0 && expr.target() == Target::default();
    match expr.result() {
        Some((root, _)) if blocks && recipe.skeleton == Skeleton::Elementwise => {
            let needed = needed(expr, root, &[]);
            expr.ids().filter(|id| needed[id.index()] && vector_of(expr, expr.node(*id)).is_some()).collect()
        }
        _ => Vec::new(),
    }
}

/// The functions that such a kernel calls: `first0`, `second0`, … for the operands of its calls, and `element`, each of
/// what the calls before gave.
pub(super) fn functions(expr: &Expr, calls: &[Id], headers: &mut BTreeSet<Header>) -> String {
    let mut text = String::new();
    for (number, &id) in calls.iter().enumerate() {
        let [a, b, _] = expr.node(id).operands();
        for (name, operand) in [("first", a), ("second", b)] {
            if let Some(operand) = operand {
                let name = format!("{name}{number}");
                text.push_str(&function(&name, expr, operand, Calls::Vectors(&calls[..number]), headers));
                text.push('\n');
            }
        }
        // For the headers that it needs.
        vector_call(expr, expr.node(id), ["", ""], headers);
    }
    if let Some((root, _)) = expr.result() {
        text.push_str(&function("element", expr, root, Calls::Vectors(calls), headers));
    }
    text
}

/// The dtype of what a recipe's kernel accumulates, if it can do so by vectors.
pub(super) fn accumulator(recipe: &Recipe) -> Option<DType> {
    let (_, dtype) = recipe.expr.result()?;
    let cpu = recipe.class.device == DeviceClass::Cpu;
    let number = matches!(dtype, DType::F32 | DType::F64 | DType::I32 | DType::U32 | DType::I64 | DType::U64);
    (cpu && number && matches!(recipe.skeleton, Skeleton::Reduction(_))).then_some(dtype)
}

/// The vectors of a reduction's accumulators, and the function that combines two.
pub(super) fn combine_all(op: BinaryOp, dtype: DType) -> String {
    let mut text = String::new();
    for (start, bytes) in [("#if LANES_BYTES == 64", 64), ("#else", 32)] {
        let Some(vector) = dtype.vector(bytes / dtype.size()) else { continue };
        let value = match (op, dtype.kind()) {
            // PoCL calls `max`, also for vectors.
            (BinaryOp::Maximum, Kind::Signed | Kind::Unsigned) => "a > b ? a : b".to_owned(),
            (BinaryOp::Minimum, Kind::Signed | Kind::Unsigned) => "a < b ? a : b".to_owned(),
            _ => vector::binary(op, ("a", vector), ("b", vector)),
        };
        let ty = vector.value_type();
        let _ = writeln!(
            text,
            "{start}\ntypedef {ty} accumulators_t;\nstatic inline {ty} combine_all(const {ty} a, const {ty} b)\n{{\n    return {value};\n}}"
        );
    }
    text.push_str("#endif\n");
    text
}

impl Operands<'_> {
    /// Declarations of what is kept for a block.
    pub(super) fn call_blocks(&self, calls: &[Id]) -> String {
        let expr = &self.recipe().expr;
        let mut text = String::new();
        for (number, &id) in calls.iter().enumerate() {
            let node = expr.node(id);
            let vector = vector_of(expr, node).unwrap_or_default();
            let ty = expr.dtype(id).value_type();
            for (name, _) in ["a", "b"].iter().zip(node.operands().into_iter().flatten()) {
                let _ = writeln!(text, "{vector} {name}{number}[BLOCK * sizeof({ty}) / sizeof({vector})];");
                let _ = writeln!(text, "{ty} *const {name}{number}_each = ({ty} *){name}{number};");
                // Whole vectors are computed with, also where the block ends before.
                let _ = writeln!(text, "for (int k = 0; k < BLOCK; ++k)\n    {name}{number}_each[k] = 1;");
            }
        }
        text
    }

    /// The calls for the elements from `from` to before `to`, which `place` counts: each replaces its operand.
    pub(super) fn call_stages(&self, calls: &[Id], place: &str) -> String {
        let expr = &self.recipe().expr;
        let mut text = String::new();
        for (number, &id) in calls.iter().enumerate() {
            let node = expr.node(id);
            let vector = vector_of(expr, node).unwrap_or_default();
            let ty = expr.dtype(id).value_type();
            let _ = writeln!(text, "for (index_t {place} = from; {place} < to; ++{place}) {{");
            let names = [("a", "first"), ("b", "second")];
            for ((name, function), _) in names.iter().zip(node.operands().into_iter().flatten()) {
                let value = self.call_after(&format!("{function}{number}"), number, place);
                let _ = writeln!(text, "    {name}{number}_each[{place} - from] = {value};");
            }
            let operands = [format!("a{number}[k]"), format!("b{number}[k]")];
            let result = vector_call(expr, node, [&operands[0], &operands[1]], &mut BTreeSet::new());
            let _ = writeln!(
                text,
                "}}\nfor (index_t k = 0; k * (sizeof({vector}) / sizeof({ty})) < to - from; ++k)\n    a{number}[k] = {result};"
            );
        }
        text
    }

    /// A function of the current element and of what the first `count` calls gave.
    pub(super) fn call_after(&self, name: &str, count: usize, place: &str) -> String {
        let results = (0..count).map(|number| format!("a{number}_each[{place} - from]"));
        self.call_fresh(name, results)
    }
}
