//! Walks that have kernels of their own, tiles and vectors, against single elements computed on the host.

mod common;

use common::{Item, array, numbers, on_each_queue, values};
use half::f16;
use num_complex::Complex;
use opencl_array::ops::{self, Lazy};
use opencl_array::{Array, Index, Scalar, Tuning, tune_kernels_for};
use opencl_runtime::CommandQueue;

/// Elements of a view of an array that holds `elements`.
fn viewed<T: Item>(view: &Array, elements: &[T]) -> Vec<T> {
    numbers(view.layout()).into_iter().map(|n| elements[n]).collect()
}

fn turned<T: Item>(queue: &CommandQueue, shape: &[usize], axes: &[usize], of: impl Fn(usize) -> T) {
    let elements: Vec<T> = (0..shape.iter().product()).map(of).collect();
    let whole = array(queue, shape, &elements);
    let view = whole.transpose(Some(axes)).unwrap();
    let expected = viewed(&view, &elements);
    // Into C order, from both sides.
    let copied = array(queue, view.shape(), &vec![elements[0]; elements.len()]);
    copied.assign(&view, None).unwrap();
    assert_eq!(values::<T>(&copied), expected, "{shape:?} {axes:?}");
    let back = array(queue, shape, &vec![elements[0]; elements.len()]);
    back.transpose(Some(axes)).unwrap().assign(&copied, None).unwrap();
    assert_eq!(values::<T>(&back), elements, "{shape:?} {axes:?}");
}

#[test]
fn turned_arrays_are_copied_in_tiles() {
    on_each_queue(|queue| {
        for (rows, columns) in [(8, 8), (64, 64), (65, 63), (130, 9), (7, 200), (33, 128)] {
            turned(queue, &[rows, columns], &[1, 0], |n| n as f32);
            turned(queue, &[rows, columns], &[1, 0], |n| n as u8);
        }
        turned(queue, &[5, 40, 70], &[1, 2, 0], |n| n as i32);
        turned(queue, &[40, 3, 70], &[2, 1, 0], |n| n as i16);
        turned(queue, &[3, 2, 33, 17], &[1, 0, 3, 2], |n| f16::from_f32((n % 2000) as f32));
        turned(queue, &[40, 70], &[1, 0], |n| Complex::new(n as f64, -1.0));
    });
}

#[test]
fn turned_operands_meet_others_in_tiles() {
    on_each_queue(|queue| {
        let count = 45 * 70;
        let elements: Vec<f32> = (0..count).map(|n| n as f32).collect();
        let x = array(queue, &[45, 70], &elements);
        let y = array(queue, &[70, 45], &elements);
        let row = array(queue, &[45], &elements[..45]);
        let column = array(queue, &[70, 1], &elements[..70]);
        let every = Index::Slice { start: None, stop: None, step: -2 };
        let wide = array(queue, &[70, 90], &vec![2f32; 70 * 90]).index(&[Index::FULL, every]).unwrap();
        let t = x.transpose(None).unwrap();
        let fused = (&t + &y) * &row + &column * &wide - &t;
        let expected: Vec<f32> = (0..count)
            .map(|n| {
                let (i, j) = (n / 45, n % 45);
                let turned = elements[j * 70 + i];
                (turned + elements[n]) * j as f32 + i as f32 * 2.0 - turned
            })
            .collect();
        assert_eq!(fused.eval(queue).unwrap().to_vec::<f32>().unwrap(), expected);
        // A square over itself is copied before.
        let square = array(queue, &[40, 40], &elements[..1600]);
        square.assign(&square.transpose(None).unwrap(), None).unwrap();
        let expected: Vec<f32> = (0..1600).map(|n| (n % 40 * 40 + n / 40) as f32).collect();
        assert_eq!(square.to_vec::<f32>().unwrap(), expected);
    });
}

#[test]
fn small_elements_are_loaded_several_at_once() {
    on_each_queue(|queue| {
        for count in [1usize, 15, 16, 17, 4095, 4096, 4097, 10_000] {
            let bytes: Vec<u8> = (0..count + 16).map(|n| (n * 7) as u8).collect();
            let whole = array(queue, &[count + 16], &bytes);
            for start in [0, 1, 16] {
                let part =
                    Index::Slice { start: Some(start), stop: Some(start + count.cast_signed()), step: 1 };
                let x = whole.index(&[part]).unwrap();
                let sum = ops::add(&x, &x, None).unwrap();
                let expected: Vec<u8> =
                    bytes[start.cast_unsigned()..][..count].iter().map(|n| n.wrapping_add(*n)).collect();
                assert_eq!(values::<u8>(&sum), expected, "{count} from {start}");
                let mixed = (Lazy::from(&x) * Scalar::I16(-3)).eval(queue).unwrap();
                let expected: Vec<i16> =
                    bytes[start.cast_unsigned()..][..count].iter().map(|n| i16::from(*n) * -3).collect();
                assert_eq!(values::<i16>(&mixed), expected);
            }
        }
        let halves: Vec<f16> = (0..5000).map(|n| f16::from_f32(n as f32 / 8.0)).collect();
        let x = array(queue, &[5000], &halves);
        let expected: Vec<f16> = halves.iter().map(|n| f16::from_f32(n.to_f32() * 3.0)).collect();
        assert_eq!(values::<f16>(&(&x * 3).eval(queue).unwrap()), expected);
        let truth = ops::greater(&x, Scalar::WeakInt(300), None).unwrap();
        let expected: Vec<i8> = halves.iter().map(|n| i8::from(n.to_f32() > 300.0)).collect();
        assert_eq!(values::<i8>(&truth), expected);
        let five = array(queue, &[9001], &[1i8; 9001]);
        five.fill(Scalar::WeakInt(5), None).unwrap();
        assert_eq!(values::<i8>(&five), [5; 9001]);
    });
}

#[test]
fn other_shapes_of_kernels_give_the_same() {
    on_each_queue(|queue| {
        let elements: Vec<f32> = (0..80 * 90).map(|n| n as f32).collect();
        let x = array(queue, &[80, 90], &elements);
        let (sum, copy) = ((&x + &x).to_vec::<f32>().unwrap(), x.transpose(None).unwrap());
        for (group, items, vector, tile) in [(64, 1, 16, 32), (128, 8, 8, 64), (512, 2, 0, 64)] {
            let tuning = Tuning { group, items: Some(items), vector: Some(vector), tile };
            tune_kernels_for(queue, tuning).unwrap();
            assert_eq!((&x + &x).to_vec::<f32>().unwrap(), sum);
            let target = array(queue, &[90, 80], &vec![0f32; 80 * 90]);
            target.assign(&copy, None).unwrap();
            assert_eq!(values::<f32>(&target), viewed(&copy, &elements));
        }
    });
}
