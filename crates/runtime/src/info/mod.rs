//! What objects can be asked. Each question is declared once, in the file of its object: C name, value,
//! Rust getter, type of the answer, and the version or extension that brought it. From that one line
//! come the getter, and the entry of [`TABLES`] from which other languages take the constant, the
//! attribute and the decoding.

pub mod answer;
mod context;
mod device;
mod event;
mod gl_texture;
mod image;
mod kernel;
mod memory;
mod pipe;
mod platform;
mod profiling;
mod program;
mod queue;
mod sampler;

use crate::constants::Constant;
use crate::{
    CommandQueue, Context, Device, Event, GlTexture, Image, Kernel, MemObject, Pipe, Platform, Program,
    Result, Sampler,
};
use answer::Value;

/// One question: its constant, what it needs, and how it is put to an object of type `T`.
pub struct Question<T: 'static> {
    /// Name and value.
    pub constant: Constant,
    /// The version (`"1.2"`) or the extension that brought it.
    pub since: &'static str,
    /// Asks and decodes.
    pub ask: fn(&T) -> Result<Value>,
}

/// The questions of one kind of object.
pub struct Table<T: 'static> {
    /// The name of the C type without `cl_`.
    pub name: &'static str,
    /// The C function.
    pub function: &'static str,
    /// By value.
    pub questions: &'static [Question<T>],
}

impl<T> Table<T> {
    /// The index of the question with this value.
    #[must_use]
    pub fn find(&self, value: u32) -> Option<usize> {
        self.questions.iter().position(|question| question.constant.value == i64::from(value))
    }
}

/// The table of an object's type. What stands under `own` has a getter of its own, which knows more than the
/// driver.
macro_rules! info {
    ($(#[$doc:meta])* $table:ident = $class:literal, $type:ident, $function:ident {
        $($name:ident = $value:literal => $getter:ident: $answer:ty, $since:literal;)*
    }
    $(own { $($own_name:ident = $own_value:literal => $own_getter:ident, $own_since:literal;)* })?) => {
        impl $type {
            $(
                #[doc = concat!("`", $class, ".", stringify!($name), "`, since ", $since, ".")]
                ///
                /// # Errors
                #[doc = concat!("What `", stringify!($function), "` gives; a question that the driver")]
                /// does not know is `INVALID_VALUE`.
                pub fn $getter(&self) -> $crate::Result<$answer> {
                    let ask = $crate::info::answer::Ask {
                        api: self.api(),
                        function: stringify!($function),
                        get: self.api().$function,
                        object: self.live_raw()?,
                        question: $value,
                        since: $since,
                    };
                    <$answer as $crate::info::answer::Answer>::read(&ask)
                }
            )*
        }

        $(#[$doc])*
        pub(super) static $table: $crate::info::Table<$type> = $crate::info::Table {
            name: $class,
            function: stringify!($function),
            questions: &[$(
                $crate::info::Question {
                    constant: $crate::constants::Constant { name: stringify!($name), value: $value },
                    since: $since,
                    ask: |object| object.$getter().map($crate::info::answer::Answer::into_value),
                },
            )*
            $($(
                $crate::info::Question {
                    constant: $crate::constants::Constant { name: stringify!($own_name), value: $own_value },
                    since: $own_since,
                    ask: |object| object.$own_getter().map($crate::info::answer::Answer::into_value),
                },
            )*)?],
        };
    };
}
use info;

/// All tables.
pub struct Tables {
    /// [`Platform`]
    pub platform: &'static Table<Platform>,
    /// [`Device`]
    pub device: &'static Table<Device>,
    /// [`Context`]
    pub context: &'static Table<Context>,
    /// [`CommandQueue`]
    pub queue: &'static Table<CommandQueue>,
    /// [`Event`]
    pub event: &'static Table<Event>,
    /// [`Event`], when its queue profiles.
    pub profiling: &'static Table<Event>,
    /// [`MemObject`]
    pub memory: &'static Table<MemObject>,
    /// [`Image`]
    pub image: &'static Table<Image>,
    /// [`Pipe`]
    pub pipe: &'static Table<Pipe>,
    /// [`GlTexture`]
    pub gl_texture: &'static Table<GlTexture>,
    /// [`Sampler`]
    pub sampler: &'static Table<Sampler>,
    /// [`Program`]
    pub program: &'static Table<Program>,
    /// [`Kernel`]
    pub kernel: &'static Table<Kernel>,
}

/// All tables.
pub static TABLES: Tables = Tables {
    platform: &platform::PLATFORM_INFO,
    device: &device::DEVICE_INFO,
    context: &context::CONTEXT_INFO,
    queue: &queue::COMMAND_QUEUE_INFO,
    event: &event::EVENT_INFO,
    profiling: &profiling::PROFILING_INFO,
    memory: &memory::MEM_INFO,
    image: &image::IMAGE_INFO,
    pipe: &pipe::PIPE_INFO,
    gl_texture: &gl_texture::GL_TEXTURE_INFO,
    sampler: &sampler::SAMPLER_INFO,
    program: &program::PROGRAM_INFO,
    kernel: &kernel::KERNEL_INFO,
};
