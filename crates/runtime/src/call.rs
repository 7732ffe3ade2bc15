//! The macros by which every C function is called, and its status turned into an [`Error`](crate::Error).

/// `call!(api, clFinish(queue))` is `Result<(), Error>`. An entry that the driver lacks gives
/// `Error::Unsupported`. To be used inside `unsafe`: the arguments must be what the specification
/// asks for.
macro_rules! call {
    ($api:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $api.$function {
            None => Err($crate::Error::unsupported(stringify!($function), $api.version)),
            Some(function) => match function($($argument),*) {
                opencl_driver::status::SUCCESS => Ok(()),
                code => Err($crate::Error::status(stringify!($function), code)),
            },
        }
    };
}

/// The same for functions whose last parameter is the address of the status: gives what they return.
macro_rules! create {
    ($api:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $api.$function {
            None => Err($crate::Error::unsupported(stringify!($function), $api.version)),
            Some(function) => {
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

pub(crate) use {call, create};
