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

/* One thread's share of an operation. One row of the weight after the other: memory is fastest in order. Several sums
 * a row, so that they do not wait for each other. */
#define WAYS (64 / LANES)
#define LINEAR(T)                                                                                                      \
    static void linear_##T(const struct operation *o, const float *in, long from, long to) {                          \
        for (long r = from; r < to; r++) {                                                                             \
            const T *w = (const T *)o->weight + r * o->k;                                                              \
            floats sums[WAYS] = {};                                                                                    \
            long c = 0;                                                                                                \
            for (; c + WAYS * LANES <= o->k; c += WAYS * LANES)                                                        \
                for (int i = 0; i < WAYS; i++) {                                                                        \
                    if (i * LANES * sizeof(T) % 64 == 0) PREFETCH(w + c + i * LANES);                                  \
                    sums[i] += load_f32(in + c + i * LANES) * load_##T(w + c + i * LANES);                             \
                }                                                                                                      \
            for (; c + LANES <= o->k; c += LANES) sums[0] += load_f32(in + c) * load_##T(w + c);                       \
            for (int i = 2; i < WAYS; i++) sums[i % 2] += sums[i];                                                     \
            float sum = total(sums[0] + sums[1]);                                                                      \
            for (; c < o->k; c++) sum += in[c] * one_##T(w[c]);                                                        \
            if (o->scales) sum *= ((const float *)o->scales)[r];                                                       \
            if (o->bias) sum += o->bias[r];                                                                            \
            o->y[r] = o->onto ? o->onto[r] + sum : sum;                                                                \
        }                                                                                                              \
    }

LINEAR(i8)
LINEAR(bf16)
LINEAR(f32)

/* fp16 to fp32. */
static void scales_of(float *to, const uint16_t *from, long count) {
    long i = 0;
    for (; i + LANES <= count; i += LANES) store_f32(to + i, load_f16(from + i));
    for (; i < count; i++) to[i] = one_f16(from[i]);
}

/* The sum over a row of step * scale + least is that over its groups of scale * (in . steps) + least * (sum of in). */
#define PARTS (PACKED / LANES)
#define GROUPED(B)                                                                                                     \
    static void grouped_##B(const struct operation *o, const float *in, const float *sums, float *scales, long from,   \
                            long to) {                                                                                 \
        long groups = o->k / o->group;                                                                                 \
        for (long r = from; r < to; r++) {                                                                             \
            const uint8_t *w = (const uint8_t *)o->weight + r * o->k * B / 8;                                          \
            const uint16_t *least = (const uint16_t *)o->least + r * groups;                                           \
            const float *x = in;                                                                                       \
            floats sum = {}, other = {};                                                                               \
            scales_of(scales, (const uint16_t *)o->scales + r * groups, groups);                                       \
            for (long g = 0; g < groups; g++) {                                                                        \
                floats own[2] = {}, part[PARTS];                                                                       \
                for (long c = 0; c < o->group; c += PACKED, x += PACKED, w += B * PACKED / 8) {                        \
                    PREFETCH(w);                                                                                       \
                    load_##B(w, part);                                                                                 \
                    for (int i = 0; i < PARTS; i++) own[i % 2] += load_f32(x + i * LANES) * part[i];                   \
                }                                                                                                      \
                sum += (own[0] + own[1]) * scales[g];                                                                  \
            }                                                                                                          \
            long g = 0;                                                                                                \
            for (; g + LANES <= groups; g += LANES) other += load_f32(sums + g) * load_f16(least + g);                 \
            float y = total(sum + other);                                                                              \
            for (; g < groups; g++) y += sums[g] * one_f16(least[g]);                                                  \
            if (o->bias) y += o->bias[r];                                                                              \
            o->y[r] = o->onto ? o->onto[r] + y : y;                                                                    \
        }                                                                                                              \
    }

GROUPED(4)
GROUPED(8)

/* Of the room, 3 k floats: what is multiplied, and the sum of each group of it; scales in fp32; the same out of order. */
static void grouped(const struct operation *o, float *room, long from, long to) {
    long groups = o->k / o->group;
    float *in = room, *sums = in + o->k, *scales = sums + groups, *apart = scales + groups;
    prepare(o->order ? apart : in, o->x, o->k, o->mode, o->gain, o->epsilon);
    if (o->order)
        for (long c = 0; c < o->k; c++) in[c] = apart[o->order[c]];
    for (long g = 0; g < groups; g++) {
        floats sum = {};
        for (long c = 0; c < o->group; c += LANES) sum += load_f32(in + g * o->group + c);
        sums[g] = total(sum);
    }
    if (o->bits == 4)
        grouped_4(o, in, sums, scales, from, to);
    else
        grouped_8(o, in, sums, scales, from, to);
}

/* [n, k] in groups, as in an operation, to bf16 (16 bits) or fp32. */
void dequantize_groups(int bits, int to, const uint8_t *values, const uint16_t *scales, const uint16_t *least, long n,
                       long k, long group, void *y, int threads) {
#pragma omp parallel for num_threads(threads)
    for (long r = 0; r < n; r++) {
        const uint8_t *w = values + r * k * bits / 8;
        for (long c = 0; c < k; c += PACKED, w += bits * PACKED / 8) {
            long g = (r * k + c) / group;
            float scale = one_f16(scales[g]), zero = one_f16(least[g]);
            floats part[PARTS];
            if (bits == 4)
                load_4(w, part);
            else
                load_8(w, part);
            for (int i = 0; i < PARTS; i++) {
                long at = r * k + c + i * LANES;
                floats v = part[i] * scale + zero;
                if (to == 16)
                    store_bf16((bf16 *)y + at, v);
                else
                    store_f32((float *)y + at, v);
            }
        }
    }
}

void linear_share(const struct operation *o, float *room, int thread, int threads) {
    long from = o->n * thread / threads, to = o->n * (thread + 1) / threads;
    if (o->group) {
        grouped(o, room, from, to);
        return;
    }
    prepare(room, o->x, o->k, o->mode, o->gain, o->epsilon);
    if (o->bits == 8)
        linear_i8(o, room, from, to);
    else if (o->bits == 16)
        linear_bf16(o, room, from, to);
    else
        linear_f32(o, room, from, to);
}
