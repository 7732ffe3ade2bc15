//! Operations on every device against values computed on the host.

mod common;

use common::{Item, array, numbers, on_each_queue, values};
use half::f16;
use num_complex::Complex;
use opencl_array::expr::{BinaryOp, Function, UnaryOp};
use opencl_array::ops::{self, Lazy};
use opencl_array::{Array, DType, Error, Index, Order, Scalar};
use opencl_runtime::{CommandQueue, Context};

#[test]
fn integers_wrap() {
    on_each_queue(|queue| {
        let (a, b) = (array(queue, &[3], &[i32::MAX, -7, 1 << 20]), array(queue, &[3], &[1i32, 3, 1 << 20]));
        assert_eq!(values::<i32>(&ops::add(&a, &b, None).unwrap()), [i32::MIN, -4, 1 << 21]);
        assert_eq!(values::<i32>(&ops::multiply(&a, &b, None).unwrap()), [i32::MAX, -21, 0]);
        assert_eq!(values::<i32>(&ops::negative(&a, None).unwrap()), [-i32::MAX, 7, -(1 << 20)]);
        let small = array(queue, &[2], &[255u8, 16]);
        assert_eq!(values::<u8>(&ops::add(&small, Scalar::WeakInt(1), None).unwrap()), [0, 17]);
        assert_eq!(values::<u8>(&ops::multiply(&small, &small, None).unwrap()), [1, 0]);
        assert_eq!(values::<u8>(&ops::negative(&small, None).unwrap()), [1, 240]);
        let short = array(queue, &[1], &[65535u16]);
        assert_eq!(values::<u16>(&ops::multiply(&short, &short, None).unwrap()), [1]);
    });
}

#[test]
fn integer_powers() {
    on_each_queue(|queue| {
        let base = array(queue, &[6], &[2i32, -3, 1, -1, 0, 7]);
        let exponent = array(queue, &[6], &[10i32, 3, -5, -3, -2, 0]);
        assert_eq!(values::<i32>(&ops::power(&base, &exponent, None).unwrap()), [1024, -27, 1, -1, 0, 1]);
        let cubes = ops::power(&base, Scalar::WeakInt(3), None).unwrap();
        assert_eq!(values::<i32>(&cubes), [8, -27, 1, -1, 0, 343]);
        let squares = ops::power(&base, Scalar::WeakInt(2), None).unwrap();
        assert_eq!(values::<i32>(&squares), [4, 9, 1, 1, 0, 49]);
        let error = ops::power(&base, Scalar::WeakInt(-1), None).unwrap_err();
        assert!(matches!(error, Error::NegativePower));
        let none = array::<i32>(queue, &[0, 2], &[]);
        assert_eq!(ops::power(&none, Scalar::WeakInt(-1), None).unwrap().shape(), [0, 2], "none is refused");
        let wide = array(queue, &[2], &[3u64, 10]);
        assert_eq!(
            values::<u64>(&ops::power(&wide, Scalar::WeakInt(19), None).unwrap()),
            [3u64.pow(19), 10u64.pow(19)]
        );
    });
}

#[test]
fn whole_quotients_and_remainders() {
    on_each_queue(|queue| {
        let a = array(queue, &[6], &[7i8, -7, 7, -7, -128, 5]);
        let b = array(queue, &[6], &[3i8, 3, -3, -3, -1, 0]);
        assert_eq!(values::<i8>(&ops::floor_divide(&a, &b, None).unwrap()), [2, -3, -3, 2, -128, 0]);
        assert_eq!(values::<i8>(&ops::remainder(&a, &b, None).unwrap()), [1, 2, -2, -1, 0, 0]);
        let x = array(queue, &[6], &[7f32, -7.0, 1.0, -1.0, 5.0, 6.0]);
        let y = array(queue, &[6], &[3f32, 3.0, f32::NEG_INFINITY, f32::INFINITY, 0.0, 0.1]);
        let quotients = values::<f32>(&ops::floor_divide(&x, &y, None).unwrap());
        assert_eq!(quotients, [2.0, -3.0, -1.0, -1.0, f32::INFINITY, 59.0]);
        let rests = values::<f32>(&ops::remainder(&x, &y, None).unwrap());
        assert_eq!(rests[..4], [1.0, 2.0, f32::NEG_INFINITY, f32::INFINITY]);
        assert!(rests[4].is_nan());
        assert_eq!(rests[5], 6.0 % 0.1);
    });
}

