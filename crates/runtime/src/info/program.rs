//! `clGetProgramInfo`.

use super::answer::{Binaries, Il};
use super::info;
use crate::{Context, Device, Program};

info! {
    /// What a program can be asked.
    PROGRAM_INFO = "program_info", Program, clGetProgramInfo {
        REFERENCE_COUNT = 0x1160 => reference_count: u32, "1.0";
        CONTEXT = 0x1161 => query_context: Context, "1.0";
        NUM_DEVICES = 0x1162 => num_devices: u32, "1.0";
        DEVICES = 0x1163 => devices: Vec<Device>, "1.0";
        BINARY_SIZES = 0x1165 => binary_sizes: Vec<usize>, "1.0";
        BINARIES = 0x1166 => binaries: Binaries, "1.0";
        NUM_KERNELS = 0x1167 => num_kernels: usize, "1.2";
        KERNEL_NAMES = 0x1168 => kernel_names: String, "1.2";
        IL = 0x1169 => il: Il, "2.1";
        SCOPE_GLOBAL_CTORS_PRESENT = 0x116a => scope_global_ctors_present: bool, "2.2";
        SCOPE_GLOBAL_DTORS_PRESENT = 0x116b => scope_global_dtors_present: bool, "2.2";
    }    own {
        SOURCE = 0x1164 => source, "1.0";
    }
}
