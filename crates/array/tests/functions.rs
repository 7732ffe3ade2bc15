//! Functions of elements: every one for every dtype, eager and as part of an expression.

mod common;

use common::limits::{self, Need};
use common::{array, on_each_queue, values};
use half::f16;
use num_complex::Complex;
use opencl_array::expr::{BinaryOp, Domain, Function};
use opencl_array::ops::{self, Lazy};
use opencl_array::policy;
use opencl_array::{Array, DType, Error, Order, Scalar};

#[test]
fn every_function_builds() {
    on_each_queue(|queue| {
        let fp64 = queue.device().has_extension("cl_khr_fp64").unwrap();
        let parts = limits::has(queue.device(), Need::PrivateResults);
        for dtype in [DType::I16, DType::F16, DType::F32, DType::F64, DType::C64, DType::C128] {
            if dtype.needs_fp64() && !fp64 {
                continue;
            }
            let zeros = Array::zeros(queue, &[3], dtype, Order::C).unwrap();
            let lazy = Lazy::from(&zeros);
            // All functions in one kernel, of which each adds to the result.
            let mut sum = lazy.clone();
            for &function in Function::ALL {
                if !parts && matches!(function, Function::FrexpExponent | Function::FrexpSignificand) {
                    continue;
                }
                let operands = vec![dtype; function.arity()];
                let Ok(types) = policy::function(function, &operands) else { continue };
                let value = Lazy::call(function, &vec![&lazy; function.arity()]).unwrap();
                assert_eq!(value.dtype(), types.result, "{function:?} of {dtype}");
                sum = sum.binary(BinaryOp::Add, &value).unwrap();
            }
            sum.evaluate(None).unwrap();
        }
    });
}

#[test]
fn dtypes_without_a_function_are_refused() {
    on_each_queue(|queue| {
        let zeros = Array::zeros(queue, &[3], DType::C64, Order::C).unwrap();
        for function in [Function::Floor, Function::Fabs, Function::Nan, Function::Erf] {
            let error = ops::call(function, &[(&zeros).into()], None).unwrap_err();
            assert!(matches!(error, Error::Undefined { .. }), "{function:?}: {error}");
        }
    });
}

#[test]
fn names_are_found_again() {
    for &function in Function::ALL {
        assert_eq!(Function::from_name(function.name()), Some(function));
        assert_eq!(Function::ALL[function as usize], function);
    }
    assert_eq!(Function::from_name("sinus"), None);
}

#[test]
fn expressions_call_functions_too() {
    on_each_queue(|queue| {
        let x = array(queue, &[3], &[0f32, 0.5, 3.0]);
        let lazy = Lazy::from(&x);
        let sum = Lazy::call(Function::Sqrt, &[&lazy]).unwrap();
        let one = Lazy::scalar(Scalar::WeakInt(1));
        let angle = Lazy::call(Function::Atan2, &[&sum, &one]).unwrap();
        assert_eq!(angle.dtype(), DType::F32);
        let found = values::<f32>(&angle.evaluate(None).unwrap());
        for (found, x) in found.iter().zip([0f32, 0.5, 3.0]) {
            assert!((found - x.sqrt().atan2(1.0)).abs() <= 4.0 * f32::EPSILON, "{found} of {x}");
        }
        let error = Lazy::call(Function::Atan2, &[&lazy]).unwrap_err();
        assert!(matches!(error, Error::Undefined { operation: "atan2", .. }), "{error}");
    });
}

#[test]
fn exponents_saturate_and_integers_stay() {
    on_each_queue(|queue| {
        let x = array(queue, &[3], &[1.5f32, 1.0, -1.0]);
        let exponents = array(queue, &[3], &[3i64, i64::MAX, i64::MIN]);
        let scaled = ops::call(Function::Ldexp, &[(&x).into(), (&exponents).into()], None).unwrap();
        assert_eq!(values::<f32>(&scaled), [12.0, f32::INFINITY, 0.0]);
        let whole = array(queue, &[3], &[-7i16, 7, 5]);
        let divisor = array(queue, &[3], &[3i16, -3, 0]);
        let rest = ops::call(Function::Fmod, &[(&whole).into(), (&divisor).into()], None).unwrap();
        assert_eq!(values::<i16>(&rest), [-1, 1, 0]);
        let floor = ops::call(Function::Floor, &[(&whole).into()], None).unwrap();
        assert_eq!(values::<i16>(&floor), [-7, 7, 5]);
    });
}

#[test]
fn half_precision_is_computed_in_single_precision() {
    on_each_queue(|queue| {
        let numbers: Vec<f16> = (0..100).map(|n| f16::from_f32(n as f32 / 8.0)).collect();
        let x = array(queue, &[100], &numbers);
        let roots = ops::call(Function::Sqrt, &[(&x).into()], None).unwrap();
        let expected: Vec<f16> = numbers.iter().map(|x| f16::from_f32(x.to_f32().sqrt())).collect();
        assert_eq!(values::<f16>(&roots), expected);
    });
}

#[test]
fn branch_cuts_follow_the_sign_of_zero() {
    on_each_queue(|queue| {
        let z = array(queue, &[2], &[Complex::new(-4f32, 0.0), Complex::new(-4f32, -0.0)]);
        let roots = values::<Complex<f32>>(&ops::call(Function::Sqrt, &[(&z).into()], None).unwrap());
        assert_eq!(roots, [Complex::new(0.0, 2.0), Complex::new(0.0, -2.0)]);
        let logs = values::<Complex<f32>>(&ops::call(Function::Log, &[(&z).into()], None).unwrap());
        assert!(logs[0].im > 3.0 && logs[1].im < -3.0, "{logs:?}");
    });
}

#[test]
fn domains_say_how_many_operands_there_are() {
    for &function in Function::ALL {
        let two = matches!(
            function.domain(),
            Domain::Reals | Domain::Remainder | Domain::Scaled | Domain::OrderReal | Domain::OrderNumber
        );
        assert_eq!(function.arity(), if two { 2 } else { 1 });
    }
}
