//! What a snippet is: parameters and pieces of text; and the text of its kernel.

use crate::codegen::template::render;
use crate::dtype::{DType, Declaration, Record};
use crate::error::{Error, Result};
use crate::plan::DeviceClass;

use super::usage::{has_word, may_write};

/// A parameter of a snippet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// What is passed for it.
    pub kind: ParameterKind,
    /// The name of the type in OpenCL C; of the elements for an array.
    pub type_name: String,
    /// The name by which the snippet refers to it.
    pub name: String,
    /// The dtype, if it is one of this crate's.
    pub dtype: Option<DType>,
    /// Bytes of the type, where they are known. Arrays whose elements have another size are passed as their memory.
    pub size: Option<usize>,
}

/// What is passed for a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterKind {
    /// An array.
    Array {
        /// Whether the kernel takes the offset of the first element as a further argument. Without it, arrays that
        /// do not begin where their memory does are copied.
        with_offset: bool,
    },
    /// A number, vector or struct.
    Scalar,
    /// Whatever the type name, which then is the whole declaration, says.
    Other,
}

/// Numbers from `start` on, `step` apart, up to `stop`, which is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first number.
    pub start: i64,
    /// The end.
    pub stop: i64,
    /// What lies between two; not zero.
    pub step: i64,
}

impl Span {
    /// How many numbers there are.
    ///
    /// # Errors
    /// [`Error::ZeroStep`].
    pub fn count(self) -> Result<usize> {
        if self.step == 0 {
            return Err(Error::ZeroStep);
        }
        let way = (i128::from(self.stop) - i128::from(self.start)) * i128::from(self.step.signum());
        let step = i128::from(self.step).unsigned_abs();
        // At most 2^64 - 1 numbers of 64 bits lie between two others.
        Ok(usize::try_from(way.max(0).unsigned_abs().div_ceil(step)).unwrap_or(usize::MAX))
    }
}

/// Text that is done for each element, with the text around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snippet {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Statements for one element, which `return` ends.
    pub operation: String,
    /// The kernel's name.
    pub name: String,
    /// Text before the kernel: functions, types, macros.
    pub preamble: String,
    /// Statements that each work-item does first.
    pub before_loop: String,
    /// Statements that each work-item does last.
    pub after_loop: String,
}

impl Snippet {
    /// A snippet whose parameters are declared as in OpenCL C, pointers being arrays: `float a, const float *x`.
    ///
    /// # Errors
    /// [`Error::Declaration`], [`Error::AddressSpace`]; [`Error::UnknownType`] for a type that is no dtype of this
    /// crate.
    pub fn new(parameters: &str, operation: impl Into<String>) -> Result<Self> {
        Self::with_types(parameters, operation, &[])
    }

    /// The same with parameters whose types are also structs, which are declared before it.
    ///
    /// # Errors
    /// As [`Snippet::new`].
    pub fn with_types(parameters: &str, operation: impl Into<String>, types: &[Record]) -> Result<Self> {
        let named =
            |name: &str| types.iter().find(|record| record.name() == name).map(|&it| DType::Record(it));
        let parameter = |declaration: Declaration| {
            let dtype = declaration.dtype(named)?;
            Ok(Parameter {
                kind: match declaration.pointer {
                    true => ParameterKind::Array { with_offset: true },
                    false => ParameterKind::Scalar,
                },
                type_name: declaration.type_name,
                name: declaration.name,
                dtype: Some(dtype),
                size: Some(dtype.size()),
            })
        };
        let declarations = Declaration::parse_list(parameters)?;
        let parameters = declarations.into_iter().map(parameter).collect::<Result<_>>()?;
        let preamble = types.iter().map(|record| record.c_struct()).collect();
        Ok(Self { preamble, ..Self::of(parameters, operation.into()) })
    }

    /// A snippet with these parameters.
    #[must_use]
    pub fn of(parameters: Vec<Parameter>, operation: String) -> Self {
        Self {
            parameters,
            operation,
            name: "elementwise".to_owned(),
            preamble: String::new(),
            before_loop: String::new(),
            after_loop: String::new(),
        }
    }

    /// Which parameters are arrays that the text may write. What it is not sure of, it may.
    pub(super) fn written(&self) -> Vec<bool> {
        let text = [&*self.operation, &*self.before_loop, &*self.after_loop].join("\n");
        let may = |parameter: &Parameter| {
            matches!(parameter.kind, ParameterKind::Array { .. })
                && may_write(&text, &self.preamble, &parameter.name)
        };
        self.parameters.iter().map(may).collect()
    }

