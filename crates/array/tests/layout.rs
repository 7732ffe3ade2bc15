//! Layouts against a model: the list of byte offsets of the elements in C order.

use opencl_array::Error;
use opencl_array::layout::{
    Index, Layout, Order, broadcast_pair, checked_shape, collapse, iteration_order, resolve_shape,
};
use opencl_array::plan::{Access, DeviceClass, Plan};
use proptest::prelude::*;

/// Byte offsets of all elements in C order.
fn offsets(layout: &Layout) -> Vec<isize> {
    let mut all = vec![layout.offset() as isize];
    for (&length, &stride) in layout.shape().iter().zip(layout.strides()) {
        all = all.iter().flat_map(|&at| (0..length as isize).map(move |i| at + i * stride)).collect();
    }
    all
}

/// A layout that came about by views of an array without gaps.
fn viewed() -> impl Strategy<Value = Layout> {
    let shape = prop::collection::vec(0usize..5, 0..5);
    let cuts = prop::collection::vec((any::<Option<i8>>(), any::<Option<i8>>(), -3isize..4), 5);
    (shape, any::<bool>(), cuts, any::<bool>(), prop::sample::select(vec![1usize, 2, 4, 8, 16])).prop_map(
        |(shape, f, cuts, flip, item)| {
            let order = if f { Order::F } else { Order::C };
            let layout = Layout::contiguous(&shape, item, order).unwrap();
            let index: Vec<Index> = cuts[..shape.len()]
                .iter()
                .map(|&(start, stop, step)| Index::Slice {
                    start: start.map(|n| isize::from(n % 6)),
                    stop: stop.map(|n| isize::from(n % 6)),
                    step: if step == 0 { 1 } else { step },
                })
                .collect();
            let layout = layout.index(&index).unwrap();
            if flip { layout.reversed_axes() } else { layout }
        },
    )
}

/// Python's rule for the positions of a slice, step by step.
fn python_slice(start: Option<isize>, stop: Option<isize>, step: isize, length: isize) -> Vec<isize> {
    let fix = |bound: isize| if bound < 0 { bound + length } else { bound };
    let mut at = match start.map(fix) {
        None if step > 0 => 0,
        None => length - 1,
        Some(bound) if step > 0 => bound.max(0),
        Some(bound) => bound.min(length - 1),
    };
    let stop = match stop.map(fix) {
        None if step > 0 => length,
        None => -1,
        Some(bound) if step > 0 => bound.min(length),
        Some(bound) => bound.max(-1),
    };
    let mut positions = Vec::new();
    while if step > 0 { at < stop } else { at > stop } {
        positions.push(at);
        at += step;
    }
    positions
}

