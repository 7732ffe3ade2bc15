//! `clGetEventInfo`.

use super::info;
use crate::constants::{CommandExecutionStatus, CommandType};
use crate::{CommandQueue, Context, Event};

info! {
    /// What an event can be asked.
    EVENT_INFO = "event_info", Event, clGetEventInfo {
        COMMAND_QUEUE = 0x11d0 => command_queue: Option<CommandQueue>, "1.0";
        COMMAND_TYPE = 0x11d1 => command_type: CommandType, "1.0";
        REFERENCE_COUNT = 0x11d2 => reference_count: u32, "1.0";
        COMMAND_EXECUTION_STATUS = 0x11d3 => command_execution_status: CommandExecutionStatus, "1.0";
        CONTEXT = 0x11d4 => context: Context, "1.1";
    }
}
