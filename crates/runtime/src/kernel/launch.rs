//! Launches.

use std::sync::MutexGuard;
use std::{fmt, ptr};

use opencl_driver::sys::cl_event;

use super::Kernel;
use super::argument::Arg;
use super::parameter::{Parameter, Takes};
use super::values::Values;
use crate::{CommandQueue, Error, Event, Result, SvmPointer, WaitList, status};

/// Sizes of a launch: one to three dimensions of work-items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NdRange {
    dimensions: usize,
    global: [usize; 3],
    local: Option<[usize; 3]>,
    offset: Option<[usize; 3]>,
}

impl NdRange {
    /// `global` work-items in each dimension; the driver chooses the work-groups. More than three
    /// dimensions are refused at the launch.
    #[must_use]
    pub fn new(global: &[usize]) -> Self {
        Self { dimensions: global.len(), global: three(global), local: None, offset: None }
    }

    /// `dimensions` of the entries of `global` and, where there is one, of `local`: what [`new`](Self::new) and
    /// [`local`](Self::local) make, without a look at how long lists are. The entries beyond are 1.
    #[inline]
    #[must_use]
    pub const fn of_entries(dimensions: usize, global: [usize; 3], local: Option<[usize; 3]>) -> Self {
        Self { dimensions, global, local, offset: None }
    }

    /// In work-groups of this size. It must have as many dimensions as the global size.
    ///
    /// # Errors
    /// `INVALID_WORK_GROUP_SIZE` for another number of dimensions.
    pub fn local(mut self, local: &[usize]) -> Result<Self> {
        self.same_dimensions("local", local.len(), status::INVALID_WORK_GROUP_SIZE)?;
        self.local = Some(three(local));
        Ok(self)
    }

    /// With indices that start at `offset`.
    ///
    /// # Errors
    /// `INVALID_GLOBAL_OFFSET` for another number of dimensions.
    pub fn offset(mut self, offset: &[usize]) -> Result<Self> {
        self.same_dimensions("offset", offset.len(), status::INVALID_GLOBAL_OFFSET)?;
        self.offset = Some(three(offset));
        Ok(self)
    }

    fn same_dimensions(&self, what: &str, count: usize, code: i32) -> Result<()> {
        if count == self.dimensions {
            return Ok(());
        }
        let detail = format!("the {what} size has {count} dimensions, the global size {}", self.dimensions);
        Err(Error::refused("clEnqueueNDRangeKernel", code, detail))
    }

    /// The number of work-items in each dimension.
    #[must_use]
    pub fn global_size(&self) -> &[usize] {
        &self.global[..self.dimensions.min(3)]
    }

    /// The size of work-groups in each dimension, if it was given.
    #[must_use]
    pub fn local_size(&self) -> Option<&[usize]> {
        self.local.as_ref().map(|local| &local[..self.dimensions.min(3)])
    }

    /// Whether there is no work-item at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.global[..self.dimensions.min(3)].contains(&0)
    }
}

/// The sizes, filled up to three.
fn three(sizes: &[usize]) -> [usize; 3] {
    let mut filled = [1; 3];
    for (slot, size) in filled.iter_mut().zip(sizes) {
        *slot = *size;
    }
    filled
}

