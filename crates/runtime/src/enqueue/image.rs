//! Commands on images. Origins and regions count pixels: column, row, slice. The images of an array follow along
//! the first axis that they do not have themselves.

use std::ffi::c_void;
use std::ptr::NonNull;

use bytemuck::{AnyBitPattern, NoUninit};

use super::map::Map;
use super::{check_range, with_event};
use crate::call::{call, entry};
use crate::constants::MemObjectType;
use crate::memory::extent;
use crate::{CommandQueue, Error, Event, Image, MapFlags, MemObject, Result, WaitList, status};

/// A block of pixels of an image, and how it lies in host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageBlock {
    /// Where it begins in the image.
    pub origin: [usize; 3],
    /// Its size.
    pub region: [usize; 3],
    /// Bytes from row to row and from slice to slice in host memory. Zero means that rows (slices) follow each
    /// other without gap.
    pub pitches: [usize; 2],
}

impl ImageBlock {
    /// The whole image, without gaps in host memory.
    ///
    /// # Errors
    /// What `clGetImageInfo` gives.
    pub fn whole(image: &Image) -> Result<Self> {
        let mut region = [1; 3];
        for (side, length) in region.iter_mut().zip(image.shape()?) {
            *side = length;
        }
        Ok(Self { origin: [0; 3], region, pitches: [0; 2] })
    }

    /// Refuses a block that is not inside of the image; not every driver does.
    fn check_inside(&self, function: &'static str, image: &Image) -> Result<()> {
        check_inside(function, image, self.origin, self.region)
    }

    /// Whether it has no pixels.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.region.contains(&0)
    }

    /// How many bytes of host memory the block reaches, counted from its address.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the number is too large for the host, or a pitch is smaller than what it spans; else
    /// what `clGetImageInfo` gives.
    pub fn host_extent(&self, image: &Image) -> Result<usize> {
        extent(image.type_()?, self.region, self.pitches, image.element_size()?)
            .map_err(|error| Error::refused("image transfer", status::INVALID_VALUE, error.text(self.region)))
    }

    pub(super) fn check(&self, function: &'static str, image: &Image, room: usize) -> Result<()> {
        let extent = self.host_extent(image)?;
        if extent <= room {
            return Ok(());
        }
        let detail = format!("the block takes {extent} bytes, and the host memory has {room}");
        Err(Error::refused(function, status::INVALID_VALUE, detail))
    }
}

/// How the pixels of a mapped block lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageLayout {
    /// Bytes from row to row, as the driver tells.
    pub row_pitch: usize,
    /// Bytes from slice to slice, or from image to image of an array, as the driver tells; zero if the image has
    /// neither.
    pub slice_pitch: usize,
    kind: MemObjectType,
    region: [usize; 3],
    pixel_size: usize,
}

impl ImageLayout {
    /// Where the memory has gaps: after each so many bytes, the next step is that long. Innermost first.
    #[must_use]
    pub fn gaps(&self) -> [(usize, usize); 2] {
        let row = if self.kind == MemObjectType::IMAGE1D_ARRAY { self.slice_pitch } else { self.row_pitch };
        let rows = self.region[1].saturating_mul(row);
        let slice = if self.region[2] > 1 && self.slice_pitch > 0 { self.slice_pitch } else { rows };
        [(self.region[0].saturating_mul(self.pixel_size), row), (rows, slice)]
    }

    fn extent(&self) -> usize {
        let pitches = [self.row_pitch, self.slice_pitch];
        // A driver that tells a slice pitch below what its rows take means images without slices.
        extent(self.kind, self.region, pitches, self.pixel_size)
            .or_else(|_| extent(self.kind, self.region, [self.row_pitch, 0], self.pixel_size))
            .unwrap_or(0)
    }
}

/// Refuses a block that is not inside of the image; not every driver does.
fn check_inside(function: &'static str, image: &Image, origin: [usize; 3], region: [usize; 3]) -> Result<()> {
    let whole = ImageBlock::whole(image)?.region;
    let ends_inside =
        |axis: usize| origin[axis].checked_add(region[axis]).is_some_and(|end| end <= whole[axis]);
    if (0..3).all(ends_inside) {
        return Ok(());
    }
    let detail = format!("the block of {region:?} pixels at {origin:?} is not inside of {whole:?}");
    Err(Error::refused(function, status::INVALID_VALUE, detail))
}

/// The size in bytes of a block that is inside of the image, without gaps.
fn packed_size(image: &Image, region: [usize; 3]) -> Result<usize> {
    ImageBlock { origin: [0; 3], region, pitches: [0; 2] }.host_extent(image)
}

