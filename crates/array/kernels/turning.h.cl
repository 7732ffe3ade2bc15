// Functions of angles. PoCL reduces all angles of a vector as large ones if one
// is large, by which the others lose precision: large ones go by themselves.
#ifdef ANGLES_APART
#define SMALL 0x1p15f
#define DEFINE_FLOATS(function) \
    static inline floats function##_floats(const floats x) \
    { \
        floats result = function(fabs(x) < SMALL ? x : (floats)(0)); \
        if (!all(fabs(x) < SMALL)) { \
            const float *const each = (const float *)&x; \
            for (int k = 0; k < (int)(sizeof(floats) / sizeof(float)); ++k) { \
                if (!(fabs(each[k]) < SMALL)) \
                    ((float *)&result)[k] = function(each[k]); \
            } \
        } \
        return result; \
    }
DEFINE_FLOATS(sin)
DEFINE_FLOATS(cos)
DEFINE_FLOATS(tan)
#else
#define sin_floats sin
#define cos_floats cos
#define tan_floats tan
#endif
