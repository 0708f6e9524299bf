/*
 * To JSON: all samples of a profile as one document, in the order of time, for other programs:
 *
 *	{ "linux-perf-json-version": 1, "headers": { "hostname": ... },
 *	  "samples": [ { "timestamp": NS, "pid": N, "tid": N, "cpu": N, "comm": "...",
 *			 "callchain": [ { "ip": "0x...", "symbol": "...", "dso": "..." } ],
 *			 and the fields of a tracepoint as texts } ] }
 *
 * Symbol and dso are there if the symbol is known. A recording of perf stat record has no samples, but
 *
 *	  "counts": [ { "time": NS, "cpu": N, "tid": N, "event": "...", "value": N, "time-enabled": NS,
 *			"time-running": NS } ] }
 *
 * It never prints.
 */
#ifndef PERF_CONVERT_TO_JSON_H
#define PERF_CONVERT_TO_JSON_H

#include "../fields/sample-filter.h"

struct to_json_opts {
	const struct sample_filter *filter;	/* as typed; NULL: all samples */
	/* gets pieces of text, which are valid during the call; 0 or negative errno */
	int (*write)(void *ctx, const char *text, size_t len);
	void *ctx;
};
struct to_json_result {
	u64 nr_samples, nr_counts, nr_bytes;	/* written */
};

/* 0, what write returned, or another negative errno with err */
int to_json(struct session *s, const struct to_json_opts *o, struct to_json_result *ret, struct err *err);

#endif
