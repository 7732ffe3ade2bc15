//! Elements at positions and where masks hold, scans and joins, on every device with kernels of both shapes.

mod common;

use std::borrow::Cow;

use common::{array, limits, on_each_queue, values};
use opencl_array::expr::UnaryOp;
use opencl_array::index::{Positions, Subscript, put, take, take_into};
use opencl_array::layout::{Advanced, Entry};
use opencl_array::{Array, DType, Error, Index, Layout, Order, Scalar, join, ops, product, scan};

const FULL: Subscript<'static> = Subscript::Basic(Index::FULL);
const BACK: Index = Index::Slice { start: None, stop: None, step: -1 };

fn host(values: &[i64]) -> Subscript<'_> {
    Subscript::Positions(Positions::Host {
        shape: [values.len()].into_iter().collect(),
        values: Cow::Borrowed(values),
    })
}

#[test]
fn the_axes_of_arrays_go_where_numpy_puts_them() {
    let layout = Layout::contiguous(&[2, 3, 4, 5], 4, Order::C).unwrap();
    let slice = Entry::Basic(Index::FULL);
    let at = Entry::Basic(Index::At(1));
    let axes = Entry::Axes(1);
    let new = Entry::Basic(Index::NewAxis);
    let cases: [(&[Entry], &[usize]); 8] = [
        (&[axes], &[7, 3, 4, 5]),
        (&[slice, axes], &[2, 7, 4, 5]),
        (&[slice, axes, axes], &[2, 7, 5]),
        (&[axes, slice, axes], &[7, 3, 5]),
        (&[at, slice, axes], &[7, 3, 5]),
        (&[slice, at, axes], &[2, 7, 5]),
        (&[Entry::Basic(Index::Ellipsis), axes], &[2, 3, 4, 7]),
        (&[new, Entry::Axes(2), new, slice], &[1, 7, 1, 4, 5]),
    ];
    for (entries, expected) in cases {
        let advanced = Advanced::new(&layout, entries).unwrap();
        assert_eq!(advanced.result_shape(&[7])[..], *expected, "{entries:?}");
        assert_eq!(advanced.frame(1).shape().len(), expected.len());
    }
    assert!(matches!(Advanced::new(&layout, &[axes; 5]), Err(Error::TooManyIndices { dimensions: 4 })));
}

#[test]
fn elements_at_positions() {
    on_each_queue(|queue| {
        let numbers: Vec<f32> = (0..60).map(|n| n as f32).collect();
        let x = array(queue, &[3, 20], &numbers);
        let columns = array(queue, &[3], &[-1_i16, 0, 25]);
        let found = x.get_at(&[FULL, Subscript::Positions(Positions::Device(&columns))], None).unwrap();
        assert_eq!(values::<f32>(&found), [19.0, 0.0, 19.0, 39.0, 20.0, 39.0, 59.0, 40.0, 59.0]);
        let back = x.index(&[BACK, BACK]).unwrap().transpose(None).unwrap();
        let found = back.get_at(&[host(&[0, -1]), host(&[1, 2])], None).unwrap();
        assert_eq!(values::<f32>(&found), [39.0, 0.0]);
        let wrong = x.get_at(&[FULL, host(&[20])], None).unwrap_err();
        assert_eq!(wrong.to_string(), "index 20 is out of bounds for axis 1 with size 20");
        x.set_at(&[host(&[0, 2]), host(&[1, -1])], &array(queue, &[2], &[100_i32, 200]), None).unwrap();
        // What lies outside is left out.
        x.set_at(
            &[Subscript::Positions(Positions::Device(&array(queue, &[2], &[1_i32, 3])))],
            -1.0_f32,
            None,
        )
        .unwrap();
        let mut expected = numbers;
        (expected[1], expected[59]) = (100.0, 200.0);
        expected[20..40].fill(-1.0);
        assert_eq!(values::<f32>(&x), expected);
    });
}

