//! The configuration: the text that a test gives, read into values.

use std::sync::{LazyLock, Mutex};

use crate::border::lock;
use crate::platform;
use crate::sys::*;
use crate::table::{Function, SLOTS};

/// The environment variable that configures the driver at first use.
const VARIABLE: &str = "STUB_DRIVER";

/// How far a platform follows `cl_khr_icd` 2.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icd2 {
    /// An old driver.
    None,
    /// The two tags, and a whole table.
    Tags,
    /// The two tags in an otherwise empty table; functions are looked up by name.
    ByName,
}

/// What a platform and its devices look like.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) name: String,
    pub(crate) vendor: String,
    pub(crate) version: String,
    pub(crate) profile: String,
    pub(crate) extensions: String,
    pub(crate) suffix: String,
    pub(crate) devices: usize,
    pub(crate) device_name: String,
    pub(crate) device_vendor: Option<String>,
    pub(crate) device_version: Option<String>,
    pub(crate) driver_version: String,
    pub(crate) c_version: Option<String>,
    pub(crate) device_extensions: Option<String>,
    pub(crate) device_types: Vec<cl_device_type>,
    pub(crate) max_alloc: u64,
    pub(crate) max_work_group_size: usize,
    pub(crate) compute_units: u32,
    pub(crate) images: bool,
    pub(crate) double: bool,
    pub(crate) compiler: bool,
    pub(crate) svm: bool,
    pub(crate) unified: bool,
    pub(crate) slots: usize,
    pub(crate) missing: Vec<Function>,
    pub(crate) icd2: Icd2,
}

/// The whole configuration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Config {
    /// One per platform.
    pub(crate) platforms: Vec<Shape>,
    /// Commands wait to be completed by hand.
    pub(crate) hold: bool,
    /// Event callbacks come on a thread of their own.
    pub(crate) callback_threads: bool,
    /// Bytes that all memory objects may take together.
    pub(crate) memory: u64,
    /// The settings from which the above was made, in order.
    settings: Vec<(String, String)>,
}

static CURRENT: LazyLock<Mutex<Config>> = LazyLock::new(|| Mutex::new(from_environment()));

/// A key or value that is not understood.
#[derive(Debug)]
pub(crate) struct Unknown;

type Parsed<T> = std::result::Result<T, Unknown>;

/// The configuration now.
pub(crate) fn current() -> Config {
    lock(&CURRENT).clone()
}

/// Whether commands wait to be completed by hand.
pub(crate) fn hold() -> bool {
    lock(&CURRENT).hold
}

/// Whether event callbacks come on a thread of their own.
pub(crate) fn callback_threads() -> bool {
    lock(&CURRENT).callback_threads
}

/// Bytes that all memory objects may take together.
pub(crate) fn memory() -> u64 {
    lock(&CURRENT).memory
}

/// Adds settings to the configuration.
///
/// # Errors
/// If a key or value is not understood; then nothing has changed.
pub(crate) fn change(text: &str) -> Parsed<()> {
    let mut settings = lock(&CURRENT).settings.clone();
    settings.extend(split(text)?);
    replace(Config::new(settings)?);
    Ok(())
}

/// Goes back to the configuration of the environment.
pub(crate) fn reset() {
    replace(from_environment());
}

fn replace(new: Config) {
    let reshaped = {
        let mut current = lock(&CURRENT);
        let reshaped = current.platforms != new.platforms;
        *current = new;
        reshaped
    };
    if reshaped {
        platform::forget();
    }
}

/// Reads the variable; a wrong one is reported, since nothing can be returned, and ignored.
#[allow(clippy::disallowed_methods, reason = "a driver under test is configured from outside its process")]
fn from_environment() -> Config {
    let text = std::env::var(VARIABLE).unwrap_or_default();
    let parsed = split(&text).and_then(Config::new);
    parsed.unwrap_or_else(|Unknown| {
        eprintln!("stub driver: {VARIABLE} is not understood: {text}");
        Config::plain(Vec::new())
    })
}

fn split(text: &str) -> Parsed<Vec<(String, String)>> {
    let parts = text.split([';', '\n']).map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (key, value) = part.split_once('=').ok_or(Unknown)?;
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        })
        .collect()
}

impl Config {
    /// One platform and everything at its default.
    fn plain(settings: Vec<(String, String)>) -> Self {
        Self {
            platforms: vec![Shape::default()],
            hold: false,
            callback_threads: false,
            memory: 1 << 30,
            settings,
        }
    }

