/* One token in a layer: its heads are normed, turned and stored, and its queries look at the rows of the cache, keys and
 * values head by head. Each thread goes through a contiguous share of every head's rows in blocks, with a running largest score (online softmax, arXiv 1805.02867), and what the threads
 * found is joined at the end. Every row is fetched once for all the queries that share its head.
 */
#include "operation.h"
#include "vectors.h"
#include "bytes.h"

#define BLOCK 64

/* One thread's findings for one query: weighted values, the sum of exponentials under them, the largest score. */
#define CELLS(width) ((width) + 2)

/* The weights of a block from its products of queries and keys, `scale` of which is a score, with what was found before
 * faded to the new largest score. */
INLINE float weigh(float *scores, long count, float scale, float *found, long width) {
    for (long r = 0; r < BLOCK; r += LANES) store_f32(scores + r, load_f32(scores + r) * scale);
    for (long r = count; r < BLOCK; r++) scores[r] = -INFINITY;
    floats most = load_f32(scores), sum = {};
    for (long r = LANES; r < BLOCK; r += LANES) most = larger(most, load_f32(scores + r));
    float before = found[width + 1], now = largest(most);
    if (before > now) now = before;
    for (long r = 0; r < BLOCK; r += LANES) {
        floats e = exponential(load_f32(scores + r) - now);
        store_f32(scores + r, e);
    }
    for (long r = count; r < BLOCK; r++) scores[r] = 0;
    for (long r = 0; r < BLOCK; r += LANES) sum += load_f32(scores + r);
    float fade = before == -INFINITY ? 0.0f : expf(before - now);
    found[width] = found[width] * fade + total(sum);
    found[width + 1] = now;
    return fade;
}

#define GENERAL(T)                                                                                                     \
    INLINE void scores_##T(const float *q, const T *k, long count, long width, float *scores) {                       \
        for (long r = 0; r < count; r++) {                                                                             \
            floats sum = {};                                                                                           \
            for (long d = 0; d < width; d += LANES) {                                                                  \
                if (d * sizeof(T) % 64 == 0) PREFETCH(k + r * width + d);            \
                sum += load_##T(k + r * width + d) * load_f32(q + d);                                                  \
            }                                                                                                          \
            scores[r] = total(sum);                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    INLINE void mix_##T(const float *weights, const T *v, long count, long width, float fade, float *found) {         \
        for (long d = 0; d < width; d += 64) {                                                                         \
            long parts = (width - d < 64 ? width - d : 64) / LANES;                                                    \
            floats sum[64 / LANES];                                                                                    \
            for (long p = 0; p < parts; p++) sum[p] = load_f32(found + d + p * LANES) * fade;                          \
            for (long r = 0; r < count; r++) {                                                                         \
                PREFETCH(v + r * width + d);                                         \
                for (long p = 0; p < parts; p++) sum[p] += load_##T(v + r * width + d + p * LANES) * weights[r];       \
            }                                                                                                          \
            for (long p = 0; p < parts; p++) store_f32(found + d + p * LANES, sum[p]);                                     \
        }                                                                                                              \
    }                                                                                                                  \
    INLINE void share_##T(const float *q, const T *k, const T *v, long count, long group, long width, float scale,    \
                          float *found) {                                                                              \
        float scores[BLOCK];                                                                                           \
        for (long first = 0; first < count; first += BLOCK) {                                                          \
            long some = count - first < BLOCK ? count - first : BLOCK;                                                 \
            for (long g = 0; g < group; g++) {                                                                         \
                float *own = found + g * CELLS(width);                                                                 \
                scores_##T(q + g * width, k + first * width, some, width, scores);                                     \
                float fade = weigh(scores, some, scale, own, width);                                                          \
                mix_##T(scores, v + first * width, some, width, fade, own);                                            \
            }                                                                                                          \
        }                                                                                                              \
    }

GENERAL(bf16)
GENERAL(f32)

#ifdef __AVX512F__
/* bf16 is the upper half of fp32: of a pair in a word, one shift and one mask give both as floats, even channels and
 * odd ones apart. Half the operations of converting in order, and no order matters to a sum. Queries come, and results
 * are kept, in that order too. */

INLINE floats even(__m512i pairs) { return (floats)_mm512_slli_epi32(pairs, 16); }
INLINE floats odd(__m512i pairs) { return (floats)_mm512_and_si512(pairs, _mm512_set1_epi32(0xFFFF0000)); }

/* Sixteen vectors to their sixteen totals. */
INLINE floats totals(floats *sums) {
    __m512 *v = (__m512 *)sums;
    for (int i = 0; i < 8; i++)
        v[i] = _mm512_add_ps(_mm512_unpacklo_ps(v[2 * i], v[2 * i + 1]), _mm512_unpackhi_ps(v[2 * i], v[2 * i + 1]));
    for (int i = 0; i < 4; i++) {
        __m512d a = (__m512d)v[2 * i], b = (__m512d)v[2 * i + 1];
        v[i] = _mm512_add_ps((__m512)_mm512_unpacklo_pd(a, b), (__m512)_mm512_unpackhi_pd(a, b));
    }
    for (int i = 0; i < 2; i++) {
        __m512 a = v[2 * i], b = v[2 * i + 1];
        v[i] = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xEE));
    }
    return (floats)_mm512_add_ps(_mm512_shuffle_f32x4(v[0], v[1], 0x88), _mm512_shuffle_f32x4(v[0], v[1], 0xDD));
}

