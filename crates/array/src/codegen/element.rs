//! An expression as OpenCL C: the function of one element, and the headers that it needs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::call::call;
use super::{lanes, vector};
use crate::dtype::{DType, Kind};
use crate::expr::{BinaryOp, Expr, Id, Node, UnaryOp};
use crate::plan::DeviceClass;

const COMPLEX_ARITHMETIC: &str = include_str!("../../kernels/pyopencl-complex-arithmetic.h");
const COMPLEX_FUNCTIONS: &str = include_str!("../../kernels/pyopencl-complex-functions.h");
const COMPLEX_ORDER: &str = include_str!("../../kernels/complex_order.h.cl");
const BESSEL: &str = include_str!("../../kernels/bessel.h.cl");
const BESSEL_COMPLEX: &str = include_str!("../../kernels/bessel_complex.h.cl");
const PARTS: &str = include_str!("../../kernels/parts.h.cl");
const DIVISION: &str = include_str!("../../kernels/division.h.cl");
const INTEGER: &str = include_str!("../../kernels/integer.h.cl");
const INTEGER_DIVISION: &str = include_str!("../../kernels/integer_division.h.cl");
const HALF: &str = include_str!("../../kernels/half.h.cl");
const HALF_BITS: &str = include_str!("../../kernels/half_bits.h.cl");
const INDEX: &str = include_str!("../../kernels/index.h.cl");
const LANES: &str = include_str!("../../kernels/lanes.h.cl");
const TURNING: &str = include_str!("../../kernels/turning.h.cl");

/// A file of device functions that generated text may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Header {
    Integer,
    IntegerDivision,
    Half,
    HalfBits,
    Index,
    Lanes,
    Turning,
    Parts(DType),
    Division(DType),
    Complex(DType),
    ComplexFunctions(DType),
    Bessel(DType),
    BesselComplex(DType),
}

impl Header {
    pub(crate) fn text(self) -> String {
        match self {
            Self::Integer => INTEGER.to_owned(),
            Self::IntegerDivision => INTEGER_DIVISION.to_owned(),
            Self::Half => HALF.to_owned(),
            Self::HalfBits => HALF_BITS.to_owned(),
            Self::Division(dtype) => instantiated(DIVISION, dtype),
            Self::Parts(dtype) => instantiated(PARTS, dtype),
            Self::Complex(dtype) => {
                let (real, ty, prefix) = (dtype.real().value_type(), dtype.value_type(), prefix(dtype));
                let new = format!(
                    "static inline {ty} {prefix}_new(const {real} x, const {real} y)\n{{\n    return ({ty})(x, y);\n}}\n\n"
                );
                complex(&[&new, COMPLEX_ARITHMETIC, COMPLEX_ORDER], dtype)
            }
            Self::ComplexFunctions(dtype) => complex(&[COMPLEX_FUNCTIONS], dtype),
            Self::Bessel(dtype) => instantiated(BESSEL, dtype),
            Self::BesselComplex(dtype) => complex(&[BESSEL_COMPLEX], dtype),
            Self::Index => INDEX.to_owned(),
            Self::Lanes => LANES.to_owned(),
            Self::Turning => TURNING.to_owned(),
        }
    }
}

/// A file of functions for one floating-point dtype.
fn instantiated(text: &str, dtype: DType) -> String {
    format!(
        "#define REAL {}\n#define NAME(function) {}_##function\n{text}#undef REAL\n#undef NAME\n",
        dtype.value_type(),
        prefix(dtype),
    )
}

/// Files of functions of complex numbers, as `pyopencl-complex.h` includes them, for two-vectors.
fn complex(texts: &[&str], dtype: DType) -> String {
    let (constant, limit) = if dtype == DType::C128 { ("name", "DBL") } else { ("name##_F", "FLT") };
    let macros = [
        ("pyopencl_real", dtype.real().value_type().to_owned()),
        ("pyopencl_complex", dtype.value_type().to_owned()),
        ("PYOPENCL_NAME(function)", format!("{}_##function", prefix(dtype))),
        ("PYOPENCL_CONST(name)", constant.to_owned()),
        ("PYOPENCL_LIMIT(name)", format!("{limit}_##name")),
    ];
    let mut text: String = macros.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect();
    text.extend(texts.iter().copied());
    text.extend(macros.iter().map(|(name, _)| {
        let name = name.split_once('(').map_or(*name, |(name, _)| name);
        format!("#undef {name}\n")
    }));
    text
}

