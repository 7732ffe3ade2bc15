//! Images: creation, information, and the commands on them. They store data; nothing samples them.

use crate::border::{check, items, pairs, store, triple};
use crate::context::Context;
use crate::enqueue::Enqueue;
use crate::info::Answer;
use crate::memory::{self, Mem, Plan};
use crate::object::{self, Shared};
use crate::rect::{self, Rect, product};
use crate::sys::*;

/// What makes a memory object an image.
#[derive(Clone)]
pub(crate) struct Image {
    format: cl_image_format,
    element: usize,
    desc: cl_image_desc,
    row: usize,
    slice: usize,
}

// SAFETY: the handle inside is only a number here.
unsafe impl Send for Image {}
// SAFETY: nothing inside changes.
unsafe impl Sync for Image {}

const ORDERS: [cl_channel_order; 5] = [CL_R, CL_A, CL_RG, CL_RGBA, CL_BGRA];
const TYPES: [cl_channel_type; 12] = [
    CL_SNORM_INT8,
    CL_SNORM_INT16,
    CL_UNORM_INT8,
    CL_UNORM_INT16,
    CL_SIGNED_INT8,
    CL_SIGNED_INT16,
    CL_SIGNED_INT32,
    CL_UNSIGNED_INT8,
    CL_UNSIGNED_INT16,
    CL_UNSIGNED_INT32,
    CL_HALF_FLOAT,
    CL_FLOAT,
];

/// Bytes of an element.
///
/// # Errors
/// `CL_INVALID_IMAGE_FORMAT_DESCRIPTOR` for values that are no format, `CL_IMAGE_FORMAT_NOT_SUPPORTED` for others.
fn element_size(format: cl_image_format) -> Result<usize> {
    let (order, kind) = (format.image_channel_order, format.image_channel_data_type);
    let known = (CL_R..=CL_ABGR).contains(&order) && (CL_SNORM_INT8..=CL_UNORM_INT_101010_2).contains(&kind);
    check(known, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)?;
    check(ORDERS.contains(&order) && TYPES.contains(&kind), CL_IMAGE_FORMAT_NOT_SUPPORTED)?;
    let channels = match order {
        CL_R | CL_A => 1,
        CL_RG => 2,
        _ => 4,
    };
    let bytes = match kind {
        CL_SNORM_INT8 | CL_UNORM_INT8 | CL_SIGNED_INT8 | CL_UNSIGNED_INT8 => 1,
        CL_SIGNED_INT32 | CL_UNSIGNED_INT32 | CL_FLOAT => 4,
        _ => 2,
    };
    Ok(channels * bytes)
}

impl Image {
    /// Width, height and depth as origin and region count them.
    fn sides(&self) -> [usize; 3] {
        let desc = &self.desc;
        match desc.image_type {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => [desc.image_width, desc.image_array_size, 1],
            CL_MEM_OBJECT_IMAGE2D => [desc.image_width, desc.image_height, 1],
            CL_MEM_OBJECT_IMAGE2D_ARRAY => [desc.image_width, desc.image_height, desc.image_array_size],
            CL_MEM_OBJECT_IMAGE3D => [desc.image_width, desc.image_height, desc.image_depth],
            _ => [desc.image_width, 1, 1],
        }
    }

    /// The pitch of the second and third coordinate; for 1D arrays the second counts slices.
    fn pitches(&self, row: usize, slice: usize) -> (usize, usize) {
        match self.desc.image_type {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => (slice, 0),
            _ => (row, slice),
        }
    }

    fn layered(&self) -> bool {
        matches!(
            self.desc.image_type,
            CL_MEM_OBJECT_IMAGE1D_ARRAY | CL_MEM_OBJECT_IMAGE2D_ARRAY | CL_MEM_OBJECT_IMAGE3D
        )
    }

