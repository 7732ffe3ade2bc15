//! A photograph on an OpenCL device, with a kernel of one's own and with arrays: the first lesson of
//! `examples/python`, from Rust.
//!
//! Sharpens the photograph with the kernel in `photo.cl`, makes a grey picture of it with array expressions,
//! checks every result against the same computation on the host, and writes original, sharpened and grey picture
//! side by side to a PNG file. Fails if any result is wrong.
//!
//! ```text
//! cargo run -p opencl-array --example photo [input.jpg|png] [output.png]
//! ```

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use image::{Rgb, RgbImage};
use opencl_array::expr::BinaryOp;
use opencl_array::ops::{self, Lazy};
use opencl_array::{Array, DType, Order, Scalar, reduction};
use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandQueue, CommandQueueProperties, Context, Event, MemFlags, NdRange,
    Program, WaitList,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const SOURCE: &str = include_str!("../../../examples/python/photo.cl");
const RADIUS: usize = 3;
const SIGMA: f64 = 1.5;
const AMOUNT: f32 = 1.2;
const GAMMA: f64 = 0.6;
/// How much red, green and blue add to grey.
const GREY: [f64; 3] = [0.299, 0.587, 0.114];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut words = std::env::args_os().skip(1).map(PathBuf::from);
    let input = words.next().map_or_else(sample_photo, Ok)?;
    let output = words.next().unwrap_or_else(|| "photo.png".into());
    let photo = image::open(&input).map_err(|error| format!("{}: {error}", input.display()))?.into_rgb8();
    let (width, height) = (photo.width() as usize, photo.height() as usize);
    let planes = [0, 1, 2]
        .map(|channel| -> Vec<f32> { photo.pixels().map(|pixel| f32::from(pixel.0[channel])).collect() });

    // 1. A device, and a queue for it that notes when each command started and ended.
    let context = Context::from_environment()?; // the device that PYOPENCL_CTX names, else the first one
    let profiling = CommandQueueProperties::PROFILING_ENABLE;
    let queue = CommandQueue::with_properties(&context, None, profiling)?;
    let device = queue.device();
    let platform = device.platform()?;
    println!("platform  {} ({})", platform.name()?, platform.version()?);
    println!("device    {}", device.name()?);
    println!("driver    {}", device.driver_version()?);
    println!("photo     {width} x {height} pixels");

    // 2. A program, from the file that the lesson in Python uses.
    let started = Instant::now();
    let program = Program::with_source(&context, SOURCE)?;
    program.build(&BuildOptions::words(&["-D".to_owned(), format!("RADIUS={RADIUS}")]))?;
    let sharpen = program.kernel("sharpen")?;
    let build_time = started.elapsed().as_secs_f64() * 1e3;

    // 3. Memory on the device, and a copy of the photograph there.
    let weights = gaussian();
    let weights_buffer = Buffer::from_slice(&context, MemFlags::READ_ONLY, &weights)?;
    let mut plane_buffers = Vec::new();
    let mut uploads = Vec::new();
    for plane in &planes {
        let size = size_of_val(plane.as_slice());
        let buffer = Buffer::new(&context, MemFlags::READ_ONLY, size)?;
        let address = plane.as_ptr().cast();
        // SAFETY: `plane` holds `size` bytes, and the call blocks.
        uploads.push(unsafe { queue.enqueue_write(&buffer, true, 0, size, address, &WaitList::default())? });
        plane_buffers.push(buffer);
    }

    // 4. The kernel, once for each colour. A work-group shares a tile of the plane in local memory.
    let side = if device.max_work_group_size()? >= 256 { 16 } else { 8 };
    let range = NdRange::new(&[width.next_multiple_of(side), height.next_multiple_of(side)]);
    let range = range.local(&[side, side])?;
    let tile = (side + 2 * RADIUS).pow(2) * size_of::<f32>();
    let (columns, rows) = (i32::try_from(width)?, i32::try_from(height)?);
    let mut sharpened = Vec::new();
    let mut launches = Vec::new();
    for buffer in &plane_buffers {
        let result = Array::empty(&queue, &[height, width], DType::F32, Order::C)?;
        let args = [
            Arg::Mem(buffer),
            Arg::Mem(result.buffer()),
            Arg::Mem(&weights_buffer),
            Arg::Local(tile),
            Arg::scalar(&columns),
            Arg::scalar(&rows),
            Arg::scalar(&AMOUNT),
        ];
        // SAFETY: plane and result hold width * height floats, `weights` and the tile as many as the kernel
        // reads for RADIUS and this work-group size; the queue runs in order.
        launches.push(unsafe { sharpen.launch_with_event(&queue, &range, &args, &WaitList::default())? });
        sharpened.push(result);
    }

    // 5. Arrays. The grey picture is one expression and one kernel; its statistics are reductions; the lighter
    //    picture, which uses the whole range, is computed step by step.
    let started = Instant::now();
    let number = |value: f64| Lazy::scalar(Scalar::WeakFloat(value));
    let weighed =
        |channel: usize| number(GREY[channel]).binary(BinaryOp::Multiply, &(&sharpened[channel]).into());
    let grey = weighed(0)?.binary(BinaryOp::Add, &weighed(1)?)?.binary(BinaryOp::Add, &weighed(2)?)?;
    let grey = grey.evaluate(None)?;
    let darkest = f64::from(reduction::min(&grey, None)?.to_vec::<f32>()?[0]);
    let brightest = f64::from(reduction::max(&grey, None)?.to_vec::<f32>()?[0]);
    let mean = f64::from(reduction::sum(&grey, None, None)?.to_vec::<f32>()?[0]) / (width * height) as f64;
    let unit = ops::subtract(&grey, Scalar::WeakFloat(darkest), None)?;
    let unit = ops::divide(&unit, Scalar::WeakFloat(brightest - darkest), None)?;
    let lighter = ops::power(&unit, Scalar::WeakFloat(GAMMA), None)?;
    let lighter = ops::multiply(Scalar::WeakFloat(255.0), &lighter, None)?;
    queue.finish()?;
    let array_time = started.elapsed().as_secs_f64() * 1e3;
    println!("grey      {darkest:.1} to {brightest:.1}, mean {mean:.2}");

    // 6. Back to the host.
    let mut results = Vec::new();
    let mut downloads = Vec::new();
    for array in &sharpened {
        let mut result = vec![0f32; width * height];
        let (address, size) = (result.as_mut_ptr().cast(), size_of_val(result.as_slice()));
        // SAFETY: `result` has room for `size` bytes, and the call blocks.
        let event =
            unsafe { queue.enqueue_read(array.buffer(), true, 0, size, address, &WaitList::default())? };
        downloads.push(event);
        results.push(result);
    }

    println!("times");
    println!("  build            {build_time:8.3} ms");
    println!("  copy to device   {:8.3} ms", milliseconds(&uploads)?);
    println!("  sharpen          {:8.3} ms, three launches", milliseconds(&launches)?);
    println!(
        "  arrays           {array_time:8.3} ms, with building their kernels or finding them in the cache"
    );
    println!("  copy to host     {:8.3} ms", milliseconds(&downloads)?);

    // 7. Nothing is believed: the same on the host.
    println!("checks");
    let expected: Vec<Vec<f64>> =
        planes.iter().map(|plane| sharpened_on_host(plane, &weights, width, height)).collect();
    for (name, (result, expected)) in ["red", "green", "blue"].into_iter().zip(results.iter().zip(&expected))
    {
        check(&format!("sharpened {name}"), result, expected, 2e-3)?;
    }
    let expected_grey: Vec<f64> = (0..width * height)
        .map(|i| GREY.iter().zip(&expected).map(|(weight, plane)| weight * plane[i]).sum())
        .collect();
    let low = expected_grey.iter().copied().fold(f64::INFINITY, f64::min);
    let high = expected_grey.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let expected_mean = expected_grey.iter().sum::<f64>() / expected_grey.len() as f64;
    let expected_lighter: Vec<f64> =
        expected_grey.iter().map(|grey| 255.0 * ((grey - low) / (high - low)).powf(GAMMA)).collect();
    let lighter = lighter.to_vec::<f32>()?;
    check("grey", &grey.to_vec::<f32>()?, &expected_grey, 2e-3)?;
    check("darkest, brightest", &[darkest as f32, brightest as f32], &[low, high], 2e-3)?;
    check("mean", &[mean as f32], &[expected_mean], 2e-2)?;
    check("lighter grey", &lighter, &expected_lighter, 2e-2)?;

    // 8. Before, after, and grey, side by side.
    let picture = RgbImage::from_fn(3 * photo.width(), photo.height(), |x, y| {
        let (column, i) = (x % photo.width(), (y * photo.width() + x % photo.width()) as usize);
        match x / photo.width() {
            0 => *photo.get_pixel(column, y),
            1 => Rgb([0, 1, 2].map(|channel| byte(results[channel][i]))),
            _ => Rgb([byte(lighter[i]); 3]),
        }
    });
    picture.save(&output)?;
    println!("picture   {}", std::path::absolute(&output)?.display());
    Ok(())
}

