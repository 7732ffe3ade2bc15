//! Launching a snippet of the caller's, which is unsafe: nobody but its author knows what it does.

use std::sync::Arc;

use opencl_runtime::{Arg, CommandQueue, Event, NdRange, WaitList};
use smallvec::SmallVec;

use super::{elementwise_width, reduction_width};
use crate::array::{Array, Events, Use, check_context};
use crate::dtype::{ArgBytes, Kind};
use crate::elementwise::{ElementwiseKernel, Parameter, ParameterKind, ReductionKernel, Span, Value};
use crate::error::{Error, Result};
use crate::layout::{Layout, Order};
use crate::per_context::PerContext;
use crate::plan::DeviceClass;

/// Elements per work-item on GPUs: a grid-stride loop gains little from more.
const ITEMS: usize = 4;

/// An array as the kernel gets it: itself, or a copy.
struct Passed<'a> {
    array: &'a Array,
    copy: Option<Array>,
    writes: bool,
}

impl ElementwiseKernel {
    /// Enqueues the kernel for all elements of the first array among the arguments or, with a span, for its
    /// numbers; after what is pending on the arrays, and after the events of `wait_for`. The queue is, by default,
    /// that of the first array. The event completes when everything is written.
    ///
    /// # Safety
    /// The snippet, run with these arguments,
    /// * stays inside of the arrays, which may have other sizes than the first one, and of all other memory that it
    ///   is given,
    /// * leaves alone what the host or another command is using at the same time,
    /// * ends.
    ///
    /// # Errors
    /// [`Error::ArgumentCount`], [`Error::ArgumentKind`]; [`Error::NoArrays`] if no argument is an array;
    /// [`Error::ZeroStep`], [`Error::NoQueue`], [`Error::DifferentContexts`], [`Error::NoFp64`]; what build, copies
    /// and launch give.
    pub unsafe fn run(
        &self,
        values: &[Value<'_>],
        span: Option<Span>,
        queue: Option<&CommandQueue>,
        wait_for: &[&Event],
    ) -> Result<Event> {
        // SAFETY: the caller's promises.
        unsafe { self.enqueue(values, span, queue, wait_for, None) }
    }

    /// The same; for a reduction in so many groups of so many work-items at most, and even if there are no elements.
    ///
    /// # Safety
    /// As for [`ElementwiseKernel::run`].
    unsafe fn enqueue(
        &self,
        values: &[Value<'_>],
        span: Option<Span>,
        queue: Option<&CommandQueue>,
        wait_for: &[&Event],
        groups: Option<(usize, usize)>,
    ) -> Result<Event> {
        let parameters = &self.snippet().parameters;
        if values.len() != parameters.len() {
            let (expected, found) = (parameters.len(), values.len());
            return Err(Error::ArgumentCount { name: self.snippet().name.clone(), expected, found });
        }
        let first = first_array(values)?;
        let queue = queue.or(first.queue()).ok_or(Error::NoQueue)?;
        check_context(first.storage(), queue)?;
        if self.context() != queue.context() {
            return Err(Error::DifferentContexts);
        }
        let numbers: SmallVec<[i64; 3]> = match span {
            None => SmallVec::from_slice(&[first.layout().size() as i64]),
            Some(Span { start, stop, step }) => SmallVec::from_slice(&[start, stop, step]),
        };
        let count = span.map_or(Ok(first.layout().size()), Span::count)?;
        if count == 0 && groups.is_none() {
            return Ok(queue.marker(&wait_for.iter().copied().collect())?);
        }

        let arrays = self.pass(values, first, queue)?;
        let profile = first.storage().kernels().profile(queue.device())?;
        let built = self.built(queue.device(), profile, span.is_some())?;
        let scalars = scalars(parameters, values)?;
        let offsets: SmallVec<[i64; 8]> = arrays.iter().map(|passed| passed.offset()).collect();
        let mut arguments: SmallVec<[Arg<'_>; 16]> = SmallVec::new();
        let mut next = 0;
        for ((parameter, value), scalar) in parameters.iter().zip(values).zip(&scalars) {
            match (parameter.kind, value) {
                (ParameterKind::Array { with_offset }, _) => {
                    arguments.push(Arg::Mem(arrays[next].passed().buffer()));
                    if with_offset {
                        arguments.push(Arg::scalar(&offsets[next]));
                    }
                    next += 1;
                }
                (_, Value::Other(arg)) => arguments.push(*arg),
                _ => arguments.push(Arg::Bytes(scalar.as_slice())),
            }
        }
        arguments.extend(numbers.iter().map(Arg::scalar));

        let mut events = Events::new();
        for passed in &arrays {
            passed.passed().storage().wait_before(passed.usage(), queue, &mut events)?;
        }
        let wait: WaitList<'_> =
            events.iter().map(|event| &**event).chain(wait_for.iter().copied()).collect();
        let (width, group) = match (groups, profile.class) {
            (Some((groups, most)), _) => (groups, built.group.min(most)),
            (None, DeviceClass::Cpu) => (elementwise_width(profile, ITEMS, count), 1),
            (None, DeviceClass::Gpu) => (count.div_ceil(ITEMS * built.group), built.group),
        };
        let range = NdRange::new(&[width * group]).local(&[group])?;
        // SAFETY: the caller's promises.
        let event = unsafe { built.kernel.launch_with_event(queue, &range, &arguments, &wait)? };
        let known = if queue.is_out_of_order() { Some(Arc::new(event.try_clone()?)) } else { None };
        for passed in &arrays {
            passed.passed().storage().enqueued(passed.usage(), queue, known.as_ref());
        }

        let mut back = false;
        for passed in arrays.iter().filter(|passed| passed.writes) {
            if let Some(copy) = &passed.copy {
                passed.array.assign(copy, Some(queue))?;
                back = true;
            }
        }
        if back { Ok(queue.marker(&WaitList::default())?) } else { Ok(event) }
    }

    /// The arrays among the arguments, copied where the kernel could not use them as they lie.
    fn pass<'a>(
        &self,
        values: &[Value<'a>],
        first: &'a Array,
        queue: &CommandQueue,
    ) -> Result<SmallVec<[Passed<'a>; 8]>> {
        let order = gap_free_order(first).unwrap_or(Order::C);
        let mut arrays: SmallVec<[Passed<'a>; 8]> = SmallVec::new();
        for (place, (parameter, value)) in self.snippet().parameters.iter().zip(values).enumerate() {
            let ParameterKind::Array { with_offset } = parameter.kind else { continue };
            let array = match value {
                Value::Array(array) => *array,
                other => return Err(misfit(parameter, "an array", other.kind().to_owned())),
            };
            check_context(array.storage(), queue)?;
            let own = gap_free_order(array);
            // In which order the kernel needs the elements, and whether they lie so.
            let (wanted, fits) = match own {
                _ if has_elements(parameter, array) => match order {
                    _ if array.shape() != first.shape() => (Order::C, own.is_some()),
                    Order::C => (order, array.layout().is_c_contiguous()),
                    Order::F => (order, array.layout().is_f_contiguous()),
                },
                Some(own) => (own, lies_for(parameter, array)),
                None => return Err(gaps(parameter, array)),
            };
            let copy = if fits && array.layout().is_aligned() && (with_offset || array.layout().offset() == 0)
            {
                None
            } else {
                // An array that is passed twice is copied once.
                let same = |other: &&Passed<'_>| {
                    other.array.buffer() == array.buffer()
                        && other.array.layout() == array.layout()
                        && other.array.dtype() == array.dtype()
                };
                match arrays.iter().find(same).and_then(|other| other.copy.clone()) {
                    Some(copy) => Some(copy),
                    None => Some(array.copy_in(wanted, Some(queue))?),
                }
            };
            arrays.push(Passed { array, copy, writes: self.writes(place) });
        }
        Ok(arrays)
    }
}

impl ReductionKernel {
    /// Enqueues the reduction of the first array's elements or, with a span, of its numbers, for which no argument needs
    /// to be an array: gives the result, an
    /// array without dimensions or `output`, which has one element, and an event that completes when it is there.
    /// Else as [`ElementwiseKernel::run`].
    ///
    /// # Safety
    /// As for [`ElementwiseKernel::run`].
    ///
    /// # Errors
    /// As [`ElementwiseKernel::run`]; [`Error::OutputShape`], [`Error::OutputDType`].
    pub unsafe fn run(
        &self,
        values: &[Value<'_>],
        output: Option<&Array>,
        span: Option<Span>,
        queue: Option<&CommandQueue>,
        wait_for: &[&Event],
    ) -> Result<(Array, Event)> {
        let [elements, results] = &self.stages;
        let expected = elements.snippet().parameters.len() - 1;
        if values.len() != expected {
            let name = elements.snippet().name.clone();
            return Err(Error::ArgumentCount { name, expected, found: values.len() });
        }
        // Numbers alone may be reduced over a span.
        let first = match first_array(values) {
            Ok(first) => Some(first),
            Err(_) if span.is_some() => None,
            Err(error) => return Err(error),
        };
        let queue = queue.or(first.and_then(Array::queue)).ok_or(Error::NoQueue)?;
        if let Some(first) = first {
            check_context(first.storage(), queue)?;
        }
        let own = || PerContext::of(queue.context());
        let shared = first.map_or_else(own, |first| first.storage().shared_state().clone());
        let dtype = self.dtype;
        let output = match output {
            Some(array) if array.layout().size() != 1 => {
                return Err(Error::OutputShape {
                    expected: crate::layout::Shape::new(),
                    found: array.shape().into(),
                });
            }
            Some(array) if array.dtype() != dtype => {
                return Err(Error::OutputDType { from: dtype, to: array.dtype() });
            }
            Some(array) => array.clone(),
            None => {
                let layout = Layout::contiguous(&[], dtype.size(), Order::C)?;
                Array::for_result(queue, first.as_slice(), layout, dtype)?
            }
        };
        let count = span.map_or_else(|| Ok(first.map_or(0, |first| first.layout().size())), Span::count)?;
        let profile = shared.kernels.profile(queue.device())?;
        let width = reduction_width(profile, ITEMS, count.max(1));
        let partial = if width > 1 {
            let layout = Layout::contiguous(&[width], dtype.size(), Order::C)?;
            Array::with_layout(queue, shared, layout, dtype)?
        } else {
            output.clone()
        };
        let mut all: SmallVec<[Value<'_>; 16]> = values.iter().cloned().collect();
        all.push((&partial).into());
        // SAFETY: the caller's promises; each group writes one of as many results as there are groups.
        let mut event =
            unsafe { elements.enqueue(&all, span, Some(queue), wait_for, Some((width, self.group)))? };
        if width > 1 {
            let all = [(&partial).into(), (&output).into()];
            // SAFETY: it reads the results, and its one group writes the output.
            event = unsafe { results.enqueue(&all, None, Some(queue), &[], Some((1, self.group)))? };
        }
        Ok((output, event))
    }
}

fn first_array<'a>(values: &[Value<'a>]) -> Result<&'a Array> {
    let array = |value: &Value<'a>| match value {
        Value::Array(array) => Some(*array),
        _ => None,
    };
    values.iter().find_map(array).ok_or(Error::NoArrays)
}

impl Passed<'_> {
    fn passed(&self) -> &Array {
        self.copy.as_ref().unwrap_or(self.array)
    }

