//! The Python extension module pyopencl._cl.
