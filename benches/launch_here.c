// The launches of `launch.py` in C, for a process whose objects exist: their handles are passed.
//
// cc -O2 -shared -fPIC; an object's first word is the driver's table of functions (cl_khr_icd).

#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef void *handle;

// Places in the table, which never change.
enum { SET_KERNEL_ARG = 38, RELEASE_EVENT = 44, FINISH = 47, ENQUEUE_ND_RANGE_KERNEL = 59 };

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

// Nanoseconds that a launch with an event takes, its arguments set and the event released, with all that is enqueued.
double launch(handle queue, handle kernel, handle a, handle b, handle c, int32_t items, int launches)
{
    void **table = *(void ***)queue;
    int32_t (*set)(handle, uint32_t, size_t, const void *) = table[SET_KERNEL_ARG];
    int32_t (*enqueue)(handle, handle, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t,
                       const handle *, handle *) = table[ENQUEUE_ND_RANGE_KERNEL];
    int32_t (*release)(handle) = table[RELEASE_EVENT], (*finish)(handle) = table[FINISH];
    const size_t global = (size_t)items, local = 128;
    int32_t status = 0;
    const double start = nanoseconds();
    for (int n = 0; n < launches; ++n) {
        handle event = NULL;
        status |= set(kernel, 0, sizeof a, &a) | set(kernel, 1, sizeof b, &b) | set(kernel, 2, sizeof c, &c);
        status |= set(kernel, 3, sizeof items, &items);
        status |= enqueue(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event) | release(event);
    }
    status |= finish(queue);
    return status == 0 ? (nanoseconds() - start) / launches : -1;
}
