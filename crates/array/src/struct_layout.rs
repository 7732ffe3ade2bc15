//! How a device lays out a struct of C: its compiler is asked.

use std::fmt::Write as _;

use opencl_runtime::{BuildOptions, CommandQueue, cache};

use crate::array::Array;
use crate::codegen::render;
use crate::dtype::{DType, Field, Record};
use crate::error::Result;
use crate::kernels::Compiled;
use crate::launch::fill;
use crate::layout::Order;

/// The layout of a struct in a device's memory, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructLayout {
    /// Distance of neighbours in an array.
    pub size: usize,
    /// What addresses are multiples of.
    pub alignment: usize,
    /// Of each member, from the beginning of the struct.
    pub offsets: Vec<usize>,
}

impl StructLayout {
    /// Asks the compiler of the queue's device about the type `name`, which the C text `declarations` declares,
    /// and its members. The text may use `cfloat_t` and `cdouble_t`.
    ///
    /// ```
    /// use opencl_array::StructLayout;
    /// use opencl_runtime::{CommandQueue, Context};
    ///
    /// # fn main() -> Result<(), opencl_array::Error> {
    /// let queue = CommandQueue::new(&Context::from_environment()?)?;
    /// let declaration = "typedef struct { char tag; int3 at; short rest[3]; } item;";
    /// let layout = StructLayout::measure(&queue, declaration, "item", &["tag", "at", "rest"])?;
    /// assert_eq!((layout.size, layout.alignment), (48, 16));
    /// assert_eq!(layout.offsets, [0, 16, 32]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// That the text does not compile, or what memory and launch give.
    pub fn measure(queue: &CommandQueue, declarations: &str, name: &str, members: &[&str]) -> Result<Self> {
        let mut lines = String::new();
        for (number, member) in members.iter().enumerate() {
            let _ = writeln!(lines, "out[{}] = OFFSET(TYPE, {member});", 2 + number);
        }
        let text = render(
            include_str!("../kernels/struct_layout.cl"),
            &[("declarations", declarations.to_owned()), ("offsets", lines)],
        );
        let options = BuildOptions::text(format!("-DTYPE={name}"));
        let kernel = cache::build(queue.context(), &text, &options)?.kernel("struct_layout")?;
        let answers = Array::empty(queue, &[2 + members.len()], DType::U64, Order::C)?;
        let profile = answers.storage().kernels().profile(queue.device())?;
        fill(queue, profile, &Compiled { kernel, items: 1 }, &answers, &[], 1)?;
        let mut answers = answers.to_vec::<u64>()?.into_iter().map(|bytes| bytes as usize);
        // There are two answers at least.
        let [size, alignment] = [(); 2].map(|()| answers.next().unwrap_or_default());
        Ok(Self { size, alignment, offsets: answers.collect() })
    }
}

impl Record {
    /// The record of these fields, in this order, as a struct of that name is laid out by the queue's device; the offsets
    /// of the fields are not looked at. Records among the fields must be of this function too.
    ///
    /// ```
    /// use opencl_array::dtype::{DType, Field, Record};
    /// use opencl_runtime::{CommandQueue, Context};
    ///
    /// # fn main() -> Result<(), opencl_array::Error> {
    /// let queue = CommandQueue::new(&Context::from_environment()?)?;
    /// let fields = vec![Field::new("tag", 0, DType::I8), Field::new("value", 0, DType::F32)];
    /// let record = Record::on_device(&queue, "tagged", fields)?;
    /// assert_eq!((record.size(), record.fields()[1].offset), (8, 4));
    /// assert_eq!(record.c_struct(), "typedef struct {\n  char tag;\n  float value;\n} tagged;\n\n");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Record::new`] and [`StructLayout::measure`].
    pub fn on_device(queue: &CommandQueue, name: &str, mut fields: Vec<Field>) -> Result<Self> {
        // In this order, one after the other, until the device has said where they are.
        let mut end = 0;
        for field in &mut fields {
            field.offset = end;
            end += field.size();
        }
        let packed = Self::new(name, fields.clone(), end)?;
        let members: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let layout = StructLayout::measure(queue, &packed.c_structs(), name, &members)?;
        for (field, offset) in fields.iter_mut().zip(layout.offsets) {
            field.offset = offset;
        }
        Self::new(name, fields, layout.size)
    }
}
