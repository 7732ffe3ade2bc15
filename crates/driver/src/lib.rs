//! Finds and opens OpenCL drivers; one table of function pointers per platform.
