//! Images, samplers and pipes on every driver found.

mod common;

use common::limits::{self, Need};
use common::on_each_device;
use opencl_runtime::constants::{AddressingMode, ChannelOrder, ChannelType, FilterMode, SamplerProperties};
use opencl_runtime::info::answer::Value;
use opencl_runtime::info::{TABLES, Table};
use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandQueue, Context, Error, Image, ImageBlock, ImageDescriptor, ImageFormat,
    MapFlags, MemFlags, MemObject, MemObjectType, NdRange, Pipe, Program, Sampler, Version, WaitList, status,
};

const FLOATS: ImageFormat = ImageFormat::new(ChannelOrder::RGBA, ChannelType::FLOAT);
const BYTES: ImageFormat = ImageFormat::new(ChannelOrder::RGBA, ChannelType::UNSIGNED_INT8);

/// Runs `test` on each device that has images.
fn on_each_with_images(test: impl Fn(&Context, &CommandQueue)) {
    on_each_device(|context, queue| {
        if queue.device().image_support().unwrap() {
            test(context, queue);
        } else {
            println!("skipped: the device has no images");
        }
    });
}

/// 0, 1, 2, … as floats.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|number| number as f32).collect()
}

fn image(context: &Context, shape: &[usize], data: &[f32]) -> Image {
    let descriptor = ImageDescriptor::of_shape(shape, false).unwrap();
    Image::from_slice(context, MemFlags::READ_WRITE, FLOATS, &descriptor, data).unwrap()
}

fn read(queue: &CommandQueue, image: &Image) -> Vec<f32> {
    let block = ImageBlock::whole(image).unwrap();
    let mut data = vec![0.0; block.region.iter().product::<usize>() * 4];
    queue.read_image(image, &block, &mut data).unwrap();
    data
}

#[test]
fn an_image_gives_back_what_it_was_given() {
    on_each_with_images(|context, queue| {
        let data = numbers(6 * 4 * 4);
        let image = image(context, &[6, 4], &data);
        assert_eq!(image.shape().unwrap(), [6, 4]);
        assert_eq!(image.format().unwrap(), FLOATS);
        assert_eq!(image.element_size().unwrap(), 16);
        assert_eq!(image.type_().unwrap(), MemObjectType::IMAGE2D);
        assert_eq!(image.buffer().unwrap(), None);
        assert_eq!(read(queue, &image), data);
        let fresh: Vec<f32> = data.iter().map(|number| -number).collect();
        queue.write_image(&image, &ImageBlock::whole(&image).unwrap(), &fresh).unwrap();
        assert_eq!(read(queue, &image), fresh);
        assert!(format!("{image:?}").starts_with("Image(0x"), "{image:?}");
    });
}

#[test]
fn blocks_of_images_respect_pitches() {
    on_each_with_images(|context, queue| {
        let data = numbers(6 * 4 * 4);
        let image = image(context, &[6, 4], &data);
        let block = ImageBlock { origin: [2, 1, 0], region: [3, 2, 1], pitches: [5 * 16, 0] };
        assert_eq!(block.host_extent(&image).unwrap(), (5 + 3) * 16);
        let mut found = vec![-1.0; (5 + 3) * 4];
        queue.read_image(&image, &block, &mut found).unwrap();
        for row in 0..2 {
            let start = ((row + 1) * 6 + 2) * 4;
            assert_eq!(found[row * 20..][..12], data[start..][..12]);
        }
        assert_eq!(found[12..20], [-1.0; 8]);
        let error = queue.read_image(&image, &block, &mut found[1..]).unwrap_err();
        assert_eq!((error.code(), error.routine()), (status::INVALID_VALUE, "clEnqueueReadImage"));
        assert!(error.to_string().contains("takes 128 bytes, and the host memory has 124"), "{error}");
        let outside = ImageBlock { origin: [4, 0, 0], ..block };
        let error = queue.read_image(&image, &outside, &mut found).unwrap_err();
        let text = "the block of [3, 2, 1] pixels at [4, 0, 0] is not inside of [6, 4, 1]";
        assert!(error.to_string().contains(text), "{error}");
        let narrow = ImageBlock { pitches: [16, 0], ..block };
        assert_eq!(queue.read_image(&image, &narrow, &mut found).unwrap_err().code(), status::INVALID_VALUE);
        let nothing = ImageBlock { region: [0, 2, 1], ..block };
        queue.read_image::<f32>(&image, &nothing, &mut []).unwrap();
        queue.write_image::<f32>(&image, &nothing, &[]).unwrap();
    });
}

