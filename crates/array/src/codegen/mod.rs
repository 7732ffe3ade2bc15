//! From an expression and a layout class to the text of a kernel. Pure.
//!
//! The loops are files under `kernels/`; this module fills in what depends on the operands. [`arguments`] lists
//! the kernel's arguments in the order in which [`source`] declares them, so that text and launch cannot differ.

mod access;
mod blocks;
mod call;
mod element;
mod lanes;
mod memory;
mod rows;
mod scan;
pub(crate) mod template;
mod tiles;
mod vector;
mod vectors;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::dtype::{DType, Kind};
use crate::expr::{BinaryOp, Expr};
use crate::plan::{Access, Class, DeviceClass};
use access::Operands;
use element::Header;
pub(crate) use template::render;

/// The loop that an expression is plugged into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Skeleton {
    /// Each element of the output from the elements of the inputs at the same place.
    Elementwise,
    /// All elements combined by an operation; the accumulator has the dtype of the expression.
    Reduction(BinaryOp),
    /// A phase of a scan by an operation, in C order; the accumulator has the dtype of the expression.
    Scan(BinaryOp, Scan),
}

/// A phase of a scan, whose work-groups (GPU) or work-items (CPU) have a contiguous share each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scan {
    /// The shares' totals: as many results as shares.
    Totals,
    /// A scan by one, which has it all.
    Whole {
        /// Whether an element itself does not count for its result.
        exclusive: bool,
    },
    /// A scan that starts in each share with what came before. The last argument of the kernel has that, in the dtype
    /// of the accumulator.
    Shares {
        /// Whether an element itself does not count for its result.
        exclusive: bool,
    },
}

/// What determines a kernel's text, and so its key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// The loop.
    pub skeleton: Skeleton,
    /// What is computed per element.
    pub expr: Expr,
    /// Dtype of the output's memory. The expression's dtype must be the same or, for half precision, single.
    pub output: DType,
    /// How operands are walked: the array operands, for [`Skeleton::Elementwise`] followed by the output.
    pub class: Class,
}

/// One argument of a generated kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Number of elements, an index.
    Size,
    /// The output's memory.
    Output,
    /// Byte offset of the output's first element, 64 bits.
    OutputOffset,
    /// Memory of an array operand.
    Array(usize),
    /// Byte offset of an array operand's first element, 64 bits.
    ArrayOffset(usize),
    /// A scalar operand, as [`DType::value_type`].
    Scalar(usize),
    /// Length of a dimension, an index.
    Length(usize),
    /// Byte stride of an operand in a dimension, an offset.
    Stride(usize, usize),
}

/// The arguments, in order, of a kernel with so many array and scalar operands.
pub fn arguments(arrays: usize, scalars: usize, class: &Class) -> impl Iterator<Item = Argument> + '_ {
    [Argument::Size, Argument::Output, Argument::OutputOffset]
        .into_iter()
        .chain((0..arrays).flat_map(|n| [Argument::Array(n), Argument::ArrayOffset(n)]))
        .chain((0..scalars).map(Argument::Scalar))
        .chain(class.length_arguments().map(Argument::Length))
        .chain(class.stride_arguments().map(|(operand, dim)| Argument::Stride(operand, dim)))
}

impl Recipe {
    /// Name of the kernel in [`source`]'s text.
    #[must_use]
    pub fn kernel_name(&self) -> &'static str {
        match self.skeleton {
            Skeleton::Elementwise => "elementwise",
            Skeleton::Reduction(_) => "reduction",
            Skeleton::Scan(..) => "scan",
        }
    }

    /// Whether the kernel computes in double precision.
    #[must_use]
    pub fn needs_fp64(&self) -> Option<DType> {
        let nodes = self.expr.nodes().iter().map(|&(_, dtype)| dtype);
        nodes.chain([self.output]).find(|dtype| dtype.needs_fp64())
    }
}