    /// The text of the kernel for a class of device, with a [`Span`] or without.
    ///
    /// # Errors
    /// [`Error::Declaration`] for a parameter with the name of one of the numbers that the kernel has.
    pub fn source(&self, device: DeviceClass, spanned: bool) -> Result<String> {
        let numbers: &[&str] = if spanned { &["start", "stop", "step"] } else { &["n"] };
        let taken = |name: &str| name == "i" || numbers.contains(&name);
        if let Some(parameter) = self.parameters.iter().find(|parameter| taken(&parameter.name)) {
            let problem = "the kernel has a number of that name";
            let text = format!("{} {}", parameter.type_name, parameter.name);
            return Err(Error::Declaration { text, problem });
        }
        let declarations = self.parameters.iter().map(Parameter::declaration);
        let numbers = numbers.iter().map(|number| format!("long {number}"));
        let parameters: Vec<String> = declarations.chain(numbers).collect();
        let pointers: Vec<String> = self.parameters.iter().filter_map(Parameter::pointer).collect();
        let (count, index) = if spanned {
            (
                "step > 0 ? (stop - start + step - 1) / step : (stop - start + step + 1) / step",
                "start + elementwise_at * step",
            )
        } else {
            ("n", "elementwise_at")
        };
        let walk = match device {
            DeviceClass::Cpu => include_str!("../../kernels/snippet_cpu.cl"),
            DeviceClass::Gpu => include_str!("../../kernels/snippet_gpu.cl"),
        };
        let values = [
            ("head", self.head()),
            ("preamble", self.preamble.clone()),
            ("name", self.name.clone()),
            ("parameters", parameters.join(",\n")),
            ("pointers", pointers.join("\n")),
            ("before_loop", closed(&self.before_loop)),
            ("count", count.to_owned()),
            ("walk", walk.to_owned()),
            ("index", index.to_owned()),
            ("operation", self.element()),
            ("after_loop", closed(&self.after_loop)),
        ];
        Ok(render(include_str!("../../kernels/snippet.cl"), &values))
    }

    /// The statements for one element, which `return` ends, as it would end a function of one element.
    fn element(&self) -> String {
        let operation = &self.operation;
        if !has_word(operation, "return") {
            return operation.clone();
        }
        render(include_str!("../../kernels/snippet_return.cl"), &[("operation", operation.clone())])
    }

    /// What the types of the parameters need.
    fn head(&self) -> String {
        let has = |test: fn(DType) -> bool| {
            self.parameters.iter().any(|parameter| parameter.dtype.is_some_and(test))
        };
        let mut lines =
            vec!["#if defined(cl_khr_fp64)", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable", "#endif"];
        if has(|dtype| dtype == DType::C128) {
            lines.push("#define PYOPENCL_DEFINE_CDOUBLE");
        }
        if self.parameters.iter().any(|parameter| ["cfloat_t", "cdouble_t"].contains(&&*parameter.type_name))
        {
            lines.push("#include <pyopencl-complex.h>");
        }
        lines.join("\n")
    }
}

/// Statements with the semicolon that the last one may lack.
fn closed(statements: &str) -> String {
    if statements.trim().is_empty() { String::new() } else { format!("{statements}\n;") }
}

impl Parameter {
    /// The declaration in OpenCL C.
    #[must_use]
    pub fn declaration(&self) -> String {
        let Self { type_name, name, .. } = self;
        match self.kind {
            ParameterKind::Array { with_offset: true } => {
                format!("global {type_name} *{name}__base,\nlong {name}__offset")
            }
            ParameterKind::Array { with_offset: false } => format!("global {type_name} *{name}"),
            ParameterKind::Scalar => format!("{type_name} {name}"),
            ParameterKind::Other => type_name.clone(),
        }
    }

    /// The statement that makes the pointer to the first element.
    fn pointer(&self) -> Option<String> {
        let Self { type_name, name, .. } = self;
        matches!(self.kind, ParameterKind::Array { with_offset: true }).then(|| {
            format!("global {type_name} *{name} = (global {type_name} *)((global char *){name}__base + {name}__offset);")
        })
    }
}
