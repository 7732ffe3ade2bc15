//! Random numbers, the same on every device: a generator is a key and a counter, and each element of what it
//! fills follows from its index.
//!
//! The words come from Philox4x32-10 (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random
//! numbers: as easy as 1, 2, 3", SC 2011), in `kernels/uniform.cl`.

use std::sync::{Mutex, PoisonError};

use opencl_runtime::CommandQueue;

use crate::array::{Array, check_context};
use crate::dtype::{ArgBytes, DType, Kind, Scalar};
use crate::error::{Error, Result};
use crate::launch::{fill, generator_width};
use crate::layout::Order;

/// A generator of random numbers. Threads may share it: each fill takes counters of its own.
///
/// ```
/// use opencl_array::random::Philox;
/// use opencl_array::DType;
/// use opencl_runtime::{CommandQueue, Context};
///
/// # fn main() -> Result<(), opencl_array::Error> {
/// let queue = CommandQueue::new(&Context::from_environment()?)?;
/// let dice = Philox::from_seed(7).uniform(&queue, &[1000], DType::I32, 1, 7)?.to_vec::<i32>()?;
/// assert!(dice.iter().all(|eyes| (1..7).contains(eyes)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Philox {
    key: [u32; 2],
    /// Of the next block of four words.
    counter: Mutex<u128>,
}

impl Philox {
    /// The generator of a key, from a counter on; both in words, the lowest first. Generators of different keys
    /// are independent, and so are those of one key whose counters do not meet.
    #[must_use]
    pub fn new(key: [u32; 2], counter: [u32; 4]) -> Self {
        let counter = counter.iter().rev().fold(0, |counter, &word| counter << 32 | u128::from(word));
        Self { key, counter: Mutex::new(counter) }
    }

    /// The generator whose key is this number, from counter 0 on.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self::new([seed as u32, (seed >> 32) as u32], [0; 4])
    }

    /// An array of uniformly distributed numbers, see [`Philox::fill_uniform`].
    ///
    /// # Errors
    /// As [`Array::empty`] and [`Philox::fill_uniform`].
    pub fn uniform(
        &self,
        queue: &CommandQueue,
        shape: &[usize],
        dtype: DType,
        low: impl Into<Scalar>,
        high: impl Into<Scalar>,
    ) -> Result<Array> {
        let array = Array::empty(queue, shape, dtype, Order::C)?;
        self.fill_uniform(&array, low, high, None)?;
        Ok(array)
    }

    /// Fills an array, in C order of its elements, with uniformly distributed numbers from `low` on and below
    /// `high`. Floating-point numbers may round to `high`; integers are equally probable but for one in 2³².
    ///
    /// The dtypes are those of 32 and 64 bits, floating point and signed.
    ///
    /// # Errors
    /// [`Error::Undefined`] for other dtypes; [`Error::Range`] if there is no such number, or the distance of the
    /// bounds is not finite; [`Error::NoFp64`]; [`Error::NoQueue`]; [`Error::DifferentContexts`]; what the launch
    /// gives.
    pub fn fill_uniform(
        &self,
        output: &Array,
        low: impl Into<Scalar>,
        high: impl Into<Scalar>,
        queue: Option<&CommandQueue>,
    ) -> Result<()> {
        let queue = queue.or(output.queue()).ok_or(Error::NoQueue)?;
        check_context(output.storage(), queue)?;
        let dtype = output.dtype();
        let [low, range] = bounds(dtype, low.into(), high.into())?;
        let size = output.layout().size();
        if size == 0 {
            return Ok(());
        }
        if !output.layout().is_c_contiguous() {
            let numbers = Array::empty(queue, output.shape(), dtype, Order::C)?;
            self.launch(queue, &numbers, low, range)?;
            return output.assign(&numbers, Some(queue));
        }
        self.launch(queue, output, low, range)
    }

    fn launch(&self, queue: &CommandQueue, output: &Array, low: ArgBytes, range: ArgBytes) -> Result<()> {
        let kernels = output.storage().kernels();
        let profile = kernels.profile(queue.device())?;
        let compiled = kernels.uniform(output.dtype(), queue, profile)?;
        let size = output.layout().size();
        let counter = self.take(size.div_ceil(compiled.items));
        let [key_low, key_high] = self.key.map(|word| ArgBytes::new(&word.to_ne_bytes()));
        let [low_half, high_half] =
            [counter, counter >> 64].map(|half| ArgBytes::new(&(half as u64).to_ne_bytes()));
        let numbers = [key_low, key_high, low_half, high_half, low, range];
        fill(queue, profile, &compiled, output, &numbers, generator_width(profile, compiled.items, size))
    }

    /// Takes the counters of so many blocks: the first of them.
    fn take(&self, blocks: usize) -> u128 {
        let mut counter = self.counter.lock().unwrap_or_else(PoisonError::into_inner);
        let first = *counter;
        *counter = first.wrapping_add(blocks as u128);
        first
    }
}

/// Elements that one block of four words makes.
pub(crate) fn block(dtype: DType) -> Option<usize> {
    match dtype {
        DType::F32 => Some(4),
        DType::F64 | DType::I32 => Some(2),
        DType::I64 => Some(1),
        _ => None,
    }
}

/// The arguments `low` and `range` of the kernel.
fn bounds(dtype: DType, low: Scalar, high: Scalar) -> Result<[ArgBytes; 2]> {
    let nothing = || Error::Range { low: low.as_float(), high: high.as_float(), dtype };
    if block(dtype).is_none() {
        return Err(Error::Undefined { operation: "a uniform distribution", dtypes: vec![dtype] });
    }
    if dtype.kind() == Kind::Float {
        let range = high.as_float() - low.as_float();
        let fits = |value: f64| value.is_finite() && (dtype == DType::F64 || (value as f32).is_finite());
        if !(fits(low.as_float()) && fits(range)) {
            return Err(nothing());
        }
        let [low, range] = [low.as_float(), range].map(|value| Scalar::F64(value).cast(dtype));
        return Ok([low?.arg_bytes(), range?.arg_bytes()]);
    }
    // The first number and the one after the last.
    let whole = |bound: Scalar| bound.as_integer().unwrap_or(bound.as_float().ceil() as i128);
    let (first, end) = (whole(low), whole(high));
    if first >= end || !(low.as_float().is_finite() && high.as_float().is_finite()) {
        return Err(nothing());
    }
    Scalar::WeakInt(end - 1).cast(dtype)?;
    // All numbers of 64 bits are 0 here.
    let range = (end - first) as u64;
    Ok([Scalar::WeakInt(first).cast(dtype)?.arg_bytes(), ArgBytes::new(&range.to_ne_bytes())])
}
