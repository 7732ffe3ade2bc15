//! The vector types of OpenCL C.

use super::DType;

/// A vector of 2, 3, 4, 8 or 16 integers or floating-point numbers of 32 or 64 bits: `float4`, `uchar16`.
///
/// One of three components takes the room of four (OpenCL C specification, "Alignment of Types"). Kernels move and
/// compute all four, so that what lies in the fourth is kept by copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vector(u8);

const ELEMENTS: [DType; 10] = {
    use DType::*;
    [I8, U8, I16, U16, I32, U32, I64, U64, F32, F64]
};
const LANES: [u8; 5] = [2, 3, 4, 8, 16];

/// Names in OpenCL C, by element and number of components.
const NAMES: [[&str; 5]; 10] = [
    ["char2", "char3", "char4", "char8", "char16"],
    ["uchar2", "uchar3", "uchar4", "uchar8", "uchar16"],
    ["short2", "short3", "short4", "short8", "short16"],
    ["ushort2", "ushort3", "ushort4", "ushort8", "ushort16"],
    ["int2", "int3", "int4", "int8", "int16"],
    ["uint2", "uint3", "uint4", "uint8", "uint16"],
    ["long2", "long3", "long4", "long8", "long16"],
    ["ulong2", "ulong3", "ulong4", "ulong8", "ulong16"],
    ["float2", "float3", "float4", "float8", "float16"],
    ["double2", "double3", "double4", "double8", "double16"],
];

impl Vector {
    /// How many vector types there are.
    pub(crate) const COUNT: usize = ELEMENTS.len() * LANES.len();

    /// The vector type of so many components of a dtype, if OpenCL C has it.
    #[must_use]
    pub fn new(element: DType, lanes: usize) -> Option<Self> {
        let element = ELEMENTS.iter().position(|&known| known == element)?;
        let lanes = LANES.iter().position(|&known| usize::from(known) == lanes)?;
        Some(Self((element * LANES.len() + lanes) as u8))
    }

    /// Every vector type.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The dtype of the components.
    #[must_use]
    pub const fn element(self) -> DType {
        ELEMENTS[self.0 as usize / LANES.len()]
    }

    /// The number of components.
    #[must_use]
    pub const fn lanes(self) -> usize {
        LANES[self.0 as usize % LANES.len()] as usize
    }

    /// The number of components that have room: four of three.
    #[must_use]
    pub const fn room(self) -> usize {
        if self.lanes() == 3 { 4 } else { self.lanes() }
    }

    /// Bytes, which is also the alignment.
    #[must_use]
    pub const fn size(self) -> usize {
        self.room() * self.element().size()
    }

    /// The name in OpenCL C.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self.0 as usize / LANES.len()][self.0 as usize % LANES.len()]
    }

    /// The type in which kernels hold it: one of four components for one of three.
    #[must_use]
    pub(crate) const fn value_type(self) -> &'static str {
        let lanes = self.0 as usize % LANES.len();
        NAMES[self.0 as usize / LANES.len()][if LANES[lanes] == 3 { lanes + 1 } else { lanes }]
    }

    /// The same number of components of another dtype, if OpenCL C has it.
    #[must_use]
    pub fn with_element(self, element: DType) -> Option<Self> {
        Self::new(element, self.lanes())
    }

    /// The position of a component in it: `x`, `y`, `z`, `w`, or `s0` to `s15`. Only the first four have letters.
    #[must_use]
    pub fn component(self, name: &str) -> Option<usize> {
        let position = match "xyzw".find(name) {
            Some(position) if name.len() == 1 => position,
            // What NumPy's dtypes of vectors call the room that nothing is in.
            _ if name == "padding0" && self.lanes() == 3 => return Some(3),
            _ => name.strip_prefix('s')?.parse().ok().filter(|n| format!("s{n}") == name)?,
        };
        (position < self.lanes()).then_some(position)
    }

    /// Its number among the vector types.
    pub(crate) const fn code(self) -> u8 {
        self.0
    }
}
