/* What happens to many rows between two products, each value fetched and stored once. Rows are bf16 (16 bits) or fp32,
 * arithmetic is fp32. */
#include "vectors.h"

typedef float f32;

#define ROWS(T)                                                                                                        \
    static void norm_##T(const T *x, long rows, long width, const float *gain, float epsilon, T *y, int threads) {    \
        _Pragma("omp parallel for num_threads(threads)") for (long r = 0; r < rows; r++) {                             \
            const T *in = x + r * width;                                                                               \
            T *out = y + r * width;                                                                                    \
            floats squares = {};                                                                                       \
            for (long d = 0; d < width; d += LANES) squares += load_##T(in + d) * load_##T(in + d);                    \
            float factor = 1.0f / sqrtf(total(squares) / width + epsilon);                                             \
            for (long d = 0; d < width; d += LANES)                                                                    \
                store_##T(out + d, load_##T(in + d) * factor * load_f32(gain + d));                                    \
        }                                                                                                              \
    }                                                                                                                  \
    static void gate_##T(const T *x, long rows, long width, T *y, int threads) {                                       \
        _Pragma("omp parallel for num_threads(threads)") for (long r = 0; r < rows; r++) {                             \
            const T *in = x + r * 2 * width;                                                                           \
            for (long d = 0; d < width; d += LANES)                                                                    \
                store_##T(y + r * width + d, silu(load_##T(in + d)) * load_##T(in + width + d));                       \
        }                                                                                                              \
    }                                                                                                                  \
    static void turn_##T(T *x, long rows, long stride, long heads, long width, const float *gain, float epsilon,      \
                         const T *cosine, const T *sine, long period, int threads) {                                   \
        long half = width / 2;                                                                                         \
        _Pragma("omp parallel for num_threads(threads)") for (long r = 0; r < rows; r++) {                             \
            const T *c = cosine + r % period * width, *s = sine + r % period * width;                                  \
            for (long h = 0; h < heads; h++) {                                                                         \
                T *head = x + r * stride + h * width;                                                                  \
                const float *g = gain ? gain + h * width : 0;                                                          \
                float factor = 1.0f;                                                                                   \
                if (g) {                                                                                               \
                    floats squares = {};                                                                               \
                    for (long d = 0; d < width; d += LANES) squares += load_##T(head + d) * load_##T(head + d);        \
                    factor = 1.0f / sqrtf(total(squares) / width + epsilon);                                           \
                }                                                                                                      \
                for (long d = 0; d < half; d += LANES) {                                                               \
                    floats one = load_##T(head + d), two = load_##T(head + half + d);                                  \
                    if (g) {                                                                                           \
                        one = one * factor * load_f32(g + d);                                                          \
                        two = two * factor * load_f32(g + half + d);                                                   \
                    }                                                                                                  \
                    store_##T(head + d, one * load_##T(c + d) + two * load_##T(s + d));                                \
                    store_##T(head + half + d, two * load_##T(c + half + d) + one * load_##T(s + half + d));           \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

ROWS(bf16)
ROWS(f32)

/* y = x / sqrt(mean x^2 + epsilon) * gain. Width a multiple of 16, as everywhere here. */
void norm_rows(int bits, const void *x, long rows, long width, const float *gain, float epsilon, void *y, int threads) {
    if (bits == 16)
        norm_bf16(x, rows, width, gain, epsilon, y, threads);
    else
        norm_f32(x, rows, width, gain, epsilon, y, threads);
}

/* y [rows, width] = silu(x[:, :width]) * x[:, width:] */
void gate_rows(int bits, const void *x, long rows, long width, void *y, int threads) {
    if (bits == 16)
        gate_bf16(x, rows, width, y, threads);
    else
        gate_f32(x, rows, width, y, threads);
}

/* The first `heads` heads of every row of x, in place: normed by gain [heads, width] where there is one, then turned by
 * cosine and sine [period, width], row r by their row r % period. Width a multiple of 32. */
void turn_rows(int bits, void *x, long rows, long stride, long heads, long width, const float *gain, float epsilon,
               const void *cosine, const void *sine, long period, int threads) {
    if (bits == 16)
        turn_bf16(x, rows, stride, heads, width, gain, epsilon, cosine, sine, period, threads);
    else
        turn_f32(x, rows, stride, heads, width, gain, epsilon, cosine, sine, period, threads);
}

/* y [n, k] = values * scales, both in bf16 (16 bits) or fp32. k a multiple of 16. */
void dequantize(int bits, const int8_t *values, const void *scales, long n, long k, void *y, int threads) {
#pragma omp parallel for num_threads(threads)
    for (long r = 0; r < n; r++) {
        float scale = bits == 16 ? one_bf16(((const bf16 *)scales)[r]) : ((const float *)scales)[r];
        for (long c = 0; c < k; c += LANES) {
            floats v = load_i8(values + r * k + c) * scale;
            if (bits == 16)
                store_bf16((bf16 *)y + r * k + c, v);
            else
                store_f32((float *)y + r * k + c, v);
        }
    }
}