#[test]
fn elements_of_half_precision_and_complex_elements_move() {
    on_each_queue(|queue| {
        let half: Vec<half::f16> = (0..10).map(|n| half::f16::from_f32(n as f32 / 4.0)).collect();
        let complex: Vec<num_complex::Complex32> =
            (0..10).map(|n| num_complex::Complex::new(n as f32, -1.0)).collect();
        let (x, z) = (array(queue, &[10], &half), array(queue, &[10], &complex));
        let positions = array(queue, &[4], &[9_u8, 0, 4, 4]);
        let at = [Subscript::Positions(Positions::Device(&positions))];
        assert_eq!(values::<half::f16>(&x.get_at(&at, None).unwrap()), [half[9], half[0], half[4], half[4]]);
        let found = z.get_at(&at, None).unwrap();
        assert_eq!(
            values::<num_complex::Complex32>(&found),
            [complex[9], complex[0], complex[4], complex[4]]
        );
        x.set_at(&at, Scalar::WeakFloat(0.5), None).unwrap();
        let mut expected = half;
        for place in [9, 0, 4] {
            expected[place] = half::f16::from_f32(0.5);
        }
        assert_eq!(values::<half::f16>(&x), expected);
    });
}

#[test]
fn masks_choose_elements() {
    on_each_queue(|queue| {
        for size in limits::bearable(queue.device(), &[0, 1, 300, 5000, 70_000]) {
            let numbers: Vec<i32> = (0..size as i32).map(|n| n * 7919 % 1000).collect();
            let x = array(queue, &[size], &numbers);
            let mask = ops::greater(&x, Scalar::WeakInt(500), None).unwrap();
            let chosen: Vec<i32> = numbers.iter().copied().filter(|&n| n > 500).collect();
            assert_eq!(values::<i32>(&x.get_at(&[Subscript::Mask(&mask)], None).unwrap()), chosen);
            let new: Vec<i32> = (0..chosen.len() as i32).collect();
            x.set_at(&[Subscript::Mask(&mask)], &array(queue, &[new.len()], &new), None).unwrap();
            let mut next = new.iter();
            let expected: Vec<i32> =
                numbers.iter().map(|&n| if n > 500 { *next.next().unwrap() } else { n }).collect();
            assert_eq!(values::<i32>(&x), expected);
        }
    });
}

#[test]
fn masks_of_several_axes_and_beside_positions() {
    on_each_queue(|queue| {
        let numbers: Vec<i32> = (0..24).collect();
        let x = array(queue, &[2, 3, 4], &numbers);
        let mask = array(queue, &[3, 4], &[1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1].map(|bit| bit != 0));
        let found = x.get_at(&[FULL, Subscript::Mask(&mask)], None).unwrap();
        assert_eq!(found.shape(), [2, 4]);
        assert_eq!(values::<i32>(&found), [0, 3, 6, 11, 12, 15, 18, 23]);
        let found = x.get_at(&[host(&[1, 0, 1, 0]), Subscript::Mask(&mask)], None).unwrap();
        assert_eq!(values::<i32>(&found), [12, 3, 18, 11]);
        let wrong = x.get_at(&[Subscript::Mask(&mask)], None).unwrap_err();
        assert!(matches!(wrong, Error::MaskShape { axis: 0, .. }), "{wrong}");
        let wrong = x.set_at(&[FULL, Subscript::Mask(&mask)], &array(queue, &[3], &[1_i32, 2, 3]), None);
        assert!(matches!(wrong, Err(Error::MaskCount { expected: 4, found: 3 })));
    });
}

