/* Attention of queries over the blocks of rows that each has chosen, with a running largest score (online softmax,
 * arXiv 1805.02867): as attend.c, but the query heads of a key head at one token are a tile of their own.
 *
 * A thread takes some tokens of a key head and goes through all blocks that one of them has chosen. Each is brought
 * into tiles once, for those tokens that have it: near ones choose much alike.
 */
#include "softmax.h"

#include "sparse.h"

#ifdef TILES
#define LIST 64 /* tokens */
#define WIDEST 128
#define NONE INT32_MAX

struct scratch {
    bf16 queries[LIST][WIDEST / 32 * TILE];
    float mixed[LIST][WIDEST * 16];
    float largest[LIST][16], sums[LIST][16];
    bf16 keys[KEYS * WIDEST], values[KEYS * WIDEST], weights[STEPS * TILE];
    float scores[KEYS * 16];
} __attribute__((aligned(64)));

static _Thread_local struct scratch kept;

/* Rows of keys as left tiles, [row / 16][channel / 32]; up to `whole` as zeros. */
INLINE void place_keys(struct scratch *own, const bf16 *k, long stride, long count, long whole, long width) {
    const long steps = (width + 31) / 32;
    for (long r = 0; r < whole; r++)
        for (long s = 0; s < steps; s++)
            _mm512_store_si512(own->keys + (r / 16 * steps + s) * TILE + r % 16 * 32,
                               r < count ? channels_of(k + r * stride, s * 32, width) : _mm512_setzero_si512());
}

/* Rows of values, turned, as left tiles [channel / 16][row / 32]. Of 32 channels, those of which four come first in a
 * group of eight are in one tile, the others in the next: so rows are woven in one step. `mixed` keeps that order. */
INLINE void place_values(struct scratch *own, const bf16 *v, long stride, long count, long width) {
    for (long first = 0; first < count; first += 32)
        for (long c = 0; c < width; c += 32) {
            __m512i low[16], high[16];
            for (long pair = 0; pair < 16; pair++) {
                long r = first + pair * 2;
                __m512i one = r < count ? channels_of(v + r * stride, c, width) : _mm512_setzero_si512();
                __m512i two = r + 1 < count ? channels_of(v + (r + 1) * stride, c, width) : _mm512_setzero_si512();
                low[pair] = _mm512_unpacklo_epi16(one, two), high[pair] = _mm512_unpackhi_epi16(one, two);
            }
            bf16 *tile = own->values + (c / 16 * STEPS + first / 32) * TILE;
            transpose(low);
            for (long i = 0; i < 16; i++) _mm512_store_si512(tile + i * 32, low[i]);
            transpose(high);
            for (long i = 0; i < 16; i++) _mm512_store_si512(tile + STEPS * TILE + i * 32, high[i]);
        }
}

/* Tiles come in pairs. */
INLINE long whole_width(long width) { return (width + 31) / 32 * 32; }

/* The heads of a token as right tiles, and nothing found for them yet. */
INLINE void place_query(struct scratch *own, long t, const bf16 *q, long head_at, long heads, long width) {
    for (long s = 0; s * 32 < width; s++) {
        __m512i rows[16];
        for (long a = 0; a < 16; a++) rows[a] = channels_of(q + (a < heads ? a : heads - 1) * head_at, s * 32, width);
        transpose(rows);
        for (long a = 0; a < 16; a++) _mm512_store_si512(own->queries[t] + s * TILE + a * 32, rows[a]);
    }
    memset(own->mixed[t], 0, whole_width(width) * 16 * sizeof(float));
    _mm512_store_ps(own->largest[t], _mm512_set1_ps(HIDDEN));
    _mm512_store_ps(own->sums[t], _mm512_setzero_ps());
}

INLINE void give(struct scratch *own, long t, bf16 *y, long head_at, long heads, long width) {
    static const uint16_t order[32] __attribute__((aligned(64))) = {0,  1,  2,  3,  16, 17, 18, 19, 4,  5,  6,
                                                                    7,  20, 21, 22, 23, 8,  9,  10, 11, 24, 25,
                                                                    26, 27, 12, 13, 14, 15, 28, 29, 30, 31};
    for (long c = 0; c < width; c += 32) {
        __m512i low[16], high[16];
        for (long r = 0; r < 16; r++) {
            low[r] = _mm512_load_si512(own->mixed[t] + (c + r) * 16);
            high[r] = _mm512_load_si512(own->mixed[t] + (c + 16 + r) * 16);
        }
        transpose(low);
        transpose(high);
        for (long a = 0; a < heads; a++) {
            vector sum = _mm512_set1_ps(own->sums[t][a]);
            __m512i both = (__m512i)_mm512_cvtne2ps_pbh((vector)high[a] / sum, (vector)low[a] / sum);
            both = _mm512_permutexvar_epi16(_mm512_load_si512(order), both);
            _mm512_mask_storeu_epi16(y + a * head_at + c, width - c >= 32 ? 0xFFFFFFFF : 0xFFFF, both);
        }
    }
}

/* Ask for one of so many parts of the rows from `first` on before they are needed. */
INLINE void ask(const struct sparse *a, const bf16 *k, const bf16 *v, long first, long count, long part, long parts) {
    for (long r = first + count * part / parts; r < first + count * (part + 1) / parts; r++)
        for (long c = 0; c < a->width; c += 32) {
            __builtin_prefetch(k + r * a->k.at[2] + c, 0, 2);
            __builtin_prefetch(v + r * a->v.at[2] + c, 0, 2);
        }
}

