//! Build options: those of a call, and those that the package adds.

use opencl_runtime::{BuildOptions, Context};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use crate::error::IntoPyResult;

/// The name of the platform of a context, kept with it.
struct PlatformName(String);

/// All options of a build: those of the call, as text or as a list; then the defaults of the package and those for the
/// platform, which other packages extend in the lists of `pyopencl._build`; then those of the environment.
pub(crate) fn build_options(
    py: Python<'_>,
    given: Option<&Bound<'_, PyAny>>,
    context: &Context,
) -> PyResult<BuildOptions> {
    static PACKAGE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let package = PACKAGE.get_or_try_init(py, || py.import("pyopencl._build").map(Bound::unbind))?.bind(py);
    let mut options = BuildOptions::default();
    if let Some(given) = given.filter(|given| !given.is_none()) {
        add(&mut options, given)?;
    }
    add(&mut options, &package.getattr(intern!(py, "_DEFAULT_BUILD_OPTIONS"))?)?;
    add(&mut options, &package.getattr(intern!(py, "_DEFAULT_INCLUDE_OPTIONS"))?)?;
    let of_platforms = package.getattr(intern!(py, "_PLAT_BUILD_OPTIONS"))?.cast_into::<PyDict>()?;
    if !of_platforms.is_empty() {
        let platform = context.slot(|| PlatformName(platform_name(context).unwrap_or_default()));
        if let Some(list) = of_platforms.get_item(&platform.0)? {
            add(&mut options, &list)?;
        }
    }
    options.add_of_environment();
    Ok(options)
}

fn platform_name(context: &Context) -> PyResult<String> {
    let devices = context.devices().into_py()?;
    devices
        .first()
        .map_or(Ok(String::new()), |device| device.platform().and_then(|platform| platform.name()).into_py())
}

/// Adds options that are text, or an iterable of texts.
fn add(options: &mut BuildOptions, given: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Some(option) = text(given)? {
        options.add(&[option]);
        return Ok(());
    }
    let items: Vec<Bound<'_, PyAny>> = match given.cast_exact::<PyList>() {
        Ok(list) => list.iter().collect(),
        Err(_) => given.try_iter()?.collect::<PyResult<_>>()?,
    };
    let texts = items.iter().map(|item| {
        text(item)?.ok_or_else(|| match item.get_type().name() {
            Ok(name) => PyTypeError::new_err(format!("a build option is text, not an object of type {name}")),
            Err(error) => error,
        })
    });
    options.add(&texts.collect::<PyResult<Vec<_>>>()?);
    Ok(())
}

/// The text of a `str` or of `bytes`.
fn text<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<&'a str>> {
    if let Ok(text) = object.cast::<PyString>() {
        return text.to_str().map(Some);
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        let text = std::str::from_utf8(bytes.as_bytes());
        return text.map(Some).map_err(|error| PyValueError::new_err(error.to_string()));
    }
    Ok(None)
}