#[test]
fn rows_of_host_memory_may_have_gaps() {
    on_each_with_images(|context, queue| {
        if !limits::has(queue.device(), Need::Pitches) {
            return;
        }
        let data = numbers(8 * 3 * 4);
        let descriptor = ImageDescriptor::of_shape(&[5, 3], false).unwrap().with_pitches([8 * 16, 0]);
        let make = |data: &[f32]| Image::from_slice(context, MemFlags::READ_ONLY, FLOATS, &descriptor, data);
        let found = read(queue, &make(&data).unwrap());
        for row in 0..3 {
            assert_eq!(found[row * 20..][..20], data[row * 32..][..20]);
        }
        let error = make(&data[..(2 * 8 + 5) * 4 - 1]).unwrap_err();
        assert_eq!(error.code(), status::INVALID_HOST_PTR, "{error}");
    });
}

#[test]
fn images_and_buffers_are_copied_into_each_other() {
    on_each_with_images(|context, queue| {
        let none = WaitList::default();
        let data = numbers(6 * 4 * 4);
        let first = image(context, &[6, 4], &data);
        let buffer = Buffer::new(context, MemFlags::READ_WRITE, 16 + 6 * 16).unwrap();
        queue.copy_image_to_buffer(&first, &buffer, [1, 1, 0], [3, 2, 1], 16, &none).unwrap();
        let mut found = vec![0.0_f32; 6 * 4];
        queue.read(&buffer, 16, &mut found).unwrap();
        assert_eq!(found[..12], data[28..][..12]);
        assert_eq!(found[12..], data[52..][..12]);
        let second = image(context, &[6, 4], &vec![0.0; data.len()]);
        queue.copy_buffer_to_image(&buffer, &second, 16, [3, 2, 0], [3, 2, 1], &none).unwrap();
        let third = image(context, &[6, 4], &vec![0.0; data.len()]);
        queue.copy_image(&second, &third, [3, 2, 0], [0, 0, 0], [3, 2, 1], &none).unwrap();
        let found = read(queue, &third);
        assert_eq!(found[..12], data[28..][..12]);
        assert_eq!(found[24..][..12], data[52..][..12]);
        assert!(found[48..].iter().all(|number| *number == 0.0));
        // No pixels are no work, and give an event all the same.
        queue.copy_image(&second, &third, [0; 3], [0; 3], [0, 1, 1], &none).unwrap().wait().unwrap();
        queue.copy_image_to_buffer(&first, &buffer, [0; 3], [1, 0, 1], 0, &none).unwrap().wait().unwrap();
        queue.copy_buffer_to_image(&buffer, &first, 0, [0; 3], [1, 1, 0], &none).unwrap().wait().unwrap();
        let beyond = queue.copy_image_to_buffer(&first, &buffer, [0; 3], [6, 4, 1], 0, &none).unwrap_err();
        assert_eq!(beyond.code(), status::INVALID_VALUE);
    });
}

