//! The parts of kernels that load and store several elements at once.

use std::fmt::Write as _;

use super::access::{Operand, Operands};
use crate::dtype::DType;

/// The type in which an element lies in memory: half precision is moved as bits, since compilers load and store vectors
/// of it in parts.
pub(super) fn moved_type(dtype: DType) -> &'static str {
    if dtype == DType::F16 { "ushort" } else { dtype.value_type() }
}

/// The value of an element that was moved.
pub(super) fn value_of(dtype: DType, moved: &str) -> String {
    if dtype == DType::F16 { format!("half_value({moved})") } else { moved.to_owned() }
}

/// An element with this value, to be moved.
fn moved(dtype: DType, value: &str) -> String {
    if dtype == DType::F16 { format!("half_bits({value})") } else { value.to_owned() }
}

/// The bits of all operands' addresses.
fn addresses<'a>(operands: impl Iterator<Item = &'a Operand>) -> String {
    operands.map(|operand| format!("(size_t){}", operand.name)).collect::<Vec<_>>().join(" | ")
}

impl Operands<'_> {
    /// How many elements are moved at once.
    pub(super) fn vector(&self) -> usize {
        usize::from(self.recipe().class.vector)
    }

    /// The vector in which elements of a dtype are moved.
    pub(super) fn vector_type(&self, dtype: DType) -> String {
        format!("{}{}", moved_type(dtype), self.vector())
    }

    /// What the template of vectors needs besides.
    pub(super) fn vector_values(&self) -> Vec<(&'static str, String)> {
        let ty = self.vector_type(self.output().dtype);
        let store = format!(
            "{}((global {ty} *){})[v] = result;\n",
            self.result(|operand, part| format!("x{}[k].s{part:x}", operand.number)),
            self.output().name
        );
        vec![
            ("addresses", addresses(self.inputs().iter().chain([self.output()]))),
            ("values", self.vectors()),
            ("loads", self.load_vectors()),
            ("stores", store),
        ]
    }

    /// What the template of reductions of vectors needs besides.
    pub(super) fn reduced_vector_values(&self) -> Vec<(&'static str, String)> {
        let mut combines = String::new();
        for part in 0..self.vector() {
            let values = self
                .inputs()
                .iter()
                .map(|operand| value_of(operand.dtype, &format!("x{}[k].s{part:x}", operand.number)));
            let _ = writeln!(combines, "sums[k] = combine(sums[k], {});", self.call("element", values));
        }
        vec![
            ("addresses", addresses(self.inputs().iter())),
            ("values", self.vectors()),
            ("loads", self.load_vectors()),
            ("combines", combines),
        ]
    }

    fn vectors(&self) -> String {
        let mut text = String::new();
        for operand in self.inputs() {
            let _ = writeln!(text, "{} x{}[ITEMS];", self.vector_type(operand.dtype), operand.number);
        }
        text
    }

    fn load_vectors(&self) -> String {
        let mut text = String::new();
        for Operand { name, dtype, number, .. } in self.inputs() {
            let ty = self.vector_type(*dtype);
            let _ = writeln!(text, "x{number}[k] = ((global const {ty} *){name})[v];");
        }
        text
    }

    /// The statement that computes the vector `result` from what was loaded: `part` names an operand's component.
    pub(super) fn result(&self, part: impl Fn(&Operand, usize) -> String) -> String {
        let output = self.output().dtype;
        let ty = self.vector_type(output);
        let mut text = format!("const {ty} result = ({ty})(\n");
        for number in 0..self.vector() {
            let values = self.inputs().iter().map(|operand| value_of(operand.dtype, &part(operand, number)));
            let end = if number + 1 == self.vector() { ");" } else { "," };
            let _ = writeln!(text, "    {}{end}", moved(output, &self.call("element", values)));
        }
        text
    }

    /// Whether addresses are such that vectors can be moved: each with what they must be multiples of, in bytes.
    pub(super) fn aligned(&self, addresses: impl Iterator<Item = (String, usize)>) -> String {
        let rests: Vec<String> =
            addresses.map(|(address, bytes)| format!("(({address}) & {})", bytes - 1)).collect();
        format!("({}) == 0", rests.join(" | "))
    }
}
