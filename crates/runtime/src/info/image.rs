//! `clGetImageInfo`.

use super::info;
use crate::memory::{Image, ImageFormat, MemObject};

info! {
    /// What an image can be asked.
    IMAGE_INFO = "image_info", Image, clGetImageInfo {
        FORMAT = 0x1110 => format: ImageFormat, "1.0";
        ELEMENT_SIZE = 0x1111 => element_size: usize, "1.0";
        ROW_PITCH = 0x1112 => row_pitch: usize, "1.0";
        SLICE_PITCH = 0x1113 => slice_pitch: usize, "1.0";
        WIDTH = 0x1114 => width: usize, "1.0";
        HEIGHT = 0x1115 => height: usize, "1.0";
        DEPTH = 0x1116 => depth: usize, "1.0";
        ARRAY_SIZE = 0x1117 => array_size: usize, "1.2";
        BUFFER = 0x1118 => buffer: Option<MemObject>, "1.2";
        NUM_MIP_LEVELS = 0x1119 => num_mip_levels: u32, "1.2";
        NUM_SAMPLES = 0x111a => num_samples: u32, "1.2";
    }
}
