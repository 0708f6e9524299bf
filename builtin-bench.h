/* perf bench: what its options fill, and their lists. */
#ifndef PERF_BUILTIN_BENCH_H
#define PERF_BUILTIN_BENCH_H

#include "util/bench/bench.h"
#include "util/cli/parse-options.h"

struct bench_output {
	const char *format;	/* "default", "simple" */
	bool json;
};

const struct bench_opts *bench_cmd_opts(void);
const struct bench_output *bench_output(void);

/* options before the collection; and with the options of all benchmarks, for -h, completion and manual */
extern const struct option bench_common_options[], bench_all_options[];
/* of one benchmark */
const struct option *bench_options_of(const struct bench *b);
/* of "all" of a collection: the common ones, and those that all of its benchmarks have */
const struct option *bench_options_of_all(const char *collection);

#endif
