/* Sixteen floats at once, in GCC's and Clang's own vectors, which they fit to the processor that they compile for. */
#ifdef __AVX512F__
#include <immintrin.h>
#endif
#include <math.h>
#include <stdint.h>
#include <string.h>

#define LANES 16
/* Memory is asked for this many bytes before it is needed, into the second cache, which can wait for more lines at a
 * time than the first: with 4 KB pages the processor's own prefetching stops at every page. */
#define AHEAD 8192
#define PREFETCH(at) __builtin_prefetch((const char *)(at) + AHEAD, 0, 2)
#define INLINE static inline __attribute__((always_inline, unused))

typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int32_t ints __attribute__((vector_size(4 * LANES)));
typedef uint32_t words __attribute__((vector_size(4 * LANES)));
typedef int8_t bytes __attribute__((vector_size(LANES)));
typedef uint8_t steps __attribute__((vector_size(LANES)));
typedef uint16_t halves __attribute__((vector_size(2 * LANES)));
typedef uint16_t bf16;

INLINE float one_f16(uint16_t v) {
    uint32_t size = v & 0x7FFF, bits = size << 13;
    float f;
    if (size >= 0x7C00) bits |= 0x7F800000; /* infinite, or no number */
    memcpy(&f, &bits, sizeof f);
    if (size < 0x7C00) f *= 0x1p112f; /* the difference of the two exponents' zeros */
    return v & 0x8000 ? -f : f;
}

INLINE floats all(float v) { return (floats){} + v; }
INLINE void store_f32(float *at, floats v) { memcpy(at, &v, sizeof v); }
INLINE floats load_f32(const float *at) {
    floats v;
    memcpy(&v, at, sizeof v);
    return v;
}

#ifdef __AVX512F__
/* Compilers take these conversions apart lane by lane when they are written generally */
INLINE floats load_bf16(const bf16 *at) {
    return (floats)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)at)), 16);
}
INLINE floats load_i8(const int8_t *at) {
    return (floats)_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const void *)at)));
}
/* Thirty-two steps without sign: two a byte, those of the low halves first, or one. */
INLINE void load_4(const uint8_t *at, floats *low, floats *high) {
    const __m512 values = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i both = _mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)at));
    *low = (floats)_mm512_permutexvar_ps(both, values); /* which looks at the last four bits alone */
    *high = (floats)_mm512_permutexvar_ps(_mm512_srli_epi32(both, 4), values);
}
INLINE void load_8(const uint8_t *at, floats *low, floats *high) {
    *low = (floats)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)at)));
    *high = (floats)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)(at + LANES))));
}
INLINE floats load_f16(const uint16_t *at) {
    return (floats)_mm512_cvtph_ps(_mm256_loadu_si256((const void *)at));
}
INLINE void store_i8(int8_t *at, ints v) { _mm_storeu_si128((void *)at, _mm512_cvtepi32_epi8((__m512i)v)); }
INLINE floats larger(floats a, floats b) { return (floats)_mm512_max_ps((__m512)a, (__m512)b); }
INLINE float total(floats v) { return _mm512_reduce_add_ps((__m512)v); }
INLINE float largest(floats v) { return _mm512_reduce_max_ps((__m512)v); }
#else
INLINE floats load_bf16(const bf16 *at) {
    halves v;
    memcpy(&v, at, sizeof v);
    return (floats)(__builtin_convertvector(v, words) << 16);
}
INLINE floats load_i8(const int8_t *at) {
    bytes v;
    memcpy(&v, at, sizeof v);
    return __builtin_convertvector(__builtin_convertvector(v, ints), floats);
}
INLINE void load_4(const uint8_t *at, floats *low, floats *high) {
    steps v;
    memcpy(&v, at, sizeof v);
    ints both = __builtin_convertvector(v, ints);
    *low = __builtin_convertvector(both & 15, floats);
    *high = __builtin_convertvector(both >> 4, floats);
}
INLINE void load_8(const uint8_t *at, floats *low, floats *high) {
    steps v[2];
    memcpy(v, at, sizeof v);
    *low = __builtin_convertvector(__builtin_convertvector(v[0], ints), floats);
    *high = __builtin_convertvector(__builtin_convertvector(v[1], ints), floats);
}
INLINE floats load_f16(const uint16_t *at) {
    floats v;
    for (int i = 0; i < LANES; i++) v[i] = one_f16(at[i]);
    return v;
}
INLINE void store_i8(int8_t *at, ints v) {
    bytes part = __builtin_convertvector(v, bytes);
    memcpy(at, &part, sizeof part);
}
INLINE floats larger(floats a, floats b) {
    ints from_a = a > b;
    return (floats)(((ints)a & from_a) | ((ints)b & ~from_a));
}
/* By halves: one after the other, each addition would wait for the one before. */
INLINE float total(floats v) {
    float part[LANES];
    memcpy(part, &v, sizeof part);
    for (int half = LANES / 2; half; half /= 2)
        for (int i = 0; i < half; i++) part[i] += part[i + half];
    return part[0];
}
INLINE float largest(floats v) {
    float part[LANES];
    memcpy(part, &v, sizeof part);
    for (int half = LANES / 2; half; half /= 2)
        for (int i = 0; i < half; i++) part[i] = part[i] > part[i + half] ? part[i] : part[i + half];
    return part[0];
}
#endif

INLINE float one_f32(float v) { return v; }
INLINE float one_i8(int8_t v) { return v; }
INLINE float one_bf16(bf16 v) {
    uint32_t bits = (uint32_t)v << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* To the nearest bf16, ties to even. */
INLINE bf16 rounded(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return v == v ? (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 : bits >> 16 | 0x40;
}

/* e^x for x <= 0: 2^(x log2 e) as an exponent and a polynomial over [-1/2, 1/2], relative error below 1e-6. */
INLINE floats exponential(floats x) {
    floats t = larger(x, all(-87.0f)) * 1.44269504f;
    floats whole = t + 12582912.0f; /* 1.5 * 2^23: the last bits are now the nearest integer */
    floats f = t - (whole - 12582912.0f), p = all(1.5403530e-4f);
    p = p * f + 1.3333558e-3f;
    p = p * f + 9.6181291e-3f;
    p = p * f + 5.5504109e-2f;
    p = p * f + 2.4022651e-1f;
    p = p * f + 6.9314718e-1f;
    p = p * f + 1.0f;
    return (floats)((ints)p + ((ints)whole << 23));
}

/* Sixteen floats to the nearest bf16, ties to even. */
INLINE void store_bf16(bf16 *at, floats v) {
#ifdef __AVX512BF16__
    __m256bh part = _mm512_cvtneps_pbh((__m512)v);
    memcpy(at, &part, sizeof part);
#else
    words bits = (words)v;
    halves part = __builtin_convertvector((bits + 0x7FFF + (bits >> 16 & 1)) >> 16, halves);
    memcpy(at, &part, sizeof part);
#endif
}

INLINE floats silu(floats x) {
    /* e^-|x|, so that it cannot overflow: x / (1 + e) above zero, x * e / (1 + e) below */
    floats e = exponential(-larger(x, -x));
    ints above = x > all(0.0f);
    floats top = (floats)(((ints)all(1.0f) & above) | ((ints)e & ~above));
    return x * top / (1.0f + e);
}