    fn offset(&self) -> i64 {
        self.passed().layout().offset() as i64
    }

    fn usage(&self) -> Use {
        if self.writes { Use::Write } else { Use::Read }
    }
}

/// The order in which an array's elements lie one after the other; C's if in both.
fn gap_free_order(array: &Array) -> Option<Order> {
    match array.layout() {
        layout if layout.is_c_contiguous() => Some(Order::C),
        layout if layout.is_f_contiguous() => Some(Order::F),
        _ => None,
    }
}

/// Whether the array's elements are what the parameter's type says. Other arrays are passed as their memory.
fn has_elements(parameter: &Parameter, array: &Array) -> bool {
    let found = array.dtype();
    let whole = |kind| matches!(kind, Kind::Bool | Kind::Signed | Kind::Unsigned);
    let made_of_parts = |kind| matches!(kind, Kind::Complex | Kind::Vector | Kind::Record);
    let alike = parameter.dtype.is_none_or(|dtype| {
        let kinds = (found.kind(), dtype.kind());
        found == dtype || whole(kinds.0) && whole(kinds.1) || made_of_parts(kinds.0) && made_of_parts(kinds.1)
    });
    alike && parameter.size.is_none_or(|size| size == found.size())
}

/// Whether memory begins where the parameter's type may: vectors lie at multiples of their size.
fn lies_for(parameter: &Parameter, array: &Array) -> bool {
    let size = parameter.size.unwrap_or(1).max(1);
    array.layout().offset().is_multiple_of(1 << size.trailing_zeros())
}

