//! Reads OpenCL C just far enough to know the kernels and their arguments. Macros are not expanded, but where one
//! stands for a kernel's name.

use crate::sys::*;

/// A kernel as declared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) attributes: String,
    pub(crate) arguments: Vec<Argument>,
    /// From `STUB_FILL(argument, value)` in the body: an argument's number and a value.
    pub(crate) fill: Option<(usize, String)>,
    /// From `reqd_work_group_size`.
    pub(crate) required: [usize; 3],
}

/// What `clSetKernelArg` accepts for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A value of so many bytes; 0 if the type is not known, and then of any size.
    Value(usize),
    /// A memory object.
    Memory,
    /// Bytes of local memory.
    Local,
    /// A sampler.
    Sampler,
}

/// An argument as declared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) type_name: String,
    pub(crate) address: cl_kernel_arg_address_qualifier,
    pub(crate) access: cl_kernel_arg_access_qualifier,
    pub(crate) qualifiers: cl_kernel_arg_type_qualifier,
    pub(crate) class: Class,
}

/// The kernels of a source text, in order.
pub(crate) fn kernels(source: &str) -> Vec<Declaration> {
    let text = without_comments(source);
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some((at, word)) = next_word(rest) {
        rest = &rest[at + word.len()..];
        if matches!(word, "__kernel" | "kernel")
            && let Some(declaration) = declaration(rest)
        {
            let name = defined(&text[..text.len() - rest.len()], declaration.name);
            found.push(Declaration { name, ..declaration });
        }
    }
    found
}

/// What a name stands for after this text.
fn defined(before: &str, name: String) -> String {
    let meaning = before.lines().rev().find_map(|line| {
        let mut words = line.trim().strip_prefix("#define")?.split_whitespace();
        if words.next()? == name { words.next() } else { None }
    });
    meaning.map_or(name, str::to_owned)
}

/// The place and text of the next word.
fn next_word(text: &str) -> Option<(usize, &str)> {
    let start = text.find(|c: char| c.is_alphanumeric() || c == '_')?;
    let end = text[start..].find(|c: char| !(c.is_alphanumeric() || c == '_'));
    Some((start, &text[start..end.map_or(text.len(), |end| start + end)]))
}

fn without_comments(source: &str) -> String {
    let mut text = String::new();
    let mut rest = source;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        text.push_str(&rest[..at]);
        text.push(' ');
        let (end, skip) = if rest[at..].starts_with("//") { ("\n", 0) } else { ("*/", 2) };
        rest = rest[at + 2..].find(end).map_or("", |end| &rest[at + 2 + end + skip..]);
    }
    text.push_str(rest);
    text
}

/// Reads what follows the word `kernel`.
fn declaration(text: &str) -> Option<Declaration> {
    let mut rest = text.trim_start();
    let mut attributes = Vec::new();
    let mut name = "";
    let inside = loop {
        if let Some(after) = rest.strip_prefix("__attribute__") {
            let (inner, after) = parenthesised(after.trim_start())?;
            // Attributes stand in two pairs of parentheses.
            let (inner, _) = parenthesised(inner.trim())?;
            attributes.push(inner.trim().to_owned());
            rest = after.trim_start();
        } else if rest.starts_with('(') {
            let (inner, after) = parenthesised(rest)?;
            rest = after.trim_start();
            break inner;
        } else {
            let (at, word) = next_word(rest)?;
            if at != 0 {
                return None;
            }
            name = word;
            rest = rest[word.len()..].trim_start();
        }
    };
    let arguments: Vec<_> = match inside.trim() {
        "" | "void" => Vec::new(),
        list => split_list(list).into_iter().map(argument).collect(),
    };
    let body =
        rest.strip_prefix('{').map_or("", |rest| &rest[..closing(rest, '{', '}').unwrap_or(rest.len())]);
    let attributes = attributes.join(",");
    Some(Declaration {
        name: name.to_owned(),
        required: required(&attributes).unwrap_or([0; 3]),
        fill: fill(body, &arguments),
        attributes,
        arguments,
    })
}

/// The inside of a text that starts with a parenthesis, and what follows it.
fn parenthesised(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('(')?;
    let end = closing(inner, '(', ')')?;
    Some((&inner[..end], &inner[end + 1..]))
}

/// Where the bracket that is open at the start closes.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 1;
    text.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == open) - i32::from(c == close);
        (depth == 0).then_some(at)
    })
}

fn split_list(list: &str) -> Vec<&str> {
    let mut depth = 0;
    list.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    })
    .collect()
}

fn required(attributes: &str) -> Option<[usize; 3]> {
    let after = &attributes[attributes.find("reqd_work_group_size")? + "reqd_work_group_size".len()..];
    let (inner, _) = parenthesised(after.trim_start())?;
    let sizes: Option<Vec<usize>> = inner.split(',').map(|size| size.trim().parse().ok()).collect();
    sizes?.try_into().ok()
}

fn fill(body: &str, arguments: &[Argument]) -> Option<(usize, String)> {
    let after = &body[body.find("STUB_FILL")? + "STUB_FILL".len()..];
    let (inner, _) = parenthesised(after.trim_start())?;
    let (name, value) = inner.split_once(',')?;
    let index = arguments.iter().position(|argument| argument.name == name.trim())?;
    Some((index, value.trim().to_owned()))
}

