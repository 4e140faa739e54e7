/* Scores of blocks and attention over chosen ones, as Python describes them (`sparse.py`). All numbers but the chosen
 * blocks are bf16. `_at`: strides of the first three dimensions, in elements; channels lie side by side. */

struct rows_of {
    const void *from; /* [batch, heads, rows, width] */
    long at[3];
};

/* `chosen` [batch, kv_heads, tokens, count], int32, contiguous. Query t is row at + t of the text. */
struct choosing {
    long batch, heads, kv_heads, tokens, width, at;
    struct rows_of q, fine, coarse;
    long stride, block, initial, local, count; /* windows are twice the stride long, coarse ones four times that */
    long most; /* how many may be chosen in all; `count` is less where a text begins */
    long exact; /* normalised by the fine windows themselves */
    float scale;
    int32_t *chosen;
    float *room; /* a thread, floats: SCORED * 16 * (number of the last query's block / 16 + 1) */
};

struct sparse {
    long batch, heads, kv_heads, tokens, width, at, block, count;
    struct rows_of q, k, v;
    const int32_t *chosen;
    float scale;
    void *y;
    long y_at[3];
};