#[cold]
fn gaps(parameter: &Parameter, array: &Array) -> Error {
    let expected = "an array of that type, or one of another type without gaps, as `.copy()` makes it; `.view(...)` \
                    tells what its elements are";
    misfit(parameter, expected, format!("an array of {} with gaps", array.dtype()))
}

#[cold]
fn misfit(parameter: &Parameter, expected: &'static str, found: String) -> Error {
    let name = format!("{} {}", parameter.type_name, parameter.name);
    Error::ArgumentKind { name, expected, found }
}

/// The bytes of the numbers among the arguments; none for what is no number.
fn scalars(parameters: &[Parameter], values: &[Value<'_>]) -> Result<SmallVec<[ArgBytes; 8]>> {
    let bytes = |(parameter, value): (&Parameter, &Value<'_>)| match (parameter.kind, value) {
        (ParameterKind::Array { .. }, _) | (_, Value::Other(_)) => Ok(ArgBytes::default()),
        (ParameterKind::Scalar, Value::Scalar(scalar)) => match parameter.dtype {
            Some(dtype) => Ok(scalar.cast(dtype)?.arg_bytes()),
            None => Err(misfit(parameter, "a value of that type", value.kind().to_owned())),
        },
        (_, other) => Err(misfit(parameter, "a value of that type", other.kind().to_owned())),
    };
    parameters.iter().zip(values).map(bytes).collect()
}
