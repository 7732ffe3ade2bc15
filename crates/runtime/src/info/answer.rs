//! Types of answers: how each is read, and as what other languages see it ([`Value`]).

use std::ffi::c_void;
use std::ptr;

use opencl_driver::sys::{
    CL_PROGRAM_BINARIES, CL_PROGRAM_BINARY_SIZES, cl_command_queue, cl_context, cl_device_id, cl_mem,
    cl_program,
};
use opencl_driver::{Api, is_lost_to_fork, status};

use crate::call::room;
use crate::constants::*;
use crate::{CommandQueue, Context, Device, Error, ImageFormat, MemObject, Platform, Program, Result};

/// An answer without its type, as bindings hand it on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Value {
    /// No object.
    None,
    /// A boolean, a number, a flag word or an enumerated value.
    Int(i64),
    /// An unsigned 64-bit number.
    UInt(u64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(String),
    /// Numbers.
    Ints(Vec<i64>),
    /// One block of bytes a device.
    Bytes(Vec<Vec<u8>>),
    /// A platform.
    Platform(Platform),
    /// A device.
    Device(Device),
    /// Devices.
    Devices(Vec<Device>),
    /// A context.
    Context(Context),
    /// A queue.
    Queue(CommandQueue),
    /// A program.
    Program(Program),
    /// A memory object.
    Mem(MemObject),
    /// A format of images.
    ImageFormat(ImageFormat),
    /// Names with versions.
    NameVersions(Vec<NameVersion>),
    /// Where a device sits on its bus.
    Topology(TopologyAmd),
    /// A host address.
    Address(usize),
}

/// `cl_name_version`: the name of an extension, feature or language with its version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NameVersion {
    /// A `cl_version`: major in the upper 10 bits, minor in 10, patch in 12.
    pub version: u32,
    /// The name.
    pub name: String,
}

/// `cl_device_topology_amd`: the place of a device on its bus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TopologyAmd {
    /// `CL_DEVICE_TOPOLOGY_TYPE_…_AMD`; the other fields mean something for PCIe (1) only.
    pub type_: u32,
    /// Bus number.
    pub bus: u8,
    /// Device number.
    pub device: u8,
    /// Function number.
    pub function: u8,
}

/// A properties list: keys and values up to, and without, the terminating zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertyList(pub Vec<i64>);

/// An address in host memory; zero if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostAddress(pub usize);

/// The binaries of a program, one a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binaries(pub Vec<Vec<u8>>);

/// The intermediate-language module of a program; empty if it was not made from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Il(pub Vec<u8>);

/// A `clGet…Info` function without further arguments: object, question, room, value, size of the answer.
type Get = unsafe extern "C" fn(*mut c_void, u32, usize, *mut c_void, *mut usize) -> i32;

/// A question to be put to an object.
#[derive(Clone, Copy)]
pub(crate) struct Ask {
    pub(crate) api: &'static Api,
    pub(crate) function: &'static str,
    pub(crate) get: Option<Get>,
    pub(crate) object: *mut c_void,
    pub(crate) question: u32,
    pub(crate) since: &'static str,
}

impl Ask {
    /// Asks once. `value` is null or has room for `room` bytes.
    fn ask(&self, room: usize, value: *mut c_void, size: *mut usize) -> Result<()> {
        let get = self.get.ok_or_else(|| Error::unsupported(self.function, self.api.version))?;
        // Binaries may have to be made, or a build of the parent's to be waited for.
        if matches!(self.question, CL_PROGRAM_BINARY_SIZES | CL_PROGRAM_BINARIES) && is_lost_to_fork() {
            return Err(Error::forked(self.function));
        }
        // SAFETY: the asker keeps the object alive, and `value` has room for `room` bytes.
        match unsafe { get(self.object, self.question, room, value, size) } {
            status::SUCCESS => Ok(()),
            status::INVALID_VALUE if self.since != "1.0" => {
                let what = if self.since.starts_with("cl_") { "" } else { "OpenCL " };
                let detail = format!("this question needs {what}{}", self.since);
                Err(Error::refused(self.function, status::INVALID_VALUE, detail))
            }
            status::PROFILING_INFO_NOT_AVAILABLE => {
                let detail =
                    "the queue needs PROFILING_ENABLE among its properties, and the command has to be done";
                Err(Error::refused(self.function, status::PROFILING_INFO_NOT_AVAILABLE, detail))
            }
            code => Err(Error::status(self.function, code)),
        }
    }

    /// An answer of fixed size. `T` must be plain data for which any bytes are a value.
    pub(crate) fn scalar<T: Plain>(&self) -> Result<T> {
        let mut value = T::default();
        self.ask(size_of::<T>(), (&raw mut value).cast(), ptr::null_mut())?;
        Ok(value)
    }

