// `#include <pyopencl-random123/philox.cl>`: the counter-based generators Philox of
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011, by the names of its authors. philox4x32(counter, key)
// makes four words of 32 bits of a counter of four and a key of two by ten rounds,
// philox4x32_R(rounds, counter, key) by so many; likewise philox2x32, and
// philox4x64 and philox2x64 with words of 64 bits. Each counter gives other words.

#if !defined(PYOPENCL_RANDOM123_PHILOX)
#define PYOPENCL_RANDOM123_PHILOX

#include <pyopencl-random123/array.h>

// Multipliers of the counter.
#define PHILOX_M2x32_0 ((uint32_t)0xD256D193)
#define PHILOX_M4x32_0 ((uint32_t)0xD2511F53)
#define PHILOX_M4x32_1 ((uint32_t)0xCD9E8D57)
#define PHILOX_M2x64_0 0xD2B74407B1CE6E93UL
#define PHILOX_M4x64_0 0xD2E7470EE14C6C93UL
#define PHILOX_M4x64_1 0xCA5A826395121157UL
// What is added to the key after each round.
#define PHILOX_W32_0 ((uint32_t)0x9E3779B9)
#define PHILOX_W32_1 ((uint32_t)0xBB67AE85)
#define PHILOX_W64_0 0x9E3779B97F4A7C15UL
#define PHILOX_W64_1 0xBB67AE8584CAA73BUL

#define NAME(before, after) before##32##after
#include <pyopencl-random123/philox-words.h>
#undef NAME
#define NAME(before, after) before##64##after
#include <pyopencl-random123/philox-words.h>
#undef NAME

enum {
    philox2x32_rounds = 10,
    philox4x32_rounds = 10,
    philox2x64_rounds = 10,
    philox4x64_rounds = 10
};

#define philox2x32(counter, key) philox2x32_R(philox2x32_rounds, counter, key)
#define philox4x32(counter, key) philox4x32_R(philox4x32_rounds, counter, key)
#define philox2x64(counter, key) philox2x64_R(philox2x64_rounds, counter, key)
#define philox4x64(counter, key) philox4x64_R(philox4x64_rounds, counter, key)

#endif
