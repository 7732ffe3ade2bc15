// Positions on an axis of `length` elements; negative ones count from its end.

// How many bytes from the axis's first element a position lies, its elements
// being `stride` bytes apart. Beyond the axis it is the nearest element.
static inline long nearest_offset(const long position, const long length, const long stride)
{
    const long place = position < 0 ? position + length : position;
    return clamp(place, 0L, length - 1) * stride;
}

static inline uchar on_axis(const long position, const long length)
{
    return (uchar)(position >= -length && position < length);
}
