//! Programs built before: found again in memory or on disk instead of being compiled anew.
//!
//! A program is known by a hash over its source, every file that it includes (recursively), the options,
//! the devices with their drivers, and the version of this crate (`key`). Files are written under
//! another name and renamed, and carry a checksum, so that any number of processes may share a directory
//! without locks (`store`). Whatever is wrong with a cache costs a build and is never an error.

mod include;
mod key;
mod memory;
mod store;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use opencl_driver::status;

use crate::{BuildOptions, Context, Device, Error, Program, Result};
use memory::Memory;

/// Where built programs are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cache {
    /// Nowhere: always compile.
    Off,
    /// In this directory, which is made if needed, and in memory.
    Directory(PathBuf),
}

impl Cache {
    /// The user's cache directory: `$XDG_CACHE_HOME/pyopencl` or `~/.cache/pyopencl`
    /// (`~/Library/Caches` on macOS, `%LOCALAPPDATA%` on Windows); [`Cache::Off`] if `PYOPENCL_NO_CACHE`
    /// holds a word for yes, or if there is no home.
    #[must_use]
    pub fn of_user() -> Self {
        let home = |below: &str| variable("HOME").map(|home| PathBuf::from(home).join(below));
        let root = variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| {
            if cfg!(windows) {
                variable("LOCALAPPDATA").map(PathBuf::from)
            } else if cfg!(target_os = "macos") {
                home("Library/Caches")
            } else {
                home(".cache")
            }
        });
        root.map_or(Self::Off, |root| Self::in_directory(root.join("pyopencl").join("programs-1")))
    }

    /// In this directory; [`Cache::Off`] if `PYOPENCL_NO_CACHE` holds a word for yes.
    #[must_use]
    pub fn in_directory(directory: impl Into<PathBuf>) -> Self {
        match variable("PYOPENCL_NO_CACHE") {
            Some(word) if is_yes(&word.to_string_lossy()) => Self::Off,
            _ => Self::Directory(directory.into()),
        }
    }

    /// In the directory that was [set](set_directory) for the context, else the user's.
    #[must_use]
    pub fn of_context(context: &Context) -> Self {
        directory(context).map_or_else(Self::of_user, Self::in_directory)
    }
}

/// A variable that is set, and not to an empty text.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    #[allow(clippy::disallowed_methods, reason = "the place of the crate that reads variables")]
    std::env::var_os(name).filter(|value| !value.is_empty())
}

#[derive(Default)]
struct Place(Mutex<Option<PathBuf>>);

/// The directory that was set for the programs of a context.
#[must_use]
pub fn directory(context: &Context) -> Option<PathBuf> {
    context.slot(Place::default).0.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Sets the directory in which the programs of a context are kept; `None` for the user's.
pub fn set_directory(context: &Context, directory: Option<PathBuf>) {
    *context.slot(Place::default).0.lock().unwrap_or_else(PoisonError::into_inner) = directory;
}

/// The words that mean yes in an environment variable.
#[must_use]
pub fn is_yes(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "1" | "y" | "yes" | "t" | "true" | "on")
}

/// A built program, and whether it was found.
#[derive(Debug)]
pub struct Built {
    /// The program.
    pub program: Program,
    /// Whether it came from the cache.
    pub found: bool,
}

/// Builds a program for all devices of the context with the context's cache.
///
/// # Errors
/// As for [`Program::build`].
pub fn build(context: &Context, source: &str, options: &BuildOptions) -> Result<Program> {
    build_in(&Cache::of_context(context), context, source, options, None).map(|built| built.program)
}

