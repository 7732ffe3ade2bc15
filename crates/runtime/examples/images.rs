//! Images: formats, pixels in and out, a kernel that samples, fills, images over buffers.
//!
//! ```text
//! cargo run -p opencl-runtime --example images
//! ```

use opencl_runtime::constants::{AddressingMode, ChannelOrder, ChannelType, FilterMode};
use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandQueue, Context, Image, ImageBlock, ImageDescriptor, ImageFormat,
    MemFlags, MemObjectType, NdRange, Program, Result, Sampler, WaitList,
};

/// Four floats a pixel: the one format of floats that every device with images has.
const FORMAT: ImageFormat = ImageFormat::new(ChannelOrder::RGBA, ChannelType::FLOAT);

fn main() -> Result<()> {
    let context = Context::from_environment()?; // the device that PYOPENCL_CTX names, else the first one
    println!("on {}", context.devices()?[0].name()?);
    if !context.devices()?[0].image_support()? {
        println!("this device has no images");
        return Ok(());
    }
    let queue = CommandQueue::new(&context)?;
    formats(&context)?;
    let image = pixels(&queue)?;
    sampling(&queue, &image)?;
    over_a_buffer(&context)
}

/// What the device has, and what an error says about what it has not.
fn formats(context: &Context) -> Result<()> {
    let formats = context.supported_image_formats(MemFlags::READ_WRITE, MemObjectType::IMAGE2D)?;
    println!("formats   {} for reading and writing in two dimensions", formats.len());
    let rgb = ImageFormat::new(ChannelOrder::RGB, ChannelType::UNSIGNED_INT8);
    let square = ImageDescriptor::of_shape(&[8, 8], false)?;
    if let Err(error) = Image::new(context, MemFlags::READ_ONLY, rgb, &square) {
        println!("refused   {error}");
    }
    Ok(())
}

/// An image from host memory, one colour over a part of it, and pixels back. Blocks count pixels.
fn pixels(queue: &CommandQueue) -> Result<Image> {
    let descriptor = ImageDescriptor::of_shape(&[3, 2], false)?;
    let data: Vec<f32> = (0..24).map(|number| number as f32).collect();
    let image = Image::from_slice(queue.context(), MemFlags::READ_WRITE, FORMAT, &descriptor, &data)?;
    let colour = bytemuck::cast([0.5_f32; 4]);
    queue.fill_image(&image, &colour, [1, 0, 0], [2, 1, 1], &WaitList::default())?;
    let mut row = [0.0_f32; 12];
    queue.read_image(&image, &ImageBlock { origin: [0; 3], region: [3, 1, 1], pitches: [0; 2] }, &mut row)?;
    assert_eq!(row[..8], [0.0, 1.0, 2.0, 3.0, 0.5, 0.5, 0.5, 0.5]);
    println!("pixels    {:?} of {:?}", &row[..8], image.shape()?);
    Ok(image)
}

/// A kernel reads between the pixels.
fn sampling(queue: &CommandQueue, image: &Image) -> Result<()> {
    let source = "
        kernel void sample(read_only image2d_t from, sampler_t how, global float *to) {
            to[0] = read_imagef(from, how, (float2)(1.0f, 0.5f)).x;
        }";
    let program = Program::with_source(queue.context(), source)?;
    program.build(&BuildOptions::default())?;
    let kernel = program.kernel("sample")?;
    let result = Buffer::new(queue.context(), MemFlags::READ_WRITE, size_of::<f32>())?;
    let edge = AddressingMode::CLAMP_TO_EDGE;
    for (filter, expected) in [(FilterMode::NEAREST, 0.5), (FilterMode::LINEAR, 0.25)] {
        let sampler = Sampler::new(queue.context(), false, edge, filter)?;
        // SAFETY: the kernel writes one float, which the buffer holds.
        unsafe {
            let args = [Arg::Mem(image), Arg::Sampler(&sampler), Arg::Mem(&result)];
            kernel.launch(queue, &NdRange::new(&[1]), &args, &WaitList::default())?;
        }
        let mut found = [0.0_f32];
        queue.read(&result, 0, &mut found)?;
        assert!((found[0] - expected).abs() < 0.01, "{found:?}");
        println!("sampled   {} with {filter:?}", found[0]);
    }
    Ok(())
}

/// An image whose pixels are a buffer's bytes.
fn over_a_buffer(context: &Context) -> Result<()> {
    let buffer = Buffer::new(context, MemFlags::READ_WRITE, 1024)?;
    let line = ImageDescriptor::of_shape(&[64], false)?.over_buffer(&buffer)?;
    let image = Image::new(context, MemFlags::READ_WRITE, FORMAT, &line)?;
    println!("over      {buffer:?}: {:?} pixels, {:?}", image.shape()?, image.type_()?);
    Ok(())
}
