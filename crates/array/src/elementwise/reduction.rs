//! Reductions whose expressions are text of the caller's: a snippet that keeps a value in each work-item, done for
//! all elements, then once more for the results of the groups.

use opencl_runtime::{BuildOptions, Context};

use super::{ElementwiseKernel, Parameter, ParameterKind, Snippet};
use crate::codegen::template::render;
use crate::dtype::DType;

/// A reduction by text of OpenCL C. Sums of products, for instance:
///
/// ```
/// use opencl_array::elementwise::{Folding, ReductionKernel, Snippet};
/// use opencl_array::{Array, DType};
/// use opencl_runtime::{BuildOptions, CommandQueue, Context};
///
/// # fn main() -> Result<(), opencl_array::Error> {
/// let queue = CommandQueue::new(&Context::from_environment()?)?;
/// let x = Array::from_slice(&queue, &[1_f32, 2.0, 3.0])?;
/// let products = Snippet::new("float *x, float *y", "x[i] * y[i]")?;
/// let sum = Folding { type_name: "float".into(), dtype: DType::F32, neutral: "0".into(), reduce: "a + b".into() };
/// let dot = ReductionKernel::new(queue.context(), products, sum, BuildOptions::default());
/// // SAFETY: the expressions use elements `i` alone, and the arrays have the same size.
/// let (result, _) = unsafe { dot.run(&[(&x).into(), (&x).into()], None, None, Some(&queue), &[])? };
/// assert_eq!(result.to_vec::<f32>()?, [14.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ReductionKernel {
    /// Of the elements, then of the results.
    pub(crate) stages: [ElementwiseKernel; 2],
    pub(crate) dtype: DType,
    /// The most work-items of a group.
    pub(crate) group: usize,
}

/// How values become one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Folding {
    /// The name of the values' type in OpenCL C.
    pub type_name: String,
    /// Their dtype.
    pub dtype: DType,
    /// The value that changes nothing, which is the result for no elements.
    pub neutral: String,
    /// The value of two values `a` and `b`; in which order they come is not told.
    pub reduce: String,
}

/// Bytes of local memory that a group takes.
const LOCAL_BYTES: usize = 16384;

impl ReductionKernel {
    /// The reduction of the values that a snippet, whose operation is an expression, has for its elements. In it, `i`
    /// and the other names are those of [`ElementwiseKernel`]; the name is that of the kernels, with a number.
    #[must_use]
    pub fn new(context: &Context, map: Snippet, folding: Folding, options: BuildOptions) -> Self {
        let group = (LOCAL_BYTES / folding.dtype.size().max(1)).clamp(1, 256);
        let group = 1 << group.ilog2();
        let parameter = |name: &str| Parameter {
            kind: ParameterKind::Array { with_offset: true },
            type_name: folding.type_name.clone(),
            name: name.to_owned(),
            dtype: Some(folding.dtype),
            size: Some(folding.dtype.size()),
        };
        let stage = |map: &Snippet, number: usize| {
            let values = [("map", map.operation.clone()), ("reduce", folding.reduce.clone())];
            let mut parameters = map.parameters.clone();
            parameters.push(parameter("reduction_result"));
            let operation = render(include_str!("../../kernels/snippet_reduction_step.cl"), &values);
            let snippet = Snippet {
                parameters,
                operation,
                name: format!("{}_{number}", map.name),
                preamble: format!(
                    "{}\n#define REDUCTION_GROUP {group}\ntypedef {} reduction_t;",
                    map.preamble, folding.type_name
                ),
                before_loop: format!(
                    "{}\nreduction_t reduction_value = {}",
                    map.before_loop, folding.neutral
                ),
                after_loop: render(include_str!("../../kernels/snippet_reduction.cl"), &values),
            };
            ElementwiseKernel::with_options(context, snippet, options.clone())
        };
        let mut again = map.clone();
        again.parameters = vec![parameter("reduction_partial")];
        again.operation = "reduction_partial[i]".to_owned();
        Self { stages: [stage(&map, 1), stage(&again, 2)], dtype: folding.dtype, group }
    }

    /// The kernels, as snippets: of the elements, and of the groups' results.
    #[must_use]
    pub fn stages(&self) -> &[ElementwiseKernel; 2] {
        &self.stages
    }

    /// The dtype of the result.
    #[must_use]
    pub fn dtype(&self) -> DType {
        self.dtype
    }
}
