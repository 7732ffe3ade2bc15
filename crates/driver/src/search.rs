//! From environment variables and directories to an ordered list of candidate drivers. Nothing is
//! opened here.
//!
//! Order and meaning of the variables:
//!
//! 1. `OCL_ICD_FILENAMES`: libraries or `.icd` files, separated as in `PATH`; always first.
//! 2. `OCL_ICD_VENDORS`: a directory of `.icd` files (the bundled directories follow it), or one
//!    `.icd` file or library (then nothing else is looked at).
//! 3. `OPENCL_VENDOR_PATH`: a directory in place of `/etc/OpenCL/vendors`, unless `OCL_ICD_VENDORS`
//!    is set.
//! 4. `/etc/OpenCL/vendors`, then the [`Extra`] directories that the caller added.
//! 5. `VIRTUAL_ENV` and `CONDA_PREFIX`: where packages of that environment put drivers, `.icd` files in
//!    `etc/OpenCL/vendors` and in `pyopencl/.libs` among its Python packages. They count like the
//!    [`Extra`] directories, and are left alone if the caller added directories of its own environment:
//!    a Python interpreter knows better than the variables which one it is.
//!
//! An `.icd` file holds the name of a library in its first line. A relative name means the file
//! beside it, else a name for the system's library search; an absolute name that does not exist is
//! looked for under the prefix of the `.icd` file (`<prefix>/etc/OpenCL/vendors/x.icd` names
//! `<prefix>/lib/<name>`): packages that were moved after they were built are found that way.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The variables that steer the search, read once.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `OCL_ICD_FILENAMES`
    pub filenames: Option<OsString>,
    /// `OCL_ICD_VENDORS`
    pub vendors: Option<OsString>,
    /// `OPENCL_VENDOR_PATH`
    pub vendor_path: Option<OsString>,
    /// `OPENCL_LIBRARY`: a `libOpenCL` to be used instead of the drivers themselves.
    pub library: Option<OsString>,
    /// `OPENCL_LAYERS`: layers live in a `libOpenCL`, so one is used when this is set.
    pub layers: Option<OsString>,
    /// `VIRTUAL_ENV` and `CONDA_PREFIX`, those that are set.
    pub prefixes: Vec<PathBuf>,
    /// The system's directory of `.icd` files.
    pub system: PathBuf,
}

impl Environment {
    /// What the process's environment says now. Empty variables count as not set.
    #[must_use]
    pub fn current() -> Self {
        #[allow(clippy::disallowed_methods, reason = "the one place of the crate that reads variables")]
        let get = |name| env::var_os(name).filter(|value| !value.is_empty());
        Self {
            filenames: get("OCL_ICD_FILENAMES"),
            vendors: get("OCL_ICD_VENDORS"),
            vendor_path: get("OPENCL_VENDOR_PATH"),
            library: get("OPENCL_LIBRARY"),
            layers: get("OPENCL_LAYERS"),
            prefixes: ["VIRTUAL_ENV", "CONDA_PREFIX"]
                .into_iter()
                .filter_map(get)
                .map(PathBuf::from)
                .collect(),
            system: PathBuf::from("/etc/OpenCL/vendors"),
        }
    }
}

/// Directories that a caller adds to the search.
#[derive(Clone, Debug, Default)]
pub struct Extra {
    /// `.icd` directories of an installation prefix; they count like the system's directory and are
    /// replaced with it.
    pub prefix: Vec<PathBuf>,
    /// `.icd` directories that packages bring with them; looked at last, also beside a directory
    /// that `OCL_ICD_VENDORS` names.
    pub bundled: Vec<PathBuf>,
}

impl Extra {
    /// With the directories in which the packages of these environments put drivers.
    fn with_environments(&self, environments: &[PathBuf]) -> Self {
        let mut extra = self.clone();
        for environment in environments {
            extra.prefix.push(environment.join("etc/OpenCL/vendors"));
            extra.bundled.extend(bundled_in(environment));
        }
        extra
    }
}

