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

use std::path::{Path, PathBuf};

use crate::{BuildOptions, Context, Device, Program, Result};
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
        #[allow(clippy::disallowed_methods, reason = "the one place of the crate that reads variables")]
        let get = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let off = get("PYOPENCL_NO_CACHE").is_some_and(|value| is_yes(&value.to_string_lossy()));
        if off {
            return Self::Off;
        }
        let home = |below: &str| get("HOME").map(|home| PathBuf::from(home).join(below));
        let root = get("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| {
            if cfg!(windows) {
                get("LOCALAPPDATA").map(PathBuf::from)
            } else if cfg!(target_os = "macos") {
                home("Library/Caches")
            } else {
                home(".cache")
            }
        });
        root.map_or(Self::Off, |root| Self::Directory(root.join("pyopencl").join("programs-1")))
    }
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

/// Builds a program for all devices of the context with the user's cache.
///
/// # Errors
/// As for [`Program::build`].
pub fn build(context: &Context, source: &str, options: &BuildOptions) -> Result<Program> {
    build_in(&Cache::of_user(), context, source, options, None).map(|built| built.program)
}

/// Builds a program for some devices (all of the context by default), with a cache.
///
/// # Errors
/// As for [`Program::build`].
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
    keep(&memory, directory, &key, &program, devices_or_all);
    Ok(Built { program, found: false })
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

/// Writes the binaries of a built program; failures are logged.
fn keep(memory: &Memory, directory: &Path, key: &key::Key, program: &Program, devices: &[Device]) {
    let binaries = match (program.devices(), program.binaries()) {
        (Ok(all), Ok(binaries)) => select(&all, binaries.0, devices),
        (Err(error), _) | (_, Err(error)) => {
            log::info!("no binary to keep: {error}");
            return;
        }
    };
    // A driver that gives an empty binary does not want it kept.
    let Some(binaries) = binaries.filter(|list| list.iter().all(|binary| !binary.is_empty())) else {
        return;
    };
    if let Err(error) = store::write(directory, key, &binaries) {
        log::info!("the cache in {} is not written: {error}", directory.display());
    }
    memory.put(directory, key, binaries);
}

/// The binaries of `devices`, in their order, out of those of `all`.
fn select(all: &[Device], binaries: Vec<Vec<u8>>, devices: &[Device]) -> Option<Vec<Vec<u8>>> {
    if all == devices {
        return Some(binaries);
    }
    let of = |device| all.iter().position(|other| other == device).and_then(|index| binaries.get(index));
    devices.iter().map(|device| of(device).cloned()).collect()
}
