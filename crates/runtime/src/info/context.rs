//! `clGetContextInfo`.

use super::answer::PropertyList;
use super::info;
use crate::{Context, Device};

info! {
    /// What a context can be asked.
    CONTEXT_INFO = "context_info", Context, clGetContextInfo {
        REFERENCE_COUNT = 0x1080 => reference_count: u32, "1.0";
        DEVICES = 0x1081 => devices: Vec<Device>, "1.0";
        PROPERTIES = 0x1082 => properties: PropertyList, "1.0";
        NUM_DEVICES = 0x1083 => num_devices: u32, "1.1";
        INTEROP_USER_SYNC = 0x1085 => interop_user_sync: bool, "1.2";
    }
}
