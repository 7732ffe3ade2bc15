//! Random numbers, the same on every device: a generator is a key and a counter, and each element of what it
//! fills follows from its index.
//!
//! The words come from Philox4x32-10 or Threefry4x32-20 (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw,
//! "Parallel random numbers: as easy as 1, 2, 3", SC 2011), in `kernels/random`. Normally distributed numbers are
//! made by inversion (M. J. Wichura, "Algorithm AS 241", Applied Statistics 37, 1988), of operations that are
//! exact or correctly rounded: they have the same bits on all devices that round division and square root
//! correctly, as they must in double precision.

mod text;

use std::sync::{Mutex, PoisonError};

use opencl_runtime::{CommandQueue, Context, Kernel};

use crate::array::{Array, check_context};
use crate::dtype::{ArgBytes, DType, Kind, Scalar};
use crate::error::{Error, Result};
use crate::launch::{fill, generator_width};
use crate::layout::Order;
use crate::per_context::PerContext;
pub(crate) use text::Numbers;

/// How a generator makes words of its key and counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Philox4x32-10, whose key has two words.
    Philox,
    /// Threefry4x32-20, whose key has four words.
    Threefry,
}

/// How numbers are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distribution {
    /// Equally, over a range.
    Uniform,
    /// Normally, around a mean.
    Normal,
}

/// A generator of random numbers. Threads may share it: each fill takes counters of its own.
///
/// ```
/// use opencl_array::random::Generator;
/// use opencl_array::DType;
/// use opencl_runtime::{CommandQueue, Context};
///
/// # fn main() -> Result<(), opencl_array::Error> {
/// let queue = CommandQueue::new(&Context::from_environment()?)?;
/// let dice = Generator::from_seed(7).uniform(&queue, &[1000], DType::I32, 1, 7)?.to_vec::<i32>()?;
/// assert!(dice.iter().all(|eyes| (1..7).contains(eyes)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Generator {
    algorithm: Algorithm,
    /// Philox uses the first two words.
    key: [u32; 4],
    /// Of the next block of four words.
    counter: Mutex<u128>,
}

impl Generator {
    /// Philox of a key, from a counter on; both in words, the lowest first. Generators of different keys are
    /// independent, and so are those of one key whose counters do not meet.
    #[must_use]
    pub fn philox(key: [u32; 2], counter: [u32; 4]) -> Self {
        Self::of(Algorithm::Philox, [key[0], key[1], 0, 0], counter)
    }

    /// Threefry of a key, from a counter on, as [`Generator::philox`].
    #[must_use]
    pub fn threefry(key: [u32; 4], counter: [u32; 4]) -> Self {
        Self::of(Algorithm::Threefry, key, counter)
    }