    /// The region in bytes, and where it lies in the image.
    fn rect(&self, address: usize, origin: [usize; 3], region: [usize; 3]) -> Result<(Rect, [usize; 3])> {
        for (axis, side) in self.sides().into_iter().enumerate() {
            let end = origin[axis].checked_add(region[axis]).ok_or(CL_INVALID_VALUE)?;
            check(end <= side && region[axis] > 0, CL_INVALID_VALUE)?;
        }
        let bytes = [region[0] * self.element, region[1], region[2]];
        let start = [origin[0] * self.element, origin[1], origin[2]];
        let (row, slice) = self.pitches(self.row, self.slice);
        Ok((Rect::new(address, start, bytes, row, slice)?, bytes))
    }
}

/// # Safety
/// - `format` and `desc` are null or valid for reading.
/// - `host` is as `clCreateImage` demands.
unsafe fn create(
    context: cl_context,
    properties: Vec<cl_mem_properties>,
    flags: cl_mem_flags,
    format: *const cl_image_format,
    desc: *const cl_image_desc,
    host: *mut c_void,
) -> Result<cl_mem> {
    let context = object::get::<Context>(context)?;
    check(properties.len() <= 1, CL_INVALID_PROPERTY)?;
    // SAFETY: passed on.
    let format = *unsafe { items(format, 1) }.first().ok_or(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)?;
    // SAFETY: passed on.
    let desc = *unsafe { items(desc, 1) }.first().ok_or(CL_INVALID_IMAGE_DESCRIPTOR)?;
    check(context.devices.iter().any(|device| device.shape().images), CL_INVALID_OPERATION)?;
    let kind = desc.image_type;
    let known = (CL_MEM_OBJECT_IMAGE2D..=CL_MEM_OBJECT_IMAGE1D_BUFFER).contains(&kind);
    check(known && desc.num_mip_levels == 0 && desc.num_samples == 0, CL_INVALID_IMAGE_DESCRIPTOR)?;
    let element = element_size(format)?;
    let mut image = Image { format, element, desc, row: 0, slice: 0 };
    let sides = image.sides();
    check(sides.iter().all(|side| (1..=65536).contains(side)), CL_INVALID_IMAGE_SIZE)?;
    let given = !host.is_null() || !desc.buffer.is_null();
    let packed = sides[0] * element;
    image.row = if desc.image_row_pitch == 0 { packed } else { desc.image_row_pitch };
    check(given || desc.image_row_pitch == 0, CL_INVALID_IMAGE_DESCRIPTOR)?;
    check(image.row >= packed && image.row.is_multiple_of(element), CL_INVALID_IMAGE_DESCRIPTOR)?;
    let rows = if kind == CL_MEM_OBJECT_IMAGE1D_ARRAY { 1 } else { sides[1] };
    let layers = if kind == CL_MEM_OBJECT_IMAGE1D_ARRAY { sides[1] } else { sides[2] };
    let packed = product(image.row, rows).map_err(|_| CL_INVALID_IMAGE_SIZE)?;
    image.slice = if desc.image_slice_pitch == 0 { packed } else { desc.image_slice_pitch };
    check(image.slice >= packed, CL_INVALID_IMAGE_DESCRIPTOR)?;
    let size = product(image.slice, layers).map_err(|_| CL_INVALID_IMAGE_SIZE)?;
    if !desc.buffer.is_null() {
        let parent = object::get::<Mem>(desc.buffer)?;
        check(
            matches!(kind, CL_MEM_OBJECT_IMAGE1D_BUFFER | CL_MEM_OBJECT_IMAGE2D),
            CL_INVALID_IMAGE_DESCRIPTOR,
        )?;
        check(size <= parent.size, CL_INVALID_IMAGE_SIZE)?;
        return Ok(memory::create_part(parent, kind, flags, 0, size, Some(image)));
    }
    check(kind != CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_IMAGE_DESCRIPTOR)?;
    check(size as u64 <= context.max_alloc(), CL_MEM_OBJECT_ALLOCATION_FAILURE)?;
    let plan =
        Plan { context, kind, flags, size, host, image: Some(image), pipe: None, gl: None, properties };
    // SAFETY: passed on.
    unsafe { memory::create(plan) }
}

