//! The only door to the runtime: a compiled kernel, a plan and arrays become a launch.
//!
//! Launching a generated kernel is safe, because everything that could make it unsound was checked before:
//!
//! * It stays inside its memory. Its text reads and writes only elements of the plan's walk, and a walk visits
//!   only elements of its layouts. An [`Array`] has only layouts that lie inside its memory and are aligned
//!   ([`Array::new`] checks, views derive smaller ones). Broadcast strides are 0 where a layout has no further
//!   element. Index types are 64 bits wide wherever sizes or extents need it. Elements at positions that are
//!   computed lie on an axis of the array: positions beyond it take its nearest element, or nothing is stored there.
//! * Its arguments are those that it declares: the text follows [`codegen::arguments`](crate::codegen::arguments), the
//!   launch has the same order (asserted in debug builds, and by every test on a device), and scalars were cast to the
//!   dtype in the key.
//! * What it uses is not used at the same time: [`Storage`] gives the events to wait for. Two threads that write
//!   to one array without order get elements of either, as with any two commands; host memory is not involved.
//! * A kernel that [`fill`]s writes as many elements as its first argument says, one after the other from the
//!   offset on, and gets an array without gaps of that many.
//! * It ends: loops count up to the number of elements, and no work-item waits for another but at barriers that
//!   all reach.
#![allow(unsafe_code, reason = "launching a kernel is unsafe in the runtime; see above why it is sound here")]

mod snippet;

use std::sync::Arc;

use opencl_runtime::{Arg, CommandQueue, NdRange, WaitList};
use smallvec::SmallVec;

use crate::array::{Array, Events, Storage, Use, event_in};
#[cfg(debug_assertions)]
use crate::codegen::{self, Argument};
use crate::dtype::ArgBytes;
use crate::error::Result;
use crate::kernels::{Compiled, Profile};
use crate::launch_hook;
use crate::plan::{DeviceClass, Plan};

/// What a kernel is launched on.
pub(crate) struct Launch<'a> {
    pub(crate) queue: &'a CommandQueue,
    pub(crate) profile: Profile,
    pub(crate) plan: &'a Plan,
    pub(crate) inputs: &'a [&'a Array],
    pub(crate) scalars: &'a [ArgBytes],
    pub(crate) output: &'a Array,
    /// Number of work-groups (GPU) or work-items (CPU), see [`elementwise_width`] and [`reduction_width`].
    pub(crate) width: usize,
    /// The memory of an array without gaps that the kernel reads too, one element for each work-group (GPU) or work-item
    /// (CPU): its last argument.
    pub(crate) last: Option<&'a Array>,
}

/// CPUs: elements that are worth a work-item of their own, and work-items per core.
const CPU_ELEMENTWISE: (usize, usize) = (4096, 8);
const CPU_REDUCTION: (usize, usize) = (16384, 4);
/// GPUs: resident work-groups of 256 per compute unit; a grid-stride loop gains nothing from more.
const GPU_GROUPS: usize = 8;

/// How wide an elementwise kernel is launched.
pub(crate) fn elementwise_width(profile: Profile, items: usize, size: usize) -> usize {
    match profile.class {
        DeviceClass::Gpu => size.div_ceil(items << profile.group_bits),
        DeviceClass::Cpu => cpu_width(profile, CPU_ELEMENTWISE, size),
    }
}

/// How wide a reduction is launched, which is the number of its results.
pub(crate) fn reduction_width(profile: Profile, items: usize, size: usize) -> usize {
    match profile.class {
        DeviceClass::Gpu => {
            size.div_ceil(items << profile.group_bits).clamp(1, GPU_GROUPS * profile.compute_units as usize)
        }
        DeviceClass::Cpu => cpu_width(profile, CPU_REDUCTION, size),
    }
}

/// How wide a kernel is launched that makes `items` elements at once, all by itself.
pub(crate) fn generator_width(profile: Profile, items: usize, size: usize) -> usize {
    match profile.class {
        DeviceClass::Gpu => {
            size.div_ceil(items << profile.group_bits).clamp(1, GPU_GROUPS * profile.compute_units as usize)
        }
        DeviceClass::Cpu => cpu_width(profile, CPU_ELEMENTWISE, size),
    }
}

