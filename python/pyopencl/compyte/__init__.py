"""What packages for several sorts of devices have in common: names of types in C, strides of arrays."""

from pyopencl.compyte import array as array
from pyopencl.compyte import dtypes as dtypes
