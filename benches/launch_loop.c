/* What a kernel launch costs in C: the loop of launch.py without Python.
 *
 *     cc -O2 -o launch_loop launch_loop.c -ldl
 *     ./launch_loop LIBRARY [--json]
 *
 * LIBRARY is a driver, whose functions are then taken from its table as the extension cl_khr_icd lays it out,
 * or a libOpenCL. No OpenCL headers are needed. In order, without profiling, on the first device: four times
 * clSetKernelArg, clEnqueueNDRangeKernel with an event, clReleaseEvent, and clFinish after each 1000 launches.
 * Prints nanoseconds per launch: until the last launch of a batch is enqueued, and with clFinish.
 */
#define _POSIX_C_SOURCE 199309L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 1024, GROUP = 128, BATCHES = 10, LAUNCHES = 1000 };
enum { DEVICE_NAME = 0x102B, MEM_READ_WRITE = 1, BLOCKING = 1 };

/* CL_DEVICE_TYPE_ALL */
static const uint64_t EVERY_TYPE = 0xFFFFFFFF;

typedef void *handle;

/* The place of each function in a driver's table, and its type. */
#define FUNCTIONS(X)                                                                                         \
    X(2, clGetDeviceIDs, int32_t, (handle, uint64_t, uint32_t, handle *, uint32_t *))                        \
    X(3, clGetDeviceInfo, int32_t, (handle, uint32_t, size_t, void *, size_t *))                             \
    X(4, clCreateContext, handle, (const intptr_t *, uint32_t, const handle *, void *, void *, int32_t *))   \
    X(9, clCreateCommandQueue, handle, (handle, handle, uint64_t, int32_t *))                                \
    X(14, clCreateBuffer, handle, (handle, uint64_t, size_t, void *, int32_t *))                             \
    X(26, clCreateProgramWithSource, handle,                                                                 \
      (handle, uint32_t, const char **, const size_t *, int32_t *))                                          \
    X(30, clBuildProgram, int32_t, (handle, uint32_t, const handle *, const char *, void *, void *))         \
    X(34, clCreateKernel, handle, (handle, const char *, int32_t *))                                         \
    X(38, clSetKernelArg, int32_t, (handle, uint32_t, size_t, const void *))                                 \
    X(44, clReleaseEvent, int32_t, (handle))                                                                 \
    X(47, clFinish, int32_t, (handle))                                                                       \
    X(48, clEnqueueReadBuffer, int32_t,                                                                      \
      (handle, handle, uint32_t, size_t, size_t, void *, uint32_t, const handle *, handle *))                \
    X(49, clEnqueueWriteBuffer, int32_t,                                                                     \
      (handle, handle, uint32_t, size_t, size_t, const void *, uint32_t, const handle *, handle *))          \
    X(59, clEnqueueNDRangeKernel, int32_t,                                                                   \
      (handle, handle, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, const handle *,   \
       handle *))

#define DECLARE(place, name, result, parameters) static result(*name) parameters;
FUNCTIONS(DECLARE)

static const char *SOURCE =
    "kernel void k(global const float *a, global const float *b, global float *c, int n)\n"
    "{ int i = get_global_id(0); if (i < n) c[i] = a[i] + b[i]; }\n";

static void check(int32_t status, const char *what)
{
    if (status != 0) {
        fprintf(stderr, "launch_loop: %s: status %d\n", what, status);
        exit(1);
    }
}

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

/* Opens the library, fills the functions in, and gives the first platform. */
static handle open_library(const char *path)
{
    typedef int32_t list_platforms(uint32_t, handle *, uint32_t *);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "launch_loop: %s\n", dlerror());
        exit(1);
    }
    handle platform = NULL;
    void *(*look_up)(const char *) = (void *(*)(const char *))dlsym(library, "clGetExtensionFunctionAddress");
    list_platforms *list = look_up ? (list_platforms *)look_up("clIcdGetPlatformIDsKHR") : NULL;
    if (list != NULL) {
        check(list(1, &platform, NULL), "clIcdGetPlatformIDsKHR");
        /* Every object of a driver starts with the address of its table. */
        void **table = *(void ***)platform;
#define FROM_TABLE(place, name, result, parameters) name = (result(*) parameters)table[place];
        FUNCTIONS(FROM_TABLE)
        return platform;
    }
    list = (list_platforms *)dlsym(library, "clGetPlatformIDs");
    if (list == NULL) {
        fprintf(stderr, "launch_loop: %s is neither a driver nor a libOpenCL\n", path);
        exit(1);
    }
    check(list(1, &platform, NULL), "clGetPlatformIDs");
