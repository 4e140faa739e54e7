/* Linear attention with a fixed decay a head (lightning attention, arXiv 2401.04658), of which the contract of
 * `kernels.lightning_attention` says what is computed.
 *
 * Many tokens are taken in chunks, as products of tiles of bf16 with everything turned, as in attend.c: a vector holds
 * sixteen queries, or of the state sixteen key channels. The state stays in fp32 tiles of sums from the first chunk to
 * the last; a copy in bf16 is what queries are multiplied with.
 */
#include "lightning.h"
#include "tiles.h"

#define VECTORS (256 / LANES) /* in the width, at most, for one token */

/* One token, one head: every value of the state is fetched and stored once. */
static void write_head(const float *q, const float *k, const float *v, float *y, float *state, float fade, float scale,
                       long width) {
    floats sums[VECTORS] = {};
    for (long d = 0; d < width; d++, state += width) {
        float key = k[d], query = q[d];
        for (long c = 0; c < width; c += LANES) {
            PREFETCH(state + c);
            floats kept = load_f32(state + c) * fade + load_f32(v + c) * key;
            store_f32(state + c, kept);
            sums[c / LANES] += kept * query;
        }
    }
    for (long c = 0; c < width; c += LANES) store_f32(y + c, sums[c / LANES] * scale);
}

/* One token, fp32. The width is a multiple of 16, at most 256. */
void lightning_write(const struct lightning *l, int threads) {
#pragma omp parallel for num_threads(threads)
    for (long i = 0; i < l->batch * l->heads; i++) {
        long b = i / l->heads, h = i % l->heads;
#define HEAD(X) (float *)l->X + b * l->X##_at[0] + h * l->X##_at[1]
        write_head(HEAD(q), HEAD(k), HEAD(v), HEAD(y), l->state + i * l->width * l->width, expf(-l->slopes[h]),
                   l->scale, l->width);
    }
}

#ifdef TILES
#define CHUNK 64
#define WIDEST 128
#define STEPS (CHUNK / 32)
#define PAST 32 /* tokens behind a query to which its row of fades reaches */

struct scratch {
    bf16 queries[CHUNK / 16][WIDEST / 32 * TILE];
    bf16 keys[CHUNK * WIDEST], faded[CHUNK * WIDEST], values[CHUNK * WIDEST], weights[STEPS * TILE];
    bf16 rounded[WIDEST * WIDEST];
    float state[WIDEST * WIDEST], mixed[WIDEST * 16], scores[CHUNK * 16];
    float fades[CHUNK + 1], scaled[PAST + CHUNK + 16]; /* after n tokens; the same times scale, from PAST on */
} __attribute__((aligned(64)));

static _Thread_local struct scratch kept;

/* 32 channels of a row from channel c on, those beyond the width as zeros. */
INLINE __m512i channels(const bf16 *row, long c, long width) {
    return _mm512_maskz_loadu_epi16(width - c >= 32 ? 0xFFFFFFFF : 0xFFFF, row + c);
}

INLINE void place_fades(struct scratch *own, float slope, float scale) {
    memset(own->scaled, 0, sizeof own->scaled);
    for (long n = 0; n <= CHUNK; n++) {
        own->fades[n] = expf(-slope * n);
        own->scaled[PAST + n] = scale * own->fades[n];
    }
}

/* Between the state, row by row, and tiles of sums [key / 16][value / 16], each [16 values, 16 keys]. */
INLINE void turn_state(struct scratch *own, float *state, long width, int back) {
    for (long k = 0; k < width; k += 16)
        for (long v = 0; v < width; v += 16) {
            float *tile = own->state + k * width + v * 16, *row = state + k * width + v;
            __m512i rows[16];
            for (long r = 0; r < 16; r++) rows[r] = _mm512_loadu_si512(back ? tile + r * 16 : row + r * width);
            transpose(rows);
            for (long r = 0; r < 16; r++) _mm512_storeu_si512(back ? row + r * width : tile + r * 16, rows[r]);
        }
}

/* The state as left tiles [value / 16][key / 32]. */
INLINE void round_state(struct scratch *own, long width) {
    const long steps = (width + 31) / 32;
    for (long v = 0; v < width; v += 16)
        for (long s = 0; s < steps; s++) {
            const float *low = own->state + s * 32 * width + v * 16, *high = low + 16 * width;
            bf16 *tile = own->rounded + (v / 16 * steps + s) * TILE;
            for (long r = 0; r < 16; r++) {
                __m512 second = s * 32 + 16 < width ? _mm512_load_ps(high + r * 16) : _mm512_setzero_ps();
                _mm512_store_si512(tile + r * 32, (__m512i)_mm512_cvtne2ps_pbh(second, _mm512_load_ps(low + r * 16)));
            }
        }
}

/* Keys as left tiles [row / 16][channel / 32], and with what is left of them at the end of the chunk as right tiles
 * [channel / 16][row / 32]. */
INLINE void place_keys(struct scratch *own, const bf16 *k, long step, long count, long whole, long width) {
    const long steps = (width + 31) / 32;
    for (long r = 0; r < whole; r++)
        for (long s = 0; s < steps; s++)
            _mm512_store_si512(own->keys + (r / 16 * steps + s) * TILE + r % 16 * 32,
                               r < count ? channels(k + r * step, s * 32, width) : _mm512_setzero_si512());
    for (long r = 0; r < whole; r += 2)
        for (long c = 0; c < width; c += 16) {
            floats one = {}, two = {};
            if (r < count) one = load_bf16(k + r * step + c) * own->fades[count - 1 - r];
            if (r + 1 < count) two = load_bf16(k + (r + 1) * step + c) * own->fades[count - 2 - r];
            _mm512_store_si512(own->faded + (c / 16 * STEPS + r / 32) * TILE + r % 32 * 16, weave_floats(one, two));
        }
}