/// What the names of such functions begin with.
pub(super) fn prefix(dtype: DType) -> &'static str {
    match dtype {
        DType::C128 => "c128",
        DType::C64 => "c64",
        DType::F64 => "f64",
        _ => "f32",
    }
}

/// The parameters of the element function, one per operand: declarations or names.
pub(crate) fn operand_parameters(expr: &Expr, typed: bool) -> Vec<String> {
    let declare = |dtype: DType, name: String| {
        if typed { format!("const {} {name}", dtype.value_type()) } else { name }
    };
    let arrays = expr.array_dtypes().enumerate().map(|(n, dtype)| {
        if typed && expr.is_indexed(n as u16) {
            format!("global const {} *x{n}", dtype.memory_type())
        } else {
            declare(dtype, format!("x{n}"))
        }
    });
    let scalars = expr.scalar_dtypes().enumerate().map(|(n, dtype)| declare(dtype, format!("s{n}")));
    arrays.chain(scalars).collect()
}

/// `static inline T element(operands…)`; `condition` and `offset` of the same operands, where the expression has them.
pub(crate) fn element(expr: &Expr, device: DeviceClass, headers: &mut BTreeSet<Header>) -> String {
    let Some((root, _)) = expr.result() else { return String::new() };
    let calls = if device == DeviceClass::Cpu { Calls::Vectors(&[]) } else { Calls::Numbers };
    let mut text = function("element", expr, root, calls, headers);
    for (name, root) in [("condition", expr.target().condition), ("offset", expr.target().offset)] {
        if let Some(root) = root {
            text.push('\n');
            text.push_str(&function(name, expr, root, calls, headers));
        }
    }
    text
}

/// Which nodes the node `root` needs, if those that are `known` need none.
pub(super) fn needed(expr: &Expr, root: Id, known: &[Id]) -> Vec<bool> {
    let mut needed = vec![false; expr.nodes().len()];
    needed[root.index()] = true;
    for (number, &(node, _)) in expr.nodes().iter().enumerate().rev() {
        if needed[number] && !known.iter().any(|id| id.index() == number) {
            for operand in node.operands().into_iter().flatten() {
                needed[operand.index()] = true;
            }
        }
    }
    needed
}

/// How functions of elements are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls<'a> {
    /// One by one.
    Numbers,
    /// By vectors: the results of these come as further parameters, the others are called for a vector of equal numbers.
    Vectors(&'a [Id]),
}