/// The photograph that comes with matplotlib, which `make demo` installs.
fn sample_photo() -> Result<PathBuf> {
    let libraries = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/lib");
    let inside = "site-packages/matplotlib/mpl-data/sample_data/grace_hopper.jpg";
    let pythons = libraries.read_dir().into_iter().flatten().flatten();
    pythons.map(|python| python.path().join(inside)).find(|path| path.exists()).ok_or_else(|| {
        "no photograph: name a JPEG or PNG file, or run `make demo` once, which gets matplotlib's sample"
            .into()
    })
}

/// The weights of a two-dimensional Gaussian blur, row by row; their sum is 1.
fn gaussian() -> Vec<f32> {
    let line: Vec<f64> =
        (0..=2 * RADIUS).map(|i| (-0.5 * ((i as f64 - RADIUS as f64) / SIGMA).powi(2)).exp()).collect();
    let sum: f64 = line.iter().sum();
    line.iter().flat_map(|a| line.iter().map(move |b| (a * b / (sum * sum)) as f32)).collect()
}

/// How long the device worked on commands.
fn milliseconds(events: &[Event]) -> Result<f64> {
    let mut nanoseconds = 0;
    for event in events {
        event.wait()?;
        nanoseconds += event.end()? - event.start()?;
    }
    Ok(nanoseconds as f64 * 1e-6)
}

