//! The macros by which every C function is called, and its status turned into an [`Error`](crate::Error).

use opencl_driver::is_lost_to_fork;

/// Whether a function needs threads or a device of the driver, which forked children do not have. It is known
/// while compiling, and not asked for what is called most.
pub(crate) const fn needs_driver(function: &str) -> bool {
    let asks = starts_with(function, "clGet") && !starts_with(function, "clGetDeviceIDs");
    !asks && !starts_with(function, "clSetKernelArg")
}

const fn starts_with(text: &str, start: &str) -> bool {
    text.len() >= start.len() && {
        let (text, start) = (text.as_bytes(), start.as_bytes());
        let mut at = 0;
        while at < start.len() && text[at] == start[at] {
            at += 1;
        }
        at == start.len()
    }
}

/// Whether a function is refused because this process was forked.
#[inline]
pub(crate) fn is_lost(needs_driver: bool) -> bool {
    needs_driver && is_lost_to_fork()
}

/// `entry!(api, clFinish)` is the driver's function. An entry that the driver lacks gives `Error::Unsupported`, and
/// a forked child gets an error too.
macro_rules! entry {
    ($api:expr, $function:ident) => {
        match $api.$function {
            None => Err($crate::Error::unsupported(stringify!($function), $api.version)),
            Some(_) if $crate::call::is_lost(const { $crate::call::needs_driver(stringify!($function)) }) => {
                Err($crate::Error::forked(stringify!($function)))
            }
            Some(function) => Ok(function),
        }
    };
}

/// `call!(api, clFinish(queue))` is `Result<(), Error>`. To be used inside `unsafe`: the arguments must be what the
/// specification asks for.
macro_rules! call {
    ($api:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $crate::call::entry!($api, $function) {
            Err(error) => Err(error),
            Ok(function) => match function($($argument),*) {
                opencl_driver::status::SUCCESS => Ok(()),
                code => Err($crate::Error::status(stringify!($function), code)),
            },
        }
    };
}

/// The same for functions whose last parameter is the address of the status: gives what they return.
macro_rules! create {
    ($api:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $crate::call::entry!($api, $function) {
            Err(error) => Err(error),
            Ok(function) => {
                let mut code = opencl_driver::status::SUCCESS;
                let object = function($($argument,)* &raw mut code);
                match code {
                    opencl_driver::status::SUCCESS if !object.is_null() => Ok(object),
                    opencl_driver::status::SUCCESS => {
                        Err($crate::Error::null(stringify!($function)))
                    }
                    code => Err($crate::Error::status(stringify!($function), code)),
                }
            }
        }
    };
}

pub(crate) use {call, create, entry};

/// Room for an answer of the driver.
///
/// # Errors
/// `OUT_OF_HOST_MEMORY` if the driver has told a number of entries that cannot be right.
pub(crate) fn room<T: Clone>(function: &'static str, entry: T, count: usize) -> crate::Result<Vec<T>> {
    opencl_driver::room(entry, count).ok_or_else(|| {
        let detail = format!("the driver tells of {count} entries, which cannot be");
        crate::Error::refused(function, opencl_driver::status::OUT_OF_HOST_MEMORY, detail)
    })
}
