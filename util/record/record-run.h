/*
 * Record-run: one recording from options to finished files: the operations of perf record for an observer.
 * Rings are emptied into outputs, which are switched. Prints nothing except through base/log; the command
 * prints what is in the result.
 */
#ifndef PERF_RECORD_RECORD_RUN_H
#define PERF_RECORD_RECORD_RUN_H

#include "record-opts.h"
#include "../kernel/ring.h"

struct record_result {
	bool start_ok;		/* an output was created */
	u64 bytes;		/* of the output; if outputs were switched, of the last one */
	u64 samples;
	u64 lost;		/* samples the kernel could not store */
	struct filtered filtered;	/* by --filter; zeros without one */
	u64 throttled;
	u64 ring_pages;
	/* a trace: bytes, those that perf did not take in time, AUX records with gaps, pages of an area */
	u64 aux_bytes, aux_lost, aux_pages;
	struct aux_flags aux;
	u64 wakeups;
	u64 elapsed_ns;
	double comp_ratio;	/* 0: not compressed */
	u64 raw_bytes;
	int exit_status;	/* of the workload */
	bool exec_failed;	/* it could not be executed */
	int signal;		/* that ended the recording, or 0 */
	bool max_size_reached;
	char *path;		/* of the last output; owned */
};

/*
 * 0 or negative errno with err. The result is filled as far as the recording got; a file may exist even after
 * an error
 */
int record_run(const struct record_opts *o, struct record_result *ret, struct err *err);

#endif