/* Values, turned, as left tiles [channel / 16][row / 32]. */
INLINE void place_values(struct scratch *own, const bf16 *v, long step, long count, long whole, long width) {
    for (long first = 0; first < whole; first += 32)
        for (long c = 0; c < width; c += 16) {
            bf16 *tile = own->values + (c / 16 * STEPS + first / 32) * TILE;
            __m512i pairs[16];
            for (long pair = 0; pair < 16; pair++) {
                __m256i rows[2];
                for (long i = 0; i < 2; i++) {
                    long r = first + 2 * pair + i;
                    rows[i] = r < count ? _mm256_loadu_si256((const void *)(v + r * step + c)) : _mm256_setzero_si256();
                }
                pairs[pair] = weave_rows(rows[0], rows[1]);
            }
            transpose(pairs);
            for (long i = 0; i < 16; i++) _mm512_store_si512(tile + i * 32, pairs[i]);
        }
}

/* Sixteen queries as right tiles; of those beyond `count` the last again. */
INLINE void place_queries(bf16 *tiles, const bf16 *q, long step, long count, long width) {
    for (long c = 0; c < width; c += 32) {
        __m512i rows[16];
        for (long r = 0; r < 16; r++) rows[r] = channels(q + (r < count ? r : count - 1) * step, c, width);
        transpose(rows);
        for (long r = 0; r < 16; r++) _mm512_store_si512(tiles + c / 32 * TILE + r * 32, rows[r]);
    }
}

INLINE void give(const float *mixed, bf16 *y, long step, long count, long width) {
    for (long c = 0; c < width; c += 16) {
        __m512i rows[16];
        for (long r = 0; r < 16; r++) rows[r] = _mm512_load_si512(mixed + (c + r) * 16);
        transpose(rows);
        for (long r = 0; r < 16 && r < count; r++) store_bf16(y + r * step + c, (floats)rows[r]);
    }
}

/* Queries 16 i and on of a chunk, over the state before it and the tokens of the chunk up to their own. */
INLINE void answer(struct scratch *own, long i, long width) {
    const long steps = (width + 31) / 32, pairs = i / 2 + 1;
    const bf16 *queries = own->queries[i];
    multiply(own->mixed, own->rounded, steps, queries, steps, width / 16, 0);
    floats left = load_f32(own->scaled + PAST + i * 16 + 1);
    for (long d = 0; d < width; d++) store_f32(own->mixed + d * 16, load_f32(own->mixed + d * 16) * left);
    multiply(own->scores, own->keys, steps, queries, steps, 2 * pairs, 0);
    for (long r = 0; r < 32 * pairs; r += 2) { /* of tokens after a query nothing is left */
        floats one = load_f32(own->scores + r * 16) * load_f32(own->scaled + PAST + i * 16 - r);
        floats two = load_f32(own->scores + r * 16 + 16) * load_f32(own->scaled + PAST + i * 16 - r - 1);
        _mm512_store_si512(own->weights + r * 16, weave_floats(one, two));
    }
    multiply(own->mixed, own->values, STEPS, own->weights, pairs, width / 16, 1);
}

INLINE void read_head(struct scratch *own, const struct lightning *l, long b, long h) {
    const long width = l->width, tiles = width / 16;
    float *state = l->state + (b * l->heads + h) * width * width;
    place_fades(own, l->slopes[h], l->scale);
    turn_state(own, state, width, 0);
    for (long first = 0; first < l->tokens; first += CHUNK) {
        long count = l->tokens - first < CHUNK ? l->tokens - first : CHUNK, whole = (count + 31) / 32 * 32;
#define ROWS(X) ((bf16 *)l->X + b * l->X##_at[0] + h * l->X##_at[1] + first * l->X##_at[2])
        round_state(own, width);
        place_keys(own, ROWS(k), l->k_at[2], count, whole, width);
        place_values(own, ROWS(v), l->v_at[2], count, whole, width);
        for (long i = 0; i * 16 < count; i++) {
            place_queries(own->queries[i], ROWS(q) + i * 16 * l->q_at[2], l->q_at[2], count - i * 16, width);
            answer(own, i, width);
            give(own->mixed, ROWS(y) + i * 16 * l->y_at[2], l->y_at[2], count - i * 16, width);
        }
        for (long i = 0; i < width * width; i += LANES)
            store_f32(own->state + i, load_f32(own->state + i) * own->fades[count]);
        for (long k = 0; k < tiles; k++)
            multiply(own->state + k * tiles * SUMS, own->values, STEPS, own->faded + k * STEPS * TILE, whole / 32,
                     tiles, 1);
    }
    turn_state(own, state, width, 1);
}
#endif

/* Many tokens, bf16, where `attend_here` says that tiles are multiplied. The width is a multiple of 16, 32 to 128. */
void lightning_read(const struct lightning *l, int threads) {
#ifdef TILES
#pragma omp parallel num_threads(threads)
    {
        struct scratch *own = &kept;
        __asm__("" : "+r"(own)); /* or compilers ask for its address again in the innermost loop */
        struct tile_shapes theirs;
        begin_tiles(&theirs);
#pragma omp for schedule(dynamic)
        for (long i = 0; i < l->batch * l->heads; i++) read_head(own, l, i / l->heads, i % l->heads);
        end_tiles(&theirs);
    }
#endif
}