impl Kernel {
    /// Sets all arguments and enqueues the kernel, in one step under the kernel's lock, so that threads
    /// may share it (`clSetKernelArg`, `clEnqueueNDRangeKernel`). Without an event: on some drivers
    /// one costs as much as half the launch.
    ///
    /// # Safety
    /// The kernel, run with these arguments and sizes,
    /// * stays inside of the memory that it is given,
    /// * leaves alone what the host or another command is using at the same time,
    /// * ends.
    ///
    /// # Errors
    /// `INVALID_KERNEL_ARGS` for another number of arguments than the kernel takes; errors of an
    /// argument name its position, name and type; else what the functions give.
    pub unsafe fn launch(
        &self,
        queue: &CommandQueue,
        range: &NdRange,
        args: &[Arg<'_>],
        wait_for: &WaitList<'_>,
    ) -> Result<()> {
        let mut launch = self.begin_with(args.len())?;
        args.iter().try_for_each(|arg| launch.arg(*arg))?;
        // SAFETY: the caller's promises.
        unsafe { launch.enqueue(queue, range, wait_for) }
    }

    /// The same with an event.
    ///
    /// # Safety
    /// As for [`launch`](Self::launch).
    ///
    /// # Errors
    /// As for [`launch`](Self::launch).
    pub unsafe fn launch_with_event(
        &self,
        queue: &CommandQueue,
        range: &NdRange,
        args: &[Arg<'_>],
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        // SAFETY: the caller's promises.
        unsafe { self.launch_with_each(queue, range, args.iter().copied(), wait_for) }
    }

    /// The same for arguments that are made one by one.
    ///
    /// # Safety
    /// As for [`launch`](Self::launch).
    ///
    /// # Errors
    /// As for [`launch`](Self::launch).
    #[inline]
    pub unsafe fn launch_with_each<'a>(
        &self,
        queue: &CommandQueue,
        range: &NdRange,
        mut args: impl ExactSizeIterator<Item = Arg<'a>>,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        let mut launch = self.begin_with(args.len())?;
        args.try_for_each(|arg| launch.arg(arg))?;
        // SAFETY: the caller's promises.
        unsafe { launch.enqueue_with_event(queue, range, wait_for) }
    }

    /// Enqueues the kernel with the arguments that were set before.
    ///
    /// # Safety
    /// As for [`launch`](Self::launch); the objects that were set as arguments are alive. Shared virtual memory among
    /// them is told of its use by [`SvmAllocation::used_on`](crate::SvmAllocation::used_on), or lives until the
    /// kernel has ended.
    ///
    /// # Errors
    /// `INVALID_KERNEL_ARGS` if an argument was never set, else what the function gives.
    pub unsafe fn launch_as_set(
        &self,
        queue: &CommandQueue,
        range: &NdRange,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        let _guard = self.lock();
        // SAFETY: the caller's promises.
        unsafe { enqueue_with_event(queue, self, range, wait_for) }
            .map_err(|error| self.name_in(error, queue, range))
    }

    /// Begins a launch whose arguments are set one after the other.
    #[inline(always)]
    #[must_use]
    pub fn begin(&self) -> Launch<'_> {
        Launch {
            kernel: self,
            parameters: self.parameters(),
            values: self.lock(),
            next: 0,
            shared: Vec::new(),
        }
    }

    /// The same for so many arguments, which is told if it is not the kernel's number before one of them is set.
    #[inline(always)]
    fn begin_with(&self, count: usize) -> Result<Launch<'_>> {
        if count == self.arity() as usize { Ok(self.begin()) } else { Err(self.wrong_count(count)) }
    }

    /// The error for another number of arguments than the kernel takes.
    #[cold]
    #[must_use]
    pub fn wrong_count(&self, count: usize) -> Error {
        let names: Vec<_> = self.parameters().iter().map(|p| format!("{} {}", p.type_name, p.name)).collect();
        let declared = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
        let detail =
            format!("kernel `{}` expected {} arguments{declared}, got {count}", self.name(), self.arity());
        Error::refused("clSetKernelArg", status::INVALID_KERNEL_ARGS, detail)
    }

    /// A driver's refusal of a launch, with the kernel's name, and the sizes where they are at fault.
    #[cold]
    fn name_in(&self, error: Error, queue: &CommandQueue, range: &NdRange) -> Error {
        let Error::Status { function, code } = error else { return error };
        let mut detail = format!("when launching kernel `{}`", self.name());
        if matches!(
            code,
            status::INVALID_WORK_GROUP_SIZE
                | status::INVALID_WORK_ITEM_SIZE
                | status::INVALID_GLOBAL_WORK_SIZE
        ) {
            detail.push_str(&format!(" with {range}"));
            if let Ok(most) = queue.device().max_work_group_size() {
                detail.push_str(&format!("; the device takes {most} work-items a group at most"));
            }
        }
        Error::refused(function, code, detail)
    }
}

/// A launch whose arguments are set one after the other. It locks the kernel: other threads wait, and the same thread
/// must not use the kernel otherwise before this goes.
pub struct Launch<'a> {
    kernel: &'a Kernel,
    /// Empty where they are not known.
    parameters: &'a [Parameter],
    values: MutexGuard<'a, Values>,
    next: u32,
    /// Shared virtual memory among the arguments, which is not freed before the kernel has ended.
    shared: Vec<SvmPointer<'a>>,
}

impl<'a> Launch<'a> {
    /// Sets the next argument (`clSetKernelArg`).
    ///
    /// # Errors
    /// What the function gives, with the argument's position, name and type.
    #[inline(always)]
    pub fn arg<'b: 'a>(&mut self, arg: Arg<'b>) -> Result<()> {
        let takes = self.takes();
        self.kernel.set_taken(&mut self.values, self.next, &arg, takes)?;
        if let Arg::Svm(pointer) = arg {
            self.shared.push(pointer);
        }
        self.next += 1;
        Ok(())
    }