#[test]
fn images_are_filled_and_mapped() {
    on_each_with_images(|context, queue| {
        let none = WaitList::default();
        let image = image(context, &[6, 4], &numbers(6 * 4 * 4));
        let colour: [u8; 16] = bytemuck::cast([1.0_f32, 2.0, 3.0, 4.0]);
        queue.fill_image(&image, &colour, [1, 1, 0], [2, 2, 1], &none).unwrap();
        queue.fill_image(&image, &colour, [0; 3], [0, 1, 1], &none).unwrap().wait().unwrap();
        let flags = MapFlags::READ | MapFlags::WRITE;
        let (map, layout, event) = queue.map_image(&image, true, flags, [1, 1, 0], [2, 3, 1], &none).unwrap();
        event.wait().unwrap();
        assert_eq!(map.size(), 2 * layout.row_pitch + 2 * 16);
        assert_eq!(layout.gaps()[0], (32, layout.row_pitch));
        let rows = |row: usize| map.address().cast::<f32>().wrapping_byte_add(row * layout.row_pitch);
        // SAFETY: the image is mapped, and each row of the block holds eight floats.
        let row = |at: usize| unsafe { std::slice::from_raw_parts_mut(rows(at), 8) };
        assert_eq!(*row(0), [1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(*row(1), *row(0));
        assert_eq!(row(2)[0], ((3 * 6 + 1) * 4) as f32);
        row(2)[0] = -1.0;
        map.unmap(None, &none).unwrap().wait().unwrap();
        assert_eq!(read(queue, &image)[(3 * 6 + 1) * 4], -1.0);
    });
}

#[test]
fn every_kind_of_image_tells_its_shape_and_keeps_its_pixels() {
    on_each_with_images(|context, queue| {
        for (shape, is_array) in
            [(&[7][..], false), (&[7, 3], false), (&[7, 3, 2], false), (&[7, 3], true), (&[7, 3, 2], true)]
        {
            let descriptor = ImageDescriptor::of_shape(shape, is_array).unwrap();
            let kind = descriptor.kind;
            let formats = context.supported_image_formats(MemFlags::READ_WRITE, kind).unwrap();
            if !formats.contains(&BYTES) {
                println!("skipped {kind:?}: no {}", BYTES.describe());
                continue;
            }
            let count = 4 * shape.iter().product::<usize>();
            let data: Vec<u8> = (0..count).map(|number| number as u8).collect();
            let image = Image::from_slice(context, MemFlags::READ_WRITE, BYTES, &descriptor, &data).unwrap();
            assert_eq!(image.shape().unwrap(), shape, "{kind:?}");
            assert_eq!(image.type_().unwrap(), kind);
            let block = ImageBlock::whole(&image).unwrap();
            assert_eq!(block.region, descriptor.block());
            let mut found = vec![0; count];
            queue.read_image(&image, &block, &mut found).unwrap();
            assert_eq!(found, data, "{kind:?}");
            // SAFETY: the handle is that of a live image.
            let again = unsafe { Image::from_raw(image.as_raw().unwrap(), true) }.unwrap();
            assert_eq!(again, image);
        }
    });
}

#[test]
fn an_image_over_a_buffer_shares_its_memory() {
    on_each_with_images(|context, queue| {
        let data = numbers(16 * 4);
        let buffer = Buffer::from_slice(context, MemFlags::READ_WRITE, &data).unwrap();
        let line = ImageDescriptor::of_shape(&[16], false).unwrap().over_buffer(&buffer).unwrap();
        assert_eq!(line.kind, MemObjectType::IMAGE1D_BUFFER);
        let image = Image::new(context, MemFlags::READ_WRITE, FLOATS, &line).unwrap();
        assert_eq!(image.shape().unwrap(), [16]);
        assert_eq!(image.buffer().unwrap(), Some(MemObject::from(buffer.clone())));
        let cube = ImageDescriptor::of_shape(&[2, 2, 2], false).unwrap().over_buffer(&buffer);
        assert_eq!(cube.unwrap_err().code(), status::INVALID_IMAGE_DESCRIPTOR);
        let program = "kernel void second(read_only image1d_buffer_t from, global float *to) {
            int i = get_global_id(0); to[i] = read_imagef(from, i).y; }";
        let program = Program::with_source(context, program).unwrap();
        program.build(&BuildOptions::default()).unwrap();
        let result = Buffer::new(context, MemFlags::WRITE_ONLY, 64).unwrap();
        let kernel = program.kernel("second").unwrap();
        // SAFETY: the kernel writes a float a work-item, and the buffer holds sixteen.
        unsafe {
            let args = [Arg::Mem(&image), Arg::Mem(&result)];
            kernel.launch(queue, &NdRange::new(&[16]), &args, &WaitList::default()).unwrap();
        }
        let mut found = [0.0_f32; 16];
        queue.read(&result, 0, &mut found).unwrap();
        assert_eq!(found.as_slice(), data.iter().copied().skip(1).step_by(4).collect::<Vec<_>>());
        let other = Context::new(&context.devices().unwrap()).unwrap();
        let foreign = Image::new(&other, MemFlags::READ_WRITE, FLOATS, &line).unwrap_err();
        assert_eq!(foreign.code(), status::INVALID_CONTEXT, "{foreign}");
    });
}

const SAMPLE: &str = "
kernel void sample(read_only image2d_t from, sampler_t how, global float *to, float2 at)
{
    to[0] = read_imagef(from, how, at).x;
}
";

#[test]
fn samplers_decide_what_kernels_read() {
    on_each_with_images(|context, queue| {
        if !limits::has(queue.device(), Need::Samplers) {
            return;
        }
        let image = image(context, &[2, 1], &[10.0, 0.0, 0.0, 0.0, 20.0, 0.0, 0.0, 0.0]);
        let program = Program::with_source(context, SAMPLE).unwrap();
        program.build(&BuildOptions::default()).unwrap();
        let kernel = program.kernel("sample").unwrap();
        let result = Buffer::new(context, MemFlags::READ_WRITE, 4).unwrap();
        let sample = |sampler: &Sampler, x: f32, y: f32| {
            let at = [x, y];
            let args = [Arg::Mem(&image), Arg::Sampler(sampler), Arg::Mem(&result), Arg::scalar(&at)];
            // SAFETY: the kernel writes one float, which the buffer holds.
            unsafe { kernel.launch(queue, &NdRange::new(&[1]), &args, &WaitList::default()) }.unwrap();
            let mut found = [0.0_f32];
            queue.read(&result, 0, &mut found).unwrap();
            found[0]
        };
        let edge = AddressingMode::CLAMP_TO_EDGE;
        let pixels = Sampler::new(context, false, edge, FilterMode::NEAREST).unwrap();
        assert_eq!(sample(&pixels, 1.5, 0.5), 20.0);
        assert_eq!(sample(&pixels, -3.0, 0.5), 10.0);
        let smooth = Sampler::new(context, true, edge, FilterMode::LINEAR).unwrap();
        assert_eq!(sample(&smooth, 0.5, 0.5), 15.0);
        assert_eq!(pixels.filter_mode().unwrap(), FilterMode::NEAREST);
        assert_eq!(pixels.addressing_mode().unwrap(), edge);
        assert!(!pixels.normalized_coords().unwrap());
        assert!(smooth.normalized_coords().unwrap());
        assert_eq!(&pixels.context().unwrap(), context);
        assert_ne!(pixels, smooth);
        // SAFETY: the handle is that of a live sampler.
        let again = unsafe { Sampler::from_raw(pixels.as_raw(), true) }.unwrap();
        assert_eq!(again, pixels);
        assert_eq!(format!("{again:?}"), format!("{pixels:?}"));
        let misplaced = kernel.set_arg(2, &Arg::Sampler(&pixels)).unwrap_err();
        assert!(misplaced.to_string().contains("got a sampler"), "{misplaced}");
        let other = Context::new(&context.devices().unwrap()).unwrap();
        let foreign = Sampler::new(&other, true, edge, FilterMode::LINEAR).unwrap();
        let error = kernel.set_arg(1, &Arg::Sampler(&foreign)).unwrap_err();
        assert!(error.to_string().contains("another context"), "{error}");
    });
}

#[test]
fn samplers_are_made_by_properties() {
    on_each_with_images(|context, queue| {
        if queue.device().platform().unwrap().opencl_version() < Version::new(2, 0) {
            println!("skipped: the platform is older than OpenCL 2.0");
            return;
        }
        let list = [
            (SamplerProperties::NORMALIZED_COORDS, 0),
            (SamplerProperties::FILTER_MODE, FilterMode::NEAREST.0.into()),
        ];
        let sampler = Sampler::with_properties(context, &list).unwrap();
        assert!(!sampler.normalized_coords().unwrap());
        assert_eq!(sampler.filter_mode().unwrap(), FilterMode::NEAREST);
        let wrong = [(SamplerProperties::FILTER_MODE, 7)];
        match Sampler::with_properties(context, &wrong) {
            Ok(_) => println!("{} takes any filter", queue.device().platform().unwrap().name().unwrap()),
            Err(error) => assert_eq!(error.code(), status::INVALID_VALUE),
        }
    });
}

#[test]
fn unsupported_formats_are_named_with_what_there_is() {
    on_each_with_images(|context, _| {
        let rgb = ImageFormat::new(ChannelOrder::RGB, ChannelType::UNSIGNED_INT8);
        let square = ImageDescriptor::of_shape(&[8, 8], false).unwrap();
        let formats = context.supported_image_formats(MemFlags::READ_ONLY, square.kind).unwrap();
        assert!(formats.contains(&FLOATS), "{formats:?}");
        if formats.contains(&rgb) {
            println!("skipped: the device has images of three channels");
            return;
        }
        match Image::new(context, MemFlags::READ_ONLY, rgb, &square) {
            Ok(_) => println!("the driver takes three channels, though it does not list them"),
            Err(error) => {
                assert!(matches!(&error, Error::Refused { function: "clCreateImage", .. }), "{error}");
                let text = error.to_string();
                let what = "IMAGE2D images with the channels RGB, UNSIGNED_INT8 are not supported";
                assert!(text.contains(what), "{text}");
                assert!(text.contains("RGBA") && text.ends_with("add a fourth channel"), "{text}");
            }
        }
        let vast = ImageDescriptor::of_shape(&[1 << 30, 1 << 30], false).unwrap();
        let error = Image::new(context, MemFlags::READ_ONLY, FLOATS, &vast).unwrap_err();
        assert!(error.to_string().contains("[1073741824, 1073741824, 1]"), "{error}");
    });
}

/// How many questions are answered; the others the driver does not know.
fn answered<T>(table: &Table<T>, object: &T) -> usize {
    let known = |ask: fn(&T) -> opencl_runtime::Result<Value>| match ask(object) {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error.code(), status::INVALID_VALUE, "{error}");
            false
        }
    };
    table.questions.iter().filter(|question| known(question.ask)).count()
}

