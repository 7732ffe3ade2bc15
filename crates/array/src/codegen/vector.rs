//! Operations on vectors as OpenCL C. Numbers beside them are repeated.

use super::element;
use crate::dtype::{DType, Kind, Vector};
use crate::expr::{BinaryOp, UnaryOp};

/// `value` converted where one of the dtypes is a vector; records are the same already.
pub(super) fn cast(value: &str, from: DType, to: DType) -> String {
    match (from, to) {
        (DType::Vector(_), DType::Vector(to)) => format!("convert_{}({value})", to.value_type()),
        (number, DType::Vector(to)) => {
            let part = if number == to.element() {
                value.to_owned()
            } else {
                element::cast(value, number, to.element())
            };
            format!("({})({part})", to.value_type())
        }
        _ => value.to_owned(),
    }
}

/// The type of the same bits with unsigned components, in which arithmetic wraps.
fn wrapping(vector: Vector) -> &'static str {
    let unsigned = match vector.element() {
        DType::I8 => DType::U8,
        DType::I16 => DType::U16,
        DType::I32 => DType::U32,
        DType::I64 => DType::U64,
        other => other,
    };
    vector.with_element(unsigned).unwrap_or(vector).value_type()
}

pub(super) fn unary(op: UnaryOp, a: &str, vector: Vector) -> String {
    let (ty, wide) = (vector.value_type(), wrapping(vector));
    match (op, vector.element().kind()) {
        (UnaryOp::Negative, Kind::Signed) => format!("as_{ty}(-as_{wide}({a}))"),
        (UnaryOp::Negative, _) => format!("-{a}"),
        (UnaryOp::Invert, _) => format!("~{a}"),
        (UnaryOp::Absolute, Kind::Signed) => format!("as_{ty}(abs({a}))"),
        (UnaryOp::Absolute, Kind::Float) => format!("fabs({a})"),
        _ => a.to_owned(),
    }
}

/// `a op b` for a result that is a vector, or the comparison of vectors.
pub(super) fn binary(op: BinaryOp, (a, lhs): (&str, DType), (b, rhs): (&str, DType)) -> String {
    let (vector, number) = match (lhs, rhs) {
        (DType::Vector(vector), other) | (other, DType::Vector(vector)) => (vector, other),
        _ => return String::new(),
    };
    let whole = |value: &str, dtype: DType| match dtype {
        DType::Vector(_) => value.to_owned(),
        _ => cast(value, number, DType::Vector(vector)),
    };
    let (a, b) = (whole(a, lhs), whole(b, rhs));
    let (ty, wide) = (vector.value_type(), wrapping(vector));
    let kind = vector.element().kind();
    // Of three components there are four, of which the last does not count.
    let counted = if vector.lanes() == 3 { ".xyz" } else { "" };
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
        (BinaryOp::Equal, _) => format!("(char)all(({a}){counted} == ({b}){counted})"),
        (BinaryOp::NotEqual, _) => format!("(char)any(({a}){counted} != ({b}){counted})"),
        (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, Kind::Signed) => {
            format!("as_{ty}(as_{wide}({a}) {symbol} as_{wide}({b}))")
        }
        (BinaryOp::Power, _) => format!("pow({a}, {b})"),
        (BinaryOp::Maximum, Kind::Float) => format!("({a} >= {b} || {a} != {a}) ? {a} : {b}"),
        (BinaryOp::Minimum, Kind::Float) => format!("({a} <= {b} || {a} != {a}) ? {a} : {b}"),
        (BinaryOp::Maximum, _) => format!("max({a}, {b})"),
        (BinaryOp::Minimum, _) => format!("min({a}, {b})"),
        _ => format!("{a} {symbol} {b}"),
    }
}
