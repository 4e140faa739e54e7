/* Attention of many queries over rows of bf16 or int8, block by block with a running largest score (online softmax,
 * arXiv 1805.02867; the order of work is FlashAttention's, arXiv 2205.14135).
 *
 * All query heads of a key head at all tokens are one list of queries, token by token. A thread takes a block of it; for
 * every block of rows it brings keys and values into tiles once for all its queries, and then, sixteen queries at a
 * time: scores = keys @ queries, one row a key; weights = 2^(scores - largest); mixed += values @ weights, one row a
 * channel. So a vector holds sixteen queries, and neither the largest score nor the sum is looked for across a vector.
 */
#include "attend.h"
#include "softmax.h"

#ifdef TILES
#define LIST 16  /* tiles of queries in a block, at most */
#define WIDEST 128

struct scratch {
    bf16 queries[LIST][WIDEST / 32 * TILE];
    float mixed[LIST][WIDEST * 16];
    float largest[LIST][16], sums[LIST][16];
    int32_t token[LIST][16];
    bf16 keys[KEYS * WIDEST], values[KEYS * WIDEST], weights[STEPS * TILE];
    float scores[KEYS * 16];
} __attribute__((aligned(64)));

static _Thread_local struct scratch kept;

/* 32 channels of a row from channel c on, those beyond the width as zeros. */
INLINE __m512i channels(int bits, const void *row, float scale, long c, long width) {
    if (bits == 16) return channels_of(row, c, width);
    __m256i packed = _mm256_maskz_loadu_epi8(width - c >= 32 ? 0xFFFFFFFF : 0xFFFF, (const int8_t *)row + c);
    vector low = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm256_castsi256_si128(packed)));
    vector high = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm256_extracti128_si256(packed, 1)));
    return (__m512i)_mm512_cvtne2ps_pbh(high * scale, low * scale);
}

/* Rows of keys as left tiles, [row / 16][channel / 32]. */
INLINE void place_keys(struct scratch *own, int bits, const void *k, const float *scales, long stride,
                       long scale_stride, long count, long whole, long width) {
    const long steps = (width + 31) / 32;
    for (long r = 0; r < whole; r++) {
        const char *row = (const char *)k + r * stride * bits / 8;
        float scale = bits == 8 && r < count ? scales[r * scale_stride] : 1.0f;
        for (long s = 0; s < steps; s++)
            _mm512_store_si512(own->keys + (r / 16 * steps + s) * TILE + r % 16 * 32,
                               r < count ? channels(bits, row, scale, s * 32, width) : _mm512_setzero_si512());
    }
}

/* Rows of values, turned, as left tiles [channel / 16][row / 32]. */
INLINE void place_values(struct scratch *own, int bits, const void *v, const float *scales, long stride,
                         long scale_stride, long count, long width) {
    for (long first = 0; first < count; first += 32)
        for (long c = 0; c < width; c += 32) {
            __m512i low[16], high[16];
            for (long pair = 0; pair < 16; pair++) {
                __m512i rows[2];
                for (long i = 0; i < 2; i++) {
                    long r = first + 2 * pair + i;
                    float scale = bits == 8 && r < count ? scales[r * scale_stride] : 1.0f;
                    rows[i] = r < count ? channels(bits, (const char *)v + r * stride * bits / 8, scale, c, width)
                                        : _mm512_setzero_si512();
                }
                low[pair] = weave_rows(_mm512_castsi512_si256(rows[0]), _mm512_castsi512_si256(rows[1]));
                high[pair] = weave_rows(_mm512_extracti64x4_epi64(rows[0], 1), _mm512_extracti64x4_epi64(rows[1], 1));
            }
            bf16 *tile = own->values + (c / 16 * STEPS + first / 32) * TILE;
            transpose(low);
            for (long i = 0; i < 16; i++) _mm512_store_si512(tile + i * 32, low[i]);
            if (c + 16 >= width) continue;
            transpose(high);
            for (long i = 0; i < 16; i++) _mm512_store_si512(tile + STEPS * TILE + i * 32, high[i]);
        }
}

struct list {
    const bf16 *q;
    bf16 *y;
    long head_at, token_at, y_head_at, y_token_at;
    long group, first, count; /* heads that share the key head; queries of this block in the whole list */
};

