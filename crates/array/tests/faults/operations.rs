//! The table of operations on arrays. The stub driver runs no kernel, so that values do not count.

use std::borrow::Cow;

use opencl_array::elementwise::{ElementwiseKernel, Folding, ReductionKernel, Snippet};
use opencl_array::expr::{BinaryOp, Function};
use opencl_array::index::{Positions, Subscript, put, take, take_into};
use opencl_array::ops::Lazy;
use opencl_array::random::Generator;
use opencl_array::{
    Array, DType, Deferred, Error, Index, Order, Scalar, join, ops, product, reduction, scan,
};
use opencl_runtime::{BuildOptions, Result};

use crate::bench::Bench;
use crate::sweep::{self, from, operation};

/// Something that a program does with arrays.
pub(crate) type Operation = sweep::Operation<Bench>;

/// What the runtime told; nothing else fails here.
fn told<T>(outcome: opencl_array::Result<T>) -> Result<()> {
    match outcome {
        Ok(_) => Ok(()),
        Err(Error::Runtime(error)) => Err(error),
        Err(other) => panic!("an error of arrays: {other}"),
    }
}

/// Every second element from the second one on.
const GAPS: Index = Index::Slice { start: Some(1), stop: None, step: 2 };

/// Rows. Memory is asked for again when the pool has given back what it holds. Each program is built without correctly
/// rounded divisions if the device does not say that it has them, which is asked after seven other things.
macro_rules! rows {
    ($($name:literal: $run:expr $(, absorbs $function:ident in $calls:expr)?;)*) => {
        &[$(&operation!($name, |bench| {
            let run: fn(&Bench) -> opencl_array::Result<_> = $run;
            told(run(bench))
        }, absorbs clCreateBuffer in from(1), clGetDeviceInfo in from(8) $(, $function in $calls)?)),*]
    };
}