    fn new(settings: Vec<(String, String)>) -> Parsed<Self> {
        let mut config = Self::plain(Vec::new());
        let mut count = 1;
        let mut common = Shape::default();
        for (key, value) in &settings {
            match key.as_str() {
                "platforms" => count = number(value)?,
                "hold" => config.hold = flag(value)?,
                "memory" => config.memory = number(value)?,
                "callbacks" => {
                    config.callback_threads = choice(value, &[("inline", false), ("thread", true)])?
                }
                key if key.starts_with(|first: char| first.is_ascii_digit()) => {}
                key => common.set(key, value)?,
            }
        }
        let named = |index| Shape { name: numbered(&common.name, index), ..common.clone() };
        config.platforms = (0..count).map(named).collect();
        for (key, value) in &settings {
            if let Some((index, key)) = key.split_once('.') {
                let index: usize = number(index)?;
                match config.platforms.get_mut(index) {
                    Some(shape) => shape.set(key, value)?,
                    None => Shape::default().set(key, value)?,
                }
            }
        }
        config.settings = settings;
        Ok(config)
    }
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            name: "Stub".to_owned(),
            vendor: "Stub Vendor".to_owned(),
            version: "OpenCL 3.0 Stub".to_owned(),
            profile: "FULL_PROFILE".to_owned(),
            extensions: "cl_khr_icd".to_owned(),
            suffix: "STUB".to_owned(),
            devices: 1,
            device_name: "Stub Device".to_owned(),
            device_vendor: None,
            device_version: None,
            driver_version: "1.0".to_owned(),
            c_version: None,
            device_extensions: None,
            device_types: vec![CL_DEVICE_TYPE_GPU],
            max_alloc: 1 << 28,
            max_work_group_size: 256,
            compute_units: 4,
            images: true,
            double: true,
            compiler: true,
            svm: true,
            unified: true,
            slots: SLOTS,
            missing: Vec::new(),
            icd2: Icd2::None,
        }
    }
}

impl Shape {
    fn set(&mut self, key: &str, value: &str) -> Parsed<()> {
        let text = value.to_owned();
        match key {
            "devices" => self.devices = number(value)?,
            "name" => self.name = text,
            "vendor" => self.vendor = text,
            "version" => self.version = text,
            "profile" => self.profile = text,
            "extensions" => self.extensions = text,
            "suffix" => self.suffix = text,
            "device_name" => self.device_name = text,
            "device_vendor" => self.device_vendor = Some(text),
            "device_version" => self.device_version = Some(text),
            "driver_version" => self.driver_version = text,
            "c_version" => self.c_version = Some(text),
            "device_extensions" => self.device_extensions = Some(text),
            "device_type" => self.device_types = list(value, device_type)?,
            "max_alloc" => self.max_alloc = number(value)?,
            "max_work_group_size" => self.max_work_group_size = number(value)?,
            "compute_units" => self.compute_units = number(value)?,
            "images" => self.images = flag(value)?,
            "double" => self.double = flag(value)?,
            "compiler" => self.compiler = flag(value)?,
            "svm" => self.svm = flag(value)?,
            "unified" => self.unified = flag(value)?,
            "missing" => self.missing = list(value, |name| Function::named(name).ok_or(Unknown))?,
            "table" => {
                self.slots = match value.strip_prefix("short:") {
                    Some(slots) => number(slots)?,
                    None => choice(value, &[("full", SLOTS)])?,
                };
            }
            "icd2" => {
                let choices = [("none", Icd2::None), ("tags", Icd2::Tags), ("byname", Icd2::ByName)];
                self.icd2 = choice(value, &choices)?;
            }
            _ => return Err(Unknown),
        }
        Ok(())
    }

    /// The version in the platform's version text; (1, 0) if there is none.
    pub(crate) fn number(&self) -> (u32, u32) {
        version_in(&self.version)
    }
}

/// The numbers of a version text such as "OpenCL 1.2 Stub" or "OpenCL C 1.2".
pub(crate) fn version_in(text: &str) -> (u32, u32) {
    let dotted = text.split(' ').find_map(|word| {
        let (major, minor) = word.split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    });
    dotted.unwrap_or((1, 0))
}

/// A name for the n-th of several things: the first has the plain one.
pub(crate) fn numbered(name: &str, index: usize) -> String {
    if index == 0 { name.to_owned() } else { format!("{name} {}", index + 1) }
}

fn number<T: std::str::FromStr>(value: &str) -> Parsed<T> {
    value.parse().map_err(|_| Unknown)
}

fn flag(value: &str) -> Parsed<bool> {
    choice(value, &[("0", false), ("1", true)])
}

fn choice<T: Copy>(value: &str, choices: &[(&str, T)]) -> Parsed<T> {
    choices.iter().find(|(word, _)| *word == value).map(|(_, meaning)| *meaning).ok_or(Unknown)
}

fn list<T>(value: &str, read: impl Fn(&str) -> Parsed<T>) -> Parsed<Vec<T>> {
    value.split(',').map(str::trim).filter(|word| !word.is_empty()).map(read).collect()
}

fn device_type(word: &str) -> Parsed<cl_device_type> {
    let types = [
        ("cpu", CL_DEVICE_TYPE_CPU),
        ("gpu", CL_DEVICE_TYPE_GPU),
        ("accelerator", CL_DEVICE_TYPE_ACCELERATOR),
        ("custom", CL_DEVICE_TYPE_CUSTOM),
    ];
    choice(word, &types)
}
