//! The text that finds, loads and stores elements.

use std::fmt::Write as _;

use super::element::operand_parameters;
use super::memory::Packing;
use super::{Argument, Recipe, Skeleton, arguments, is_strided, lanes};
use crate::dtype::DType;
use crate::plan::{Access, DeviceClass};

/// An array operand or the output.
pub(super) struct Operand {
    /// Of its pointer: `p0`, `p1`, …, `out`.
    pub(super) name: String,
    pub(super) dtype: DType,
    pub(super) access: Access,
    /// Its position in the class, which numbers its strides.
    pub(super) number: usize,
    output: bool,
    /// Whether the expression takes its address instead of its value.
    indexed: bool,
    /// Whether the walk along a row moves a pointer on, if it goes by strides.
    advances: bool,
}

/// Writes the operand-dependent parts of a kernel.
pub(super) struct Operands<'a> {
    recipe: &'a Recipe,
    operands: Vec<Operand>,
}

impl Operand {
    pub(super) fn space(&self) -> &'static str {
        if self.output { "global" } else { "global const" }
    }

    /// Its type in the names of functions that load and store elements byte by byte.
    fn moved_type(&self) -> &'static str {
        if self.dtype == DType::F16 { "half" } else { self.dtype.value_type() }
    }

    /// Its element type behind a pointer.
    fn typed(&self) -> String {
        format!("{} {} *", self.space(), self.dtype.memory_type())
    }

    /// Type of its bound pointer: elements where it is walked flat, else bytes.
    fn pointer(&self) -> String {
        if is_strided(self.access) { format!("{} char *", self.space()) } else { self.typed() }
    }

    /// Pointer and element index at which the element lies whose coordinates are `c0`, `c1`, …
    pub(super) fn place_in_tile(&self, ndim: usize) -> (String, String) {
        // The dimension along which it lies counts elements.
        let own = match self.access {
            Access::Crossed => Some(ndim - 2),
            Access::Unit | Access::Repeated => Some(ndim - 1),
            Access::Flat | Access::Strided | Access::Reversed | Access::Alternate => None,
        };
        let terms = (0..ndim)
            .filter(|&dim| Some(dim) != own)
            .map(|dim| format!(" + (offset_t)c{dim} * {}_stride{dim}", self.name));
        let pointer = format!("(({})({}{}))", self.typed(), self.name, terms.collect::<String>());
        let index = match own {
            Some(dim) if self.access != Access::Repeated => format!("c{dim}"),
            _ => "0".to_owned(),
        };
        (pointer, index)
    }

    /// Pointer and element index at which the current element lies.
    fn place(&self, rows: bool, ndim: usize) -> (String, String) {
        let (name, typed) = (&self.name, self.typed());
        match self.access {
            Access::Flat => (name.clone(), "i".to_owned()),
            Access::Unit if rows => (format!("{name}_row"), "j".to_owned()),
            Access::Repeated if rows => (format!("{name}_row"), "0".to_owned()),
            Access::Reversed if rows => (format!("({name}_row - (offset_t)j)"), "0".to_owned()),
            Access::Alternate if rows => (format!("{name}_row"), "2 * j".to_owned()),
            Access::Strided if rows && self.advances => (format!("(({typed}){name}_next)"), "0".to_owned()),
            Access::Strided if rows => {
                let stride = format!("{name}_stride{}", ndim - 1);
                (format!("(({typed})({name}_row + (offset_t)j * {stride}))"), "0".to_owned())
            }
            _ => (format!("(({typed})({name} + {name}_at))"), "0".to_owned()),
        }
    }
}

impl<'a> Operands<'a> {
    pub(super) fn new(recipe: &'a Recipe) -> Self {
        let arrays = recipe.expr.array_dtypes().count();
        // Elements of blocks and of lanes are gone to more than once, or in parts.
        let advances = !matches!(recipe.skeleton, Skeleton::Reduction(_)) && lanes::calls(recipe).is_empty();
        let access = |number: usize| recipe.class.access.get(number).copied().unwrap_or(Access::Flat);
        let inputs = recipe.expr.array_dtypes().enumerate().map(|(number, dtype)| Operand {
            name: format!("p{number}"),
            dtype,
            access: access(number),
            number,
            output: false,
            indexed: recipe.expr.is_indexed(number as u16),
            advances,
        });
        let output = Operand {
            name: "out".to_owned(),
            dtype: recipe.output,
            access: match recipe.skeleton {
                Skeleton::Elementwise => access(arrays),
                Skeleton::Reduction(_) | Skeleton::Scan(..) => Access::Flat,
            },
            number: arrays,
            output: true,
            indexed: false,
            advances,
        };
        Self { recipe, operands: inputs.chain([output]).collect() }
    }

