//! Elements kept within bounds, and rounded to decimals.

mod common;

use common::{array, on_each_queue, values};
use opencl_array::ops::{self, Lazy};
use opencl_array::{DType, Error, Scalar};

fn integer(number: i128) -> Option<Lazy> {
    Some(Lazy::scalar(Scalar::WeakInt(number)))
}

#[test]
fn bounds_that_no_element_can_pass_are_none() {
    on_each_queue(|queue| {
        let a = array(queue, &[4], &[-7_i8, 0, 3, 9]);
        let clipped = |low, high| ops::clip(&a, low, high)?.evaluate(None);
        let elements = |low, high| values::<i8>(&clipped(low, high).unwrap());
        assert_eq!(elements(integer(-1), integer(3)), [-1, 0, 3, 3]);
        assert_eq!(elements(integer(-1000), integer(1000)), [-7, 0, 3, 9]);
        assert_eq!(elements(None, None), [-7, 0, 3, 9]);
        assert_eq!(elements(integer(5), integer(1)), [1, 1, 1, 1]);
        assert!(matches!(clipped(integer(1000), None), Err(Error::OutOfBounds { .. })));
    });
}

#[test]
fn halves_are_rounded_to_even() {
    on_each_queue(|queue| {
        let a = array(queue, &[4], &[0.5_f32, 1.5, -2.5, 12.25]);
        let rounded = |decimals| ops::round(&a, decimals).unwrap().evaluate(None).unwrap();
        assert_eq!(values::<f32>(&rounded(0)), [0.0, 2.0, -2.0, 12.0]);
        assert_eq!(values::<f32>(&rounded(1)), [0.5, 1.5, -2.5, 12.2]);
        assert_eq!(values::<f32>(&rounded(-1)), [0.0, 0.0, 0.0, 10.0]);
        let whole = array(queue, &[2], &[15_i32, -26]);
        let tens = ops::round(&whole, -1).unwrap();
        assert_eq!(tens.dtype(), DType::I32);
        assert_eq!(values::<i32>(&tens.evaluate(None).unwrap()), [20, -30]);
        let same = ops::round(&whole, 3).unwrap().evaluate(None).unwrap();
        assert_eq!(values::<i32>(&same), [15, -26]);
    });
}
