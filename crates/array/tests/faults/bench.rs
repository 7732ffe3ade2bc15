//! The arrays on which operations work.

use opencl_array::{Array, DType, Order};
use opencl_runtime::{CommandQueue, CommandQueueProperties, Context, Platform};

/// Arrays of each kind.
pub(crate) struct Bench {
    pub(crate) context: Context,
    pub(crate) queue: CommandQueue,
    /// A second queue of the same context.
    pub(crate) other: CommandQueue,
    /// 4 rows of 6 numbers.
    pub(crate) a: Array,
    pub(crate) b: Array,
    /// The same in other memory order.
    pub(crate) turned: Array,
    /// Integers, as many as rows.
    pub(crate) positions: Array,
    /// Truth values of the same shape.
    pub(crate) mask: Array,
    /// So many numbers that a sum has two stages.
    pub(crate) long: Array,
}

impl Bench {
    pub(crate) fn in_order() -> Self {
        Self::new(CommandQueueProperties::empty())
    }

    pub(crate) fn out_of_order() -> Self {
        Self::new(CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE)
    }

    fn new(properties: CommandQueueProperties) -> Self {
        let device = Platform::all().unwrap()[0].devices().unwrap().remove(0);
        let context = Context::new(std::slice::from_ref(&device)).unwrap();
        let queue = || CommandQueue::with_properties(&context, None, properties).unwrap();
        let (queue, other) = (queue(), queue());
        let numbers: Vec<f32> = (0..24_u8).map(f32::from).collect();
        let array =
            |dtype, order, bytes: &[u8]| Array::from_host(&queue, &[4, 6], dtype, order, bytes).unwrap();
        let floats = |order| array(DType::F32, order, bytemuck::cast_slice(&numbers));
        Self {
            a: floats(Order::C),
            b: floats(Order::C),
            turned: floats(Order::F),
            positions: Array::from_slice(&queue, &[3_i32, 0, 2, 1]).unwrap(),
            mask: array(DType::Bool, Order::C, &[1; 24]),
            long: Array::from_slice(&queue, &vec![1_f32; 20_000]).unwrap(),
            context,
            queue,
            other,
        }
    }
}
