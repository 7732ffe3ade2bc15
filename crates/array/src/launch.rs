//! The only door to the runtime: a compiled kernel, a plan and arrays become a launch.
//!
//! Launching a generated kernel is safe, because everything that could make it unsound was checked before:
//!
//! * It stays inside its memory. Its text reads and writes only elements of the plan's walk, and a walk visits
//!   only elements of its layouts. An [`Array`] has only layouts that lie inside its memory and are aligned
//!   ([`Array::new`] checks, views derive smaller ones). Broadcast strides are 0 where a layout has no further
//!   element. Index types are 64 bits wide wherever sizes or extents need it. Elements at positions that are
//!   computed lie on an axis of the array: positions beyond it take its nearest element, or nothing is stored there.
//! * Its arguments are those that it declares: the text follows [`codegen::arguments`], the launch has the same
//!   order (asserted in debug builds, and by every test on a device), and scalars were cast to the dtype in the
//!   key.
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

use crate::array::{Array, Events, Storage, Use};
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
    pub(crate) fn run(&self, compiled: &Compiled) -> Result<()> {
        self.run_with(compiled, None)
    }

    /// The same for a kernel whose last argument is the memory of an array without gaps that it reads, one element for
    /// each work-group (GPU) or work-item (CPU).
    pub(crate) fn run_with(&self, compiled: &Compiled, last: Option<&Array>) -> Result<()> {
        let class = &self.plan.class;
        let mut numbers: SmallVec<[ArgBytes; 24]> = SmallVec::new();
        let index = |value: usize| {
            if class.wide {
                ArgBytes::new(&(value as u64).to_ne_bytes())
            } else {
                // Not wide: the plan has seen that it fits.
                ArgBytes::new(&(value as u32).to_ne_bytes())
            }
        };
        let offset = |value: isize| {
            if class.wide {
                ArgBytes::new(&(value as i64).to_ne_bytes())
            } else {
                ArgBytes::new(&(value as i32).to_ne_bytes())
            }
        };
        let bytes = |array: &Array| ArgBytes::new(&(array.layout().offset() as u64).to_ne_bytes());
        // The order of `codegen::arguments`, written out because this is the hot path.
        numbers.push(index(self.plan.size));
        numbers.push(bytes(self.output));
        for input in self.inputs {
            numbers.push(bytes(input));
        }
        for scalar in self.scalars {
            numbers.push(*scalar);
        }
        if let Some(walk) = &self.plan.walk {
            numbers.extend(class.length_arguments().map(|dim| index(walk.shape[dim])));
            numbers.extend(class.stride_arguments().map(|(operand, dim)| offset(walk.strides[operand][dim])));
        }
        let number = |n: usize| Arg::Bytes(ArgBytes::as_slice(&numbers[n]));
        let mut arguments: SmallVec<[Arg<'_>; 24]> = SmallVec::new();
        arguments.push(number(0));
        arguments.push(Arg::Mem(self.output.buffer()));
        arguments.push(number(1));
        for (n, input) in self.inputs.iter().enumerate() {
            arguments.push(Arg::Mem(input.buffer()));
            arguments.push(number(2 + n));
        }
        for n in 2 + self.inputs.len()..numbers.len() {
            arguments.push(number(n));
        }
        debug_assert!(
            codegen::arguments(self.inputs.len(), self.scalars.len(), class)
                .map(|argument| matches!(argument, Argument::Output | Argument::Array(_)))
                .eq(arguments.iter().map(|argument| matches!(argument, Arg::Mem(_)))),
            "launch and text list the same arguments"
        );

        let range = range(self.profile, self.width)?;
        let Some(last) = last else {
            return enqueue(self.queue, compiled, &range, &arguments, self.inputs, self.output);
        };
        debug_assert!(last.layout().offset() == 0 && last.layout().size() >= self.width);
        arguments.push(Arg::Mem(last.buffer()));
        let inputs: SmallVec<[&Array; 4]> = self.inputs.iter().copied().chain([last]).collect();
        enqueue(self.queue, compiled, &range, &arguments, &inputs, self.output)
    }
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
    let [size, offset] = [output.layout().size(), output.layout().offset()]
        .map(|number| ArgBytes::new(&(number as u64).to_ne_bytes()));
    let mut arguments: SmallVec<[Arg<'_>; 12]> = SmallVec::new();
    arguments.push(Arg::Bytes(size.as_slice()));
    arguments.push(Arg::Mem(output.buffer()));
    arguments.push(Arg::Bytes(offset.as_slice()));
    arguments.extend(numbers.iter().map(|number| Arg::Bytes(number.as_slice())));
    enqueue(queue, compiled, &range(profile, width)?, &arguments, &[], output)
}

/// So many work-groups (GPU) or work-items (CPU).
fn range(profile: Profile, width: usize) -> Result<NdRange> {
    Ok(match profile.class {
        DeviceClass::Gpu => {
            let group = 1 << profile.group_bits;
            NdRange::new(&[width * group]).local(&[group])?
        }
        DeviceClass::Cpu => NdRange::new(&[width]).local(&[1])?,
    })
}

/// Enqueues a kernel after whatever is pending on the memory that it uses.
fn enqueue(
    queue: &CommandQueue,
    compiled: &Compiled,
    range: &NdRange,
    arguments: &[Arg<'_>],
    inputs: &[&Array],
    output: &Array,
) -> Result<()> {
    let output: &Storage = output.storage();
    let mut events = Events::new();
    for input in inputs {
        input.storage().wait_before(Use::Read, queue, &mut events)?;
    }
    output.wait_before(Use::Write, queue, &mut events)?;
    let wait =
        if events.is_empty() { WaitList::default() } else { events.iter().map(|event| &**event).collect() };
    let event = if let Some(hook) = launch_hook::hook() {
        Some(Arc::new(hook.launch(&compiled.kernel, queue, range, arguments, &events)?))
    } else if queue.is_out_of_order() {
        // SAFETY: the kernel is generated; the head of this file says why it may run.
        Some(Arc::new(unsafe { compiled.kernel.launch_with_event(queue, range, arguments, &wait)? }))
    } else {
        // SAFETY: the kernel is generated; the head of this file says why it may run.
        unsafe { compiled.kernel.launch(queue, range, arguments, &wait)? };
        None
    };
    for input in inputs {
        input.storage().enqueued(Use::Read, queue, event.as_ref());
    }
    output.enqueued(Use::Write, queue, event.as_ref());
    Ok(())
}
