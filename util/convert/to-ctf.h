/*
 * To CTF: all samples of a profile, in the order of time, as a trace for babeltrace, Trace Compass and
 * others. A sample is an event of its event's name, with the fields perf_ip, perf_tid, perf_pid, perf_comm,
 * perf_symbol, perf_period and what else was sampled, its call chain, and the fields of a tracepoint. With
 * side_band, records about tasks and maps are events, too: perf_comm, perf_fork, perf_exit, perf_mmap,
 * perf_mmap2, perf_lost. It never prints.
 */
#ifndef PERF_CONVERT_TO_CTF_H
#define PERF_CONVERT_TO_CTF_H

#include "../fields/sample-filter.h"

struct to_ctf_opts {
	const struct sample_filter *filter;	/* as typed; NULL: all samples */
	const char *dir;
	bool force;		/* replace a trace that exists */
	bool side_band;		/* --all */
	bool tod;		/* times of day: -EINVAL with err if the file does not know them */
};
struct to_ctf_result {
	u64 nr_samples, nr_others, nr_bytes;	/* written */
};

/* 0, or a negative errno with err */
int to_ctf(struct session *s, const struct to_ctf_opts *o, struct to_ctf_result *ret, struct err *err);

#endif
