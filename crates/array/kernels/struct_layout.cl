// How the device's compiler lays out a struct, TYPE: its size, its alignment
// and the offsets of its members, in bytes.
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct { double real, imag; } cdouble_t;
#endif
typedef struct { float real, imag; } cfloat_t;

@declarations@

typedef struct {
    char before;
    TYPE value;
} aligned_t;

#define OFFSET(OF, MEMBER) \
    ((ulong)((global char *)&((global OF *)memory)->MEMBER - memory))

kernel void struct_layout(
    const ulong n,
    global char *memory,
    const ulong offset)
{
    global ulong *out = (global ulong *)(memory + offset);
    out[0] = sizeof(TYPE);
    out[1] = OFFSET(aligned_t, value);
    @offsets@
}
