//! Formats of images: the channels of a pixel and their type.

use std::ptr;

use opencl_driver::sys::cl_image_format;

use crate::call::call;
use crate::constants::{ChannelOrder, ChannelType, MemObjectType};
use crate::{Context, Error, MemFlags, Result, status};

/// The format of an image: which channels a pixel has, and of which type they are (`cl_image_format`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageFormat {
    /// The channels and their order.
    pub order: ChannelOrder,
    /// The type of each channel.
    pub channel_type: ChannelType,
}

impl ImageFormat {
    /// A format of these channels of this type.
    #[must_use]
    pub const fn new(order: ChannelOrder, channel_type: ChannelType) -> Self {
        Self { order, channel_type }
    }

    /// How many channels a pixel has; the unused ones of `Rx`, `RGx` and their like are not counted.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an order that the specification does not know.
    pub fn channel_count(&self) -> Result<usize> {
        use ChannelOrder as O;
        match self.order {
            O::R | O::A | O::Rx | O::INTENSITY | O::LUMINANCE => Ok(1),
            O::RG | O::RA | O::RGx => Ok(2),
            O::RGB | O::RGBx | O::sRGB | O::sRGBx => Ok(3),
            O::RGBA | O::BGRA | O::ABGR | O::sRGBA | O::sBGRA => Ok(4),
            ChannelOrder(order) => Err(unknown(format!("channel order {order:#x}"))),
        }
    }

    /// The size in bytes of a channel, or of the whole pixel where the channels are packed into one number
    /// (see [`is_packed`](Self::is_packed)).
    ///
    /// # Errors
    /// `INVALID_VALUE` for a type that the specification does not know.
    pub fn channel_size(&self) -> Result<usize> {
        use ChannelType as T;
        match self.channel_type {
            T::SNORM_INT8 | T::UNORM_INT8 | T::SIGNED_INT8 | T::UNSIGNED_INT8 => Ok(1),
            T::SNORM_INT16
            | T::UNORM_INT16
            | T::SIGNED_INT16
            | T::UNSIGNED_INT16
            | T::HALF_FLOAT
            | T::UNORM_SHORT_565
            | T::UNORM_SHORT_555 => Ok(2),
            T::SIGNED_INT32 | T::UNSIGNED_INT32 | T::FLOAT | T::UNORM_INT_101010 | T::UNORM_INT_101010_2 => {
                Ok(4)
            }
            ChannelType(kind) => Err(unknown(format!("channel type {kind:#x}"))),
        }
    }

    /// Whether all channels of a pixel share one number, as in `UNORM_SHORT_565`.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        use ChannelType as T;
        matches!(
            self.channel_type,
            T::UNORM_SHORT_565 | T::UNORM_SHORT_555 | T::UNORM_INT_101010 | T::UNORM_INT_101010_2
        )
    }

    /// The size in bytes of a pixel.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an order or type that the specification does not know.
    pub fn pixel_size(&self) -> Result<usize> {
        let (channels, size) = (self.channel_count()?, self.channel_size()?);
        Ok(if self.is_packed() { size } else { channels * size })
    }

    /// The names of order and type, numbers where they have none: `RGBA, FLOAT`.
    #[must_use]
    pub fn describe(&self) -> String {
        let name = |names: Vec<&'static str>, what: &str, value: u32| match names.first() {
            Some(name) => (*name).to_owned(),
            None => format!("<unknown {what} {value:#x}>"),
        };
        let (order, kind) = (self.order.0, self.channel_type.0);
        let order = name(ChannelOrder::CLASS.names(order.into()), "channel order", order);
        let kind = name(ChannelType::CLASS.names(kind.into()), "channel data type", kind);
        format!("{order}, {kind}")
    }

    pub(super) fn as_raw(&self) -> cl_image_format {
        cl_image_format { image_channel_order: self.order.0, image_channel_data_type: self.channel_type.0 }
    }
}

fn unknown(what: String) -> Error {
    Error::refused("ImageFormat", status::INVALID_VALUE, format!("the {what} is unknown"))
}

impl Context {
    /// The formats that images of a kind may have, used as `flags` say (`clGetSupportedImageFormats`).
    ///
    /// # Errors
    /// `INVALID_VALUE` for a kind that is no image, else what the function gives.
    pub fn supported_image_formats(&self, flags: MemFlags, kind: MemObjectType) -> Result<Vec<ImageFormat>> {
        let ask = |room: u32, list: *mut cl_image_format, count: *mut u32| {
            // SAFETY: the context is live, and the list is null or has that much room.
            unsafe {
                call!(
                    self.api(),
                    clGetSupportedImageFormats(self.as_raw(), flags.bits(), kind.0, room, list, count)
                )
            }
        };
        let mut count = 0;
        ask(0, ptr::null_mut(), &raw mut count)?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let none = || cl_image_format { image_channel_order: 0, image_channel_data_type: 0 };
        let mut list: Vec<_> = (0..count).map(|_| none()).collect();
        ask(count, list.as_mut_ptr(), ptr::null_mut())?;
        let wrap = |raw: cl_image_format| {
            ImageFormat::new(ChannelOrder(raw.image_channel_order), ChannelType(raw.image_channel_data_type))
        };
        Ok(list.into_iter().map(wrap).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_pixels() {
        let size = |order, kind| ImageFormat::new(order, kind).pixel_size().unwrap();
        assert_eq!(size(ChannelOrder::RGBA, ChannelType::FLOAT), 16);
        assert_eq!(size(ChannelOrder::RG, ChannelType::UNORM_INT8), 2);
        assert_eq!(size(ChannelOrder::RGB, ChannelType::UNORM_SHORT_565), 2);
        assert_eq!(size(ChannelOrder::RGB, ChannelType::UNORM_INT_101010), 4);
        let unknown = ImageFormat::new(ChannelOrder(1), ChannelType(2));
        assert_eq!(unknown.channel_count().unwrap_err().code(), status::INVALID_VALUE);
        assert_eq!(unknown.channel_size().unwrap_err().code(), status::INVALID_VALUE);
    }

    #[test]
    fn formats_tell_their_names() {
        assert_eq!(ImageFormat::new(ChannelOrder::RGBA, ChannelType::FLOAT).describe(), "RGBA, FLOAT");
        assert_eq!(
            ImageFormat::new(ChannelOrder(1), ChannelType(2)).describe(),
            "<unknown channel order 0x1>, <unknown channel data type 0x2>"
        );
    }
}
