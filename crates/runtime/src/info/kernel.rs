//! `clGetKernelInfo`.

use super::info;
use crate::{Context, Kernel};

info! {
    /// What a kernel can be asked.
    KERNEL_INFO = "kernel_info", Kernel, clGetKernelInfo {
        FUNCTION_NAME = 0x1190 => function_name: String, "1.0";
        NUM_ARGS = 0x1191 => num_args: u32, "1.0";
        REFERENCE_COUNT = 0x1192 => reference_count: u32, "1.0";
        CONTEXT = 0x1193 => context: Context, "1.0";
        ATTRIBUTES = 0x1195 => attributes: String, "1.2";
    }    own {
        PROGRAM = 0x1194 => program, "1.0";
    }
}
