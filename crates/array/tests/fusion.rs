//! Whole expressions: operators, results that are computed later, bits that are those of single operations.

mod common;

use common::{array, limits, on_each_queue, values};
use half::f16;
use opencl_array::expr::{BinaryOp, Function, UnaryOp};
use opencl_array::ops::{self, Lazy};
use opencl_array::{Array, DType, Deferred, Error, Fusion, Index, Order, Scalar, reduction};
use opencl_runtime::CommandQueue;

fn bits(array: &Array) -> (Vec<usize>, Vec<isize>, DType, Vec<u8>) {
    let bytes = array.to_host(Order::C, None).unwrap();
    (array.shape().to_vec(), array.layout().strides().to_vec(), array.dtype(), bytes)
}

fn noise(queue: &CommandQueue, shape: &[usize], seed: u32) -> Array {
    let mut state = seed;
    let numbers: Vec<f32> = (0..shape.iter().product())
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 1e6 - 8.0
        })
        .collect();
    array(queue, shape, &numbers)
}

#[test]
fn operators_build_expressions_with_weak_literals() {
    on_each_queue(|queue| {
        let (x, y) = (array(queue, &[3], &[1f32, 2.0, 3.0]), array(queue, &[3], &[4f32, 5.0, 6.0]));
        let z = 2.0 * &x + &y * &x - 1;
        assert_eq!((z.dtype(), z.shape()), (DType::F32, &[3][..]));
        assert_eq!(z.to_vec::<f32>().unwrap(), [5.0, 13.0, 23.0]);
        assert_eq!((-(&x / 2)).eval(queue).unwrap().to_vec::<f32>().unwrap(), [-0.5, -1.0, -1.5]);
        let strong = &x * Scalar::F64(2.0);
        assert_eq!(strong.dtype(), DType::F64);
        let bytes = array(queue, &[2], &[250u8, 3]);
        assert_eq!((&bytes + 10).to_vec::<u8>().unwrap(), [4, 13]);
        assert_eq!((10 - &bytes).dtype(), DType::U8);
        assert_eq!((&bytes + 10i16).dtype(), DType::I16);
    });
}

#[test]
fn an_operator_keeps_its_error_for_the_evaluation() {
    on_each_queue(|queue| {
        let (x, y) = (noise(queue, &[3], 1), noise(queue, &[4], 2));
        let wrong = (&x + &y) * 2.0;
        assert!(wrong.eval(queue).unwrap_err().to_string().contains("(3,) and (4,)"));
        assert!(matches!(Lazy::from(&x).binary(BinaryOp::Add, &(&y).into()), Err(Error::Broadcast { .. })));
        assert!(reduction::sum(&wrong, None, None).is_err());
    });
}

#[test]
fn fused_results_have_bits_and_layout_of_single_operations() {
    on_each_queue(|queue| {
        let x = noise(queue, &[7, 5, 3], 3);
        let y = noise(queue, &[3, 5, 7], 4).transpose(None).unwrap();
        let row = noise(queue, &[3], 5);
        let every = Index::Slice { start: None, stop: None, step: -2 };
        let z = noise(queue, &[7, 10, 3], 6).index(&[Index::FULL, every]).unwrap();
        let half = x.cast(DType::F16, None).unwrap();
        for (a, b, c) in
            [(&x, &y, &row), (&y, &y, &y), (&z, &row, &y), (&half, &half, &row), (&half, &x, &half)]
        {
            let fused = (Lazy::from(a) * 3 + b) / c - a;
            let fused =
                Lazy::call(Function::Floor, &[&fused]).unwrap().binary(BinaryOp::Power, &2.into()).unwrap();
            let mut step = ops::multiply(a, Scalar::WeakInt(3), None).unwrap();
            step = ops::add(&step, b, None).unwrap();
            step = ops::divide(&step, c, None).unwrap();
            step = ops::subtract(&step, a, None).unwrap();
            step = Lazy::call(Function::Floor, &[&Lazy::from(&step)]).unwrap().eval(queue).unwrap();
            step = ops::power(&step, Scalar::WeakInt(2), None).unwrap();
            assert_eq!(fused.layout().unwrap().strides(), step.layout().strides());
            assert_eq!(bits(&fused.eval(queue).unwrap()), bits(&step));
        }
    });
}

#[test]
fn sums_of_expressions_round_as_sums_of_arrays() {
    on_each_queue(|queue| {
        for size in limits::bearable(queue.device(), &[3 * 37, 64 * 37, 517 * 37]) {
            let rows = size / 37;
            let x = noise(queue, &[rows, 37], 7);
            let y = noise(queue, &[37, rows], 8).transpose(None).unwrap();
            let row = noise(queue, &[37], 9).cast(DType::F16, None).unwrap();
            let bytes = x.cast(DType::U8, None).unwrap();
            for expression in [
                (&x - &y) * (&x - &y),
                &y * &row,
                &bytes * 0.1_f32,
                Lazy::from(&row).unary(UnaryOp::Negative).unwrap(),
                &row * &x + &y * &x,
            ] {
                let computed = expression.eval(queue).unwrap();
                let alone = reduction::sum(&computed, None, None).unwrap();
                assert_eq!(bits(&reduction::sum(&expression, None, None).unwrap()), bits(&alone));
                let greatest = reduction::max(&computed, None).unwrap();
                assert_eq!(bits(&reduction::max(&expression, None).unwrap()), bits(&greatest));
            }
        }
    });
}

