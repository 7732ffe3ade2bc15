//! The kernels of a context: built once, found again by a small key.
//!
//! They hang on the context and so must not hold it; what they hold are kernels.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, PoisonError, RwLock};

use opencl_runtime::constants::DeviceFpConfig;
use opencl_runtime::{BuildOptions, CommandQueue, Context, Device, DeviceType, Kernel, Program, cache};

use crate::bit_hasher::BitHasher;
use crate::codegen::{Recipe, SECOND_REDUCTION, Skeleton, source, source_of_both};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::plan::DeviceClass;
use crate::random::Numbers;

/// Sizes that kernels for a device are launched with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Profile {
    pub(crate) class: DeviceClass,
    /// Base-2 logarithm of the work-group size on GPUs, and of the largest that the device takes.
    pub(crate) group_bits: u8,
    largest_group_bits: u8,
    pub(crate) compute_units: u32,
    pub(crate) fp64: bool,
    /// Bytes of the vectors by which functions are called on CPUs.
    pub(crate) vector_bytes: u8,
    /// Whether it is one of PoCL's, with whose vectors care is needed.
    pub(crate) pocl: bool,
    pub(crate) tuning: Tuning,
}

/// Shapes of elementwise kernels that may be set for measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tuning {
    /// Work-items per group on GPUs, a power of two; at most what the device takes, and 1024.
    pub group: usize,
    /// Loads in flight per work-item on GPUs, if not the usual number for the dtypes.
    pub items: Option<usize>,
    /// Bytes of one load on GPUs, if not the usual number for the dtypes; 0 for single elements.
    pub vector: Option<usize>,
    /// Longest side of tiles.
    pub tile: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { group: 256, items: None, vector: None, tile: 64 }
    }
}

impl Tuning {
    /// How many elements of the largest size one load takes, where all lie next to each other.
    pub(crate) fn vector_of(self, size: usize) -> usize {
        match self.vector {
            Some(bytes) => (bytes / size.max(1)).clamp(1, 16),
            // A work-item can keep 16 bytes of larger elements in flight by itself.
            None if size <= 2 => 16 / size.max(1),
            None => 1,
        }
    }

    /// The same along rows, where indices cost more.
    pub(crate) fn row_vector_of(self, size: usize) -> usize {
        (self.vector.unwrap_or(8) / size.max(1)).clamp(1, 16)
    }

    /// Side of the squares of elements that a work-item turns in registers.
    pub(crate) fn block_of(self, size: usize) -> usize {
        if size <= 2 && self.vector != Some(0) { 4 } else { 1 }
    }
}

impl Profile {
    fn of(device: &Device) -> Result<Self> {
        let class =
            if device.type_()?.contains(DeviceType::CPU) { DeviceClass::Cpu } else { DeviceClass::Gpu };
        let largest = device.max_work_group_size()?.max(1);
        let pocl = device.platform()?.name()?.contains("Portable Computing Language");
        // Compilers of PoCL fail on 64 bytes (3.0 with LLVM 14: `cannot select` in its own functions).
        let wide = !pocl && device.native_vector_width_float()? >= 16;
        Ok(Self {
            class,
            group_bits: largest.min(Tuning::default().group).ilog2() as u8,
            largest_group_bits: largest.min(1024).ilog2() as u8,
            tuning: Tuning::default(),
            compute_units: device.max_compute_units()?.max(1),
            fp64: device.has_extension("cl_khr_fp64")?,
            vector_bytes: if wide { 64 } else { 32 },
            pocl,
        })
    }

    /// The same with work-groups of twice the size, where the device takes them.
    pub(crate) fn with_larger_groups(self) -> Self {
        Self { group_bits: self.largest_group_bits.min(self.group_bits + 1).max(self.group_bits), ..self }
    }
}

/// A built kernel and the number of elements that one work-item of it handles at a time.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) kernel: Kernel,
    pub(crate) items: usize,
}

/// The kernels of a context.
#[derive(Debug, Default)]
pub(crate) struct Kernels {
    devices: RwLock<Vec<(Device, Profile)>>,
    eager: RwLock<HashMap<u64, Arc<Compiled>, BuildHasherDefault<BitHasher>>>,
    general: RwLock<HashMap<(Recipe, u8, usize), Arc<Compiled>>>,
    random: RwLock<HashMap<(Numbers, DeviceClass), Arc<Compiled>>>,
}