fn cpu_width(profile: Profile, (worth, per_core): (usize, usize), size: usize) -> usize {
    size.div_ceil(worth).clamp(1, per_core * profile.compute_units as usize)
}

impl Launch<'_> {
    /// Enqueues the kernel, after whatever is pending on the memory that it uses.
    #[inline]
    pub(crate) fn run(&self, compiled: &Compiled) -> Result<()> {
        #[cfg(debug_assertions)]
        {
            let mut listed = Listed::default();
            self.put(&mut listed)?;
            let memory = listed.0.iter().map(|argument| matches!(argument, Item::Memory(_)));
            let text = codegen::arguments(self.inputs.len(), self.scalars.len(), &self.plan.class);
            let text = text.map(|argument| matches!(argument, Argument::Output | Argument::Array(_)));
            assert!(
                text.chain(self.last.map(|_| true)).eq(memory),
                "launch and text list the same arguments"
            );
        }
        let inputs = self.inputs.iter().copied().chain(self.last);
        enqueue(self.queue, compiled, &range(self.profile, self.width), self, inputs, self.output)
    }
}

/// Who gets the arguments of a kernel, one after the other.
trait Sink<'a> {
    fn memory(&mut self, array: &'a Array) -> Result<()>;
    fn number(&mut self, bytes: &[u8]) -> Result<()>;
}

/// The arguments of a kernel.
trait Arguments {
    fn put<'a>(&'a self, to: &mut impl Sink<'a>) -> Result<()>;
}

impl Arguments for Launch<'_> {
    /// The order of [`codegen::arguments`], written out because this is the hot path.
    #[inline]
    fn put<'a>(&'a self, to: &mut impl Sink<'a>) -> Result<()> {
        let class = &self.plan.class;
        put_index(to, class.wide, self.plan.size)?;
        put_array(to, self.output)?;
        for input in self.inputs {
            put_array(to, input)?;
        }
        for scalar in self.scalars {
            to.number(scalar.as_slice())?;
        }
        if let Some(walk) = &self.plan.walk {
            for dim in class.length_arguments() {
                put_index(to, class.wide, walk.shape[dim])?;
            }
            for (operand, dim) in class.stride_arguments() {
                // Two's complement: of 32 bits if the plan has seen that it fits.
                put_index(to, class.wide, walk.strides[operand][dim].cast_unsigned())?;
            }
        }
        match self.last {
            Some(last) => to.memory(last),
            None => Ok(()),
        }
    }
}

/// An array's memory and its offset in bytes.
#[inline]
fn put_array<'a>(to: &mut impl Sink<'a>, array: &'a Array) -> Result<()> {
    to.memory(array)?;
    to.number(&(array.layout().offset() as u64).to_ne_bytes())
}

/// A number of the class's index type. One that is not wide fits 32 bits, as the plan has seen.
#[inline]
fn put_index<'a>(to: &mut impl Sink<'a>, wide: bool, value: usize) -> Result<()> {
    if wide { to.number(&(value as u64).to_ne_bytes()) } else { to.number(&(value as u32).to_ne_bytes()) }
}

/// Enqueues a kernel that fills an array without gaps: its arguments are the number of elements, the memory, the
/// offset in bytes, then `numbers`.
pub(crate) fn fill(
    queue: &CommandQueue,
    profile: Profile,
    compiled: &Compiled,
    output: &Array,
    numbers: &[ArgBytes],
    width: usize,
) -> Result<()> {
    debug_assert!(output.layout().is_c_contiguous(), "the elements are filled one after the other");
    let arguments = Filling { output, numbers };
    enqueue(queue, compiled, &range(profile, width), &arguments, std::iter::empty(), output)
}

struct Filling<'a> {
    output: &'a Array,
    numbers: &'a [ArgBytes],
}

