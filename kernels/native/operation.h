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

    /* Both: the result, [n] or [heads, width]. */
    float *y;
};

/* Each thread has `each` floats of room: at least k, or 3 k with groups, and heads * (width + 2). */
void linear_share(const struct operation *o, float *room, int thread, int threads);
void step_place(const struct operation *o, long at);
void step_share(const struct operation *o, long at, float *room, int thread, int threads);
void step_join(const struct operation *o, const float *room, long each, int thread, int threads);
long first_row(const struct operation *o, long at);
