//! `clGetPipeInfo`.

use super::answer::PropertyList;
use super::info;
use crate::memory::Pipe;

info! {
    /// What a pipe can be asked.
    PIPE_INFO = "pipe_info", Pipe, clGetPipeInfo {
        PACKET_SIZE = 0x1120 => packet_size: u32, "2.0";
        MAX_PACKETS = 0x1121 => max_packets: u32, "2.0";
        PROPERTIES = 0x1122 => properties: PropertyList, "3.0";
    }
}
