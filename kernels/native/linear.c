/* y = onto + scales * (in @ weight.T) for one row. What limits it is the speed of memory: each thread fetches a
 * contiguous share of the weight once, in order, and asks for it AHEAD bytes before it is needed. Arithmetic is fp32.
 * Threads are OpenMP's, the same pool as torch's.
 */
#include "vectors.h"


enum { PLAIN, NORMED, GATED };

/* What is multiplied: x [k]; its norm x / sqrt(mean x^2 + epsilon) * gain; or silu(x[:k]) * x[k:2k]. */
static void prepare(float *in, const float *x, long k, int mode, const float *gain, float epsilon) {
    long i = 0;
    if (mode == PLAIN) {
        memcpy(in, x, k * sizeof *in);
    } else if (mode == NORMED) {
        floats squares = {};
        for (; i + LANES <= k; i += LANES) squares += load_f32(x + i) * load_f32(x + i);
        float sum = total(squares);
        for (; i < k; i++) sum += x[i] * x[i];
        float factor = 1.0f / sqrtf(sum / k + epsilon);
        for (i = 0; i < k; i++) in[i] = x[i] * factor * gain[i];
    } else {
        for (; i + LANES <= k; i += LANES)
            store_f32(in + i, silu(load_f32(x + i)) * load_f32(x + k + i));
        for (; i < k; i++) in[i] = x[i] / (1.0f + expf(-x[i])) * x[k + i];
    }
}

/* `room` holds k floats a thread; onto and scales may be null. One row of the weight after the other: memory is fastest
 * in order. Four sums a row, so that they do not wait for each other. */
#define LINEAR(T)                                                                                                      \
    static void linear_##T(const T *weight, const float *scales, long n, long k, const float *x, int mode,            \
                           const float *gain, float epsilon, const float *onto, float *room, float *y, int threads) { \
        _Pragma("omp parallel for num_threads(threads) schedule(static, 1)") for (int t = 0; t < threads; t++) {       \
            float *in = room + t * k;                                                                                  \
            prepare(in, x, k, mode, gain, epsilon);                                                                    \
            for (long r = n * t / threads; r < n * (t + 1) / threads; r++) {                                           \
                const T *w = weight + r * k;                                                                           \
                floats sums[4] = {};                                                                                   \
                long c = 0;                                                                                            \
                for (; c + 4 * LANES <= k; c += 4 * LANES)                                                             \
                    for (int i = 0; i < 4; i++) {                                                                      \
                        if (i * LANES * sizeof(T) % 64 == 0) PREFETCH(w + c + i * LANES);                              \
                        sums[i] += load_f32(in + c + i * LANES) * load_##T(w + c + i * LANES);                         \
                    }                                                                                                  \
                for (; c + LANES <= k; c += LANES) sums[0] += load_f32(in + c) * load_##T(w + c);                      \
                float sum = total((sums[0] + sums[1]) + (sums[2] + sums[3]));                                          \
                for (; c < k; c++) sum += in[c] * one_##T(w[c]);                                                       \
                if (scales) sum *= scales[r];                                                                          \
                y[r] = onto ? onto[r] + sum : sum;                                                                     \
            }                                                                                                          \
        }                                                                                                              \
    }

typedef int8_t i8;
typedef float f32;
LINEAR(i8)
LINEAR(bf16)
LINEAR(f32)

/* `bits` of an element of the weight: 8, 16 (bf16) or 32. */
void linear(int bits, const void *weight, const float *scales, long n, long k, const float *x,
            int mode, const float *gain, float epsilon, const float *onto, float *room, float *y, int threads) {
    if (bits == 8)
        linear_i8(weight, scales, n, k, x, mode, gain, epsilon, onto, room, y, threads);
    else if (bits == 16)
        linear_bf16(weight, scales, n, k, x, mode, gain, epsilon, onto, room, y, threads);
    else
        linear_f32(weight, scales, n, k, x, mode, gain, epsilon, onto, room, y, threads);
}
