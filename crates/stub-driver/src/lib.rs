//! An OpenCL driver for tests.