#define FROM_LIBRARY(place, name, result, parameters)                                                        \
    name = (result(*) parameters)dlsym(library, #name);                                                      \
    if (name == NULL) {                                                                                      \
        fprintf(stderr, "launch_loop: %s has no %s\n", path, #name);                                         \
        exit(1);                                                                                             \
    }
    FUNCTIONS(FROM_LIBRARY)
    return platform;
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_row(int json, const char *name, double *samples, const char *end)
{
    if (!json) {
        qsort(samples, BATCHES, sizeof *samples, ascending);
        printf("%-28s least %.0f ns, median %.0f ns\n", name, samples[0], samples[BATCHES / 2]);
        return;
    }
    printf("{\"name\": \"%s\", \"ns\": [", name);
    for (int i = 0; i < BATCHES; ++i)
        printf("%s%.1f", i ? ", " : "", samples[i]);
    printf("]}%s", end);
}

int main(int count, char **words)
{
    if (count < 2 || count > 3 || (count == 3 && strcmp(words[2], "--json") != 0)) {
        fprintf(stderr, "usage: launch_loop LIBRARY [--json]\n");
        return 2;
    }
    const int json = count == 3;
    handle platform = open_library(words[1]);
    handle device;
    char device_name[256] = "";
    int32_t status;
    check(clGetDeviceIDs(platform, EVERY_TYPE, 1, &device, NULL), "clGetDeviceIDs");
    check(clGetDeviceInfo(device, DEVICE_NAME, sizeof device_name, device_name, NULL), "clGetDeviceInfo");
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    handle queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    handle program = clCreateProgramWithSource(context, 1, &SOURCE, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    handle kernel = clCreateKernel(program, "k", &status);
    check(status, "clCreateKernel");

    float numbers[ITEMS];
    for (int i = 0; i < ITEMS; ++i)
        numbers[i] = (float)i;
    handle buffers[3];
    for (int i = 0; i < 3; ++i) {
        buffers[i] = clCreateBuffer(context, MEM_READ_WRITE, sizeof numbers, NULL, &status);
        check(status, "clCreateBuffer");
        check(clEnqueueWriteBuffer(queue, buffers[i], BLOCKING, 0, sizeof numbers, numbers, 0, NULL, NULL),
              "clEnqueueWriteBuffer");
    }

    const size_t global = ITEMS, local = GROUP;
    const int32_t n = ITEMS;
    double enqueued[BATCHES], finished[BATCHES];
    for (int batch = -1; batch < BATCHES; ++batch) { /* the first one warms up */
        const double start = nanoseconds();
        for (int launch = 0; launch < LAUNCHES; ++launch) {
            handle event;
            status = clSetKernelArg(kernel, 0, sizeof(handle), &buffers[0]);
            status |= clSetKernelArg(kernel, 1, sizeof(handle), &buffers[1]);
            status |= clSetKernelArg(kernel, 2, sizeof(handle), &buffers[2]);
            status |= clSetKernelArg(kernel, 3, sizeof n, &n);
            status |= clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event);
            check(status, "launch");
            check(clReleaseEvent(event), "clReleaseEvent");
        }
        const double middle = nanoseconds();
        check(clFinish(queue), "clFinish");
        if (batch >= 0) {
            enqueued[batch] = (middle - start) / LAUNCHES;
            finished[batch] = (nanoseconds() - start) / LAUNCHES;
        }
    }

    check(clEnqueueReadBuffer(queue, buffers[2], BLOCKING, 0, sizeof numbers, numbers, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    for (int i = 0; i < ITEMS; ++i) {
        if (numbers[i] != 2.0f * (float)i) {
            fprintf(stderr, "launch_loop: element %d is %g, not %g\n", i, numbers[i], 2.0 * i);
            return 1;
        }
    }

    if (json) {
        for (char *c = device_name; *c; ++c)
            if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
                *c = ' ';
        printf("{\"device\": \"%s\", \"rows\": [", device_name);
    } else {
        printf("%s\n", device_name);
    }
    print_row(json, "launch", enqueued, ", ");
    print_row(json, "launch, with finish", finished, "]}\n");
    return 0;
}
