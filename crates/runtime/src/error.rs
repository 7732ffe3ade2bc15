//! What can go wrong, and the texts that say so.

use std::fmt;

use opencl_driver::{NoPlatform, Version, status};
use thiserror::Error;

use crate::kernel::argument::ArgumentError;
use crate::program::BuildError;

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong. Each error has the status code and the C function that it stands for, also where
/// this crate noticed it before the driver did.
///
/// `{:?}` gives the same text as `{}`: it is what a `main` that returns the error prints.
#[derive(Error)]
#[non_exhaustive]
pub enum Error {
    /// A C function gave this status.
    #[error("{}", text(function, *code, ""))]
    Status {
        /// The C function.
        function: &'static str,
        /// Its status, negative.
        code: i32,
    },
    /// An argument was refused, by the driver or before it was asked.
    #[error("{}", text(function, *code, detail))]
    Refused {
        /// The C function, or the operation of this crate.
        function: &'static str,
        /// The status that says so.
        code: i32,
        /// What was expected and what came.
        detail: String,
    },
    /// An argument of a kernel was refused.
    #[error("{}", text(.0.function, .0.code, &.0.to_string()))]
    Argument(Box<ArgumentError>),
    /// The driver does not have the function.
    #[error("{}", text(function, status::INVALID_OPERATION, &unsupported_text(*version)))]
    Unsupported {
        /// The C function.
        function: &'static str,
        /// The version of OpenCL that the platform reports.
        version: Version,
    },
    /// There is no platform.
    #[error("{}", text("clGetPlatformIDs", status::PLATFORM_NOT_FOUND_KHR, &.0.to_string()))]
    NoPlatform(#[from] NoPlatform),
    /// A program did not build.
    #[error("{}", text(.0.function, .0.code, &.0.to_string()))]
    Build(Box<BuildError>),
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn unsupported_text(version: Version) -> String {
    format!("the driver (OpenCL {version}) does not have this function")
}

fn text(function: &str, code: i32, detail: &str) -> String {
    let name = status::name(code).map_or_else(|| format!("<unknown error {code}>"), str::to_owned);
    let separator = if detail.is_empty() { "" } else { " - " };
    format!("{function} failed: {name}{separator}{detail}")
}

impl Error {
    pub(crate) fn status(function: &'static str, code: i32) -> Self {
        Self::Status { function, code }
    }

    pub(crate) fn unsupported(function: &'static str, version: Version) -> Self {
        Self::Unsupported { function, version }
    }

    /// A function that a forked child cannot call.
    #[cold]
    pub(crate) fn forked(function: &'static str) -> Self {
        Self::refused(
            function,
            status::INVALID_OPERATION,
            "this process was forked from one that had used OpenCL, whose drivers do not work in forked children: \
             fork before the first use, or start processes afresh (in Python, the start method \"spawn\" of \
             multiprocessing)",
        )
    }

    /// A constructor that reports success and returns nothing.
    pub(crate) fn null(function: &'static str) -> Self {
        Self::refused(
            function,
            status::OUT_OF_HOST_MEMORY,
            "the driver reports success but returns no object",
        )
    }

    /// An argument that this crate refuses itself.
    #[must_use]
    pub fn refused(function: &'static str, code: i32, detail: impl Into<String>) -> Self {
        Self::Refused { function, code, detail: detail.into() }
    }

    /// The status code, as in the specification's appendix "Error Codes".
    #[must_use]
    pub fn code(&self) -> i32 {
        match self {
            Self::Status { code, .. } | Self::Refused { code, .. } => *code,
            Self::Unsupported { .. } => status::INVALID_OPERATION,
            Self::NoPlatform(_) => status::PLATFORM_NOT_FOUND_KHR,
            Self::Argument(error) => error.code,
            Self::Build(error) => error.code,
        }
    }

    /// The C function, or the operation, that failed.
    #[must_use]
    pub fn routine(&self) -> &'static str {
        match self {
            Self::Status { function, .. }
            | Self::Refused { function, .. }
            | Self::Unsupported { function, .. } => function,
            Self::NoPlatform(_) => "clGetPlatformIDs",
            Self::Argument(error) => error.function,
            Self::Build(error) => error.function,
        }
    }

    /// What is known beyond function and code; empty if nothing.
    #[must_use]
    pub fn detail(&self) -> String {
        match self {
            Self::Status { .. } => String::new(),
            Self::Refused { detail, .. } => detail.clone(),
            Self::Unsupported { version, .. } => unsupported_text(*version),
            Self::NoPlatform(error) => error.to_string(),
            Self::Argument(error) => error.to_string(),
            Self::Build(error) => error.to_string(),
        }
    }

    /// Whether freeing memory and trying again may help.
    #[must_use]
    pub fn is_out_of_memory(&self) -> bool {
        matches!(
            self.code(),
            status::MEM_OBJECT_ALLOCATION_FAILURE | status::OUT_OF_RESOURCES | status::OUT_OF_HOST_MEMORY
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_function_status_and_detail() {
        let error = Error::status("clFinish", status::OUT_OF_RESOURCES);
        assert_eq!(error.to_string(), "clFinish failed: OUT_OF_RESOURCES");
        assert_eq!(format!("{error:?}"), error.to_string());
        assert!(error.is_out_of_memory());
        let error = Error::refused("clCreateBuffer", status::INVALID_BUFFER_SIZE, "size is 0");
        assert_eq!(error.to_string(), "clCreateBuffer failed: INVALID_BUFFER_SIZE - size is 0");
        assert_eq!(Error::status("f", -9999).to_string(), "f failed: <unknown error -9999>");
    }
}
