//! What a kernel declares of its arguments: asked of the driver (`clGetKernelArgInfo`), or read from the
//! program's source.

use std::ptr;

use opencl_driver::sys::{
    CL_KERNEL_ARG_ACCESS_QUALIFIER, CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_NAME,
    CL_KERNEL_ARG_TYPE_NAME, CL_KERNEL_ARG_TYPE_QUALIFIER,
};

use super::Kernel;
use crate::Result;
use crate::call::{call, room};
use crate::constants::{KernelArgAddressQualifier as Address, MemObjectType};

/// The address space of a parameter whose type is a name that only the compiler knows.
pub const UNKNOWN_ADDRESS: Address = Address(0);

/// The declaration of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type, `*` included, qualifiers left out.
    pub type_name: String,
    /// Its address space; [`UNKNOWN_ADDRESS`] where the source does not tell in so many words.
    pub address: Address,
    /// What follows from type and address space.
    pub(super) takes: Takes,
}

/// What can be passed for a parameter, as far as its declaration tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// The declaration does not tell.
    Anything,
    /// A pointer to global or constant memory.
    Pointer,
    /// Global or constant memory of a type that only the compiler knows: a pointer, or an image.
    Memory,
    /// Local memory.
    Local,
    /// A number or a vector of so many bytes; pipes are told of by the type of their packets.
    Value(usize),
    /// By value, of a type that only the compiler knows: a struct, or a name for one of the types below.
    Opaque,
    /// An image of this type.
    Image(MemObjectType),
    /// A sampler.
    Sampler,
    /// A queue of the device.
    Queue,
}

impl Takes {
    fn new(type_name: &str, address: Address) -> Self {
        // Drivers do not agree on the address space of images and samplers.
        if let Some(kind) = image_type(type_name) {
            return Self::Image(kind);
        }
        match (type_name, address) {
            ("sampler_t", _) => Self::Sampler,
            ("queue_t", _) => Self::Queue,
            (_, Address::LOCAL) => Self::Local,
            (_, Address::GLOBAL | Address::CONSTANT) if type_name.ends_with('*') => Self::Pointer,
            (_, Address::GLOBAL | Address::CONSTANT) => Self::Memory,
            (_, Address::PRIVATE) => built_in_size(type_name).map_or(Self::Opaque, Self::Value),
            _ => Self::Anything,
        }
    }
}

/// The images that a type of OpenCL C stands for (OpenCL C specification, section "Other Built-in Data Types").
fn image_type(type_name: &str) -> Option<MemObjectType> {
    Some(match type_name {
        "image1d_t" => MemObjectType::IMAGE1D,
        "image1d_buffer_t" => MemObjectType::IMAGE1D_BUFFER,
        "image1d_array_t" => MemObjectType::IMAGE1D_ARRAY,
        "image2d_t" | "image2d_depth_t" | "image2d_msaa_t" | "image2d_msaa_depth_t" => MemObjectType::IMAGE2D,
        "image2d_array_t"
        | "image2d_array_depth_t"
        | "image2d_array_msaa_t"
        | "image2d_array_msaa_depth_t" => MemObjectType::IMAGE2D_ARRAY,
        "image3d_t" => MemObjectType::IMAGE3D,
        _ => return None,
    })
}

/// The size in bytes of a value of a built-in scalar or vector type.
fn built_in_size(type_name: &str) -> Option<usize> {
    let digits = type_name.len() - type_name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (base, width) = type_name.split_at(type_name.len() - digits);
    let size = match base.trim() {
        "char" | "uchar" | "unsigned char" | "signed char" => 1,
        "short" | "ushort" | "unsigned short" | "half" => 2,
        "int" | "uint" | "unsigned int" | "unsigned" | "float" => 4,
        "long" | "ulong" | "unsigned long" | "double" => 8,
        _ => return None,
    };
    match width {
        "" => Some(size),
        // Vectors of three are stored as four (specification, section "Vector Data Types").
        "3" => Some(4 * size),
        "2" | "4" | "8" | "16" => Some(size * width.parse::<usize>().ok()?),
        _ => None,
    }
}

impl Parameter {
    fn new(name: String, type_name: String, address: Address) -> Self {
        let takes = Takes::new(&type_name, address);
        Self { name, type_name, address, takes }
    }

    /// The size in bytes of an argument passed by value; `None` where the type is not a built-in one,
    /// and for pointers.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        built_in_size(&self.type_name)
    }
}

