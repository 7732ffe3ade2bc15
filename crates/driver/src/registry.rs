//! The platforms of this process: loaded at the first question, kept for good.

use std::ffi::{CStr, c_char, c_void};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::api::Api;
use crate::ext::Extensions;
use crate::fork;
use crate::icd::{self, LoadError};
use crate::library;
use crate::search::{Environment, Extra, Place, Plan};
use crate::sys::cl_platform_id;

/// A platform, its functions, and where it came from.
pub struct Platform {
    /// The driver's handle.
    pub raw: cl_platform_id,
    /// The core functions.
    pub api: &'static Api,
    /// The driver's library.
    pub origin: PathBuf,
    /// The address that each object of this platform begins with; null with a `libOpenCL`.
    pub(crate) table: *const c_void,
    /// The driver's own look-up of extension functions.
    pub(crate) look_up: Option<unsafe extern "C" fn(*const c_char) -> *mut c_void>,
}

// SAFETY: a platform is never freed and its fields are only read.
unsafe impl Send for Platform {}
// SAFETY: as above.
unsafe impl Sync for Platform {}

impl fmt::Debug for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Platform({:?}, {:?} from {})", self.raw, self.api, self.origin.display())
    }
}

impl Platform {
    /// The address of an extension function of this platform, null if it has none of that name.
    #[must_use]
    pub fn extension_address(&self, name: &CStr) -> *mut c_void {
        if let Some(get) = self.api.clGetExtensionFunctionAddressForPlatform {
            // SAFETY: the platform is the driver's own and `name` ends in a zero byte.
            return unsafe { get(self.raw, name.as_ptr()) };
        }
        match self.look_up {
            // SAFETY: `name` ends in a zero byte.
            Some(get) => unsafe { get(name.as_ptr()) },
            None => std::ptr::null_mut(),
        }
    }
}

/// A driver that was named somewhere and cannot be used.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The library.
    pub library: PathBuf,
    /// The file or variable that named it.
    pub named_by: String,
    /// Why not.
    pub reason: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { library, named_by, reason } = self;
        write!(f, "{} (named by {named_by}): {reason}", library.display())
    }
}

/// What the search for drivers did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Where was looked.
    pub places: Vec<Place>,
    /// What was found and cannot be used.
    pub failures: Vec<Failure>,
}

/// No platform at all: says each place searched, each driver that failed and why, and how to get one. `{:?}` gives
/// the same text as `{}`: it is what a `main` that returns the error prints.
#[derive(Clone)]
pub struct NoPlatform(pub Report);

impl fmt::Display for NoPlatform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no OpenCL platform found\nplaces searched:")?;
        for place in &self.0.places {
            write!(f, "\n  {place}")?;
        }
        if !self.0.failures.is_empty() {
            f.write_str("\ndrivers that failed:")?;
            for failure in &self.0.failures {
                write!(f, "\n  {failure}")?;
            }
        }
        f.write_str(
            "\nTo get a driver: install your device vendor's, or `pip install pocl-binary-distribution` for the CPU.\n\
             A driver that is installed elsewhere is found if `OCL_ICD_FILENAMES` names its library; by Rust programs, \
             also if `VIRTUAL_ENV` names its environment.",
        )
    }
}

impl fmt::Debug for NoPlatform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for NoPlatform {}

struct Loaded {
    platforms: &'static [Platform],
    report: Report,
    extensions: &'static [Extensions],
}

struct State {
    extra: Extra,
    loaded: Option<&'static Loaded>,
    last_report: Report,
}

static STATE: Mutex<State> = Mutex::new(State {
    extra: Extra { prefix: Vec::new(), bundled: Vec::new() },
    loaded: None,
    last_report: Report { places: Vec::new(), failures: Vec::new() },
});

fn state() -> MutexGuard<'static, State> {
    // The state is consistent between any two statements, so a panic elsewhere does not spoil it.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds directories to the search. Has an effect only until platforms were found.
pub fn extend_search(extra: Extra) {
    let mut state = state();
    state.extra.prefix.extend(extra.prefix);
    state.extra.bundled.extend(extra.bundled);
}

/// The platforms of this process. The first call that finds any loads the drivers, later calls give
/// the same list; a call that finds none is tried anew the next time.
///
/// # Errors
/// [`NoPlatform`], which says where was looked and what failed.
pub fn platforms() -> Result<&'static [Platform], NoPlatform> {
    load().map(|loaded| loaded.platforms)
}