/// An image of 4 pixels in each direction, one byte each.
pub(crate) fn square(kind: cl_mem_object_type) -> Image {
    let desc = plain(kind, [4, 4, if kind == CL_MEM_OBJECT_IMAGE3D { 4 } else { 1 }], 4, 16);
    let format = cl_image_format { image_channel_order: CL_R, image_channel_data_type: CL_UNORM_INT8 };
    Image { format, element: 1, desc, row: 4, slice: 16 }
}

/// A description without pitches of layers and without a buffer.
fn plain(kind: cl_mem_object_type, sides: [usize; 3], row: usize, slice: usize) -> cl_image_desc {
    cl_image_desc {
        image_type: kind,
        image_width: sides[0],
        image_height: sides[1],
        image_depth: sides[2],
        image_array_size: 0,
        image_row_pitch: row,
        image_slice_pitch: slice,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: std::ptr::null_mut(),
    }
}

entry! {
    object fn clCreateImage(
        context: cl_context, flags: cl_mem_flags, image_format: *const cl_image_format,
        image_desc: *const cl_image_desc, host_ptr: *mut c_void,
    ) {
        // SAFETY: the pointers are as the specification demands.
        unsafe { create(context, Vec::new(), flags, image_format, image_desc, host_ptr) }
    }
}

entry! {
    object fn clCreateImageWithProperties(
        context: cl_context, properties: *const cl_mem_properties, flags: cl_mem_flags,
        image_format: *const cl_image_format, image_desc: *const cl_image_desc, host_ptr: *mut c_void,
    ) {
        // SAFETY: the pointer is as the specification demands.
        let properties = unsafe { pairs(properties) };
        // SAFETY: as above.
        unsafe { create(context, properties, flags, image_format, image_desc, host_ptr) }
    }
}

entry! {
    object fn clCreateImage2D(
        context: cl_context, flags: cl_mem_flags, image_format: *const cl_image_format,
        image_width: size_t, image_height: size_t, image_row_pitch: size_t, host_ptr: *mut c_void,
    ) {
        let desc = plain(CL_MEM_OBJECT_IMAGE2D, [image_width, image_height, 1], image_row_pitch, 0);
        // SAFETY: the pointers are as the specification demands.
        unsafe { create(context, Vec::new(), flags, image_format, &raw const desc, host_ptr) }
    }
}

entry! {
    object fn clCreateImage3D(
        context: cl_context, flags: cl_mem_flags, image_format: *const cl_image_format,
        image_width: size_t, image_height: size_t, image_depth: size_t,
        image_row_pitch: size_t, image_slice_pitch: size_t, host_ptr: *mut c_void,
    ) {
        let sides = [image_width, image_height, image_depth];
        let desc = plain(CL_MEM_OBJECT_IMAGE3D, sides, image_row_pitch, image_slice_pitch);
        // SAFETY: the pointers are as the specification demands.
        unsafe { create(context, Vec::new(), flags, image_format, &raw const desc, host_ptr) }
    }
}

entry! {
    status fn clGetSupportedImageFormats(
        context: cl_context, flags: cl_mem_flags, image_type: cl_mem_object_type,
        num_entries: cl_uint, image_formats: *mut cl_image_format, num_image_formats: *mut cl_uint,
    ) {
        let context = object::get::<Context>(context)?;
        let known = (CL_MEM_OBJECT_IMAGE2D..=CL_MEM_OBJECT_IMAGE1D_BUFFER).contains(&image_type);
        check(known && flags >> 13 == 0, CL_INVALID_VALUE)?;
        check(image_formats.is_null() != (num_entries > 0), CL_INVALID_VALUE)?;
        let images = context.devices.iter().any(|device| device.shape().images);
        let pair = |order| TYPES.iter().map(move |kind| (order, *kind));
        let all = ORDERS.into_iter().flat_map(pair).filter(|_| images).map(|(order, kind)| cl_image_format {
            image_channel_order: order,
            image_channel_data_type: kind,
        });
        let all: Vec<_> = all.collect();
        if !image_formats.is_null() {
            for (index, format) in all.iter().take(num_entries as usize).enumerate() {
                // SAFETY: `index < num_entries`.
                unsafe { image_formats.add(index).write(*format) };
            }
        }
        // SAFETY: the pointer is as the specification demands.
        unsafe { store(num_image_formats, all.len() as cl_uint) };
        Ok(())
    }
}

