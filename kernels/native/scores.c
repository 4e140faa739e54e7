/* Scores of blocks from means of keys, and the choice of the best (InfLLM-v2, arXiv 2509.24663), without a matrix of
 * scores: a thread takes some tokens of a key head, whose query heads are a left tile a token, and brings sixteen
 * windows at a time into a right tile. So a vector holds one head's scores of sixteen windows, and heads are added
 * without looking across a vector. The windows of a tile lie one block apart, so the largest of a block's is neither.
 */
#include <omp.h>

#include "tiles.h"

#include "sparse.h"

#ifdef TILES
#define SCORED 16 /* tokens that share a tile of windows */
#define WIDEST 128
#define SLACK 16.0f /* powers of two by which a score may exceed what counts as the largest */

typedef __m512 vector;

struct scratch {
    bf16 queries[SCORED * (WIDEST / 32) * TILE], windows[WIDEST / 32 * TILE];
    float scores[SCORED * SUMS], sums[SCORED * SUMS];
    float largest[SCORED * 16]; /* of each token's heads; then the logarithm of their sum, base 2 */
    float most[SCORED * 16], last[SCORED * 16];
} __attribute__((aligned(64)));

static _Thread_local struct scratch kept;

/* 2^x, relative error below 1e-6: 0 and infinity where that is beyond fp32. */
INLINE vector power(vector x) {
    vector whole = _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC), f = x - whole;
    vector p = _mm512_set1_ps(1.3333558e-3f);
    p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(9.6181291e-3f));
    p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(5.5504109e-2f));
    p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(2.4022650e-1f));
    p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(6.9314718e-1f));
    p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(1.0f));
    return _mm512_scalef_ps(p, whole);
}

/* 32 channels of a row from channel c on, those beyond the width as zeros. */
INLINE __m512i channels(const bf16 *row, long c, long width) {
    return _mm512_maskz_loadu_epi16(width - c >= 32 ? 0xFFFFFFFF : 0xFFFF, row + c);
}

/* Windows first, first + apart, ..., sixteen of them, as right tiles [channel / 32]; those from `end` on as zeros. */
INLINE void place_windows(struct scratch *own, const bf16 *from, long row_at, long first, long apart, long end,
                          long width) {
    for (long s = 0; s * 32 < width; s++) {
        __m512i rows[16];
        for (long r = 0; r < 16; r++) {
            long j = first + r * apart;
            rows[r] = j < end ? channels(from + j * row_at, s * 32, width) : _mm512_setzero_si512();
        }
        transpose(rows);
        for (long r = 0; r < 16; r++) _mm512_store_si512(own->windows + s * TILE + r * 32, rows[r]);
    }
}

/* The heads of a token as left tiles [token][channel / 32], rows without a head as zeros. */
INLINE void place_queries(struct scratch *own, const bf16 *q, long head_at, long token_at, long group, long tokens,
                          long width) {
    const long steps = (width + 31) / 32;
    for (long t = 0; t < tokens; t++)
        for (long s = 0; s < steps; s++)
            for (long a = 0; a < 16; a++)
                _mm512_store_si512(own->queries + (t * steps + s) * TILE + a * 32,
                                   a < group ? channels(q + a * head_at + t * token_at, s * 32, width)
                                             : _mm512_setzero_si512());
}

/* Windows of `length` rows, `stride` apart, that lie wholly at or before a row. */
INLINE long seen(long row, long length, long stride) { return row + 1 < length ? 0 : (row + 1 - length) / stride + 1; }

/* The first of sixteen lanes, apart in number by `apart`, whose numbers from `first` on are below `end`. */
INLINE __mmask16 below(long first, long apart, long end) {
    long lanes = end <= first ? 0 : (end - first + apart - 1) / apart;
    return lanes >= 16 ? 0xFFFF : (1 << lanes) - 1;
}

/* A token's scores of sixteen windows, of which some are seen, added to the sums of exponentials of its heads. */
INLINE void add_exponentials(struct scratch *own, long t, long group, __mmask16 some, float factor) {
    const float *scores = own->scores + t * SUMS;
    float *sums = own->sums + t * SUMS, *largest = own->largest + t * 16;
    for (long a = 0; a < group; a++) {
        vector s = _mm512_load_ps(scores + a * 16) * factor, before = _mm512_set1_ps(largest[a]);
        vector sum = _mm512_load_ps(sums + a * 16);
        if (__builtin_expect(_mm512_mask_cmp_ps_mask(some, s, before + SLACK, _CMP_GT_OQ), 0)) {
            largest[a] = _mm512_mask_reduce_max_ps(some, s);
            vector now = _mm512_set1_ps(largest[a]);
            sum *= power(before - now);
            before = now;
        }
        _mm512_store_ps(sums + a * 16, _mm512_mask_add_ps(sum, some, sum, power(s - before)));
    }
}