impl Kernels {
    /// What is known of a queue's device.
    pub(crate) fn profile(&self, device: &Device) -> Result<Profile> {
        let known = self.devices.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, profile)) = known.iter().find(|(known, _)| known == device) {
            return Ok(*profile);
        }
        drop(known);
        let profile = Profile::of(device)?;
        self.devices.write().unwrap_or_else(PoisonError::into_inner).push((device.clone(), profile));
        Ok(profile)
    }

    /// Shapes kernels for a device as for this class from now on.
    fn reshape_for(&self, device: &Device, class: DeviceClass) -> Result<()> {
        self.set_profile(device, Profile { class, ..self.profile(device)? });
        Ok(())
    }

    /// Gives kernels for a device other shapes from now on.
    fn tune(&self, device: &Device, tuning: Tuning) -> Result<()> {
        let group = device.max_work_group_size()?.min(tuning.group).clamp(1, 1024);
        let profile = Profile { group_bits: group.ilog2() as u8, tuning, ..self.profile(device)? };
        self.set_profile(device, profile);
        self.eager.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.general.write().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }

    fn set_profile(&self, device: &Device, profile: Profile) {
        let mut devices = self.devices.write().unwrap_or_else(PoisonError::into_inner);
        devices.retain(|(known, _)| known != device);
        devices.push((device.clone(), profile));
    }

    /// The kernel of a single operation, by the bits that say which; `recipe` is asked on a miss only.
    pub(crate) fn eager(
        &self,
        key: u64,
        queue: &CommandQueue,
        profile: Profile,
        recipe: impl FnOnce() -> Result<Recipe>,
    ) -> Result<Arc<Compiled>> {
        if let Some(found) = self.eager.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(found.clone());
        }
        let compiled = self.general(recipe()?, queue, profile)?;
        self.eager.write().unwrap_or_else(PoisonError::into_inner).insert(key, compiled.clone());
        Ok(compiled)
    }

    /// The kernel of a recipe.
    pub(crate) fn general(
        &self,
        recipe: Recipe,
        queue: &CommandQueue,
        profile: Profile,
    ) -> Result<Arc<Compiled>> {
        let usual = match (recipe.skeleton, recipe.class.ndim, recipe.class.vector) {
            (Skeleton::Elementwise, 1.., vector) => {
                let dtypes = recipe.expr.array_dtypes().chain([recipe.output]);
                items_of_rows(dtypes, vector.into())
            }
            (_, _, 1) => items(recipe.skeleton, recipe.expr.array_dtypes()),
            _ => VECTORS,
        };
        let items = profile.tuning.items.unwrap_or(usual);
        self.of_items(recipe, items, queue, profile)
    }

    /// The kernel of a recipe with so many elements in flight per work-item on GPUs.
    pub(crate) fn of_items(
        &self,
        recipe: Recipe,
        items: usize,
        queue: &CommandQueue,
        profile: Profile,
    ) -> Result<Arc<Compiled>> {
        let key = (recipe, profile.group_bits, items);
        if let Some(found) = self.general.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(found.clone());
        }
        let compiled = Arc::new(build(&key.0, items, queue, profile)?);
        self.general.write().unwrap_or_else(PoisonError::into_inner).insert(key, compiled.clone());
        Ok(compiled)
    }

    /// The kernels of a reduction and of that of its results, which are built together.
    pub(crate) fn reductions(
        &self,
        first: (Recipe, usize),
        second: (Recipe, usize),
        queue: &CommandQueue,
        profile: Profile,
    ) -> Result<[Arc<Compiled>; 2]> {
        let [first, second] = [first, second].map(|(recipe, items)| (recipe, profile.group_bits, items));
        let (one, other) = {
            let general = self.general.read().unwrap_or_else(PoisonError::into_inner);
            (general.get(&first).cloned(), general.get(&second).cloned())
        };
        if one.is_none() && other.is_none() {
            let text = source_of_both(&first.0, &second.0, second.2);
            let program = program(&text, &first.0, first.2, queue, profile)?;
            let compiled =
                |name, items| Ok::<_, Error>(Arc::new(Compiled { kernel: program.kernel(name)?, items }));
            let built = [compiled(first.0.kernel_name(), first.2)?, compiled(SECOND_REDUCTION, second.2)?];
            let mut general = self.general.write().unwrap_or_else(PoisonError::into_inner);
            general.insert(first, built[0].clone());
            general.insert(second, built[1].clone());
            return Ok(built);
        }
        let alone = |found: Option<Arc<Compiled>>, (recipe, _, items)| match found {
            Some(compiled) => Ok(compiled),
            None => self.of_items(recipe, items, queue, profile),
        };
        Ok([alone(one, first)?, alone(other, second)?])
    }

    /// The kernel that fills memory with random numbers.
    pub(crate) fn random(
        &self,
        numbers: Numbers,
        context: &Context,
        device: &Device,
    ) -> Result<Arc<Compiled>> {
        let profile = self.profile(device)?;
        let key = (numbers, profile.class);
        if let Some(found) = self.random.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(found.clone());
        }
        if numbers.dtype.needs_fp64() && !profile.fp64 {
            return Err(Error::NoFp64 { dtype: numbers.dtype, device: device.name()? });
        }
        let rounds_division = context.devices()?.iter().all(rounds_division_correctly);
        let options = numbers.options(profile.class, rounds_division);
        let kernel = cache::build(context, &numbers.source(), &options)?.kernel("fill")?;
        let compiled = Arc::new(Compiled { kernel, items: numbers.block().unwrap_or(1) });
        self.random.write().unwrap_or_else(PoisonError::into_inner).insert(key, compiled.clone());
        Ok(compiled)
    }
}