/* Scores of some queries of one head, [queries][BLOCK], from 4 rows at a time: each row is converted once for all. */
INLINE void scores_words(const float *q, const bf16 *k, long count, long width, const long queries,
                         float scores[][BLOCK], int ahead) {
    for (long first = 0; first < count; first += 16) {
        floats sums[4][16];
        for (long r = 0; r < 16; r++) {
            const bf16 *row = k + (first + r < count ? first + r : count - 1) * width;
            for (long g = 0; g < queries; g++) sums[g][r] = all(0.0f);
            for (long d = 0; d < width; d += 32) {
                if (ahead) PREFETCH(row + d);
                __m512i words = _mm512_loadu_si512(row + d);
                floats one = even(words), two = odd(words);
                for (long g = 0; g < queries; g++)
                    sums[g][r] += one * load_f32(q + g * width + d) + two * load_f32(q + g * width + d + 16);
            }
        }
        for (long g = 0; g < queries; g++) store_f32(scores[g] + first, totals(sums[g]));
    }
}

INLINE void mix_words(float weights[][BLOCK], const bf16 *v, long count, long width, const long queries,
                      const float *fade, float *found) {
    for (long d = 0; d < width; d += 64) {
        floats sums[4][4];
        for (long g = 0; g < queries; g++)
            for (long p = 0; p < 4; p++) sums[g][p] = load_f32(found + g * CELLS(width) + d + p * LANES) * fade[g];
        for (long r = 0; r < count; r++) {
            const bf16 *row = v + r * width + d;
            PREFETCH(row);
            PREFETCH(row + 32);
            __m512i a = _mm512_loadu_si512(row), b = _mm512_loadu_si512(row + 32);
            floats parts[4] = {even(a), odd(a), even(b), odd(b)};
            for (long g = 0; g < queries; g++)
                for (long p = 0; p < 4; p++) sums[g][p] += parts[p] * weights[g][r];
        }
        for (long g = 0; g < queries; g++)
            for (long p = 0; p < 4; p++) store_f32(found + g * CELLS(width) + d + p * LANES, sums[g][p]);
    }
}

/* Channels from even and odd apart, in each 32, to their order, or the other way round. */
INLINE void unweave(float *x, long width) {
    for (long d = 0; d < width; d += 32) {
        float apart[32];
        memcpy(apart, x + d, sizeof apart);
        for (long i = 0; i < 32; i++) x[d + i] = apart[i / 2 + i % 2 * 16];
    }
}
INLINE void weave(float *to, const float *x, long width) {
    for (long d = 0; d < width; d++) to[d] = x[d / 32 * 32 + d % 16 * 2 + d % 32 / 16];
}

/* Some queries of one head, a constant number, so that their sums stay in registers. Width a multiple of 64. */
INLINE void share_some(const float *q, const bf16 *k, const bf16 *v, long count, long width, const long queries,
                       int ahead, float scale, float *found) {
    float scores[4][BLOCK], fade[4];
    for (long first = 0; first < count; first += BLOCK) {
        long some = count - first < BLOCK ? count - first : BLOCK;
        scores_words(q, k + first * width, some, width, queries, scores, ahead);
        for (long g = 0; g < queries; g++) fade[g] = weigh(scores[g], some, scale, found + g * CELLS(width), width);
        mix_words(scores, v + first * width, some, width, queries, fade, found);
    }
}

INLINE void share_words(const float *q, const bf16 *k, const bf16 *v, long count, long group, long width,
                        float scale, float *found) {
    for (long g = 0; g < group; g += 4) {
        long queries = group - g < 4 ? group - g : 4;
        float apart[4 * 256], *own = found + g * CELLS(width);
        for (long i = 0; i < queries; i++) weave(apart + i * width, q + (g + i) * width, width);
        switch (queries) {
        case 1: share_some(apart, k, v, count, width, 1, 1, scale, own); break;
        case 2: share_some(apart, k, v, count, width, 2, 1, scale, own); break;
        case 3: share_some(apart, k, v, count, width, 3, 1, scale, own); break;
        default: share_some(apart, k, v, count, width, 4, 1, scale, own);
        }
        for (long i = 0; i < queries; i++) unweave(own + i * CELLS(width), width);
    }
}
#endif

/* Some queries of one head over rows of bytes, each of which is converted once for all. */
INLINE void scores_bytes(const float *q, const int8_t *k, const float *scales, long count, long width,
                         const long queries, float scores[][BLOCK]) {
    for (long r = 0; r < count; r++) {
        floats sums[4] = {};
        for (long d = 0; d < width; d += LANES) {
            if (d % 64 == 0) PREFETCH(k + r * width + d);
            floats x = load_i8(k + r * width + d);
            for (long g = 0; g < queries; g++) sums[g] += x * load_f32(q + g * width + d);
        }
        for (long g = 0; g < queries; g++) scores[g][r] = total(sums[g]) * scales[r];
    }
}

