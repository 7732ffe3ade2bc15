//! Shared virtual memory: copies, fills, migration, and exchange with buffers and images.

use std::ffi::c_void;

use bytemuck::{AnyBitPattern, NoUninit};

use super::{check_range, fill::check_pattern, with_event};
use crate::call::call;
use crate::{
    Buffer, CommandQueue, Error, Event, Image, ImageBlock, MemFlags, MemMigrationFlags, MemObject, Result,
    SvmPointer, WaitList, status,
};

impl CommandQueue {
    /// Copies between two pieces of shared virtual memory of the same size, of which one may be memory of the
    /// host (`clEnqueueSVMMemcpy`, OpenCL 2.0).
    ///
    /// # Errors
    /// `INVALID_VALUE` for different sizes, `MEM_COPY_OVERLAP` for overlapping pieces, else what the function
    /// gives.
    pub fn svm_copy(
        &self,
        source: SvmPointer<'_>,
        target: SvmPointer<'_>,
        blocking: bool,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        let function = "clEnqueueSVMMemcpy";
        let size = target.size();
        if source.size() != size {
            let detail = format!("the source has {} bytes, the target {size}", source.size());
            return Err(Error::refused(function, status::INVALID_VALUE, detail));
        }
        let (from, to) = (self.svm_address(&source, function)?, self.svm_address(&target, function)?);
        if (from as usize).abs_diff(to as usize) < size {
            let detail = format!("{size} bytes at {from:?} and {to:?} overlap");
            return Err(Error::refused(function, status::MEM_COPY_OVERLAP, detail));
        }
        if size == 0 {
            return self.marker(wait_for);
        }
        // SAFETY: queue and events are live; both pieces hold `size` bytes and are not freed before the command
        // is done: allocations note the use below, of other memory its `SvmPointer` promises it.
        let event = with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueSVMMemcpy(
                    self.as_raw(),
                    blocking.into(),
                    to,
                    from,
                    size,
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })?;
        source.used_on(self);
        target.used_on(self);
        Ok(event)
    }

    /// Fills `data` from shared virtual memory of its size, and waits for it.
    ///
    /// # Errors
    /// As for [`svm_copy`](Self::svm_copy).
    pub fn svm_read<T: AnyBitPattern + NoUninit>(
        &self,
        source: SvmPointer<'_>,
        data: &mut [T],
    ) -> Result<()> {
        // SAFETY: any bytes are a value of `data`, and the call blocks.
        let target = unsafe { SvmPointer::system(data.as_mut_ptr().cast(), size_of_val(data)) };
        self.svm_copy(source, target, true, &WaitList::default()).map(drop)
    }

    /// Copies `data` into shared virtual memory of its size, and waits for it.
    ///
    /// # Errors
    /// As for [`svm_copy`](Self::svm_copy).
    pub fn svm_write<T: NoUninit>(&self, target: SvmPointer<'_>, data: &[T]) -> Result<()> {
        // SAFETY: the command only reads `data`, and the call blocks.
        let source = unsafe { SvmPointer::system(data.as_ptr().cast_mut().cast(), size_of_val(data)) };
        self.svm_copy(source, target, true, &WaitList::default()).map(drop)
    }

    /// Writes `pattern` again and again (`clEnqueueSVMMemFill`, OpenCL 2.0).
    ///
    /// # Errors
    /// `INVALID_VALUE` if the pattern has not 1, 2, 4, … 128 bytes, or if address or size is no multiple of
    /// its length; else what the function gives.
    pub fn svm_fill(&self, target: SvmPointer<'_>, pattern: &[u8], wait_for: &WaitList<'_>) -> Result<Event> {
        let function = "clEnqueueSVMMemFill";
        let (address, size) = (self.svm_address(&target, function)?, target.size());
        check_pattern(function, pattern, "address", address as usize, size)?;
        if size == 0 {
            return self.marker(wait_for);
        }
        // SAFETY: queue and events are live; the memory is, as in `svm_copy`; the driver copies the pattern
        // during the call.
        let event = with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueSVMMemFill(
                    self.as_raw(),
                    address,
                    pattern.as_ptr().cast(),
                    pattern.len(),
                    size,
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })?;
        target.used_on(self);
        Ok(event)
    }

    /// Moves memory to the queue's device, or to the host (`clEnqueueSVMMigrateMem`, OpenCL 2.1).
    ///
    /// # Errors
    /// What the function gives.
    pub fn svm_migrate(
        &self,
        memory: &[SvmPointer<'_>],
        flags: MemMigrationFlags,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        let address =
            |pointer| self.svm_address(pointer, "clEnqueueSVMMigrateMem").map(<*mut c_void>::cast_const);
        let mut addresses = memory.iter().map(address).collect::<Result<Vec<_>>>()?;
        let sizes: Vec<usize> = memory.iter().map(SvmPointer::size).collect();
        // SAFETY: queue and events are live; there is a size for each address; the memory is live, as in
        // `svm_copy`.
        let event = with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueSVMMigrateMem(
                    self.as_raw(),
                    addresses.len() as u32,
                    addresses.as_mut_ptr(),
                    sizes.as_ptr(),
                    flags.bits(),
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })?;
        memory.iter().for_each(|pointer| pointer.used_on(self));
        Ok(event)
    }

    /// Copies shared virtual memory into a buffer, from byte `offset` on (`clCreateBuffer`,
    /// `clEnqueueCopyBuffer`).
    ///
    /// # Errors
    /// `INVALID_VALUE` if the range is not inside, else what the functions give.
    pub fn svm_to_buffer(
        &self,
        source: SvmPointer<'_>,
        target: &MemObject,
        offset: usize,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        check_range("clEnqueueCopyBuffer", target, offset, source.size())?;
        if source.size() == 0 {
            return self.marker(wait_for);
        }
        if source.allocation().is_none() {
            // SAFETY: the pointer promises that the memory stays until the command is done.
            return unsafe {
                self.enqueue_write(target, false, offset, source.size(), source.address()?, wait_for)
            };
        }
        let buffer = self.svm_as_buffer(source)?;
        let event = self.copy_buffer(&buffer, 0, target, offset, source.size(), wait_for)?;
        source.used_on(self);
        Ok(event)
    }

    /// Fills shared virtual memory from a buffer, from byte `offset` on (`clCreateBuffer`,
    /// `clEnqueueCopyBuffer`).
    ///
    /// # Errors
    /// `INVALID_VALUE` if the range is not inside, else what the functions give.
    pub fn buffer_to_svm(
        &self,
        source: &MemObject,
        offset: usize,
        target: SvmPointer<'_>,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        check_range("clEnqueueCopyBuffer", source, offset, target.size())?;
        if target.size() == 0 {
            return self.marker(wait_for);
        }
        if target.allocation().is_none() {
            // SAFETY: the pointer promises that the memory stays until the command is done.
            return unsafe {
                self.enqueue_read(source, false, offset, target.size(), target.address()?, wait_for)
            };
        }
        let buffer = self.svm_as_buffer(target)?;
        let event = self.copy_buffer(source, offset, &buffer, 0, target.size(), wait_for)?;
        target.used_on(self);
        Ok(event)
    }

    /// Copies shared virtual memory into a block of an image, rows without gaps (`clCreateBuffer`,
    /// `clEnqueueCopyBufferToImage`).
    ///
    /// # Errors
    /// `INVALID_VALUE` if the memory is smaller than the block, or an allocation is to have pitches; else what
    /// the functions give.
    pub fn svm_to_image(
        &self,
        source: SvmPointer<'_>,
        target: &Image,
        block: &ImageBlock,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        block.check("clEnqueueCopyBufferToImage", target, source.size())?;
        if source.allocation().is_none() {
            // SAFETY: the pointer promises that the memory stays until the command is done.
            return unsafe { self.enqueue_write_image(target, false, block, source.address()?, wait_for) };
        }
        gap_free("clEnqueueCopyBufferToImage", block)?;
        let buffer = self.svm_as_buffer(source)?;
        let event = self.copy_buffer_to_image(&buffer, target, 0, block.origin, block.region, wait_for)?;
        source.used_on(self);
        Ok(event)
    }

    /// Copies a block of an image into shared virtual memory, rows without gaps (`clCreateBuffer`,
    /// `clEnqueueCopyImageToBuffer`).
    ///
    /// # Errors
    /// As for [`svm_to_image`](Self::svm_to_image).
    pub fn image_to_svm(
        &self,
        source: &Image,
        block: &ImageBlock,
        target: SvmPointer<'_>,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        block.check("clEnqueueCopyImageToBuffer", source, target.size())?;
        if target.allocation().is_none() {
            // SAFETY: the pointer promises that the memory stays until the command is done.
            return unsafe { self.enqueue_read_image(source, false, block, target.address()?, wait_for) };
        }
        gap_free("clEnqueueCopyImageToBuffer", block)?;
        let buffer = self.svm_as_buffer(target)?;
        let event = self.copy_image_to_buffer(source, &buffer, block.origin, block.region, 0, wait_for)?;
        target.used_on(self);
        Ok(event)
    }

    /// A buffer over the memory, for one command.
    fn svm_as_buffer(&self, memory: SvmPointer<'_>) -> Result<Buffer> {
        let flags = MemFlags::READ_WRITE | MemFlags::USE_HOST_PTR;
        let address = self.svm_address(&memory, "clCreateBuffer")?;
        // SAFETY: the memory holds as many bytes; the command that holds the buffer is done before it is freed.
        unsafe { Buffer::with_host_ptr(self.context(), flags, memory.size(), address) }
    }

    pub(super) fn svm_address(
        &self,
        pointer: &SvmPointer<'_>,
        function: &'static str,
    ) -> Result<*mut c_void> {
        pointer.address_in(self.context().as_raw() as usize, function)
    }
}

/// Copies between images and buffers know no pitches.
fn gap_free(function: &'static str, block: &ImageBlock) -> Result<()> {
    if block.pitches == [0; 2] {
        return Ok(());
    }
    let detail = "copies between images and shared virtual memory take no pitches: rows follow each other";
    Err(Error::refused(function, status::INVALID_VALUE, detail))
}