#[test]
fn shifts_of_any_count() {
    on_each_queue(|queue| {
        let a = array(queue, &[5], &[-3i16, 1, -1, 5, 5]);
        let count = array(queue, &[5], &[1i16, 15, 16, 40, -1]);
        assert_eq!(values::<i16>(&ops::left_shift(&a, &count, None).unwrap()), [-6, i16::MIN, 0, 0, 0]);
        assert_eq!(values::<i16>(&ops::right_shift(&a, &count, None).unwrap()), [-2, 0, -1, 0, 0]);
        let error = ops::left_shift(&a, Scalar::WeakFloat(1.0), None).unwrap_err();
        assert!(matches!(error, Error::Undefined { operation: "left_shift", .. }), "{error}");
    });
}

#[test]
fn division_gives_floats() {
    on_each_queue(|queue| {
        let (a, b) = (array(queue, &[3], &[7i32, -1, 0]), array(queue, &[3], &[2i32, 0, 5]));
        let quotient = values::<f64>(&ops::divide(&a, &b, None).unwrap());
        assert_eq!(quotient, [3.5, f64::NEG_INFINITY, 0.0]);
        let x = array(queue, &[2], &[1f32, 10.0]);
        assert_eq!(
            values::<f32>(&ops::divide(&x, Scalar::WeakInt(3), None).unwrap()),
            [1.0 / 3.0, 10.0 / 3.0]
        );
        assert_eq!(values::<f32>(&ops::divide(Scalar::WeakInt(1), &x, None).unwrap()), [1.0, 0.1]);
    });
}

#[test]
fn half_precision_works_on_every_device() {
    on_each_queue(|queue| {
        let half = f16::from_f32;
        let x = array(queue, &[4], &[half(1.5), half(-2.0), half(60000.0), half(0.1)]);
        let sum = values::<f16>(&ops::add(&x, &x, None).unwrap());
        assert_eq!(sum, [half(3.0), half(-4.0), f16::INFINITY, half(0.2)]);
        let y = ops::multiply(&x, Scalar::WeakFloat(0.1), None).unwrap();
        let expected: Vec<f16> =
            [1.5, -2.0, 60000.0, 0.1].map(|v| half(half(v).to_f32() * half(0.1).to_f32())).to_vec();
        assert_eq!(values::<f16>(&y), expected);
        let back = x.cast(DType::F32, None).unwrap();
        assert_eq!(values::<f32>(&back), [1.5, -2.0, half(60000.0).to_f32(), half(0.1).to_f32()]);
        // Fused, each step rounds: (x + x) - x overflows as it does in two steps.
        let lazy = Lazy::from(&x);
        let twice = lazy.binary(BinaryOp::Add, &lazy).unwrap().binary(BinaryOp::Subtract, &lazy).unwrap();
        let fused = values::<f16>(&twice.evaluate(None).unwrap());
        assert_eq!(fused[..3], [half(1.5), half(-2.0), f16::INFINITY]);
    });
}

#[test]
fn truth_values() {
    on_each_queue(|queue| {
        let (a, b) = (
            array(queue, &[4], &[true, true, false, false]),
            array(queue, &[4], &[true, false, true, false]),
        );
        assert_eq!(values::<bool>(&ops::add(&a, &b, None).unwrap()), [true, true, true, false]);
        assert_eq!(values::<bool>(&ops::multiply(&a, &b, None).unwrap()), [true, false, false, false]);
        assert_eq!(values::<i8>(&ops::power(&a, &b, None).unwrap()), [1, 1, 0, 1]);
        assert_eq!(values::<i64>(&ops::add(&a, Scalar::WeakInt(2), None).unwrap()), [3, 3, 2, 2]);
        assert!(matches!(ops::subtract(&a, &b, None), Err(Error::Undefined { .. })));
        let not = ops::unary(UnaryOp::Invert, &a, None).unwrap();
        assert_eq!(values::<bool>(&not), [false, false, true, true]);
        let whole = array(queue, &[3], &[0i32, 256, -1]).cast(DType::Bool, None).unwrap();
        assert_eq!(values::<bool>(&whole), [false, true, true]);
    });
}

