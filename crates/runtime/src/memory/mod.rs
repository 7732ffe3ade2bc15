//! Memory objects: what all kinds share.

mod buffer;
mod gl;
mod huge;
mod image;
mod image_format;
mod keep;
mod pipe;
mod reclaim;
pub(crate) mod svm;
mod svm_buffer;

use std::any::Any;
use std::ffi::c_void;
use std::hash::{Hash, Hasher};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opencl_driver::Api;
use opencl_driver::sys::{CL_MEM_CONTEXT, CL_MEM_SIZE, CL_MEM_TYPE, cl_mem};

use crate::constants::MemObjectType;
use crate::handle::{Handle, OfMem};
use crate::info::answer::{Answer, Ask};
use crate::{Error, Result, status};

pub use buffer::Buffer;
pub use gl::{GlBuffer, GlRenderbuffer, GlTexture};
pub(crate) use image::extent;
pub use image::{Image, ImageDescriptor};
pub use image_format::ImageFormat;
pub use pipe::Pipe;
pub use reclaim::set_reclaim;
pub(crate) use reclaim::{reclaim, with_reclaim};

/// A memory object of any kind.
///
/// It is released with its last clone, or earlier by [`release`](Self::release).
#[derive(Clone)]
pub struct MemObject(Arc<Shared>);

struct Shared {
    /// Null once released.
    raw: AtomicPtr<c_void>,
    api: &'static Api,
    size: usize,
    /// The handle of its context, which lives as long as the object does.
    context: usize,
    kind: MemObjectType,
    /// Who lent the memory, to be given it back; none for memory of the object's own.
    lender: Option<Lent>,
}

/// Memory that was lent by a pool.
struct Lent {
    lender: Arc<dyn Lender>,
    /// How many bytes were asked for.
    asked: usize,
    note: Mutex<Note>,
}

/// What one user of a block leaves for the next one.
type Note = Option<Box<dyn Any + Send>>;

/// What lends memory, and wants it back instead of the driver.
pub(crate) trait Lender: Send + Sync {
    /// Takes a block back, for which `asked` bytes had been asked.
    fn take_back(&self, block: MemBlock, asked: usize);
}

/// A memory object with a single owner, and what there is to know about it.
pub(crate) struct MemBlock {
    handle: Handle<OfMem>,
    size: usize,
    context: usize,
    note: Note,
}

impl MemObject {
    /// Wraps a handle that came from elsewhere.
    ///
    /// # Safety
    /// * `raw` is null or a live memory object.
    /// * With `retain` false, the caller owns a reference to it, which is given away.
    ///
    /// # Errors
    /// `INVALID_MEM_OBJECT` if it is null or belongs to no driver that is loaded here.
    pub unsafe fn from_raw(raw: cl_mem, retain: bool) -> Result<Self> {
        // SAFETY: the caller's promises.
        unsafe { Handle::from_foreign(raw, retain) }.and_then(Self::complete)
    }

    /// # Safety
    /// `raw` is a live memory object of the platform of `api`.
    pub(crate) unsafe fn from_borrowed(raw: cl_mem, api: &'static Api) -> Result<Self> {
        // SAFETY: the caller's promise.
        unsafe { Handle::from_borrowed(raw, api) }.and_then(Self::complete)
    }

    /// Takes over a handle and asks for size and context.
    fn complete(handle: Handle<OfMem>) -> Result<Self> {
        let ask = |question| Ask {
            api: handle.api(),
            function: "clGetMemObjectInfo",
            get: handle.api().clGetMemObjectInfo,
            object: handle.raw(),
            question,
            since: "1.0",
        };
        let size = usize::read(&ask(CL_MEM_SIZE))?;
        let context = usize::read(&ask(CL_MEM_CONTEXT))?;
        let kind = MemObjectType(u32::read(&ask(CL_MEM_TYPE))?);
        Ok(Self::owning(handle, size, context, kind, None))
    }

    /// Takes over a handle to a buffer of `size` bytes in the context of this handle.
    pub(crate) fn of_buffer(handle: Handle<OfMem>, size: usize, context: usize) -> Self {
        Self::owning(handle, size, context, MemObjectType::BUFFER, None)
    }

    fn owning(
        handle: Handle<OfMem>,
        size: usize,
        context: usize,
        kind: MemObjectType,
        lender: Option<Lent>,
    ) -> Self {
        let raw = AtomicPtr::new(handle.raw());
        let shared = Shared { raw, api: handle.api(), size, context, kind, lender };
        // `shared` releases it.
        std::mem::forget(handle);
        Self(Arc::new(shared))
    }

    /// An object for a block of `lender`'s, which gets it back with the last clone, or by [`release`](Self::release).
    pub(crate) fn lent(block: MemBlock, lender: Arc<dyn Lender>, asked: usize) -> Self {
        let MemBlock { handle, size, context, note } = block;
        let lent = Lent { lender, asked, note: Mutex::new(note) };
        // Pools hold buffers only.
        Self::owning(handle, size, context, MemObjectType::BUFFER, Some(lent))
    }

