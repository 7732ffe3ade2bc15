//! The parts of kernels that walk in tiles and turn squares of elements in registers.

use std::fmt::Write as _;

use super::access::{Operand, Operands};
use super::vectors::{moved_type, value_of};
use crate::plan::Access;

impl Operands<'_> {
    /// What the template of blocks needs besides that of tiles.
    pub(super) fn block_values(&self) -> Vec<(&'static str, String)> {
        vec![("aligned", self.aligned_blocks()), ("turn", self.turn()), ("stores", self.store_block())]
    }

    /// Memory of a tile and how single elements get there, as they lie in memory.
    pub(super) fn block_memory(&self) -> String {
        let mut text = String::new();
        for operand in self.crossed() {
            let _ = writeln!(
                text,
                "local {} tile{}[TILE * TILE] __attribute__((aligned(16)));",
                moved_type(operand.dtype),
                operand.number
            );
        }
        text
    }

    pub(super) fn fill_block(&self) -> String {
        let mut text = String::new();
        for operand in self.crossed() {
            let _ = writeln!(text, "{} = *{};", self.tile_element(operand), self.moved_place(operand));
        }
        text
    }

    /// The element of a tile that is at (r, c), as it lies in memory.
    pub(super) fn tile_element(&self, operand: &Operand) -> String {
        format!("tile{}[WORD(r, c) * VECTOR + c % VECTOR]", operand.number)
    }

    pub(super) fn tile_value(&self, operand: &Operand) -> String {
        value_of(operand.dtype, &self.tile_element(operand))
    }

    /// The address of the current element, to move it.
    fn moved_place(&self, operand: &Operand) -> String {
        let (pointer, index) = operand.place_in_tile(self.ndim());
        format!("(({} {} *)({pointer} + {index}))", operand.space(), moved_type(operand.dtype))
    }

    fn aligned_blocks(&self) -> String {
        let all = self.inputs().iter().chain([self.output()]);
        let moved = all.filter(|operand| matches!(operand.access, Access::Crossed | Access::Unit));
        self.aligned(
            moved.map(|operand| (format!("(size_t){}", operand.name), operand.dtype.size() * self.vector())),
        )
    }

    /// Vectors along the tile's rows become vectors along its columns.
    fn turn(&self) -> String {
        let mut text = String::new();
        let column = format!("c{}", self.ndim() - 1);
        for operand in self.crossed() {
            let (ty, number) = (self.vector_type(operand.dtype), operand.number);
            let place = self.moved_place(operand);
            let _ = writeln!(text, "{ty} x{number}[VECTOR];");
            let _ = writeln!(text, "#pragma unroll\nfor (uint j = 0; j < VECTOR; ++j) {{");
            let _ = writeln!(text, "    const index_t {column} = left + c + j;");
            let _ = writeln!(text, "    x{number}[j] = *(global const {ty} *){place};\n}}");
            for row in 0..self.vector() {
                let parts: Vec<String> =
                    (0..self.vector()).map(|part| format!("x{number}[{part}].s{row:x}")).collect();
                let _ = writeln!(
                    text,
                    "((local {ty} *)tile{number})[WORD(r + {row}, c)] = ({ty})({});",
                    parts.join(", ")
                );
            }
        }
        text
    }

    fn store_block(&self) -> String {
        let mut text = String::new();
        let column = format!("c{}", self.ndim() - 1);
        for operand in self.inputs() {
            let (ty, number) = (self.vector_type(operand.dtype), operand.number);
            let place = self.moved_place(operand);
            let _ = match operand.access {
                Access::Crossed => {
                    writeln!(text, "const {ty} x{number} = ((local {ty} *)tile{number})[WORD(r, c)];")
                }
                Access::Unit => writeln!(text, "const {ty} x{number} = *(global const {ty} *){place};"),
                Access::Repeated => {
                    writeln!(text, "const {} x{number} = *{place};", moved_type(operand.dtype))
                }
                Access::Flat | Access::Strided | Access::Reversed | Access::Alternate => {
                    writeln!(text, "{ty} x{number};")
                }
            };
            if operand.access == Access::Strided {
                for part in 0..self.vector() {
                    let _ = writeln!(text, "{{\n    const index_t {column} = left + c + {part};");
                    let _ = writeln!(text, "    x{number}.s{part:x} = *{place};\n}}");
                }
            }
        }
        text.push_str(&self.result(|operand, part| match operand.access {
            Access::Repeated => format!("x{}", operand.number),
            _ => format!("x{}.s{part:x}", operand.number),
        }));
        let output = self.output();
        let ty = self.vector_type(output.dtype);
        let _ = writeln!(text, "*(global {ty} *){} = result;", self.moved_place(output));
        text
    }
}
