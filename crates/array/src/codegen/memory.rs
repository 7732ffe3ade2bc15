//! Elements in memory: how they are loaded and stored where they are not aligned, and the types of records.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Recipe;
use crate::dtype::{DType, Record};

const UNALIGNED: &str = include_str!("../../kernels/unaligned.h.cl");

/// How a kernel gets at elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// As they are.
    Whole,
    /// Component by component, which are numbers of this type, so many of them.
    Parts(&'static str, usize),
    /// Byte by byte.
    Bytes,
}

impl Packing {
    /// For elements of a dtype whose addresses are multiples of `granule` bytes, or of all that they need.
    pub(super) fn of(dtype: DType, granule: Option<usize>) -> Self {
        let Some(granule) = granule else { return Self::Whole };
        let (whole, part, count) = match dtype {
            DType::Record(record) => (record.alignment(), record.alignment(), 0),
            DType::Vector(vector) => (vector.size(), vector.element().size(), vector.room()),
            dtype if dtype.is_complex() => (dtype.size(), dtype.real().size(), 2),
            dtype => (dtype.size(), dtype.size(), 0),
        };
        if granule >= whole {
            Self::Whole
        } else if granule >= part && count > 0 {
            let part = match dtype {
                DType::Vector(vector) => vector.element(),
                dtype => dtype.real(),
            };
            Self::Parts(part.value_type(), count)
        } else {
            Self::Bytes
        }
    }
}

/// What the operands of a recipe need to be declared: types of records, functions for unaligned elements.
pub(super) fn declarations(recipe: &Recipe) -> String {
    let granule = recipe.class.granule();
    let nodes = recipe.expr.nodes().iter().map(|&(_, dtype)| dtype);
    let mut records: BTreeMap<&str, Record> = BTreeMap::new();
    for dtype in nodes.chain([recipe.output]) {
        if let DType::Record(record) = dtype {
            records.insert(record.c_type(), record);
        }
    }
    let mut text: String = records.values().map(|record| record.declaration()).collect();
    let mut unaligned: Vec<(&str, &str)> = Vec::new();
    let operands = recipe.expr.array_dtypes().chain([recipe.output]);
    for dtype in operands.filter(|&dtype| Packing::of(dtype, granule) == Packing::Bytes) {
        if dtype == DType::F16 {
            unaligned.extend([("DEFINE_UNALIGNED", "ushort"), ("DEFINE_UNALIGNED_HALF", "ushort")]);
        } else {
            unaligned.push(("DEFINE_UNALIGNED", dtype.value_type()));
        }
    }
    unaligned.sort_unstable();
    unaligned.dedup();
    if !unaligned.is_empty() {
        text.push_str(UNALIGNED);
    }
    for (define, ty) in unaligned {
        let _ = writeln!(text, "{define}({ty})");
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}
