//! Arrays from slices of Rust numbers, and back into vectors.

use bytemuck::Zeroable;
use opencl_runtime::{CommandQueue, ask_for_huge_pages};

use super::Array;
use crate::dtype::Element;
use crate::error::{Error, Result};
use crate::layout::Order;

impl Array {
    /// An array of one dimension with these elements.
    ///
    /// ```
    /// use opencl_array::{Array, Error, ops};
    /// use opencl_runtime::{CommandQueue, Context};
    ///
    /// # fn main() -> Result<(), Error> {
    /// let queue = CommandQueue::new(&Context::from_environment()?)?;
    /// let a = Array::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
    /// let b = ops::multiply(&a, 2.0_f32, None)?;
    /// assert_eq!(b.to_vec::<f32>()?, [2.0, 4.0, 6.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::empty`]; what the transfer gives.
    pub fn from_slice<T: Element>(queue: &CommandQueue, elements: &[T]) -> Result<Self> {
        Self::from_slice_with_shape(queue, &[elements.len()], elements)
    }

    /// An array of this shape with these elements, the last index running fastest.
    ///
    /// # Errors
    /// [`Error::HostSize`] if the shape has another number of elements; as [`Array::empty`]; what the transfer
    /// gives.
    pub fn from_slice_with_shape<T: Element>(
        queue: &CommandQueue,
        shape: &[usize],
        elements: &[T],
    ) -> Result<Self> {
        Self::from_host(queue, shape, T::DTYPE, Order::C, bytemuck::cast_slice(elements))
    }

    /// Copies the elements to the host, the last index running fastest, and waits for it.
    ///
    /// # Errors
    /// [`Error::ElementType`] if the array holds another type than `T`; as [`Array::read`].
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        if T::DTYPE != self.dtype {
            return Err(Error::ElementType { array: self.dtype, asked: T::DTYPE });
        }
        let mut bits = vec![T::Bits::zeroed(); self.layout.size()];
        ask_for_huge_pages(&mut bits);
        self.read(bytemuck::cast_slice_mut(&mut bits), Order::C, None)?;
        Ok(bits.into_iter().map(T::from_bits).collect())
    }
}
