//! Operations on images, samplers and pipes.

use super::{Operation, from, operation};
use crate::bench::Bench;
use opencl_runtime::constants::{AddressingMode, ChannelOrder, ChannelType, FilterMode, SamplerProperties};
use opencl_runtime::{
    Arg, BuildOptions, Image, ImageBlock, ImageDescriptor, ImageFormat, MapFlags, MemFlags, MemObject, Pipe,
    Program, Result, Sampler, WaitList,
};

const FORMAT: ImageFormat = ImageFormat::new(ChannelOrder::RGBA, ChannelType::UNSIGNED_INT8);

/// An image of 4 x 4 pixels of 4 bytes: 0, 1, 2, …
pub(super) fn image(bench: &Bench) -> Result<Image> {
    let bytes: Vec<u8> = (0..64).collect();
    let descriptor = ImageDescriptor::of_shape(&[4, 4], false)?;
    Image::from_slice(&bench.context, MemFlags::READ_WRITE, FORMAT, &descriptor, &bytes)
}

/// Two rows of three pixels.
const BLOCK: ImageBlock = ImageBlock { origin: [1, 1, 0], region: [3, 2, 1], pitches: [0, 0] };

pub(super) const OPERATIONS: &[Operation] = &[
    operation!("an image", |bench| {
        let image = image(bench)?;
        assert_eq!(image.shape()?, [4, 4]);
        assert_eq!(image.format()?, FORMAT);
        Ok(())
    }),
    operation!("an image over a buffer", |bench| {
        let descriptor = ImageDescriptor::of_shape(&[16], false)?.over_buffer(&bench.buffer)?;
        let image = Image::new(&bench.context, MemFlags::READ_WRITE, FORMAT, &descriptor)?;
        assert_eq!(image.buffer()?, Some(MemObject::from(bench.buffer.clone())));
        Ok(())
    }),
    operation!("take over an image", |bench| {
        let image = image(bench)?;
        // SAFETY: the handle is live, and a reference is added.
        unsafe { Image::from_raw(image.as_raw()?, true) }.map(drop)
    }),
    operation!("list formats", |bench| {
        let kind = ImageDescriptor::of_shape(&[1, 1], false)?.kind;
        let formats = bench.context.supported_image_formats(MemFlags::READ_WRITE, kind)?;
        assert!(formats.contains(&FORMAT));
        Ok(())
    }),
    operation!("write and read pixels", |bench| {
        let image = image(bench)?;
        bench.queue.write_image(&image, &BLOCK, &[9_u8; 24])?;
        let mut found = [0_u8; 64];
        bench.queue.read_image(&image, &ImageBlock::whole(&image)?, &mut found)?;
        assert_eq!((found[19], found[20], found[63]), (19, 9, 63));
        Ok(())
    }),
    operation!("copy pixels", |bench| {
        let none = WaitList::default();
        let (one, other) = (image(bench)?, image(bench)?);
        bench.queue.copy_image(&one, &other, [0; 3], [2, 2, 0], [2, 2, 1], &none)?;
        bench.queue.copy_image_to_buffer(&other, &bench.buffer, [2, 2, 0], [2, 2, 1], 8, &none)?;
        let mut found = [0_u8; 16];
        bench.queue.read(&bench.buffer, 8, &mut found)?;
        assert_eq!((found[0], found[8]), (0, 16));
        bench.queue.copy_buffer_to_image(&bench.buffer, &one, 8, [0; 3], [4, 1, 1], &none).map(drop)
    }),
    operation!("fill pixels", |bench| {
        let image = image(bench)?;
        let colour = bytemuck::cast([7_u32; 4]);
        bench.queue.fill_image(&image, &colour, BLOCK.origin, BLOCK.region, &WaitList::default()).map(drop)
    }),
    operation!("map pixels", |bench| {
        let none = WaitList::default();
        let image = image(bench)?;
        let (map, layout, event) =
            bench.queue.map_image(&image, true, MapFlags::READ, BLOCK.origin, BLOCK.region, &none)?;
        event.wait()?;
        assert_eq!((layout.row_pitch, map.size()), (16, 28));
        map.unmap(None, &none)?.wait()
    }),
    operation!(
        "map pixels and let go",
        |bench| {
            let (image, none) = (image(bench)?, WaitList::default());
            bench.queue.map_image(&image, true, MapFlags::WRITE, [0; 3], [1, 1, 1], &none).map(drop)
        },
        absorbs clEnqueueUnmapMemObject in from(1)
    ),
    operation!("a sampler", |bench| {
        let sampler = Sampler::new(&bench.context, true, AddressingMode::REPEAT, FilterMode::LINEAR)?;
        assert_eq!(sampler.filter_mode()?, FilterMode::LINEAR);
        Ok(())
    }),
    operation!("a sampler by properties", |bench| {
        let list = [(SamplerProperties::NORMALIZED_COORDS, 0)];
        assert!(!Sampler::with_properties(&bench.context, &list)?.normalized_coords()?);
        Ok(())
    }),
    operation!("take over a sampler", |bench| {
        let sampler = Sampler::new(&bench.context, true, AddressingMode::NONE, FilterMode::NEAREST)?;
        // SAFETY: the handle is live, and a reference is added.
        unsafe { Sampler::from_raw(sampler.as_raw(), true) }.map(drop)
    }),
    operation!(
        "images and samplers as arguments",
        |bench| {
            let sampler = Sampler::new(&bench.context, true, AddressingMode::NONE, FilterMode::NEAREST)?;
            let source = "kernel void sample(read_only image2d_t from, sampler_t how) {}";
            let program = Program::with_source(&bench.context, source)?;
            program.build(&BuildOptions::default())?;
            let kernel = program.kernel("sample")?;
            kernel.set_arg(0, &Arg::Mem(&*image(bench)?))?;
            kernel.set_arg(1, &Arg::Sampler(&sampler))
        },
        // The declaration is read from the source then.
        absorbs clGetKernelArgInfo in from(1)
    ),
    operation!("a pipe", |bench| {
        let pipe = Pipe::new(&bench.context, MemFlags::READ_WRITE, 4, 16, &[])?;
        assert_eq!((pipe.packet_size()?, pipe.max_packets()?), (4, 16));
        Ok(())
    }),
];
