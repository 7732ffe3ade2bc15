//! Images: memory that kernels read through samplers, by pixel.

use std::ffi::c_void;
use std::ops::Deref;
use std::ptr;

use bytemuck::NoUninit;
use opencl_driver::sys::{_cl_image_desc, cl_mem};

use super::image_format::ImageFormat;
use super::{MemObject, with_reclaim};
use crate::call::create;
use crate::constants::MemObjectType;
use crate::handle::Handle;
use crate::{Context, Error, MemFlags, Result, Version, status};

/// Kind and size of an image (`cl_image_desc`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageDescriptor {
    /// Which kind of image.
    pub kind: MemObjectType,
    /// Width, height and depth in pixels; what the kind does not have is not looked at.
    pub shape: [usize; 3],
    /// How many images an array holds.
    pub array_size: usize,
    /// Bytes from row to row and from slice to slice of the host memory or the buffer. Zero means that rows
    /// (slices) follow each other without gap.
    pub pitches: [usize; 2],
    /// Number of mipmap levels (`cl_khr_mipmap_image`), else zero.
    pub num_mip_levels: u32,
    /// Zero in all versions of the specification so far.
    pub num_samples: u32,
    /// The buffer whose memory the image uses.
    pub buffer: Option<MemObject>,
}

impl Default for ImageDescriptor {
    fn default() -> Self {
        Self {
            kind: MemObjectType(0),
            shape: [0; 3],
            array_size: 0,
            pitches: [0; 2],
            num_mip_levels: 0,
            num_samples: 0,
            buffer: None,
        }
    }
}

impl ImageDescriptor {
    /// An image of one to three dimensions by width, height and depth; or, with `is_array`, an array of images
    /// of one or two dimensions, whose number comes last.
    ///
    /// ```
    /// use opencl_runtime::{ImageDescriptor, MemObjectType};
    ///
    /// let image = ImageDescriptor::of_shape(&[640, 480], false)?;
    /// assert_eq!(image.kind, MemObjectType::IMAGE2D);
    /// let frames = ImageDescriptor::of_shape(&[640, 480, 25], true)?;
    /// assert_eq!((frames.kind, frames.array_size), (MemObjectType::IMAGE2D_ARRAY, 25));
    /// # Ok::<(), opencl_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// `INVALID_IMAGE_DESCRIPTOR` for any other number of dimensions.
    pub fn of_shape(shape: &[usize], is_array: bool) -> Result<Self> {
        let (kind, shape, array_size) = match (shape, is_array) {
            (&[width], false) => (MemObjectType::IMAGE1D, [width, 1, 1], 0),
            (&[width, height], false) => (MemObjectType::IMAGE2D, [width, height, 1], 0),
            (&[width, height, depth], false) => (MemObjectType::IMAGE3D, [width, height, depth], 0),
            (&[width, count], true) => (MemObjectType::IMAGE1D_ARRAY, [width, 1, 1], count),
            (&[width, height, count], true) => (MemObjectType::IMAGE2D_ARRAY, [width, height, 1], count),
            _ => {
                let detail = if is_array {
                    "an array of images has a shape of two or three entries (the images', then their number)"
                } else {
                    "an image has one to three dimensions"
                };
                let detail = format!("{detail}, not {}: {shape:?}", shape.len());
                return Err(Error::refused("clCreateImage", status::INVALID_IMAGE_DESCRIPTOR, detail));
            }
        };
        Ok(Self { kind, shape, array_size, ..Self::default() })
    }

    /// The same with these pitches, see [`pitches`](Self::pitches).
    #[must_use]
    pub fn with_pitches(self, pitches: [usize; 2]) -> Self {
        Self { pitches, ..self }
    }

    /// The same over the memory of a buffer. Images of one dimension become `IMAGE1D_BUFFER`; of two dimensions
    /// OpenCL 2.0 or `cl_khr_image2d_from_buffer` allows them.
    ///
    /// # Errors
    /// `INVALID_IMAGE_DESCRIPTOR` for images of other kinds.
    pub fn over_buffer(self, buffer: &MemObject) -> Result<Self> {
        let kind = match self.kind {
            MemObjectType::IMAGE1D | MemObjectType::IMAGE1D_BUFFER => MemObjectType::IMAGE1D_BUFFER,
            MemObjectType::IMAGE2D => MemObjectType::IMAGE2D,
            kind => {
                let detail = format!(
                    "images over a buffer have one or two dimensions and are no arrays, not {kind:?}"
                );
                return Err(Error::refused("clCreateImage", status::INVALID_IMAGE_DESCRIPTOR, detail));
            }
        };
        Ok(Self { kind, buffer: Some(buffer.clone()), ..self })
    }