impl Kernel {
    /// A text answer of `clGetKernelArgInfo`: type name or name.
    ///
    /// # Errors
    /// What the function gives: `KERNEL_ARG_INFO_NOT_AVAILABLE` where the program was built without
    /// `-cl-kernel-arg-info`.
    pub fn arg_info_text(&self, index: u32, question: u32) -> Result<String> {
        let mut size = 0;
        // SAFETY: the kernel is live; a null value asks for the size only.
        unsafe {
            call!(
                self.api(),
                clGetKernelArgInfo(self.raw(), index, question, 0, ptr::null_mut(), &raw mut size)
            )?;
        }
        let mut text = room("clGetKernelArgInfo", 0_u8, size)?;
        // SAFETY: as above, and `text` has room for `size` bytes.
        unsafe {
            call!(
                self.api(),
                clGetKernelArgInfo(
                    self.raw(),
                    index,
                    question,
                    size,
                    text.as_mut_ptr().cast(),
                    ptr::null_mut()
                )
            )?;
        }
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
        Ok(String::from_utf8_lossy(&text[..end]).into_owned())
    }

    /// A numeric answer of `clGetKernelArgInfo`: a qualifier.
    ///
    /// # Errors
    /// As for [`arg_info_text`](Self::arg_info_text).
    pub fn arg_info_number(&self, index: u32, question: u32) -> Result<u64> {
        // Type qualifiers are 64 bits wide, the others 32.
        let wide = question == CL_KERNEL_ARG_TYPE_QUALIFIER;
        let mut number = 0_u64;
        // SAFETY: the kernel is live, and `number` has room for either width.
        unsafe {
            call!(
                self.api(),
                clGetKernelArgInfo(
                    self.raw(),
                    index,
                    question,
                    if wide { 8 } else { 4 },
                    (&raw mut number).cast(),
                    ptr::null_mut()
                )
            )?;
        }
        Ok(if wide { number } else { u64::from(bytemuck::cast::<u64, [u32; 2]>(number)[0]) })
    }

    /// Whether a question of `clGetKernelArgInfo` is answered with a text.
    #[must_use]
    pub fn arg_info_is_text(question: u32) -> bool {
        !matches!(
            question,
            CL_KERNEL_ARG_ADDRESS_QUALIFIER | CL_KERNEL_ARG_ACCESS_QUALIFIER | CL_KERNEL_ARG_TYPE_QUALIFIER
        )
    }
}

/// What the driver tells; `None` if it does not for any argument.
pub(super) fn of_driver(kernel: &Kernel) -> Option<Vec<Parameter>> {
    (0..kernel.arity())
        .map(|index| {
            let name = kernel.arg_info_text(index, CL_KERNEL_ARG_NAME).ok()?;
            let type_name = kernel.arg_info_text(index, CL_KERNEL_ARG_TYPE_NAME).ok()?;
            let address = kernel.arg_info_number(index, CL_KERNEL_ARG_ADDRESS_QUALIFIER).ok()?;
            let address = Address(u32::try_from(address).ok()?);
            Some(Parameter::new(name, type_name, address))
        })
        .collect()
}

