//! Every device found, with kernels of both shapes, on in-order and out-of-order queues.

use opencl_array::plan::DeviceClass;
use opencl_array::{Array, DType, Layout, Order, shape_kernels_for};
use opencl_runtime::{CommandQueue, CommandQueueProperties, Context, Device, Platform};

#[path = "../../../runtime/tests/common/limits.rs"]
pub(crate) mod limits;

/// All devices. Having none is a failure: these tests need a driver (`make test` provides one).
fn devices() -> Vec<Device> {
    let platforms = Platform::all().expect("tests of arrays need an OpenCL driver");
    let devices: Vec<Device> = platforms.iter().flat_map(|platform| platform.devices().unwrap()).collect();
    assert!(!devices.is_empty(), "tests of arrays need an OpenCL device");
    devices
}

/// Runs `test` with queues of each device, for kernels of both shapes.
pub(crate) fn on_each_queue(test: impl Fn(&CommandQueue)) {
    for device in devices() {
        for class in [DeviceClass::Cpu, DeviceClass::Gpu] {
            let context = Context::new(std::slice::from_ref(&device)).unwrap();
            for properties in
                [CommandQueueProperties::empty(), CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE]
            {
                let queue = match CommandQueue::with_properties(&context, Some(&device), properties) {
                    Ok(queue) => queue,
                    Err(error) => {
                        println!("{}: no queue with {properties:?}: {error}", device.name().unwrap());
                        assert!(!properties.is_empty());
                        continue;
                    }
                };
                println!("{} with {class:?} kernels, {properties:?}", device.name().unwrap());
                shape_kernels_for(&queue, class).unwrap();
                test(&queue);
            }
        }
    }
}

/// A number type of arrays.
pub(crate) trait Item: Copy + PartialEq + std::fmt::Debug {
    const DTYPE: DType;
    fn bytes(self) -> Vec<u8>;
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! items {
    ($($ty:ty => $dtype:ident),*) => {
        $(impl Item for $ty {
            const DTYPE: DType = DType::$dtype;
            fn bytes(self) -> Vec<u8> {
                self.to_ne_bytes().to_vec()
            }
            fn from_bytes(bytes: &[u8]) -> Self {
                Self::from_ne_bytes(bytes.try_into().unwrap())
            }
        })*
    };
}
items!(i8 => I8, u8 => U8, i16 => I16, u16 => U16, i32 => I32, u32 => U32, i64 => I64, u64 => U64, f32 => F32,
    f64 => F64, half::f16 => F16);

impl Item for bool {
    const DTYPE: DType = DType::Bool;
    fn bytes(self) -> Vec<u8> {
        vec![self.into()]
    }
    fn from_bytes(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }
}

macro_rules! complex_items {
    ($($part:ty => $dtype:ident),*) => {
        $(impl Item for num_complex::Complex<$part> {
            const DTYPE: DType = DType::$dtype;
            fn bytes(self) -> Vec<u8> {
                [self.re.to_ne_bytes(), self.im.to_ne_bytes()].concat()
            }
            fn from_bytes(bytes: &[u8]) -> Self {
                let (re, im) = bytes.split_at(size_of::<$part>());
                Self::new(<$part>::from_bytes(re), <$part>::from_bytes(im))
            }
        })*
    };
}
complex_items!(f32 => C64, f64 => C128);

/// An array of these elements in C order.
pub(crate) fn array<T: Item>(queue: &CommandQueue, shape: &[usize], values: &[T]) -> Array {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.bytes()).collect();
    Array::from_host(queue, shape, T::DTYPE, Order::C, &bytes).unwrap()
}

/// The elements in C order.
pub(crate) fn values<T: Item>(array: &Array) -> Vec<T> {
    assert_eq!(array.dtype(), T::DTYPE);
    let bytes = array.to_host(Order::C, None).unwrap();
    bytes.chunks(size_of::<T>()).map(T::from_bytes).collect()
}

/// Element numbers in C order of a view of an array of so many elements, for models.
#[allow(dead_code, reason = "not every test file views")]
pub(crate) fn numbers(layout: &Layout) -> Vec<usize> {
    let mut all = vec![layout.offset() as isize];
    for (&length, &stride) in layout.shape().iter().zip(layout.strides()) {
        all = all.iter().flat_map(|&at| (0..length as isize).map(move |i| at + i * stride)).collect();
    }
    all.iter().map(|&at| at as usize / layout.item_size()).collect()
}
