//! `clGetSamplerInfo`.

use super::answer::PropertyList;
use super::info;
use crate::constants::{AddressingMode, FilterMode};
use crate::{Context, Sampler};

info! {
    /// What a sampler can be asked.
    SAMPLER_INFO = "sampler_info", Sampler, clGetSamplerInfo {
        REFERENCE_COUNT = 0x1150 => reference_count: u32, "1.0";
        CONTEXT = 0x1151 => context: Context, "1.0";
        NORMALIZED_COORDS = 0x1152 => normalized_coords: bool, "1.0";
        ADDRESSING_MODE = 0x1153 => addressing_mode: AddressingMode, "1.0";
        FILTER_MODE = 0x1154 => filter_mode: FilterMode, "1.0";
        MIP_FILTER_MODE = 0x1155 => mip_filter_mode: FilterMode, "cl_khr_mipmap_image";
        MIP_FILTER_MODE_KHR = 0x1155 => mip_filter_mode_khr: FilterMode, "cl_khr_mipmap_image";
        LOD_MIN = 0x1156 => lod_min: f32, "cl_khr_mipmap_image";
        LOD_MIN_KHR = 0x1156 => lod_min_khr: f32, "cl_khr_mipmap_image";
        LOD_MAX = 0x1157 => lod_max: f32, "cl_khr_mipmap_image";
        LOD_MAX_KHR = 0x1157 => lod_max_khr: f32, "cl_khr_mipmap_image";
        PROPERTIES = 0x1158 => properties: PropertyList, "3.0";
    }
}
