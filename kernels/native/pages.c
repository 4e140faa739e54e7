/* Which pages of rows a token looks at, by what their keys can be at most (Quest, arXiv 2406.10774), and its attention
 * over them. For the query heads of a key head a page's score is the sum of its bounds,
 *
 *     sum_h sum_d max(q[h, d] least[d], q[h, d] most[d]) = sum_d min(q, 0)[d] least[d] + max(q, 0)[d] most[d]
 *
 * with min(q, 0) and max(q, 0) added over the heads: one product of a page's 2 * width bounds. Threads take a share of
 * the pages, then whole heads to choose, then a share of the chosen.
 */
#include "operation.h"
#include "shares.h"

#define WIDEST 256

static long pages_of(long at) { return at / PAGE + 1; }

static long chosen_of(const struct operation *o, long at) {
    long pages = pages_of(at), count = o->budget;
    if (o->part && (pages + o->part - 1) / o->part > count) count = (pages + o->part - 1) / o->part;
    return count < pages ? count : pages;
}

/* To bf16, upwards or downwards. */
static bf16 outwards(float v, int up) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return (bits >> 16) + ((bits & 0xFFFF) != 0 && up != (int)(bits >> 31));
}

static void widen_f32(float *least, float *most, const float *x, long width, int first) {
    for (long d = 0; d < width; d++) {
        if (first || x[d] < least[d]) least[d] = x[d];
        if (first || x[d] > most[d]) most[d] = x[d];
    }
}

static void widen_bf16(bf16 *least, bf16 *most, const float *x, long width, int first) {
    for (long d = 0; d < width; d++) {
        if (first || x[d] < one_bf16(least[d])) least[d] = outwards(x[d], 0);
        if (first || x[d] > one_bf16(most[d])) most[d] = outwards(x[d], 1);
    }
}

/* The token's keys, as they were stored, join the bounds of their page. */
void pages_widen(const struct operation *o, long at) {
    long width = o->width, page = at / PAGE;
    int first = at % PAGE == 0;
    for (long h = 0; h < o->kv_heads; h++) {
        float x[WIDEST];
        long row = h * o->key_head + at * width, own = h * o->bounds_head + page * 2 * width; /* in elements */
        for (long d = 0; d < width; d++)
            x[d] = o->bits == 8    ? ((const int8_t *)o->keys)[row + d] * o->key_scales[row / width]
                   : o->bits == 16 ? one_bf16(((const bf16 *)o->keys)[row + d])
                                   : ((const float *)o->keys)[row + d];
        if (o->bits == 32)
            widen_f32((float *)o->bounds + own, (float *)o->bounds + own + width, x, width, first);
        else
            widen_bf16((bf16 *)o->bounds + own, (bf16 *)o->bounds + own + width, x, width, first);
    }
}

/* Numbers are ordered as these words are. */
INLINE int32_t ordered(float v) {
    int32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits ^ ((bits >> 31) & INT32_MAX);
}

/* What bounds are multiplied by: the parts of a key head's queries below zero, and those above. */
static void signed_sums(float *to, const float *q, long group, long width) {
    memset(to, 0, 2 * width * sizeof *to);
    for (long g = 0; g < group; g++)
        for (long d = 0; d < width; d++) to[(q[g * width + d] > 0) * width + d] += q[g * width + d];
}

/* Scores of a thread's share of the pages, those that are chosen in any case above all others. */
void pages_score(const struct operation *o, long at, int thread, int threads) {
    long pages = pages_of(at), from = pages * thread / threads, to = pages * (thread + 1) / threads;
    long width = o->width, group = o->heads / o->kv_heads;
    for (long h = 0; h < o->kv_heads; h++) {
        float q[2 * WIDEST], scores[1][BLOCK];
        int32_t *found = o->page_scores + h * o->pages;
        signed_sums(q, o->x + h * group * width, group, width);
#ifdef __AVX512F__
        float apart[2 * WIDEST];
        weave(apart, q, 2 * width);
#endif
        for (long first = from; first < to; first += BLOCK) {
            long some = to - first < BLOCK ? to - first : BLOCK;
            if (o->bits == 32)
                scores_f32(q, (const float *)o->bounds + h * o->bounds_head, 0, first, to, some, 2 * width, scores[0]);
            else
#ifdef __AVX512F__
                scores_words(apart, (const bf16 *)o->bounds + h * o->bounds_head, 0, first, to, some, 2 * width, 1,
                             scores);
#else
                scores_bf16(q, (const bf16 *)o->bounds + h * o->bounds_head, 0, first, to, some, 2 * width, scores[0]);
#endif
            for (long i = 0; i < some; i++) {
                long page = first + i;
                int forced = page < o->initial || page >= pages - o->local;
                found[page] = forced ? INT32_MAX : ordered(scores[0][i]);
            }
        }
    }
}

static long at_least(const int32_t *scores, long count, int32_t least) {
    long found = 0;
    for (long i = 0; i < count; i++) found += scores[i] >= least;
    return found;
}

/* The best pages of every head in order, of equal ones the first. */
void pages_choose(const struct operation *o, long at, int thread, int threads) {
    long pages = pages_of(at), wanted = chosen_of(o, at);
    for (long h = thread; h < o->kv_heads; h += threads) {
        const int32_t *scores = o->page_scores + h * o->pages;
        int32_t *chosen = o->chosen + h * o->pages;
        int64_t low = INT32_MIN, high = (int64_t)INT32_MAX + 1; /* at least `wanted` are `low` or more, fewer `high` */
        while (wanted < pages && high - low > 1) {
            int64_t middle = (low + high) >> 1;
            if (at_least(scores, pages, (int32_t)middle) >= wanted)
                low = middle;
            else
                high = middle;
        }
        long equal = wanted - (high > INT32_MAX ? 0 : at_least(scores, pages, (int32_t)high));
        for (long page = 0; page < pages; page++)
            if (wanted == pages || scores[page] >= high || (scores[page] == low && equal-- > 0)) *chosen++ = page;
    }
}

void pages_share(const struct operation *o, long at, float *room, int thread, int threads) {
    long count = chosen_of(o, at), from = count * thread / threads, to = count * (thread + 1) / threads;
    long rows = (to - from) * PAGE - (to == count && from < to ? PAGE - 1 - at % PAGE : 0);
    long size = o->bits / 8, width = o->width, group = o->heads / o->kv_heads;
    for (long h = 0; h < o->kv_heads; h++) {
        long k = h * o->key_head, v = h * o->value_head; /* in elements */
        share(o->bits, o->x + h * group * width, o->keys + k * size, scales_at(o->key_scales, k / width),
              o->values + v * size, scales_at(o->value_scales, v / width), o->chosen + h * o->pages + from, rows, group,
              width, o->scale, room + h * group * CELLS(width));
    }
}

/* Ask for the beginning of a thread's share of the bounds. */
void pages_ask(const struct operation *o, long at, int thread, int threads, long most) {
    long each = 2 * o->width * (o->bits == 32 ? 4 : 2), pages = pages_of(at);
    long from = pages * thread / threads, bytes = (pages * (thread + 1) / threads - from) * each;
    for (long i = 0; i < bytes && i < most; i += 64) __builtin_prefetch(o->bounds + from * each + i, 0, 2);
}
