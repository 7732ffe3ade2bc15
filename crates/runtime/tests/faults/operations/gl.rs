//! Operations on objects shared with OpenGL.

use super::{Operation, operation};
use crate::bench::Bench;
use opencl_runtime::{GlBuffer, GlRenderbuffer, GlTexture, MemFlags, Result, WaitList};

fn buffer(bench: &Bench) -> Result<GlBuffer> {
    // SAFETY: the stub driver knows every name but zero.
    unsafe { GlBuffer::new(&bench.context, MemFlags::READ_WRITE, 3) }
}

pub(super) const OPERATIONS: &[Operation] = &[
    operation!("a buffer of OpenGL", |bench| buffer(bench)?.gl_object().map(drop)),
    operation!("a renderbuffer", |bench| {
        // SAFETY: the stub driver knows every name but zero.
        unsafe { GlRenderbuffer::new(&bench.context, MemFlags::READ_WRITE, 3) }?.gl_object().map(drop)
    }),
    operation!("a texture", |bench| {
        // SAFETY: as above; the target is that of textures with two dimensions.
        unsafe { GlTexture::new(&bench.context, MemFlags::READ_WRITE, 0x0DE1, 0, 3, 2) }?
            .texture_target()
            .map(drop)
    }),
    operation!("acquire and release", |bench| {
        let buffer = buffer(bench)?;
        let acquired = bench.queue.acquire_gl_objects(&[&buffer], &WaitList::default())?;
        bench.queue.release_gl_objects(&[&buffer], &[&acquired].into_iter().collect())?.wait()
    }),
];
