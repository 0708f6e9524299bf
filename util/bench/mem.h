/* Mem: buffers and results that the benchmarks of memory have in common. */
#ifndef PERF_BENCH_MEM_H
#define PERF_BENCH_MEM_H

#include "bench.h"

/*
 * anonymous memory of at least size bytes in pages of this size (0: the usual ones; else 2 MB or 1 GB), with
 * flags of mmap(2) in addition; NULL with err filled
 */
void *bench_mem_map(u64 size, u64 page, int flags, struct err *err);
void bench_mem_unmap(void *p, u64 size, u64 page);
/* whether -f selects the function: 0: no, 1: yes */
bool bench_mem_wants(const struct bench_opts *o, const char *name);
/* "help" lists the functions, and an unknown name is an error that lists them, too: 1, a negative errno, or 0
 */
int bench_mem_names(const struct bench_opts *o, const struct bench_sink *sink, const char *const *name,
		    u32 nr, const char *const *help, struct err *err);
/* what is about to be measured, and the bytes per second of it */
void bench_mem_begin(const struct bench_sink *sink, const char *name, const char *help, u64 size);
void bench_mem_speed(const struct bench_sink *sink, const char *name, double bytes, u64 ns);

#endif
