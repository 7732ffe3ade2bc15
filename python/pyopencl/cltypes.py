"""The scalar and vector types of OpenCL as NumPy's, and functions that make vectors.

``float3`` is a dtype with the fields ``x``, ``y``, ``z`` (also ``s0``, ``s1``, ``s2``) and padding, as on
the device. A vector is an array without dimensions: ``make_float3(1, 2, 3)``, ``zeros_float3()``,
``ones_float3()``, ``filled_float3(7)``. It is an argument of kernels as it is.
"""

import numpy as np

from pyopencl._vectors import fillers as _fillers
from pyopencl._vectors import makers as _makers
from pyopencl._vectors import ones as _ones
from pyopencl._vectors import types as _types
from pyopencl._vectors import vec_type_to_scalar_and_count as vec_type_to_scalar_and_count
from pyopencl._vectors import vec_types as vec_types
from pyopencl._vectors import zeros as _zeros
from pyopencl.compyte.dtypes import get_or_register_dtype as get_or_register_dtype

char = np.int8
uchar = np.uint8
short = np.int16
ushort = np.uint16
int = np.int32
uint = np.uint32
long = np.int64
ulong = np.uint64
half = np.float16
float = np.float32
double = np.float64

_chars = char2, char3, char4, char8, char16 = _types(char)
make_char2, make_char3, make_char4, make_char8, make_char16 = _makers(_chars)
zeros_char2, zeros_char3, zeros_char4, zeros_char8, zeros_char16 = _zeros(_chars)
ones_char2, ones_char3, ones_char4, ones_char8, ones_char16 = _ones(_chars)
filled_char2, filled_char3, filled_char4, filled_char8, filled_char16 = _fillers(_chars)

_uchars = uchar2, uchar3, uchar4, uchar8, uchar16 = _types(uchar)
make_uchar2, make_uchar3, make_uchar4, make_uchar8, make_uchar16 = _makers(_uchars)
zeros_uchar2, zeros_uchar3, zeros_uchar4, zeros_uchar8, zeros_uchar16 = _zeros(_uchars)
ones_uchar2, ones_uchar3, ones_uchar4, ones_uchar8, ones_uchar16 = _ones(_uchars)
filled_uchar2, filled_uchar3, filled_uchar4, filled_uchar8, filled_uchar16 = _fillers(_uchars)

_shorts = short2, short3, short4, short8, short16 = _types(short)
make_short2, make_short3, make_short4, make_short8, make_short16 = _makers(_shorts)
zeros_short2, zeros_short3, zeros_short4, zeros_short8, zeros_short16 = _zeros(_shorts)
ones_short2, ones_short3, ones_short4, ones_short8, ones_short16 = _ones(_shorts)
filled_short2, filled_short3, filled_short4, filled_short8, filled_short16 = _fillers(_shorts)

_ushorts = ushort2, ushort3, ushort4, ushort8, ushort16 = _types(ushort)
make_ushort2, make_ushort3, make_ushort4, make_ushort8, make_ushort16 = _makers(_ushorts)
zeros_ushort2, zeros_ushort3, zeros_ushort4, zeros_ushort8, zeros_ushort16 = _zeros(_ushorts)
ones_ushort2, ones_ushort3, ones_ushort4, ones_ushort8, ones_ushort16 = _ones(_ushorts)
filled_ushort2, filled_ushort3, filled_ushort4, filled_ushort8, filled_ushort16 = _fillers(_ushorts)

_ints = int2, int3, int4, int8, int16 = _types(int)
make_int2, make_int3, make_int4, make_int8, make_int16 = _makers(_ints)
zeros_int2, zeros_int3, zeros_int4, zeros_int8, zeros_int16 = _zeros(_ints)
ones_int2, ones_int3, ones_int4, ones_int8, ones_int16 = _ones(_ints)
filled_int2, filled_int3, filled_int4, filled_int8, filled_int16 = _fillers(_ints)

_uints = uint2, uint3, uint4, uint8, uint16 = _types(uint)
make_uint2, make_uint3, make_uint4, make_uint8, make_uint16 = _makers(_uints)
zeros_uint2, zeros_uint3, zeros_uint4, zeros_uint8, zeros_uint16 = _zeros(_uints)
ones_uint2, ones_uint3, ones_uint4, ones_uint8, ones_uint16 = _ones(_uints)
filled_uint2, filled_uint3, filled_uint4, filled_uint8, filled_uint16 = _fillers(_uints)

_longs = long2, long3, long4, long8, long16 = _types(long)
make_long2, make_long3, make_long4, make_long8, make_long16 = _makers(_longs)
zeros_long2, zeros_long3, zeros_long4, zeros_long8, zeros_long16 = _zeros(_longs)
ones_long2, ones_long3, ones_long4, ones_long8, ones_long16 = _ones(_longs)
filled_long2, filled_long3, filled_long4, filled_long8, filled_long16 = _fillers(_longs)

_ulongs = ulong2, ulong3, ulong4, ulong8, ulong16 = _types(ulong)
make_ulong2, make_ulong3, make_ulong4, make_ulong8, make_ulong16 = _makers(_ulongs)
zeros_ulong2, zeros_ulong3, zeros_ulong4, zeros_ulong8, zeros_ulong16 = _zeros(_ulongs)
ones_ulong2, ones_ulong3, ones_ulong4, ones_ulong8, ones_ulong16 = _ones(_ulongs)
filled_ulong2, filled_ulong3, filled_ulong4, filled_ulong8, filled_ulong16 = _fillers(_ulongs)

_floats = float2, float3, float4, float8, float16 = _types(float)
make_float2, make_float3, make_float4, make_float8, make_float16 = _makers(_floats)
zeros_float2, zeros_float3, zeros_float4, zeros_float8, zeros_float16 = _zeros(_floats)
ones_float2, ones_float3, ones_float4, ones_float8, ones_float16 = _ones(_floats)
filled_float2, filled_float3, filled_float4, filled_float8, filled_float16 = _fillers(_floats)

_doubles = double2, double3, double4, double8, double16 = _types(double)
make_double2, make_double3, make_double4, make_double8, make_double16 = _makers(_doubles)
zeros_double2, zeros_double3, zeros_double4, zeros_double8, zeros_double16 = _zeros(_doubles)
ones_double2, ones_double3, ones_double4, ones_double8, ones_double16 = _ones(_doubles)
filled_double2, filled_double3, filled_double4, filled_double8, filled_double16 = _fillers(_doubles)
