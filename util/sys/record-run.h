/*
 * Record-run: one recording from resolved options to finished files: workload, events, rings, the loop, switched outputs. Prints
 * nothing but notes through base/log; the command prints what the result says.
 */
#ifndef PERF_SYS_RECORD_RUN_H
#define PERF_SYS_RECORD_RUN_H

#include "../base/err.h"
#include "../event/event.h"
#include "affinity.h"
#include "record-attr.h"
#include "target.h"

enum switch_mode { SWITCH_NONE, SWITCH_SIGNAL, SWITCH_SIZE, SWITCH_TIME };

struct delay_range {
	u64 on_ns, off_ns;	/* since the start; off 0: to the end */
};

struct record_config {
	struct evset *set;
	struct record_attr_opts attr;
	struct target_opts target;
	const char *const *argv;	/* the workload; NULL: none */
	void (*progress_begin)(void), (*progress_end)(void);	/* around what may take long while no workload runs */
	const char *exec_dir;		/* where perf's own commands are; or NULL */
	const char *output;
	const char *version;
	int argc;			/* the whole command line, for the header */
	const char *const *cmdline;
	u64 ring_pages;			/* 0: default */
	u64 flush_bytes;
	struct { VEC(struct delay_range); } delay;	/* -D */
	bool start_disabled;		/* -D -1: until a control command enables */
	enum switch_mode switch_mode;
	u64 switch_value;		/* bytes or ns */
	struct evset *switch_events;	/* --switch-output-event; NULL: none */
	u32 switch_max_files;		/* 0: all are kept */
	bool timestamp_filename;
	u64 max_size;			/* 0: none */
	bool overwrite;
	bool tail_synthesize;
	bool no_task_synth, no_map_synth, cgroup_synth;	/* --synth */
	bool buildid_mmap, no_buildid, no_buildid_cache;
	bool running_time;
	u64 map_timeout_ns;
	u32 synth_threads;
	enum affinity affinity;
	const char *cgroups;		/* -G: names, one for each event, the last for those that follow; or NULL */
	int realtime;			/* SCHED_FIFO priority; 0: none */
	const char *control;		/* --control */
	unsigned int aio_blocks;	/* --aio; 0: not */
	bool kcore;			/* the output is a directory with kcore_dir in it */
	const char *threads;		/* --threads: which streams, see streams.h; NULL: none */
	int comp_level;			/* -z; 0: none */
	bool dry_run;
};

struct record_result {
	bool start_ok;		/* there is an output to speak of */
	u64 bytes;		/* of the last output (all outputs where they were switched: of the last) */
	u64 samples;
	u64 lost;		/* samples the kernel could not store */
	u64 throttled;
	u64 ring_pages;
	u64 wakeups;
	u64 elapsed_ns;
	double comp_ratio;	/* 0: not compressed */
	u64 raw_bytes;
	int exit_status;	/* of the workload */
	bool exec_failed;	/* it could not be run at all */
	int signal;		/* that ended the recording, or 0 */
	bool max_size_reached;
	char *path;		/* of the last output; owned */
};

/* 0 or negative errno with err. The result is filled as far as things went; a file may exist even after an error */
int record_run(const struct record_config *c, struct record_result *ret, struct err *err);

#endif