#[test]
fn large_expressions_are_computed_in_parts() {
    on_each_queue(|queue| {
        let x = array(queue, &[4], &[1f32, 2.0, 3.0, 4.0]);
        let mut sum = Lazy::from(&x);
        for _ in 0..200 {
            sum = sum + &x * 1.0;
            assert!(sum.arrays().len() <= 16);
        }
        assert_eq!(sum.to_vec::<f32>().unwrap(), [201.0, 402.0, 603.0, 804.0]);
        let mut sum = Lazy::from(0.0);
        let many: Vec<Array> = (0..40).map(|n| array(queue, &[2], &[n as f32, 1.0])).collect();
        for array in &many {
            sum = sum + array;
            assert!(sum.arrays().len() <= 16);
        }
        assert_eq!(sum.to_vec::<f32>().unwrap(), [780.0, 40.0]);
        // What occurs twice is one operand, also a number.
        let mut twice = &x * 2.0;
        for _ in 0..10 {
            twice = &twice + &twice;
        }
        assert_eq!((twice.arrays().len(), twice.to_vec::<f32>().unwrap()[0]), (1, 2048.0));
    });
}

#[test]
fn deferred_results_see_operands_as_they_were() {
    on_each_queue(|queue| {
        let x = array(queue, &[4], &[1f32, 2.0, 3.0, 4.0]);
        let later = Deferred::new(&x * 2.0, queue).unwrap();
        let other = Deferred::new(later.operand().unwrap() + &x, queue).unwrap();
        assert!(later.reads(x.storage()) && !later.may_be_written_unseen());
        x.fill(Scalar::WeakInt(9), None).unwrap();
        assert!(!later.reads(x.storage()));
        assert_eq!(later.value().unwrap().to_vec::<f32>().unwrap(), [2.0, 4.0, 6.0, 8.0]);
        assert_eq!(other.value().unwrap().to_vec::<f32>().unwrap(), [3.0, 6.0, 9.0, 12.0]);
        // A view shares the memory.
        let later = Deferred::new(-&x, queue).unwrap();
        x.index(&[Index::At(0)]).unwrap().fill(Scalar::WeakInt(1), None).unwrap();
        assert_eq!(later.value().unwrap().to_vec::<f32>().unwrap(), [-9.0; 4]);
        let later = Deferred::new(-&x, queue).unwrap();
        x.write(&[0; 16], Order::C, None).unwrap();
        assert_eq!(later.value().unwrap().to_vec::<f32>().unwrap(), [-1.0, -9.0, -9.0, -9.0]);
    });
}

#[test]
fn deferred_results_are_stored_over_their_operands() {
    on_each_queue(|queue| {
        let x = array(queue, &[2, 2], &[1i32, 2, 3, 4]);
        let later = Deferred::new(&x.transpose(None).unwrap() * 10, queue).unwrap();
        later.assign_to(&x).unwrap();
        assert_eq!(values::<i32>(&x), [10, 30, 20, 40]);
        // Its value is what the array got, also when that is written.
        x.fill(Scalar::WeakInt(0), None).unwrap();
        assert_eq!(values::<i32>(later.value().unwrap()), [10, 30, 20, 40]);
        let converted = Deferred::new(&x + 0.75_f32, queue).unwrap();
        converted.assign_to(&x).unwrap();
        assert_eq!(values::<i32>(&x), [0; 4]);
        assert_eq!(values::<f64>(converted.value().unwrap()), [0.75; 4]);
        let wrong = array(queue, &[3], &[1i32, 2, 3]);
        let later = Deferred::new(&x + 1, queue).unwrap();
        assert!(later.assign_to(&wrong).is_err());
        x.fill(Scalar::WeakInt(5), None).unwrap();
        assert_eq!(values::<i32>(later.value().unwrap()), [1; 4]);
    });
}

#[test]
fn a_fusion_computes_what_is_left() {
    on_each_queue(|queue| {
        let x = array(queue, &[2], &[f16::ONE, f16::from_f32(3.0)]);
        let fusion = Fusion::default();
        drop(fusion.defer(&x * 3, queue).unwrap());
        let kept = fusion.defer(&x * 2, queue).unwrap();
        fusion.before_unseen_command().unwrap();
        assert!(kept.reads(x.storage()));
        fusion.finish().unwrap();
        assert!(!kept.reads(x.storage()));
        x.storage().expose();
        let kept = fusion.defer(&x * 2, queue).unwrap();
        assert!(kept.may_be_written_unseen());
        fusion.before_unseen_command().unwrap();
        assert!(!kept.reads(x.storage()));
        assert_eq!(values::<f16>(kept.value().unwrap())[1], f16::from_f32(6.0));
    });
}
