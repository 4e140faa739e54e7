/* Rows as bytes with one scale each, and back. Where a row lies is told by `sizes` and strides of three dimensions, in
 * elements; results are contiguous. The width is a multiple of 16, arithmetic is fp32. */
#include "vectors.h"

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

void pack_rows(int bits, const void *x, long b, long h, long s, long at_b, long at_h, long at_s, long width, int8_t *y,
               float *scales, int threads) {
#pragma omp parallel for num_threads(threads)
    for (long r = 0; r < b * h * s; r++) {
        long at = r / s / h * at_b + r / s % h * at_h + r % s * at_s;
        if (bits == 16)
            pack_bf16((const bf16 *)x + at, width, y + r * width, scales + r);
        else
            pack_f32((const float *)x + at, width, y + r * width, scales + r);
    }
}

void unpack_rows(int bits, const int8_t *x, long b, long h, long s, long at_b, long at_h, long at_s, long width,
                 const float *scales, long scale_b, long scale_h, long scale_s, void *y, int threads) {
#pragma omp parallel for num_threads(threads)
    for (long r = 0; r < b * h * s; r++) {
        long i = r / s / h, j = r / s % h, k = r % s;
        float scale = scales[i * scale_b + j * scale_h + k * scale_s];
        const int8_t *row = x + i * at_b + j * at_h + k * at_s;
        if (bits == 16)
            unpack_bf16(row, scale, width, (bf16 *)y + r * width);
        else
            unpack_f32(row, scale, width, (float *)y + r * width);
    }
}
