//! Function calls by vectors of elements: results follow from the element alone, wherever it lies.

mod common;

use common::{array, on_each_queue, values};
use half::f16;
use opencl_array::expr::{BinaryOp, Function, UnaryOp};
use opencl_array::ops::{self, Lazy};
use opencl_array::{Array, Index, Operand, Order, reduction};

/// Numbers of all sizes, small ones beside large ones.
fn numbers(count: usize) -> Vec<f32> {
    let mut state = 1u32;
    (0..count)
        .map(|n| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let small = (state >> 8) as f32 / 1e6 - 8.0;
            match n % 23 {
                3 => small * 1e30,
                5 => small * 1e-30,
                7 => small * 1e6,
                11 => f32::INFINITY,
                13 => f32::NAN,
                17 => -0.0,
                _ => small,
            }
        })
        .collect()
}

fn bytes(array: &Array) -> Vec<Vec<u8>> {
    let size = array.dtype().size();
    array.to_host(Order::C, None).unwrap().chunks(size).map(<[u8]>::to_vec).collect()
}

fn reversed(array: &Array) -> Array {
    array.index(&[Index::Slice { start: None, stop: None, step: -1 }]).unwrap()
}

/// The bits of a function of arrays without gaps, and of the same elements in another order and in rows.
fn check(function: Function, operands: &[&Array]) {
    let call = |operands: &[Array]| {
        let operands: Vec<Operand<'_>> = operands.iter().map(Operand::from).collect();
        ops::call(function, &operands, None).unwrap()
    };
    let own: Vec<Array> = operands.iter().map(|&operand| operand.clone()).collect();
    let whole = call(&own);
    let expected = bytes(&whole);
    let mut turned = bytes(&call(&operands.iter().map(|operand| reversed(operand)).collect::<Vec<_>>()));
    turned.reverse();
    // A NaN has many bits.
    let is_nan = bytes(&ops::binary(BinaryOp::NotEqual, &whole, &whole, None).unwrap());
    for (n, (found, expected)) in turned.iter().zip(&expected).enumerate() {
        assert!(found == expected || is_nan[n] == [1], "{function:?} {n}: {found:?}, {expected:?}");
    }
}

#[test]
fn results_do_not_depend_on_the_place_of_an_element() {
    on_each_queue(|queue| {
        let (x, y) = (array(queue, &[300], &numbers(300)), array(queue, &[300], &numbers(330)[30..]));
        for function in [Function::Exp, Function::Sin, Function::Tan, Function::Log, Function::Floor] {
            check(function, &[&x]);
        }
        check(Function::Atan2, &[&x, &y]);
        check(Function::Fmod, &[&x, &y]);
        let halves: Vec<f16> = numbers(300).into_iter().map(f16::from_f32).collect();
        check(Function::Cos, &[&array(queue, &[300], &halves)]);
        if queue.device().has_extension("cl_khr_fp64").unwrap() {
            let doubles: Vec<f64> = numbers(300).into_iter().map(f64::from).collect();
            check(Function::Exp, &[&array(queue, &[300], &doubles)]);
        }
    });
}

#[test]
fn large_angles_are_reduced_exactly() {
    on_each_queue(|queue| {
        let numbers: Vec<f32> = numbers(300).into_iter().filter(|x| x.is_finite()).collect();
        let x = array(queue, &[numbers.len()], &numbers);
        for (function, host) in [
            (Function::Sin, f64::sin as fn(f64) -> f64),
            (Function::Cos, f64::cos),
            (Function::Tan, f64::tan),
        ] {
            let found = values::<f32>(&ops::call(function, &[(&x).into()], None).unwrap());
            for (&x, found) in numbers.iter().zip(found) {
                let expected = host(f64::from(x));
                // OpenCL C allows 5 units of the last place for the tangent, 4 for the others.
                let error = (f64::from(found) - expected).abs() / expected.abs().max(1e-30);
                assert!(error <= 5.0 * f64::from(f32::EPSILON), "{function:?} of {x}: {found}, {expected}");
            }
        }
    });
}

