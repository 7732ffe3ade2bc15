//! Lesson 1 of arrays: expressions, which are computed in one kernel when they are asked for.
//!
//!     cargo run -p opencl-array --example 01_expressions

use opencl_array::expr::{BinaryOp, Function};
use opencl_array::ops::Lazy;
use opencl_array::{Array, DType, Deferred, Error, Scalar, reduction};
use opencl_runtime::{CommandQueue, Context};

fn main() -> Result<(), Error> {
    let queue = CommandQueue::new(&Context::from_environment()?)?;
    let x = Array::from_slice(&queue, &[1.0_f32, 2.0, 3.0, 4.0])?;
    let y = Array::from_slice(&queue, &[10.0_f32, 20.0, 30.0, 40.0])?;

    // Operators build an expression: nothing runs, but shape and dtype are known. Literals without a suffix are weak, so
    // that the result stays float32; `Scalar::F64(2.0)` would make it float64.
    let expression = &x * 2 + &y * &x - 0.5;
    println!("{:?} of {}", expression.shape(), expression.dtype());
    assert_eq!((expression.shape(), expression.dtype()), (&[4][..], DType::F32));

    // One kernel computes it, into new memory, into an array that exists, or on its way to the host.
    let z = expression.eval(&queue)?;
    assert_eq!(z.to_vec::<f32>()?, [11.5, 43.5, 95.5, 167.5]);
    expression.evaluate_into(&z, None)?;
    assert_eq!((&z / 2).to_vec::<f32>()?, [5.75, 21.75, 47.75, 83.75]);

    // A reduction takes an expression into its kernel.
    let difference = &x - &y;
    let distance = reduction::sum(&difference * &difference, None, None)?;
    println!("squared distance: {:?}", distance.to_vec::<f32>()?);
    assert_eq!(distance.to_vec::<f32>()?, [2430.0]);

    // What has no operator is a method, which tells errors at once. An operator keeps its error for the evaluation.
    let far = Lazy::call(Function::Floor, &[&difference])?.binary(BinaryOp::Less, &(-20).into())?;
    assert_eq!(far.to_vec::<i8>()?, [0, 0, 1, 1]);
    let three = Array::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
    println!("{}", (&x + &three).eval(&queue).unwrap_err());

    // An expression reads its operands when it is computed. A deferred result sees them as they are now: whoever
    // writes one of them has it computed before.
    let later = Deferred::new(&x * 100, &queue)?;
    x.fill(Scalar::WeakInt(0), None)?;
    assert_eq!(later.value()?.to_vec::<f32>()?, [100.0, 200.0, 300.0, 400.0]);
    assert_eq!((&x * 100).to_vec::<f32>()?, [0.0; 4]);
    Ok(())
}