impl CommandQueue {
    /// Fills `data` with a block of the image and waits for it (`clEnqueueReadImage`).
    ///
    /// # Errors
    /// `INVALID_VALUE` if `data` is too short or the block is not inside, else what the function gives.
    pub fn read_image<T: AnyBitPattern + NoUninit>(
        &self,
        image: &Image,
        block: &ImageBlock,
        data: &mut [T],
    ) -> Result<()> {
        block.check("clEnqueueReadImage", image, size_of_val(data))?;
        let address = data.as_mut_ptr().cast();
        // SAFETY: `data` has room for the block, any bytes are a value of it, and the call blocks.
        unsafe { self.enqueue_read_image(image, true, block, address, &WaitList::default()) }.map(drop)
    }

    /// Copies `data` into a block of the image and waits until it is taken (`clEnqueueWriteImage`).
    ///
    /// # Errors
    /// As for [`read_image`](Self::read_image).
    pub fn write_image<T: NoUninit>(&self, image: &Image, block: &ImageBlock, data: &[T]) -> Result<()> {
        block.check("clEnqueueWriteImage", image, size_of_val(data))?;
        let address = data.as_ptr().cast();
        // SAFETY: `data` holds the block, and the call blocks.
        unsafe { self.enqueue_write_image(image, true, block, address, &WaitList::default()) }.map(drop)
    }

    /// `clEnqueueReadImage` with everything that it offers. A block without pixels is a marker.
    ///
    /// # Safety
    /// [`ImageBlock::host_extent`] bytes can be written at `address`; if the call does not block, until the
    /// command is done.
    ///
    /// # Errors
    /// What the function gives.
    pub unsafe fn enqueue_read_image(
        &self,
        image: &Image,
        blocking: bool,
        block: &ImageBlock,
        address: *mut c_void,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        if block.is_empty() {
            return self.marker(wait_for);
        }
        let raw = self.raw_of(image, "clEnqueueReadImage")?;
        block.check_inside("clEnqueueReadImage", image)?;
        // SAFETY: queue, image and events are live; the caller promises the rest.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueReadImage(
                    self.as_raw(),
                    raw,
                    blocking.into(),
                    block.origin.as_ptr(),
                    block.region.as_ptr(),
                    block.pitches[0],
                    block.pitches[1],
                    address,
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }

    /// `clEnqueueWriteImage` with everything that it offers. A block without pixels is a marker.
    ///
    /// # Safety
    /// [`ImageBlock::host_extent`] bytes can be read at `address`; if the call does not block, until the
    /// command is done.
    ///
    /// # Errors
    /// What the function gives.
    pub unsafe fn enqueue_write_image(
        &self,
        image: &Image,
        blocking: bool,
        block: &ImageBlock,
        address: *const c_void,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        if block.is_empty() {
            return self.marker(wait_for);
        }
        let raw = self.raw_of(image, "clEnqueueWriteImage")?;
        block.check_inside("clEnqueueWriteImage", image)?;
        // SAFETY: queue, image and events are live; the caller promises the rest.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueWriteImage(
                    self.as_raw(),
                    raw,
                    blocking.into(),
                    block.origin.as_ptr(),
                    block.region.as_ptr(),
                    block.pitches[0],
                    block.pitches[1],
                    address,
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }

    /// Copies a block between images of one format (`clEnqueueCopyImage`).
    ///
    /// # Errors
    /// `IMAGE_FORMAT_MISMATCH` for different formats, `MEM_COPY_OVERLAP` for overlapping blocks of one image,
    /// `INVALID_VALUE` for a block that is not inside, else what the function gives.
    pub fn copy_image(
        &self,
        source: &Image,
        target: &Image,
        source_origin: [usize; 3],
        target_origin: [usize; 3],
        region: [usize; 3],
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        if region.contains(&0) {
            return self.marker(wait_for);
        }
        let function = "clEnqueueCopyImage";
        let (from, to) = (self.raw_of(source, function)?, self.raw_of(target, function)?);
        check_inside(function, source, source_origin, region)?;
        check_inside(function, target, target_origin, region)?;
        // SAFETY: queue, images and events are live.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueCopyImage(
                    self.as_raw(),
                    from,
                    to,
                    source_origin.as_ptr(),
                    target_origin.as_ptr(),
                    region.as_ptr(),
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }

    /// Copies a block of an image into a buffer from byte `offset`, without gaps
    /// (`clEnqueueCopyImageToBuffer`).
    ///
    /// # Errors
    /// `INVALID_VALUE` if block or range is not inside, else what the function gives.
    pub fn copy_image_to_buffer(
        &self,
        source: &Image,
        target: &MemObject,
        origin: [usize; 3],
        region: [usize; 3],
        offset: usize,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        if region.contains(&0) {
            return self.marker(wait_for);
        }
        let function = "clEnqueueCopyImageToBuffer";
        let (from, to) = (self.raw_of(source, function)?, self.raw_of(target, function)?);
        check_inside(function, source, origin, region)?;
        check_range(function, target, offset, packed_size(source, region)?)?;
        // SAFETY: queue, image, buffer and events are live.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueCopyImageToBuffer(
                    self.as_raw(),
                    from,
                    to,
                    origin.as_ptr(),
                    region.as_ptr(),
                    offset,
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }

    /// Copies from a buffer, from byte `offset` and without gaps, into a block of an image
    /// (`clEnqueueCopyBufferToImage`).
    ///
    /// # Errors
    /// As for [`copy_image_to_buffer`](Self::copy_image_to_buffer).
    pub fn copy_buffer_to_image(
        &self,
        source: &MemObject,
        target: &Image,
        offset: usize,
        origin: [usize; 3],
        region: [usize; 3],
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        if region.contains(&0) {
            return self.marker(wait_for);
        }
        let function = "clEnqueueCopyBufferToImage";
        let (from, to) = (self.raw_of(source, function)?, self.raw_of(target, function)?);
        check_inside(function, target, origin, region)?;
        check_range(function, source, offset, packed_size(target, region)?)?;
        // SAFETY: queue, buffer, image and events are live.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueCopyBufferToImage(
                    self.as_raw(),
                    from,
                    to,
                    offset,
                    origin.as_ptr(),
                    region.as_ptr(),
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }

    /// Fills a block of an image with one colour (`clEnqueueFillImage`, OpenCL 1.2): the bytes of four `f32`
    /// for normalised and floating-point formats, of four `i32` or `u32` for those of integers.
    /// `bytemuck::cast` turns any of these into bytes.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the block is not inside, else what the function gives.
    pub fn fill_image(
        &self,
        image: &Image,
        colour: &[u8; 16],
        origin: [usize; 3],
        region: [usize; 3],
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        if region.contains(&0) {
            return self.marker(wait_for);
        }
        let raw = self.raw_of(image, "clEnqueueFillImage")?;
        check_inside("clEnqueueFillImage", image, origin, region)?;
        // Drivers read words.
        let words: [u32; 4] = bytemuck::pod_read_unaligned(colour);
        // SAFETY: queue, image and events are live; the driver copies the colour during the call.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueFillImage(
                    self.as_raw(),
                    raw,
                    words.as_ptr().cast(),
                    origin.as_ptr(),
                    region.as_ptr(),
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }

    /// Maps a block of an image (`clEnqueueMapImage`): the memory, how pixels lie in it, and the event. If the call does not block, the memory may be touched once the event is done.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the block is not inside, else what the function gives.
    pub fn map_image(
        &self,
        image: &Image,
        blocking: bool,
        flags: MapFlags,
        origin: [usize; 3],
        region: [usize; 3],
        wait_for: &WaitList<'_>,
    ) -> Result<(Map, ImageLayout, Event)> {
        let function = "clEnqueueMapImage";
        let raw = self.raw_of(image, function)?;
        check_inside(function, image, origin, region)?;
        let (kind, pixel_size) = (image.type_()?, image.element_size()?);
        let api = self.api();
        let map = entry!(api, clEnqueueMapImage)?;
        let mut address = std::ptr::null_mut();
        let mut layout = ImageLayout { row_pitch: 0, slice_pitch: 0, kind, region, pixel_size };
        let event = with_event(self, |event| {
            let mut code = status::SUCCESS;
            // SAFETY: queue, image and events are live.
            address = unsafe {
                map(
                    self.as_raw(),
                    raw,
                    blocking.into(),
                    flags.bits(),
                    origin.as_ptr(),
                    region.as_ptr(),
                    &raw mut layout.row_pitch,
                    &raw mut layout.slice_pitch,
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event,
                    &raw mut code,
                )
            };
            if code == status::SUCCESS { Ok(()) } else { Err(Error::status(function, code)) }
        })?;
        let address = NonNull::new(address).ok_or_else(|| Error::null(function))?;
        Ok((Map::new(self, image, address, layout.extent()), layout, event))
    }
}
