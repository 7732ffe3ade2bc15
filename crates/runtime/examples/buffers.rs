//! Buffers: copies between host and device, fills, parts of buffers, rectangular blocks, mapping.
//!
//! ```text
//! cargo run -p opencl-runtime --example buffers
//! ```

use std::slice;

use opencl_runtime::{Buffer, CommandQueue, Context, MapFlags, MemFlags, RectCopy, Result, WaitList};

const INT: usize = size_of::<i32>();

fn main() -> Result<()> {
    let context = Context::from_environment()?; // the device that PYOPENCL_CTX names, else the first one
    println!("on {}", context.devices()?[0].name()?);
    let queue = CommandQueue::new(&context)?;
    copies(&queue)?;
    parts(&queue)?;
    blocks(&queue)?;
    mapping(&queue)
}

/// Host to device, device to device, device to host. Offsets and sizes are in bytes.
fn copies(queue: &CommandQueue) -> Result<()> {
    let source = Buffer::from_slice(queue.context(), MemFlags::READ_WRITE, &[1, 2, 3, 4])?;
    let target = Buffer::new(queue.context(), MemFlags::READ_WRITE, 4 * INT)?;
    let none = WaitList::default();
    queue.fill_buffer(&target, &(-1i32).to_ne_bytes(), 0, 4 * INT, &none)?;
    queue.copy_buffer(&source, INT, &target, 0, 2 * INT, &none)?;
    queue.write(&target, 3 * INT, &[9])?;
    let mut result = [0; 4];
    queue.read(&target, 0, &mut result)?; // waits for all that the in-order queue was given before
    assert_eq!(result, [2, 3, -1, 9]);
    println!("copies    {result:?}");
    // A range that is not inside is refused before the driver sees it.
    let error = queue.read(&target, INT, &mut result).expect_err("the last element is not inside");
    println!("refused   {error}");
    Ok(())
}

/// A part of a buffer is a buffer over the same memory. It begins where the device can address one.
fn parts(queue: &CommandQueue) -> Result<()> {
    let alignment = queue.device().mem_base_addr_align()? as usize / 8; // the device counts bits
    let step = alignment.next_multiple_of(INT);
    let whole = Buffer::from_slice(queue.context(), MemFlags::READ_WRITE, &vec![0; 2 * step / INT])?;
    let half = whole.sub_buffer(MemFlags::READ_WRITE, step, step)?;
    queue.write(&half, 0, &[7])?;
    let mut found = [0];
    queue.read(&whole, step, &mut found)?;
    assert_eq!(found, [7]);
    println!("part      of {} bytes begins at byte {} of {}", half.size(), half.offset()?, whole.size());
    Ok(())
}

/// A block out of the middle of a matrix. Axis 0 counts bytes, the others rows and slices.
fn blocks(queue: &CommandQueue) -> Result<()> {
    const ROWS: usize = 4;
    const COLUMNS: usize = 5;
    let numbers: Vec<i32> = (0..(ROWS * COLUMNS) as i32).collect();
    let matrix = Buffer::from_slice(queue.context(), MemFlags::READ_ONLY, &numbers)?;
    let rect = RectCopy {
        region: [3 * INT, 2, 1],
        origin: [INT, 1, 0],
        pitches: [COLUMNS * INT, 0],
        ..RectCopy::default()
    };
    let mut block = [0i32; 3 * 2];
    assert_eq!(rect.other_extent()?, size_of_val(&block));
    // SAFETY: `block` has room for the bytes that the block reaches, and the call blocks.
    unsafe {
        queue.enqueue_read_rect(&matrix, true, &rect, block.as_mut_ptr().cast(), &WaitList::default())?
    };
    assert_eq!(block, [6, 7, 8, 11, 12, 13]);
    println!("block     {:?} and {:?}", &block[..3], &block[3..]);
    Ok(())
}

/// Mapped memory is the host's until it is unmapped, which happens at the latest when the map goes.
fn mapping(queue: &CommandQueue) -> Result<()> {
    let buffer = Buffer::from_slice(queue.context(), MemFlags::READ_WRITE, &[10, 20, 30])?;
    let both = MapFlags::READ | MapFlags::WRITE;
    let (map, _event) = queue.map_buffer(&buffer, true, both, 0, buffer.size(), &WaitList::default())?;
    // SAFETY: the mapping is done, spans three ints, and nothing else touches it before it is unmapped.
    let numbers = unsafe { slice::from_raw_parts_mut(map.address().cast::<i32>(), 3) };
    numbers.reverse();
    map.unmap(None, &WaitList::default())?;
    let mut result = [0; 3];
    queue.read(&buffer, 0, &mut result)?;
    assert_eq!(result, [30, 20, 10]);
    println!("mapped    {result:?}");
    Ok(())
}