pub(crate) static OPERATIONS: &[&Operation] = rows! {
    "an empty array": |bench| Array::empty(&bench.queue, &[5, 7], DType::F32, Order::C);
    "zeros": |bench| Array::zeros(&bench.queue, &[5, 7], DType::F32, Order::C);
    "a range": |bench| Array::arange(&bench.queue, 0.into(), 9.into(), 1.into(), DType::I32);
    "an array of host memory": |bench| Array::from_slice(&bench.queue, &[1_i32, 2, 3]);
    "read": |bench| bench.a.to_vec::<f32>();
    "read what has gaps": |bench| bench.a.index(&[GAPS, GAPS])?.to_host(Order::C, None);
    "read in another order": |bench| bench.turned.to_host(Order::C, None);
    "read through another queue": |bench| {
        let sum = ops::add(&bench.a, &bench.b, None)?;
        sum.to_host(Order::C, Some(&bench.other))
    };
    "write": |bench| bench.a.write(&[0; 96], Order::C, None);
    "write what has gaps": |bench| bench.a.index(&[GAPS])?.write(&[0; 48], Order::C, None);
    "write in another order": |bench| bench.a.write(&[0; 96], Order::F, Some(&bench.other));
    "fill": |bench| bench.a.fill(Scalar::WeakInt(3), None);
    "copy": |bench| bench.turned.copy(None);
    "copy in an order": |bench| bench.turned.copy_in(Order::C, None);
    "cast": |bench| bench.a.cast(DType::F64, None);
    "assign to a part": |bench| bench.a.index(&[GAPS])?.assign(&bench.b.index(&[Index::At(0)])?, None);
    "sum of two": |bench| ops::add(&bench.a, &bench.b, None);
    "sum of two with another order of elements": |bench| ops::add(&bench.a, &bench.turned, None);
    "sum with a number": |bench| ops::add(&bench.a, Scalar::WeakInt(1), None);
    "product with a row": |bench| ops::multiply(&bench.a, &bench.b.index(&[Index::At(1)])?, None);
    "in place": |bench| ops::binary_into(BinaryOp::Add, &bench.a, &bench.b, &bench.a, None);
    "on another queue, and back": |bench| {
        let sum = ops::add(&bench.a, &bench.b, Some(&bench.other))?;
        ops::add(&sum, &bench.a, Some(&bench.queue))
    };
    "in memory of an array that went": |bench| {
        drop(ops::negative(&bench.a, None)?);
        ops::negative(&bench.b, Some(&bench.other))
    }, absorbs clGetEventInfo in from(1);
    "comparison": |bench| ops::less(&bench.a, &bench.b, None);
    "function": |bench| ops::call(Function::Sqrt, &[(&bench.a).into()], None);
    "expression": |bench| (&bench.a * 2.0 + &bench.b * &bench.a).eval(&bench.queue);
    "expression stored": |bench| (&bench.a - &bench.b).evaluate_into(&bench.turned, None);
    "deferred expression": |bench| {
        let deferred = Deferred::new(&bench.a - &bench.b, &bench.queue)?;
        bench.a.fill(Scalar::WeakInt(0), None)?;
        deferred.value()?.to_vec::<f32>()
    };
    "choice": |bench| ops::if_positive(&bench.a, &bench.b, Lazy::scalar(Scalar::WeakInt(0)))?.evaluate(None);
    "sum": |bench| reduction::sum(&bench.a, None, None)?.to_vec::<f32>();
    "sum of many": |bench| reduction::sum(&bench.long, None, None)?.to_vec::<f32>();
    "maximum of an expression": |bench| reduction::max(&bench.a - &bench.b, None);
    "any": |bench| reduction::any(&bench.mask, None);
    "inner product": |bench| product::dot(&bench.long, &bench.long, None, None);
    "cumulative sum": |bench| scan::cumsum(&bench.long, None, None);
    "elements at positions": |bench| {
        bench.a.get_at(&[Subscript::Positions(Positions::Device(&bench.positions))], None)
    };
    "elements at positions of the host": |bench| {
        let values = Cow::Borrowed(&[1_i64, 0][..]);
        bench.a.get_at(&[Subscript::Positions(Positions::Host { shape: [2][..].into(), values })], None)
    };
    "elements under a mask": |bench| bench.a.get_at(&[Subscript::Mask(&bench.mask)], None);
    "set elements at positions": |bench| {
        let positions = Subscript::Positions(Positions::Device(&bench.positions));
        bench.a.set_at(&[positions], Scalar::WeakInt(1), None)
    };
    "set elements under a mask": |bench| {
        bench.a.set_at(&[Subscript::Mask(&bench.mask)], Scalar::WeakInt(1), None)
    };
    "take": |bench| take(&bench.long, &Positions::Device(&bench.positions), None);
    "take into": |bench| {
        let output = Array::empty(&bench.queue, &[4], DType::F32, Order::C)?;
        take_into(&bench.long, &Positions::Device(&bench.positions), &output, None)
    };
    "put": |bench| {
        let values = bench.long.index(&[Index::Slice { start: None, stop: Some(4), step: 1 }])?;
        put(&bench.long, &bench.positions, &values, None, None)
    };
    "concatenate": |bench| join::concatenate(&[&bench.a, &bench.turned], 0, None, None);
    "differences": |bench| join::diff(&bench.long, None);
    "uniform numbers": |bench| Generator::from_seed(7).uniform(&bench.queue, &[100], DType::F32, 0.0, 1.0);
    "normal numbers": |bench| Generator::from_seed(7).normal(&bench.queue, &[100], DType::F64, 0.0, 1.0);
    "snippet": |bench| {
        let snippet = Snippet::new("float *x, float *y", "x[i] = 2 * y[i]")?;
        let kernel = ElementwiseKernel::new(&bench.context, snippet);
        // SAFETY: the arrays have the same size.
        unsafe { kernel.run(&[(&bench.a).into(), (&bench.turned).into()], None, None, &[]) }
    };
    "reduction of a snippet": |bench| {
        let sum = Folding {
            type_name: "float".to_owned(),
            dtype: DType::F32,
            neutral: "0".to_owned(),
            reduce: "a + b".to_owned(),
        };
        let squares = Snippet::new("float *x", "x[i] * x[i]")?;
        let kernel = ReductionKernel::new(&bench.context, squares, sum, BuildOptions::default());
        // SAFETY: the snippet reads the elements of its array.
        unsafe { kernel.run(&[(&bench.long).into()], None, None, None, &[]) }
    };
    "events of memory": |bench| {
        drop(ops::add(&bench.a, &bench.b, None)?);
        bench.a.storage().events()?;
        bench.a.storage().finish()
    }, absorbs clGetEventInfo in from(1);
    "memory that was handed out": |bench| {
        bench.a.storage().expose();
        let sum = ops::add(&bench.a, &bench.b, None)?;
        bench.other.finish()?;
        sum.to_vec::<f32>()
    };
};
