//! `clGetCommandQueueInfo`.

use super::answer::PropertyList;
use super::info;
use crate::constants::CommandQueueProperties;
use crate::{CommandQueue, Context, Device};

info! {
    /// What a queue can be asked.
    COMMAND_QUEUE_INFO = "command_queue_info", CommandQueue, clGetCommandQueueInfo {
        CONTEXT = 0x1090 => query_context: Context, "1.0";
        DEVICE = 0x1091 => query_device: Device, "1.0";
        REFERENCE_COUNT = 0x1092 => reference_count: u32, "1.0";
        PROPERTIES = 0x1093 => properties: CommandQueueProperties, "1.0";
        PROPERTIES_ARRAY = 0x1098 => properties_array: PropertyList, "3.0";
    }
}
