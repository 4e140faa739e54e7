/* One row as bytes with a scale, and back. Include `vectors.h` before. The width is a multiple of 16, arithmetic is
 * fp32. */
typedef float f32;

#define SMALLEST 1e-30f
#define ROUND 12582912.0f /* 1.5 * 2^23: added and taken away again, it leaves the nearest integer, ties to even */

INLINE floats magnitude(floats v) { return (floats)((ints)v & 0x7FFFFFFF); }

#define BYTES(T)                                                                                                       \
    INLINE void pack_##T(const T *x, long width, int8_t *y, float *scale) {                                           \
        floats most = {};                                                                                              \
        ints lost = {};                                                                                                \
        for (long d = 0; d < width; d += LANES) {                                                                      \
            floats v = magnitude(load_##T(x + d));                                                                     \
            lost |= (ints)v >= 0x7F800000; /* the bits of infinity, or of NaN above them */                            \
            most = larger(most, v);                                                                                    \
        }                                                                                                              \
        int numbers = 1;                                                                                               \
        for (int i = 0; i < LANES; i++) numbers &= !lost[i];                                                           \
        float step = largest(most);                                                                                    \
        step = !numbers ? NAN : step < SMALLEST ? 0.0f : step / 127.0f;                                                \
        *scale = step;                                                                                                 \
        if (!(step > 0)) {                                                                                             \
            memset(y, 0, width);                                                                                       \
            return;                                                                                                    \
        }                                                                                                              \
        for (long d = 0; d < width; d += LANES)                                                                        \
            store_i8(y + d, __builtin_convertvector(load_##T(x + d) / step + ROUND - ROUND, ints));                    \
    }                                                                                                                  \
    INLINE void unpack_##T(const int8_t *x, float scale, long width, T *y) {                                          \
        for (long d = 0; d < width; d += LANES) store_##T(y + d, load_i8(x + d) * scale);                              \
    }

BYTES(bf16)
BYTES(f32)
