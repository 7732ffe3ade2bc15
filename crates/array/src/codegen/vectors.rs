//! The parts of kernels that load and store several elements at once.

use std::fmt::Write as _;

use super::access::{Operand, Operands};
use crate::dtype::DType;

/// The vector of so many values of a dtype.
fn vector_type(dtype: DType, count: usize) -> String {
    format!("{}{count}", dtype.value_type())
}

impl Operands<'_> {
    fn vector(&self) -> usize {
        usize::from(self.recipe().class.vector)
    }

    /// What the template of vectors needs besides.
    pub(super) fn vector_values(&self) -> Vec<(&'static str, String)> {
        let addresses: Vec<String> = self
            .inputs()
            .iter()
            .chain([self.output()])
            .map(|operand| format!("(size_t){}", operand.name))
            .collect();
        vec![
            ("addresses", addresses.join(" | ")),
            ("values", self.vectors()),
            ("loads", self.load_vectors()),
            ("stores", self.store_vector()),
        ]
    }

    fn vectors(&self) -> String {
        let mut text = String::new();
        for operand in self.inputs() {
            let _ =
                writeln!(text, "{} x{}[ITEMS];", vector_type(operand.dtype, self.vector()), operand.number);
        }
        text
    }

    fn load_vectors(&self) -> String {
        let mut text = String::new();
        for Operand { name, dtype, number, .. } in self.inputs() {
            let count = self.vector();
            let value = match dtype {
                DType::F16 => format!("vloada_half{count}(v, {name})"),
                _ => format!("((global const {} *){name})[v]", vector_type(*dtype, count)),
            };
            let _ = writeln!(text, "x{number}[k] = {value};");
        }
        text
    }

    fn store_vector(&self) -> String {
        let (output, count) = (self.output(), self.vector());
        let ty = vector_type(output.dtype, count);
        let mut text = format!("const {ty} result = ({ty})(\n");
        for part in 0..count {
            let values = self.inputs().iter().map(|operand| format!("x{}[k].s{part:x}", operand.number));
            let end = if part + 1 == count { ");" } else { "," };
            let place = format!("(long)(v * VECTOR + {part})");
            let _ = writeln!(text, "    {}{end}", self.call_at("element", values, &place));
        }
        let store = match output.dtype {
            DType::F16 => format!("vstorea_half{count}_rte(result, v, {});", output.name),
            _ => format!("((global {ty} *){})[v] = result;", output.name),
        };
        let _ = writeln!(text, "{store}");
        text
    }
}
