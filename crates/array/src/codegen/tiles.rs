//! The parts of kernels that walk in tiles.

use std::fmt::Write as _;

use super::access::Operands;
use crate::plan::{Access, DeviceClass};

impl Operands<'_> {
    /// What the templates of tiles need besides: names of the last two dimensions, the outer coordinates, the memory
    /// of a tile and how it is filled.
    pub(super) fn tile_values(&self) -> Vec<(&'static str, String)> {
        let ndim = self.ndim();
        vec![
            ("rows", format!("length{}", ndim - 2)),
            ("columns", format!("length{}", ndim - 1)),
            ("row", format!("c{}", ndim - 2)),
            ("column", format!("c{}", ndim - 1)),
            ("outer", self.outer_coordinates()),
            // A division less before the first load.
            ("down", if ndim > 2 { "tile / across % down" } else { "tile / across" }.to_owned()),
            ("tiles", self.tile_memory()),
            ("fill", self.fill_tiles()),
        ]
    }

    fn outer_coordinates(&self) -> String {
        let ndim = self.ndim();
        if ndim == 2 {
            return String::new();
        }
        let down = match self.recipe().class.device {
            DeviceClass::Gpu => format!("const index_t down = (length{} + TILE - 1) / TILE;\n", ndim - 2),
            DeviceClass::Cpu => String::new(),
        };
        format!("{down}const index_t outer = tile / across / down;\n{}", self.coordinates("outer", 2))
    }

    fn tile_memory(&self) -> String {
        if self.vector() > 1 {
            return self.block_memory();
        }
        let space = if self.recipe().class.device == DeviceClass::Gpu { "local " } else { "" };
        let mut text = String::new();
        for operand in self.crossed() {
            let ty = operand.dtype.value_type();
            let _ = writeln!(text, "{space}{ty} tile{}[TILE * (TILE + 1)];", operand.number);
        }
        text
    }

    fn fill_tiles(&self) -> String {
        if self.vector() > 1 {
            return self.fill_block();
        }
        let mut text = String::new();
        for operand in self.crossed() {
            let value = self.load(operand);
            let _ = writeln!(text, "tile{}[r * (TILE + 1) + c] = {value};", operand.number);
        }
        text
    }

    /// The element computed from tiles and from memory.
    pub(super) fn tiled(&self) -> String {
        self.call(
            "element",
            self.inputs().iter().map(|operand| match operand.access {
                Access::Crossed if self.vector() > 1 => self.tile_value(operand),
                Access::Crossed => format!("tile{}[r * (TILE + 1) + c]", operand.number),
                _ => self.load(operand),
            }),
        )
    }
}