    pub(super) fn recipe(&self) -> &Recipe {
        self.recipe
    }

    fn rows(&self) -> bool {
        self.recipe.class.device == DeviceClass::Cpu && self.recipe.class.ndim > 0
    }

    fn place(&self, operand: &Operand, rows: bool) -> (String, String) {
        match self.recipe.class.tile {
            0 => operand.place(rows, self.ndim()),
            _ => operand.place_in_tile(self.ndim()),
        }
    }

    pub(super) fn ndim(&self) -> usize {
        usize::from(self.recipe.class.ndim)
    }

    pub(super) fn output(&self) -> &Operand {
        // `new` puts it last.
        &self.operands[self.operands.len() - 1]
    }

    pub(super) fn inputs(&self) -> &[Operand] {
        &self.operands[..self.operands.len() - 1]
    }

    /// The inputs that go through local memory in tiles.
    pub(super) fn crossed(&self) -> impl Iterator<Item = &Operand> {
        self.inputs().iter().filter(|operand| operand.access == Access::Crossed)
    }

    /// Declarations after the first parameter.
    pub(super) fn parameters(&self) -> String {
        let restrict = if self.recipe.class.aliased { "" } else { "restrict " };
        let scalars: Vec<DType> = self.recipe.expr.scalar_dtypes().collect();
        let lines: Vec<String> = arguments(self.inputs().len(), scalars.len(), &self.recipe.class)
            .filter_map(|argument| match argument {
                Argument::Size => None,
                Argument::Output => Some(format!("{}{restrict}out_memory", self.output().typed())),
                Argument::OutputOffset => Some("const ulong out_offset".to_owned()),
                Argument::Array(n) => Some(format!("{}{restrict}p{n}_memory", self.operands[n].typed())),
                Argument::ArrayOffset(n) => Some(format!("const ulong p{n}_offset")),
                Argument::Scalar(n) => Some(format!("const {} s{n}", scalars[n].value_type())),
                Argument::Length(dim) => Some(format!("const index_t length{dim}")),
                Argument::Stride(n, dim) => {
                    Some(format!("const offset_t {}_stride{dim}", self.operands[n].name))
                }
            })
            .collect();
        lines.join(",\n")
    }

    /// Pointers to the first elements.
    pub(super) fn bindings(&self) -> String {
        let mut text = String::new();
        for operand in &self.operands {
            let (pointer, name, space) = (operand.pointer(), &operand.name, operand.space());
            let _ = writeln!(
                text,
                "{pointer}const {name} = ({pointer})(({space} char *){name}_memory + {name}_offset);"
            );
        }
        if self.rows() && self.recipe.class.tile == 0 {
            let _ = writeln!(text, "const index_t inner = length{};", self.ndim() - 1);
        }
        text
    }

    pub(super) fn load(&self, operand: &Operand) -> String {
        let (pointer, index) = self.place(operand, self.rows());
        if operand.indexed {
            return format!("&{pointer}[{index}]");
        }
        match Packing::of(operand.dtype, self.recipe.class.granule()) {
            Packing::Whole if operand.dtype == DType::F16 => format!("vload_half({index}, {pointer})"),
            Packing::Whole => format!("{pointer}[{index}]"),
            Packing::Parts(part, count) => {
                format!("vload{count}({index}, ({} {part} *){pointer})", operand.space())
            }
            Packing::Bytes => {
                let (ty, space) = (operand.moved_type(), operand.space());
                format!("load_{ty}(({space} uchar *)({pointer} + {index}))")
            }
        }
    }