/// `static inline T name(operands…)`, the node `root` as a function.
pub(super) fn function(
    name_of: &str,
    expr: &Expr,
    root: Id,
    calls: Calls<'_>,
    headers: &mut BTreeSet<Header>,
) -> String {
    let mut text = String::new();
    let result = expr.dtype(root);
    let known = if let Calls::Vectors(known) = calls { known } else { &[] };
    let needed = needed(expr, root, known);
    let mut parameters = operand_parameters(expr, true);
    if expr.uses_index() {
        parameters.push("const long index".to_owned());
    }
    for (place, &id) in known.iter().enumerate() {
        parameters.push(format!("const {} c{place}", expr.dtype(id).value_type()));
    }
    let parameters = parameters.join(", ");
    let _ = writeln!(text, "static inline {} {name_of}({parameters})\n{{", result.value_type());
    let mut names: Vec<String> = Vec::with_capacity(expr.nodes().len());
    for (number, &(node, dtype)) in expr.nodes().iter().enumerate() {
        let name = |id: Id| names[id.index()].as_str();
        if !needed[number] {
            names.push(String::new());
            continue;
        }
        let given = known.iter().position(|id| id.index() == number).map(|place| format!("c{place}"));
        let by_vector = || match calls {
            Calls::Numbers => None,
            Calls::Vectors(_) => lanes::single_call(expr, node, |id| name(id).to_owned(), headers),
        };
        if let Some(value) = given.or_else(by_vector) {
            let rounds = number != root.index() || name_of != "element";
            text.push_str(&declaration(number, dtype, value, rounds, headers));
            names.push(format!("v{number}"));
            continue;
        }
        let value = match node {
            Node::Array { operand } if expr.is_indexed(operand) => {
                names.push(at_pointer(&format!("x{operand}"), dtype));
                continue;
            }
            Node::Array { operand } => {
                names.push(format!("x{operand}"));
                continue;
            }
            Node::Scalar { operand } => {
                names.push(format!("s{operand}"));
                continue;
            }
            Node::Index => {
                names.push("index".to_owned());
                continue;
            }
            Node::Cast(a) => cast(name(a), expr.dtype(a), dtype),
            Node::Unary(op, a) => unary(op, name(a), expr.dtype(a), headers),
            Node::Binary(op, a, b) => {
                binary(op, (name(a), expr.dtype(a)), (name(b), expr.dtype(b)), dtype, headers)
            }
            Node::Select(c, a, b) => format!("{} ? {} : {}", name(c), name(a), name(b)),
            Node::Call(function, a, b) => {
                let second = b.map(|b| (name(b), expr.dtype(b)));
                call(function, (name(a), expr.dtype(a)), second, headers)
            }
            Node::Element(array, offset) => {
                let memory = dtype.memory_type();
                let pointer = match expr.nodes()[array.index()].0 {
                    Node::Array { operand } => format!("x{operand}"),
                    // `Expr::element` is given leaves.
                    _ => name(array).to_owned(),
                };
                let place =
                    format!("(global const {memory} *)((global const char *){pointer} + {})", name(offset));
                at_pointer(&format!("({place})"), dtype)
            }
            Node::Offset(position, length, stride) => {
                headers.insert(Header::Index);
                format!("nearest_offset({}, {}, {})", name(position), name(length), name(stride))
            }
            Node::OnAxis(position, length) => {
                headers.insert(Header::Index);
                format!("on_axis({}, {})", name(position), name(length))
            }
        };
        // The result itself is rounded by its store.
        let rounds = number != root.index() || name_of != "element";
        text.push_str(&declaration(number, dtype, value, rounds, headers));
        names.push(format!("v{number}"));
    }
    let _ = writeln!(text, "    return {};\n}}", names[root.index()]);
    text
}

/// The statement that names the value of a node, which is rounded to its dtype if that is asked for.
fn declaration(
    number: usize,
    dtype: DType,
    value: String,
    rounds: bool,
    headers: &mut BTreeSet<Header>,
) -> String {
    let value = if dtype == DType::F16 && rounds {
        headers.insert(Header::Half);
        format!("round_half({value})")
    } else {
        value
    };
    format!("    const {} v{number} = {value};\n", dtype.value_type())
}

/// The value behind a pointer to global memory.
fn at_pointer(pointer: &str, dtype: DType) -> String {
    if dtype == DType::F16 { format!("vload_half(0, {pointer})") } else { format!("*{pointer}") }
}

/// `value` of dtype `from` converted to `to`.
pub(crate) fn cast(value: &str, from: DType, to: DType) -> String {
    if !(from.is_number() && to.is_number()) {
        return vector::cast(value, from, to);
    }
    let ty = to.value_type();
    match (from.kind(), to.kind()) {
        (Kind::Complex, Kind::Complex) => format!("convert_{ty}({value})"),
        (Kind::Complex, Kind::Bool) => format!("(uchar)({value}.x != 0 || {value}.y != 0)"),
        (Kind::Complex, _) => format!("({ty}){value}.x"),
        (_, Kind::Complex) => format!("({ty})(({}){value}, 0)", to.real().value_type()),
        (_, Kind::Bool) => format!("(uchar)({value} != 0)"),
        _ => format!("({ty}){value}"),
    }
}

