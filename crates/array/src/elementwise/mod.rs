//! Snippets of OpenCL C as kernels: what is done with each element is text of the caller's.
//!
//! ```
//! use opencl_array::elementwise::{ElementwiseKernel, Snippet};
//! use opencl_array::{Array, DType, Order};
//! use opencl_runtime::{CommandQueue, Context};
//!
//! # fn main() -> Result<(), opencl_array::Error> {
//! let queue = CommandQueue::new(&Context::from_environment()?)?;
//! let x = Array::from_slice(&queue, &[1_f32, 2.0, 3.0])?;
//! let z = Array::zeros(&queue, &[3], DType::F32, Order::C)?;
//! let snippet = Snippet::new("float a, const float *x, float *z", "z[i] = a * x[i] + i")?;
//! let kernel = ElementwiseKernel::new(queue.context(), snippet);
//! // SAFETY: the snippet uses elements `i` alone, and the arrays have the same size.
//! unsafe { kernel.run(&[2.into(), (&x).into(), (&z).into()], None, Some(&queue), &[])? };
//! assert_eq!(z.to_vec::<f32>()?, [2.0, 5.0, 8.0]);
//! # Ok(())
//! # }
//! ```

mod reduction;
mod snippet;
mod usage;

use std::sync::OnceLock;

use opencl_runtime::constants::KernelWorkGroupInfo;
use opencl_runtime::{Arg, BuildOptions, Context, Device, Kernel, cache};

use crate::array::Array;
use crate::dtype::Scalar;
use crate::error::{Error, Result};
use crate::kernels::Profile;
use crate::per_context::PerContext;
use crate::plan::DeviceClass;

pub use reduction::{Folding, ReductionKernel};
pub use snippet::{Parameter, ParameterKind, Snippet, Span};

/// A snippet as a kernel of a context, built at its first use and found again in the program cache.
///
/// Within the snippet `i` is the number of the element and `n` how many there are: as many as the first array
/// among the arguments has. Over a [`Span`], `i` runs through that, and `start`, `stop` and `step` tell it. Every
/// array is a pointer to its first element, so that `x[i]` is element number `i`. `PYOPENCL_ELWISE_CONTINUE` goes on
/// to the next element. Elements are computed at the same time, in no order.
///
/// `i` counts elements in the order of the first array's memory: in Fortran's order if it has no gaps in that
/// order, else in C's. Arrays of the same shape that lie in memory otherwise, and all that have gaps, are copied
/// for the kernel, and copied back if the snippet may write them. An array of another shape without gaps is passed
/// as it is. So is one whose dtype is not the parameter's: the snippet has its memory, in elements of the declared
/// type (`float4 *v` for `float32` elements); with gaps it is refused.
#[derive(Debug)]
pub struct ElementwiseKernel {
    context: Context,
    snippet: Snippet,
    options: BuildOptions,
    /// Which arrays the snippet may write, by parameter.
    written: Vec<bool>,
    /// By class of device, without and with a span.
    built: [OnceLock<Built>; 4],
}

/// A kernel with the work-group size it is launched with.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) kernel: Kernel,
    pub(crate) group: usize,
}

/// An argument for a parameter of a snippet.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// An array.
    Array(&'a Array),
    /// A number, which is converted to the parameter's type.
    Scalar(Scalar),
    /// Whatever else kernels take: the bytes of a vector or struct, an image.
    Other(Arg<'a>),
}

impl<'a> From<&'a Array> for Value<'a> {
    fn from(array: &'a Array) -> Self {
        Self::Array(array)
    }
}

impl<'a> From<Arg<'a>> for Value<'a> {
    fn from(arg: Arg<'a>) -> Self {
        Self::Other(arg)
    }
}

impl<T: Into<Scalar>> From<T> for Value<'_> {
    fn from(scalar: T) -> Self {
        Self::Scalar(scalar.into())
    }
}

impl Value<'_> {
    /// What it is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Array(_) => "an array",
            Self::Scalar(_) => "a number",
            Self::Other(_) => "something else",
        }
    }
}

impl ElementwiseKernel {
    /// The kernel of a snippet. Nothing is built yet.
    #[must_use]
    pub fn new(context: &Context, snippet: Snippet) -> Self {
        Self::with_options(context, snippet, BuildOptions::default())
    }

    /// The same with options for the compiler.
    #[must_use]
    pub fn with_options(context: &Context, snippet: Snippet, options: BuildOptions) -> Self {
        let written = snippet.written();
        Self { context: context.clone(), snippet, options, written, built: Default::default() }
    }

    /// The snippet.
    #[must_use]
    pub fn snippet(&self) -> &Snippet {
        &self.snippet
    }

    /// The context.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The kernel as it is launched on a device of the context, with a span or without.
    ///
    /// Its arguments are those of the snippet (of an array its memory and, [with offset](ParameterKind::Array), the
    /// offset in bytes as an `i64`), then `n`, or `start`, `stop` and `step`, as `i64`s. It may be launched with any
    /// one-dimensional sizes.
    ///
    /// # Errors
    /// [`Error::NoFp64`]; what the build gives.
    pub fn kernel(&self, device: &Device, spanned: bool) -> Result<Kernel> {
        let profile = PerContext::of(&self.context).kernels.profile(device)?;
        Ok(self.built(device, profile, spanned)?.kernel.clone())
    }

    /// Whether the kernel, with a span or without, is built already for some device.
    #[must_use]
    pub fn is_built(&self, spanned: bool) -> bool {
        let spanned = usize::from(spanned);
        self.built[spanned].get().is_some() || self.built[2 + spanned].get().is_some()
    }

    /// The text of the kernel for a device.
    ///
    /// # Errors
    /// As [`Snippet::source`]; what asking the device gives.
    pub fn source(&self, device: &Device, spanned: bool) -> Result<String> {
        let profile = PerContext::of(&self.context).kernels.profile(device)?;
        self.snippet.source(profile.class, spanned)
    }

    pub(crate) fn built(&self, device: &Device, profile: Profile, spanned: bool) -> Result<&Built> {
        let place = &self.built[2 * (profile.class as usize) + usize::from(spanned)];
        if let Some(built) = place.get() {
            return Ok(built);
        }
        let dtypes = self.snippet.parameters.iter().filter_map(|parameter| parameter.dtype);
        if let Some(dtype) = dtypes.into_iter().find(|dtype| dtype.needs_fp64())
            && !profile.fp64
        {
            return Err(Error::NoFp64 { dtype, device: device.name()? });
        }
        let text = self.snippet.source(profile.class, spanned)?;
        log::debug!("building {}\n{text}", self.options);
        let kernel = cache::build(&self.context, &text, &self.options)?.kernel(&self.snippet.name)?;
        let group = match profile.class {
            DeviceClass::Cpu => 1,
            DeviceClass::Gpu => {
                let answer = kernel.work_group_info(KernelWorkGroupInfo::WORK_GROUP_SIZE.0, device)?;
                let most = answer.first().map_or(1, |&most| most.max(1));
                1 << u32::from(profile.group_bits).min(most.ilog2())
            }
        };
        // Two threads may build the same: either is right.
        Ok(place.get_or_init(|| Built { kernel, group }))
    }

    /// Whether the snippet may write the array that is its parameter number `place`.
    pub(crate) fn writes(&self, place: usize) -> bool {
        self.written[place]
    }
}