    /// The statement that stores `value` in the output's current element.
    pub(super) fn store(&self, value: &str) -> String {
        let operand = self.output();
        let (pointer, index) = self.place(operand, self.rows() && is_strided(operand.access));
        match Packing::of(operand.dtype, self.recipe.class.granule()) {
            Packing::Whole if operand.dtype == DType::F16 => {
                format!("vstore_half_rte({value}, {index}, {pointer});")
            }
            Packing::Whole => format!("{pointer}[{index}] = {value};"),
            Packing::Parts(part, count) => {
                format!("vstore{count}({value}, {index}, (global {part} *){pointer});")
            }
            Packing::Bytes => {
                format!("store_{}({value}, (global uchar *)({pointer} + {index}));", operand.moved_type())
            }
        }
    }

    /// The statement that stores the element, computed from memory or from values loaded before, where the expression
    /// wants it.
    pub(super) fn store_element(&self, kept: bool) -> String {
        let target = self.recipe.expr.target();
        let value = if kept { self.kept() } else { self.fresh() };
        let statement = match target.offset {
            None => self.store(&value),
            Some(_) => self.store_offset(&value, &self.function("offset", kept)),
        };
        match target.condition {
            None => statement,
            Some(_) => format!("if ({})\n    {statement}", self.function("condition", kept)),
        }
    }

    /// The statement that stores `value` so many bytes from the output's current element.
    fn store_offset(&self, value: &str, offset: &str) -> String {
        let operand = self.output();
        let (pointer, index) = self.place(operand, self.rows() && is_strided(operand.access));
        let typed = operand.typed();
        let place = format!("({typed})((global char *)&{pointer}[{index}] + {offset})");
        if operand.dtype == DType::F16 {
            format!("vstore_half_rte({value}, 0, {place});")
        } else {
            format!("*({place}) = {value};")
        }
    }

    fn function(&self, name: &str, kept: bool) -> String {
        if kept { self.call(name, self.kept_values()) } else { self.call(name, self.fresh_values()) }
    }

    fn fresh_values(&self) -> impl Iterator<Item = String> {
        self.inputs().iter().map(|operand| self.load(operand))
    }

    fn kept_values(&self) -> impl Iterator<Item = String> {
        self.inputs().iter().map(|operand| format!("x{}[k]", operand.number))
    }

    pub(super) fn call(&self, name: &str, values: impl Iterator<Item = String>) -> String {
        self.call_at(name, values, if self.rows() { "(long)(start + j)" } else { "(long)i" })
    }

    /// A function of the expression for values at a position.
    pub(super) fn call_at(&self, name: &str, values: impl Iterator<Item = String>, position: &str) -> String {
        self.call_with(name, values, position, std::iter::empty())
    }

    /// A function of the expression of the current element, and of further values.
    pub(super) fn call_fresh(&self, name: &str, further: impl Iterator<Item = String>) -> String {
        let position = if self.rows() { "(long)(start + j)" } else { "(long)i" };
        self.call_with(name, self.fresh_values(), position, further)
    }

    fn call_with(
        &self,
        name: &str,
        values: impl Iterator<Item = String>,
        position: &str,
        further: impl Iterator<Item = String>,
    ) -> String {
        let mut parameters: Vec<String> = values.collect();
        parameters.extend(operand_parameters(&self.recipe.expr, false).into_iter().skip(parameters.len()));
        if self.recipe.expr.uses_index() {
            parameters.push(position.to_owned());
        }
        parameters.extend(further);
        format!("{name}({})", parameters.join(", "))
    }

    /// The element computed from memory.
    pub(super) fn fresh(&self) -> String {
        self.call("element", self.fresh_values())
    }

    /// The element computed from values loaded before.
    pub(super) fn kept(&self) -> String {
        self.call("element", self.kept_values())
    }

    /// Declarations of the arrays that keep loaded values.
    pub(super) fn value_arrays(&self) -> String {
        let mut text = String::new();
        for operand in self.inputs() {
            let ty =
                if operand.indexed { operand.typed() } else { format!("{} ", operand.dtype.value_type()) };
            let _ = writeln!(text, "{ty}x{}[ITEMS];", operand.number);
        }
        text
    }

    /// Loads of the current elements into those arrays.
    pub(super) fn load_all(&self) -> String {
        let mut text = String::new();
        for operand in self.inputs() {
            let _ = writeln!(text, "x{}[k] = {};", operand.number, self.load(operand));
        }
        text
    }