/* The logarithm, base 2, of every head's sum over the windows that its token sees: infinity where it sees none. */
INLINE void normalise(struct scratch *own, const bf16 *from, long row_at, long length, long stride, long row,
                      long group, long tokens, float factor, long width) {
    const long steps = (width + 31) / 32, end = seen(row + tokens - 1, length, stride);
    for (long i = 0; i < tokens * SUMS; i += 16) _mm512_store_ps(own->sums + i, _mm512_setzero_ps());
    for (long i = 0; i < tokens * 16; i += 16) _mm512_store_ps(own->largest + i, _mm512_set1_ps(-1e30f));
    for (long first = 0; first < end; first += 16) {
        place_windows(own, from, row_at, first, 1, end, width);
        multiply(own->scores, own->queries, steps, own->windows, steps, tokens < 2 ? 2 : tokens, 0);
        for (long t = 0; t < tokens; t++) {
            __mmask16 some = below(first, 1, seen(row + t, length, stride));
            if (some) add_exponentials(own, t, group, some, factor);
        }
    }
    for (long t = 0; t < tokens; t++)
        for (long a = 0; a < group; a++) {
            float *log = own->largest + t * 16 + a;
            float sum = _mm512_reduce_add_ps(_mm512_load_ps(own->sums + t * SUMS + a * 16));
            *log = sum > 0 ? *log + log2f(sum) : INFINITY;
        }
}

/* Sixteen windows' exponentials, added over a token's heads; zero where a window is not seen. */
INLINE vector added(const struct scratch *own, long t, long group, __mmask16 some, float factor) {
    const float *scores = own->scores + t * SUMS, *logs = own->largest + t * 16;
    vector scale = _mm512_set1_ps(factor), one = _mm512_setzero_ps(), two = one;
    for (long a = 0; a + 1 < group; a += 2) {
        one += power(_mm512_fmsub_ps(_mm512_load_ps(scores + a * 16), scale, _mm512_set1_ps(logs[a])));
        two += power(_mm512_fmsub_ps(_mm512_load_ps(scores + a * 16 + 16), scale, _mm512_set1_ps(logs[a + 1])));
    }
    if (group % 2)
        one += power(_mm512_fmsub_ps(_mm512_load_ps(scores + group * 16 - 16), scale, _mm512_set1_ps(logs[group - 1])));
    return _mm512_maskz_max_ps(some, one + two, _mm512_setzero_ps()); /* what is no number counts as nothing */
}

/* Scores of all blocks up to the last token's, `room` [token][each]. */
INLINE void score(struct scratch *own, const struct choosing *c, const bf16 *fine, long row, long group, long tokens,
                  float factor, float *room, long each) {
    const long steps = (c->width + 31) / 32, windows = c->block / c->stride, length = 2 * c->stride;
    const long end = seen(row + tokens - 1, length, c->stride);
    for (long i = 0; i < tokens * 16; i += 16) _mm512_store_ps(own->last + i, _mm512_setzero_ps());
    for (long block = 0; block < each; block += 16) {
        for (long w = 0; w < windows; w++) {
            long first = block * windows + w;
            if (first < end) {
                place_windows(own, fine, c->fine.at[2], first, windows, end, c->width);
                multiply(own->scores, own->queries, steps, own->windows, steps, tokens < 2 ? 2 : tokens, 0);
            }
            for (long t = 0; t < tokens; t++) {
                __mmask16 some = below(first, windows, seen(row + t, length, c->stride));
                vector now = some ? added(own, t, group, some, factor) : _mm512_setzero_ps();
                vector most = w ? _mm512_load_ps(own->most + t * 16) : now;
                most = _mm512_max_ps(most, now);
                if (w + 1 < windows) {
                    _mm512_store_ps(own->most + t * 16, most);
                    continue;
                }
                /* The last window of the block before overlaps this one too: lane 15 of those before comes first */
                __m512i before = _mm512_castps_si512(_mm512_load_ps(own->last + t * 16));
                before = _mm512_alignr_epi32(_mm512_castps_si512(now), before, 15);
                _mm512_storeu_ps(room + t * each + block, _mm512_max_ps(most, _mm512_castsi512_ps(before)));
                _mm512_store_ps(own->last + t * 16, now);
            }
        }
    }
}

/* How many of `count` scores are `least` or more. Numbers that are not below zero are ordered as their bits are. */
INLINE long at_least(const int32_t *scores, long count, int32_t least) {
    __m512i than = _mm512_set1_epi32(least), found = _mm512_setzero_si512(), one = _mm512_set1_epi32(1);
    for (long i = 0; i < count; i += 16) {
        __mmask16 inside = below(i, 1, count);
        __m512i some = _mm512_maskz_loadu_epi32(inside, scores + i);
        found = _mm512_mask_add_epi32(found, _mm512_mask_cmpge_epi32_mask(inside, some, than), found, one);
    }
    return _mm512_reduce_add_epi32(found);
}