impl Arguments for Filling<'_> {
    fn put<'a>(&'a self, to: &mut impl Sink<'a>) -> Result<()> {
        put_index(to, true, self.output.layout().size())?;
        put_array(to, self.output)?;
        self.numbers.iter().try_for_each(|number| to.number(number.as_slice()))
    }
}

impl<'a> Sink<'a> for opencl_runtime::Launch<'a> {
    #[inline]
    fn memory(&mut self, array: &'a Array) -> Result<()> {
        Ok(self.arg(Arg::Mem(array.buffer()))?)
    }

    #[inline]
    fn number(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.bytes(bytes)?)
    }
}

/// Arguments as a list, for those who watch launches.
#[derive(Default)]
struct Listed<'a>(Vec<Item<'a>>);

enum Item<'a> {
    Memory(&'a Array),
    Number(SmallVec<[u8; 16]>),
}

impl<'a> Sink<'a> for Listed<'a> {
    fn memory(&mut self, array: &'a Array) -> Result<()> {
        self.0.push(Item::Memory(array));
        Ok(())
    }

    fn number(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.push(Item::Number(SmallVec::from_slice(bytes)));
        Ok(())
    }
}

/// So many work-groups (GPU) or work-items (CPU).
#[inline]
fn range(profile: Profile, width: usize) -> NdRange {
    match profile.class {
        DeviceClass::Gpu => {
            let group = 1 << profile.group_bits;
            NdRange::of_entries(1, [width * group, 1, 1], Some([group, 1, 1]))
        }
        DeviceClass::Cpu => NdRange::of_entries(1, [width, 1, 1], Some([1, 1, 1])),
    }
}

/// Enqueues a kernel after whatever is pending on the memory that it uses.
#[inline]
fn enqueue<'a>(
    queue: &CommandQueue,
    compiled: &Compiled,
    range: &NdRange,
    arguments: &impl Arguments,
    inputs: impl Iterator<Item = &'a Array> + Clone,
    output: &Array,
) -> Result<()> {
    let output: &Storage = output.storage();
    let mut events = Events::new();
    for input in inputs.clone() {
        input.storage().wait_before(Use::Read, queue, &mut events)?;
    }
    output.wait_before(Use::Write, queue, &mut events)?;
    let event = if let Some(hook) = launch_hook::hook() {
        let mut listed = Listed::default();
        arguments.put(&mut listed)?;
        let listed: Vec<Arg<'_>> = listed.0.iter().map(Item::arg).collect();
        let launched = hook.launch(&compiled.kernel, queue, range, &listed, &events);
        match launched.and_then(|event| event_in(queue.context(), event)) {
            Ok(event) => Some(Arc::new(event)),
            Err(error) => {
                // It may have launched the kernel before it failed.
                if let Ok(event) = queue.marker(&WaitList::default()).map(Arc::new) {
                    inputs.for_each(|input| input.storage().enqueued(Use::Read, queue, Some(&event)));
                    output.enqueued(Use::Write, queue, Some(&event));
                }
                return Err(error);
            }
        }
    } else {
        let wait = if events.is_empty() {
            WaitList::default()
        } else {
            events.iter().map(|event| &**event).collect()
        };
        let mut launch = compiled.kernel.begin();
        arguments.put(&mut launch)?;
        // SAFETY: the kernel is generated; the head of this file says why it may run.
        unsafe {
            if queue.is_out_of_order() {
                Some(Arc::new(launch.enqueue_with_event(queue, range, &wait)?))
            } else {
                launch.enqueue(queue, range, &wait)?;
                None
            }
        }
    };
    for input in inputs {
        input.storage().enqueued(Use::Read, queue, event.as_ref());
    }
    output.enqueued(Use::Write, queue, event.as_ref());
    Ok(())
}

impl Item<'_> {
    fn arg(&self) -> Arg<'_> {
        match self {
            Self::Memory(array) => Arg::Mem(array.buffer()),
            Self::Number(bytes) => Arg::Bytes(bytes),
        }
    }
}
