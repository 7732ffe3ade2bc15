//! Structs as dtypes: fields at offsets, and padding that is kept.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

use smallvec::SmallVec;

use super::DType;
use crate::error::{Error, Result};

/// A field of a [`Record`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// A second name, as NumPy's titles.
    pub title: Option<String>,
    /// Bytes from the beginning of the record.
    pub offset: usize,
    /// The dtype, of each element if it is an array.
    pub dtype: DType,
    /// Lengths if it is an array, the last index running fastest.
    pub shape: SmallVec<[usize; 2]>,
}

impl Field {
    /// A field that is no array.
    #[must_use]
    pub fn new(name: &str, offset: usize, dtype: DType) -> Self {
        Self { name: name.to_owned(), title: None, offset, dtype, shape: SmallVec::new() }
    }

    /// Bytes of the field.
    #[must_use]
    pub fn size(&self) -> usize {
        self.shape.iter().product::<usize>() * self.dtype.size()
    }
}

/// A type of so many bytes with named fields in them, or without (then it is only moved).
///
/// Equal records are one; a record is as cheap to copy and to compare as a number. What lies between the fields is
/// moved with them.
#[derive(Clone, Copy)]
pub struct Record(&'static Definition);

struct Definition {
    number: usize,
    key: Key,
    /// Type of the elements in kernels.
    c_type: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    name: String,
    fields: Vec<Field>,
    size: usize,
}

/// Every record that was ever defined: a dtype is a value that outlives all contexts.
static DEFINITIONS: LazyLock<Mutex<HashMap<Key, Record>>> = LazyLock::new(Mutex::default);

impl Record {
    /// The record of that name, in errors and in C, with these fields in `size` bytes.
    ///
    /// Definitions are kept as long as the process runs.
    ///
    /// ```
    /// use opencl_array::dtype::{DType, Field, Record};
    ///
    /// # fn main() -> Result<(), opencl_array::Error> {
    /// let fields = vec![Field::new("tag", 0, DType::I8), Field::new("value", 4, DType::F32)];
    /// let record = Record::new("tagged", fields, 8)?;
    /// assert_eq!((record.size(), record.fields().len()), (8, 2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Record`] for a size of zero, fields beyond the size, and names that occur twice.
    pub fn new(name: &str, fields: Vec<Field>, size: usize) -> Result<Self> {
        let refuse = |problem| Err(Error::Record { name: name.to_owned(), problem });
        if size == 0 {
            return refuse("it has no bytes");
        }
        let inside = |field: &Field| field.offset.checked_add(field.size()).is_some_and(|end| end <= size);
        if !fields.iter().all(inside) {
            return refuse("a field is not inside of it");
        }
        let mut names: Vec<&String> =
            fields.iter().flat_map(|field| [Some(&field.name), field.title.as_ref()]).flatten().collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return refuse("a name is that of two fields");
        }
        let key = Key { name: name.to_owned(), fields, size };
        let mut known = DEFINITIONS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(record) = known.get(&key) {
            return Ok(*record);
        }
        let word = Word::of(size);
        let c_type = format!("record_{}x{}", word.size(), size / word.size());
        let definition = Definition { number: known.len(), key: key.clone(), c_type };
        let record = Self(Box::leak(Box::new(definition)));
        known.insert(key, record);
        Ok(record)
    }

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        &self.0.key.name
    }

    /// The fields in the order in which they were given.
    #[must_use]
    pub fn fields(self) -> &'static [Field] {
        &self.0.key.fields
    }

    /// The field of a name or a title.
    #[must_use]
    pub fn field(self, name: &str) -> Option<&'static Field> {
        self.fields().iter().find(|field| field.name == name || field.title.as_deref() == Some(name))
    }

    /// Bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        self.0.key.size
    }

    /// The struct of that name and these fields in OpenCL C, as a declaration. Devices lay it out as the record if it is of
    /// [`Record::on_device`]. Complex fields are of the types `cfloat_t` and `cdouble_t`.
    #[must_use]
    pub fn c_struct(self) -> String {
        let mut fields: Vec<&Field> = self.fields().iter().collect();
        fields.sort_by_key(|field| field.offset);
        let mut text = String::from("typedef struct {\n");
        for Field { name, dtype, shape, .. } in fields {
            let lengths: String = shape.iter().map(|length| format!("[{length}]")).collect();
            let _ = writeln!(text, "  {} {name}{lengths};", dtype.c_name());
        }
        let _ = writeln!(text, "}} {};\n", self.name());
        text
    }

    /// The structs that [`Record::c_struct`] names, each before it is used, and itself.
    #[must_use]
    pub fn c_structs(self) -> String {
        let mut known = Vec::new();
        self.collect(&mut known);
        known.into_iter().map(Self::c_struct).collect()
    }

    fn collect(self, known: &mut Vec<Self>) {
        for field in self.fields() {
            if let DType::Record(inner) = field.dtype {
                inner.collect(known);
            }
        }
        if !known.contains(&self) {
            known.push(self);
        }
    }

    /// Its number among the records.
    #[must_use]
    pub fn number(self) -> usize {
        self.0.number
    }

    /// What addresses of elements must be multiples of for kernels to move them in words.
    pub(crate) const fn alignment(self) -> usize {
        Word::of(self.size()).size()
    }

    /// Type of the elements in kernels, which know their bytes only.
    pub(crate) fn c_type(self) -> &'static str {
        &self.0.c_type
    }

    /// The declaration of [`Record::c_type`].
    pub(crate) fn declaration(self) -> String {
        let word = Word::of(self.size());
        let count = self.size() / word.size();
        format!("typedef struct {{ {} words[{count}]; }} {};\n", word.0.value_type(), self.c_type())
    }
}

/// The unsigned integer in pieces of which kernels move records: the largest of which a record has a whole number.
struct Word(DType);

impl Word {
    const fn of(size: usize) -> Self {
        Self(match size.trailing_zeros() {
            0 => DType::U8,
            1 => DType::U16,
            2 => DType::U32,
            _ => DType::U64,
        })
    }

    const fn size(&self) -> usize {
        self.0.size()
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.number() == other.number()
    }
}

impl Eq for Record {}

impl Hash for Record {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number().hash(state);
    }
}

impl PartialOrd for Record {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Record {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.number().cmp(&other.number())
    }
}

impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Record({})", self.name())
    }
}
