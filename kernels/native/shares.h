/* Queries over rows of a head, in blocks with a running largest score (online softmax, arXiv 1805.02867). Rows lie one
 * behind the other, or in pages that are given by their numbers, ascending: only the last of them may not be full.
 */
#include "vectors.h"

#define PAGE 16
#define SOON 4 /* pages that are asked for before they are needed */

INLINE long row_of(const int32_t *pages, long r) { return pages ? pages[r / PAGE] * (long)PAGE + r % PAGE : r; }

/* What is to be asked for while row r, of so many bytes, is read. */
INLINE const char *soon(const void *rows, const int32_t *pages, long r, long count, long bytes) {
    if (!pages) return (const char *)rows + r * bytes + AHEAD;
    long last = (count - 1) / PAGE, page = r / PAGE + SOON;
    return (const char *)rows + (pages[page < last ? page : last] * (long)PAGE + r % PAGE) * bytes;
}
#define ASK(at) __builtin_prefetch(at, 0, 2)

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
    INLINE void scores_##T(const float *q, const T *k, const int32_t *pages, long from, long all_rows, long count,     \
                           long width, float *scores) {                                                                \
        for (long r = 0; r < count; r++) {                                                                             \
            const T *row = k + row_of(pages, from + r) * width;                                                        \
            const char *next = soon(k, pages, from + r, all_rows, width * sizeof(T));                                  \
            floats sum = {};                                                                                           \
            for (long d = 0; d < width; d += LANES) {                                                                  \
                if (d * sizeof(T) % 64 == 0) ASK(next + d * sizeof(T));                                                \
                sum += load_##T(row + d) * load_f32(q + d);                                                            \
            }                                                                                                          \
            scores[r] = total(sum);                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    INLINE void mix_##T(const float *weights, const T *v, const int32_t *pages, long from, long all_rows, long count,  \
                        long width, float fade, float *found) {                                                        \
        for (long d = 0; d < width; d += 64) {                                                                         \
            long parts = (width - d < 64 ? width - d : 64) / LANES;                                                    \
            floats sum[64 / LANES];                                                                                    \
            for (long p = 0; p < parts; p++) sum[p] = load_f32(found + d + p * LANES) * fade;                          \
            for (long r = 0; r < count; r++) {                                                                         \
                const T *row = v + row_of(pages, from + r) * width + d;                                                \
                ASK(soon(v, pages, from + r, all_rows, width * sizeof(T)) + d * sizeof(T));                            \
                for (long p = 0; p < parts; p++) sum[p] += load_##T(row + p * LANES) * weights[r];                     \
            }                                                                                                          \
            for (long p = 0; p < parts; p++) store_f32(found + d + p * LANES, sum[p]);                                 \
        }                                                                                                              \
    }                                                                                                                  \
    INLINE void share_##T(const float *q, const T *k, const T *v, const int32_t *pages, long count, long group,        \
                          long width, float scale, float *found) {                                                     \
        float scores[BLOCK];                                                                                           \
        for (long first = 0; first < count; first += BLOCK) {                                                          \
            long some = count - first < BLOCK ? count - first : BLOCK;                                                 \
            for (long g = 0; g < group; g++) {                                                                         \
                float *own = found + g * CELLS(width);                                                                 \
                scores_##T(q + g * width, k, pages, first, count, some, width, scores);                                \
                float fade = weigh(scores, some, scale, own, width);                                                   \
                mix_##T(scores, v, pages, first, count, some, width, fade, own);                                       \
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
INLINE void scores_words(const float *q, const bf16 *k, const int32_t *pages, long from, long all_rows, long count,
                         long width, const long queries, float scores[][BLOCK]) {
    for (long first = 0; first < count; first += PAGE) {
        const bf16 *rows = k + row_of(pages, from + first) * width;
        const char *next = soon(k, pages, from + first, all_rows, width * 2);
        floats sums[4][16];
        for (long r = 0; r < PAGE; r++) {
            long own = first + r < count ? r : count - 1 - first;
            const bf16 *row = rows + own * width;
            for (long g = 0; g < queries; g++) sums[g][r] = all(0.0f);
            for (long d = 0; d < width; d += 32) {
                ASK(next + (own * width + d) * 2);
                __m512i words = _mm512_loadu_si512(row + d);
                floats one = even(words), two = odd(words);
                for (long g = 0; g < queries; g++)
                    sums[g][r] += one * load_f32(q + g * width + d) + two * load_f32(q + g * width + d + 16);
            }
        }
        for (long g = 0; g < queries; g++) store_f32(scores[g] + first, totals(sums[g]));
    }
}

INLINE void mix_words(float weights[][BLOCK], const bf16 *v, const int32_t *pages, long from, long all_rows,
                      long count, long width, const long queries, const float *fade, float *found) {
    for (long d = 0; d < width; d += 64) {
        floats sums[4][4];
        for (long g = 0; g < queries; g++)
            for (long p = 0; p < 4; p++) sums[g][p] = load_f32(found + g * CELLS(width) + d + p * LANES) * fade[g];
        for (long r = 0; r < count; r++) {
            const bf16 *row = v + row_of(pages, from + r) * width + d;
            const char *next = soon(v, pages, from + r, all_rows, width * 2) + d * 2;
            ASK(next);
            ASK(next + 64);
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
INLINE void share_some(const float *q, const bf16 *k, const bf16 *v, const int32_t *pages, long count, long width,
                       const long queries, float scale, float *found) {
    float scores[4][BLOCK], fade[4];
    for (long first = 0; first < count; first += BLOCK) {
        long some = count - first < BLOCK ? count - first : BLOCK;
        scores_words(q, k, pages, first, count, some, width, queries, scores);
        for (long g = 0; g < queries; g++) fade[g] = weigh(scores[g], some, scale, found + g * CELLS(width), width);
        mix_words(scores, v, pages, first, count, some, width, queries, fade, found);
    }
}

INLINE void share_words(const float *q, const bf16 *k, const bf16 *v, const int32_t *pages, long count, long group,
                        long width, float scale, float *found) {
    for (long g = 0; g < group; g += 4) {
        long queries = group - g < 4 ? group - g : 4;
        float apart[4 * 256], *own = found + g * CELLS(width);
        for (long i = 0; i < queries; i++) weave(apart + i * width, q + (g + i) * width, width);
        switch (queries) {
        case 1: share_some(apart, k, v, pages, count, width, 1, scale, own); break;
        case 2: share_some(apart, k, v, pages, count, width, 2, scale, own); break;
        case 3: share_some(apart, k, v, pages, count, width, 3, scale, own); break;
        default: share_some(apart, k, v, pages, count, width, 4, scale, own);
        }
        for (long i = 0; i < queries; i++) unweave(own + i * CELLS(width), width);
    }
}
#endif

/* Some queries of one head over rows of bytes, each of which is converted once for all. */
INLINE void scores_bytes(const float *q, const int8_t *k, const float *scales, const int32_t *pages, long from,
                         long all_rows, long count, long width, const long queries, float scores[][BLOCK]) {
    for (long r = 0; r < count; r++) {
        long row = row_of(pages, from + r);
        const char *next = soon(k, pages, from + r, all_rows, width);
        floats sums[4] = {};
        for (long d = 0; d < width; d += LANES) {
            if (d % 64 == 0) ASK(next + d);
            floats x = load_i8(k + row * width + d);
            for (long g = 0; g < queries; g++) sums[g] += x * load_f32(q + g * width + d);
        }
        for (long g = 0; g < queries; g++) scores[g][r] = total(sums[g]) * scales[row];
    }
}

INLINE void mix_bytes(float weights[][BLOCK], const int8_t *v, const float *scales, const int32_t *pages, long from,
                      long all_rows, long count, long width, const long queries, const float *fade, float *found) {
    for (long r = 0; r < count; r++)
        for (long g = 0; g < queries; g++) weights[g][r] *= scales[row_of(pages, from + r)];
    for (long d = 0; d < width; d += 2 * LANES) {
        long parts = width - d < 2 * LANES ? 1 : 2;
        floats sums[4][2];
        for (long g = 0; g < queries; g++)
            for (long p = 0; p < parts; p++) sums[g][p] = load_f32(found + g * CELLS(width) + d + p * LANES) * fade[g];
        for (long r = 0; r < count; r++) {
            const int8_t *row = v + row_of(pages, from + r) * width + d;
            if (d % 64 == 0) ASK(soon(v, pages, from + r, all_rows, width) + d);
            for (long p = 0; p < parts; p++) {
                floats x = load_i8(row + p * LANES);
                for (long g = 0; g < queries; g++) sums[g][p] += x * weights[g][r];
            }
        }
        for (long g = 0; g < queries; g++)
            for (long p = 0; p < parts; p++) store_f32(found + g * CELLS(width) + d + p * LANES, sums[g][p]);
    }
}

INLINE void share_bytes_of(const float *q, const int8_t *k, const float *k_scales, const int8_t *v,
                           const float *v_scales, const int32_t *pages, long count, long width, const long queries,
                           float scale, float *found) {
    float scores[4][BLOCK], fade[4];
    for (long first = 0; first < count; first += BLOCK) {
        long some = count - first < BLOCK ? count - first : BLOCK;
        scores_bytes(q, k, k_scales, pages, first, count, some, width, queries, scores);
        for (long g = 0; g < queries; g++) fade[g] = weigh(scores[g], some, scale, found + g * CELLS(width), width);
        mix_bytes(scores, v, v_scales, pages, first, count, some, width, queries, fade, found);
    }
}

INLINE void share_bytes(const float *q, const int8_t *k, const float *k_scales, const int8_t *v, const float *v_scales,
                        const int32_t *pages, long count, long group, long width, float scale, float *found) {
    for (long g = 0; g < group; g += 4, q += 4 * width, found += 4 * CELLS(width)) {
        switch (group - g) {
        case 1: share_bytes_of(q, k, k_scales, v, v_scales, pages, count, width, 1, scale, found); break;
        case 2: share_bytes_of(q, k, k_scales, v, v_scales, pages, count, width, 2, scale, found); break;
        case 3: share_bytes_of(q, k, k_scales, v, v_scales, pages, count, width, 3, scale, found); break;
        default: share_bytes_of(q, k, k_scales, v, v_scales, pages, count, width, 4, scale, found);
        }
    }
}

INLINE float *scales_at(float *scales, long row) { return scales ? scales + row : 0; }

/* `found` becomes one thread's findings for the queries of one head over `count` rows, of `bits` an element. */
INLINE void share(int bits, const float *q, const char *k, const float *k_scales, const char *v, const float *v_scales,
                  const int32_t *pages, long count, long group, long width, float scale, float *found) {
    for (long i = 0; i < group * CELLS(width); i++) found[i] = i % CELLS(width) == width + 1 ? -INFINITY : 0.0f;
    if (bits == 8) {
        share_bytes(q, (const int8_t *)k, k_scales, (const int8_t *)v, v_scales, pages, count, group, width, scale,
                    found);
        return;
    }
    if (bits == 32) {
        share_f32(q, (const float *)k, (const float *)v, pages, count, group, width, scale, found);
        return;
    }
#ifdef __AVX512F__
    if (width % 64 == 0) {
        if (width == 64)
            share_words(q, (const bf16 *)k, (const bf16 *)v, pages, count, group, 64, scale, found);
        else
            share_words(q, (const bf16 *)k, (const bf16 *)v, pages, count, group, width, scale, found);
        return;
    }
#endif
    share_bf16(q, (const bf16 *)k, (const bf16 *)v, pages, count, group, width, scale, found);
}
