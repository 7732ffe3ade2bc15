//! Devices and sub-devices.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::border::{check, items, store, store_list};
use crate::config::{self, Shape, numbered, version_in};
use crate::info::{Answer, named, numeric};
use crate::object::{self, Kind, Object, Shared};
use crate::platform::Platform;
use crate::sys::*;

/// The same under a name that a pattern may have.
const DOT_PRODUCT_PACKED: cl_device_info =
    CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED;

/// A device; root devices live as long as the process.
pub(crate) struct Device {
    pub(crate) platform: Shared<Platform>,
    pub(crate) parent: Option<Shared<Device>>,
    pub(crate) kind: cl_device_type,
    name: String,
    units: u32,
    partition: Vec<cl_device_partition_property>,
}

impl Kind for Device {
    const NAME: &'static str = "device";
    const INVALID: cl_int = CL_INVALID_DEVICE;

    fn counted(&self) -> bool {
        self.parent.is_some()
    }
}

impl Device {
    /// What the platform's configuration says.
    pub(crate) fn shape(&self) -> &Shape {
        &self.platform.shape
    }

    fn version_text(&self) -> String {
        let shape = self.shape();
        shape.device_version.clone().unwrap_or_else(|| shape.version.clone())
    }

    /// The version that the device's text names.
    pub(crate) fn version(&self) -> (u32, u32) {
        version_in(&self.version_text())
    }

    fn c_version(&self) -> String {
        let (major, minor) = self.version();
        let default =
            if major >= 3 { "OpenCL C 1.2".to_owned() } else { format!("OpenCL C {major}.{minor}") };
        self.shape().c_version.clone().unwrap_or(default)
    }

    fn extensions(&self) -> String {
        let shape = self.shape();
        let default = if shape.double { "cl_khr_fp64 cl_khr_icd" } else { "cl_khr_icd" };
        shape.device_extensions.clone().unwrap_or_else(|| default.to_owned())
    }

    /// Whether shared virtual memory can be had.
    pub(crate) fn svm(&self) -> bool {
        self.shape().svm && self.version() >= (2, 0)
    }
}

/// Makes the devices of a platform.
pub(crate) fn create_all(platform: &Shared<Platform>) -> Vec<Shared<Device>> {
    let shape = &platform.shape;
    let kind = |index: usize| {
        let types = &shape.device_types;
        types.get(index).or(types.last()).copied().unwrap_or(CL_DEVICE_TYPE_GPU)
    };
    (0..shape.devices)
        .map(|index| {
            let device = Device {
                platform: platform.clone(),
                parent: None,
                kind: kind(index),
                name: numbered(&shape.device_name, index),
                units: shape.compute_units,
                partition: Vec::new(),
            };
            Object::create(platform.dispatch(), 1, device)
        })
        .collect()
}

/// The devices of a platform that have one of the types.
///
/// # Errors
/// `CL_INVALID_DEVICE_TYPE` for bits that are no type, `CL_DEVICE_NOT_FOUND` if there is none.
pub(crate) fn of_type(platform: &Platform, kind: cl_device_type) -> Result<Vec<Shared<Device>>> {
    let known = CL_DEVICE_TYPE_DEFAULT
        | CL_DEVICE_TYPE_CPU
        | CL_DEVICE_TYPE_GPU
        | CL_DEVICE_TYPE_ACCELERATOR
        | CL_DEVICE_TYPE_CUSTOM;
    check(kind == CL_DEVICE_TYPE_ALL || (kind != 0 && kind & !known == 0), CL_INVALID_DEVICE_TYPE)?;
    let devices = platform.devices.get().map_or(&[][..], Vec::as_slice);
    let wanted = |index: usize, device: &Device| match kind {
        CL_DEVICE_TYPE_ALL => device.kind != CL_DEVICE_TYPE_CUSTOM,
        _ => kind & device.kind != 0 || (kind & CL_DEVICE_TYPE_DEFAULT != 0 && index == 0),
    };
    let found: Vec<_> = devices.iter().enumerate().filter(|(index, device)| wanted(*index, device)).collect();
    check(!found.is_empty(), CL_DEVICE_NOT_FOUND)?;
    Ok(found.into_iter().map(|(_, device)| device.clone()).collect())
}