    /// Width, height and depth of the block that all pixels make, as commands count them: the images of an array
    /// follow along the first free axis.
    #[must_use]
    pub fn block(&self) -> [usize; 3] {
        let [width, height, depth] = self.shape;
        match self.kind {
            MemObjectType::IMAGE2D => [width, height, 1],
            MemObjectType::IMAGE3D => [width, height, depth],
            MemObjectType::IMAGE2D_ARRAY => [width, height, self.array_size],
            MemObjectType::IMAGE1D_ARRAY => [width, self.array_size, 1],
            _ => [width, 1, 1],
        }
    }

    /// How many bytes of host memory an image of this kind takes, by its pitches.
    ///
    /// # Errors
    /// `INVALID_IMAGE_SIZE` if that is too large for the host, `INVALID_IMAGE_DESCRIPTOR` if a pitch is smaller
    /// than what it spans.
    pub fn host_extent(&self, pixel_size: usize) -> Result<usize> {
        let block = self.block();
        extent(self.kind, block, self.pitches, pixel_size)
            .map_err(|error| Error::refused("clCreateImage", error.code_of_image(), error.text(block)))
    }

    fn as_raw(&self, context: usize) -> Result<_cl_image_desc> {
        let buffer = match &self.buffer {
            Some(buffer) => buffer.raw_in(context, "clCreateImage")?,
            None => ptr::null_mut(),
        };
        Ok(_cl_image_desc {
            image_type: self.kind.0,
            image_width: self.shape[0],
            image_height: self.shape[1],
            image_depth: self.shape[2],
            image_array_size: self.array_size,
            image_row_pitch: self.pitches[0],
            image_slice_pitch: self.pitches[1],
            num_mip_levels: self.num_mip_levels,
            num_samples: self.num_samples,
            buffer,
        })
    }
}

/// Why a block has no extent.
pub(crate) enum NoExtent {
    TooLarge,
    SmallPitches([usize; 2]),
}

impl NoExtent {
    fn code_of_image(&self) -> i32 {
        match self {
            Self::TooLarge => status::INVALID_IMAGE_SIZE,
            Self::SmallPitches(_) => status::INVALID_IMAGE_DESCRIPTOR,
        }
    }

    pub(crate) fn text(&self, block: [usize; 3]) -> String {
        match self {
            Self::TooLarge => format!("{block:?} pixels are too many for this host"),
            Self::SmallPitches([row, slice]) => {
                format!("pitches of {row} and {slice} bytes are too small for {block:?} pixels")
            }
        }
    }
}

/// How many bytes a block of pixels reaches in host memory.
pub(crate) fn extent(
    kind: MemObjectType,
    block: [usize; 3],
    [row, slice]: [usize; 2],
    pixel_size: usize,
) -> Result<usize, NoExtent> {
    let [width, height, depth] = block;
    if block.contains(&0) {
        return Ok(0);
    }
    let line = width.checked_mul(pixel_size).ok_or(NoExtent::TooLarge)?;
    let row = if row == 0 { line } else { row };
    // The images of an array of one dimension follow each other by the slice pitch, but some drivers take the
    // row pitch: there has to be room for both.
    let (rows, row_step) =
        if kind == MemObjectType::IMAGE1D_ARRAY { (height, row.max(slice)) } else { (height, row) };
    let slice = match slice {
        0 => row_step.checked_mul(rows).ok_or(NoExtent::TooLarge)?,
        slice => slice,
    };
    if row < line || (depth > 1 && slice / row_step < rows) {
        return Err(NoExtent::SmallPitches([row, slice]));
    }
    let reach = || {
        let slices = (depth - 1).checked_mul(slice)?;
        let rows = (rows - 1).checked_mul(row_step)?;
        slices.checked_add(rows)?.checked_add(line)
    };
    reach().ok_or(NoExtent::TooLarge)
}

/// An image: pixels of one [`ImageFormat`] in one to three dimensions, or an array of images.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Image(MemObject);

impl Image {
    /// An image with no data (`clCreateImage`; before OpenCL 1.2 `clCreateImage2D` and `clCreateImage3D`).
    ///
    /// # Errors
    /// What the function gives; the text says what the context supports. Running out of memory is tried a
    /// second time, see [`set_reclaim`](crate::set_reclaim).
    pub fn new(
        context: &Context,
        flags: MemFlags,
        format: ImageFormat,
        descriptor: &ImageDescriptor,
    ) -> Result<Self> {
        // SAFETY: without an address, flags that need one are refused by the driver.
        unsafe { Self::with_host_ptr(context, flags, format, descriptor, ptr::null_mut()) }
    }