    /// An answer of any number of items. Bytes beyond a whole number of items are dropped.
    pub(crate) fn list<T: Plain>(&self) -> Result<Vec<T>> {
        let mut size = 0;
        self.ask(0, ptr::null_mut(), &raw mut size)?;
        let mut list = room(self.function, T::default(), size / size_of::<T>())?;
        if !list.is_empty() {
            let room = list.len() * size_of::<T>();
            self.ask(room, list.as_mut_ptr().cast(), ptr::null_mut())?;
        }
        Ok(list)
    }

    /// An answer that the driver writes through pointers: one block for each of `sizes`.
    fn blocks(&self, sizes: &[usize]) -> Result<Vec<Vec<u8>>> {
        let mut blocks: Vec<Vec<u8>> =
            sizes.iter().map(|size| room(self.function, 0, *size)).collect::<Result<_>>()?;
        let mut pointers: Vec<*mut u8> = blocks.iter_mut().map(|block| block.as_mut_ptr()).collect();
        let room = pointers.len() * size_of::<*mut u8>();
        self.ask(room, pointers.as_mut_ptr().cast(), ptr::null_mut())?;
        Ok(blocks)
    }
}

/// Plain data: no padding, and any bytes are a value.
pub(crate) trait Plain: Copy + Default {}
impl Plain for u8 {}
impl Plain for u32 {}
impl Plain for i32 {}
impl Plain for u64 {}
impl Plain for isize {}
impl Plain for usize {}
impl Plain for f32 {}
impl<const N: usize> Plain for [u8; N] where [u8; N]: Default {}

/// `cl_name_version` as the driver writes it: 4 bytes of version, 64 of name.
#[derive(Clone, Copy)]
#[repr(C)]
struct RawNameVersion {
    version: u32,
    name: [u8; 64],
}

impl Default for RawNameVersion {
    fn default() -> Self {
        Self { version: 0, name: [0; 64] }
    }
}

impl Plain for RawNameVersion {}

/// A type of answer.
pub(crate) trait Answer: Sized {
    fn read(ask: &Ask) -> Result<Self>;
    fn into_value(self) -> Value;
}

macro_rules! scalars {
    ($($type:ty, $this:ident => $value:expr;)*) => {$(
        impl Answer for $type {
            fn read(ask: &Ask) -> Result<Self> {
                ask.scalar()
            }

            fn into_value(self) -> Value {
                let $this = self;
                $value
            }
        }
    )*};
}

scalars! {
    i32, this => Value::Int(this.into());
    u32, this => Value::Int(this.into());
    u64, this => Value::UInt(this);
    usize, this => Value::UInt(this as u64);
    f32, this => Value::Float(this.into());
}

impl Answer for bool {
    fn read(ask: &Ask) -> Result<Self> {
        Ok(ask.scalar::<u32>()? != 0)
    }

    fn into_value(self) -> Value {
        Value::Int(self.into())
    }
}

macro_rules! bit_fields {
    ($($type:ident)*) => {$(
        impl Answer for $type {
            fn read(ask: &Ask) -> Result<Self> {
                ask.scalar().map(Self::from_bits_retain)
            }

            fn into_value(self) -> Value {
                Value::UInt(self.bits())
            }
        }
    )*};
}

bit_fields! {
    CommandQueueProperties DeviceAtomicCapabilities DeviceDeviceEnqueueCapabilities DeviceExecCapabilities
    DeviceFpConfig DeviceSvmCapabilities DeviceType MemFlags
}

/// A bit field like the others, but PyOpenCL takes it for a list of numbers, and so programs do.
impl Answer for DeviceAffinityDomain {
    fn read(ask: &Ask) -> Result<Self> {
        ask.scalar().map(Self::from_bits_retain)
    }

    fn into_value(self) -> Value {
        Value::Ints(vec![self.bits().cast_signed()])
    }
}

macro_rules! enumerated {
    ($($type:ident)*) => {$(
        impl Answer for $type {
            fn read(ask: &Ask) -> Result<Self> {
                ask.scalar().map(Self)
            }

            fn into_value(self) -> Value {
                Value::Int(self.0.into())
            }
        }
    )*};
}

enumerated! {
    AddressingMode CommandExecutionStatus CommandType DeviceLocalMemType DeviceMemCacheType FilterMode MemObjectType
}

