//! Fields of records, components of vectors, and elements given by their bytes.

use opencl_runtime::CommandQueue;

use super::Array;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::{Layout, Order, Shape, Strides};

impl Array {
    /// A field of the records (by name or title), or a component of the vectors (`x`, `s1`, …), as a view; of a field
    /// that is an array, its dimensions come last.
    ///
    /// ```
    /// use opencl_array::dtype::{DType, Field, Record};
    /// use opencl_array::{Array, Order, ops};
    /// use opencl_runtime::{CommandQueue, Context};
    ///
    /// # fn main() -> Result<(), opencl_array::Error> {
    /// let queue = CommandQueue::new(&Context::from_environment()?)?;
    /// let fields = vec![Field::new("tag", 0, DType::U8), Field::new("value", 1, DType::F32)];
    /// let dtype = DType::Record(Record::new("packed", fields, 5)?);
    /// let records = Array::from_host(&queue, &[2], dtype, Order::C, &[7, 0, 0, 128, 63, 8, 0, 0, 0, 64])?;
    /// let values = records.field("value")?;
    /// assert_eq!(values.to_vec::<f32>()?, [1.0, 2.0]);
    /// values.assign(&ops::multiply(&values, 10.0_f32, None)?, None)?;
    /// assert_eq!(records.field("tag")?.to_vec::<u8>()?, [7, 8]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Field`] if there is none of that name.
    pub fn field(&self, name: &str) -> Result<Self> {
        let unknown = || Error::Field { name: name.to_owned(), dtype: self.dtype };
        let (offset, dtype, inner): (usize, DType, &[usize]) = match self.dtype {
            DType::Vector(vector) => {
                let component = vector.component(name).ok_or_else(unknown)?;
                (component * vector.element().size(), vector.element(), &[])
            }
            DType::Record(record) => {
                let field = record.field(name).ok_or_else(unknown)?;
                (field.offset, field.dtype, &field.shape)
            }
            _ => return Err(unknown()),
        };
        let within = Layout::contiguous(inner, dtype.size(), Order::C)?;
        let shape: Shape = self.shape().iter().chain(inner).copied().collect();
        let strides: Strides = self.layout.strides().iter().chain(within.strides()).copied().collect();
        let layout = Layout::strided(&shape, &strides, self.layout.offset() + offset, dtype.size())?;
        Ok(Self { dtype, ..self.view(layout) })
    }

    /// Sets every element to the one of these bytes.
    ///
    /// # Errors
    /// [`Error::HostSize`] if an element has another size; [`Error::NoQueue`]; what transfer and launch give.
    pub fn fill_bytes(&self, element: &[u8], queue: Option<&CommandQueue>) -> Result<()> {
        let queue = queue.or(self.queue()).ok_or(Error::NoQueue)?;
        self.assign(&Self::from_host(queue, &[], self.dtype, Order::C, element)?, Some(queue))
    }
}