proptest! {
    #[test]
    fn slices_pick_what_python_picks(
        length in 0usize..8,
        start in prop::option::of(-10isize..10),
        stop in prop::option::of(-10isize..10),
        step in prop::sample::select(vec![-3isize, -2, -1, 1, 2, 3]),
    ) {
        let layout = Layout::contiguous(&[length], 4, Order::C).unwrap();
        let part = layout.index(&[Index::Slice { start, stop, step }]).unwrap();
        let expected: Vec<isize> =
            python_slice(start, stop, step, length as isize).iter().map(|n| n * 4).collect();
        prop_assert_eq!(offsets(&part), expected);
    }

    #[test]
    fn views_stay_inside_and_know_whether_they_have_gaps(layout in viewed()) {
        let all = offsets(&layout);
        let item = layout.item_size() as isize;
        prop_assert_eq!(all.len(), layout.size());
        let (low, high) = layout.span().unwrap();
        if let (Some(&first), Some(&last)) = (all.iter().min(), all.iter().max()) {
            prop_assert_eq!((low, high), (first, last + item));
        }
        let gap_free = |all: &[isize]| {
            all.iter().enumerate().all(|(n, &at)| at == all[0] + n as isize * item)
        };
        prop_assert_eq!(layout.is_c_contiguous(), gap_free(&all));
        prop_assert_eq!(layout.is_f_contiguous(), gap_free(&offsets(&layout.reversed_axes())));
    }

    #[test]
    fn reshaping_keeps_the_elements_in_order(layout in viewed(), f in any::<bool>(), most in 1i64..5) {
        let order = if f { Order::F } else { Order::C };
        let size = layout.size() as i64;
        let cut = (1..=most).rev().find(|cut| size % cut == 0).unwrap();
        let in_order = |layout: &Layout| match order {
            Order::C => offsets(layout),
            Order::F => offsets(&layout.reversed_axes()),
        };
        for shape in [vec![-1], vec![cut, size / cut], vec![1, size / cut, 1, cut]] {
            match layout.reshape(&shape, order) {
                Ok(other) => prop_assert_eq!(in_order(&other), in_order(&layout)),
                Err(Error::ReshapeCopies { .. }) => {
                    let gap_free = if f { layout.is_f_contiguous() } else { layout.is_c_contiguous() };
                    prop_assert!(!gap_free);
                }
                Err(error) => prop_assert!(size == 0, "{}", error),
            }
        }
        let same: Vec<i64> = layout.shape().iter().map(|&n| n as i64).collect();
        prop_assert_eq!(offsets(&layout.reshape(&same, order).unwrap()), offsets(&layout));
    }

    #[test]
    fn broadcasting_repeats(layout in viewed(), lead in 0usize..3) {
        let mut shape = vec![lead];
        shape.extend(layout.shape().iter().map(|&n| if n == 1 { 3 } else { n }));
        let wide = layout.broadcast_to(&shape).unwrap();
        prop_assert_eq!(wide.shape(), &shape[..]);
        let mut found = offsets(&wide);
        found.dedup();
        found.sort_unstable();
        found.dedup();
        let mut expected = if wide.size() > 0 { offsets(&layout) } else { vec![] };
        expected.sort_unstable();
        expected.dedup();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn collapsed_walks_visit_the_same_pairs(layout in viewed(), f in any::<bool>()) {
        let order = if f { Order::F } else { Order::C };
        let other = Layout::contiguous(layout.shape(), 4, order).unwrap();
        let strides = [layout.strides(), other.strides()];
        let axes = iteration_order(layout.shape(), &strides);
        let walk = collapse(layout.shape(), &strides, &axes);
        let walked = |n: usize, offset: usize| {
            let part = Layout::strided(&walk.shape, &walk.strides[n], 1 << 20, 4).unwrap();
            offsets(&part).iter().map(|at| at - (1 << 20) + offset as isize).collect::<Vec<_>>()
        };
        let pairs = |a: Vec<isize>, b: Vec<isize>| {
            let mut pairs: Vec<_> = a.into_iter().zip(b).collect();
            pairs.sort_unstable();
            pairs
        };
        prop_assert_eq!(
            pairs(walked(0, layout.offset()), walked(1, 0)),
            pairs(offsets(&layout), offsets(&other))
        );
        prop_assert!(walk.shape.iter().all(|&n| n != 1));
    }
}

#[test]
fn broadcasting_names_the_shapes() {
    assert_eq!(broadcast_pair(&[3, 1], &[4]).unwrap()[..], [3, 4]);
    assert_eq!(broadcast_pair(&[0], &[1]).unwrap()[..], [0]);
    let error = broadcast_pair(&[2, 3], &[4]).unwrap_err().to_string();
    assert_eq!(error, "operands of shapes (2, 3) and (4,) do not broadcast together");
}

#[test]
fn sizes_that_overflow_and_negative_lengths_are_refused() {
    assert!(matches!(Layout::contiguous(&[usize::MAX / 2, 3], 1, Order::C), Err(Error::TooLarge { .. })));
    assert!(matches!(Layout::contiguous(&[0, usize::MAX], 8, Order::C), Err(Error::TooLarge { .. })));
    assert!(matches!(checked_shape(&[2, -1]), Err(Error::NegativeDimension { dimension: -1 })));
    assert!(matches!(Layout::strided(&[3], &[-4], 4, 4), Err(Error::BeforeBuffer { low: -4, .. })));
    assert!(matches!(Layout::strided(&[3], &[isize::MAX], 0, 4), Err(Error::TooLarge { .. })));
    assert!(matches!(resolve_shape(&[-1, -1], 4), Err(Error::UnknownLengths { .. })));
    assert!(matches!(resolve_shape(&[3, -1], 4), Err(Error::ReshapeSize { .. })));
}

#[test]
fn lengths_of_one_and_none_do_not_break_contiguity() {
    let odd = Layout::strided(&[1, 3], &[7, 4], 0, 4).unwrap();
    assert!(odd.is_c_contiguous() && odd.is_f_contiguous());
    let none = Layout::strided(&[0, 3], &[5, 9], 0, 4).unwrap();
    assert!(none.is_c_contiguous() && none.is_f_contiguous());
    let both = Layout::contiguous(&[2, 3], 4, Order::F).unwrap();
    assert!(!both.is_c_contiguous() && both.is_f_contiguous());
}

#[test]
fn indices_out_of_bounds_are_named() {
    let layout = Layout::contiguous(&[2, 3], 4, Order::C).unwrap();
    let error = layout.index(&[Index::At(1), Index::At(-4)]).unwrap_err().to_string();
    assert_eq!(error, "index -4 is out of bounds for axis 1 with size 3");
    assert!(matches!(layout.index(&[Index::At(0); 3]), Err(Error::TooManyIndices { dimensions: 2 })));
    let part = layout.index(&[Index::Ellipsis, Index::NewAxis, Index::At(2)]).unwrap();
    assert_eq!((part.shape(), part.offset()), (&[2, 1][..], 8));
}

#[test]
fn walks_are_flat_wherever_memory_is() {
    let c = Layout::contiguous(&[4, 6], 4, Order::C).unwrap();
    let f = Layout::contiguous(&[4, 6], 4, Order::F).unwrap();
    let row = Layout::contiguous(&[6], 4, Order::C).unwrap();
    let plan =
        |operands: &[&Layout], device| Plan::new(device, &[4, 6], operands.iter().copied(), false).unwrap();
    for device in [DeviceClass::Gpu, DeviceClass::Cpu] {
        assert_eq!(plan(&[&c, &c], device).class.ndim, 0);
        assert_eq!(plan(&[&f, &f], device).class.ndim, 0);
        assert_eq!(plan(&[&c, &f], device).class.ndim, 2);
    }
    let broadcast = plan(&[&c, &row, &c], DeviceClass::Gpu);
    assert_eq!(broadcast.class.access[..], [Access::Flat, Access::Strided, Access::Flat]);
    let broadcast = plan(&[&c, &row, &c], DeviceClass::Cpu);
    assert_eq!(broadcast.class.access[..], [Access::Unit; 3]);
}
