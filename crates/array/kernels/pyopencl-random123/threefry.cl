// `#include <pyopencl-random123/threefry.cl>`: the counter-based generators Threefry
// of J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers:
// as easy as 1, 2, 3", SC 2011, by the names of its authors. threefry4x32(counter,
// key) makes four words of 32 bits of a counter and a key of four by twenty rounds,
// threefry4x32_R(rounds, counter, key) by so many; likewise threefry2x32, and
// threefry4x64 and threefry2x64 with words of 64 bits. Each counter gives other
// words. Words are mixed in pairs; after every fourth round the key is added, its
// words turned by one more.

#if !defined(PYOPENCL_RANDOM123_THREEFRY)
#define PYOPENCL_RANDOM123_THREEFRY

#include <pyopencl-random123/array.h>

// What the key's words are completed with to give zero by exclusive or.
#define SKEIN_KS_PARITY32 0x1BD11BDA
#define SKEIN_KS_PARITY64 0x1BD11BDAA9FC1A22UL

// By how many bits the second word of a pair is turned in each of eight rounds.
#define THREEFRY2_TURN_0 13
#define THREEFRY2_TURN_1 15
#define THREEFRY2_TURN_2 26
#define THREEFRY2_TURN_3 6
#define THREEFRY2_TURN_4 17
#define THREEFRY2_TURN_5 29
#define THREEFRY2_TURN_6 16
#define THREEFRY2_TURN_7 24
#define THREEFRY4_TURN_0 10
#define THREEFRY4_TURN_0_SECOND 26
#define THREEFRY4_TURN_1 11
#define THREEFRY4_TURN_1_SECOND 21
#define THREEFRY4_TURN_2 13
#define THREEFRY4_TURN_2_SECOND 27
#define THREEFRY4_TURN_3 23
#define THREEFRY4_TURN_3_SECOND 5
#define THREEFRY4_TURN_4 6
#define THREEFRY4_TURN_4_SECOND 20
#define THREEFRY4_TURN_5 17
#define THREEFRY4_TURN_5_SECOND 11
#define THREEFRY4_TURN_6 25
#define THREEFRY4_TURN_6_SECOND 10
#define THREEFRY4_TURN_7 18
#define THREEFRY4_TURN_7_SECOND 20
#define NAME(before, after) before##32##after
#include <pyopencl-random123/threefry-words.h>

#define THREEFRY2_TURN_0 16
#define THREEFRY2_TURN_1 42
#define THREEFRY2_TURN_2 12
#define THREEFRY2_TURN_3 31
#define THREEFRY2_TURN_4 16
#define THREEFRY2_TURN_5 32
#define THREEFRY2_TURN_6 24
#define THREEFRY2_TURN_7 21
#define THREEFRY4_TURN_0 14
#define THREEFRY4_TURN_0_SECOND 16
#define THREEFRY4_TURN_1 52
#define THREEFRY4_TURN_1_SECOND 57
#define THREEFRY4_TURN_2 23
#define THREEFRY4_TURN_2_SECOND 40
#define THREEFRY4_TURN_3 5
#define THREEFRY4_TURN_3_SECOND 37
#define THREEFRY4_TURN_4 25
#define THREEFRY4_TURN_4_SECOND 33
#define THREEFRY4_TURN_5 46
#define THREEFRY4_TURN_5_SECOND 12
#define THREEFRY4_TURN_6 58
#define THREEFRY4_TURN_6_SECOND 22
#define THREEFRY4_TURN_7 32
#define THREEFRY4_TURN_7_SECOND 32
#define NAME(before, after) before##64##after
#include <pyopencl-random123/threefry-words.h>

enum {
    threefry2x32_rounds = 20,
    threefry4x32_rounds = 20,
    threefry2x64_rounds = 20,
    threefry4x64_rounds = 20
};

#define threefry2x32(counter, key) threefry2x32_R(threefry2x32_rounds, counter, key)
#define threefry4x32(counter, key) threefry4x32_R(threefry4x32_rounds, counter, key)
#define threefry2x64(counter, key) threefry2x64_R(threefry2x64_rounds, counter, key)
#define threefry4x64(counter, key) threefry4x64_R(threefry4x64_rounds, counter, key)

#endif
