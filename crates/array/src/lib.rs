//! Arrays, expressions and kernels generated for OpenCL devices.
