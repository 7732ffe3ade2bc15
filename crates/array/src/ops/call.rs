//! Functions of elements.

use opencl_runtime::CommandQueue;
use smallvec::SmallVec;

use crate::array::{Array, Operand};
use crate::dtype::DType;
use crate::error::Result;
use crate::evaluate::{Eager, evaluate, queue_for};
use crate::expr::{Expr, Function};
use crate::policy;

/// `function(operands)` in a new array, with broadcasting; scalars take their part as in NumPy 2.
///
/// ```
/// use opencl_array::expr::Function;
/// use opencl_array::{Array, Scalar, ops};
/// use opencl_runtime::{CommandQueue, Context};
///
/// # fn main() -> Result<(), opencl_array::Error> {
/// let queue = CommandQueue::new(&Context::from_environment()?)?;
/// let x = Array::from_slice(&queue, &[0_f32, 1.0, 4.0])?;
/// let roots = ops::call(Function::Sqrt, &[(&x).into()], None)?;
/// assert_eq!(roots.to_vec::<f32>()?, [0.0, 1.0, 2.0]);
/// let doubled = ops::call(Function::Ldexp, &[(&x).into(), Scalar::WeakInt(1).into()], None)?;
/// assert_eq!(doubled.to_vec::<f32>()?, [0.0, 2.0, 8.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`super::binary`]; [`crate::Error::Undefined`] for another number of operands than the function takes.
pub fn call(function: Function, operands: &[Operand<'_>], queue: Option<&CommandQueue>) -> Result<Array> {
    let beside = operands.iter().find_map(|operand| Some(operand.array()?.dtype()));
    let operands = operands
        .iter()
        .map(|&operand| match (operand, beside) {
            (Operand::Scalar(scalar), Some(dtype)) => {
                scalar.cast(policy::function_scalar(function, dtype, scalar)).map(Operand::Scalar)
            }
            (Operand::Scalar(scalar), None) => scalar.cast(scalar.dtype()).map(Operand::Scalar),
            _ => Ok(operand),
        })
        .collect::<Result<SmallVec<[Operand<'_>; 2]>>>()?;
    let dtypes: SmallVec<[DType; 2]> = operands.iter().map(Operand::dtype).collect();
    let types = policy::function(function, &dtypes)?;
    let queue = queue_for(queue, &operands)?;
    evaluate(queue, Some(Eager::Call(function)), &operands, types.result, || {
        let mut expr = Expr::new();
        let leaves: SmallVec<[_; 2]> = operands
            .iter()
            .map(|operand| match operand {
                Operand::Array(array) => expr.array(array.dtype()),
                Operand::Scalar(scalar) => expr.scalar(scalar.dtype()),
            })
            .collect();
        expr.call(function, &leaves)?;
        Ok(expr)
    })
}
