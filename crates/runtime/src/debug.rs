//! How objects show themselves with `{:?}`: by name, handle and size, in one line. Nothing that a program would
//! print by accident: no table of functions, no source text, no cache.

use std::fmt::{Debug, Formatter, Result};

use crate::{
    Buffer, CommandQueue, Context, Device, GlBuffer, GlRenderbuffer, GlTexture, Image, Kernel, MemObject,
    Pipe, Platform, Program, Sampler, SvmAllocation,
};

impl Debug for Platform {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        named(f, "Platform", self.name(), self.as_raw())
    }
}

impl Debug for Device {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        named(f, "Device", self.name(), self.as_raw())
    }
}

impl Debug for Context {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "Context({:?})", self.as_raw())
    }
}

impl Debug for CommandQueue {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "CommandQueue({:?} on {:?})", self.as_raw(), self.device())
    }
}

impl Debug for MemObject {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        memory(f, "MemObject", self)
    }
}

impl Debug for Buffer {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        memory(f, "Buffer", self)
    }
}

impl Debug for SvmAllocation {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.address() {
            Ok(address) => write!(f, "SvmAllocation({address:?}, {} bytes)", self.size()),
            Err(_) => write!(f, "SvmAllocation(released, {} bytes)", self.size()),
        }
    }
}

impl Debug for Image {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        memory(f, "Image", self)
    }
}

impl Debug for Pipe {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        memory(f, "Pipe", self)
    }
}

impl Debug for GlBuffer {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        memory(f, "GlBuffer", self)
    }
}

impl Debug for GlRenderbuffer {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        memory(f, "GlRenderbuffer", self)
    }
}

impl Debug for GlTexture {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        memory(f, "GlTexture", self)
    }
}

impl Debug for Sampler {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "Sampler({:?})", self.as_raw())
    }
}

impl Debug for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "Program({:?})", self.as_raw())
    }
}

impl Debug for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "Kernel({:?} at {:?})", self.name(), self.as_raw())
    }
}

/// The name, or the handle where the driver does not tell one.
fn named<H: Debug>(f: &mut Formatter<'_>, what: &str, name: crate::Result<String>, handle: H) -> Result {
    match name {
        Ok(name) => write!(f, "{what}({name:?})"),
        Err(_) => write!(f, "{what}({handle:?})"),
    }
}

fn memory(f: &mut Formatter<'_>, what: &str, object: &MemObject) -> Result {
    match object.as_raw() {
        Ok(raw) => write!(f, "{what}({raw:?}, {} bytes)", object.size()),
        Err(_) => write!(f, "{what}(released, {} bytes)", object.size()),
    }
}