#[test]
fn elements_are_taken_and_put() {
    on_each_queue(|queue| {
        let x = array(queue, &[2, 3], &[10_i32, 11, 12, 13, 14, 15]);
        let positions = array(queue, &[4], &[5_i64, 0, -3, 1]);
        let turned = x.transpose(None).unwrap();
        let found = take(&turned, &Positions::Device(&positions), None).unwrap();
        assert_eq!(values::<i32>(&found), [15, 10, 14, 13]);
        let out = Array::empty(queue, &[4], DType::F32, Order::C).unwrap();
        take_into(&x, &Positions::Device(&positions), &out, None).unwrap();
        assert_eq!(values::<f32>(&out), [15.0, 10.0, 13.0, 11.0]);
        let target = Array::zeros(queue, &[7], DType::I32, Order::C).unwrap();
        put(&target, &positions, &found, None, None).unwrap();
        assert_eq!(values::<i32>(&target), [10, 13, 0, 0, 14, 15, 0]);
        let from = array(queue, &[4], &[0_i32, 1, 2, 3]);
        put(&target, &positions, &x, Some((&from, 2)), None).unwrap();
        assert_eq!(values::<i32>(&target), [13, 15, 0, 0, 14, 12, 0]);
        let sum = product::subset_dot(&positions, &x, &x, None, None).unwrap();
        assert_eq!(values::<i32>(&sum), [15 * 15 + 10 * 10 + 13 * 13 + 11 * 11]);
    });
}

#[test]
fn sums_up_to_each_element() {
    on_each_queue(|queue| {
        for size in limits::bearable(queue.device(), &[0, 1, 63, 1024, 1025, 40_000, 300_001]) {
            let numbers: Vec<i16> = (0..size).map(|n| (n * 31 % 17) as i16 - 8).collect();
            let x = array(queue, &[size], &numbers);
            let mut sum = 0_i32;
            let before: Vec<i32> = numbers
                .iter()
                .map(|&n| {
                    sum += i32::from(n);
                    sum - i32::from(n)
                })
                .collect();
            let upto: Vec<i32> = before.iter().zip(&numbers).map(|(&sum, &n)| sum + i32::from(n)).collect();
            assert_eq!(values::<i32>(&scan::cumsum(&x, Some(DType::I32), None).unwrap()), upto);
            let exclusive = scan::exclusive_cumsum(&x, Some(DType::I32), None).unwrap();
            assert_eq!(values::<i32>(&exclusive), before);
        }
        let x = array(queue, &[3, 40], &(0..120).map(|n| n as f32).collect::<Vec<_>>());
        let turned = x.index(&[BACK, Index::FULL]).unwrap().transpose(None).unwrap();
        let mut sum = 0.0;
        let expected: Vec<f32> = values::<f32>(&turned)
            .into_iter()
            .map(|n| {
                sum += n;
                sum
            })
            .collect();
        assert_eq!(values::<f32>(&scan::cumsum(&turned, None, None).unwrap()), expected);
        let negated = ops::Lazy::from(&turned).unary(UnaryOp::Negative).unwrap();
        let expected: Vec<f32> = expected.iter().map(|sum| -sum).collect();
        assert_eq!(values::<f32>(&scan::cumsum(negated, None, None).unwrap()), expected);
    });
}

#[test]
fn joins() {
    on_each_queue(|queue| {
        let (a, b) = (array(queue, &[2, 2], &[1_i16, 2, 3, 4]), array(queue, &[2, 1], &[5_i32, 6]));
        let joined = join::concatenate(&[&a, &b.index(&[BACK]).unwrap()], -1, None, None).unwrap();
        assert_eq!((joined.shape(), values::<i32>(&joined)), (&[2, 3][..], vec![1, 2, 6, 3, 4, 5]));
        let stacked = join::stack(&[&a, &a.transpose(None).unwrap()], 1, None).unwrap();
        assert_eq!(values::<i16>(&stacked), [1, 2, 1, 3, 3, 4, 2, 4]);
        assert_eq!(values::<i16>(&join::diff(&a, None).unwrap()), [1, 1]);
        assert_eq!(values::<i16>(&a.reverse(None).unwrap()), [4, 3, 2, 1]);
        let wrong = join::concatenate(&[&a, &b], 0, None, None).unwrap_err();
        let text =
            "concatenate: array number 1 has shape (2, 1), which does not fit shape (2, 2) of the first one";
        assert_eq!(wrong.to_string(), text);
    });
}