    /// Byte offsets of element `i` in the strided inputs and the strided output.
    pub(super) fn locate(&self, inputs: bool, output: bool) -> String {
        let wanted =
            |operand: &&Operand| is_strided(operand.access) && if operand.output { output } else { inputs };
        if !self.operands.iter().any(|operand| wanted(&operand)) {
            return String::new();
        }
        let mut text = self.coordinates("i", 0);
        for operand in self.operands.iter().filter(wanted) {
            let sum = self.offset_sum(operand, self.ndim());
            let _ = writeln!(text, "const offset_t {}_at = {sum};", operand.name);
        }
        text
    }

    /// Coordinates `c0`, `c1`, … of element number `place`, `skip` innermost dimensions apart.
    pub(super) fn coordinates(&self, place: &str, skip: usize) -> String {
        let outer = self.ndim() - skip;
        let mut text = String::new();
        let mut rest = place.to_owned();
        for dim in (0..outer).rev() {
            if dim == 0 {
                let _ = writeln!(text, "const index_t c0 = {rest};");
            } else {
                let _ = writeln!(text, "const index_t c{dim} = {rest} % length{dim};");
                let _ = writeln!(text, "const index_t rest{dim} = {rest} / length{dim};");
                rest = format!("rest{dim}");
            }
        }
        text
    }

    /// How many bytes from the operand's first element its element with the coordinates `c0`, `c1`, … lies, as to the
    /// first `dims` dimensions.
    fn offset_sum(&self, operand: &Operand, dims: usize) -> String {
        let size = operand.dtype.size();
        let terms: Vec<String> = (0..dims)
            .filter(|dim| operand.access != Access::Repeated || dim + 1 < self.ndim())
            .map(|dim| match operand.access {
                Access::Unit if dim + 1 == self.ndim() => format!("(offset_t)c{dim} * {size}"),
                Access::Reversed if dim + 1 == self.ndim() => format!("(offset_t)c{dim} * -{size}"),
                _ => format!("(offset_t)c{dim} * {}_stride{dim}", operand.name),
            })
            .collect();
        if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
    }

    /// Pointers to the elements of all operands at number `start`.
    pub(super) fn locate_row(&self) -> String {
        if !self.rows() {
            return String::new();
        }
        let mut text = String::new();
        if self.ndim() > 1 {
            text.push_str("const index_t row = start / inner;\n");
            text.push_str("const index_t column = start % inner;\n");
            text.push_str(&self.coordinates("row", 1));
        }
        for operand in self.operands.iter().filter(|operand| is_strided(operand.access)) {
            let mut terms = vec![operand.name.clone()];
            if self.ndim() > 1 {
                terms.push(self.offset_sum(operand, self.ndim() - 1));
            }
            let column = self.inner_start();
            match operand.access {
                Access::Unit => terms.push(format!("(offset_t){column} * {}", operand.dtype.size())),
                Access::Strided => {
                    terms.push(format!("(offset_t){column} * {}_stride{}", operand.name, self.ndim() - 1));
                }
                Access::Reversed => terms.push(format!("(offset_t){column} * -{}", operand.dtype.size())),
                Access::Alternate => terms.push(format!("(offset_t){column} * {}", 2 * operand.dtype.size())),
                Access::Flat | Access::Repeated | Access::Crossed => {}
            }
            let pointer = match operand.access {
                Access::Strided => operand.pointer(),
                _ => operand.typed(),
            };
            let _ =
                writeln!(text, "{pointer}const {}_row = ({pointer})({});", operand.name, terms.join(" + "));
            if operand.access == Access::Strided && operand.advances {
                let _ = writeln!(text, "{pointer}{0}_next = {0}_row;", operand.name);
            }
        }
        text
    }

    /// The statements that move on to the next element of a row.
    pub(super) fn advance(&self) -> String {
        let mut text = String::new();
        let last = self.ndim().saturating_sub(1);
        for Operand { name, access, advances, .. } in &self.operands {
            if *access == Access::Strided && *advances {
                let _ = writeln!(text, "{name}_next += {name}_stride{last};");
            }
        }
        text
    }

    /// How far into its row `start` is.
    pub(super) fn inner_start(&self) -> String {
        if self.ndim() > 1 { "column" } else { "start" }.to_owned()
    }
}
