//! `clGetGLTextureInfo`.

use super::info;
use crate::memory::GlTexture;

info! {
    /// What a texture shared with OpenGL can be asked.
    GL_TEXTURE_INFO = "gl_texture_info", GlTexture, clGetGLTextureInfo {
        TEXTURE_TARGET = 0x2004 => texture_target: u32, "cl_khr_gl_sharing";
        MIPMAP_LEVEL = 0x2005 => mipmap_level: i32, "cl_khr_gl_sharing";
    }
}