/// Nanoseconds of the clock that devices and host share.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

entry! {
    status fn clGetDeviceIDs(
        platform: cl_platform_id, device_type: cl_device_type,
        num_entries: cl_uint, devices: *mut cl_device_id, num_devices: *mut cl_uint,
    ) {
        let platform = object::get::<Platform>(platform)?;
        let found = of_type(&platform, device_type)?;
        let handles: Vec<_> = found.iter().map(|device| device.handle()).collect();
        // SAFETY: the pointers are as the specification demands.
        unsafe { store_list(&handles, num_entries, devices, num_devices) }
    }
}

entry! {
    status fn clGetDeviceInfo(
        device: cl_device_id, param_name: cl_device_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let device = object::get::<Device>(device)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        let version = device.version();
        let first = introduced(param_name);
        check(version >= first, CL_INVALID_VALUE)?;
        if let Some(outcome) = texts(&device, param_name, answer) {
            return outcome;
        }
        match first {
            (1, 0) => basic(&device, param_name, answer),
            (3, ..) => versioned(&device, param_name, answer),
            _ => later(&device, param_name, answer),
        }
    }
}

/// The version that brought a parameter (the numbers were given out in order).
fn introduced(name: cl_device_info) -> (u32, u32) {
    match name {
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF..=CL_DEVICE_OPENCL_C_VERSION => (1, 1),
        CL_DEVICE_DOUBLE_FP_CONFIG => (1, 0),
        CL_DEVICE_LINKER_AVAILABLE..=CL_DEVICE_PRINTF_BUFFER_SIZE => (1, 2),
        CL_DEVICE_IMAGE_PITCH_ALIGNMENT..=CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT => (2, 0),
        CL_DEVICE_IL_VERSION..=CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS => (2, 1),
        CL_DEVICE_UUID..=CL_DEVICE_NODE_MASK
        | CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES
        | CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT
        | DOT_PRODUCT_PACKED
        | CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS
        | CL_DEVICE_SPIRV_EXTENSIONS
        | CL_DEVICE_SPIRV_CAPABILITIES => (3, 1),
        CL_DEVICE_NUMERIC_VERSION..=CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED => (3, 0),
        _ => (1, 0),
    }
}

/// Texts and what is made from texts.
fn texts(device: &Device, name: cl_device_info, answer: Answer) -> Option<Result> {
    let shape = device.shape();
    Some(match name {
        CL_DEVICE_NAME => answer.text(&device.name),
        CL_DEVICE_VENDOR => answer.text(shape.device_vendor.as_ref().unwrap_or(&shape.vendor)),
        CL_DRIVER_VERSION => answer.text(&shape.driver_version),
        CL_DEVICE_PROFILE => answer.text(&shape.profile),
        CL_DEVICE_VERSION => answer.text(&device.version_text()),
        CL_DEVICE_OPENCL_C_VERSION => answer.text(&device.c_version()),
        CL_DEVICE_EXTENSIONS => answer.text(&device.extensions()),
        CL_DEVICE_BUILT_IN_KERNELS | CL_DEVICE_IL_VERSION => answer.text(""),
        CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED => answer.text("v2026-01-01-00"),
        _ => return None,
    })
}