#[test]
fn complex_numbers() {
    on_each_queue(|queue| {
        let c = Complex::<f64>::new;
        let (x, y) =
            ([c(1.0, 2.0), c(-3.0, 0.5), c(0.0, 1e200)], [c(2.0, -1.0), c(0.0, 4.0), c(1e200, 1e200)]);
        let (a, b) = (array(queue, &[3], &x), array(queue, &[3], &y));
        let close = |found: Vec<Complex<f64>>, expected: &[Complex<f64>]| {
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).norm() <= 1e-12 * expected.norm(), "{found} is not {expected}");
            }
        };
        close(values(&ops::add(&a, &b, None).unwrap()), &[x[0] + y[0], x[1] + y[1], c(1e200, 2e200)]);
        let product = values(&ops::multiply(&a, &b, None).unwrap());
        close(product[..2].to_vec(), &[x[0] * y[0], x[1] * y[1]]);
        // The plain quotient overflows here.
        close(values(&ops::divide(&a, &b, None).unwrap()), &[x[0] / y[0], x[1] / y[1], c(0.5, 0.5)]);
        let powers = values(&ops::power(&a, &b, None).unwrap());
        close(powers[..2].to_vec(), &[x[0].powc(y[0]), x[1].powc(y[1])]);
        let powers = values(&ops::power(&a, Scalar::WeakInt(-3), None).unwrap());
        close(powers[..2].to_vec(), &[x[0].powi(-3), x[1].powi(-3)]);
        assert_eq!(values::<f64>(&ops::unary(UnaryOp::Imag, &a, None).unwrap()), [2.0, 0.5, 1e200]);
        assert_eq!(values::<f64>(&ops::unary(UnaryOp::Absolute, &a, None).unwrap())[2], 1e200);
        assert_eq!(
            values::<Complex<f64>>(&ops::unary(UnaryOp::Conjugate, &a, None).unwrap())[0],
            c(1.0, -2.0)
        );
        let single = array(queue, &[2], &[1f32, 2.0]);
        let turned = ops::multiply(&single, Scalar::WeakComplex(c(0.0, 1.0)), None).unwrap();
        assert_eq!(values::<Complex<f32>>(&turned), [Complex::new(0.0, 1.0), Complex::new(0.0, 2.0)]);
        assert_eq!(values::<i8>(&ops::less(&b, &a, None).unwrap()), [0, 0, 0]);
        assert_eq!(values::<i8>(&ops::equal(&a, &a, None).unwrap()), [1, 1, 1]);
    });
}

/// All six comparisons of two arrays, as rows.
fn compared<'a, A, B>(a: A, b: B) -> [Vec<i8>; 6]
where
    A: Into<opencl_array::Operand<'a>> + Copy,
    B: Into<opencl_array::Operand<'a>> + Copy,
{
    use BinaryOp::*;
    [Less, LessEqual, Equal, NotEqual, Greater, GreaterEqual]
        .map(|op| values::<i8>(&ops::binary(op, a, b, None).unwrap()))
}

fn expected<A: Copy, B: Copy>(
    a: &[A],
    b: &[B],
    order: impl Fn(A, B) -> Option<std::cmp::Ordering>,
) -> [Vec<i8>; 6] {
    use std::cmp::Ordering::*;
    let row = |holds: &dyn Fn(Option<std::cmp::Ordering>) -> bool| {
        a.iter().zip(b).map(|(&a, &b)| holds(order(a, b)).into()).collect()
    };
    [
        row(&|o| o == Some(Less)),
        row(&|o| matches!(o, Some(Less | Equal))),
        row(&|o| o == Some(Equal)),
        row(&|o| o != Some(Equal)),
        row(&|o| o == Some(Greater)),
        row(&|o| matches!(o, Some(Greater | Equal))),
    ]
}

