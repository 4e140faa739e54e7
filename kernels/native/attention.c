/* One token in a layer: its heads are normed, turned and stored, and its queries look at the rows of the cache, keys and
 * values head by head. Each thread goes through a contiguous share of every head's rows, or of the pages of them that
 * were chosen, and what the threads found is joined at the end. Every row is fetched once for all the queries that share
 * its head.
 */
#include "operation.h"
#include "shares.h"
#include "bytes.h"

/* One head in place: x / sqrt(mean x^2 + epsilon) * gain where there is one, then x cos + (halves exchanged) sin. */
static void turn(float *x, const float *gain, float epsilon, const float *cosine, const float *sine, long width) {
    long half = width / 2;
    if (gain) {
        float squares = 0;
        for (long d = 0; d < width; d++) squares += x[d] * x[d];
        float factor = 1.0f / sqrtf(squares / width + epsilon);
        for (long d = 0; d < width; d++) x[d] *= factor * gain[d];
    }
    for (long d = 0; d < half; d++) {
        float one = x[d], two = x[d + half];
        x[d] = one * cosine[d] + two * sine[d];
        x[d + half] = two * cosine[d + half] + one * sine[d + half];
    }
}

static void put(int bits, char *row, float *scale, const float *x, long width) {
    if (bits == 8)
        pack_f32(x, width, (int8_t *)row, scale);
    else if (bits == 32)
        memcpy(row, x, width * sizeof *x);
    else
        for (long d = 0; d < width; d++) ((bf16 *)row)[d] = rounded(x[d]);
}

long first_row(const struct operation *o, long at) {
    return o->window && at + 1 > o->window ? at + 1 - o->window : 0;
}

/* The token's heads are made ready and stored: little work, for one thread. */
void step_place(const struct operation *o, long at) {
    long size = o->bits / 8, width = o->width;
    float *x = (float *)o->x;
    for (long h = 0; h < o->heads + o->kv_heads; h++)
        turn(x + h * width, o->gain ? o->gain + h * width : 0, o->epsilon, o->cosine, o->sine, width);
    for (long h = 0; h < o->kv_heads; h++) {
        long k = h * o->key_head + at * width, v = h * o->value_head + at * width; /* in elements */
        const float *key = x + (o->heads + h) * width, *value = key + o->kv_heads * width;
        put(o->bits, o->keys + k * size, scales_at(o->key_scales, k / width), key, width);
        put(o->bits, o->values + v * size, scales_at(o->value_scales, v / width), value, width);
    }
    if (o->bounds) pages_widen(o, at);
}

void step_share(const struct operation *o, long at, float *room, int thread, int threads) {
    long first = first_row(o, at), rows = at + 1 - first, size = o->bits / 8, width = o->width;
    long from = first + rows * thread / threads, to = first + rows * (thread + 1) / threads;
    long group = o->heads / o->kv_heads;
    for (long h = 0; h < o->kv_heads; h++) {
        long k = h * o->key_head + from * width, v = h * o->value_head + from * width; /* in elements */
        share(o->bits, o->x + h * group * width, o->keys + k * size, scales_at(o->key_scales, k / width),
              o->values + v * size, scales_at(o->value_scales, v / width), 0, to - from, group, width, o->scale,
              room + h * group * CELLS(width));
    }
}

/* What the threads found, joined: each thread for its share of the heads. */
void step_join(const struct operation *o, const float *room, long each, int thread, int threads) {
    long width = o->width, cells = CELLS(width);
    for (long h = o->heads * thread / threads; h < o->heads * (thread + 1) / threads; h++) {
        float most = -INFINITY, sum = 0, *result = o->y + h * width;
        for (int t = 0; t < threads; t++) {
            float own = room[t * each + h * cells + width + 1];
            if (own > most) most = own;
        }
        memset(result, 0, width * sizeof *result);
        for (int t = 0; t < threads; t++) {
            const float *found = room + t * each + h * cells;
            if (found[width] == 0) continue;
            float part = expf(found[width + 1] - most);
            sum += found[width] * part;
            for (long d = 0; d < width; d++) result[d] += found[d] * part;
        }
        for (long d = 0; d < width; d++) result[d] /= sum;
    }
}
