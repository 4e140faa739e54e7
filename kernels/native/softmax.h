/* What attention does with the scores of sixteen queries, one row of them a key: a running largest one and sums under it
 * (online softmax, arXiv 1805.02867).
 */
#include "tiles.h"

#ifdef TILES
#define KEYS 128 /* rows in a block, at most: a multiple of 32 */
#define STEPS (KEYS / 32)
#define HIDDEN -1e30f
#define SLACK 8.0f /* powers of two by which a score may exceed what counts as the largest before all is brought down */

typedef __m512 vector;

/* 2^x for x <= SLACK, relative error below 1e-4, which rounding to bf16 hides. */
INLINE vector power(vector x) {
    vector f = _mm512_reduce_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC), p = _mm512_set1_ps(0.07802454f);
    p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(0.2260672f));
    p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(0.69583349f));
    p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(0.99992523f));
    return _mm512_scalef_ps(p, x);
}

/* 32 channels of a row of bf16 from channel c on, those beyond the width as zeros. */
INLINE __m512i channels_of(const void *row, long c, long width) {
    return _mm512_maskz_loadu_epi16(width - c >= 32 ? 0xFFFFFFFF : 0xFFFF, (const bf16 *)row + c);
}

/* Scores [whole, 16] to the weights' right tiles. `factor`: of a score, to a power of two. `mixed` [channels, 16] so far
 * is brought down with `sums` [16] when `largest` [16] rises. */
INLINE void weigh(const float *scores, bf16 *weights, float *largest, float *sums, float *mixed, long whole,
                  float factor, long channels) {
    vector most = _mm512_load_ps(scores), others = _mm512_load_ps(scores + 16);
    for (long r = 2; r < whole; r += 2) {
        most = _mm512_max_ps(most, _mm512_load_ps(scores + r * 16));
        others = _mm512_max_ps(others, _mm512_load_ps(scores + r * 16 + 16));
    }
    most = _mm512_max_ps(most, others) * factor;
    vector before = _mm512_load_ps(largest), sum = _mm512_load_ps(sums);
    __mmask16 risen = _mm512_cmp_ps_mask(most, before + SLACK, _CMP_GT_OQ);
    if (risen) {
        vector now = _mm512_mask_blend_ps(risen, before, most), fade = power(before - now);
        fade = _mm512_mask_blend_ps(risen, _mm512_set1_ps(1.0f), fade);
        for (long d = 0; d < channels; d++)
            _mm512_store_ps(mixed + d * 16, _mm512_load_ps(mixed + d * 16) * fade);
        sum *= fade;
        before = now;
        _mm512_store_ps(largest, now);
    }
    vector scale = _mm512_set1_ps(factor), more = _mm512_setzero_ps();
    for (long r = 0; r < whole; r += 2) {
        vector one = power(_mm512_fmsub_ps(_mm512_load_ps(scores + r * 16), scale, before));
        vector two = power(_mm512_fmsub_ps(_mm512_load_ps(scores + r * 16 + 16), scale, before));
        sum += one, more += two;
        _mm512_store_si512(weights + r * 16, weave_floats((floats)one, (floats)two));
    }
    _mm512_store_ps(sums, sum + more);
}
#endif
