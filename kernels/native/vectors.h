/* Sixteen floats at once, or eight where a processor's vectors are no longer, in GCC's and Clang's own vectors. */
#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif
#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__) && defined(__F16C__) && !defined(__AVX512F__)
#define EIGHT
#define LANES 8 /* vectors of two registers would go through memory at every step */
#else
#define LANES 16
#endif
#define PACKED 32 /* columns of a weight in groups that lie together, 4-bit steps in 16 bytes */
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
/* Compilers take these conversions apart lane by lane when they are written generally. */
INLINE floats load_bf16(const bf16 *at) {
    return (floats)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)at)), 16);
}
INLINE floats load_i8(const int8_t *at) {
    return (floats)_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const void *)at)));
}
/* PACKED steps without sign, in the order of their columns: two a byte, those of the low halves first, or one. */
INLINE void load_4(const uint8_t *at, floats *to) {
    const __m512 values = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i both = _mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)at));
    to[0] = (floats)_mm512_permutexvar_ps(both, values); /* which looks at the last four bits alone */
    to[1] = (floats)_mm512_permutexvar_ps(_mm512_srli_epi32(both, 4), values);
}
INLINE void load_8(const uint8_t *at, floats *to) {
    to[0] = (floats)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)at)));
    to[1] = (floats)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)(at + LANES))));
}
INLINE floats load_f16(const uint16_t *at) {
    return (floats)_mm512_cvtph_ps(_mm256_loadu_si256((const void *)at));
}
INLINE void store_i8(int8_t *at, ints v) { _mm_storeu_si128((void *)at, _mm512_cvtepi32_epi8((__m512i)v)); }
INLINE floats larger(floats a, floats b) { return (floats)_mm512_max_ps((__m512)a, (__m512)b); }
INLINE float total(floats v) { return _mm512_reduce_add_ps((__m512)v); }
INLINE float largest(floats v) { return _mm512_reduce_max_ps((__m512)v); }
#elif defined(EIGHT)
INLINE floats load_bf16(const bf16 *at) {
    return (floats)_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)at)), 16);
}
INLINE floats load_i8(const int8_t *at) {
    return (floats)_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)at)));
}
INLINE __m256i load_u8(const uint8_t *at) { return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)at)); }
INLINE void load_4(const uint8_t *at, floats *to) {
    const __m256i last = _mm256_set1_epi32(15);
    for (int i = 0; i < 2; i++) {
        __m256i both = load_u8(at + i * LANES);
        to[i] = (floats)_mm256_cvtepi32_ps(_mm256_and_si256(both, last));
        to[i + 2] = (floats)_mm256_cvtepi32_ps(_mm256_srli_epi32(both, 4));
    }
}
INLINE void load_8(const uint8_t *at, floats *to) {
    for (int i = 0; i < 4; i++) to[i] = (floats)_mm256_cvtepi32_ps(load_u8(at + i * LANES));
}
INLINE floats load_f16(const uint16_t *at) { return (floats)_mm256_cvtph_ps(_mm_loadu_si128((const void *)at)); }
INLINE void store_i8(int8_t *at, ints v) {
    __m128i whole = _mm_packs_epi32(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1));
    _mm_storel_epi64((void *)at, _mm_packs_epi16(whole, whole));
}
INLINE floats larger(floats a, floats b) { return (floats)_mm256_max_ps((__m256)a, (__m256)b); }
INLINE float total(floats v) {
    __m128 sum = _mm_add_ps(_mm256_castps256_ps128((__m256)v), _mm256_extractf128_ps((__m256)v, 1));
    sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
    return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}
INLINE float largest(floats v) {
    __m128 most = _mm_max_ps(_mm256_castps256_ps128((__m256)v), _mm256_extractf128_ps((__m256)v, 1));
    most = _mm_max_ps(most, _mm_movehl_ps(most, most));
    return _mm_cvtss_f32(_mm_max_ss(most, _mm_movehdup_ps(most)));
}
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
INLINE void load_4(const uint8_t *at, floats *to) {
    steps v;
    memcpy(&v, at, sizeof v);
    ints both = __builtin_convertvector(v, ints);
    to[0] = __builtin_convertvector(both & 15, floats);
    to[1] = __builtin_convertvector(both >> 4, floats);
}
INLINE void load_8(const uint8_t *at, floats *to) {
    steps v[2];
    memcpy(v, at, sizeof v);
    for (int i = 0; i < 2; i++) to[i] = __builtin_convertvector(__builtin_convertvector(v[i], ints), floats);
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

/* To the nearest bf16, ties to even. */
INLINE void store_bf16(bf16 *at, floats v) {
#ifdef __AVX512BF16__
    __m256bh part = _mm512_cvtneps_pbh((__m512)v);
    memcpy(at, &part, sizeof part);
#elif defined(EIGHT)
    words bits = (words)v;
    __m256i part = (__m256i)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
    _mm_storeu_si128((void *)at, _mm_packus_epi32(_mm256_castsi256_si128(part), _mm256_extracti128_si256(part, 1)));
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
