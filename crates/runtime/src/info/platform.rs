//! `clGetPlatformInfo`.

use super::answer::NameVersion;
use super::info;
use crate::Platform;

info! {
    /// What a platform can be asked.
    PLATFORM_INFO = "platform_info", Platform, clGetPlatformInfo {
        PROFILE = 0x900 => profile: String, "1.0";
        VERSION = 0x901 => version: String, "1.0";
        NAME = 0x902 => name: String, "1.0";
        VENDOR = 0x903 => vendor: String, "1.0";
        EXTENSIONS = 0x904 => extensions: String, "1.0";
        HOST_TIMER_RESOLUTION = 0x905 => host_timer_resolution: u64, "2.1";
        NUMERIC_VERSION = 0x906 => numeric_version: u32, "3.0";
        EXTENSIONS_WITH_VERSION = 0x907 => extensions_with_version: Vec<NameVersion>, "3.0";
    }
}
