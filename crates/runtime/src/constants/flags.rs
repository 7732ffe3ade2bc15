//! Bit fields of the specification.

flags! {
    /// Properties of a queue, as flags.
    CommandQueueProperties: u64 = "command_queue_properties" {
        OUT_OF_ORDER_EXEC_MODE_ENABLE = 1,
        PROFILING_ENABLE = 2,
        ON_DEVICE = 4,
        ON_DEVICE_DEFAULT = 8,
    }

    /// Caches and memories by which a device can be partitioned.
    DeviceAffinityDomain: u64 = "device_affinity_domain" {
        NUMA = 1,
        L4_CACHE = 2,
        L3_CACHE = 4,
        L2_CACHE = 8,
        L1_CACHE = 16,
        NEXT_PARTITIONABLE = 32,
    }

    /// Memory orders and scopes of atomic operations.
    DeviceAtomicCapabilities: u64 = "device_atomic_capabilities" {
        ORDER_RELAXED = 1,
        ORDER_ACQ_REL = 2,
        ORDER_SEQ_CST = 4,
        SCOPE_WORK_ITEM = 8,
        SCOPE_WORK_GROUP = 16,
        SCOPE_DEVICE = 32,
        SCOPE_ALL_DEVICES = 64,
    }

    /// What a device offers of device-side enqueue.
    DeviceDeviceEnqueueCapabilities: u64 = "device_device_enqueue_capabilities" {
        SUPPORTED = 1,
        REPLACEABLE_DEFAULT = 2,
    }

    /// Kinds of kernels that a device executes.
    DeviceExecCapabilities: u64 = "device_exec_capabilities" {
        KERNEL = 1,
        NATIVE_KERNEL = 2,
    }

    /// What a device does of IEEE 754.
    DeviceFpConfig: u64 = "device_fp_config" {
        DENORM = 1,
        INF_NAN = 2,
        ROUND_TO_NEAREST = 4,
        ROUND_TO_ZERO = 8,
        ROUND_TO_INF = 16,
        FMA = 32,
        SOFT_FLOAT = 64,
        CORRECTLY_ROUNDED_DIVIDE_SQRT = 128,
    }

    /// Kinds of shared virtual memory.
    DeviceSvmCapabilities: u64 = "device_svm_capabilities" {
        COARSE_GRAIN_BUFFER = 1,
        FINE_GRAIN_BUFFER = 2,
        FINE_GRAIN_SYSTEM = 4,
        ATOMICS = 8,
    }

    /// Kinds of device.
    DeviceType: u64 = "device_type" {
        DEFAULT = 1,
        CPU = 2,
        GPU = 4,
        ACCELERATOR = 8,
        CUSTOM = 16,
        ALL = 0xffffffff,
    }

    /// Type qualifiers of an argument.
    KernelArgTypeQualifier: u64 = "kernel_arg_type_qualifier" {
        NONE = 0,
        CONST = 1,
        RESTRICT = 2,
        VOLATILE = 4,
        PIPE = 8,
    }

    /// What mapped memory is used for.
    MapFlags: u64 = "map_flags" {
        READ = 1,
        WRITE = 2,
        WRITE_INVALIDATE_REGION = 4,
    }

    /// How a memory object is made and used.
    MemFlags: u64 = "mem_flags" {
        READ_WRITE = 1,
        WRITE_ONLY = 2,
        READ_ONLY = 4,
        USE_HOST_PTR = 8,
        ALLOC_HOST_PTR = 16,
        COPY_HOST_PTR = 32,
        HOST_WRITE_ONLY = 128,
        HOST_READ_ONLY = 0x100,
        HOST_NO_ACCESS = 0x200,
        KERNEL_READ_AND_WRITE = 0x1000,
    }

    /// How memory objects are migrated.
    MemMigrationFlags: u64 = "mem_migration_flags" {
        HOST = 1,
        CONTENT_UNDEFINED = 2,
    }

    /// How shared virtual memory is made and used.
    SvmMemFlags: u64 = "svm_mem_flags" {
        READ_WRITE = 1,
        WRITE_ONLY = 2,
        READ_ONLY = 4,
        SVM_FINE_GRAIN_BUFFER = 0x400,
        SVM_ATOMICS = 0x800,
    }
}