/// The unsigned type in which arithmetic of an integer type wraps.
fn wrapping(dtype: DType) -> &'static str {
    if dtype.size() == 8 { "ulong" } else { "uint" }
}

fn unary(op: UnaryOp, a: &str, dtype: DType, headers: &mut BTreeSet<Header>) -> String {
    if let DType::Vector(vector) = dtype {
        return vector::unary(op, a, vector);
    }
    let ty = dtype.value_type();
    if let Kind::Complex = dtype.kind() {
        headers.insert(Header::Complex(dtype));
    }
    match (op, dtype.kind()) {
        (UnaryOp::Negative, Kind::Signed | Kind::Unsigned) => format!("({ty})(0 - ({}){a})", wrapping(dtype)),
        (UnaryOp::Negative, _) => format!("-{a}"),
        (UnaryOp::Invert, Kind::Bool) => format!("(uchar)({a} ^ 1)"),
        (UnaryOp::Invert, _) => format!("({ty})~{a}"),
        (UnaryOp::Absolute, Kind::Signed) => {
            let wide = wrapping(dtype);
            format!("({ty})({a} < 0 ? 0 - ({wide}){a} : ({wide}){a})")
        }
        (UnaryOp::Absolute, Kind::Float) => format!("fabs({a})"),
        (UnaryOp::Absolute, Kind::Complex) => format!("hypot({a}.x, {a}.y)"),
        (UnaryOp::Conjugate, Kind::Complex) => format!("({ty})({a}.x, -{a}.y)"),
        (UnaryOp::Real, Kind::Complex) => format!("{a}.x"),
        (UnaryOp::Imag, Kind::Complex) => format!("{a}.y"),
        (UnaryOp::Imag, _) => format!("({ty})0"),
        (UnaryOp::Absolute | UnaryOp::Conjugate | UnaryOp::Real, _) => a.to_owned(),
    }
}

/// `a op b` for operands that the policy made fit.
pub(crate) fn binary(
    op: BinaryOp,
    (a, lhs): (&str, DType),
    (b, rhs): (&str, DType),
    result: DType,
    headers: &mut BTreeSet<Header>,
) -> String {
    if !(lhs.is_number() && rhs.is_number()) {
        return vector::binary(op, (a, lhs), (b, rhs));
    }
    let ty = result.value_type();
    if op.is_comparison() {
        return format!("({ty})({})", comparison(op, (a, lhs), (b, rhs), headers));
    }
    let kind = lhs.kind();
    let function = |headers: &mut BTreeSet<Header>, name: &str| {
        headers.insert(Header::Complex(lhs));
        format!("{}_{name}({a}, {b})", prefix(lhs))
    };
    let symbol = match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::TrueDivide => "/",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        _ => "^",
    };
    match (op, kind) {
        (BinaryOp::Add | BinaryOp::Maximum, Kind::Bool) => format!("(uchar)({a} | {b})"),
        (BinaryOp::Multiply | BinaryOp::Minimum, Kind::Bool) => format!("(uchar)({a} & {b})"),
        (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, _) => format!("({ty})({a} {symbol} {b})"),
        (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, Kind::Signed | Kind::Unsigned) => {
            let wide = wrapping(lhs);
            format!("({ty})(({wide}){a} {symbol} ({wide}){b})")
        }
        (BinaryOp::Multiply, Kind::Complex) => function(headers, "mul"),
        (BinaryOp::TrueDivide, Kind::Complex) => function(headers, "divide"),
        (BinaryOp::Power, Kind::Complex) => function(headers, "pow"),
        (BinaryOp::Maximum, Kind::Complex) => function(headers, "maximum"),
        (BinaryOp::Minimum, Kind::Complex) => function(headers, "minimum"),
        (BinaryOp::Power, Kind::Float) => format!("pow({a}, {b})"),
        (BinaryOp::Power, _) => {
            headers.insert(Header::Integer);
            format!("power_{ty}({a}, {b})")
        }
        (BinaryOp::FloorDivide | BinaryOp::Modulo, Kind::Float) => {
            headers.insert(Header::Division(lhs.computed()));
            format!("{}_{}({a}, {b})", prefix(lhs), op.name())
        }
        (BinaryOp::FloorDivide | BinaryOp::Modulo, _) => {
            headers.insert(Header::IntegerDivision);
            format!("{}_{ty}({a}, {b})", op.name())
        }
        (BinaryOp::LeftShift | BinaryOp::RightShift, kind) => shift(op, a, b, lhs, kind),
        (BinaryOp::Maximum, Kind::Float) => format!("({a} >= {b} || {a} != {a}) ? {a} : {b}"),
        (BinaryOp::Minimum, Kind::Float) => format!("({a} <= {b} || {a} != {a}) ? {a} : {b}"),
        (BinaryOp::Maximum, _) => format!("max({a}, {b})"),
        (BinaryOp::Minimum, _) => format!("min({a}, {b})"),
        _ => format!("{a} {symbol} {b}"),
    }
}

