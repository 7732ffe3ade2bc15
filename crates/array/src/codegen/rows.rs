//! The parts of kernels that walk along rows in vectors.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::access::{Operand, Operands};
use super::vectors::moved_type;
use crate::plan::Access;

impl Operands<'_> {
    /// What the template of rows in vectors needs besides.
    pub(super) fn row_values(&self) -> Vec<(&'static str, String)> {
        let inner = match self.ndim() {
            1 => "n".to_owned(),
            ndim => format!("length{}", ndim - 1),
        };
        vec![
            ("inner", inner),
            ("aligned", self.aligned_rows()),
            ("values", self.row_vectors()),
            ("locate_inputs", self.locate(true, false)),
            ("locate_output", self.locate(false, true)),
            ("locate_all", self.locate(true, true)),
            ("loads", self.load_rows("[k]", false)),
            ("stores", self.store_row("[k]", false)),
            ("declared", self.declared_vectors()),
            ("loose_loads", self.load_rows("", true)),
            ("loose_stores", self.store_row("", true)),
        ]
    }

    /// Declarations of the functions that move vectors to and from any address.
    pub(super) fn loose_functions(&self) -> String {
        let all = self.inputs().iter().chain([self.output()]);
        let types: BTreeSet<&str> = all.map(|operand| moved_type(operand.dtype)).collect();
        let mut text = include_str!("../../kernels/vectors.h.cl").to_owned();
        for ty in types {
            let _ = writeln!(text, "DEFINE_VECTORS({ty}, {})", self.vector());
        }
        text
    }

    fn aligned_rows(&self) -> String {
        let all = self.inputs().iter().chain([self.output()]);
        self.aligned(all.filter(|operand| operand.access != Access::Repeated).map(|operand| {
            let (name, size) = (&operand.name, operand.dtype.size());
            let mut address = match operand.access {
                // What goes back ends with its first element.
                Access::Reversed => format!("(size_t)({name} + {size})"),
                _ => format!("(size_t){name}"),
            };
            if operand.access != Access::Flat {
                for dim in 0..self.ndim() - 1 {
                    let _ = write!(address, " | (size_t){name}_stride{dim}");
                }
            }
            (address, size * self.vector())
        }))
    }

    fn row_type(&self, operand: &Operand) -> String {
        match operand.access {
            Access::Repeated => moved_type(operand.dtype).to_owned(),
            _ => self.vector_type(operand.dtype),
        }
    }

    fn row_vectors(&self) -> String {
        let mut text = String::new();
        for operand in self.inputs() {
            let _ = writeln!(text, "{} x{}[ITEMS];", self.row_type(operand), operand.number);
        }
        text
    }

    fn declared_vectors(&self) -> String {
        let mut text = String::new();
        for operand in self.inputs() {
            let _ = writeln!(text, "{} x{};", self.row_type(operand), operand.number);
        }
        text
    }

    /// The address of the first in memory of the elements from number `i` on.
    fn row_address(&self, operand: &Operand) -> String {
        let (name, ty) = (&operand.name, moved_type(operand.dtype));
        let space = operand.space();
        match operand.access {
            Access::Flat => format!("({space} {ty} *){name} + i"),
            Access::Reversed => format!("({space} {ty} *)({name} + {name}_at) - (VECTOR - 1)"),
            _ => format!("({space} {ty} *)({name} + {name}_at)"),
        }
    }

    /// Loads from aligned addresses, or from any.
    fn load_rows(&self, index: &str, loose: bool) -> String {
        let mut text = String::new();
        for operand in self.inputs() {
            let (address, vector) = (self.row_address(operand), self.vector_type(operand.dtype));
            let value = match operand.access {
                Access::Repeated => format!("*({address})"),
                _ if loose => format!("load_{vector}({address})"),
                _ => format!("*(global const {vector} *)({address})"),
            };
            let order: String = match operand.access {
                Access::Reversed => {
                    let parts = (0..self.vector()).rev().map(|part| format!("{part:x}"));
                    format!(".s{}", parts.collect::<String>())
                }
                _ => String::new(),
            };
            let value = if order.is_empty() { value } else { format!("({value}){order}") };
            let _ = writeln!(text, "x{}{index} = {value};", operand.number);
        }
        text
    }

    fn store_row(&self, index: &str, loose: bool) -> String {
        let output = self.output();
        let (address, vector) = (self.row_address(output), self.vector_type(output.dtype));
        let mut text = self.result(|operand, part| match operand.access {
            Access::Repeated => format!("x{}{index}", operand.number),
            _ => format!("x{}{index}.s{part:x}", operand.number),
        });
        let _ = match loose {
            true => writeln!(text, "store_{vector}(result, {address});"),
            false => writeln!(text, "*(global {vector} *)({address}) = result;"),
        };
        text
    }
}
