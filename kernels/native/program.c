/* Operations one after the other, by threads that start once: OpenMP's, the same pool as torch's. */
#include <omp.h>

#include "operation.h"

#define EARLY 16384

/* Ask for the beginning of a thread's share of an operation, while other threads finish the one before. */
static void ask(const char *from, long bytes) {
    for (long i = 0; i < bytes && i < EARLY; i += 64) __builtin_prefetch(from + i, 0, 2);
}

static void ask_early(const struct operation *o, long at, int thread, int threads) {
    if (o->kind == LINEAR_OPERATION) {
        long from = o->n * thread / threads, to = o->n * (thread + 1) / threads, row = o->k * o->bits / 8;
        ask((const char *)o->weight + from * row, (to - from) * row);
    } else if (o->bounds) {
        pages_ask(o, at, thread, threads, EARLY);
    } else {
        long size = o->bits / 8;
        long first = first_row(o, at), from = (at + 1 - first) * thread / threads;
        long bytes = ((at + 1 - first) * (thread + 1) / threads - from) * o->width * size;
        ask(o->keys + (first + from) * o->width * size, bytes / 2);
        ask(o->values + (first + from) * o->width * size, bytes / 2);
    }
}

/* For the token of row `at`. `room`: `each` floats a thread. */
void run(const struct operation *operations, long count, long at, float *room, long each, int threads) {
#pragma omp parallel num_threads(threads)
    {
        int thread = omp_get_thread_num(), team = omp_get_num_threads();
        float *own = room + thread * each;
        for (long i = 0; i < count; i++) {
            const struct operation *o = operations + i;
            if (o->kind == LINEAR_OPERATION) {
                linear_share(o, own, thread, team);
            } else {
                if (thread == 0) step_place(o, at);
#pragma omp barrier
                if (o->bounds) {
                    pages_score(o, at, thread, team);
#pragma omp barrier
                    pages_choose(o, at, thread, team);
#pragma omp barrier
                    pages_share(o, at, own, thread, team);
                } else {
                    step_share(o, at, own, thread, team);
                }
#pragma omp barrier
                step_join(o, room, each, thread, team);
            }
            if (i + 1 < count) {
                ask_early(o + 1, at, thread, team);
#pragma omp barrier
            }
        }
    }
}
