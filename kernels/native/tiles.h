/* Products of tiles of bf16 with sums in fp32, by AMX or else by AVX512-BF16, and what brings numbers into their order.
 *
 * A left tile is [16, 32], row after row. A right tile is [32, 16] with each two rows that follow each other woven:
 * [16 pairs, 16 columns, 2]. A tile of sums is [16, 16] fp32. Each is 1 KB in one piece, aligned to 64 bytes.
 */
#include "vectors.h"

#if defined(__AVX512BF16__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
#define TILES

#define TILE 512 /* elements of a tile of bf16 */
#define SUMS 256 /* of a tile of sums */

/* Sixteen rows of sixteen words, turned into columns. */
INLINE void transpose(__m512i *v) {
    __m512i t[16], u[16];
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
    for (int i = 0; i < 16; i += 4)
        for (int j = 0; j < 2; j++) {
            u[i + 2 * j] = _mm512_unpacklo_epi64(t[i + j], t[i + j + 2]);
            u[i + 2 * j + 1] = _mm512_unpackhi_epi64(t[i + j], t[i + j + 2]);
        }
    for (int j = 0; j < 4; j++) {
        __m512i a = _mm512_shuffle_i32x4(u[j], u[4 + j], 0x88), b = _mm512_shuffle_i32x4(u[8 + j], u[12 + j], 0x88);
        __m512i c = _mm512_shuffle_i32x4(u[j], u[4 + j], 0xDD), d = _mm512_shuffle_i32x4(u[8 + j], u[12 + j], 0xDD);
        v[j] = _mm512_shuffle_i32x4(a, b, 0x88);
        v[4 + j] = _mm512_shuffle_i32x4(c, d, 0x88);
        v[8 + j] = _mm512_shuffle_i32x4(a, b, 0xDD);
        v[12 + j] = _mm512_shuffle_i32x4(c, d, 0xDD);
    }
}

/* Two rows to pairs: one's number in the lower half of a word, two's in the upper. */
INLINE __m512i weave_rows(__m256i one, __m256i two) {
    return _mm512_or_si512(_mm512_cvtepu16_epi32(one), _mm512_slli_epi32(_mm512_cvtepu16_epi32(two), 16));
}

/* The same of fp32 rows, rounded. */
INLINE __m512i weave_floats(floats one, floats two) {
    static const uint16_t order[32] __attribute__((aligned(64))) = {
        0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
        8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    __m512i both = (__m512i)_mm512_cvtne2ps_pbh((__m512)two, (__m512)one);
    return _mm512_permutexvar_epi16(_mm512_load_si512(order), both);
}

#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

#define FENCE __asm__ volatile("" ::: "memory") /* compilers do not see that tiles read and write memory */

/* Linux gives a process the room for tiles when it asks. */
INLINE int tiles_allowed(void) {
    enum { ASK = 0x1023, TILE_DATA = 18 };
    return syscall(SYS_arch_prctl, ASK, TILE_DATA) == 0;
}

struct tile_shapes {
    uint8_t palette, start, none[14];
    uint16_t bytes[16];
    uint8_t rows[16];
};

/* Every thread that multiplies says so before and after. `theirs`: of others who multiply tiles in it. */
INLINE void begin_tiles(struct tile_shapes *theirs) {
    struct tile_shapes shapes = {.palette = 1};
    for (int i = 0; i < 8; i++) shapes.bytes[i] = 64, shapes.rows[i] = 16;
    _tile_storeconfig(theirs);
    FENCE;
    _tile_loadconfig(&shapes);
}

INLINE void end_tiles(struct tile_shapes *theirs) {
    FENCE;
    _tile_loadconfig(theirs);
}

#define BEGIN(I) if (onto) _tile_loadd(I, sums + I * SUMS, 64); else _tile_zero(I);
#define ADD(I, T) _tile_loadd(T, left + (I * stride + s) * TILE, 64); _tile_dpbf16ps(I, T, 4);
#define END(I) _tile_stored(I, sums + I * SUMS, 64);
#define MULTIPLY(N, ALL)                                                                                               \
    INLINE void multiply_##N(float *sums, const bf16 *left, long stride, const bf16 *right, long steps, int onto) {    \
        ALL(BEGIN_OF)                                                                                                  \
        for (long s = 0; s < steps; s++) {                                                                             \
            _tile_loadd(4, right + s * TILE, 64);                                                                      \
            ALL(ADD_OF)                                                                                                \
        }                                                                                                              \
        ALL(END_OF)                                                                                                    \
    }
#define BEGIN_OF(I, T) BEGIN(I)
#define ADD_OF(I, T) ADD(I, T)
#define END_OF(I, T) END(I)
#define TWO(DO) DO(0, 5) DO(1, 6)
#define THREE(DO) TWO(DO) DO(2, 7)
#define FOUR(DO) THREE(DO) DO(3, 5)
MULTIPLY(2, TWO)
MULTIPLY(3, THREE)
MULTIPLY(4, FOUR)

/* sums[i] = or += the sum over s of left[i * stride + s] @ right[s], tiles all, `rows` of them, 2 or more. A product
 * takes as long as three that do not wait for each other, so tiles are taken in threes and fours. */
INLINE void multiply(float *sums, const bf16 *left, long stride, const bf16 *right, long steps, long rows,
                     int onto) {
    FENCE;
    while (rows > 0) {
        long some = rows == 2 || rows == 5 ? 2 : rows % 4 == 0 ? 4 : 3;
        if (some == 2)
            multiply_2(sums, left, stride, right, steps, onto);
        else if (some == 3)
            multiply_3(sums, left, stride, right, steps, onto);
        else
            multiply_4(sums, left, stride, right, steps, onto);
        sums += some * SUMS, left += some * stride * TILE, rows -= some;
    }
    FENCE;
}

#else
struct tile_shapes {
    char none;
};

INLINE int tiles_allowed(void) { return 1; }

INLINE void begin_tiles(struct tile_shapes *theirs) { theirs->none = 0; }

INLINE void end_tiles(struct tile_shapes *theirs) { (void)theirs; }

/* As above: sixteen sums stay in registers, which hides how long a product takes. */
INLINE void multiply(float *sums, const bf16 *left, long stride, const bf16 *right, long steps, long rows,
                     int onto) {
    for (; rows > 0; rows--, sums += SUMS, left += stride * TILE) {
        __m512 sum[16];
        for (int i = 0; i < 16; i++) sum[i] = onto ? _mm512_load_ps(sums + i * 16) : _mm512_setzero_ps();
        for (long s = 0; s < steps; s++) {
            const int32_t *pairs = (const int32_t *)(left + s * TILE);
            for (int p = 0; p < 16; p++) {
                __m512bh columns = (__m512bh)_mm512_load_si512(right + s * TILE + p * 32);
                for (int i = 0; i < 16; i++)
                    sum[i] = _mm512_dpbf16_ps(sum[i], (__m512bh)_mm512_set1_epi32(pairs[i * 16 + p]), columns);
            }
        }
        for (int i = 0; i < 16; i++) _mm512_store_ps(sums + i * 16, sum[i]);
    }
}
#endif
#endif