/* Queries as right tiles, and nothing found for them yet. */
INLINE void place_queries(struct scratch *own, const struct list *l, long width) {
    const long steps = (width + 31) / 32;
    for (long i = 0; i * 16 < l->count; i++) {
        for (long s = 0; s < steps; s++) {
            __m512i rows[16];
            for (long r = 0; r < 16; r++) {
                long m = i * 16 + r < l->count ? l->first + i * 16 + r : l->first + l->count - 1;
                own->token[i][r] = m / l->group;
                rows[r] = channels(16, l->q + m % l->group * l->head_at + m / l->group * l->token_at, 1, s * 32, width);
            }
            transpose(rows);
            for (long r = 0; r < 16; r++) _mm512_store_si512(own->queries[i] + s * TILE + r * 32, rows[r]);
        }
        memset(own->mixed[i], 0, width * 16 * sizeof(float));
        _mm512_store_ps(own->largest[i], _mm512_set1_ps(HIDDEN));
        _mm512_store_ps(own->sums[i], _mm512_setzero_ps());
    }
}

INLINE void give(struct scratch *own, const struct list *l, long width) {
    for (long i = 0; i * 16 < l->count; i++)
        for (long c = 0; c < width; c += 16) {
            __m512i rows[16];
            for (long r = 0; r < 16; r++) rows[r] = _mm512_load_si512(own->mixed[i] + (c + r) * 16);
            transpose(rows);
            for (long r = 0; r < 16 && i * 16 + r < l->count; r++) {
                long m = l->first + i * 16 + r;
                bf16 *to = l->y + m % l->group * l->y_head_at + m / l->group * l->y_token_at + c;
                store_bf16(to, (floats)rows[r] / own->sums[i][r]);
            }
        }
}

/* Scores that the queries of tile i may not see: of rows beyond `count`, and from each query's `sees` on. */
INLINE void hide(struct scratch *own, long count, long whole, __m512i sees) {
    for (long r = 0; r < whole; r++) {
        __mmask16 seen = r < count ? _mm512_cmpgt_epi32_mask(sees, _mm512_set1_epi32(r)) : 0;
        vector s = _mm512_load_ps(own->scores + r * 16);
        _mm512_store_ps(own->scores + r * 16, _mm512_mask_blend_ps(seen, _mm512_set1_ps(HIDDEN), s));
    }
}

/* A block of queries over one part's rows of their key head. `before`: as of attention, or -1: all rows are seen.
 * `chosen`: the blocks of rows that are looked at, `most` or as many as come before -1; null: all. */
INLINE void over(struct scratch *own, const struct rows *p, long b, long h, const struct list *l, long before,
                 float factor, long width, const int32_t *chosen, long most) {
    long last = (l->first + l->count - 1) / l->group, end = before < 0 ? p->count : before + last + 1;
    const long steps = (width + 31) / 32;
    const char *k = (const char *)p->k + (b * p->k_at[0] + h * p->k_at[1]) * p->bits / 8;
    const char *v = (const char *)p->v + (b * p->v_at[0] + h * p->v_at[1]) * p->bits / 8;
    const float *k_scales = p->k_scales + b * p->k_scales_at[0] + h * p->k_scales_at[1];
    const float *v_scales = p->v_scales + b * p->v_scales_at[0] + h * p->v_scales_at[1];
    for (long n = 0; n < (chosen ? most : (end + KEYS - 1) / KEYS); n++) {
        long first = (chosen ? chosen[n] : n) * KEYS;
        if (chosen && (first < 0 || first >= end)) break;
        long count = end - first < KEYS ? end - first : KEYS, whole = (count + 31) / 32 * 32;
        long k_step = p->k_at[2], v_step = p->v_at[2], ks = p->k_scales_at[2], vs = p->v_scales_at[2];
        if (p->bits == 16) {
            place_keys(own, 16, k + first * k_step * 2, 0, k_step, 0, count, whole, width);
            place_values(own, 16, v + first * v_step * 2, 0, v_step, 0, count, width);
        } else {
            place_keys(own, 8, k + first * k_step, k_scales + first * ks, k_step, ks, count, whole, width);
            place_values(own, 8, v + first * v_step, v_scales + first * vs, v_step, vs, count, width);
        }
        for (long i = 0; i * 16 < l->count; i++) {
            __m512i sees = _mm512_set1_epi32(KEYS);
            int some = count < whole; /* rows may not be seen */
            if (before >= 0) {
                if (before + own->token[i][15] < first) continue;
                some |= before + own->token[i][0] < first + count - 1;
                sees = _mm512_add_epi32(_mm512_load_si512(own->token[i]), _mm512_set1_epi32(before + 1 - first));
            }
            multiply(own->scores, own->keys, steps, own->queries[i], steps, whole / 16, 0);
            if (some) hide(own, count, whole, sees);
            weigh(own->scores, own->weights, own->largest[i], own->sums[i], own->mixed[i], whole, factor, width);
            multiply(own->mixed[i], own->values, STEPS, own->weights, whole / 32, width / 16, 1);
        }
    }
}

