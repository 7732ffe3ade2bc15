// Adds numbers of the type TYPE as fast as the device can, ADDS additions in each work-item.

// Each addition of a chain needs the one before; two numbers that grow by each other have no shorter form.
#define STEP(a, b) \
    a += b;        \
    b += a;

kernel void adds(global TYPE *numbers)
{
    // Four chains hide the latency of an addition; more would not fit into the registers of some CPUs.
    TYPE a = numbers[get_global_id(0)];
    TYPE b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    for (int done = 0; done < ADDS; done += 8) {
        STEP(a, b)
        STEP(c, d)
        STEP(e, f)
        STEP(g, h)
    }
    numbers[get_global_id(0)] = a + b + c + d + e + f + g + h;
}