#[test]
fn all_questions_are_answered_or_say_what_they_need() {
    on_each_with_images(|context, _| {
        assert!(answered(TABLES.image, &image(context, &[2, 2], &numbers(16))) >= 7);
        let sampler = Sampler::new(context, true, AddressingMode::REPEAT, FilterMode::LINEAR).unwrap();
        assert!(answered(TABLES.sampler, &sampler) >= 5);
    });
}

#[test]
fn pipes_are_made_or_refused_with_the_reason() {
    on_each_device(|context, queue| {
        let listed = Pipe::new(context, MemFlags::READ_WRITE, 4, 16, &[1, 2]).unwrap_err();
        assert_eq!(listed.code(), status::INVALID_VALUE);
        match Pipe::new(context, MemFlags::READ_WRITE, 4, 16, &[]) {
            Ok(pipe) => {
                assert_eq!((pipe.packet_size().unwrap(), pipe.max_packets().unwrap()), (4, 16));
                assert_eq!(pipe.type_().unwrap(), MemObjectType::PIPE);
                // SAFETY: the handle is that of a live pipe.
                assert_eq!(unsafe { Pipe::from_raw(pipe.as_raw().unwrap(), true) }.unwrap(), pipe);
                assert!(format!("{pipe:?}").starts_with("Pipe(0x"), "{pipe:?}");
                assert!(answered(TABLES.pipe, &pipe) >= 2);
            }
            Err(error) => {
                assert_eq!(error.code(), status::INVALID_OPERATION, "{error}");
                println!("{} has no pipes: {error}", queue.device().name().unwrap());
            }
        }
    });
}
