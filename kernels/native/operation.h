/* One operation of a token's way through a model, as Python fills it in (`program.py`). All activations are fp32. */
#include <stdint.h>

typedef int8_t i8;
typedef float f32;

enum { LINEAR_OPERATION, STEP_OPERATION };
enum { PLAIN, NORMED, GATED };

struct operation {
    int kind;
    /* Of an element of the weight, or of the cache: 4, 8, 16 (bf16) or 32; a cache has no 4. */
    int bits;

    /* Linear: y [n] = onto + bias + scales * (in @ weight.T); bias, scales and onto may be null. In [k] is x by mode:
     * as it is; x / sqrt(mean x^2 + epsilon) * gain; or silu(x[:k]) * x[k:2k]. With `group` above 0 the weight is in
     * steps without sign, two a byte when bits is 4, and each is worth step * scales + least, both fp16 [n, k / group];
     * column c of it is for in[order[c]], unless order is null. Otherwise scales are fp32 [n]. */
    int mode;
    float epsilon;
    long n, k, group;
    const void *weight, *scales, *least;
    const int32_t *order;
    const float *bias, *x, *gain, *onto;

    /* Step: x [heads + 2 kv_heads, width], the token's q, k and v heads, changed in place. The first two are normed by
     * gain [heads + kv_heads, width] unless it is null, and turned by cosine and sine [width]. The token's keys and
     * values become row `at`, and its queries look at the newest `window` rows, or at all when that is 0. Row r of
     * head h lies at keys + (h * key_head + r * width) elements. Width a multiple of 16, at most 256. Rows of 8 bits
     * have a scale each, that of row r of head h at key_scales[(h * key_head) / width + r], and of values alike. */
    const float *cosine, *sine;
    char *keys, *values;
    float *key_scales, *value_scales;
    long heads, kv_heads, width, key_head, value_head, window;
    float scale;

    /* Step over chosen pages of 16 rows, unless `bounds` is null: the least and the most of every channel of a page's
     * keys, [kv_heads][page][2][width], bf16, or fp32 beside rows of 32 bits; those of a head lie `bounds_head` elements
     * apart. They hold the rows before the token's, which joins them. Of all pages those first `initial` and last
     * `local` are chosen and the best of the others: `budget`, and of `part` not 0 at least every part-th in all.
     * `page_scores` and `chosen` are room for `pages` of each head. There is no window then. */
    char *bounds;
    int32_t *page_scores, *chosen;
    long bounds_head, pages, initial, local, budget, part;

    /* Both: the result, [n] or [heads, width]. */
    float *y;
};

/* Each thread has `each` floats of room: at least k, or 3 k with groups, and heads * (width + 2). */
void linear_share(const struct operation *o, float *room, int thread, int threads);
void step_place(const struct operation *o, long at);
void step_share(const struct operation *o, long at, float *room, int thread, int threads);
void step_join(const struct operation *o, const float *room, long each, int thread, int threads);
long first_row(const struct operation *o, long at);
void pages_widen(const struct operation *o, long at);
void pages_score(const struct operation *o, long at, int thread, int threads);
void pages_choose(const struct operation *o, long at, int thread, int threads);
void pages_share(const struct operation *o, long at, float *room, int thread, int threads);
void pages_ask(const struct operation *o, long at, int thread, int threads, long most);
