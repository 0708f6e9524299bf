/*
 * Record-opts: the options of perf record: one struct, which the option rows fill, and which every layer of a
 * recording reads. Options with several parts in one word are parsed here.
 */
#ifndef PERF_RECORD_RECORD_OPTS_H
#define PERF_RECORD_RECORD_OPTS_H

#include "../base/err.h"
#include "../event/event.h"
#include "../observe/observer.h"
#include "../observe/sample-attr.h"

struct record_rewrite;
struct wall_switches;

enum switch_mode { SWITCH_NONE, SWITCH_SIGNAL, SWITCH_SIZE, SWITCH_TIME };

struct record_opts {
	struct observe_opts observe;
	struct sample_attr_opts attr;
	/* called around work that may take long while no workload runs */
	void (*progress_begin)(void), (*progress_end)(void);
	/* called every second, except with --threads; samples and bytes of the output so far. May be NULL */
	void (*status)(const struct record_opts *o, u64 elapsed_ns, u64 samples, u64 bytes);
	const char *output;
	const char *version;
	int argc;			/* the whole command line, for the header */
	const char *const *cmdline;
	/* a ring is written only if it contains at least this much; 0: always */
	u64 flush_bytes;
	enum switch_mode switch_mode;
	u64 switch_value;		/* bytes or ns */
	struct evset *switch_events;	/* --switch-output-event; NULL: none */
	unsigned int switch_max_files;	/* 0: all are kept */
	bool timestamp_filename;
	u64 max_size;			/* 0: none */
	bool tail_synthesize;		/* start-up state at the end of the output */
	bool no_task_synth, no_map_synth, cgroup_synth;	/* --synth */
	bool buildid_mmap, no_buildid, no_buildid_cache;
	const struct guest_maps *guest;	/* the kernel of a guest, for the file; NULL: none */
	bool running_time;
	unsigned int map_timeout_ms;	/* for reading the maps of one process */
	unsigned int synth_threads;
	/* -G: names, one per event, the last one for all further events; or NULL */
	const char *cgroups;
	int realtime;			/* SCHED_FIFO priority; 0: none */
	unsigned int aio_blocks;	/* --aio: number of writes under way at a time; 0: waits for each */
	struct {
		bool on;		/* -S: the trace is written when asked for */
		bool at_exit;		/* and at the end */
		u64 bytes;		/* of an area, at most; 0: all */
	} snapshot;
	u32 aux_sample;			/* --aux-sample: bytes of the trace in each sample; 0: none */
	bool kcore;			/* the output is a directory that contains kcore_dir */
	const char *threads;		/* --threads: which streams, see streams.h; NULL: not given */
	bool off_cpu;			/* --off-cpu: sleeps are an event, too */
	unsigned int off_cpu_thresh_ms;	/* sleeps that long have samples of their own */
	/* --wall by BPF: its programs, loaded, and their event in the set; NULL: none. Not owned */
	struct wall_switches *wall;
	struct event *wall_event;
	int comp_level;			/* -z; 0: records are not compressed */
	const struct record_rewrite *rewrite;	/* --unwind-live; NULL: records are written as they are */
	/*
	 * called for each output when its records are in the file: appends the payload of the feature
	 * PACKED_SYMBOLS, or nothing. May be NULL
	 */
	void (*names)(const struct record_opts *o, struct strbuf *out);
	/* called for each output that has got its final name (--switch-output). May be NULL */
	void (*finished)(void *ctx, const char *path);
	void *finished_ctx;
};
#define RECORD_OPTS_INIT \
	{ .observe.samples = true, .buildid_mmap = true, .cgroup_synth = true, .map_timeout_ms = 500, \
	  .off_cpu_thresh_ms = 500 }

/* -D: "500" (ms), "-1" (off until --control), "100-200,500-600" (on from, off at). -EINVAL with err */
int record_parse_delay(struct record_opts *o, const char *s, struct err *err);
/* --switch-output: "signal" or NULL, a size ("100M"), a time ("30s"), "no" */
int record_parse_switch_output(struct record_opts *o, const char *s, struct err *err);
/* -S: "e", "64K", "64Ke" or NULL; "no": not */
int record_parse_snapshot(struct record_opts *o, const char *s, struct err *err);
/* --aux-sample: bytes of the trace in each sample; NULL: 4096 */
int record_parse_aux_sample(struct record_opts *o, const char *s, struct err *err);
/* --aio: "1" to "4" writes under way */
int record_parse_aio(struct record_opts *o, const char *s, struct err *err);
/* --synth: "no", "all", or a list of "task", "mmap", "cgroup" */
int record_parse_synth(struct record_opts *o, const char *s, struct err *err);
/* --affinity: "node" or "cpu" */
int record_parse_affinity(struct record_opts *o, const char *s, struct err *err);
/* checks for options that exclude each other: -EINVAL with err */
int record_opts_check(const struct record_opts *o, struct err *err);

#endif