/// Parameters of OpenCL 1.0.
fn basic(device: &Device, name: cl_device_info, answer: Answer) -> Result {
    let shape = device.shape();
    let float = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA;
    let side = usize::from(shape.images) * 8192;
    match name {
        CL_DEVICE_TYPE => answer.value(device.kind),
        CL_DEVICE_VENDOR_ID => answer.value(0x5B_u32),
        CL_DEVICE_MAX_COMPUTE_UNITS => answer.value(device.units),
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => answer.value(3_u32),
        CL_DEVICE_MAX_WORK_GROUP_SIZE => answer.value(shape.max_work_group_size),
        CL_DEVICE_MAX_WORK_ITEM_SIZES => answer.list(&[shape.max_work_group_size; 3]),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR..=CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT => answer.value(1_u32),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE => answer.value(u32::from(shape.double)),
        CL_DEVICE_MAX_CLOCK_FREQUENCY => answer.value(1000_u32),
        CL_DEVICE_ADDRESS_BITS => answer.value(usize::BITS),
        CL_DEVICE_MAX_READ_IMAGE_ARGS => answer.value(u32::from(shape.images) * 128),
        CL_DEVICE_MAX_WRITE_IMAGE_ARGS => answer.value(u32::from(shape.images) * 64),
        CL_DEVICE_MAX_MEM_ALLOC_SIZE => answer.value(shape.max_alloc),
        CL_DEVICE_IMAGE2D_MAX_WIDTH | CL_DEVICE_IMAGE2D_MAX_HEIGHT => answer.value(side),
        CL_DEVICE_IMAGE3D_MAX_WIDTH..=CL_DEVICE_IMAGE3D_MAX_DEPTH => answer.value(side / 4),
        CL_DEVICE_IMAGE_SUPPORT => answer.flag(shape.images),
        CL_DEVICE_MAX_PARAMETER_SIZE => answer.value(4096_usize),
        CL_DEVICE_MAX_SAMPLERS => answer.value(16_u32),
        CL_DEVICE_MEM_BASE_ADDR_ALIGN => answer.value(1024_u32),
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => answer.value(128_u32),
        CL_DEVICE_SINGLE_FP_CONFIG => answer.value(float),
        CL_DEVICE_DOUBLE_FP_CONFIG => {
            answer.value(if shape.double { float | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF } else { 0 })
        }
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => answer.value(CL_READ_WRITE_CACHE),
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => answer.value(64_u32),
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => answer.value(1_u64 << 20),
        CL_DEVICE_GLOBAL_MEM_SIZE => answer.value(config::memory()),
        CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => answer.value(1_u64 << 16),
        CL_DEVICE_MAX_CONSTANT_ARGS => answer.value(8_u32),
        CL_DEVICE_LOCAL_MEM_TYPE => answer.value(CL_LOCAL),
        CL_DEVICE_LOCAL_MEM_SIZE => answer.value(1_u64 << 15),
        CL_DEVICE_ERROR_CORRECTION_SUPPORT => answer.flag(false),
        CL_DEVICE_PROFILING_TIMER_RESOLUTION => answer.value(1_usize),
        CL_DEVICE_ENDIAN_LITTLE => answer.flag(cfg!(target_endian = "little")),
        CL_DEVICE_AVAILABLE => answer.flag(true),
        CL_DEVICE_COMPILER_AVAILABLE => answer.flag(shape.compiler),
        CL_DEVICE_EXECUTION_CAPABILITIES => answer.value(CL_EXEC_KERNEL),
        CL_DEVICE_QUEUE_ON_HOST_PROPERTIES => {
            answer.value(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
        }
        CL_DEVICE_PLATFORM => answer.value(device.platform.handle()),
        _ => Err(CL_INVALID_VALUE),
    }
}

/// Parameters of OpenCL 1.1 to 2.1.
fn later(device: &Object<Device>, name: cl_device_info, answer: Answer) -> Result {
    let shape = device.shape();
    match name {
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF | CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => answer.value(0_u32),
        CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE => answer.value(u32::from(shape.double)),
        CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR..=CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT => answer.value(1_u32),
        CL_DEVICE_HOST_UNIFIED_MEMORY => answer.flag(shape.unified),
        CL_DEVICE_LINKER_AVAILABLE => answer.flag(shape.compiler),
        CL_DEVICE_IMAGE_MAX_BUFFER_SIZE => answer.value(usize::from(shape.images) * 65536),
        CL_DEVICE_IMAGE_MAX_ARRAY_SIZE => answer.value(usize::from(shape.images) * 2048),
        CL_DEVICE_PARENT_DEVICE => {
            answer.value(device.parent.as_ref().map_or(std::ptr::null_mut(), |parent| parent.handle()))
        }
        CL_DEVICE_PARTITION_MAX_SUB_DEVICES => answer.value(device.units),
        CL_DEVICE_PARTITION_PROPERTIES => {
            answer.list(&[CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS])
        }
        CL_DEVICE_PARTITION_AFFINITY_DOMAIN => answer.value(0_u64),
        CL_DEVICE_PARTITION_TYPE => match device.partition.as_slice() {
            [] => answer.list(&[0_isize]),
            list => answer.list(list),
        },
        CL_DEVICE_REFERENCE_COUNT => answer.value(match &device.parent {
            None => 1,
            Some(_) => device.references(),
        }),
        CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => answer.flag(true),
        CL_DEVICE_PRINTF_BUFFER_SIZE => answer.value(1_usize << 20),
        CL_DEVICE_IMAGE_PITCH_ALIGNMENT | CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT => answer.value(1_u32),
        CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS => answer.value(u32::from(shape.images) * 64),
        CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE | CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE => {
            answer.value(1_usize << 16)
        }
        CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES => answer.value(0_u64),
        CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE..=CL_DEVICE_MAX_ON_DEVICE_EVENTS => answer.value(0_u32),
        CL_DEVICE_SVM_CAPABILITIES => {
            let both = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
            answer.value(if device.svm() { both } else { 0 })
        }
        CL_DEVICE_MAX_PIPE_ARGS => answer.value(16_u32),
        CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS => answer.value(1_u32),
        CL_DEVICE_PIPE_MAX_PACKET_SIZE => answer.value(1024_u32),
        CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT..=CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT => {
            answer.value(0_u32)
        }
        CL_DEVICE_MAX_NUM_SUB_GROUPS => answer.value(8_u32),
        CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS => answer.flag(true),
        _ => Err(CL_INVALID_VALUE),
    }
}

/// Parameters of OpenCL 3.0 and 3.1.
fn versioned(device: &Device, name: cl_device_info, answer: Answer) -> Result {
    let order = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
    match name {
        CL_DEVICE_NUMERIC_VERSION => answer.value(numeric(device.version())),
        CL_DEVICE_EXTENSIONS_WITH_VERSION => {
            let extensions = device.extensions();
            let list: Vec<_> = extensions.split_whitespace().map(|name| named(name, (1, 0))).collect();
            answer.list(&list)
        }
        CL_DEVICE_ILS_WITH_VERSION
        | CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION
        | CL_DEVICE_OPENCL_C_FEATURES => answer.list::<cl_name_version>(&[]),
        CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES | CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => answer.value(order),
        CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT => answer.flag(false),
        CL_DEVICE_OPENCL_C_ALL_VERSIONS => {
            let versions = [(1, 0), (1, 1), (1, 2), (3, 0)];
            answer.list(&versions.map(|version| named("OpenCL C", version)))
        }
        CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => answer.value(32_usize),
        CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT
        | CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT
        | CL_DEVICE_PIPE_SUPPORT => answer.flag(false),
        CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES => answer.value(0_u64),
        CL_DEVICE_UUID | CL_DRIVER_UUID => answer.list(&[0x5B_u8; CL_UUID_SIZE as usize]),
        CL_DEVICE_LUID_VALID => answer.flag(false),
        CL_DEVICE_LUID => answer.list(&[0_u8; CL_LUID_SIZE as usize]),
        CL_DEVICE_NODE_MASK => answer.value(0_u32),
        CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES => {
            answer.value(CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED)
        }
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT | DOT_PRODUCT_PACKED => {
            answer.list(&[CL_FALSE; 6])
        }
        CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS | CL_DEVICE_SPIRV_EXTENSIONS => answer.list::<usize>(&[]),
        CL_DEVICE_SPIRV_CAPABILITIES => answer.list::<u32>(&[]),
        _ => Err(CL_INVALID_VALUE),
    }
}

entry! {
    status fn clCreateSubDevices(
        in_device: cl_device_id, properties: *const cl_device_partition_property,
        num_devices: cl_uint, out_devices: *mut cl_device_id, num_devices_ret: *mut cl_uint,
    ) {
        let parent = object::get::<Device>(in_device)?;
        // SAFETY: a zero-terminated list, of which the first word says what follows.
        let kind = unsafe { items(properties, 1) };
        let kind = *kind.first().ok_or(CL_INVALID_VALUE)?;
        // SAFETY: the kind is not the terminator's place.
        let values = unsafe { until_zero(properties.wrapping_add(1)) };
        let sizes: Vec<u32> = match kind {
            CL_DEVICE_PARTITION_EQUALLY => {
                let size = values.first().and_then(|size| u32::try_from(*size).ok()).ok_or(CL_INVALID_VALUE)?;
                check(size > 0 && size <= parent.units, CL_DEVICE_PARTITION_FAILED)?;
                vec![size; (parent.units / size) as usize]
            }
            CL_DEVICE_PARTITION_BY_COUNTS => {
                let sizes: Vec<_> = values.iter().map(|size| u32::try_from(*size).unwrap_or(0)).collect();
                let fits = !sizes.is_empty() && sizes.iter().sum::<u32>() <= parent.units;
                check(fits, CL_INVALID_DEVICE_PARTITION_COUNT)?;
                sizes
            }
            _ => return Err(CL_INVALID_VALUE),
        };
        check(out_devices.is_null() || num_devices as usize >= sizes.len(), CL_INVALID_VALUE)?;
        // SAFETY: the pointer is as the specification demands.
        unsafe { store(num_devices_ret, sizes.len() as cl_uint) };
        if out_devices.is_null() {
            return Ok(());
        }
        let mut partition = vec![kind];
        partition.extend(&values);
        if kind == CL_DEVICE_PARTITION_BY_COUNTS {
            partition.push(CL_DEVICE_PARTITION_BY_COUNTS_LIST_END);
        }
        partition.push(0);
        for (index, units) in sizes.into_iter().enumerate() {
            let device = Device {
                platform: parent.platform.clone(),
                parent: Some(parent.clone()),
                kind: parent.kind,
                name: parent.name.clone(),
                units,
                partition: partition.clone(),
            };
            let handle = Object::create(parent.dispatch(), 1, device).handle();
            // SAFETY: `index` is less than `num_devices`.
            unsafe { out_devices.add(index).write(handle) };
        }
        Ok(())
    }
}

/// Copies words up to a zero.
///
/// # Safety
/// - `pointer` is a list of words of which one is zero.
unsafe fn until_zero(pointer: *const isize) -> Vec<isize> {
    let mut list = Vec::new();
    loop {
        // SAFETY: the zero has not been met.
        match unsafe { pointer.add(list.len()).read() } {
            0 => return list,
            word => list.push(word),
        }
    }
}

entry! {
    status fn clRetainDevice(device: cl_device_id) {
        let found = object::get::<Device>(device)?;
        if found.parent.is_none() { Ok(()) } else { object::retain::<Device>(device) }
    }
}

entry! {
    status fn clReleaseDevice(device: cl_device_id) {
        let found = object::get::<Device>(device)?;
        if found.parent.is_none() { Ok(()) } else { object::release::<Device>(device) }
    }
}

entry! {
    status fn clGetDeviceAndHostTimer(
        device: cl_device_id, device_timestamp: *mut cl_ulong, host_timestamp: *mut cl_ulong,
    ) {
        object::get::<Device>(device)?;
        check(!device_timestamp.is_null() && !host_timestamp.is_null(), CL_INVALID_VALUE)?;
        let time = now();
        // SAFETY: not null, so valid by the specification.
        unsafe { store(device_timestamp, time) };
        // SAFETY: as above.
        unsafe { store(host_timestamp, time) };
        Ok(())
    }
}

entry! {
    status fn clGetHostTimer(device: cl_device_id, host_timestamp: *mut cl_ulong) {
        object::get::<Device>(device)?;
        check(!host_timestamp.is_null(), CL_INVALID_VALUE)?;
        // SAFETY: not null, so valid by the specification.
        unsafe { store(host_timestamp, now()) };
        Ok(())
    }
}