impl Answer for String {
    fn read(ask: &Ask) -> Result<Self> {
        let bytes = ask.list::<u8>()?;
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        Ok(Self::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    fn into_value(self) -> Value {
        Value::Text(self)
    }
}

impl Answer for Vec<usize> {
    fn read(ask: &Ask) -> Result<Self> {
        ask.list()
    }

    fn into_value(self) -> Value {
        // Sizes are far below 2^63.
        Value::Ints(self.into_iter().map(|size| i64::try_from(size).unwrap_or(i64::MAX)).collect())
    }
}

impl Answer for PropertyList {
    fn read(ask: &Ask) -> Result<Self> {
        let mut list: Vec<i64> = ask.list::<isize>()?.into_iter().map(|item| item as i64).collect();
        // Keys are never zero, so a zero in a key's place ends the list; one in a value's place does not.
        let pairs = list.iter().step_by(2).position(|key| *key == 0);
        list.truncate(pairs.map_or(list.len(), |pairs| 2 * pairs));
        Ok(Self(list))
    }

    fn into_value(self) -> Value {
        Value::Ints(self.0)
    }
}

impl Answer for HostAddress {
    fn read(ask: &Ask) -> Result<Self> {
        ask.scalar().map(Self)
    }

    fn into_value(self) -> Value {
        if self.0 == 0 { Value::None } else { Value::Address(self.0) }
    }
}

impl Answer for Vec<NameVersion> {
    fn read(ask: &Ask) -> Result<Self> {
        let decode = |raw: RawNameVersion| {
            let end = raw.name.iter().position(|byte| *byte == 0).unwrap_or(raw.name.len());
            let name = String::from_utf8_lossy(&raw.name[..end]).into_owned();
            NameVersion { version: raw.version, name }
        };
        Ok(ask.list::<RawNameVersion>()?.into_iter().map(decode).collect())
    }

    fn into_value(self) -> Value {
        Value::NameVersions(self)
    }
}

impl Answer for ImageFormat {
    fn read(ask: &Ask) -> Result<Self> {
        // The order, then the type (`cl_image_format`).
        let bytes = ask.scalar::<[u8; 8]>()?;
        let [order, channel_type]: [u32; 2] = bytemuck::cast(bytes);
        Ok(Self::new(ChannelOrder(order), ChannelType(channel_type)))
    }

    fn into_value(self) -> Value {
        Value::ImageFormat(self)
    }
}

impl Answer for TopologyAmd {
    fn read(ask: &Ask) -> Result<Self> {
        // A type of 4 bytes, then 20 bytes of which those of PCIe end in bus, device and function.
        let bytes = ask.scalar::<[u8; 24]>()?;
        let type_ = u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        Ok(Self { type_, bus: bytes[21], device: bytes[22], function: bytes[23] })
    }

    fn into_value(self) -> Value {
        Value::Topology(self)
    }
}

impl Answer for Il {
    fn read(ask: &Ask) -> Result<Self> {
        ask.list().map(Self)
    }

    fn into_value(self) -> Value {
        Value::Text(String::from_utf8_lossy(&self.0).trim_end_matches('\0').to_owned())
    }
}

impl Answer for Binaries {
    fn read(ask: &Ask) -> Result<Self> {
        let sizes = Ask { question: CL_PROGRAM_BINARY_SIZES, ..*ask }.list::<usize>()?;
        ask.blocks(&sizes).map(Self)
    }

    fn into_value(self) -> Value {
        Value::Bytes(self.0)
    }
}

/// Objects by handle: zero means none, anything else is retained.
macro_rules! objects {
    ($($type:ident, $raw:ty, $value:ident;)*) => {$(
        impl Answer for $type {
            fn read(ask: &Ask) -> Result<Self> {
                let raw = ask.scalar::<usize>()? as $raw;
                if raw.is_null() {
                    return Err(Error::null(ask.function));
                }
                // SAFETY: the driver answered with a live object of this platform.
                unsafe { Self::from_borrowed(raw, ask.api) }
            }

            fn into_value(self) -> Value {
                Value::$value(self)
            }
        }

        impl Answer for Option<$type> {
            fn read(ask: &Ask) -> Result<Self> {
                let raw = ask.scalar::<usize>()? as $raw;
                if raw.is_null() {
                    return Ok(None);
                }
                // SAFETY: the driver answered with a live object of this platform.
                unsafe { $type::from_borrowed(raw, ask.api) }.map(Some)
            }

            fn into_value(self) -> Value {
                self.map_or(Value::None, Value::$value)
            }
        }
    )*};
}

objects! {
    Context, cl_context, Context;
    Device, cl_device_id, Device;
    CommandQueue, cl_command_queue, Queue;
    Program, cl_program, Program;
    MemObject, cl_mem, Mem;
}

impl Answer for Platform {
    fn read(ask: &Ask) -> Result<Self> {
        Self::from_raw(ask.scalar::<usize>()? as *mut c_void)
    }

    fn into_value(self) -> Value {
        Value::Platform(self)
    }
}

impl Answer for Vec<Device> {
    fn read(ask: &Ask) -> Result<Self> {
        let handles = ask.list::<usize>()?;
        // SAFETY: the driver answered with live devices of this platform.
        let wrap = |raw: usize| unsafe { Device::from_borrowed(raw as cl_device_id, ask.api) };
        handles.into_iter().map(wrap).collect()
    }

    fn into_value(self) -> Value {
        Value::Devices(self)
    }
}
