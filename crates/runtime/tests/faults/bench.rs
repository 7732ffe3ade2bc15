//! The objects on which operations work.

use opencl_runtime::{
    Buffer, BuildOptions, CommandQueue, CommandQueueProperties, Context, Device, Event, Kernel, MemFlags,
    Platform, Program, WaitList,
};

/// Two kernels; the stub driver runs what `STUB_FILL` says.
pub(crate) const SOURCE: &str = "
kernel void fill(global int *out, int n, local float *scratch) { STUB_FILL(out, 7); }
kernel void empty() {}
";

/// Bytes of each buffer.
pub(crate) const SIZE: usize = 1024;

/// One object of each kind.
pub(crate) struct Bench {
    pub(crate) platform: Platform,
    pub(crate) device: Device,
    pub(crate) context: Context,
    pub(crate) queue: CommandQueue,
    pub(crate) buffer: Buffer,
    pub(crate) other: Buffer,
    pub(crate) program: Program,
    pub(crate) kernel: Kernel,
    pub(crate) event: Event,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let platform = Platform::all().unwrap()[0];
        let device = platform.devices().unwrap().remove(0);
        let context = Context::new(std::slice::from_ref(&device)).unwrap();
        let properties = CommandQueueProperties::PROFILING_ENABLE;
        let queue = CommandQueue::with_properties(&context, None, properties).unwrap();
        let buffer = || Buffer::new(&context, MemFlags::READ_WRITE, SIZE).unwrap();
        let program = Program::with_source(&context, SOURCE).unwrap();
        program.build(&BuildOptions::default()).unwrap();
        Self {
            buffer: buffer(),
            other: buffer(),
            kernel: program.kernel("fill").unwrap(),
            event: queue.marker(&WaitList::default()).unwrap(),
            platform,
            device,
            context,
            queue,
            program,
        }
    }
}