#[test]
fn comparisons_are_exact() {
    on_each_queue(|queue| {
        let (x, y) = ([i64::MIN, -1, 0, i64::MAX, i64::MAX], [0u64, u64::MAX, 0, i64::MAX as u64, u64::MAX]);
        let (a, b) = (array(queue, &[5], &x), array(queue, &[5], &y));
        assert_eq!(compared(&a, &b), expected(&x, &y, |a, b| i128::from(a).partial_cmp(&i128::from(b))));
        assert_eq!(compared(&b, &a), expected(&y, &x, |b, a| i128::from(b).partial_cmp(&i128::from(a))));
        let (x, y) = ([1f32, f32::NAN, f32::NAN, -0.0], [2f32, 1.0, f32::NAN, 0.0]);
        let (a, b) = (array(queue, &[4], &x), array(queue, &[4], &y));
        assert_eq!(compared(&a, &b), expected(&x, &y, |a, b| a.partial_cmp(&b)));
        let x = [0u8, 200, 255];
        let small = array(queue, &[3], &x);
        for number in [-1i128, 200, 300, 1 << 63, 1 << 90, -(1 << 90)] {
            let scalar = Scalar::WeakInt(number);
            assert_eq!(
                compared(&small, scalar),
                expected(&x, &[number; 3], |a, b| i128::from(a).partial_cmp(&b)),
                "with {number}"
            );
            assert_eq!(
                compared(scalar, &small),
                expected(&[number; 3], &x, |a, b| a.partial_cmp(&i128::from(b)))
            );
        }
    });
}

#[test]
fn nan_wins_in_maximum_and_minimum() {
    on_each_queue(|queue| {
        let (a, b) = (array(queue, &[3], &[1f32, f32::NAN, 3.0]), array(queue, &[3], &[2f32, 1.0, f32::NAN]));
        let found = values::<f32>(&ops::binary(BinaryOp::Maximum, &a, &b, None).unwrap());
        assert!(found[0] == 2.0 && found[1].is_nan() && found[2].is_nan());
        let found = values::<f32>(&ops::binary(BinaryOp::Minimum, &a, &b, None).unwrap());
        assert!(found[0] == 1.0 && found[1].is_nan() && found[2].is_nan());
    });
}

fn counted<T: Item>(queue: &CommandQueue, shape: &[usize], number: impl Fn(usize) -> T) -> (Array, Vec<T>) {
    let values: Vec<T> = (0..shape.iter().product()).map(number).collect();
    (array(queue, shape, &values), values)
}

#[test]
fn any_strides_and_broadcasting() {
    on_each_queue(|queue| {
        let (a, x) = counted(queue, &[6, 5, 8], |n| n as i32);
        let (b, y) = counted(queue, &[8, 5], |n| 1000.0 * n as f64);
        let step = |step| Index::Slice { start: None, stop: None, step };
        let turned = b.transpose(None).unwrap();
        let backwards = a.index(&[step(-2), Index::FULL, step(-1)]).unwrap();
        let column = b.index(&[Index::At(3), Index::FULL, Index::NewAxis]).unwrap();
        let swapped = a.transpose(Some(&[2, 0, 1])).unwrap();
        for (lhs, rhs) in [(&a, &turned), (&backwards, &turned), (&backwards, &column), (&a, &column)] {
            let sum = ops::add(lhs, rhs, None).unwrap();
            let wide = rhs.broadcast_to(lhs.shape()).unwrap();
            let expected: Vec<f64> = numbers(lhs.layout())
                .iter()
                .zip(numbers(wide.layout()))
                .map(|(&i, j)| f64::from(x[i]) + y[j])
                .collect();
            assert_eq!(values::<f64>(&sum), expected);
        }
        let sum = ops::add(&swapped, &swapped, None).unwrap();
        let expected: Vec<i32> = numbers(swapped.layout()).iter().map(|&i| 2 * x[i]).collect();
        assert_eq!(values::<i32>(&sum), expected);
        assert_eq!(sum.layout().strides(), swapped.layout().strides());
        let f = array(queue, &[4, 3], &[0f32; 12]).transpose(None).unwrap();
        assert!(ops::add(&f, &f, None).unwrap().layout().is_f_contiguous());
    });
}

