/*
 * Session: opens a profile and runs its phases: open, scan (side-band and chunk boundaries), machine. Then
 * either a parallel walk over chunks (report) or an ordered walk over all records (script). Owns all of
 * these; const after session_open().
 */
#ifndef PERF_SESSION_SESSION_H
#define PERF_SESSION_SESSION_H

#include "../base/pool.h"
#include "../data/open.h"
#include "../data/walk.h"
#include "../data/itrace-opts.h"
#include "../sym/sym.h"
#include "../machine/locator.h"

/* an event's id that belongs to a recording of a guest, which perf inject --guest-data has merged in */
struct session_guest {
	u64 id;
	s32 machine_pid, vcpu;
};

struct session_reads;
struct session_jit;
struct aux;
struct unwinder;
struct sympack;
struct chunk {
	const struct data_stream *stream;
	u64 off, end;
};

struct session {
	struct data *data;
	struct machine *machine;
	struct symbols *symbols;
	struct pool *pool;
	struct { VEC(struct chunk); } chunks;	/* about 512 KB each, on record boundaries */
	u64 nr_records[REC_TYPE_MAX];		/* by type; records of unknown types in [0] */
	u64 nr_samples;
	const char *why_empty;			/* text for people: why it has no samples; NULL: not known */
	struct { VEC(struct session_guest); } guest;
	struct hidx guest_idx;			/* by id */
	struct guest_maps guest_maps;		/* from the files of --guestkallsyms and others */
	u64 nr_lost, nr_lost_samples;		/* from LOST and LOST_SAMPLES records */
	u64 nr_filtered_samples;		/* left out by record --filter: MISC_LOST_BY_BPF */
	u64 first_time, last_time;		/* of samples; first > last if there are none */
	bool is_local;		/* recorded on this machine and kernel, as far as the header shows */
	u32 trace_type;			/* of its hardware trace, by AUXTRACE_INFO; 0: it has none */
	bool keeps_trace;	/* the user wants no trace decoded: --no-itrace, or its dump */
	bool has_time;				/* false: file offsets are used as times */
	u32 time_off;				/* sample_time_offset() */
	struct diag diag;
	char *recorded_kallsyms;	/* the path, if record --kcore saved a list */
	struct kallsyms *early_list;	/* read in the background, not used yet */
	struct pool_job list_job;	/* reads it */
	struct sympack *packed;	/* symbols in the file itself: see obj/sympack.h; or NULL */
	struct session_reads *reads;	/* see reads.h; NULL if samples contain no counters */
	struct session_live *live;	/* NULL: all data is there */
	struct session_late *late;	/* NULL: all data was scanned */
	const struct unwinder *unwinder;	/* NULL: perf's own */
	struct lbr_tails *lbr_tails;	/* of --stitch-lbr; NULL: not asked for */
	struct aux *aux;		/* the decoder of its hardware trace; NULL: nothing is decoded */
	bool streams_trace;		/* its samples are decoded by the ordered reader */
	bool sees_samples;		/* parts of its trace are in samples */
	u64 trace_left_out;		/* number of pieces that were not decoded: nobody wants them */
	struct { VEC(struct session_jit); } jit;	/* jitdump files that were mapped: jit-maps.h */
};

/* the file has a hardware trace; where it is not decoded, a diag says so */
static inline bool session_has_trace(const struct session *s)
{
	return s->nr_records[ABI_RECORD_AUXTRACE] || s->nr_records[ABI_RECORD_AUXTRACE_INFO];
}

struct session_opts {
	struct data_opts data;
	struct sym_opts sym;
	unsigned int jobs;		/* -j: 0 means one per CPU; at most 1024 */
	/* names of kernel code will be needed: if a thread is free, they are read in the background */
	bool kernel_names;
	/*
	 * scan the file while tracing_run() reads its samples, so that it is read once. Until
	 * session_complete() nothing is known of records: no counts and times, and the machine must not be
	 * asked
	 */
	bool scan_late;
	/* what unwinds dumped stacks, loaded (unwind/unwinder.h); NULL: perf's own */
	const struct unwinder *unwinder;
	bool stitch_lbr;		/* lbr-tails.h */
	struct itrace_opts itrace;	/* what is made of hardware traces */
	/*
	 * the command reads the samples of a trace once, by the ordered reader: they are decoded then, and
	 * before session_trace_end() nothing is known of their number and times
	 */
	bool trace_once;
	u64 chunk_size;			/* 0: about 512 KB; for tests */
	/*
	 * called at the end of session_open(): it may close *s and put a session of a copy with other samples
	 * in its place. NULL: nothing is called. 0, or a negative errno with err: *s is as before
	 */
	int (*convert)(struct session **s, const struct session_opts *o, void *ctx, struct err *err);
	void *convert_ctx;
};

/* the guest whose event has that id; NULL: it is an event of the host */
const struct session_guest *session_guest_of(const struct session *s, u64 id);
int session_open(struct session **ret, const struct session_opts *opts, struct err *err);
void session_close(struct session *s);

/*
 * whether records may be read from copies (copied-walk.h): false if something is known of them by their
 * address, as histories of a trace and values of counters are
 */
bool session_may_copy(const struct session *s);

/*
 * with trace_once, before records are read: pieces of the trace that want->fn refuses are not decoded.
 * The caller keeps ctx until session_trace_end()
 */
struct aux_want;
void session_trace_want(struct session *s, const struct aux_want *want);
/* after the last record, with trace_once: counts samples and damage of the trace */
void session_trace_end(struct session *s);

/* of a session that scans late: scans the rest of the file and builds the machine */
void session_complete_late(struct session_late *l);
static inline void session_complete(const struct session *s)
{
	if (unlikely(s->late))
		session_complete_late(s->late);
}

/*
 * A pipe that is read while its recorder writes (opts.data.live): waits until more records may be returned,
 * in order, and applies the side-band among them to the machine. Returns 1, 0 after the end of the recording,
 * or negative errno with err. Between two calls the session is as after session_open(); answers of the
 * machine from before the call are no longer valid.
 */
int session_more(struct session *s, struct err *err);

/*
 * ELF machine (64-bit form) of the system on which the file was recorded; the one of this program if the file
 * does not say
 */
u16 session_elf_machine(const struct session *s);

/*
 * when a sample was taken: its time; its offset in a file without times. Samples of an event without times
 * come last in a file with times
 */
static inline struct when session_when(const struct session *s, const struct sample *sample,
				       const struct rec *rec)
{
	bool timeless = sample->event && !(sample->event->attr.sample_type & PERF_SAMPLE_TIME);

	return (struct when){ !s->has_time ? rec->off : timeless ? UINT64_MAX - 1 : sample->time, rec->off };
}
/* time and task: see util/machine/machine.h */
struct sample_ctx session_sample_ctx(const struct session *s, const struct sample *sample,
				     const struct rec *rec);
/*
 * In the machine a task keeps its name and memory after its EXIT record, as report shows it. This removes
 * them, as script shows it: a task that has exited is unknown, and has the memory of its leader if that is
 * alive.
 */
void sample_ctx_forget_dead(const struct session *s, const struct sample *sample, struct sample_ctx *w);
/* the same as session_sample_ctx(), with a worker's cache */
struct sample_ctx locator_sample_ctx(struct locator *l, const struct session *s, const struct sample *sample,
				     const struct rec *rec);

#endif