entry! {
    status fn clGetImageInfo(
        image: cl_mem, param_name: cl_image_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let mem = object::get::<Mem>(image)?;
        let image = mem.image.as_ref().ok_or(CL_INVALID_MEM_OBJECT)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        let desc = &image.desc;
        let kind = desc.image_type;
        let sides = image.sides();
        let flat = matches!(
            kind,
            CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE1D_BUFFER | CL_MEM_OBJECT_IMAGE1D_ARRAY
        );
        let array = matches!(kind, CL_MEM_OBJECT_IMAGE1D_ARRAY | CL_MEM_OBJECT_IMAGE2D_ARRAY);
        match param_name {
            CL_IMAGE_FORMAT => answer.value(image.format),
            CL_IMAGE_ELEMENT_SIZE => answer.value(image.element),
            CL_IMAGE_ROW_PITCH => answer.value(image.row),
            CL_IMAGE_SLICE_PITCH => answer.value(if image.layered() { image.slice } else { 0 }),
            CL_IMAGE_WIDTH => answer.value(sides[0]),
            CL_IMAGE_HEIGHT => answer.value(if flat { 0 } else { sides[1] }),
            CL_IMAGE_DEPTH => answer.value(if kind == CL_MEM_OBJECT_IMAGE3D { sides[2] } else { 0 }),
            CL_IMAGE_ARRAY_SIZE => answer.value(if array { desc.image_array_size } else { 0 }),
            CL_IMAGE_BUFFER => answer.value(desc.buffer),
            CL_IMAGE_NUM_MIP_LEVELS | CL_IMAGE_NUM_SAMPLES => answer.value(0_u32),
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

impl Enqueue {
    /// An image that the command uses.
    ///
    /// # Errors
    /// As [`Enqueue::mem`]; also for what is no image.
    fn image(&self, handle: cl_mem) -> Result<(Shared<Mem>, Image)> {
        let mem = self.mem(handle)?;
        let image = mem.image.clone().ok_or(CL_INVALID_MEM_OBJECT)?;
        Ok((mem, image))
    }
}

/// The two sides of a transfer between an image and the host.
///
/// # Safety
/// - `origin` and `region` are null or valid for reading three sizes.
unsafe fn host_rect(
    mem: &Mem,
    image: &Image,
    origin: *const size_t,
    region: *const size_t,
    (row, slice): (size_t, size_t),
    host: usize,
) -> Result<(Rect, Rect, [usize; 3])> {
    check(host != 0, CL_INVALID_VALUE)?;
    // SAFETY: passed on.
    let origin = unsafe { triple(origin)? };
    // SAFETY: passed on.
    let region = unsafe { triple(region)? };
    let (inside, bytes) = image.rect(mem.address(), origin, region)?;
    let (row, slice) = image.pitches(row, slice);
    Ok((inside, Rect::new(host, [0; 3], bytes, row, slice)?, bytes))
}

entry! {
    status fn clEnqueueReadImage(
        command_queue: cl_command_queue, image: cl_mem, blocking_read: cl_bool,
        origin: *const size_t, region: *const size_t, row_pitch: size_t, slice_pitch: size_t,
        ptr: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let (mem, image) = enqueue.image(image)?;
        mem.check_host_read()?;
        let pitches = (row_pitch, slice_pitch);
        // SAFETY: as above.
        let (inside, outside, bytes) =
            unsafe { host_rect(&mem, &image, origin, region, pitches, ptr as usize)? };
        enqueue.submit(CL_COMMAND_READ_IMAGE, blocking_read != CL_FALSE, move || {
            // SAFETY: bounds were checked; the application keeps its memory until the command has ended.
            unsafe { rect::copy(&inside, &outside, bytes) };
            drop(mem);
        })
    }
}

entry! {
    status fn clEnqueueWriteImage(
        command_queue: cl_command_queue, image: cl_mem, blocking_write: cl_bool,
        origin: *const size_t, region: *const size_t, input_row_pitch: size_t,
        input_slice_pitch: size_t, ptr: *const c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let (mem, image) = enqueue.image(image)?;
        mem.check_host_write()?;
        let pitches = (input_row_pitch, input_slice_pitch);
        // SAFETY: as above.
        let (inside, outside, bytes) =
            unsafe { host_rect(&mem, &image, origin, region, pitches, ptr as usize)? };
        enqueue.submit(CL_COMMAND_WRITE_IMAGE, blocking_write != CL_FALSE, move || {
            // SAFETY: bounds were checked; the application keeps its memory until the command has ended.
            unsafe { rect::copy(&outside, &inside, bytes) };
            drop(mem);
        })
    }
}

entry! {
    status fn clEnqueueCopyImage(
        command_queue: cl_command_queue, src_image: cl_mem, dst_image: cl_mem,
        src_origin: *const size_t, dst_origin: *const size_t, region: *const size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let (source, from) = enqueue.image(src_image)?;
        let (target, to) = enqueue.image(dst_image)?;
        let formats = [from.format, to.format];
        let same = formats[0].image_channel_order == formats[1].image_channel_order
            && formats[0].image_channel_data_type == formats[1].image_channel_data_type;
        check(same, CL_IMAGE_FORMAT_MISMATCH)?;
        // SAFETY: as above.
        let region = unsafe { triple(region)? };
        // SAFETY: as above.
        let (from, bytes) = from.rect(source.address(), unsafe { triple(src_origin)? }, region)?;
        // SAFETY: as above.
        let (to, _) = to.rect(target.address(), unsafe { triple(dst_origin)? }, region)?;
        check(!from.overlaps(&to, bytes), CL_MEM_COPY_OVERLAP)?;
        enqueue.submit(CL_COMMAND_COPY_IMAGE, false, move || {
            // SAFETY: bounds were checked.
            unsafe { rect::copy(&from, &to, bytes) };
            drop((source, target));
        })
    }
}

entry! {
    status fn clEnqueueCopyImageToBuffer(
        command_queue: cl_command_queue, src_image: cl_mem, dst_buffer: cl_mem,
        src_origin: *const size_t, region: *const size_t, dst_offset: size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let (source, image) = enqueue.image(src_image)?;
        let target = enqueue.buffer(dst_buffer)?;
        target.check_range(dst_offset, 0)?;
        let address = target.address() + dst_offset;
        // SAFETY: as above.
        let (from, to, bytes) =
            unsafe { host_rect(&source, &image, src_origin, region, (0, 0), address)? };
        target.check_range(dst_offset, bytes.iter().product())?;
        enqueue.submit(CL_COMMAND_COPY_IMAGE_TO_BUFFER, false, move || {
            // SAFETY: bounds were checked.
            unsafe { rect::copy(&from, &to, bytes) };
            drop((source, target));
        })
    }
}

entry! {
    status fn clEnqueueCopyBufferToImage(
        command_queue: cl_command_queue, src_buffer: cl_mem, dst_image: cl_mem, src_offset: size_t,
        dst_origin: *const size_t, region: *const size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let source = enqueue.buffer(src_buffer)?;
        let (target, image) = enqueue.image(dst_image)?;
        source.check_range(src_offset, 0)?;
        let address = source.address() + src_offset;
        // SAFETY: as above.
        let (to, from, bytes) =
            unsafe { host_rect(&target, &image, dst_origin, region, (0, 0), address)? };
        source.check_range(src_offset, bytes.iter().product())?;
        enqueue.submit(CL_COMMAND_COPY_BUFFER_TO_IMAGE, false, move || {
            // SAFETY: bounds were checked.
            unsafe { rect::copy(&from, &to, bytes) };
            drop((source, target));
        })
    }
}

/// A fill colour (four words) in the image's format.
///
/// # Errors
/// `CL_IMAGE_FORMAT_NOT_SUPPORTED` for half-precision images.
fn colour(format: cl_image_format, words: [u32; 4]) -> Result<Vec<u8>> {
    let order: &[usize] = match format.image_channel_order {
        CL_R => &[0],
        CL_A => &[3],
        CL_RG => &[0, 1],
        CL_BGRA => &[2, 1, 0, 3],
        _ => &[0, 1, 2, 3],
    };
    let scaled =
        |word: u32, limit: f32, low: f32| (f32::from_bits(word).clamp(low, 1.0) * limit).round_ties_even();
    let mut bytes = Vec::new();
    for channel in order {
        let word = words[*channel];
        match format.image_channel_data_type {
            CL_UNORM_INT8 => bytes.push(scaled(word, 255.0, 0.0) as u8),
            CL_SNORM_INT8 => bytes.extend((scaled(word, 127.0, -1.0) as i8).to_ne_bytes()),
            CL_UNORM_INT16 => bytes.extend((scaled(word, 65535.0, 0.0) as u16).to_ne_bytes()),
            CL_SNORM_INT16 => bytes.extend((scaled(word, 32767.0, -1.0) as i16).to_ne_bytes()),
            CL_SIGNED_INT8 => {
                let value = word.cast_signed().clamp(i8::MIN.into(), i8::MAX.into());
                bytes.extend((value as i8).to_ne_bytes());
            }
            CL_SIGNED_INT16 => {
                let value = word.cast_signed().clamp(i16::MIN.into(), i16::MAX.into());
                bytes.extend((value as i16).to_ne_bytes());
            }
            CL_UNSIGNED_INT8 => bytes.push(word.min(u8::MAX.into()) as u8),
            CL_UNSIGNED_INT16 => bytes.extend((word.min(u16::MAX.into()) as u16).to_ne_bytes()),
            CL_HALF_FLOAT => return Err(CL_IMAGE_FORMAT_NOT_SUPPORTED),
            _ => bytes.extend(word.to_ne_bytes()),
        }
    }
    Ok(bytes)
}

entry! {
    status fn clEnqueueFillImage(
        command_queue: cl_command_queue, image: cl_mem, fill_color: *const c_void,
        origin: *const size_t, region: *const size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let (mem, image) = enqueue.image(image)?;
        // SAFETY: as above; every kind of colour is four words.
        let words = unsafe { items(fill_color.cast::<u32>(), 4) };
        let pattern = colour(image.format, words.try_into().map_err(|_| CL_INVALID_VALUE)?)?;
        // SAFETY: as above.
        let region = unsafe { triple(region)? };
        // SAFETY: as above.
        let (inside, bytes) = image.rect(mem.address(), unsafe { triple(origin)? }, region)?;
        enqueue.submit(CL_COMMAND_FILL_IMAGE, false, move || {
            for z in 0..bytes[2] {
                for y in 0..bytes[1] {
                    // SAFETY: bounds were checked.
                    unsafe { rect::fill(inside.at(y, z), &pattern, bytes[0]) };
                }
            }
            drop(mem);
        })
    }
}

entry! {
    object fn clEnqueueMapImage(
        command_queue: cl_command_queue, image: cl_mem, blocking_map: cl_bool, map_flags: cl_map_flags,
        origin: *const size_t, region: *const size_t,
        image_row_pitch: *mut size_t, image_slice_pitch: *mut size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let (mem, image) = enqueue.image(image)?;
        mem.check_map(map_flags)?;
        check(!image_row_pitch.is_null(), CL_INVALID_VALUE)?;
        check(!image_slice_pitch.is_null() || !image.layered(), CL_INVALID_VALUE)?;
        // SAFETY: as above.
        let region = unsafe { triple(region)? };
        // SAFETY: as above.
        let (inside, _) = image.rect(mem.address(), unsafe { triple(origin)? }, region)?;
        // SAFETY: as above.
        unsafe { store(image_row_pitch, image.row) };
        // SAFETY: as above.
        unsafe { store(image_slice_pitch, if image.layered() { image.slice } else { 0 }) };
        let address = inside.at(0, 0);
        mem.map(address);
        let kept = mem.clone();
        let outcome = enqueue.submit(CL_COMMAND_MAP_IMAGE, blocking_map != CL_FALSE, move || drop(kept));
        if let Err(code) = outcome {
            mem.unmap(address)?;
            return Err(code);
        }
        Ok(address as *mut c_void)
    }
}