/// The existing directories in which the Python packages of an environment bring drivers.
fn bundled_in(environment: &Path) -> Vec<PathBuf> {
    let is_python = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("python3");
    let mut found: Vec<PathBuf> = fs::read_dir(environment.join("lib"))
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().filter(|entry| is_python(&entry.file_name())))
        .map(|entry| entry.path().join("site-packages/pyopencl/.libs"))
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// A library that may be a driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What to open: a path, or a bare name for the system's library search.
    pub library: PathBuf,
    /// The `.icd` file or the variable that named it.
    pub named_by: String,
}

/// A place that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The directory or file.
    pub path: PathBuf,
    /// Why it was looked at: a variable's name, or what the directory is.
    pub why: &'static str,
    /// What was found.
    pub found: Found,
}

/// What a place held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// It does not exist.
    Missing,
    /// It could not be read, with the system's reason.
    Unreadable(String),
    /// That many drivers are named there.
    Drivers(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): ", self.path.display(), self.why)?;
        match &self.found {
            Found::Missing => f.write_str("does not exist"),
            Found::Unreadable(reason) => write!(f, "cannot be read: {reason}"),
            Found::Drivers(0) => f.write_str("names no driver"),
            Found::Drivers(1) => f.write_str("names 1 driver"),
            Found::Drivers(n) => write!(f, "names {n} drivers"),
        }
    }
}

/// The outcome of a search.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// What to open, in order, each library once.
    pub candidates: Vec<Candidate>,
    /// Where was looked, in order.
    pub places: Vec<Place>,
}

impl Plan {
    /// Runs the search.
    #[must_use]
    pub fn new(environment: &Environment, extra: &Extra) -> Self {
        let mut plan = Self::default();
        let of_variables;
        let extra = if extra.prefix.is_empty() {
            of_variables = extra.with_environments(&environment.prefixes);
            &of_variables
        } else {
            extra
        };
        if let Some(list) = &environment.filenames {
            for path in env::split_paths(list).filter(|path| !path.as_os_str().is_empty()) {
                plan.add_named(&path, "OCL_ICD_FILENAMES");
            }
        }
        match &environment.vendors {
            Some(value) => {
                let path = Path::new(value);
                if path.is_dir() {
                    plan.add_directory(path, "OCL_ICD_VENDORS");
                    plan.add_directories(&extra.bundled, "drivers installed as packages");
                } else {
                    plan.add_named(path, "OCL_ICD_VENDORS");
                }
            }
            None => {
                match &environment.vendor_path {
                    Some(path) => plan.add_directory(Path::new(path), "OPENCL_VENDOR_PATH"),
                    None => plan.add_directory(&environment.system, "the system's drivers"),
                }
                plan.add_directories(&extra.prefix, "drivers of the environment");
                plan.add_directories(&extra.bundled, "drivers installed as packages");
            }
        }
        plan
    }

    fn add_directories(&mut self, paths: &[PathBuf], why: &'static str) {
        for path in paths {
            self.add_directory(path, why);
        }
    }

    fn add_directory(&mut self, path: &Path, why: &'static str) {
        let found = match fs::read_dir(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Found::Missing,
            Err(error) => Found::Unreadable(error.to_string()),
            Ok(entries) => {
                let mut files: Vec<PathBuf> = entries
                    .filter_map(|entry| Some(entry.ok()?.path()))
                    .filter(|path| is_icd_file(path))
                    .collect();
                files.sort();
                Found::Drivers(files.iter().filter(|file| self.add_icd_file(file)).count())
            }
        };
        self.places.push(Place { path: path.to_owned(), why, found });
    }

    /// A path that a variable names: an `.icd` file or a library.
    fn add_named(&mut self, path: &Path, why: &'static str) {
        let found = if is_icd_file(path) {
            if !path.exists() {
                Found::Missing
            } else if self.add_icd_file(path) {
                Found::Drivers(1)
            } else {
                Found::Drivers(0)
            }
        } else if path.components().count() > 1 && !path.exists() {
            Found::Missing
        } else {
            self.add(path.to_owned(), why.to_owned());
            Found::Drivers(1)
        };
        self.places.push(Place { path: path.to_owned(), why, found });
    }