/* The lowest block that a token has chosen and not yet seen. */
INLINE int32_t lowest(const int32_t *chosen, const long *at, long tokens, long count) {
    int32_t block = NONE;
    for (long t = 0; t < tokens; t++) {
        int32_t next = at[t] < count ? chosen[t * count + at[t]] : -1;
        if (next >= 0 && next < block) block = next;
    }
    return block;
}

INLINE void attend_some(struct scratch *own, const struct sparse *a, long b, long h, long head, long heads, long first,
                        long tokens) {
    const long width = a->width, steps = (width + 31) / 32, end = a->at + first + tokens;
    const long k_at = a->k.at[2], v_at = a->v.at[2], half = steps > 1 ? steps * 16 : 32;
    const bf16 *q = (const bf16 *)a->q.from + b * a->q.at[0] + head * a->q.at[1] + first * a->q.at[2];
    const bf16 *k = (const bf16 *)a->k.from + b * a->k.at[0] + h * a->k.at[1];
    const bf16 *v = (const bf16 *)a->v.from + b * a->v.at[0] + h * a->v.at[1];
    bf16 *y = (bf16 *)a->y + b * a->y_at[0] + head * a->y_at[1] + first * a->y_at[2];
    const int32_t *chosen = a->chosen + ((b * a->kv_heads + h) * a->tokens + first) * a->count;
    const float factor = a->scale * 1.44269504f;
    long at[LIST] = {0}, these[LIST];
    for (long t = 0; t < tokens; t++) place_query(own, t, q + t * a->q.at[2], a->q.at[1], heads, width);
    int32_t block = lowest(chosen, at, tokens, a->count);
    while (block != NONE) {
        long some = 0, row = block * a->block, count = end - row < a->block ? end - row : a->block;
        for (long t = 0; t < tokens; t++)
            if (at[t] < a->count && chosen[t * a->count + at[t]] == block) at[t]++, these[some++] = t;
        int32_t next = lowest(chosen, at, tokens, a->count);
        long next_row = next == NONE ? 0 : next * a->block, left = next == NONE ? 0 : end - next_row;
        if (left > a->block) left = a->block;
        place_keys(own, k + row * k_at, k_at, count, (count + 31) / 32 * 32, width);
        place_values(own, v + row * v_at, v_at, count, width);
        for (long i = 0; i < some; i++) {
            long t = these[i], seen = a->at + first + t + 1 - row;
            if (seen > count) seen = count;
            long whole = (seen + 31) / 32 * 32;
            if (seen <= 0) continue;
            /* What the next block needs is asked for little by little, or asking would have to wait */
            ask(a, k, v, next_row, left, 4 * i, 4 * some);
            multiply(own->scores, own->keys, steps, own->queries[t], steps, whole / 16, 0);
            ask(a, k, v, next_row, left, 4 * i + 1, 4 * some);
            for (long r = seen; r < whole; r++) _mm512_store_ps(own->scores + r * 16, _mm512_set1_ps(HIDDEN));
            weigh(own->scores, own->weights, own->largest[t], own->sums[t], own->mixed[t], whole, factor,
                  whole_width(width));
            for (long c = 0; c < steps * 32; c += half) {
                ask(a, k, v, next_row, left, 4 * i + 2 + (c > 0), 4 * some);
                multiply(own->mixed[t] + c * 16, own->values + c * KEYS, STEPS, own->weights, whole / 32, half / 16, 1);
            }
        }
        block = next;
    }
    for (long t = 0; t < tokens; t++) give(own, t, y + t * a->y_at[2], a->y_at[1], heads, width);
}
#endif

/* The width is a multiple of 16 from 32 to 128, a block a multiple of 32 up to 128. */
void attend_chosen(const struct sparse *a, int threads) {
#ifdef TILES
    long group = a->heads / a->kv_heads, parts = (group + 15) / 16, lists = a->batch * a->kv_heads * parts;
    long blocks = (a->tokens + LIST - 1) / LIST;
    while (blocks < a->tokens && lists * blocks < 4 * threads && lists * blocks % threads) blocks++;
    long each = (a->tokens + blocks - 1) / blocks;
    blocks = (a->tokens + each - 1) / each;
#pragma omp parallel num_threads(threads)
    {
        struct scratch *own = &kept;
        __asm__("" : "+r"(own)); /* or compilers ask for its address again in the innermost loop */
        struct tile_shapes theirs;
        begin_tiles(&theirs);
#pragma omp for schedule(dynamic)
        for (long i = 0; i < lists * blocks; i++) { /* the last tokens, which see the most, first */
            long first = (blocks - 1 - i / lists) * each, list = i % lists, part = list % parts, h = list / parts;
            long tokens = a->tokens - first < each ? a->tokens - first : each;
            long heads = group - part * 16 < 16 ? group - part * 16 : 16;
            long b = h / a->kv_heads, head = h % a->kv_heads * group + part * 16;
            attend_some(own, a, b, h % a->kv_heads, head, heads, first, tokens);
        }
        end_tiles(&theirs);
    }
#endif
}