/// The parameters of the kernel `name` in a source text that is not preprocessed: `None` if the
/// declaration is not found or uses macros in a way that hides it.
pub(super) fn of_source(source: &str, name: &str) -> Option<Vec<Parameter>> {
    let source = without_comments(source);
    source.match_indices(name).find_map(|(at, _)| {
        let (before, after) = (&source[..at], source[at + name.len()..].trim_start());
        let declared = before.trim_end().ends_with("void") && before.contains("kernel");
        if before.ends_with(is_word) || !declared {
            return None;
        }
        let list = after.strip_prefix('(')?;
        let list = list[..list.find(')')?].trim();
        if list.is_empty() || list == "void" {
            return Some(Vec::new());
        }
        list.split(',').map(|declaration| parse(declaration, &source)).collect()
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// One declaration, such as `__global const float *restrict a`.
fn parse(declaration: &str, source: &str) -> Option<Parameter> {
    let spaced = declaration.replace('*', " * ");
    let mut address = Address::PRIVATE;
    let mut words: Vec<&str> = Vec::new();
    for word in spaced.split_whitespace() {
        match word.trim_start_matches('_') {
            "global" => address = Address::GLOBAL,
            "local" => address = Address::LOCAL,
            "constant" => address = Address::CONSTANT,
            "private" | "const" | "restrict" | "volatile" | "read_only" | "write_only" | "read_write" => {}
            _ => words.push(word),
        }
    }
    let name = words.pop()?.to_owned();
    let type_name = words.join(" ").replace(" *", "*");
    if address == Address::PRIVATE && built_in_size(&type_name).is_none() {
        // A macro or a type of the program's own may stand for anything; it is seen whether it is a pointer.
        address = words.iter().find_map(|word| pointed_to(word, source, 0)).unwrap_or(UNKNOWN_ADDRESS);
    }
    let named = !type_name.is_empty() && name.chars().all(is_word);
    named.then(|| Parameter::new(name, type_name, address))
}

/// The address space of what a name points to, by the one `#define` or `typedef` of it in the source; `None` if it is
/// no pointer, or cannot be told.
fn pointed_to(name: &str, source: &str, depth: usize) -> Option<Address> {
    // Definitions may be circular.
    const DEEPEST: usize = 8;
    let mut meanings = defined(name, source).chain(typedef(name, source));
    let (Some(meaning), None, true) = (meanings.next(), meanings.next(), depth < DEEPEST) else {
        return None;
    };
    let words = || meaning.split(|c: char| !is_word(c)).filter(|word| !word.is_empty());
    if !meaning.contains('*') {
        return words().find_map(|word| pointed_to(word, source, depth + 1));
    }
    words().find_map(|word| match word.trim_start_matches('_') {
        "global" => Some(Address::GLOBAL),
        "constant" => Some(Address::CONSTANT),
        "local" => Some(Address::LOCAL),
        _ => None,
    })
}

/// The texts that the source defines a macro without arguments as.
fn defined<'a>(name: &'a str, source: &'a str) -> impl Iterator<Item = &'a str> {
    let directives = source.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    directives.filter_map(move |directive| {
        let text = directive.trim_start().strip_prefix("define")?.trim_start().strip_prefix(name)?;
        text.starts_with(char::is_whitespace).then(|| text.trim())
    })
}

/// The types that the source gives a name, but for structs and functions.
fn typedef<'a>(name: &'a str, source: &'a str) -> impl Iterator<Item = &'a str> {
    let declarations = source.split("typedef").skip(1).filter_map(|rest| rest.split(';').next());
    declarations.filter_map(move |declaration| {
        let before = declaration.trim_end().strip_suffix(name)?;
        let ends = !before.ends_with(is_word) && !before.contains(['{', '(', '[']);
        ends.then_some(before)
    })
}

/// The text with each comment replaced by a space.
fn without_comments(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(start) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        text.push_str(&rest[..start]);
        text.push(' ');
        let end = if rest[start..].starts_with("//") { "\n" } else { "*/" };
        rest = rest[start + 2..].split_once(end).map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_from_source() {
        let source = "/* kernel void k(int no) */ // k(\n\
            float k2(float x);\n\
            __kernel  void k(__global const float *restrict a, __local int* b,\n  const float3 c, unsigned int n) {}";
        let list = of_source(source, "k").unwrap();
        let texts: Vec<_> = list.iter().map(|p| (p.name.as_str(), p.type_name.as_str(), p.address)).collect();
        assert_eq!(
            texts,
            [
                ("a", "float*", Address::GLOBAL),
                ("b", "int*", Address::LOCAL),
                ("c", "float3", Address::PRIVATE),
                ("n", "unsigned int", Address::PRIVATE)
            ]
        );
        assert_eq!(list.iter().map(Parameter::size).collect::<Vec<_>>(), [None, None, Some(16), Some(4)]);
        let hidden = of_source("kernel void g(LOCAL_MEM float *a, thing b) {}", "g").unwrap();
        assert!(hidden.iter().all(|parameter| parameter.address == UNKNOWN_ADDRESS));
        assert_eq!(of_source("kernel void f(void) {}", "f"), Some(Vec::new()));
        assert_eq!(of_source(source, "missing"), None);
        let named = "typedef global float *gp;\n#define ARG  constant int *\n#define LP lp\ntypedef local int *lp;\n\
            typedef double real; typedef struct { global int *p; } s;\n\
            kernel void n(gp a, ARG b, LP c, real d, s e, lost f) {}";
        let takes: Vec<_> = of_source(named, "n").unwrap().iter().map(|parameter| parameter.takes).collect();
        let known = [Takes::Memory, Takes::Memory, Takes::Local];
        assert_eq!(takes[..3], known);
        assert!(takes[3..].iter().all(|takes| *takes == Takes::Anything), "{takes:?}");
        let others = "kernel void o(read_only image2d_t i, __write_only image1d_buffer_t j, sampler_t s, queue_t q) {}";
        let takes: Vec<_> = of_source(others, "o").unwrap().iter().map(|parameter| parameter.takes).collect();
        let images = [Takes::Image(MemObjectType::IMAGE2D), Takes::Image(MemObjectType::IMAGE1D_BUFFER)];
        assert_eq!(takes, [images[0], images[1], Takes::Sampler, Takes::Queue]);
    }
}