    /// An image that holds a copy of `data`, laid out as the descriptor's pitches say.
    ///
    /// # Errors
    /// `INVALID_HOST_PTR` if `data` is too short, else as for [`new`](Self::new).
    pub fn from_slice<T: NoUninit>(
        context: &Context,
        flags: MemFlags,
        format: ImageFormat,
        descriptor: &ImageDescriptor,
        data: &[T],
    ) -> Result<Self> {
        let (needed, found) = (descriptor.host_extent(format.pixel_size()?)?, size_of_val(data));
        if found < needed {
            let detail = format!("the image takes {needed} bytes, and the host memory has {found}");
            return Err(Error::refused("clCreateImage", status::INVALID_HOST_PTR, detail));
        }
        let flags = flags | MemFlags::COPY_HOST_PTR;
        let address = data.as_ptr().cast_mut().cast();
        // SAFETY: the driver copies the data, which is long enough, during the call and does not write to it.
        unsafe { Self::with_host_ptr(context, flags, format, descriptor, address) }
    }

    /// An image made with an address in host memory, or null.
    ///
    /// # Safety
    /// * With `COPY_HOST_PTR`, the [extent](ImageDescriptor::host_extent) can be read at `address`.
    /// * With `USE_HOST_PTR`, the extent at `address` stays valid as long as the image, and nobody touches it
    ///   outside of mapping.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub unsafe fn with_host_ptr(
        context: &Context,
        flags: MemFlags,
        format: ImageFormat,
        descriptor: &ImageDescriptor,
        address: *mut c_void,
    ) -> Result<Self> {
        if let Ok(pixel_size) = format.pixel_size() {
            // Not every driver sees that a size is beyond all bounds.
            descriptor.host_extent(pixel_size)?;
        }
        let api = context.api();
        let raw_format = format.as_raw();
        let [width, height, depth] = descriptor.shape;
        let [row, slice] = descriptor.pitches;
        let (owner, flag_bits) = (context.as_raw(), flags.bits());
        let raw_descriptor = descriptor.as_raw(owner as usize)?;
        let make = || match descriptor.kind {
            // SAFETY: the context is live, the format is read during the call, and the caller promises what
            // the flags ask of the address.
            MemObjectType::IMAGE2D if api.version < Version::new(1, 2) => unsafe {
                let format = &raw const raw_format;
                create!(api, clCreateImage2D(owner, flag_bits, format, width, height, row, address))
            },
            // SAFETY: as above.
            MemObjectType::IMAGE3D if api.version < Version::new(1, 2) => unsafe {
                let format = &raw const raw_format;
                create!(
                    api,
                    clCreateImage3D(owner, flag_bits, format, width, height, depth, row, slice, address)
                )
            },
            // SAFETY: as above; the buffer of the descriptor is live and of the context.
            _ => unsafe {
                create!(
                    api,
                    clCreateImage(
                        owner,
                        flag_bits,
                        &raw const raw_format,
                        &raw const raw_descriptor,
                        address
                    )
                )
            },
        };
        let raw = with_reclaim(make).map_err(|error| explain(error, context, flags, format, descriptor))?;
        // SAFETY: the driver gives away the reference that it made.
        MemObject::complete(unsafe { Handle::from_owned(raw, api) }).map(Self)
    }

    /// Width, height and depth, as many as the image has; for arrays the number of images comes last.
    ///
    /// # Errors
    /// What `clGetImageInfo` gives.
    pub fn shape(&self) -> Result<Vec<usize>> {
        match self.type_()? {
            MemObjectType::IMAGE2D => Ok(vec![self.width()?, self.height()?]),
            MemObjectType::IMAGE3D => Ok(vec![self.width()?, self.height()?, self.depth()?]),
            MemObjectType::IMAGE2D_ARRAY => Ok(vec![self.width()?, self.height()?, self.array_size()?]),
            MemObjectType::IMAGE1D_ARRAY => Ok(vec![self.width()?, self.array_size()?]),
            _ => Ok(vec![self.width()?]),
        }
    }

    /// A memory object that is known to be an image; commands refuse any other.
    #[must_use]
    pub fn of_object(object: MemObject) -> Self {
        Self(object)
    }

    /// Wraps a handle that came from elsewhere.
    ///
    /// # Safety
    /// As for [`MemObject::from_raw`]; the object is an image.
    ///
    /// # Errors
    /// As for [`MemObject::from_raw`].
    pub unsafe fn from_raw(raw: cl_mem, retain: bool) -> Result<Self> {
        // SAFETY: the caller's promises.
        unsafe { MemObject::from_raw(raw, retain) }.map(Self)
    }
}