INLINE void attend_block(struct scratch *own, const struct attention *a, long b, long h, long first, long count) {
    long group = a->heads / a->kv_heads, width = a->width;
    struct list l = {
        (const bf16 *)a->q + b * a->q_at[0] + h * group * a->q_at[1],
        (bf16 *)a->y + b * a->y_at[0] + h * group * a->y_at[1],
        a->q_at[1], a->q_at[2], a->y_at[1], a->y_at[2], group, first, count};
    place_queries(own, &l, width);
    for (long p = 0; p < a->count; p++)
        over(own, a->parts + p, b, h, &l, p + 1 < a->count ? -1 : a->before, a->scale * 1.44269504f, width, 0, 0);
    give(own, &l, width);
}

/* Queries `first` and so many more of list number `number`, all of one tile. */
INLINE void attend_chosen_block(struct scratch *own, const struct attention *a, const struct choice *c, long b,
                                long number, long first, long count) {
    long group = a->heads / c->lists, h = number * group / (a->heads / a->kv_heads), width = a->width;
    long tile = (a->before + first / group) / KEYS - a->before / KEYS;
    struct list l = {
        (const bf16 *)a->q + b * a->q_at[0] + number * group * a->q_at[1],
        (bf16 *)a->y + b * a->y_at[0] + number * group * a->y_at[1],
        a->q_at[1], a->q_at[2], a->y_at[1], a->y_at[2], group, first, count};
    place_queries(own, &l, width);
    over(own, a->parts, b, h, &l, a->before, a->scale * 1.44269504f, width,
         c->chosen + ((b * c->lists + number) * c->tiles + tile) * c->most, c->most);
    give(own, &l, width);
}
#endif

/* Whether this processor and its system multiply tiles; else `attend` must not be called. */
int attend_here(void) {
#ifdef TILES
    return tiles_allowed();
#else
    return 0;
#endif
}

/* The width is a multiple of 16 from 32 to 128. */
void attend(const struct attention *a, int threads) {
#ifdef TILES
    long every = a->heads / a->kv_heads * a->tokens, tiles = (every + 15) / 16, lists = a->batch * a->kv_heads;
    if (every * lists == 0) return;
    /* As few blocks as keep the threads alike busy: each brings all rows into tiles again */
    long blocks = (tiles + LIST - 1) / LIST;
    while (blocks < tiles && lists * blocks < 4 * threads && lists * blocks % threads) blocks++;
    long each = (tiles + blocks - 1) / blocks * 16;
    blocks = (every + each - 1) / each;
#pragma omp parallel num_threads(threads)
    {
        struct scratch *own = &kept;
        __asm__("" : "+r"(own)); /* or compilers ask for its address again in the innermost loop */
        struct tile_shapes theirs;
        begin_tiles(&theirs);
#pragma omp for schedule(dynamic)
        for (long i = 0; i < lists * blocks; i++) { /* the last queries, which see the most, first */
            long first = (blocks - 1 - i / lists) * each, h = i % lists;
            long count = every - first < each ? every - first : each;
            attend_block(own, a, h / a->kv_heads, h % a->kv_heads, first, count);
        }
        end_tiles(&theirs);
    }
#endif
}

/* As `attend`, over the rows that were chosen of one part. */
void attend_tiles(const struct attention *a, const struct choice *c, int threads) {
#ifdef TILES
    long group = a->heads / c->lists, lists = a->batch * c->lists, each = LIST * 16 / group * group;
    if (each > KEYS * group) each = KEYS * group;
    long parts = (KEYS * group + each - 1) / each, items = lists * c->tiles * parts; /* of a tile */
#pragma omp parallel num_threads(threads)
    {
        struct scratch *own = &kept;
        __asm__("" : "+r"(own)); /* or compilers ask for its address again in the innermost loop */
        struct tile_shapes theirs;
        begin_tiles(&theirs);
#pragma omp for schedule(dynamic)
        for (long i = 0; i < items; i++) { /* the last queries, which see the most, first */
            long list = i % lists, part = items / lists - 1 - i / lists, tile = part / parts;
            long start = tile * KEYS - a->before % KEYS; /* of the tile, a token, perhaps before the first */
            long first = start * group + part % parts * each, end = first + each, stop = (start + KEYS) * group;
            if (end > stop) end = stop;
            if (end > a->tokens * group) end = a->tokens * group;
            if (first < 0) first = 0;
            if (first < end) attend_chosen_block(own, a, c, list / c->lists, list % c->lists, first, end - first);
        }
        end_tiles(&theirs);
    }
#endif
}