    /// The block of an object that nobody else holds; an error if somebody does, or if it is no longer its own.
    pub(crate) fn into_block(self) -> Result<MemBlock> {
        let detail = "a pool needs memory that nobody else holds, and that was not released";
        let refused = || Error::refused("memory_pool", status::INVALID_MEM_OBJECT, detail);
        let mut shared = Arc::into_inner(self.0).ok_or_else(refused)?;
        if shared.lender.is_some() || shared.raw.get_mut().is_null() {
            return Err(refused());
        }
        let raw = std::mem::replace(shared.raw.get_mut(), ptr::null_mut());
        // SAFETY: the reference was the object's own, which has given it up.
        let handle = unsafe { Handle::from_owned(raw, shared.api) };
        Ok(MemBlock { handle, size: shared.size, context: shared.context, note: None })
    }

    /// The C handle, valid as long as this object or a clone of it lives and is not released.
    ///
    /// # Errors
    /// `INVALID_MEM_OBJECT` after [`release`](Self::release).
    pub fn as_raw(&self) -> Result<cl_mem> {
        let raw = self.0.raw.load(Ordering::Acquire);
        if raw.is_null() { Err(released("clGetMemObjectInfo")) } else { Ok(raw) }
    }

    /// The C handle for a command or a kernel of the context of this handle. Drivers do not always notice
    /// that an object is of another one.
    pub(crate) fn raw_in(&self, context: usize, function: &'static str) -> Result<cl_mem> {
        if context != self.0.context {
            let detail = "the memory object belongs to another context";
            return Err(Error::refused(function, status::INVALID_CONTEXT, detail));
        }
        let raw = self.0.raw.load(Ordering::Acquire);
        if raw.is_null() { Err(released(function)) } else { Ok(raw) }
    }

    /// What kind of memory object it is.
    pub(crate) fn kind(&self) -> MemObjectType {
        self.0.kind
    }

    /// The handle of its context.
    pub(crate) fn context_handle(&self) -> usize {
        self.0.context
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// Whether there are clones of this object.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Whether the memory is that of a pool, which gets it back in the end.
    #[must_use]
    pub fn is_pooled(&self) -> bool {
        self.0.lender.is_some()
    }

    /// Leaves something with a block of a pool for whoever uses it next, commands that may still be using it for
    /// instance. Other memory has no next user: there it goes at once.
    pub fn leave_note(&self, note: Box<dyn Any + Send>) {
        if let Some(lent) = &self.0.lender {
            *lent.note() = Some(note);
        }
    }

    /// Takes what the last user of the block left.
    #[must_use]
    pub fn take_note(&self) -> Option<Box<dyn Any + Send>> {
        self.0.lender.as_ref()?.note().take()
    }

    /// Gives the memory back now, whatever clones there are: their use is an error from here on.
    /// Commands enqueued before keep what they need. Not to be called while another thread is using
    /// the object.
    ///
    /// # Errors
    /// `INVALID_MEM_OBJECT` the second time, else what `clReleaseMemObject` gives. Memory of a pool goes back to it.
    pub fn release(&self) -> Result<()> {
        let raw = self.0.raw.swap(ptr::null_mut(), Ordering::AcqRel);
        if raw.is_null() {
            return Err(released("clReleaseMemObject"));
        }
        // SAFETY: the reference is this object's own, and the swap made sure that it goes once.
        let handle = unsafe { Handle::<OfMem>::from_owned(raw, self.0.api) };
        match &self.0.lender {
            Some(lent) => lent.give_back(handle, &self.0),
            None => return handle.release(),
        }
        Ok(())
    }

    pub(crate) fn api(&self) -> &'static Api {
        self.0.api
    }

    pub(crate) fn live_raw(&self) -> Result<*mut c_void> {
        self.as_raw()
    }
}

fn released(function: &'static str) -> Error {
    Error::refused(function, status::INVALID_MEM_OBJECT, "the memory object was released")
}

impl Drop for Shared {
    fn drop(&mut self) {
        let raw = *self.raw.get_mut();
        if !raw.is_null() {
            // SAFETY: the reference is this object's own and goes here.
            let handle = unsafe { Handle::<OfMem>::from_owned(raw, self.api) };
            if let Some(lent) = &self.lender {
                lent.give_back(handle, self);
            }
        }
    }
}

impl Lent {
    fn note(&self) -> MutexGuard<'_, Note> {
        self.note.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(&self, handle: Handle<OfMem>, shared: &Shared) {
        let note = self.note().take();
        let block = MemBlock { handle, size: shared.size, context: shared.context, note };
        self.lender.take_back(block, self.asked);
    }
}

impl PartialEq for MemObject {
    fn eq(&self, other: &Self) -> bool {
        self.0.raw.load(Ordering::Relaxed) == other.0.raw.load(Ordering::Relaxed)
    }
}

impl Eq for MemObject {}

impl Hash for MemObject {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.raw.load(Ordering::Relaxed).hash(state);
    }
}