fn build(recipe: &Recipe, items: usize, queue: &CommandQueue, profile: Profile) -> Result<Compiled> {
    let program = program(&source(recipe), recipe, items, queue, profile)?;
    let kernel = program.kernel(recipe.kernel_name())?;
    Ok(Compiled { kernel, items: items * usize::from(recipe.class.vector) })
}

/// The program of a text that was made of a recipe.
fn program(
    text: &str,
    recipe: &Recipe,
    items: usize,
    queue: &CommandQueue,
    profile: Profile,
) -> Result<Program> {
    if let Some(dtype) = recipe.needs_fp64()
        && !profile.fp64
    {
        return Err(Error::NoFp64 { dtype, device: queue.device().name()? });
    }
    let mut options = format!("-DGROUP={} -DITEMS={items} -DLANES={LANES}", 1u32 << profile.group_bits);
    if profile.class == DeviceClass::Cpu {
        let apart = if profile.pocl { " -DANGLES_APART" } else { "" };
        let _ = write!(options, " -DLANES_BYTES={}{apart}", profile.vector_bytes);
    }
    // As NumPy computes. Devices that cannot do it say so.
    if queue.context().devices()?.iter().all(rounds_division_correctly) {
        options.push_str(" -cl-fp32-correctly-rounded-divide-sqrt");
    }
    log::debug!("building {options}\n{text}");
    Ok(cache::build(queue.context(), text, &BuildOptions::text(options))?)
}

/// Gives elementwise kernels for a queue's device, in its context, other shapes. Results stay the same; measurements
/// ask for it.
///
/// # Errors
/// What asking the device gives.
pub fn tune_kernels_for(queue: &CommandQueue, tuning: Tuning) -> Result<()> {
    crate::per_context::PerContext::of(queue.context()).kernels.tune(queue.device(), tuning)
}

/// Shapes the kernels for a queue's device, in its context, as for another class of device than it says it is.
/// Results stay the same; tests and tuning ask for it.
///
/// # Errors
/// What asking the device gives.
pub fn shape_kernels_for(queue: &CommandQueue, class: DeviceClass) -> Result<()> {
    crate::per_context::PerContext::of(queue.context()).kernels.reshape_for(queue.device(), class)
}

/// Accumulators of a work-item in reductions on CPUs.
const LANES: usize = 32;

/// Vectors in flight per work-item on GPUs in flat walks.
const VECTORS: usize = 1;

/// Vectors in flight per work-item on GPUs along rows: 16 bytes together. More take registers for their places.
fn items_of_rows(dtypes: impl Iterator<Item = DType>, vector: usize) -> usize {
    let largest = dtypes.map(DType::size).max().unwrap_or(1).max(1);
    (16 / (vector * largest)).clamp(2, 8)
}

/// Elements in flight per work-item on GPUs: enough loads to fill the memory pipeline, more of small elements, and
/// more in reductions, which store nothing meanwhile.
pub(crate) fn items(skeleton: Skeleton, arrays: impl Iterator<Item = DType>) -> usize {
    let elementwise = match arrays.map(DType::size).max() {
        Some(1 | 2) => 8,
        // Large vectors and records would take many registers.
        Some(65..) => 1,
        Some(17..) => 2,
        _ => 4,
    };
    match skeleton {
        Skeleton::Elementwise | Skeleton::Scan(..) => elementwise,
        Skeleton::Reduction(_) => 2 * elementwise,
    }
}

fn rounds_division_correctly(device: &Device) -> bool {
    device
        .single_fp_config()
        .is_ok_and(|config| config.contains(DeviceFpConfig::CORRECTLY_ROUNDED_DIVIDE_SQRT))
}