    /// Sets the next argument to a value by its bytes, as [`Arg::Bytes`].
    ///
    /// # Errors
    /// As for [`arg`](Self::arg).
    #[inline(always)]
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let takes = self.takes();
        self.kernel.set_taken(&mut self.values, self.next, &Arg::Bytes(bytes), takes)?;
        self.next += 1;
        Ok(())
    }

    /// What the kernel takes next.
    #[inline(always)]
    fn takes(&self) -> Takes {
        self.parameters.get(self.next as usize).map_or(Takes::Anything, |parameter| parameter.takes)
    }

    /// Enqueues the kernel (`clEnqueueNDRangeKernel`), without an event: on some drivers one costs as much as half the
    /// launch.
    ///
    /// # Safety
    /// As for [`Kernel::launch`].
    ///
    /// # Errors
    /// As for [`Kernel::launch`].
    #[inline(always)]
    pub unsafe fn enqueue(
        self,
        queue: &CommandQueue,
        range: &NdRange,
        wait_for: &WaitList<'_>,
    ) -> Result<()> {
        self.check_count()?;
        // SAFETY: the caller's promises.
        unsafe { enqueue(queue, self.kernel, range, wait_for, ptr::null_mut()) }
            .map_err(|error| self.kernel.name_in(error, queue, range))?;
        self.note_uses(queue);
        Ok(())
    }

    /// The same with an event.
    ///
    /// # Safety
    /// As for [`Kernel::launch`].
    ///
    /// # Errors
    /// As for [`Kernel::launch`].
    #[inline(always)]
    pub unsafe fn enqueue_with_event(
        self,
        queue: &CommandQueue,
        range: &NdRange,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        self.check_count()?;
        // SAFETY: the caller's promises.
        let event = unsafe { enqueue_with_event(queue, self.kernel, range, wait_for) }
            .map_err(|error| self.kernel.name_in(error, queue, range))?;
        self.note_uses(queue);
        Ok(event)
    }

    #[inline(always)]
    fn check_count(&self) -> Result<()> {
        if self.next == self.kernel.arity() {
            Ok(())
        } else {
            Err(self.kernel.wrong_count(self.next as usize))
        }
    }

    #[inline(always)]
    fn note_uses(&self, queue: &CommandQueue) {
        for pointer in &self.shared {
            pointer.used_on(queue);
        }
    }
}

impl fmt::Display for NdRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |sizes: &[usize; 3]| {
            let sizes: Vec<_> = sizes[..self.dimensions.min(3)].iter().map(usize::to_string).collect();
            format!("({})", sizes.join(", "))
        };
        write!(f, "global size {}", shown(&self.global))?;
        match &self.local {
            Some(local) => write!(f, " and local size {}", shown(local)),
            None => f.write_str(" and no local size"),
        }
    }
}

/// # Safety
/// As for [`Kernel::launch`]; `event` is null or the address of a handle to be written.
unsafe fn enqueue(
    queue: &CommandQueue,
    kernel: &Kernel,
    range: &NdRange,
    wait_for: &WaitList<'_>,
    event: *mut cl_event,
) -> Result<()> {
    if !(1..=3).contains(&range.dimensions) {
        let detail = format!("the global size has {} dimensions, not 1 to 3", range.dimensions);
        return Err(Error::refused("clEnqueueNDRangeKernel", status::INVALID_WORK_DIMENSION, detail));
    }
    if queue.context().as_raw() as usize != kernel.0.context {
        // Some drivers crash here.
        let detail = "the queue belongs to another context than the kernel";
        return Err(Error::refused("clEnqueueNDRangeKernel", status::INVALID_CONTEXT, detail));
    }
    let address = |sizes: &Option<[usize; 3]>| sizes.as_ref().map_or(ptr::null(), |sizes| sizes.as_ptr());
    // SAFETY: the handles are live, the sizes have an entry for each dimension, and the caller promises
    // the rest.
    unsafe {
        crate::call::call!(
            queue.api(),
            clEnqueueNDRangeKernel(
                queue.as_raw(),
                kernel.raw(),
                range.dimensions as u32,
                address(&range.offset),
                range.global.as_ptr(),
                address(&range.local),
                wait_for.len(),
                wait_for.as_ptr(),
                event
            )
        )
    }
}

/// # Safety
/// As for [`Kernel::launch`].
unsafe fn enqueue_with_event(
    queue: &CommandQueue,
    kernel: &Kernel,
    range: &NdRange,
    wait_for: &WaitList<'_>,
) -> Result<Event> {
    let mut event = ptr::null_mut();
    // SAFETY: the caller's promises.
    unsafe { enqueue(queue, kernel, range, wait_for, &raw mut event)? };
    // SAFETY: the driver gives away the reference that it made.
    Ok(unsafe { Event::from_owned(event, queue.api()) })
}
