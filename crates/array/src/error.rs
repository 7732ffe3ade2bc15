//! The one error type of this crate: each variant is a situation.

use std::sync::Arc;

use crate::dtype::DType;
use crate::layout::{Shape, Tuple};

/// Result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with arrays.
///
/// `{:?}` gives the same text as `{}`: it is what a `main` that returns the error prints.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two shapes do not broadcast together.
    #[error("operands of shapes {} and {} do not broadcast together", Tuple(lhs), Tuple(rhs))]
    Broadcast {
        /// The first shape.
        lhs: Shape,
        /// The shape that does not fit it.
        rhs: Shape,
    },
    /// An output array does not have the shape of the result.
    #[error("the output has shape {}, but the result has shape {}", Tuple(found), Tuple(expected))]
    OutputShape {
        /// Shape of the result.
        expected: Shape,
        /// Shape of the given output.
        found: Shape,
    },
    /// An operation is not defined for these dtypes.
    #[error("{operation} is not defined for {}", DType::list(dtypes))]
    Undefined {
        /// The operation, as a word.
        operation: &'static str,
        /// The operands' dtypes.
        dtypes: Vec<DType>,
    },
    /// A result cannot be stored in an output of this dtype without losing its kind.
    #[error("cannot store a result of dtype {from} in an output of dtype {to}")]
    OutputDType {
        /// Dtype of the result.
        from: DType,
        /// Dtype of the output.
        to: DType,
    },
    /// An infinity or NaN for an element of an integer dtype.
    #[error("cannot convert {value} to {dtype}")]
    NotFinite {
        /// The number.
        value: f64,
        /// The dtype.
        dtype: DType,
    },
    /// A Python integer does not fit the dtype it has to take.
    #[error("integer {value} is out of bounds for {dtype}")]
    OutOfBounds {
        /// The integer.
        value: i128,
        /// The dtype that it does not fit.
        dtype: DType,
    },
    /// Random numbers are asked for in a range that has none, or whose length the dtype does not hold.
    #[error("no numbers of {dtype} are drawn from {low} to {high}: the range is empty or too long")]
    Range {
        /// The least number.
        low: f64,
        /// The end of the range.
        high: f64,
        /// The dtype.
        dtype: DType,
    },
    /// Integers to negative integer powers have no integer result.
    #[error("integers to negative integer powers are not allowed")]
    NegativePower,
    /// A maximum or minimum of no elements was asked for.
    #[error("{operation} of an empty array has no value")]
    EmptyReduction {
        /// The reduction, as a word.
        operation: &'static str,
    },
    /// Operands live in different contexts.
    #[error("operands live in different contexts")]
    DifferentContexts,
    /// An event belongs to another context than the memory whose commands are to wait for it.
    #[error("the event belongs to another context than the array")]
    EventOfOtherContext,
    /// Neither an operand nor the caller names a queue.
    #[error("no queue: give one, or use an array that has one")]
    NoQueue,
    /// The device cannot compute with double precision.
    #[error("this operation needs {dtype}, but device {device:?} lacks fp64 (cl_khr_fp64)")]
    NoFp64 {
        /// The dtype that needs it.
        dtype: DType,
        /// Name of the device.
        device: String,
    },
    /// A dimension is negative.
    #[error("negative dimension {dimension} in a shape")]
    NegativeDimension {
        /// The dimension.
        dimension: i64,
    },
    /// The size in bytes of an array does not fit the address space.
    #[error("an array of shape {} with items of {item_size} bytes is too large", Tuple(shape))]
    TooLarge {
        /// The shape asked for.
        shape: Shape,
        /// Bytes per item.
        item_size: usize,
    },
    /// A number of strides, axes or the like does not match the number of dimensions.
    #[error("{found} {what} given for an array of {expected} dimensions")]
    Dimensions {
        /// What was given.
        what: &'static str,
        /// Number of dimensions.
        expected: usize,
        /// Number given.
        found: usize,
    },
    /// A layout reaches beyond the memory it describes.
    #[error("the layout spans bytes {low}..{high} of a buffer of {size} bytes")]
    OutOfBuffer {
        /// First byte (may be negative).
        low: isize,
        /// One past the last byte.
        high: isize,
        /// Bytes in the buffer.
        size: usize,
    },
    /// A layout reaches before the memory it describes, whatever the size of that is.
    #[error("the layout spans bytes {low}..{high}, but memory begins at byte 0")]
    BeforeBuffer {
        /// First byte, negative.
        low: isize,
        /// One past the last byte.
        high: isize,
    },
    /// An axis does not exist.
    #[error("axis {axis} is out of bounds for an array of {dimensions} dimensions")]
    Axis {
        /// The axis given.
        axis: isize,
        /// Number of dimensions.
        dimensions: usize,
    },
    /// Axes of a transposition are not a permutation.
    #[error("axes {} are not a permutation", Tuple(axes))]
    NotAPermutation {
        /// The axes given.
        axes: Vec<usize>,
    },
    /// Arrays were to be joined, but there is none.
    #[error("{operation} needs at least one array")]
    NothingToJoin {
        /// The operation, as a word.
        operation: &'static str,
    },
    /// Arrays of shapes that do not fit were to be joined.
    #[error(
        "{operation}: array number {number} has shape {}, which does not fit shape {} of the first one",
        Tuple(found),
        Tuple(first)
    )]
    JoinShapes {
        /// The operation, as a word.
        operation: &'static str,
        /// Number of the array that does not fit, from 0.
        number: usize,
        /// Shape of the first array.
        first: Shape,
        /// Shape of the one that does not fit it.
        found: Shape,
    },
    /// An inner product of arrays of different shapes was asked for.
    #[error("{operation}: shapes {} and {} are not aligned", Tuple(lhs), Tuple(rhs))]
    NotAligned {
        /// The operation, as a word.
        operation: &'static str,
        /// Shape of the first array.
        lhs: Shape,
        /// Shape of the second array.
        rhs: Shape,
    },
    /// An index is out of bounds.
    #[error("index {index} is out of bounds for axis {axis} with size {size}")]
    Index {
        /// The index given.
        index: isize,
        /// The axis.
        axis: usize,
        /// Its length.
        size: usize,
    },
    /// An array that is to be an index holds no integers.
    #[error("arrays of positions hold integers, and masks truth values; found {dtype}")]
    IndexDType {
        /// The dtype found.
        dtype: DType,
    },
    /// A mask does not have the shape of what it is the mask of.
    #[error(
        "the mask has shape {}, but the axes from number {axis} on that it stands for have shape {}",
        Tuple(mask),
        Tuple(shape)
    )]
    MaskShape {
        /// The first axis that the mask stands for.
        axis: usize,
        /// Shape of the mask.
        mask: Shape,
        /// Shape of those axes.
        shape: Shape,
    },
    /// A mask without dimensions is beside other arrays in an index.
    #[error("a mask without dimensions must be the only array of an index, but there are others")]
    MaskBesideArrays,
    /// Values for the elements that a mask names are not as many.
    #[error("cannot set the {expected} elements where the mask is true to {found} values")]
    MaskCount {
        /// Number of elements.
        expected: usize,
        /// Number of values.
        found: usize,
    },
    /// More indices than dimensions, or several ellipses.
    #[error("too many indices or ellipses for an array of {dimensions} dimensions")]
    TooManyIndices {
        /// Number of dimensions.
        dimensions: usize,
    },
    /// A slice has step zero, or a range has none.
    #[error("step cannot be zero")]
    ZeroStep,
    /// A reshape changes the number of elements.
    #[error("cannot reshape {size} elements into shape {}", Tuple(shape))]
    ReshapeSize {
        /// Number of elements.
        size: usize,
        /// Shape asked for.
        shape: Vec<i64>,
    },
    /// A reshape of a strided array would need a copy.
    #[error("shape {} cannot be had from these strides without a copy", Tuple(shape))]
    ReshapeCopies {
        /// Shape asked for.
        shape: Shape,
    },
    /// More than one length of a shape is left to be found.
    #[error("only one length of a shape may be -1, found {}", Tuple(shape))]
    UnknownLengths {
        /// Shape asked for.
        shape: Vec<i64>,
    },
    /// Elements are to be read as those of another size, which their layout does not allow.
    #[error("elements of dtype {from} in shape {} cannot be read as {to} without a copy", Tuple(shape))]
    ViewSize {
        /// Dtype of the elements.
        from: DType,
        /// Dtype asked for.
        to: DType,
        /// Shape of the array.
        shape: Shape,
    },
    /// Host memory has another size than the array.
    #[error("host memory has {found} bytes, but the array has {expected}")]
    HostSize {
        /// Bytes in the array.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// The elements were asked for as another type than they have.
    #[error("the array has elements of dtype {array}, but {asked} was asked for")]
    ElementType {
        /// Dtype of the array.
        array: DType,
        /// Dtype of the Rust type asked for.
        asked: DType,
    },
    /// A text is no declaration of a kernel argument.
    #[error("cannot read {text:?} as the declaration of a kernel argument: {problem}")]
    Declaration {
        /// The text.
        text: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A declaration names memory that is not global.
    #[error("{text:?} declares local or constant memory, which no array is in")]
    AddressSpace {
        /// The text.
        text: String,
    },
    /// A record cannot be.
    #[error("no record {name:?} can be: {problem}")]
    Record {
        /// Its name.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The elements of an array have no field of that name.
    #[error("elements of dtype {dtype} have no field {name:?}")]
    Field {
        /// The name.
        name: String,
        /// The dtype of the elements.
        dtype: DType,
    },
    /// A declaration names a type that nobody made known.
    #[error("unknown type '{name}'")]
    UnknownType {
        /// Name of the type.
        name: String,
    },
    /// What an operator of an expression found wrong with its operands, told when it is computed.
    #[error(transparent)]
    InExpression(Arc<Error>),
    /// An allocator reported an error of its own.
    #[error(transparent)]
    Allocator(Box<dyn std::error::Error + Send + Sync>),
    /// A hook of launches reported an error of its own.
    #[error(transparent)]
    Hook(Box<dyn std::error::Error + Send + Sync>),
    /// A kernel got another number of arguments than it has.
    #[error("`{name}` has {expected} arguments, {found} were given")]
    ArgumentCount {
        /// Name of the kernel.
        name: String,
        /// How many it has.
        expected: usize,
        /// How many came.
        found: usize,
    },
    /// An argument is not what the kernel declares.
    #[error("the argument `{name}` needs {expected}, not {found}")]
    ArgumentKind {
        /// The parameter.
        name: String,
        /// What it needs.
        expected: &'static str,
        /// What came.
        found: String,
    },
    /// No argument of a kernel that counts the elements of its first array is an array.
    #[error("at least one argument must be an array: the first one tells how many elements there are")]
    NoArrays,
    /// The runtime reported an error.
    #[error(transparent)]
    Runtime(#[from] opencl_runtime::Error),
}

impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