INLINE void mix_bytes(float weights[][BLOCK], const int8_t *v, const float *scales, long count, long width,
                      const long queries, const float *fade, float *found) {
    for (long g = 0; g < queries; g++)
        for (long r = 0; r < count; r++) weights[g][r] *= scales[r];
    for (long d = 0; d < width; d += 2 * LANES) {
        long parts = width - d < 2 * LANES ? 1 : 2;
        floats sums[4][2];
        for (long g = 0; g < queries; g++)
            for (long p = 0; p < parts; p++) sums[g][p] = load_f32(found + g * CELLS(width) + d + p * LANES) * fade[g];
        for (long r = 0; r < count; r++) {
            if (d % 64 == 0) PREFETCH(v + r * width + d);
            for (long p = 0; p < parts; p++) {
                floats x = load_i8(v + r * width + d + p * LANES);
                for (long g = 0; g < queries; g++) sums[g][p] += x * weights[g][r];
            }
        }
        for (long g = 0; g < queries; g++)
            for (long p = 0; p < parts; p++) store_f32(found + g * CELLS(width) + d + p * LANES, sums[g][p]);
    }
}

INLINE void share_bytes_of(const float *q, const int8_t *k, const float *k_scales, const int8_t *v,
                           const float *v_scales, long count, long width, const long queries, float scale,
                           float *found) {
    float scores[4][BLOCK], fade[4];
    for (long first = 0; first < count; first += BLOCK) {
        long some = count - first < BLOCK ? count - first : BLOCK;
        scores_bytes(q, k + first * width, k_scales + first, some, width, queries, scores);
        for (long g = 0; g < queries; g++) fade[g] = weigh(scores[g], some, scale, found + g * CELLS(width), width);
        mix_bytes(scores, v + first * width, v_scales + first, some, width, queries, fade, found);
    }
}

INLINE void share_bytes(const float *q, const int8_t *k, const float *k_scales, const int8_t *v, const float *v_scales,
                        long count, long group, long width, float scale, float *found) {
    for (long g = 0; g < group; g += 4, q += 4 * width, found += 4 * CELLS(width)) {
        switch (group - g) {
        case 1: share_bytes_of(q, k, k_scales, v, v_scales, count, width, 1, scale, found); break;
        case 2: share_bytes_of(q, k, k_scales, v, v_scales, count, width, 2, scale, found); break;
        case 3: share_bytes_of(q, k, k_scales, v, v_scales, count, width, 3, scale, found); break;
        default: share_bytes_of(q, k, k_scales, v, v_scales, count, width, 4, scale, found);
        }
    }
}

/* `found` becomes one thread's findings for the queries of one head. */
static void share(int bits, const float *q, const char *k, const float *k_scales, const char *v, const float *v_scales,
                  long count, long group, long width, float scale, float *found) {
    for (long i = 0; i < group * CELLS(width); i++) found[i] = i % CELLS(width) == width + 1 ? -INFINITY : 0.0f;
    if (bits == 8) {
        share_bytes(q, (const int8_t *)k, k_scales, (const int8_t *)v, v_scales, count, group, width, scale, found);
        return;
    }
    if (bits == 32) {
        share_f32(q, (const float *)k, (const float *)v, count, group, width, scale, found);
        return;
    }
#ifdef __AVX512F__
    if (width % 64 == 0) {
        if (width == 64)
            share_words(q, (const bf16 *)k, (const bf16 *)v, count, group, 64, scale, found);
        else
            share_words(q, (const bf16 *)k, (const bf16 *)v, count, group, width, scale, found);
        return;
    }
#endif
    share_bf16(q, (const bf16 *)k, (const bf16 *)v, count, group, width, scale, found);
}

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

INLINE float *scales_at(float *scales, long row) { return scales ? scales + row : 0; }

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
        put(o->bits, o->keys + k * size, scales_at(o->key_scales, k / width), x + (o->heads + h) * width, width);
        put(o->bits, o->values + v * size, scales_at(o->value_scales, v / width), x + (o->heads + o->kv_heads + h) * width, width);
    }
}

void step_share(const struct operation *o, long at, float *room, int thread, int threads) {
    long first = first_row(o, at), rows = at + 1 - first, size = o->bits / 8, width = o->width;
    long from = first + rows * thread / threads, to = first + rows * (thread + 1) / threads;
    long group = o->heads / o->kv_heads;
    for (long h = 0; h < o->kv_heads; h++) {
        long k = h * o->key_head + from * width, v = h * o->value_head + from * width; /* in elements */
        share(o->bits, o->x + h * group * width, o->keys + k * size, scales_at(o->key_scales, k / width), o->values + v * size,
              scales_at(o->value_scales, v / width), to - from, group, width, o->scale,
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
