//! Snippets as kernels: arguments, layouts, spans, what is refused, and the text of the kernels.

mod common;

use common::{array, limits, on_each_queue, values};
use opencl_array::elementwise::{ElementwiseKernel, Folding, ReductionKernel, Snippet, Span, Value};
use opencl_array::plan::DeviceClass;
use opencl_array::{Array, DType, Error, Index, Order};
use opencl_runtime::{BuildOptions, CommandQueue, Event};

fn kernel(queue: &CommandQueue, parameters: &str, operation: &str) -> ElementwiseKernel {
    ElementwiseKernel::new(queue.context(), Snippet::new(parameters, operation).unwrap())
}

fn run(kernel: &ElementwiseKernel, values: &[Value<'_>]) -> Event {
    // SAFETY: the snippets of these tests stay inside of their arrays.
    unsafe { kernel.run(values, None, None, &[]) }.unwrap()
}

fn ramp(queue: &CommandQueue, shape: &[usize]) -> Array {
    let numbers: Vec<f32> = (0..shape.iter().product::<usize>()).map(|number| number as f32).collect();
    array(queue, shape, &numbers)
}

fn zeros(queue: &CommandQueue, shape: &[usize], order: Order) -> Array {
    Array::zeros(queue, shape, DType::F32, order).unwrap()
}

fn every(step: isize) -> Index {
    Index::Slice { start: None, stop: None, step }
}

#[test]
fn every_element_is_done_once() {
    on_each_queue(|queue| {
        let add = kernel(queue, "int a, float *x, float *z", "z[i] += a * x[i] + n");
        for size in limits::bearable(queue.device(), &[1, 2, 63, 64, 65, 5000, 20_011]) {
            let (x, z) = (ramp(queue, &[size]), zeros(queue, &[size], Order::C));
            run(&add, &[3.into(), (&x).into(), (&z).into()]).wait().unwrap();
            let expected: Vec<f32> = (0..size).map(|i| (3 * i + size) as f32).collect();
            assert_eq!(values::<f32>(&z), expected);
        }
        let none = zeros(queue, &[0], Order::C);
        run(&add, &[3.into(), (&none).into(), (&none).into()]).wait().unwrap();
    });
}

#[test]
fn elements_are_those_of_the_arrays_whatever_their_layout() {
    on_each_queue(|queue| {
        let add = kernel(queue, "float *x, float *y, float *z", "z[i] = x[i] + 100 * y[i]");
        let x = ramp(queue, &[4, 6]);
        let turned = ramp(queue, &[6, 4]).transpose(None).unwrap();
        let wide = ramp(queue, &[8, 12]);
        let inside = wide.index(&[every(-2), every(2)]).unwrap();
        let corner = wide.index(&[
            Index::Slice { start: Some(1), stop: Some(5), step: 1 },
            Index::Slice { start: Some(3), stop: Some(9), step: 1 },
        ]);
        let corner = corner.unwrap();
        let arrays = [&x, &turned, &inside, &corner];
        for first in arrays {
            for second in arrays {
                let expected: Vec<f32> = values::<f32>(first)
                    .iter()
                    .zip(values::<f32>(second))
                    .map(|(x, y)| x + 100.0 * y)
                    .collect();
                for order in [Order::C, Order::F] {
                    let z = zeros(queue, &[4, 6], order);
                    run(&add, &[first.into(), second.into(), (&z).into()]);
                    assert_eq!(values::<f32>(&z), expected);
                }
                let large = zeros(queue, &[9, 6], Order::C);
                let z = large.index(&[Index::Slice { start: Some(7), stop: None, step: -2 }]).unwrap();
                assert_eq!(z.shape(), [4, 6]);
                run(&add, &[first.into(), second.into(), (&z).into()]);
                assert_eq!(values::<f32>(&z), expected);
                assert!(values::<f32>(&large.index(&[every(2)]).unwrap()).iter().all(|&value| value == 0.0));
            }
        }
    });
}

#[test]
fn arrays_that_are_copied_are_updated_where_the_snippet_writes() {
    on_each_queue(|queue| {
        let x = ramp(queue, &[10]);
        let even = x.index(&[every(2)]).unwrap();
        let step =
            kernel(queue, "float *x, float *y", "if (i == 3) PYOPENCL_ELWISE_CONTINUE; x[i] = y[i] + 1");
        let event = run(&step, &[(&even).into(), (&even).into()]);
        event.wait().unwrap();
        assert_eq!(values::<f32>(&x), [1.0, 1.0, 3.0, 3.0, 5.0, 5.0, 6.0, 7.0, 9.0, 9.0]);
        // Read only.
        let sum = kernel(queue, "float *z, float *x", "z[i] = x[i]");
        let z = zeros(queue, &[5], Order::C);
        run(&sum, &[(&z).into(), (&even).into()]);
        assert_eq!(values::<f32>(&z), [1.0, 3.0, 5.0, 6.0, 9.0]);
    });
}

#[test]
fn arrays_without_gaps_are_walked_in_the_first_one_s_order() {
    on_each_queue(|queue| {
        let number = kernel(queue, "float *z, float *x", "z[i] = i + 100 * x[i]");
        let x = array(queue, &[2, 3], &[1_f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let z = zeros(queue, &[2, 3], Order::F);
        run(&number, &[(&z).into(), (&x).into()]);
        assert_eq!(values::<f32>(&z), [100.0, 202.0, 304.0, 401.0, 503.0, 605.0]);
    });
}

#[test]
fn arrays_may_have_other_sizes_than_the_first() {
    on_each_queue(|queue| {
        let look_up =
            kernel(queue, "float *z, const int *place, const float *table", "z[i] = table[place[i]]");
        let (z, place) = (zeros(queue, &[4], Order::C), array(queue, &[4], &[2_i32, 0, 2, 1]));
        let table = array(queue, &[6], &[5_f32, 0.0, 6.0, 0.0, 7.0, 0.0]).index(&[every(2)]).unwrap();
        run(&look_up, &[(&z).into(), (&place).into(), (&table).into()]);
        assert_eq!(values::<f32>(&z), [7.0, 5.0, 7.0, 6.0]);
    });
}

#[test]
fn spans_number_the_elements() {
    on_each_queue(|queue| {
        let mark = kernel(queue, "float *z", "z[i] += start + 10 * stop + 100 * step");
        for (start, stop, step) in
            [(2, 9, 1), (2, 9, 3), (1, 2, 5), (9, 2, -1), (8, -1, -3), (3, 3, 1), (5, 2, 1)]
        {
            let z = zeros(queue, &[10], Order::C);
            let span = Span { start, stop, step };
            // SAFETY: the spans lie inside of the array.
            unsafe { mark.run(&[(&z).into()], Some(span), None, &[]) }.unwrap();
            let mut expected = [0.0; 10];
            let mut i = start;
            while if step > 0 { i < stop } else { i > stop } {
                expected[i as usize] = (start + 10 * stop + 100 * step) as f32;
                i += step;
            }
            assert_eq!(values::<f32>(&z), expected, "{span:?}");
        }
        let z = zeros(queue, &[2], Order::C);
        // SAFETY: nothing is run.
        let nowhere =
            unsafe { mark.run(&[(&z).into()], Some(Span { start: 0, stop: 1, step: 0 }), None, &[]) };
        assert!(matches!(nowhere, Err(Error::ZeroStep)));
    });
    assert_eq!(Span { start: i64::MIN, stop: i64::MAX, step: 1 }.count().unwrap(), usize::MAX);
    assert_eq!(Span { start: i64::MAX, stop: i64::MIN, step: i64::MIN }.count().unwrap(), 2);
}

#[test]
fn text_around_the_loop_is_used() {
    on_each_queue(|queue| {
        let mut snippet = Snippet::new("float *z, float *end", "z[i] = twice(base)").unwrap();
        snippet.preamble = "static float twice(const float x) { return 2 * x; }".to_owned();
        snippet.before_loop = "const float base = 4".to_owned();
        snippet.after_loop = "if (get_global_id(0) == 0) end[0] = n".to_owned();
        snippet.name = "around".to_owned();
        let around = ElementwiseKernel::new(queue.context(), snippet);
        let (z, end) = (zeros(queue, &[3], Order::C), zeros(queue, &[1], Order::C));
        run(&around, &[(&z).into(), (&end).into()]);
        let built = around.kernel(queue.device(), false).unwrap();
        assert_eq!((built.name(), built.arity()), ("around", 5));
        assert_eq!(values::<f32>(&z), [8.0; 3]);
        assert_eq!(values::<f32>(&end), [3.0]);
    });
}

#[test]
fn what_does_not_fit_is_refused() {
    on_each_queue(|queue| {
        let scale = kernel(queue, "float a, float *x", "x[i] *= a");
        let x = ramp(queue, &[3]);
        let refused = |values: &[Value<'_>]| {
            // SAFETY: nothing is run.
            unsafe { scale.run(values, None, None, &[]) }.unwrap_err().to_string()
        };
        assert_eq!(refused(&[(&x).into()]), "`elementwise` has 2 arguments, 1 were given");
        assert_eq!(refused(&[1.into(), 2.into()]), Error::NoArrays.to_string());
        assert_eq!(
            refused(&[(&x).into(), (&x).into()]),
            "the argument `float a` needs a value of that type, not an array"
        );
        let integers = array(queue, &[3, 2], &[1_i32, 2, 3, 4, 5, 6]);
        let gaps = integers.index(&[Index::FULL, Index::At(1)]).unwrap();
        let message = refused(&[1.into(), (&gaps).into()]);
        assert!(
            message.starts_with("the argument `float x` needs an array of that type, or one of"),
            "{message}"
        );
        assert!(message.ends_with("not an array of int32 with gaps"), "{message}");
        let taken = Snippet::new("float *i", "").unwrap().source(DeviceClass::Gpu, false);
        assert!(taken.unwrap_err().to_string().contains("number of that name"));
        let unbound = x.with_queue(None).unwrap();
        assert_eq!(refused(&[1.into(), (&unbound).into()]), Error::NoQueue.to_string());
    });
}

fn sum_of_products(queue: &CommandQueue) -> ReductionKernel {
    let products = Snippet::new("float a, float *x, float *y", "a * x[i] * y[i]").unwrap();
    let sum = Folding {
        type_name: "float".to_owned(),
        dtype: DType::F32,
        neutral: "0".to_owned(),
        reduce: "a + b".to_owned(),
    };
    ReductionKernel::new(queue.context(), products, sum, BuildOptions::default())
}

#[test]
fn reductions_take_every_element_once() {
    on_each_queue(|queue| {
        let dot = sum_of_products(queue);
        for size in limits::bearable(queue.device(), &[0, 1, 63, 64, 300, 5000, 40_000]) {
            let numbers: Vec<f32> = (0..size).map(|i| (i % 7) as f32).collect();
            let (x, one) = (array(queue, &[size], &numbers), array(queue, &[size], &vec![1_f32; size]));
            // SAFETY: the arrays have the same size.
            let (sum, event) =
                unsafe { dot.run(&[2.into(), (&x).into(), (&one).into()], None, None, None, &[]) }.unwrap();
            event.wait().unwrap();
            assert_eq!(sum.shape(), [0_usize; 0]);
            assert_eq!(values::<f32>(&sum), [(0..size).map(|i| 2.0 * (i % 7) as f32).sum::<f32>()]);
        }
        let wide = ramp(queue, &[4, 6]);
        let (turned, inside) = (wide.transpose(None).unwrap(), wide.index(&[every(-2), every(2)]).unwrap());
        let (turned, other) = (turned.index(&[every(3), every(2)]).unwrap(), inside.transpose(None).unwrap());
        assert_eq!((turned.shape(), other.shape()), (&[2, 2][..], &[3, 2][..]));
        let output = zeros(queue, &[3], Order::C);
        let place = output.index(&[Index::Slice { start: Some(1), stop: Some(2), step: 1 }]).unwrap();
        let span = Some(Span { start: 3, stop: -1, step: -2 });
        // SAFETY: the span lies inside of the arrays.
        unsafe { dot.run(&[1.into(), (&turned).into(), (&turned).into()], Some(&place), span, None, &[]) }
            .unwrap();
        let squares: Vec<f32> = values::<f32>(&turned).iter().map(|value| value * value).collect();
        assert_eq!(values::<f32>(&output), [0.0, squares[1] + squares[3], 0.0]);
    });
}

#[test]
fn text_of_a_reduction() {
    on_each_queue(|queue| {
        let kernel = sum_of_products(queue);
        let text = kernel.stages()[0].snippet().source(DeviceClass::Gpu, false).unwrap();
        insta::allow_duplicates! { insta::assert_snapshot!("reduction_gpu", text) };
    });
}

#[test]
fn reductions_refuse_what_does_not_fit() {
    on_each_queue(|queue| {
        let (dot, x) = (sum_of_products(queue), ramp(queue, &[3]));
        let refused = |values: &[Value<'_>], output: Option<&Array>| {
            // SAFETY: nothing is run.
            unsafe { dot.run(values, output, None, None, &[]) }.unwrap_err()
        };
        let fits = [1.into(), Value::from(&x), Value::from(&x)];
        assert_eq!(refused(&fits[..2], None).to_string(), "`elementwise_1` has 3 arguments, 2 were given");
        assert!(matches!(refused(&fits, Some(&x)), Error::OutputShape { .. }));
        let integer = array(queue, &[1], &[0_i32]);
        assert!(matches!(refused(&fits, Some(&integer)), Error::OutputDType { .. }));
        assert!(matches!(refused(&[1.into(), 2.into(), 3.into()], None), Error::NoArrays));
    });
}

#[test]
fn text_of_the_kernels() {
    let snippet = Snippet::new("float a, const float *x, float *z", "z[i] = a * x[i]").unwrap();
    for (class, name) in [(DeviceClass::Gpu, "gpu"), (DeviceClass::Cpu, "cpu")] {
        insta::assert_snapshot!(format!("flat_{name}"), snippet.source(class, false).unwrap());
    }
    let mut snippet = Snippet::new("cdouble_t *z", "z[i] = zero").unwrap();
    snippet.preamble = "#define ZERO 0".to_owned();
    snippet.before_loop = "cdouble_t zero = ZERO".to_owned();
    insta::assert_snapshot!("span_gpu", snippet.source(DeviceClass::Gpu, true).unwrap());
}