    /// Whether the file names a library.
    fn add_icd_file(&mut self, file: &Path) -> bool {
        match library_named_by(file) {
            Some(library) => {
                self.add(library, file.display().to_string());
                true
            }
            None => false,
        }
    }

    fn add(&mut self, library: PathBuf, named_by: String) {
        let identity = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let new = identity(&library);
        if self.candidates.iter().all(|known| identity(&known.library) != new) {
            self.candidates.push(Candidate { library, named_by });
        }
    }
}

fn is_icd_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "icd")
}

/// The library that an `.icd` file names; `None` if the file is empty, cannot be read as text, or is no file at all:
/// reading a pipe would wait for ever.
fn library_named_by(file: &Path) -> Option<PathBuf> {
    if !file.is_file() {
        return None;
    }
    let text = fs::read_to_string(file).ok()?;
    let name = text.lines().next()?.trim();
    if name.is_empty() {
        return None;
    }
    let named = PathBuf::from(name);
    if named.is_absolute() {
        if named.exists() {
            return Some(named);
        }
        return Some(moved_with_prefix(file, &named).unwrap_or(named));
    }
    let beside = file.parent()?.join(&named);
    Some(if beside.exists() { beside } else { named })
}

/// For `<prefix>/etc/OpenCL/vendors/x.icd` that names a path which does not exist: the file of that
/// name in `<prefix>/lib`.
fn moved_with_prefix(file: &Path, named: &Path) -> Option<PathBuf> {
    let prefix = file.parent()?.ancestors().nth(3)?;
    if !file.parent()?.ends_with("etc/OpenCL/vendors") {
        return None;
    }
    let library = prefix.join("lib").join(named.file_name()?);
    library.exists().then_some(library)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A directory tree with an `.icd` file for each `(path, text)`, and libraries as empty files.
    fn tree(files: &[(&str, &str)]) -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn environment(system: &Path) -> Environment {
        Environment { system: system.to_owned(), ..Environment::default() }
    }

    fn libraries(plan: &Plan) -> Vec<PathBuf> {
        plan.candidates.iter().map(|candidate| candidate.library.clone()).collect()
    }

    #[test]
    fn relative_names_mean_the_file_beside_or_a_bare_name() {
        let dir =
            tree(&[("b.icd", "libb.so\n"), ("a.icd", "libgone.so.1"), ("libb.so", ""), ("x.txt", "no")]);
        let plan = Plan::new(&environment(dir.path()), &Extra::default());
        assert_eq!(libraries(&plan), [PathBuf::from("libgone.so.1"), dir.path().join("libb.so")]);
        assert_eq!(plan.places[0].found, Found::Drivers(2));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_read() {
        let dir = tree(&[("a.icd", "liba.so")]);
        let made = std::process::Command::new("mkfifo").arg(dir.path().join("pipe.icd")).status().unwrap();
        assert!(made.success());
        fs::create_dir(dir.path().join("folder.icd")).unwrap();
        let plan = Plan::new(&environment(dir.path()), &Extra::default());
        assert_eq!(libraries(&plan), [PathBuf::from("liba.so")]);
    }

    #[test]
    fn a_dangling_absolute_name_is_looked_for_under_the_prefix() {
        let dir = tree(&[
            ("etc/OpenCL/vendors/moved.icd", "/built/somewhere/lib/libmoved.so"),
            ("etc/OpenCL/vendors/gone.icd", "/built/somewhere/lib/libgone.so"),
            ("lib/libmoved.so", ""),
        ]);
        let extra = Extra { prefix: vec![dir.path().join("etc/OpenCL/vendors")], ..Extra::default() };
        let plan = Plan::new(&environment(&dir.path().join("none")), &extra);
        assert_eq!(
            libraries(&plan),
            [PathBuf::from("/built/somewhere/lib/libgone.so"), dir.path().join("lib/libmoved.so")]
        );
        assert_eq!(plan.places[0].found, Found::Missing);
    }

    #[test]
    fn vendors_as_a_directory_keeps_the_bundled_drivers_and_drops_the_others() {
        let dir = tree(&[("v/a.icd", "a.so"), ("p/b.icd", "b.so"), ("l/c.icd", "c.so"), ("s/d.icd", "d.so")]);
        let extra = Extra { prefix: vec![dir.path().join("p")], bundled: vec![dir.path().join("l")] };
        let mut environment = environment(&dir.path().join("s"));
        assert_eq!(libraries(&Plan::new(&environment, &extra)), ["d.so", "b.so", "c.so"].map(PathBuf::from));
        environment.vendors = Some(dir.path().join("v").into());
        assert_eq!(libraries(&Plan::new(&environment, &extra)), ["a.so", "c.so"].map(PathBuf::from));
        environment.vendors = Some(dir.path().join("v/a.icd").into());
        assert_eq!(libraries(&Plan::new(&environment, &extra)), ["a.so"].map(PathBuf::from));
        environment.vendors = Some(dir.path().join("nothing").into());
        let plan = Plan::new(&environment, &extra);
        assert!(plan.candidates.is_empty());
        assert_eq!(plan.places[0].found, Found::Missing);
    }

    #[test]
    fn vendor_path_replaces_the_systems_directory_only() {
        let dir = tree(&[("v/a.icd", "a.so"), ("l/c.icd", "c.so"), ("s/d.icd", "d.so")]);
        let extra = Extra { bundled: vec![dir.path().join("l")], ..Extra::default() };
        let mut environment = environment(&dir.path().join("s"));
        environment.vendor_path = Some(dir.path().join("v").into());
        assert_eq!(libraries(&Plan::new(&environment, &extra)), ["a.so", "c.so"].map(PathBuf::from));
    }

    #[test]
    fn packages_of_an_environment_are_found_unless_the_caller_names_its_own() {
        let dir = tree(&[
            ("e/etc/OpenCL/vendors/a.icd", "a.so"),
            ("e/lib/python3.11/site-packages/pyopencl/.libs/b.icd", "b.so"),
            ("e/lib/python2.7/site-packages/pyopencl/.libs/c.icd", "c.so"),
            ("own/d.icd", "d.so"),
            ("v/e.icd", "e.so"),
        ]);
        let mut environment = environment(&dir.path().join("none"));
        environment.prefixes = vec![dir.path().join("e"), dir.path().join("gone")];
        let plan = Plan::new(&environment, &Extra::default());
        assert_eq!(libraries(&plan), ["a.so", "b.so"].map(PathBuf::from));
        let own = Extra { prefix: vec![dir.path().join("own")], ..Extra::default() };
        assert_eq!(libraries(&Plan::new(&environment, &own)), ["d.so"].map(PathBuf::from));
        environment.vendors = Some(dir.path().join("v").into());
        let plan = Plan::new(&environment, &Extra::default());
        assert_eq!(libraries(&plan), ["e.so", "b.so"].map(PathBuf::from));
        environment.vendors = Some(dir.path().join("v/e.icd").into());
        assert_eq!(libraries(&Plan::new(&environment, &Extra::default())), ["e.so"].map(PathBuf::from));
    }

    #[test]
    fn filenames_come_first_and_each_library_once() {
        let dir = tree(&[("s/d.icd", "d.so"), ("s/d.so", ""), ("first.so", "")]);
        let mut environment = environment(&dir.path().join("s"));
        let list = [dir.path().join("first.so"), dir.path().join("s/d.so"), dir.path().join("s/d.icd")];
        environment.filenames = Some(env::join_paths(&list).unwrap());
        let plan = Plan::new(&environment, &Extra::default());
        assert_eq!(libraries(&plan), list[..2]);
        assert_eq!(plan.candidates[0].named_by, "OCL_ICD_FILENAMES");
    }

    #[test]
    fn empty_files_name_no_driver() {
        let dir = tree(&[("a.icd", "\n"), ("b.icd", "")]);
        let plan = Plan::new(&environment(dir.path()), &Extra::default());
        assert!(plan.candidates.is_empty());
        assert_eq!(
            plan.places[0].to_string(),
            format!("{} (the system's drivers): names no driver", dir.path().display())
        );
    }
}
