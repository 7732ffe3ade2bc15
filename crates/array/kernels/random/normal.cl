// Normally distributed random numbers of the words of a block: the inverse of
// the distribution function at (word + 1/2) / 2^bits, so that each number takes
// one word (double precision: two) and a greater word gives a greater number.
// The rational functions are those of M. J. Wichura, "Algorithm AS 241: the
// percentage points of the normal distribution", Applied Statistics 37 (1988):
// PPND7 in single precision, PPND16 in double.
//
// Only operations that every device rounds alike are used, and so the logarithm
// is written out: with y = (m - 1) / (m + 1), log m = 2 (y + y^3/3 + y^5/5 + ...).
typedef value_t parameter_t;

#if BITS == 64
#define TAIL 0x1p-64

static inline double logarithm(const double x)
{
    const ulong bits = as_ulong(x);
    int exponent = (int)(bits >> 52) - 1023;
    double m = as_double((bits & 0xFFFFFFFFFFFFFul) | 0x3FF0000000000000ul);
    if (m > M_SQRT2) {
        m *= 0.5;
        ++exponent;
    }
    const double y = (m - 1) / (m + 1), s = y * y;
    double sum = 1.0 / 23;
    sum = sum * s + 1.0 / 21;
    sum = sum * s + 1.0 / 19;
    sum = sum * s + 1.0 / 17;
    sum = sum * s + 1.0 / 15;
    sum = sum * s + 1.0 / 13;
    sum = sum * s + 1.0 / 11;
    sum = sum * s + 1.0 / 9;
    sum = sum * s + 1.0 / 7;
    sum = sum * s + 1.0 / 5;
    sum = sum * s + 1.0 / 3;
    return exponent * M_LN2 + 2 * (y + y * s * sum);
}

// At the lower half of the distribution function: q = p - 1/2, p = (count + 1/2) / 2^64.
static inline double quantile(const double q, const ulong count)
{
    if (fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * (((((((2.5090809287301226727e3 * r + 3.3430575583588128105e4) * r +
            6.7265770927008700853e4) * r + 4.5921953931549871457e4) * r +
            1.3731693765509461125e4) * r + 1.9715909503065514427e3) * r +
            1.3314166789178437745e2) * r + 3.3871328727963666080e0) /
            (((((((5.2264952788528545610e3 * r + 2.8729085735721942674e4) * r +
            3.9307895800092710610e4) * r + 2.1213794301586595867e4) * r +
            5.3941960214247511077e3) * r + 6.8718700749205790830e2) * r +
            4.2313330701600911252e1) * r + 1.0);
    }
    double r = sqrt(-logarithm(((double)count + 0.5) * TAIL));
    if (r <= 5) {
        r -= 1.6;
        return -(((((((7.74545014278341407640e-4 * r + 2.27238449892691845833e-2) * r +
            2.41780725177450611770e-1) * r + 1.27045825245236838258e0) * r +
            3.64784832476320460504e0) * r + 5.76949722146069140550e0) * r +
            4.63033784615654529590e0) * r + 1.42343711074968357734e0) /
            (((((((1.05075007164441684324e-9 * r + 5.47593808499534494600e-4) * r +
            1.51986665636164571966e-2) * r + 1.48103976427480074590e-1) * r +
            6.89767334985100004550e-1) * r + 1.67638483018380384940e0) * r +
            2.05319162663775882187e0) * r + 1.0);
    }
    r -= 5;
    return -(((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r +
        1.24266094738807843860e-3) * r + 2.65321895265761230930e-2) * r +
        2.96560571828504891230e-1) * r + 1.78482653991729133580e0) * r +
        5.46378491116411436990e0) * r + 6.65790464350110377720e0) /
        (((((((2.04426310338993978564e-15 * r + 1.42151175831644588870e-7) * r +
        1.84631831751005468180e-5) * r + 7.86869131145613259100e-4) * r +
        1.48753612908506148525e-2) * r + 1.36929880922735805310e-1) * r +
        5.99832206555887937690e-1) * r + 1.0);
}

static inline double standard(const ulong word)
{
    const bool upper = word >> 63;
    const ulong count = upper ? ~word : word;
    // Exact near the middle, where what is left to one half is a small integer.
    const double q = -((double)(0x8000000000000000ul - count) - 0.5) * TAIL;
    const double size = quantile(q, count);
    return upper ? -size : size;
}

static inline void values_of(const uint4 words, const double mean, const double deviation, double *out)
{
    out[0] = mean + deviation * standard(join(words.x, words.y));
    out[1] = mean + deviation * standard(join(words.z, words.w));
}
#else
#define TAIL 0x1p-32f

static inline float logarithm(const float x)
{
    const uint bits = as_uint(x);
    int exponent = (int)(bits >> 23) - 127;
    float m = as_float((bits & 0x7FFFFFu) | 0x3F800000u);
    if (m > M_SQRT2_F) {
        m *= 0.5f;
        ++exponent;
    }
    const float y = (m - 1) / (m + 1), s = y * y;
    float sum = 1.0f / 9;
    sum = sum * s + 1.0f / 7;
    sum = sum * s + 1.0f / 5;
    sum = sum * s + 1.0f / 3;
    return exponent * M_LN2_F + 2 * (y + y * s * sum);
}

// At the lower half of the distribution function: q = p - 1/2, p = (count + 1/2) / 2^32.
// PPND7's third range begins beyond the least p.
static inline float quantile(const float q, const uint count)
{
    if (fabs(q) <= 0.425f) {
        const float r = 0.180625f - q * q;
        return q * (((5.9109374720e1f * r + 1.5929113202e2f) * r + 5.0434271938e1f) * r + 3.3871327179e0f) /
            (((6.7187563600e1f * r + 7.8757757664e1f) * r + 1.7895169469e1f) * r + 1.0f);
    }
    const float r = sqrt(-logarithm(((float)count + 0.5f) * TAIL)) - 1.6f;
    return -(((1.7023821103e-1f * r + 1.3067284816e0f) * r + 2.7568153900e0f) * r + 1.4234372777e0f) /
        ((1.2021132975e-1f * r + 7.3700164250e-1f) * r + 1.0f);
}

static inline float standard(const uint word)
{
    const bool upper = word >> 31;
    const uint count = upper ? ~word : word;
    const float q = -((float)(0x80000000u - count) - 0.5f) * TAIL;
    const float size = quantile(q, count);
    return upper ? -size : size;
}

static inline void values_of(const uint4 words, const float mean, const float deviation, float *out)
{
    out[0] = mean + deviation * standard(words.x);
    out[1] = mean + deviation * standard(words.y);
    out[2] = mean + deviation * standard(words.z);
    out[3] = mean + deviation * standard(words.w);
}
#endif
