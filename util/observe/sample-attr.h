/*
 * How the options of record (and top) become attributes of an event set: sample_type, side-band bits, period
 * or frequency, inheritance. One struct of options, one function; the kernel is not asked (kernel/open finds
 * what it lacks). Strings belong to the caller.
 */
#ifndef PERF_OBSERVE_SAMPLE_ATTR_H
#define PERF_OBSERVE_SAMPLE_ATTR_H

#include "../base/err.h"
#include "../event/event.h"
#include "../kernel/target.h"
#include "sample-parse.h"

#define SAMPLE_FREQ_DEFAULT 4000u
#define SAMPLE_FREQ_MAX UINT64_MAX	/* -F max */

struct sample_attr_opts {
	u64 freq;		/* -F; 0: not given. SAMPLE_FREQ_MAX: the maximum that the sysctl allows */
	u64 count;		/* -c; 0: not given */
	u32 freq_divisor;	/* --freq-divisor: of all frequencies; 0: not given */
	bool strict_freq;	/* refuse instead of lowering */
	struct callgraph_opts callgraph;
	u32 max_stack;		/* --max-stack; 0: not given */
	bool data;		/* -d: ADDR, data source */
	bool data_mmap;		/* --data-mmap, also with data */
	/*
	 * by ABI_SAMPLE_NR_*: options that ask for one sample field and nothing else (-W,
	 * --phys-data, --sample-cpu)
	 */
	bool sample[64];
	bool timestamp;		/* -T */
	bool timestamp_given;	/* -T or --no-timestamp: given, but false for the latter */
	bool period;		/* -P */
	bool period_given;	/* the same for --no-period */
	bool identifier;	/* --sample-identifier */
	bool pipe;		/* the output is a pipe */
	bool raw;		/* -R: always on for tracepoints anyway */
	bool all_cgroups;	/* --all-cgroups: also samples the cgroup */
	bool namespaces;
	bool inherit_stat;	/* -s */
	bool no_inherit;	/* -i */
	bool no_samples;	/* -n */
	bool all_user, all_kernel;
	bool only_guest, only_host;	/* events without :G or :H; both: all */
	bool switch_events;	/* --switch-events, and --latency */
	bool text_poke;		/* --kcore and AUX tracing */
	bool no_buildid_mmap;	/* --no-buildid-mmap: no build ids in MMAP2 */
	bool no_bpf_event;	/* --no-bpf-event: no KSYMBOL and BPF_EVENT */
	bool write_backward;	/* --overwrite */
	bool no_buffering;	/* wake up at every event */
	u32 watermark;		/* bytes in a ring that wake the recorder; 0: half of the ring */
	bool delayed;		/* -D: nothing is enabled at exec */
	bool streams;		/* --threads: the files of a directory can only be ordered by times */
	u64 branch_sample_type;	/* -b, -j; 0: none */
	u64 user_regs, intr_regs;	/* masks; 0: none */
	bool use_clockid;
	s32 clockid;
};

/*
 * Completes the attributes of every event of the set. Adds a dummy event (event->dummy, "dummy:u", the last
 * one) for the side-band if the first event cannot carry it: whole CPUs are observed, events are bound to
 * CPUs (hybrid PMUs), or start later (-D). Notes: one line each for the user ("frequency lowered to ..."). 0
 * or a negative errno with err (-F above the limit with strict_freq, period and frequency both given,
 * max_stack above the sysctl, ...). To be called once per set.
 */
struct strbuf;
int sample_attr_config(struct evset *set, const struct sample_attr_opts *o, const struct target *target,
		       struct strbuf *notes, struct err *err);

/*
 * -C LIST: binds the events to these CPUs and makes all CPUs the target, so that the side-band (which the
 * dummy carries) includes programs that start on other CPUs and move there. To be called before
 * sample_attr_config(). -EINVAL if LIST does not contain an event's own CPUs.
 */
int sample_attr_watch_cpus(struct evset *set, struct target *t, struct err *err);

/* /proc/sys/kernel/perf_event_max_sample_rate, perf_event_max_stack; 0 where unreadable */
u64 perf_max_sample_rate(void);
u64 perf_max_stack(void);

#endif
