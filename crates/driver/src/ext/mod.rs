//! Extension functions, one file per extension. They are looked up per platform, on first use, with
//! `clGetExtensionFunctionAddressForPlatform` and never through a shared table.

use std::sync::OnceLock;

use crate::registry::Platform;

/// A struct of optional function pointers and the look-up that fills it.
macro_rules! extension {
    ($(#[$doc:meta])* $group:ident { $($name:ident: $ty:ty,)* }) => {
        $(#[$doc])*
        #[allow(non_snake_case, reason = "the fields carry the names of the C functions")]
        #[derive(Debug)]
        pub struct $group {
            $(
                #[doc = concat!("`", stringify!($name), "`")]
                pub $name: $ty,
            )*
        }

        impl $group {
            pub(crate) fn look_up(platform: &$crate::registry::Platform) -> Self {
                Self {
                    $($name: {
                        let name = std::ffi::CStr::from_bytes_with_nul(
                            concat!(stringify!($name), "\0").as_bytes(),
                        );
                        // The name ends in the zero byte added above and holds no other.
                        let address = platform.extension_address(name.unwrap_or_default());
                        // SAFETY: the specification gives the function of this name this type.
                        unsafe { $crate::api::function(address) }
                    },)*
                }
            }
        }
    };
}

pub mod amd_copy_buffer_p2p;
pub mod khr_gl_sharing;
pub mod khr_suggested_local_work_size;

/// The extension functions of one platform.
#[derive(Debug, Default)]
pub struct Extensions {
    amd_copy_buffer_p2p: OnceLock<amd_copy_buffer_p2p::Functions>,
    khr_gl_sharing: OnceLock<khr_gl_sharing::Functions>,
    khr_suggested_local_work_size: OnceLock<khr_suggested_local_work_size::Functions>,
}

impl Extensions {
    /// `cl_amd_copy_buffer_p2p`
    pub fn amd_copy_buffer_p2p(&self, platform: &Platform) -> &amd_copy_buffer_p2p::Functions {
        self.amd_copy_buffer_p2p.get_or_init(|| amd_copy_buffer_p2p::Functions::look_up(platform))
    }

    /// `cl_khr_gl_sharing`
    pub fn khr_gl_sharing(&self, platform: &Platform) -> &khr_gl_sharing::Functions {
        self.khr_gl_sharing.get_or_init(|| khr_gl_sharing::Functions::look_up(platform))
    }

    /// `cl_khr_suggested_local_work_size`
    pub fn khr_suggested_local_work_size(
        &self,
        platform: &Platform,
    ) -> &khr_suggested_local_work_size::Functions {
        self.khr_suggested_local_work_size
            .get_or_init(|| khr_suggested_local_work_size::Functions::look_up(platform))
    }
}
