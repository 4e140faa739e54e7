/* y = onto + scales * (in @ weight.T) for one row. What limits it is the speed of memory: each thread fetches a
 * contiguous share of the weight once, in order, and asks for it AHEAD bytes before it is needed. Arithmetic is fp32.
 * Threads are OpenMP's, the same pool as torch's.
 */
#include "operation.h"
#include "vectors.h"

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

/* One thread's share of an operation. One row of the weight after the other: memory is fastest in order. Four sums a
 * row, so that they do not wait for each other. */
#define LINEAR(T)                                                                                                      \
    static void linear_##T(const struct operation *o, const float *in, long from, long to) {                          \
        for (long r = from; r < to; r++) {                                                                             \
            const T *w = (const T *)o->weight + r * o->k;                                                              \
            floats sums[4] = {};                                                                                       \
            long c = 0;                                                                                                \
            for (; c + 4 * LANES <= o->k; c += 4 * LANES)                                                              \
                for (int i = 0; i < 4; i++) {                                                                          \
                    if (i * LANES * sizeof(T) % 64 == 0) PREFETCH(w + c + i * LANES);                                  \
                    sums[i] += load_f32(in + c + i * LANES) * load_##T(w + c + i * LANES);                             \
                }                                                                                                      \
            for (; c + LANES <= o->k; c += LANES) sums[0] += load_f32(in + c) * load_##T(w + c);                       \
            float sum = total((sums[0] + sums[1]) + (sums[2] + sums[3]));                                              \
            for (; c < o->k; c++) sum += in[c] * one_##T(w[c]);                                                        \
            if (o->scales) sum *= o->scales[r];                                                                        \
            if (o->bias) sum += o->bias[r];                                                                            \
            o->y[r] = o->onto ? o->onto[r] + sum : sum;                                                                \
        }                                                                                                              \
    }

LINEAR(i8)
LINEAR(bf16)
LINEAR(f32)

void linear_share(const struct operation *o, float *room, int thread, int threads) {
    long from = o->n * thread / threads, to = o->n * (thread + 1) / threads;
    prepare(room, o->x, o->k, o->mode, o->gain, o->epsilon);
    if (o->bits == 8)
        linear_i8(o, room, from, to);
    else if (o->bits == 16)
        linear_bf16(o, room, from, to);
    else
        linear_f32(o, room, from, to);
}