/// A shift, for counts of any value.
fn shift(op: BinaryOp, a: &str, b: &str, dtype: DType, kind: Kind) -> String {
    let (ty, wide, width) = (dtype.value_type(), wrapping(dtype), 8 * dtype.size());
    match (op, kind) {
        (BinaryOp::LeftShift, _) => format!("({ty})((ulong){b} < {width} ? ({wide}){a} << {b} : 0)"),
        (_, Kind::Signed) => format!("({ty})({a} >> ((ulong){b} < {width} ? {b} : {}))", width - 1),
        _ => format!("({ty})((ulong){b} < {width} ? {a} >> {b} : 0)"),
    }
}

fn comparison(
    op: BinaryOp,
    (a, lhs): (&str, DType),
    (b, rhs): (&str, DType),
    headers: &mut BTreeSet<Header>,
) -> String {
    // Greater is less with the sides exchanged, for all but plain numbers.
    let swapped = match op {
        BinaryOp::Greater => Some(BinaryOp::Less),
        BinaryOp::GreaterEqual => Some(BinaryOp::LessEqual),
        _ => None,
    };
    let word = match op {
        BinaryOp::Less | BinaryOp::Greater => "less",
        BinaryOp::LessEqual | BinaryOp::GreaterEqual => "less_equal",
        _ => "equal",
    };
    if lhs.is_complex() {
        headers.insert(Header::Complex(lhs));
        let (a, b) = if swapped.is_some() { (b, a) } else { (a, b) };
        let not = if op == BinaryOp::NotEqual { "!" } else { "" };
        return format!("{not}{}_{word}({a}, {b})", prefix(lhs));
    }
    match (lhs.kind(), rhs.kind()) {
        (Kind::Signed, Kind::Unsigned) | (Kind::Unsigned, Kind::Signed) => {
            headers.insert(Header::Integer);
            let (signed, unsigned) = if lhs.kind() == Kind::Signed { (a, b) } else { (b, a) };
            // `signed < unsigned` and its kin directly, the others by their negation.
            let left = lhs.kind() == Kind::Signed;
            let (word, not) = match op {
                BinaryOp::Equal => ("equal", ""),
                BinaryOp::NotEqual => ("equal", "!"),
                BinaryOp::Less => {
                    if left {
                        ("less", "")
                    } else {
                        ("less_equal", "!")
                    }
                }
                BinaryOp::LessEqual => {
                    if left {
                        ("less_equal", "")
                    } else {
                        ("less", "!")
                    }
                }
                BinaryOp::Greater => {
                    if left {
                        ("less_equal", "!")
                    } else {
                        ("less", "")
                    }
                }
                _ => {
                    if left {
                        ("less", "!")
                    } else {
                        ("less_equal", "")
                    }
                }
            };
            format!("{not}signed_{word}({signed}, {unsigned})")
        }
        _ => {
            let symbol = match op {
                BinaryOp::Less => "<",
                BinaryOp::LessEqual => "<=",
                BinaryOp::Equal => "==",
                BinaryOp::NotEqual => "!=",
                BinaryOp::Greater => ">",
                _ => ">=",
            };
            format!("{a} {symbol} {b}")
        }
    }
}