/// What the latest search did: empty before the first.
#[must_use]
pub fn report() -> Report {
    let state = state();
    state.loaded.map_or_else(|| state.last_report.clone(), |loaded| loaded.report.clone())
}

fn load() -> Result<&'static Loaded, NoPlatform> {
    let mut state = state();
    if let Some(loaded) = state.loaded {
        return Ok(loaded);
    }
    let environment = Environment::current();
    let (platforms, report) = search(&environment, &state.extra);
    state.last_report = report.clone();
    if platforms.is_empty() {
        return Err(NoPlatform(report));
    }
    let extensions = platforms.iter().map(|_| Extensions::default()).collect::<Vec<_>>().leak();
    fork::watch();
    let loaded = &*Box::leak(Box::new(Loaded { platforms: platforms.leak(), report, extensions }));
    state.loaded = Some(loaded);
    Ok(loaded)
}

/// Opens what the environment asks for.
fn search(environment: &Environment, extra: &Extra) -> (Vec<Platform>, Report) {
    let mut report = Report::default();
    let forced = environment.library.as_deref();
    if forced.is_some() || environment.layers.is_some() || cfg!(windows) || cfg!(target_os = "macos") {
        let name = forced.unwrap_or(library::SYSTEM_NAME.as_ref());
        let named_by = match (forced, &environment.layers) {
            (Some(_), _) => "OPENCL_LIBRARY",
            (None, Some(_)) => "OPENCL_LAYERS, which needs the system's library",
            (None, None) => "the system",
        };
        let platforms = keep(library::open(name), Path::new(name), named_by, &mut report);
        return (platforms, report);
    }

    let plan = Plan::new(environment, extra);
    report.places = plan.places;
    let mut platforms: Vec<Platform> = Vec::new();
    for candidate in plan.candidates {
        let opened = icd::open(&candidate.library);
        for platform in keep(opened, &candidate.library, &candidate.named_by, &mut report) {
            if platforms.iter().all(|known| known.raw != platform.raw) {
                platforms.push(platform);
            }
        }
    }
    // A variable that names drivers means just those, so the system's library is no resort then.
    if platforms.is_empty() && environment.vendors.is_none() && environment.filenames.is_none() {
        let name = library::SYSTEM_NAME.as_ref();
        platforms = keep(library::open(name), Path::new(name), "the last resort", &mut report);
    }
    (platforms, report)
}

/// The platforms, or the reason remembered.
fn keep(
    opened: Result<Vec<Platform>, LoadError>,
    library: &Path,
    named_by: &str,
    report: &mut Report,
) -> Vec<Platform> {
    match opened {
        Ok(platforms) => {
            log::info!("OpenCL driver {} has {} platform(s)", library.display(), platforms.len());
            platforms
        }
        Err(error) => {
            log::info!("OpenCL driver {} is skipped: {error}", library.display());
            report.failures.push(Failure {
                library: library.to_owned(),
                named_by: named_by.to_owned(),
                reason: error.to_string(),
            });
            Vec::new()
        }
    }
}

/// The functions for a handle that came from elsewhere (another library of the process, say):
/// `None` if it belongs to no platform loaded here, or if none is loaded.
///
/// # Safety
/// `object` is a live OpenCL object of some driver in this process.
#[must_use]
pub unsafe fn api_of(object: *mut c_void) -> Option<&'static Api> {
    let loaded = load().ok()?;
    if let [first, ..] = loaded.platforms
        && first.table.is_null()
    {
        // With a `libOpenCL` all calls go through its trampolines, whatever the object.
        return Some(first.api);
    }
    // SAFETY: the first word of each OpenCL object is the address of its platform's table.
    let table = unsafe { object.cast::<*const c_void>().read() };
    loaded.platforms.iter().find(|platform| platform.table == table).map(|platform| platform.api)
}

/// The platform whose functions `api` holds, with its extension functions.
#[must_use]
pub fn platform_of(api: &'static Api) -> Option<(&'static Platform, &'static Extensions)> {
    let loaded = load().ok()?;
    let index = loaded.platforms.iter().position(|platform| std::ptr::eq(platform.api, api))?;
    Some((&loaded.platforms[index], &loaded.extensions[index]))
}