fn argument(text: &str) -> Argument {
    let spaced = text.replace('*', " * ");
    let mut address = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    let mut access = CL_KERNEL_ARG_ACCESS_NONE;
    let mut qualifiers = CL_KERNEL_ARG_TYPE_NONE;
    let mut words: Vec<&str> = Vec::new();
    let mut stars = 0;
    for word in spaced.split_whitespace() {
        match word.trim_start_matches('_') {
            "global" => address = CL_KERNEL_ARG_ADDRESS_GLOBAL,
            "local" => address = CL_KERNEL_ARG_ADDRESS_LOCAL,
            "constant" => address = CL_KERNEL_ARG_ADDRESS_CONSTANT,
            "private" => {}
            "read_only" => access = CL_KERNEL_ARG_ACCESS_READ_ONLY,
            "write_only" => access = CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
            "read_write" => access = CL_KERNEL_ARG_ACCESS_READ_WRITE,
            // Qualifiers of the pointer itself, after the star, are not those of the argument.
            "const" if stars == 0 => qualifiers |= CL_KERNEL_ARG_TYPE_CONST,
            "const" => {}
            "volatile" => qualifiers |= CL_KERNEL_ARG_TYPE_VOLATILE,
            "restrict" => qualifiers |= CL_KERNEL_ARG_TYPE_RESTRICT,
            "pipe" => qualifiers |= CL_KERNEL_ARG_TYPE_PIPE,
            "*" => stars += 1,
            _ => words.push(word),
        }
    }
    let name = if words.len() > 1 { words.pop().unwrap_or_default().to_owned() } else { String::new() };
    let base = words.join(" ").replace("unsigned ", "u").replace("signed ", "");
    let base = if base == "unsigned" { "uint".to_owned() } else { base };
    let is_image = base.starts_with("image") && base.ends_with("_t");
    if is_image {
        address = CL_KERNEL_ARG_ADDRESS_GLOBAL;
        if access == CL_KERNEL_ARG_ACCESS_NONE {
            access = CL_KERNEL_ARG_ACCESS_READ_ONLY;
        }
    }
    let class = if is_image || qualifiers & CL_KERNEL_ARG_TYPE_PIPE != 0 {
        Class::Memory
    } else if base == "sampler_t" {
        Class::Sampler
    } else if stars > 0 && address == CL_KERNEL_ARG_ADDRESS_LOCAL {
        Class::Local
    } else if stars > 0 {
        Class::Memory
    } else {
        Class::Value(type_size(&base))
    };
    let type_name = base + &"*".repeat(stars);
    // The specification: for what is not a pointer, the qualifiers read as none.
    let qualifiers = if stars == 0 { qualifiers & CL_KERNEL_ARG_TYPE_PIPE } else { qualifiers };
    Argument { name, type_name, address, access, qualifiers, class }
}

/// Bytes of a scalar or vector type; 0 if it is not known.
pub(crate) fn type_size(name: &str) -> usize {
    let scalar = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let lanes = match &name[scalar.len()..] {
        "" => 1,
        "3" => 4,
        digits => digits.parse().unwrap_or(0),
    };
    let bytes = match scalar {
        "char" | "uchar" => 1,
        "short" | "ushort" | "half" => 2,
        "int" | "uint" | "float" => 4,
        "long" | "ulong" | "double" => 8,
        "size_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t" => size_of::<usize>(),
        _ => 0,
    };
    bytes * lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_found_between_comments_and_functions() {
        let source = "/* kernel void no(int a) {} */ float f(float x) { return x; }\n\
            // __kernel void neither()\n\
            __kernel void one(__global const float *restrict a, unsigned int n, __local float4* scratch) {}\n\
            kernel __attribute__((reqd_work_group_size(8, 1, 1))) void two(read_only image2d_t i, sampler_t s) {}";
        let found = kernels(source);
        assert_eq!(found.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["one", "two"]);
        let classes: Vec<_> = found[0].arguments.iter().map(|one| one.class).collect();
        assert_eq!(classes, [Class::Memory, Class::Value(4), Class::Local]);
        let first = &found[0].arguments[0];
        assert_eq!((first.name.as_str(), first.type_name.as_str()), ("a", "float*"));
        assert_eq!(first.address, CL_KERNEL_ARG_ADDRESS_GLOBAL);
        assert_eq!(first.qualifiers, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT);
        assert_eq!(found[0].arguments[1].type_name, "uint");
        assert_eq!(found[1].required, [8, 1, 1]);
        assert_eq!(found[1].attributes, "reqd_work_group_size(8, 1, 1)");
        assert_eq!(found[1].arguments[0].access, CL_KERNEL_ARG_ACCESS_READ_ONLY);
        assert_eq!(found[1].arguments[1].class, Class::Sampler);
    }

    #[test]
    fn macros_may_stand_for_names_of_kernels() {
        let found = kernels("kernel void k(int n) {}\n#define k other\nkernel void k(int n) {}\n");
        assert_eq!(found.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["k", "other"]);
    }

    #[test]
    fn fill_is_read_from_the_body() {
        let found = kernels("kernel void k(int n, global int *out) { STUB_FILL(out, 7); }");
        assert_eq!(found[0].fill, Some((1, "7".to_owned())));
    }

    #[test]
    fn vector_sizes_follow_the_specification() {
        assert_eq!(["char", "float3", "double16", "half2"].map(type_size), [1, 16, 128, 4]);
        assert_eq!(type_size("struct point"), 0);
    }
}