/// Builds a program for some devices (all of the context by default), with a cache.
///
/// # Errors
/// As for [`Program::build`]. With a value in the variable `PYOPENCL_CACHE_FAILURE_FATAL`, also
/// `OUT_OF_RESOURCES` if the cache cannot be written.
pub fn build_in(
    cache: &Cache,
    context: &Context,
    source: &str,
    options: &BuildOptions,
    devices: Option<&[Device]>,
) -> Result<Built> {
    let compile = || {
        let program = Program::with_source(context, source)?;
        program.build_for(options, devices)?;
        Ok(program)
    };
    // Information about arguments is lost in the binaries of some drivers.
    let cached = !options.as_str().contains("-cl-kernel-arg-info");
    let (Cache::Directory(directory), true) = (cache, cached) else {
        return compile().map(|program| Built { program, found: false });
    };
    let memory = context.slot(Memory::default);
    let all;
    let devices_or_all = match devices {
        Some(devices) => devices,
        None => {
            all = context.devices()?;
            &all
        }
    };
    let key = memory.identity(devices_or_all).and_then(|identity| key::of(source, options, &identity));
    let Some(key) = key else {
        // An include that only the compiler can resolve: no key would be safe.
        return compile().map(|program| Built { program, found: false });
    };
    if let Some(program) = find(&memory, directory, &key, context, source, options, devices_or_all) {
        return Ok(Built { program, found: true });
    }
    let program = compile()?;
    keep(&memory, directory, &key, &program, devices_or_all)?;
    Ok(Built { program, found: false })
}

/// The name under which a source built for these devices is kept. `None` if it is not: if it includes files
/// that only the compiler can find, or if a device does not tell its name.
#[must_use]
pub fn key_of(source: &str, options: &BuildOptions, devices: &[Device]) -> Option<String> {
    let identity = memory::identity_of(devices).ok()?;
    key::of(source, options, &identity).map(key::Key::to_hex)
}

/// The binaries, one for each device, that a directory keeps under a name that [`key_of`] gave.
#[must_use]
pub fn binaries_of(directory: &Path, key: &str) -> Option<Vec<Vec<u8>>> {
    store::read(directory, &key::Key::from_hex(key)?)
}

/// The files that a source includes, directly or through others, in the order of their paths; names that are in
/// none of the directories are left out. `None` if only the compiler can tell.
#[must_use]
pub fn included_files(source: &str, directories: &[PathBuf]) -> Option<Vec<PathBuf>> {
    include::files(source, directories).map(|files| files.into_keys().collect())
}

/// The program of this key, built from its binaries; `None` if there is none or the driver refuses them.
fn find(
    memory: &Memory,
    directory: &Path,
    key: &key::Key,
    context: &Context,
    source: &str,
    options: &BuildOptions,
    devices: &[Device],
) -> Option<Program> {
    let binaries = memory.get(directory, key).or_else(|| {
        let read = store::read(directory, key)?;
        Some(memory.put(directory, key, read))
    })?;
    if binaries.len() != devices.len() {
        return None;
    }
    let views: Vec<&[u8]> = binaries.iter().map(Vec::as_slice).collect();
    let program = Program::with_binaries_of(context, devices, &views, Some(source.into()));
    let built = program.and_then(|program| program.build_for(options, Some(devices)).map(|()| program));
    built.inspect_err(|error| log::info!("a cached binary is refused: {error}")).ok()
}

/// Writes the binaries of a built program; failures are logged, or errors if the user wants them to be.
fn keep(
    memory: &Memory,
    directory: &Path,
    key: &key::Key,
    program: &Program,
    devices: &[Device],
) -> Result<()> {
    let binaries = match (program.devices(), program.binaries()) {
        (Ok(all), Ok(binaries)) => select(&all, binaries.0, devices),
        (Err(error), _) | (_, Err(error)) => {
            log::info!("no binary to keep: {error}");
            return Ok(());
        }
    };
    // A driver that gives an empty binary does not want it kept.
    let Some(binaries) = binaries.filter(|list| list.iter().all(|binary| !binary.is_empty())) else {
        return Ok(());
    };
    if let Err(error) = store::write(directory, key, &binaries) {
        let text = format!("the cache in {} is not written: {error}", directory.display());
        if variable("PYOPENCL_CACHE_FAILURE_FATAL").is_some() {
            return Err(Error::refused("build", status::OUT_OF_RESOURCES, text));
        }
        log::info!("{text}");
    }
    memory.put(directory, key, binaries);
    Ok(())
}

/// The binaries of `devices`, in their order, out of those of `all`.
fn select(all: &[Device], binaries: Vec<Vec<u8>>, devices: &[Device]) -> Option<Vec<Vec<u8>>> {
    if all == devices {
        return Some(binaries);
    }
    let of = |device| all.iter().position(|other| other == device).and_then(|index| binaries.get(index));
    devices.iter().map(|device| of(device).cloned()).collect()
}
