//! `clGetMemObjectInfo`.

use super::answer::{HostAddress, PropertyList};
use super::info;
use crate::constants::{MemFlags, MemObjectType};
use crate::{Context, MemObject};

info! {
    /// What a memory object can be asked.
    MEM_INFO = "mem_info", MemObject, clGetMemObjectInfo {
        TYPE = 0x1100 => type_: MemObjectType, "1.0";
        FLAGS = 0x1101 => flags: MemFlags, "1.0";
        SIZE = 0x1102 => query_size: usize, "1.0";
        HOST_PTR = 0x1103 => host_ptr: HostAddress, "1.0";
        MAP_COUNT = 0x1104 => map_count: u32, "1.0";
        REFERENCE_COUNT = 0x1105 => reference_count: u32, "1.0";
        CONTEXT = 0x1106 => context: Context, "1.0";
        ASSOCIATED_MEMOBJECT = 0x1107 => associated_memobject: Option<MemObject>, "1.1";
        OFFSET = 0x1108 => offset: usize, "1.1";
        USES_SVM_POINTER = 0x1109 => uses_svm_pointer: bool, "2.0";
        PROPERTIES = 0x110a => properties: PropertyList, "3.0";
    }
}
