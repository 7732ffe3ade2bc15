//! Memory pools: of buffers, of shared virtual memory, of anything; size classes; what happens without memory.
//!
//! ```text
//! cargo run -p opencl-runtime --example pools
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use opencl_runtime::constants::DeviceSvmCapabilities;
use opencl_runtime::pool::{Allocator, Bins, ImmediateAllocator, MemoryPool, Pool, SvmAllocator, SvmPool};
use opencl_runtime::{CommandQueue, Context, Error, MemFlags, Result, SvmMemFlags, WaitList, status};

fn main() -> Result<()> {
    let context = Context::from_environment()?; // the device that PYOPENCL_CTX names, else the first one
    println!("on {}", context.devices()?[0].name()?);
    let queue = CommandQueue::new(&context)?;
    classes()?;
    buffers(&queue)?;
    shared_memory(&queue)?;
    anything()
}

/// Sizes of one class share their blocks. With 4 leading bits a block is larger by less than a sixteenth.
fn classes() -> Result<()> {
    let bins = Bins::new(4)?;
    let bin = bins.bin_number(1000);
    assert_eq!((bins.bin_number(1023), bins.alloc_size(bin)?), (bin, 1023));
    assert_ne!(bins.bin_number(1024), bin);
    println!("classes   1000 bytes are in class {bin}, whose blocks have {}", bins.alloc_size(bin)?);
    Ok(())
}

/// A block that goes out of use is lent again, without a call of the driver.
fn buffers(queue: &CommandQueue) -> Result<()> {
    let pool = MemoryPool::new(ImmediateAllocator::new(queue, MemFlags::READ_WRITE)?, 4)?;
    let first = pool.allocate(1000)?;
    let handle = first.as_raw()?;
    queue.fill_buffer(&first, &[7], 0, 1000, &WaitList::default())?;
    drop(first);
    assert_eq!((pool.statistics().held_blocks, pool.statistics().active_blocks), (1, 0));
    let second = pool.allocate(1010)?;
    assert_eq!(second.as_raw()?, handle);
    println!("buffers   {:?}", pool.statistics());
    // A block may outlive the pool: it is freed when it goes.
    drop(pool);
    let mut byte = [0_u8];
    queue.read(&second, 999, &mut byte)?;
    assert_eq!(byte, [7]);
    Ok(())
}

/// The same for shared virtual memory. A block comes back when the commands on its queue are done.
fn shared_memory(queue: &CommandQueue) -> Result<()> {
    let has = queue.device().svm_capabilities().unwrap_or(DeviceSvmCapabilities::empty());
    if !has.contains(DeviceSvmCapabilities::COARSE_GRAIN_BUFFER) {
        println!("this device has no shared virtual memory");
        return Ok(());
    }
    let allocator = SvmAllocator::new(queue.context(), SvmMemFlags::READ_WRITE, 64, Some(queue));
    let pool = SvmPool::new(allocator, 4)?;
    let block = pool.allocate(256)?;
    let address = block.address()?;
    queue.svm_fill(block.pointer(), &[9], &WaitList::default())?;
    block.enqueue_release(None, &WaitList::default())?.wait()?;
    let again = pool.allocate(256)?;
    assert_eq!(again.address()?, address);
    println!("shared    {:?}", pool.statistics());
    Ok(())
}

/// A pool lends whatever an allocator makes. This one has room for so many bytes.
struct Limited {
    left: Arc<AtomicUsize>,
}

/// What it makes gives its bytes back in the end.
struct Block {
    bytes: Vec<u8>,
    left: Arc<AtomicUsize>,
}

impl Allocator for Limited {
    type Block = Block;

    fn allocate(&self, size: usize) -> Result<Block> {
        let take = |left: usize| left.checked_sub(size);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).map_err(|left| {
            let detail = format!("{size} bytes asked for, {left} left");
            Error::refused("allocate", status::MEM_OBJECT_ALLOCATION_FAILURE, detail)
        })?;
        Ok(Block { bytes: vec![0; size], left: self.left.clone() })
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.left.fetch_add(self.bytes.len(), Ordering::Relaxed);
    }
}

fn anything() -> Result<()> {
    let left = Arc::new(AtomicUsize::new(4096));
    let pool = Arc::new(Pool::new(Limited { left: left.clone() }, 8)?);
    drop(pool.lend(3000)?);
    assert_eq!(pool.statistics().held_blocks, 1);
    // There is no room for another size until the pool frees what nobody uses, which it does by itself.
    let small = pool.lend(2000)?;
    assert_eq!((pool.statistics().held_blocks, small.size(), small.bytes.len()), (0, 2000, 2003));
    println!("anything  {} bytes lent, {} left", small.bytes.len(), left.load(Ordering::Relaxed));
    let error = pool.lend(3000).err().expect("the rest is not enough");
    println!("refused   {error}");
    drop((small, pool));
    assert_eq!(left.load(Ordering::Relaxed), 4096);
    Ok(())
}
