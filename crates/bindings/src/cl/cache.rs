//! The cache of built programs: where it is, and what `pyopencl.cache` asks of it.

use std::path::PathBuf;

use opencl_runtime::BuildOptions;
use opencl_runtime::Context as RuntimeContext;
use opencl_runtime::cache::{self, Cache, build_in};
use opencl_runtime::constants::ProgramKind;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes};

use super::context::Context;
use super::program::{ProgramBase, devices_of, optional_devices, report_logs};
use crate::gil::detached;

/// The cache in the folder that a call names (`False` for none at all), else in that of the context, else in the
/// user's.
pub(super) fn named(folder: Option<&Bound<'_, PyAny>>, context: &RuntimeContext) -> PyResult<Cache> {
    match folder {
        None => Ok(Cache::of_context(context)),
        Some(folder) if folder.cast::<PyBool>().is_ok_and(|flag| !flag.is_true()) => Ok(Cache::Off),
        Some(folder) => Ok(Cache::in_directory(folder.extract::<PathBuf>()?)),
    }
}

/// Build a program of source text, or find it: the program, and whether it was found.
#[pyfunction]
#[pyo3(signature = (context, source, options, devices = None, cache_dir = None, /))]
fn _build_cached(
    py: Python<'_>,
    context: &Context,
    source: &str,
    options: &str,
    devices: Option<&Bound<'_, PyAny>>,
    cache_dir: Option<&Bound<'_, PyAny>>,
) -> PyResult<(ProgramBase, bool)> {
    let context = &context.context;
    let place = named(cache_dir, context)?;
    let devices = optional_devices(devices)?;
    let options = BuildOptions::text(options);
    let built = detached(py, || build_in(&place, context, source, &options, devices.as_deref()))?;
    if !built.found {
        report_logs(py, &built.program, devices.as_deref())?;
    }
    Ok((ProgramBase::made(ProgramKind::SOURCE, built.program), built.found))
}

/// The name under which builds for devices are kept; `None` if they are not.
#[pyfunction]
#[pyo3(signature = (devices, options, source, /))]
fn _cache_key(devices: &Bound<'_, PyAny>, options: &str, source: &str) -> PyResult<Option<String>> {
    Ok(cache::key_of(source, &BuildOptions::text(options), &devices_of(devices)?))
}

/// The binaries that a folder keeps under such a name.
#[pyfunction]
#[pyo3(signature = (folder, key, /))]
fn _cached_binaries(py: Python<'_>, folder: PathBuf, key: &str) -> Option<Vec<Py<PyBytes>>> {
    let binaries = cache::binaries_of(&folder, key)?;
    Some(binaries.iter().map(|binary| PyBytes::new(py, binary).unbind()).collect())
}

/// The files that a source includes, found in some folders; `None` if only the compiler can tell.
#[pyfunction]
#[pyo3(signature = (source, folders, /))]
fn _included_files(source: &str, folders: Vec<PathBuf>) -> Option<Vec<String>> {
    let files = cache::included_files(source, &folders)?;
    Some(files.into_iter().map(|path| path.to_string_lossy().into_owned()).collect())
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(_build_cached, m)?)?;
    m.add_function(wrap_pyfunction!(_cache_key, m)?)?;
    m.add_function(wrap_pyfunction!(_cached_binaries, m)?)?;
    m.add_function(wrap_pyfunction!(_included_files, m)?)
}
