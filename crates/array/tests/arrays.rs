//! Creation, transfer, views, queues, and reductions, on every device.

mod common;

use common::{array, limits, numbers, on_each_queue, values};
use half::f16;
use num_complex::Complex;
use opencl_array::expr::BinaryOp;
use opencl_array::ops::{self, Lazy};
use opencl_array::{Array, DType, Element, Error, Index, Order, Scalar, Storage, reduction};
use opencl_runtime::CommandQueue;

#[test]
fn arrays_are_filled() {
    on_each_queue(|queue| {
        let zeros = Array::zeros(queue, &[70, 3], DType::C128, Order::F).unwrap();
        assert_eq!(values::<Complex<f64>>(&zeros), [Complex::ZERO; 210]);
        let full = Array::full(queue, &[9], Scalar::WeakInt(-3), DType::F16, Order::C).unwrap();
        assert_eq!(values::<f16>(&full), [f16::from_f32(-3.0); 9]);
        let error = Array::full(queue, &[9], Scalar::WeakInt(-3), DType::U8, Order::C).unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { value: -3, dtype: DType::U8 }));
        let every_other = zeros.index(&[Index::Slice { start: Some(1), stop: None, step: 2 }]).unwrap();
        every_other.fill(Scalar::WeakInt(7), None).unwrap();
        let found = values::<Complex<f64>>(&zeros);
        assert_eq!((found[2].re, found[3].re, found[6].re), (0.0, 7.0, 0.0));
    });
}

#[test]
fn an_array_shows_dtype_and_layout_in_one_line() {
    on_each_queue(|queue| {
        let a = Array::zeros(queue, &[3, 4], DType::F32, Order::C).unwrap();
        assert_eq!(format!("{a:?}"), format!("Array(float32, shape (3, 4) in {:?})", a.buffer()));
        let part = a.index(&[Index::Slice { start: Some(1), stop: None, step: 1 }, Index::At(1)]).unwrap();
        let expected = format!("Array(float32, shape (2,), strides (16,), offset 20 in {:?})", a.buffer());
        assert_eq!(format!("{part:?}"), expected);
        assert_eq!(format!("{:?}", a.storage()), format!("Storage({:?})", a.buffer()));
    });
}

#[test]
fn slices_of_every_type_go_and_come_back() {
    fn round_trip<T: Element + PartialEq + std::fmt::Debug>(queue: &CommandQueue, elements: &[T]) {
        let a = Array::from_slice(queue, elements).unwrap();
        assert_eq!((a.dtype(), a.shape()), (T::DTYPE, &[elements.len()][..]));
        assert_eq!(a.to_vec::<T>().unwrap(), elements);
    }
    on_each_queue(|queue| {
        round_trip(queue, &[true, false, true]);
        round_trip(queue, &[i8::MIN, 0, i8::MAX]);
        round_trip(queue, &[u8::MAX]);
        round_trip(queue, &[i16::MIN, 1]);
        round_trip(queue, &[u16::MAX, 1]);
        round_trip(queue, &[i32::MIN, 1]);
        round_trip(queue, &[u32::MAX, 1]);
        round_trip(queue, &[i64::MIN, 1]);
        round_trip(queue, &[u64::MAX, 1]);
        round_trip(queue, &[f16::from_f32(-1.5)]);
        round_trip(queue, &[0.1_f32, f32::INFINITY]);
        round_trip(queue, &[0.1_f64]);
        round_trip(queue, &[Complex::new(1.0_f32, -2.0)]);
        round_trip(queue, &[Complex::new(1.0_f64, -2.0)]);
        round_trip::<f32>(queue, &[]);
        let a = Array::from_slice_with_shape(queue, &[2, 3], &[0, 1, 2, 3, 4, 5]).unwrap();
        assert_eq!(a.transpose(None).unwrap().to_vec::<i32>().unwrap(), [0, 3, 1, 4, 2, 5]);
        let error = a.to_vec::<f32>().unwrap_err();
        assert_eq!(error.to_string(), "the array has elements of dtype int32, but float32 was asked for");
        let error = Array::from_slice_with_shape(queue, &[2, 2], &[1_u8]).unwrap_err();
        assert!(matches!(error, Error::HostSize { expected: 4, found: 1 }));
    });
}

