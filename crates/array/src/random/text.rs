//! The kernels that fill memory with random numbers: which there are, and their text.

use opencl_runtime::BuildOptions;

use super::{Algorithm, Distribution};
use crate::dtype::{DType, Kind};
use crate::plan::DeviceClass;

/// What tells one such kernel from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Numbers {
    pub(crate) algorithm: Algorithm,
    pub(crate) distribution: Distribution,
    pub(crate) dtype: DType,
}

impl Numbers {
    /// Elements that one block of four words makes; `None` for dtypes that the distribution does not have.
    pub(crate) fn block(self) -> Option<usize> {
        match (self.dtype.kind(), self.distribution) {
            (Kind::Float, _) => Some(if self.dtype.size() == 8 { 2 } else { 4 }),
            (Kind::Signed | Kind::Unsigned, Distribution::Uniform) => {
                Some(if self.dtype.size() == 8 { 1 } else { 2 })
            }
            _ => None,
        }
    }

    /// The text of the kernel `fill`.
    pub(crate) fn source(self) -> String {
        let words = match self.algorithm {
            Algorithm::Philox => include_str!("../../kernels/random/philox.cl"),
            Algorithm::Threefry => include_str!("../../kernels/random/threefry.cl"),
        };
        let values = match self.distribution {
            Distribution::Uniform => include_str!("../../kernels/random/uniform.cl"),
            Distribution::Normal => include_str!("../../kernels/random/normal.cl"),
        };
        let (types, fill) =
            (include_str!("../../kernels/random/types.cl"), include_str!("../../kernels/random/fill.cl"));
        [types, words, values, fill].join("\n")
    }

    /// The options that the text needs for a class of device.
    pub(crate) fn options(self, class: DeviceClass, rounds_division: bool) -> BuildOptions {
        let kind = match self.dtype.kind() {
            Kind::Float => "FLOATING".to_owned(),
            _ => format!("INTEGER={}", self.dtype.value_type()),
        };
        let (bits, block) = (8 * self.dtype.size(), self.block().unwrap_or(1));
        let chunks = if class == DeviceClass::Cpu { " -DCHUNKS" } else { "" };
        let division = if rounds_division { " -cl-fp32-correctly-rounded-divide-sqrt" } else { "" };
        BuildOptions::text(format!("-D{kind} -DBITS={bits} -DBLOCK={block}{chunks}{division}"))
    }
}