/// A refused image, with what was asked for and what there is.
#[cold]
fn explain(
    error: Error,
    context: &Context,
    flags: MemFlags,
    format: ImageFormat,
    descriptor: &ImageDescriptor,
) -> Error {
    let Error::Status { function, code } = error else { return error };
    let mut detail = format!("an image of {:?} pixels", descriptor.block());
    let devices = context.devices().unwrap_or_default();
    if !devices.is_empty() && devices.iter().all(|device| device.image_support().is_ok_and(|has| !has)) {
        detail.push_str("; the device does not support images");
        return Error::refused(function, code, detail);
    }
    let access = MemFlags::READ_WRITE | MemFlags::READ_ONLY | MemFlags::WRITE_ONLY;
    let formats = context.supported_image_formats(flags & access, descriptor.kind).unwrap_or_default();
    if !formats.is_empty() && !formats.contains(&format) {
        detail = format!(
            "{} images with the channels {} are not supported; {}",
            MemObjectType::CLASS.names(descriptor.kind.0.into()).join(""),
            format.describe(),
            alternatives(format, &formats)
        );
    } else if descriptor.buffer.is_some() && descriptor.kind == MemObjectType::IMAGE2D {
        detail.push_str(
            " over a buffer; for two dimensions that needs OpenCL 2.0 or cl_khr_image2d_from_buffer, a row pitch \
             and an offset as the device's image_pitch_alignment and image_base_address_alignment say",
        );
    } else if code == status::INVALID_IMAGE_SIZE {
        for device in &devices {
            let sizes = [
                device.image2d_max_width(),
                device.image2d_max_height(),
                device.image3d_max_width(),
                device.image3d_max_height(),
                device.image3d_max_depth(),
            ];
            if let [Ok(width), Ok(height), Ok(width3), Ok(height3), Ok(depth3)] = sizes {
                detail.push_str(&format!(
                    "; the device takes at most {width} x {height}, or {width3} x {height3} x {depth3}"
                ));
            }
        }
    } else if matches!(code, status::INVALID_VALUE | status::INVALID_HOST_PTR) {
        detail.push_str(&format!(" with the flags {flags:?}"));
    }
    Error::refused(function, code, detail)
}

/// What may be used instead of a format.
fn alternatives(format: ImageFormat, supported: &[ImageFormat]) -> String {
    let mut orders: Vec<&str> = supported
        .iter()
        .filter(|other| other.channel_type == format.channel_type)
        .filter_map(|other| {
            crate::constants::ChannelOrder::CLASS.names(other.order.0.into()).first().copied()
        })
        .collect();
    orders.dedup();
    match (orders.is_empty(), format.channel_count()) {
        (true, _) => "no image of this channel type is".to_owned(),
        (false, Ok(3)) => {
            format!("with this channel type there are {}: add a fourth channel", orders.join(", "))
        }
        (false, _) => format!("with this channel type there are {}", orders.join(", ")),
    }
}

impl Deref for Image {
    type Target = MemObject;

    fn deref(&self) -> &MemObject {
        &self.0
    }
}

impl From<Image> for MemObject {
    fn from(image: Image) -> Self {
        image.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_make_kinds() {
        let kind = |shape: &[usize], is_array| ImageDescriptor::of_shape(shape, is_array).map(|d| d.kind);
        assert_eq!(kind(&[3], false).unwrap(), MemObjectType::IMAGE1D);
        assert_eq!(kind(&[3, 4], true).unwrap(), MemObjectType::IMAGE1D_ARRAY);
        assert_eq!(kind(&[3, 4, 5], false).unwrap(), MemObjectType::IMAGE3D);
        for (shape, is_array) in [(&[1, 2, 3, 4][..], false), (&[], false), (&[3], true)] {
            let error = kind(shape, is_array).unwrap_err();
            assert_eq!(error.code(), status::INVALID_IMAGE_DESCRIPTOR, "{error}");
        }
    }

    #[test]
    fn extents_follow_pitches() {
        let plain = ImageDescriptor::of_shape(&[4, 3, 2], false).unwrap();
        assert_eq!(plain.host_extent(4).unwrap(), 96);
        assert_eq!(plain.clone().with_pitches([20, 80]).host_extent(4).unwrap(), 80 + 2 * 20 + 16);
        let small = plain.with_pitches([12, 0]).host_extent(4).unwrap_err();
        assert_eq!(small.code(), status::INVALID_IMAGE_DESCRIPTOR);
        let lines = ImageDescriptor::of_shape(&[4, 3], true).unwrap().with_pitches([0, 32]);
        assert_eq!(lines.host_extent(1).unwrap(), 2 * 32 + 4);
        let large = ImageDescriptor::of_shape(&[usize::MAX, 2], false).unwrap();
        assert_eq!(large.host_extent(4).unwrap_err().code(), status::INVALID_IMAGE_SIZE);
    }
}