#[test]
fn ranges_are_numpys() {
    on_each_queue(|queue| {
        let range =
            |start: Scalar, stop: Scalar, step: Scalar, dtype| Array::arange(queue, start, stop, step, dtype);
        let int = Scalar::WeakInt;
        let float = Scalar::WeakFloat;
        assert_eq!(values::<i32>(&range(int(3), int(-4), int(-2), DType::I32).unwrap()), [3, 1, -1, -3]);
        assert_eq!(values::<u8>(&range(int(0), int(5), int(1), DType::U8).unwrap()), [0, 1, 2, 3, 4]);
        let tenths = values::<f64>(&range(float(0.0), float(1.0), float(0.1), DType::F64).unwrap());
        assert_eq!(tenths, (0..10).map(|n| f64::from(n) * 0.1).collect::<Vec<_>>());
        assert!(values::<f32>(&range(int(5), int(5), int(1), DType::F32).unwrap()).is_empty());
        assert!(matches!(range(int(0), int(5), int(0), DType::F32), Err(Error::ZeroStep)));
        let length = *limits::bearable(queue.device(), &[3000, 100_000]).last().unwrap();
        let end = Scalar::from(length as i64);
        let long = values::<i64>(&range(int(0), end, int(1), DType::I64).unwrap());
        assert_eq!(long.len(), length);
        assert!(long.iter().enumerate().all(|(n, &value)| n as i64 == value));
    });
}

#[test]
fn views_come_to_the_host_right_and_go_back() {
    on_each_queue(|queue| {
        let numbers_of: Vec<i16> = (0..120).collect();
        let a = array(queue, &[4, 5, 6], &numbers_of);
        let step = |start, step| Index::Slice { start, stop: None, step };
        let view = a.index(&[step(Some(3), -1), Index::At(2), step(Some(1), 2)]).unwrap();
        let expected: Vec<i16> = numbers(view.layout()).iter().map(|&n| n as i16).collect();
        assert_eq!(values::<i16>(&view), expected);
        let in_f_order = a.transpose(None).unwrap().to_host(Order::F, None).unwrap();
        assert_eq!(in_f_order, a.to_host(Order::C, None).unwrap());
        let bytes: Vec<u8> = (0..12i16).flat_map(|n| (1000 + n).to_ne_bytes()).collect();
        view.write(&bytes, Order::C, None).unwrap();
        assert_eq!(values::<i16>(&view), (1000..1012).collect::<Vec<i16>>());
        assert_eq!(values::<i16>(&a)[0], 0);
        assert!(matches!(
            view.write(&bytes[1..], Order::C, None),
            Err(Error::HostSize { expected: 24, found: 23 })
        ));
        assert!(matches!(view.reshape(&[-1], Order::C), Err(Error::ReshapeCopies { .. })));
        let flat = a.reshape(&[-1], Order::C).unwrap();
        assert_eq!(values::<i16>(&flat.index(&[Index::At(7)]).unwrap()), [7]);
        let pairs = a.view_as(DType::I32).unwrap();
        assert_eq!((pairs.shape(), pairs.dtype()), (&[4, 5, 3][..], DType::I32));
        assert!(matches!(a.as_strided(&[121], &[2]), Err(Error::OutOfBuffer { high: 242, size: 240, .. })));
    });
}

#[test]
fn queues_of_one_context_see_each_others_results() {
    on_each_queue(|queue| {
        let other = CommandQueue::new(queue.context()).unwrap();
        let size = *limits::bearable(queue.device(), &[1 << 10, 1 << 16]).last().unwrap();
        let mut a = array(queue, &[size], &vec![1i32; size]);
        for round in 0..20 {
            let queue = if round % 2 == 0 { &other } else { queue };
            let doubled = ops::add(&a, Scalar::WeakInt(1), Some(queue)).unwrap();
            ops::binary_into(BinaryOp::Multiply, &a, Scalar::WeakInt(0), &a, Some(queue)).unwrap();
            a = doubled;
        }
        assert_eq!(values::<i32>(&a), vec![21; size]);
    });
}

#[test]
fn sums_and_extrema_of_any_size_and_layout() {
    on_each_queue(|queue| {
        for size in limits::bearable(queue.device(), &[1, 2, 7, 255, 256, 1023, 1025, 70_001, 1_000_003]) {
            let items: Vec<i64> = (0..size as i64).map(|n| n * 7919 % 10_007 - 5000).collect();
            let a = array(queue, &[size], &items);
            let backwards = a.index(&[Index::Slice { start: None, stop: None, step: -3 }]).unwrap();
            for a in [&a, &backwards] {
                let items: Vec<i64> = numbers(a.layout()).iter().map(|&n| items[n]).collect();
                let total = reduction::sum(a, None, None).unwrap();
                assert!(total.shape().is_empty());
                assert_eq!(values::<i64>(&total), [items.iter().sum::<i64>()], "of {size}");
                assert_eq!(values::<i64>(&reduction::max(a, None).unwrap())[0], *items.iter().max().unwrap());
                assert_eq!(values::<i64>(&reduction::min(a, None).unwrap())[0], *items.iter().min().unwrap());
            }
        }
    });
}

