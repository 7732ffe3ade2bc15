//! Safe OpenCL objects.
