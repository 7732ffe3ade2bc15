//! Enumerations of the specification, lists of property keys and questions that take an argument among
//! them.

enumerations! {
    /// How samplers treat coordinates outside an image.
    AddressingMode: u32 = "addressing_mode" {
        NONE = 0x1130,
        CLAMP_TO_EDGE = 0x1131,
        CLAMP = 0x1132,
        REPEAT = 0x1133,
        MIRRORED_REPEAT = 0x1134,
    }

    /// Channels of an image and their order.
    ChannelOrder: u32 = "channel_order" {
        R = 0x10b0,
        A = 0x10b1,
        RG = 0x10b2,
        RA = 0x10b3,
        RGB = 0x10b4,
        RGBA = 0x10b5,
        BGRA = 0x10b6,
        INTENSITY = 0x10b8,
        LUMINANCE = 0x10b9,
        Rx = 0x10ba,
        RGx = 0x10bb,
        RGBx = 0x10bc,
        sRGB = 0x10bf,
        sRGBx = 0x10c0,
        sRGBA = 0x10c1,
        sBGRA = 0x10c2,
        ABGR = 0x10c3,
    }

    /// Data type of the channels of an image.
    ChannelType: u32 = "channel_type" {
        SNORM_INT8 = 0x10d0,
        SNORM_INT16 = 0x10d1,
        UNORM_INT8 = 0x10d2,
        UNORM_INT16 = 0x10d3,
        UNORM_SHORT_565 = 0x10d4,
        UNORM_SHORT_555 = 0x10d5,
        UNORM_INT_101010 = 0x10d6,
        SIGNED_INT8 = 0x10d7,
        SIGNED_INT16 = 0x10d8,
        SIGNED_INT32 = 0x10d9,
        UNSIGNED_INT8 = 0x10da,
        UNSIGNED_INT16 = 0x10db,
        UNSIGNED_INT32 = 0x10dc,
        HALF_FLOAT = 0x10dd,
        FLOAT = 0x10de,
        UNORM_INT_101010_2 = 0x10e0,
    }

    /// How far a command is; negative values are error codes.
    CommandExecutionStatus: i32 = "command_execution_status" {
        COMPLETE = 0,
        RUNNING = 1,
        SUBMITTED = 2,
        QUEUED = 3,
    }

    /// What kind of command an event stands for.
    CommandType: u32 = "command_type" {
        NDRANGE_KERNEL = 0x11f0,
        TASK = 0x11f1,
        NATIVE_KERNEL = 0x11f2,
        READ_BUFFER = 0x11f3,
        WRITE_BUFFER = 0x11f4,
        COPY_BUFFER = 0x11f5,
        READ_IMAGE = 0x11f6,
        WRITE_IMAGE = 0x11f7,
        COPY_IMAGE = 0x11f8,
        COPY_IMAGE_TO_BUFFER = 0x11f9,
        COPY_BUFFER_TO_IMAGE = 0x11fa,
        MAP_BUFFER = 0x11fb,
        MAP_IMAGE = 0x11fc,
        UNMAP_MEM_OBJECT = 0x11fd,
        MARKER = 0x11fe,
        ACQUIRE_GL_OBJECTS = 0x11ff,
        RELEASE_GL_OBJECTS = 0x1200,
        READ_BUFFER_RECT = 0x1201,
        WRITE_BUFFER_RECT = 0x1202,
        COPY_BUFFER_RECT = 0x1203,
        USER = 0x1204,
        BARRIER = 0x1205,
        MIGRATE_MEM_OBJECTS = 0x1206,
        FILL_BUFFER = 0x1207,
        FILL_IMAGE = 0x1208,
        SVM_FREE = 0x1209,
        SVM_MEMCPY = 0x120a,
        SVM_MEMFILL = 0x120b,
        SVM_MAP = 0x120c,
        SVM_UNMAP = 0x120d,
        SVM_MIGRATE_MEM = 0x120e,
    }

    /// Keys of the properties list of a context.
    ContextProperties: u32 = "context_properties" {
        PLATFORM = 0x1084,
        GL_CONTEXT_KHR = 0x2008,
        EGL_DISPLAY_KHR = 0x2009,
        GLX_DISPLAY_KHR = 0x200a,
        WGL_HDC_KHR = 0x200b,
        CGL_SHAREGROUP_KHR = 0x200c,
    }

    /// Where local memory lives.
    DeviceLocalMemType: u32 = "device_local_mem_type" {
        LOCAL = 1,
        GLOBAL = 2,
    }

    /// Kind of the cache of global memory.
    DeviceMemCacheType: u32 = "device_mem_cache_type" {
        NONE = 0,
        READ_ONLY_CACHE = 1,
        READ_WRITE_CACHE = 2,
    }

    /// Ways of partitioning a device.
    DevicePartitionProperty: u32 = "device_partition_property" {
        BY_COUNTS_LIST_END = 0,
        EQUALLY = 0x1086,
        BY_COUNTS = 0x1087,
        BY_AFFINITY_DOMAIN = 0x1088,
    }

    /// Kinds of bus (`cl_amd_device_attribute_query`).
    DeviceTopologyTypeAmd: u32 = "device_topology_type_amd" {
        PCIE = 1,
    }

    /// How samplers interpolate.
    FilterMode: u32 = "filter_mode" {
        NEAREST = 0x1140,
        LINEAR = 0x1141,
    }

    /// Access qualifier of an image argument.
    KernelArgAccessQualifier: u32 = "kernel_arg_access_qualifier" {
        READ_ONLY = 0x11a0,
        WRITE_ONLY = 0x11a1,
        READ_WRITE = 0x11a2,
        NONE = 0x11a3,
    }

    /// Address space of an argument.
    KernelArgAddressQualifier: u32 = "kernel_arg_address_qualifier" {
        GLOBAL = 0x119b,
        LOCAL = 0x119c,
        CONSTANT = 0x119d,
        PRIVATE = 0x119e,
    }

    /// Vendor identifiers that Khronos gives out.
    KhronosVendorId: u32 = "khronos_vendor_id" {
        CODEPLAY = 0x10004,
    }

    /// Kinds of memory object.
    MemObjectType: u32 = "mem_object_type" {
        BUFFER = 0x10f0,
        IMAGE2D = 0x10f1,
        IMAGE3D = 0x10f2,
        IMAGE2D_ARRAY = 0x10f3,
        IMAGE1D = 0x10f4,
        IMAGE1D_ARRAY = 0x10f5,
        IMAGE1D_BUFFER = 0x10f6,
        PIPE = 0x10f7,
    }

    /// Keys of the properties list of a pipe.
    PipeProperties: u32 = "pipe_properties" {
        PACKET_SIZE = 0x1120,
        MAX_PACKETS = 0x1121,
    }

    /// Kinds of program binary.
    ProgramBinaryType: u32 = "program_binary_type" {
        NONE = 0,
        COMPILED_OBJECT = 1,
        LIBRARY = 2,
        EXECUTABLE = 4,
    }

    /// Questions about an OpenGL context (`cl_khr_gl_sharing`).
    GlContextInfo: u32 = "gl_context_info" {
        CURRENT_DEVICE_FOR_GL_CONTEXT_KHR = 0x2006,
        DEVICES_FOR_GL_CONTEXT_KHR = 0x2007,
    }

    /// Kinds of OpenGL object (`cl_khr_gl_sharing`).
    GlObjectType: u32 = "gl_object_type" {
        BUFFER = 0x2000,
        TEXTURE2D = 0x2001,
        TEXTURE3D = 0x2002,
        RENDERBUFFER = 0x2003,
        TEXTURE2D_ARRAY = 0x200e,
        TEXTURE1D = 0x200f,
        TEXTURE1D_ARRAY = 0x2010,
        TEXTURE_BUFFER = 0x2011,
    }

    /// What a program was made from.
    ProgramKind: u32 = "program_kind" {
        UNKNOWN = 0,
        SOURCE = 1,
        BINARY = 2,
        IL = 3,
    }

    /// Keys of the properties list of a sampler.
    SamplerProperties: u32 = "sampler_properties" {
        NORMALIZED_COORDS = 0x1152,
        ADDRESSING_MODE = 0x1153,
        FILTER_MODE = 0x1154,
    }
    /// Keys of the properties list of a queue.
    QueueProperties: u32 = "queue_properties" {
        PROPERTIES = 0x1093,
        SIZE = 0x1094,
        DEVICE_DEFAULT = 0x1095,
    }

    /// Layout of a `cl_version`: widths and masks of its parts.
    VersionBits: u32 = "version_bits" {
        MAJOR_BITS = 10,
        MINOR_BITS = 10,
        PATCH_BITS = 12,
        MAJOR_MASK = 0x3ff,
        MINOR_MASK = 0x3ff,
        PATCH_MASK = 0xfff,
    }
    /// What a kernel can be asked for one device.
    KernelWorkGroupInfo: u32 = "kernel_work_group_info" {
        WORK_GROUP_SIZE = 0x11b0,
        COMPILE_WORK_GROUP_SIZE = 0x11b1,
        LOCAL_MEM_SIZE = 0x11b2,
        PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 0x11b3,
        PRIVATE_MEM_SIZE = 0x11b4,
        GLOBAL_WORK_SIZE = 0x11b5,
    }

    /// What a kernel can be asked about sub-groups.
    KernelSubGroupInfo: u32 = "kernel_sub_group_info" {
        LOCAL_SIZE_FOR_SUB_GROUP_COUNT = 0x11b8,
        MAX_NUM_SUB_GROUPS = 0x11b9,
        COMPILE_NUM_SUB_GROUPS = 0x11ba,
        MAX_SUB_GROUP_SIZE_FOR_NDRANGE = 0x2033,
        SUB_GROUP_COUNT_FOR_NDRANGE = 0x2034,
    }

    /// What can be asked of a kernel's argument.
    KernelArgInfo: u32 = "kernel_arg_info" {
        ADDRESS_QUALIFIER = 0x1196,
        ACCESS_QUALIFIER = 0x1197,
        TYPE_NAME = 0x1198,
        TYPE_QUALIFIER = 0x1199,
        NAME = 0x119a,
    }

    /// What can be asked of a build for one device.
    ProgramBuildInfo: u32 = "program_build_info" {
        STATUS = 0x1181,
        OPTIONS = 0x1182,
        LOG = 0x1183,
        BINARY_TYPE = 0x1184,
        GLOBAL_VARIABLE_TOTAL_SIZE = 0x1185,
    }
}
