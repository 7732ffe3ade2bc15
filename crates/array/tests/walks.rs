//! Walks that have kernels of their own, tiles and vectors, against single elements computed on the host.

mod common;

use common::{Item, array, limits, numbers, on_each_queue, values};
use half::f16;
use num_complex::Complex;
use opencl_array::ops::{self, Lazy};
use opencl_array::{Array, DType, Index, Scalar, Tuning, reduction, tune_kernels_for};
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
        for count in limits::bearable(queue.device(), &[1, 15, 16, 17, 4095, 4096, 4097, 10_000]) {
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

/// Every other row and each row back.
fn back(view: &Array) -> Array {
    let every = Index::Slice { start: None, stop: None, step: 2 };
    view.index(&[every, Index::Slice { start: None, stop: None, step: -1 }]).unwrap()
}

fn rows<T: Item + PartialEq>(queue: &CommandQueue, height: usize, length: usize, of: impl Fn(usize) -> T) {
    let add = |a: &Array, b: &Array| values::<T>(&ops::add(a, b, None).unwrap());
    let elements: Vec<T> = (0..height * length).map(|n| of(n * 7 + n / 5)).collect();
    let zero = vec![of(0); height * length];
    let x = array(queue, &[height, length], &elements);
    let row = array(queue, &[length], &elements[..length]);
    let column = array(queue, &[height, 1], &elements[..height]);
    // Sums on the device of what was laid out on the host are flat.
    let flat = |left: &[T], right: &[T]| {
        add(&array(queue, &[left.len()], left), &array(queue, &[right.len()], right))
    };
    let repeated: Vec<T> = (0..height * length).map(|n| elements[n % length]).collect();
    assert_eq!(add(&x, &row), flat(&elements, &repeated), "row, {height} x {length}");
    let repeated: Vec<T> = (0..height * length).map(|n| elements[n / length]).collect();
    assert_eq!(add(&column, &x), flat(&repeated, &elements), "column, {height} x {length}");
    let (turned, every) = (back(&x), back(&back(&x)));
    let other = x.index(&[Index::Slice { start: None, stop: None, step: 2 }]).unwrap();
    let expected = flat(&viewed(&turned, &elements), &viewed(&other, &elements));
    assert_eq!(add(&turned, &other), expected, "back, {height} x {length}");
    assert_eq!(values::<T>(&ops::add(&every, &every, None).unwrap()).len(), every.layout().size());
    // Into a part of each row, which begins at any place, and into rows that are written back.
    for (start, stop) in [(0, length), (8.min(length), length), (1, length), (3, length - 1)] {
        let part =
            [Index::FULL, Index::Slice { start: Some(start as isize), stop: Some(stop as isize), step: 1 }];
        let target = array(queue, &[height, length], &zero);
        target.index(&part).unwrap().assign(&x.index(&part).unwrap(), None).unwrap();
        let found = values::<T>(&target);
        for (n, (&found, &element)) in found.iter().zip(&elements).enumerate() {
            let expected = if (start..stop).contains(&(n % length)) { element } else { zero[n] };
            assert!(found == expected, "{start}..{stop} of {height} x {length}, element {n}");
        }
    }
    let target = array(queue, &[height, length], &elements);
    back(&target).assign(&back(&array(queue, &[height, length], &zero)), None).unwrap();
    let found = values::<T>(&target);
    for (n, &found) in found.iter().enumerate() {
        let expected = if (n / length).is_multiple_of(2) { zero[n] } else { elements[n] };
        assert!(found == expected, "back into {height} x {length}, element {n}");
    }
}

#[test]
fn rows_are_moved_in_vectors() {
    on_each_queue(|queue| {
        for (height, length) in [(9, 32), (5, 1024), (3, 1001), (130, 40), (4, 6000), (7, 31), (2, 8)] {
            rows(queue, height, length, |n| n as u8);
            rows(queue, height, length, |n| f16::from_f32((n % 999) as f32 / 4.0));
        }
        rows(queue, 3, 1001, |n| n as f32 / 8.0);
        rows(queue, 5, 1024, |n| n as f32 / 8.0);
        // Several dimensions, several sizes of elements.
        let bytes: Vec<u8> = (0..6 * 5 * 64).map(|n| n as u8).collect();
        let floats: Vec<f32> = (0..5 * 64).map(|n| n as f32).collect();
        let x = array(queue, &[6, 5, 64], &bytes);
        let y = array(queue, &[5, 64], &floats);
        let found = values::<f64>(&(Lazy::from(&x) * &y + Scalar::F64(0.5)).eval(queue).unwrap());
        let expected: Vec<f64> =
            (0..bytes.len()).map(|n| f64::from(bytes[n]) * f64::from(floats[n % 320]) + 0.5).collect();
        assert_eq!(found, expected);
        let reversed = Index::Slice { start: None, stop: None, step: -1 };
        let line = array(queue, &[9001], &floats.iter().cycle().take(9001).copied().collect::<Vec<_>>());
        let found = values::<f32>(&(&line.index(&[reversed]).unwrap() - &line).eval(queue).unwrap());
        let expected: Vec<f32> = (0..9001).map(|n| floats[(9000 - n) % 320] - floats[n % 320]).collect();
        assert_eq!(found, expected);
    });
}

#[test]
fn small_elements_are_turned_in_blocks() {
    on_each_queue(|queue| {
        for (rows, columns) in [(128, 128), (256, 132), (200, 136), (129, 127), (60, 300), (64, 16)] {
            turned(queue, &[rows, columns], &[1, 0], |n| (n * 7 + n / 251) as u8);
            turned(queue, &[rows, columns], &[1, 0], |n| f16::from_f32((n % 2000) as f32));
        }
        turned(queue, &[132, 2, 144], &[2, 1, 0], |n| (n * 5) as i16);
        // Turned operands beside others of all kinds, of one and two bytes.
        let (height, width) = (140, 272);
        let bytes: Vec<u8> = (0..height * width).map(|n| (n * 7) as u8).collect();
        let shorts: Vec<i16> = (0..2 * height * width).map(|n| (n * 13) as i16).collect();
        let x = array(queue, &[width, height], &bytes).transpose(None).unwrap();
        let z = array(queue, &[width, height], &shorts[..height * width]).transpose(None).unwrap();
        let y = array(queue, &[height, width], &shorts[..height * width]);
        let row = array(queue, &[width], &shorts[..width]);
        let column = array(queue, &[height, 1], &bytes[..height]);
        let every = Index::Slice { start: None, stop: None, step: 2 };
        let wide = array(queue, &[height, 2 * width], &shorts).index(&[Index::FULL, every]).unwrap();
        let fused = (&x + &y) * &row - &column + &wide + &z;
        let expected: Vec<i16> = (0..height * width)
            .map(|n| {
                let (i, j) = (n / width, n % width);
                i16::from(bytes[j * height + i])
                    .wrapping_add(shorts[n])
                    .wrapping_mul(shorts[j])
                    .wrapping_sub(bytes[i].into())
                    .wrapping_add(shorts[i * 2 * width + 2 * j])
                    .wrapping_add(shorts[j * height + i])
            })
            .collect();
        assert_eq!(fused.eval(queue).unwrap().to_vec::<i16>().unwrap(), expected);
    });
}

#[test]
fn small_integers_are_reduced_several_at_once() {
    on_each_queue(|queue| {
        for count in [1_usize, 15, 16, 17, 4096, 8191, 8193, 300_001] {
            let bytes: Vec<u8> = (0..count + 16).map(|n| (n * 7 + n / 300) as u8).collect();
            let whole = array(queue, &[count + 16], &bytes);
            for start in [0, 1, 16] {
                let part =
                    Index::Slice { start: Some(start), stop: Some(start + count.cast_signed()), step: 1 };
                let x = whole.index(&[part]).unwrap();
                let elements = &bytes[start.cast_unsigned()..][..count];
                let expected: u64 = elements.iter().map(|&byte| u64::from(byte)).sum();
                let found = reduction::sum(&x, Some(DType::U64), None).unwrap().to_vec::<u64>().unwrap();
                assert_eq!(found, [expected], "{count} from {start}");
                let found = reduction::sum(&x, None, None).unwrap().to_vec::<u8>().unwrap();
                assert_eq!(found, [expected as u8], "{count} from {start}");
                let found = reduction::max(&x, None).unwrap().to_vec::<u8>().unwrap();
                assert_eq!(Some(&found[0]), elements.iter().max());
                let squares = Lazy::from(&x) * Scalar::I16(-3);
                let found = reduction::sum(squares, Some(DType::I64), None).unwrap().to_vec::<i64>().unwrap();
                assert_eq!(found, [-3 * expected.cast_signed()], "{count} from {start}");
            }
        }
    });
}

#[test]
fn other_shapes_of_kernels_give_the_same() {
    on_each_queue(|queue| {
        let elements: Vec<f32> = (0..80 * 90).map(|n| n as f32).collect();
        let x = array(queue, &[80, 90], &elements);
        let (sum, copy) = ((&x + &x).to_vec::<f32>().unwrap(), x.transpose(None).unwrap());
        let bytes: Vec<u8> = (0..140 * 140).map(|n| n as u8).collect();
        let (b, row) = (array(queue, &[140, 140], &bytes), array(queue, &[140], &bytes[..140]));
        let turned = b.transpose(None).unwrap();
        let fused = || (&turned + &b + &row).eval(queue).unwrap().to_vec::<u8>().unwrap();
        let small = fused();
        for (group, items, vector, tile) in [(64, 1, 16, 32), (128, 8, 8, 64), (512, 2, 0, 64)] {
            let tuning = Tuning { group, items: Some(items), vector: Some(vector), tile };
            tune_kernels_for(queue, tuning).unwrap();
            assert_eq!((&x + &x).to_vec::<f32>().unwrap(), sum);
            let target = array(queue, &[90, 80], &vec![0f32; 80 * 90]);
            target.assign(&copy, None).unwrap();
            assert_eq!(values::<f32>(&target), viewed(&copy, &elements));
            assert_eq!(fused(), small);
            let sum = ops::add(&b, &row, None).unwrap();
            let expected: Vec<u8> = (0..bytes.len()).map(|n| bytes[n].wrapping_add(bytes[n % 140])).collect();
            assert_eq!(values::<u8>(&sum), expected);
        }
    });
}

/// Rows whose elements lie `step` elements apart, read and written, whole and without the first.
fn stepped<T: Item>(queue: &CommandQueue, shape: [usize; 2], step: isize, of: impl Fn(usize) -> T) {
    let elements: Vec<T> = (0..shape.iter().product()).map(of).collect();
    for start in [None, Some(1), Some(-2)] {
        let along = Index::Slice { start, stop: None, step };
        let view = array(queue, &shape, &elements).index(&[Index::FULL, along]).unwrap();
        let expected = viewed(&view, &elements);
        let copied = array(queue, view.shape(), &vec![elements[0]; expected.len()]);
        copied.assign(&view, None).unwrap();
        assert_eq!(values::<T>(&copied), expected, "{shape:?} {step} {start:?}");
        let whole = array(queue, &shape, &vec![elements[0]; elements.len()]);
        let written = whole.index(&[Index::FULL, along]).unwrap();
        written.assign(&copied, None).unwrap();
        assert_eq!(values::<T>(&written), expected, "{shape:?} {step} {start:?}");
        let untouched = values::<T>(&whole).iter().filter(|&&element| element == elements[0]).count();
        assert!(untouched >= elements.len() - expected.len(), "{shape:?} {step} {start:?}");
    }
}

#[test]
fn rows_are_walked_by_steps() {
    on_each_queue(|queue| {
        for step in [-1, 2, 3] {
            stepped(queue, [1, 5000], step, |n| n as f32);
            stepped(queue, [40, 37], step, |n| f16::from_f32((n % 2000) as f32));
        }
        for step in [-1, 2] {
            stepped(queue, [40, 37], step, |n| (n % 251) as u8);
            stepped(queue, [30, 9], step, |n| Complex::new(n as f32, -1.0));
        }
    });
}