#[test]
fn results_in_place_read_before_they_overwrite() {
    on_each_queue(|queue| {
        let (a, _) = counted(queue, &[3000], |n| n as i64);
        let part = |start: Option<isize>, stop| a.index(&[Index::Slice { start, stop, step: 1 }]).unwrap();
        ops::binary_into(
            BinaryOp::Add,
            &part(Some(1), None),
            &part(None, Some(-1)),
            &part(Some(1), None),
            None,
        )
        .unwrap();
        let expected: Vec<i64> = (0..3000).map(|n| if n == 0 { 0 } else { 2 * n - 1 }).collect();
        assert_eq!(values::<i64>(&a), expected);
        ops::binary_into(BinaryOp::Multiply, &a, Scalar::WeakInt(2), &a, None).unwrap();
        assert_eq!(values::<i64>(&a)[2999], 2 * 5997);
        let backwards = a.index(&[Index::Slice { start: None, stop: None, step: -1 }]).unwrap();
        a.assign(&backwards, None).unwrap();
        assert_eq!(values::<i64>(&a)[..2], [2 * 5997, 2 * 5995]);
        let whole = array(queue, &[2], &[1i32, 2]);
        let error = ops::binary_into(BinaryOp::TrueDivide, &whole, &whole, &whole, None).unwrap_err();
        assert!(matches!(error, Error::OutputDType { from: DType::F64, to: DType::I32 }));
        let error = ops::binary_into(BinaryOp::Add, &a, &a, &whole, None).unwrap_err();
        assert!(matches!(error, Error::Broadcast { .. }), "{error}");
    });
}

#[test]
fn expressions_are_one_kernel() {
    on_each_queue(|queue| {
        let (x, xs) = counted(queue, &[70, 100], |n| n as f32 / 7.0);
        let (y, ys) = counted(queue, &[100], |n| 3.0 - n as f32);
        let (lx, ly) = (Lazy::from(&x), Lazy::from(&y));
        let two = Lazy::scalar(Scalar::WeakInt(2));
        let sum = two.binary(BinaryOp::Multiply, &lx).unwrap();
        let sum = sum.binary(BinaryOp::Add, &ly.binary(BinaryOp::Multiply, &lx).unwrap()).unwrap();
        assert_eq!(sum.dtype(), DType::F32);
        let expected: Vec<f32> = xs.iter().enumerate().map(|(n, &x)| 2.0 * x + ys[n % 100] * x).collect();
        assert_eq!(values::<f32>(&sum.evaluate(None).unwrap()), expected);
        let positive = ly.binary(BinaryOp::Greater, &Lazy::scalar(Scalar::WeakInt(0))).unwrap();
        let root = Lazy::call(Function::Sqrt, &[&lx]).unwrap();
        let chosen = positive.select(&root, &ly).unwrap().evaluate(None).unwrap();
        let found = values::<f32>(&chosen);
        for (n, &found) in found.iter().enumerate() {
            let expected = if ys[n % 100] > 0.0 { xs[n].sqrt() } else { ys[n % 100] };
            assert!((found - expected).abs() <= 1e-6 * expected.abs(), "{n}: {found} is not {expected}");
        }
    });
}

#[test]
fn what_does_not_fit_is_named() {
    on_each_queue(|queue| {
        let a = array(queue, &[2, 3], &[0i8; 6]);
        let error = ops::add(&a, &array(queue, &[4], &[0i8; 4]), None).unwrap_err().to_string();
        assert_eq!(error, "operands of shapes (2, 3) and (4,) do not broadcast together");
        let error = ops::add(&a, Scalar::WeakInt(300), None).unwrap_err().to_string();
        assert_eq!(error, "integer 300 is out of bounds for int8");
        let bare = a.with_queue(None).unwrap();
        assert!(matches!(ops::add(&bare, &bare, None), Err(Error::NoQueue)));
        assert!(ops::add(&bare, &bare, Some(queue)).is_ok());
        let other = Context::new(&queue.context().devices().unwrap()).unwrap();
        let foreign = array(&CommandQueue::new(&other).unwrap(), &[2, 3], &[0i8; 6]);
        assert!(matches!(ops::add(&a, &foreign, None), Err(Error::DifferentContexts)));
    });
}

#[test]
fn arrays_without_elements_or_dimensions() {
    on_each_queue(|queue| {
        let none = Array::zeros(queue, &[0, 3], DType::F32, Order::C).unwrap();
        let sum = ops::add(&none, &none, None).unwrap();
        assert_eq!(sum.shape(), [0, 3]);
        assert!(sum.to_host(Order::C, None).unwrap().is_empty());
        let point = array(queue, &[], &[5i32]);
        assert_eq!(values::<i32>(&ops::add(&point, &point, None).unwrap()), [10]);
        let (line, _) = counted(queue, &[3], |n| n as i32);
        assert_eq!(values::<i32>(&ops::add(&line, &point, None).unwrap()), [5, 6, 7]);
    });
}