#[test]
fn reductions_take_expressions_and_dtypes() {
    on_each_queue(|queue| {
        let items: Vec<f32> = (0..6000).map(|n| (n % 17) as f32).collect();
        let (x, row) = (array(queue, &[60, 100], &items), array(queue, &[100], &items[..100]));
        let product = Lazy::from(&x).binary(BinaryOp::Multiply, &Lazy::from(&row)).unwrap();
        let expected: f32 = items.iter().enumerate().map(|(n, v)| v * items[n % 100]).sum();
        assert_eq!(values::<f32>(&reduction::sum(product, None, None).unwrap()), [expected]);
        let turned = x.transpose(None).unwrap();
        let total: f32 = items.iter().sum();
        assert_eq!(
            values::<f64>(&reduction::sum(&turned, Some(DType::F64), None).unwrap()),
            [f64::from(total)]
        );

        let small = array(queue, &[300], &[1u8; 300]);
        assert_eq!(values::<u8>(&reduction::sum(&small, None, None).unwrap()), [44]);
        assert_eq!(values::<u32>(&reduction::sum(&small, Some(DType::U32), None).unwrap()), [300]);
        let truth = array(queue, &[3], &[true, false, true]);
        assert_eq!(values::<i64>(&reduction::sum(&truth, None, None).unwrap()), [2]);
        let half = array(queue, &[5000], &[f16::from_f32(0.5); 5000]);
        assert_eq!(values::<f16>(&reduction::sum(&half, None, None).unwrap()), [f16::from_f32(2500.0)]);
        let complex =
            array(queue, &[3], &[Complex::new(1f32, 2.0), Complex::new(3.0, -1.0), Complex::new(3.0, 5.0)]);
        assert_eq!(
            values::<Complex<f32>>(&reduction::sum(&complex, None, None).unwrap()),
            [Complex::new(7.0, 6.0)]
        );
        assert_eq!(
            values::<Complex<f32>>(&reduction::max(&complex, None).unwrap()),
            [Complex::new(3.0, 5.0)]
        );

        let none = Array::zeros(queue, &[0], DType::F32, Order::C).unwrap();
        assert_eq!(values::<f32>(&reduction::sum(&none, None, None).unwrap()), [0.0]);
        assert!(matches!(reduction::max(&none, None), Err(Error::EmptyReduction { operation: "maximum" })));
    });
}

#[test]
fn nan_is_the_greatest_and_the_least() {
    on_each_queue(|queue| {
        for place in [0, 5000, 9999] {
            let mut items = vec![1f32; 10_000];
            items[place] = f32::NAN;
            let a = array(queue, &[100, 100], &items);
            assert!(values::<f32>(&reduction::max(&a, None).unwrap())[0].is_nan());
            assert!(values::<f32>(&reduction::min(&a, None).unwrap())[0].is_nan());
        }
        let low = array(queue, &[2], &[f32::NEG_INFINITY; 2]);
        assert_eq!(values::<f32>(&reduction::max(&low, None).unwrap()), [f32::NEG_INFINITY]);
    });
}

#[test]
fn what_is_enqueued_while_another_thread_finishes_is_not_forgotten() {
    on_each_queue(|queue| {
        let other = CommandQueue::new(queue.context()).unwrap();
        let array = Array::zeros(queue, &[1000], DType::I32, Order::C).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| (0..100).for_each(|_| array.storage().finish().unwrap()));
            for value in 1..=100 {
                array.fill(Scalar::WeakInt(value), None).unwrap();
            }
        });
        // The other queue must wait for the last write.
        let copy = array.with_queue(Some(other)).unwrap().copy(None).unwrap();
        assert_eq!(values::<i32>(&copy), [100; 1000]);
    });
}

#[test]
fn events_stand_for_the_writes_since_the_last_wait() {
    on_each_queue(|queue| {
        let a = Array::zeros(queue, &[1000], DType::F32, Order::C).unwrap();
        let count = || a.storage().events().unwrap().len();
        a.storage().finish().unwrap();
        assert_eq!(count(), 0);
        for number in 1..30 {
            a.fill(Scalar::F32(number as f32), Some(queue)).unwrap();
            // Commands of an out-of-order queue that are known to be done are not listed.
            assert!(count() == number.min(Storage::LISTED) || queue.is_out_of_order(), "{number}");
        }
        a.storage().finish().unwrap();
        assert_eq!(count(), 0);
    });
}