/* The numbers of the `wanted` largest of scores [from, to), of equal ones the first, in order -> behind the last. */
INLINE int32_t *best(int32_t *chosen, const float *all, long from, long to, long wanted) {
    const int32_t *scores = (const int32_t *)(all + from);
    long count = to - from, found = 0;
    int32_t least = 0;
    for (int bit = 30; bit >= 0 && found != wanted; bit--) {
        long more = at_least(scores, count, least | 1 << bit);
        if (more >= wanted) least |= 1 << bit, found = more;
    }
    long equal = found == wanted ? wanted : wanted - at_least(scores, count, least + 1);
    __m512i than = _mm512_set1_epi32(least);
    __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (long i = 0; i < count && wanted; i += 16) {
        __mmask16 inside = below(i, 1, count);
        __m512i some = _mm512_maskz_loadu_epi32(inside, scores + i);
        uint32_t more = _mm512_mask_cmpgt_epi32_mask(inside, some, than);
        uint32_t same = _mm512_mask_cmpeq_epi32_mask(inside, some, than);
        if (__builtin_popcount(same) > equal) same = _pdep_u32((1u << equal) - 1, same);
        equal -= __builtin_popcount(same);
        more |= same;
        long taken = __builtin_popcount(more);
        __m512i numbers = _mm512_maskz_compress_epi32(more, _mm512_add_epi32(lanes, _mm512_set1_epi32(from + i)));
        _mm512_mask_storeu_epi32(chosen, (1u << taken) - 1, numbers);
        chosen += taken, wanted -= taken;
    }
    return chosen;
}

/* One query's choice among its blocks; -1 behind the last. */
INLINE void choose_of(const struct choosing *c, const float *scores, long row, int32_t *chosen) {
    long own = row / c->block, count = own + 1;
    int32_t *at = chosen, *end = chosen + c->count;
    if (count <= c->most) {
        for (long n = 0; n < count; n++) *at++ = n;
    } else {
        long local = own + 1 - c->local;
        for (long n = 0; n < c->initial; n++) *at++ = n;
        at = best(at, scores, c->initial, local, c->most - c->initial - c->local);
        for (long n = local; n < count; n++) *at++ = n;
    }
    while (at < end) *at++ = -1;
}

INLINE void choose_some(struct scratch *own, const struct choosing *c, long b, long h, long first, long tokens,
                        float *room) {
    const long group = c->heads / c->kv_heads, row = c->at + first, last = row + tokens - 1;
    const long each = (last / c->block + 16) / 16 * 16;
    int32_t *chosen = c->chosen + ((b * c->kv_heads + h) * c->tokens + first) * c->count;
    if (last / c->block + 1 > c->most) { /* or all are chosen whatever they score */
        const bf16 *q = (const bf16 *)c->q.from + b * c->q.at[0] + h * group * c->q.at[1] + first * c->q.at[2];
        const bf16 *fine = (const bf16 *)c->fine.from + b * c->fine.at[0] + h * c->fine.at[1];
        const bf16 *coarse = (const bf16 *)c->coarse.from + b * c->coarse.at[0] + h * c->coarse.at[1];
        const float factor = c->scale * 1.44269504f;
        const long by = c->exact ? 1 : 4;
        place_queries(own, q, c->q.at[1], c->q.at[2], group, tokens, c->width);
        normalise(own, c->exact ? fine : coarse, c->exact ? c->fine.at[2] : c->coarse.at[2], 2 * by * c->stride,
                  by * c->stride, row, group, tokens, factor, c->width);
        score(own, c, fine, row, group, tokens, factor, room, each);
    }
    for (long t = 0; t < tokens; t++) choose_of(c, room + t * each, row + t, chosen + t * c->count);
}
#endif

/* Up to sixteen query heads a key head; the width is a multiple of 16 from 32 to 128. */
void choose_blocks(const struct choosing *c, int threads) {
#ifdef TILES
    long parts = (c->tokens + SCORED - 1) / SCORED, lists = c->batch * c->kv_heads;
    long each = SCORED * (((c->at + c->tokens - 1) / c->block + 16) / 16 * 16);
#pragma omp parallel num_threads(threads)
    {
        struct scratch *own = &kept;
        __asm__("" : "+r"(own)); /* or compilers ask for its address again in the innermost loop */
        struct tile_shapes theirs;
        begin_tiles(&theirs);
#pragma omp for schedule(dynamic)
        for (long i = 0; i < lists * parts; i++) { /* the last tokens, which see the most, first */
            long first = (parts - 1 - i / lists) * SCORED, h = i % lists;
            long tokens = c->tokens - first < SCORED ? c->tokens - first : SCORED;
            choose_some(own, c, h / c->kv_heads, h % c->kv_heads, first, tokens, c->room + omp_get_thread_num() * each);
        }
        end_tiles(&theirs);
    }
#endif
}
