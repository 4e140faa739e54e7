/* Linear attention with a fixed decay a head, as Python describes it (`lightning_attention/native.py`). */

/* q, k, v and the result y, [batch, heads, tokens, width], fp32 or bf16. `_at`: strides of the first three dimensions,
 * in elements; the channels of a row lie side by side. slopes [heads]; state [batch, heads, width, width], contiguous,
 * key channels by value channels. */
struct lightning {
    const void *q, *k, *v;
    void *y;
    long q_at[3], k_at[3], v_at[3], y_at[3];
    long batch, heads, tokens, width;
    const float *slopes;
    float *state;
    float scale;
};