    /// Philox whose key is this number, from counter 0 on.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self::philox([seed as u32, (seed >> 32) as u32], [0; 4])
    }

    fn of(algorithm: Algorithm, key: [u32; 4], counter: [u32; 4]) -> Self {
        let counter = counter.iter().rev().fold(0, |counter, &word| counter << 32 | u128::from(word));
        Self { algorithm, key, counter: Mutex::new(counter) }
    }

    /// The counter of the next block, in words, the lowest first.
    #[must_use]
    pub fn counter(&self) -> [u32; 4] {
        let counter = *self.counter.lock().unwrap_or_else(PoisonError::into_inner);
        [0, 32, 64, 96].map(|bits| (counter >> bits) as u32)
    }

    /// An array of uniformly distributed numbers, see [`Generator::fill_uniform`].
    ///
    /// # Errors
    /// As [`Array::empty`] and [`Generator::fill_uniform`].
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
    /// The dtypes are the floating-point and integer ones, and vectors of those, whose components are drawn one
    /// after the other (of three, four are).
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
        self.fill(Distribution::Uniform, output, [low.into(), high.into()], queue)
    }

    /// An array of normally distributed numbers, see [`Generator::fill_normal`].
    ///
    /// # Errors
    /// As [`Array::empty`] and [`Generator::fill_normal`].
    pub fn normal(
        &self,
        queue: &CommandQueue,
        shape: &[usize],
        dtype: DType,
        mean: impl Into<Scalar>,
        deviation: impl Into<Scalar>,
    ) -> Result<Array> {
        let array = Array::empty(queue, shape, dtype, Order::C)?;
        self.fill_normal(&array, mean, deviation, None)?;
        Ok(array)
    }

    /// Fills an array, in C order of its elements, with normally distributed numbers of this mean and standard
    /// deviation, of a floating-point dtype or vectors of one.
    ///
    /// Each follows from its own word or, in double precision, two words, by the inverse of the distribution
    /// function, so that it lies within 6.4 deviations of the mean (in double precision 9.1). Half precision is
    /// rounded from single.
    ///
    /// # Errors
    /// As [`Generator::fill_uniform`].
    pub fn fill_normal(
        &self,
        output: &Array,
        mean: impl Into<Scalar>,
        deviation: impl Into<Scalar>,
        queue: Option<&CommandQueue>,
    ) -> Result<()> {
        let parameters = [mean.into(), deviation.into()];
        self.fill(Distribution::Normal, output, parameters, queue)
    }

    fn fill(
        &self,
        distribution: Distribution,
        output: &Array,
        parameters: [Scalar; 2],
        queue: Option<&CommandQueue>,
    ) -> Result<()> {
        let queue = queue.or(output.queue()).ok_or(Error::NoQueue)?;
        check_context(output.storage(), queue)?;
        let dtype = match output.dtype() {
            DType::Vector(vector) => vector.element(),
            other => other,
        };
        let numbers = Numbers { algorithm: self.algorithm, distribution, dtype };
        let parameters = arguments(numbers, parameters)?;
        if output.layout().size() == 0 {
            return Ok(());
        }
        if !(output.layout().is_c_contiguous() && output.layout().is_aligned()) {
            let flat = Array::empty(queue, output.shape(), output.dtype(), Order::C)?;
            self.launch(queue, &numbers_of(&flat, dtype)?, numbers, parameters)?;
            return output.assign(&flat, Some(queue));
        }
        self.launch(queue, &numbers_of(output, dtype)?, numbers, parameters)
    }

    fn launch(
        &self,
        queue: &CommandQueue,
        output: &Array,
        numbers: Numbers,
        [first, second]: [ArgBytes; 2],
    ) -> Result<()> {
        let kernels = output.storage().kernels();
        let profile = kernels.profile(queue.device())?;
        let compiled = kernels.random(numbers, queue.context(), queue.device())?;
        let size = output.layout().size();
        let counter = self.take(size.div_ceil(compiled.items));
        let word = |place: usize| u64::from(self.key[place]);
        let numbers =
            [word(1) << 32 | word(0), word(3) << 32 | word(2), counter as u64, (counter >> 64) as u64];
        let [key_low, key_high, low, high] = numbers.map(|number| ArgBytes::new(&number.to_ne_bytes()));
        let width = generator_width(profile, compiled.items, size);
        fill(queue, profile, &compiled, output, &[key_low, key_high, low, high, first, second], width)
    }

    /// The kernel that fills memory with numbers of a dtype on the first device of a context, and how many each
    /// block of four words makes. Its arguments are those of `kernels/random/fill.cl`.
    ///
    /// # Errors
    /// [`Error::Undefined`] for dtypes that the distribution does not have; [`Error::NoFp64`]; what the build gives.
    pub fn kernel(
        &self,
        context: &Context,
        distribution: Distribution,
        dtype: DType,
    ) -> Result<(Kernel, usize)> {
        let numbers = Numbers { algorithm: self.algorithm, distribution, dtype };
        numbers.block().ok_or_else(|| undefined(numbers))?;
        let devices = context.devices()?;
        let shared = PerContext::of(context);
        // A context has devices.
        let compiled = shared.kernels.random(numbers, context, &devices[0])?;
        Ok((compiled.kernel.clone(), compiled.items))
    }

    /// Takes the counters of so many blocks: the first of them.
    fn take(&self, blocks: usize) -> u128 {
        let mut counter = self.counter.lock().unwrap_or_else(PoisonError::into_inner);
        let first = *counter;
        *counter = first.wrapping_add(blocks as u128);
        first
    }
}

/// The numbers that an array without gaps is made of, one after the other.
fn numbers_of(array: &Array, dtype: DType) -> Result<Array> {
    if array.dtype() == dtype { Ok(array.clone()) } else { array.reshape(&[-1], Order::C)?.view_as(dtype) }
}

fn undefined(numbers: Numbers) -> Error {
    let operation = match numbers.distribution {
        Distribution::Uniform => "a uniform distribution",
        Distribution::Normal => "a normal distribution",
    };
    Error::Undefined { operation, dtypes: vec![numbers.dtype] }
}

/// The two arguments of the kernel that its distribution explains.
fn arguments(numbers: Numbers, [first, second]: [Scalar; 2]) -> Result<[ArgBytes; 2]> {
    let dtype = numbers.dtype;
    numbers.block().ok_or_else(|| undefined(numbers))?;
    if numbers.distribution == Distribution::Uniform {
        return bounds(dtype, first, second);
    }
    // Kernels take half precision as single.
    Ok([first.cast(dtype)?.arg_bytes(), second.cast(dtype)?.arg_bytes()])
}

/// The arguments `low` and `range` of the kernel.
fn bounds(dtype: DType, low: Scalar, high: Scalar) -> Result<[ArgBytes; 2]> {
    let nothing = || Error::Range { low: low.as_float(), high: high.as_float(), dtype };
    if dtype.kind() == Kind::Float {
        let (low, range) = (Scalar::F64(low.as_float()), Scalar::F64(high.as_float() - low.as_float()));
        let bounds = [low.cast(dtype)?, range.cast(dtype)?];
        if bounds.iter().any(|bound| !bound.as_float().is_finite()) {
            return Err(nothing());
        }
        return Ok(bounds.map(Scalar::arg_bytes));
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
