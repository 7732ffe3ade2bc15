//! Promotion against NumPy's own table, and policy.

use num_complex::Complex64;
use opencl_array::dtype::{DType, Scalar, promote, promote_weak};
use opencl_array::expr::BinaryOp;
use opencl_array::policy;

const TABLE: &str = include_str!("promotion.txt");

#[test]
fn promotion_is_numpys() {
    let (strong, weak) = TABLE.split_once("# With").unwrap();
    let rows: Vec<&str> = strong.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    assert_eq!(rows.len(), DType::ALL.len());
    for (a, row) in DType::ALL.into_iter().zip(rows) {
        let words: Vec<&str> = row.split(' ').collect();
        assert_eq!(a.name(), words[0]);
        for (b, expected) in DType::ALL.into_iter().zip(&words[1..]) {
            assert_eq!(promote(a, b).name(), *expected, "{a} with {b}");
            assert_eq!(promote(a, b), promote(b, a));
        }
    }
    let scalars = [
        Scalar::Bool(true),
        Scalar::WeakInt(1),
        Scalar::WeakFloat(1.0),
        Scalar::WeakComplex(Complex64::new(0.0, 1.0)),
    ];
    for (a, row) in DType::ALL.into_iter().zip(weak.lines().skip(1)) {
        for (scalar, expected) in scalars.into_iter().zip(row.split(' ').skip(1)) {
            assert_eq!(promote_weak(a, scalar).name(), expected, "{a} with {scalar:?}");
        }
    }
}

#[test]
fn weak_integers_must_fit_where_they_take_an_integer_dtype() {
    assert!(Scalar::WeakInt(300).cast(DType::I8).is_err());
    assert!(Scalar::WeakInt(-1).cast(DType::U64).is_err());
    assert_eq!(Scalar::WeakInt(255).cast(DType::U8).unwrap(), Scalar::U8(255));
    assert_eq!(Scalar::WeakInt(1 << 100).cast(DType::F32).unwrap(), Scalar::F32(2f32.powi(100)));
    assert_eq!(Scalar::I32(300).cast(DType::I8).unwrap(), Scalar::I8(44));
    assert_eq!(policy::scalar_dtype(BinaryOp::Add, DType::U8, Scalar::WeakInt(300)), DType::U8);
    assert_eq!(policy::scalar_dtype(BinaryOp::Less, DType::U8, Scalar::WeakInt(300)), DType::I64);
}

#[test]
fn policy_of_results() {
    let result = |op, a, b| policy::binary(op, a, b).map(|types| types.result).ok();
    assert_eq!(result(BinaryOp::TrueDivide, DType::I8, DType::I8), Some(DType::F64));
    assert_eq!(result(BinaryOp::TrueDivide, DType::I8, DType::F32), Some(DType::F32));
    assert_eq!(result(BinaryOp::Power, DType::Bool, DType::Bool), Some(DType::I8));
    assert_eq!(result(BinaryOp::Subtract, DType::Bool, DType::Bool), None);
    assert_eq!(result(BinaryOp::And, DType::F32, DType::I32), None);
    assert_eq!(result(BinaryOp::Less, DType::F32, DType::I32), Some(DType::I8));
    let exact = policy::binary(BinaryOp::Less, DType::I64, DType::U64).unwrap();
    assert_eq!((exact.lhs, exact.rhs), (DType::I64, DType::U64));
    let message = policy::binary(BinaryOp::Subtract, DType::Bool, DType::Bool).unwrap_err().to_string();
    assert_eq!(message, "subtract is not defined for bool and bool");
}