/// The text of the kernel of a recipe. It expects `GROUP` and `ITEMS` (GPU), or `LANES` (CPU reductions) and
/// `LANES_BYTES` (CPU calls), to be defined by build options.
#[must_use]
pub fn source(recipe: &Recipe) -> String {
    let class = &recipe.class;
    let mut headers = BTreeSet::new();
    let functions = functions(recipe, &mut headers);
    if class.vector > 1 && recipe.expr.array_dtypes().chain([recipe.output]).any(|dtype| dtype == DType::F16)
    {
        headers.insert(Header::HalfBits);
    }
    let mut text = String::new();
    if recipe.needs_fp64().is_some() {
        text.push_str("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    }
    // As NumPy computes: every operation rounds.
    text.push_str("#pragma OPENCL FP_CONTRACT OFF\n\n");
    if class.tile > 0 {
        let _ = writeln!(text, "#define TILE {}", class.tile);
    }
    if class.vector > 1 {
        let _ = writeln!(text, "#define VECTOR {}", class.vector);
    }
    text.push_str(&index_types(class));
    for header in headers {
        text.push_str(&header.text());
        text.push('\n');
    }
    text.push_str(&memory::declarations(recipe));
    if class.vector > 1 && class.ndim > 0 && class.tile == 0 {
        text.push_str(&Operands::new(recipe).loose_functions());
        text.push('\n');
    }
    text.push_str(&functions);
    text.push('\n');
    text.push_str(&body(recipe));
    text
}

/// The text of the kernels of a reduction and of that of its results, which has the same operation and accumulator and
/// `items` elements in flight. The second kernel is called [`SECOND_REDUCTION`].
#[must_use]
pub fn source_of_both(first: &Recipe, second: &Recipe, items: usize) -> String {
    let mut text = source(first);
    // Its functions need no other headers.
    let functions = functions(second, &mut BTreeSet::new());
    text.push('\n');
    text.push_str(&render(include_str!("../../kernels/second.h.cl"), &[("items", items.to_string())]));
    text.push_str(&index_types(&second.class));
    text.push_str(&functions);
    text.push('\n');
    text.push_str(&body(second));
    text
}

/// The name of the second kernel in the text of two.
pub const SECOND_REDUCTION: &str = "second_reduction";

fn index_types(class: &Class) -> String {
    let (index, offset) = if class.wide { ("ulong", "long") } else { ("uint", "int") };
    format!("typedef {index} index_t;\ntypedef {offset} offset_t;\n\n")
}

/// The functions of the expression and of the operation that combines elements, if there is one.
fn functions(recipe: &Recipe, headers: &mut BTreeSet<Header>) -> String {
    let calls = lanes::calls(recipe);
    let mut functions = match calls.is_empty() {
        true => element::element(&recipe.expr, recipe.class.device, headers),
        false => lanes::functions(&recipe.expr, &calls, headers),
    };
    if let (Skeleton::Reduction(op) | Skeleton::Scan(op, _), Some((_, dtype))) =
        (recipe.skeleton, recipe.expr.result())
    {
        functions.push_str(&combine(op, dtype, headers));
        if let Some(dtype) = lanes::accumulator(recipe) {
            headers.insert(Header::Lanes);
            functions.push_str(&lanes::combine_all(op, dtype));
        }
    }
    functions
}

fn body(recipe: &Recipe) -> String {
    let operands = Operands::new(recipe);
    if let Skeleton::Scan(_, scan) = recipe.skeleton {
        return scan::body(recipe, &operands, scan);
    }
    let reduces = matches!(recipe.skeleton, Skeleton::Reduction(_));
    let store = match (recipe.skeleton, recipe.class.device) {
        (Skeleton::Elementwise, _) => operands.store_element(false),
        (_, device) => {
            let total = if device == DeviceClass::Gpu { "scratch[0]" } else { "sums[0]" };
            let accumulator = recipe.expr.result().map_or(recipe.output, |(_, dtype)| dtype);
            operands.store(&element::cast(total, accumulator, recipe.output))
        }
    };
    let mut values = vec![
        ("parameters", operands.parameters()),
        ("bindings", operands.bindings()),
        ("store", store.clone()),
        ("fresh", operands.fresh()),
    ];
    let (device, tile, vector) = (recipe.class.device, recipe.class.tile, recipe.class.vector);
    if tile > 0 {
        values[2].1 = operands.store(&operands.tiled());
        values.extend(operands.tile_values());
        let template = match device {
            DeviceClass::Gpu if vector > 1 => {
                values.extend(operands.block_values());
                include_str!("../../kernels/elementwise_blocks_gpu.cl")
            }
            DeviceClass::Gpu => include_str!("../../kernels/elementwise_tiles_gpu.cl"),
            DeviceClass::Cpu => include_str!("../../kernels/elementwise_tiles_cpu.cl"),
        };
        return render(template, &values);
    }
    if vector > 1 && reduces {
        values.extend(operands.reduced_vector_values());
        return render(include_str!("../../kernels/reduction_vectors_gpu.cl"), &values);
    }
    if vector > 1 {
        let template = if recipe.class.ndim > 0 {
            values.extend(operands.row_values());
            include_str!("../../kernels/elementwise_rows_gpu.cl")
        } else {
            values.extend(operands.vector_values());
            include_str!("../../kernels/elementwise_vectors_gpu.cl")
        };
        return render(template, &values);
    }
    match device {
        DeviceClass::Gpu => {
            values.extend([
                ("values", operands.value_arrays()),
                ("locate_inputs", operands.locate(true, false)),
                ("locate_output", operands.locate(false, true)),
                ("locate_all", operands.locate(true, true)),
                ("loads", operands.load_all()),
                ("kept", operands.kept()),
                ("store_kept", operands.store_element(true)),
            ]);
            let template = if reduces {
                include_str!("../../kernels/reduction_gpu.cl")
            } else {
                include_str!("../../kernels/elementwise_gpu.cl")
            };
            render(template, &values)
        }
        DeviceClass::Cpu => {
            let flat = recipe.class.ndim == 0;
            let calls = lanes::calls(recipe);
            if !calls.is_empty() {
                let place = if flat { "i" } else { "j" };
                values[1].1.push_str(&operands.call_blocks(&calls));
                values.push(("stages", operands.call_stages(&calls, place)));
                values[2].1 = operands.store(&operands.call_after("element", calls.len(), place));
            }
            let walk = match (reduces, flat) {
                (false, true) if !calls.is_empty() => include_str!("../../kernels/walk_flat_calls.cl"),
                (false, false) if !calls.is_empty() => include_str!("../../kernels/walk_rows_calls.cl"),
                (false, true) => include_str!("../../kernels/walk_flat.cl"),
                (false, false) => include_str!("../../kernels/walk_rows.cl"),
                (true, true) if lanes::accumulator(recipe).is_some() => {
                    include_str!("../../kernels/reduce_flat_blocks.cl")
                }
                (true, true) => include_str!("../../kernels/reduce_flat.cl"),
                (true, false) => include_str!("../../kernels/reduce_rows.cl"),
            };
            values.extend([
                ("body", values[2].1.clone()),
                ("locate_row", operands.locate_row()),
                ("advance", operands.advance()),
                ("inner_start", operands.inner_start()),
            ]);
            let walk = render(walk, &values);
            values.push(("walk", walk));
            let template = if reduces {
                include_str!("../../kernels/reduction_cpu.cl")
            } else {
                include_str!("../../kernels/elementwise_cpu.cl")
            };
            render(template, &values)
        }
    }
}

/// The accumulator's type, its start, and the function that combines two.
fn combine(op: BinaryOp, dtype: DType, headers: &mut BTreeSet<Header>) -> String {
    let ty = dtype.value_type();
    let value = element::binary(op, ("a", dtype), ("b", dtype), dtype, headers);
    format!(
        "\ntypedef {ty} accumulator_t;\n#define IDENTITY {}\nstatic inline {ty} combine(const {ty} a, const {ty} b)\n{{\n    return {value};\n}}\n",
        identity(op, dtype)
    )
}

/// The value that changes nothing when combined.
fn identity(op: BinaryOp, dtype: DType) -> String {
    let ty = dtype.value_type();
    let part = match dtype {
        DType::Vector(vector) => vector.element(),
        dtype => dtype,
    };
    let literal = match (op, part.kind()) {
        (BinaryOp::Maximum, Kind::Float) => "-INFINITY".to_owned(),
        (BinaryOp::Minimum, Kind::Float) => "INFINITY".to_owned(),
        (BinaryOp::Maximum, Kind::Complex) => "-INFINITY, -INFINITY".to_owned(),
        (BinaryOp::Minimum, Kind::Complex) => "INFINITY, INFINITY".to_owned(),
        (BinaryOp::Maximum, Kind::Signed) => format!("{}_MIN", limit(part)),
        (BinaryOp::Minimum, Kind::Signed | Kind::Unsigned) => format!("{}_MAX", limit(part)),
        (BinaryOp::Multiply, Kind::Complex) => "1, 0".to_owned(),
        (BinaryOp::Minimum, Kind::Bool) | (BinaryOp::Multiply, _) => "1".to_owned(),
        (_, Kind::Complex) => "0, 0".to_owned(),
        _ => "0".to_owned(),
    };
    format!("({ty})({literal})")
}

/// Stem of the macros that name an integer type's limits.
fn limit(dtype: DType) -> &'static str {
    match dtype {
        DType::I8 => "CHAR",
        DType::I16 => "SHRT",
        DType::I32 => "INT",
        DType::I64 => "LONG",
        DType::U8 => "UCHAR",
        DType::U16 => "USHRT",
        DType::U32 => "UINT",
        _ => "ULONG",
    }
}

/// Whether an access goes by strides.
fn is_strided(access: Access) -> bool {
    access != Access::Flat
}
