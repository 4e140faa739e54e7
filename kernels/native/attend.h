/* Attention of many queries, as Python describes it (`attend.py`). */
#include <stdint.h>

/* Rows of keys and values, [batch, kv_heads, count, width], bf16 (16 bits), or int8 (8 bits) with a scale a row. `_at`:
 * strides of the first three dimensions, in elements; the channels of a row lie side by side. */
struct rows {
    int bits;
    const void *k, *v;
    const float *k_scales, *v_scales;
    long count;
    long k_at[3], v_at[3], k_scales_at[3], v_scales_at[3];
};

/* Queries [batch, heads, tokens, width] and the result, bf16. All queries see all rows of `parts` but the last; of that,
 * token t sees the rows up to and including `before` + t. */
struct attention {
    const struct rows *parts;
    long count, before;
    long batch, heads, kv_heads, tokens, width;
    const void *q;
    long q_at[3];
    float scale;
    void *y;
    long y_at[3];
};

/* Of one part alone, the blocks of rows that queries look at: `chosen` [batch, lists, tiles, most], int32, contiguous,
 * ascending, -1 behind the last. A list is a query head's, or one for the query heads of a key head; a tile, as a block,
 * is of 128 rows of the text, in which the first query is row `before`. */
struct choice {
    const int32_t *chosen;
    long lists, tiles, most;
};
