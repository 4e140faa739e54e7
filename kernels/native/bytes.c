/* Rows as bytes with one scale each, and back. Where a row lies is told by `sizes` and strides of three dimensions, in
 * elements; results are contiguous. */
#include "vectors.h"
#include "bytes.h"

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