/// What the kernel computes, on the host and in double precision.
fn sharpened_on_host(plane: &[f32], weights: &[f32], width: usize, height: usize) -> Vec<f64> {
    // The nearest pixel of the plane counts beyond its edge.
    let near = |at: usize, step: usize, length: usize| (at + step).saturating_sub(RADIUS).min(length - 1);
    let mut result = Vec::with_capacity(plane.len());
    for y in 0..height {
        for x in 0..width {
            let mut blurred = 0.0;
            for (i, weight) in weights.iter().enumerate() {
                let (row, column) = (i / (2 * RADIUS + 1), i % (2 * RADIUS + 1));
                let pixel = plane[near(y, row, height) * width + near(x, column, width)];
                blurred += f64::from(*weight) * f64::from(pixel);
            }
            let pixel = f64::from(plane[y * width + x]);
            result.push((pixel + f64::from(AMOUNT) * (pixel - blurred)).clamp(0.0, 255.0));
        }
    }
    result
}

/// An error unless what the device found is what the host expects.
fn check(what: &str, found: &[f32], expected: &[f64], tolerance: f64) -> Result<()> {
    if found.len() != expected.len() {
        return Err(format!("WRONG: {what} has {} values, not {}", found.len(), expected.len()).into());
    }
    let differences =
        found.iter().zip(expected).map(|(found, expected)| (f64::from(*found) - expected).abs());
    // Unlike `f64::max`, this keeps a NaN.
    let worst = differences.fold(0.0, |worst, next| if next > worst || next.is_nan() { next } else { worst });
    if worst.is_nan() || worst > tolerance {
        return Err(format!("WRONG: {what} differs by {worst}, more than {tolerance}").into());
    }
    println!("  {what:<34} right (largest difference {worst:.2e})");
    Ok(())
}

/// A brightness as a byte.
fn byte(brightness: f32) -> u8 {
    brightness.round().clamp(0.0, 255.0) as u8
}