#[test]
fn lengths_need_not_be_those_of_vectors() {
    on_each_queue(|queue| {
        for count in [1, 7, 16, 127, 129, 300, 5000] {
            let numbers: Vec<f32> = (0..count).map(|n| n as f32 / 16.0 - 3.0).collect();
            let x = array(queue, &[count], &numbers);
            let found = values::<f32>(&ops::call(Function::Fabs, &[(&x).into()], None).unwrap());
            assert_eq!(found, numbers.iter().map(|x| x.abs()).collect::<Vec<_>>());
        }
    });
}

#[test]
fn calls_of_calls_have_bits_of_single_operations() {
    on_each_queue(|queue| {
        let halves: Vec<f16> = (0..700).map(|n| f16::from_f32(n as f32 / 128.0 + 0.1)).collect();
        let x = array(queue, &[100, 7], &halves)
            .index(&[Index::FULL, Index::Slice { start: Some(1), stop: None, step: 2 }]);
        let x = x.unwrap();
        let lazy = Lazy::from(&x);
        let root = Lazy::call(Function::Sqrt, &[&lazy]).unwrap();
        let power = root.binary(BinaryOp::Power, &lazy).unwrap();
        let angle = Lazy::call(Function::Atan2, &[&power, &root.unary(UnaryOp::Absolute).unwrap()]).unwrap();
        let fused = angle.evaluate(None).unwrap();

        let root = ops::call(Function::Sqrt, &[(&x).into()], None).unwrap();
        let power = ops::binary(BinaryOp::Power, &root, &x, None).unwrap();
        let angle = ops::call(Function::Atan2, &[(&power).into(), (&root).into()], None).unwrap();
        assert_eq!(bytes(&fused), bytes(&angle));
    });
}

#[test]
fn reductions_call_functions_with_the_same_results() {
    on_each_queue(|queue| {
        let x = array(queue, &[1000], &(0..1000).map(|n| n as f32 / 99.0 - 5.0).collect::<Vec<_>>());
        for function in [Function::Sin, Function::Exp] {
            let fused = reduction::sum(Lazy::call(function, &[&Lazy::from(&x)]).unwrap(), None, None);
            let single = reduction::sum(&ops::call(function, &[(&x).into()], None).unwrap(), None, None);
            assert_eq!(bytes(&fused.unwrap()), bytes(&single.unwrap()));
        }
    });
}

#[test]
fn reductions_by_blocks_are_those_by_rows() {
    on_each_queue(|queue| {
        // The same elements without gaps and with gaps between rows, in the same order.
        for count in [1usize, 31, 129, 20_000] {
            let wide: Vec<f32> = (0..3 * count).map(|n| ((n * 7919) % 1013) as f32 / 7.0 - 50.0).collect();
            let rows = array(queue, &[count, 3], &wide);
            let rows =
                rows.index(&[Index::FULL, Index::Slice { start: None, stop: Some(2), step: 1 }]).unwrap();
            let flat = array(queue, &[count, 2], &values::<f32>(&rows));
            let whole = |x: &Array| {
                let [sum, max, min] =
                    [reduction::sum(x, None, None), reduction::max(x, None), reduction::min(x, None)];
                [bytes(&sum.unwrap()), bytes(&max.unwrap()), bytes(&min.unwrap())]
            };
            assert_eq!(whole(&rows), whole(&flat), "{count}");
            let host = values::<f32>(&flat);
            let max = host.iter().copied().fold(f32::MIN, f32::max);
            assert_eq!(values::<f32>(&reduction::max(&flat, None).unwrap()), [max]);
            let integers: Vec<i32> = host.iter().map(|x| x.to_bits().cast_signed()).collect();
            let flat = array(queue, &[integers.len()], &integers);
            let sum = integers.iter().fold(0i32, |sum, x| sum.wrapping_add(*x));
            assert_eq!(values::<i32>(&reduction::sum(&flat, None, None).unwrap()), [sum]);
            assert_eq!(
                values::<i32>(&reduction::min(&flat, None).unwrap()),
                [*integers.iter().min().unwrap()]
            );
            assert_eq!(
                values::<i32>(&reduction::max(&flat, None).unwrap()),
                [*integers.iter().max().unwrap()]
            );
        }
    });
}
