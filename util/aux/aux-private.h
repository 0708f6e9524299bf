/* The parts of a trace that kinds see. Private to util/aux. */
#ifndef PERF_AUX_PRIVATE_H
#define PERF_AUX_PRIVATE_H

#include "aux.h"
#include "../base/mapping.h"
#include "../base/vec.h"
#include "../event/sample.h"
#include "../view/stream.h"

/* AUXTRACE_INFO: words that say how the trace was made, in native byte order */
struct aux;
struct aux_history;
struct aux_log;
struct aux_words {
	u64 *v;
	u32 nr;
	const char *cpuid;	/* in the file's header; NULL: it does not say */
};

/* the type of the event that recorded the trace */
u32 aux_pmu_type(const struct aux *a);
/* ev recorded it */
bool aux_recorded_by(const struct aux *a, const struct event *ev);

/* 0 where the record is too short */
static inline u64 aux_word(const struct aux_words *w, u32 i)
{
	return i < w->nr ? w->v[i] : 0;
}

/* the words of a file's first AUXTRACE_INFO record, which the caller frees, and their kind; false: none */
bool aux_find_words(const struct data *d, struct aux_words *ret, u32 *ret_type);

/* bytes of a trace that follow each other; off: of the first one in the stream of its CPU or thread */
struct aux_bytes {
	const u8 *p;
	size_t len;
	u64 off;
};

/* counter values to times of samples: those of the TIME_CONV record, or of the kind's words */
struct aux_clock {
	bool known;
	u16 shift;
	u32 mult;
	u64 zero, cycles, mask;
	bool is_short;		/* the counter wraps inside mask; cycles is a value near */
};

u64 aux_clock_ns(const struct aux_clock *c, u64 counter);

#define AUX_NO_TIME (UINT64_MAX - 1)	/* samples without a time are at the end */

enum { AUX_EVENTS_MAX = 24 };	/* of a kind */
enum { AUX_CARRIED = 2 };	/* events with these numbers may have periods that go on in the next piece */

/* an event that a kind adds to the file: its samples have these members of struct aux_sample */
struct aux_event {
	u32 idx;		/* in the event set */
	u64 id;
	bool on;		/* it was asked for */
	u64 nr;			/* of its samples */
};

/* what the records of all made events have, after the header, one u64 each and in this order */
#define AUX_SAMPLE_TYPE (ABI_SAMPLE_IDENTIFIER | ABI_SAMPLE_IP | ABI_SAMPLE_TID | ABI_SAMPLE_TIME | \
			 ABI_SAMPLE_ADDR | ABI_SAMPLE_CPU | ABI_SAMPLE_PERIOD)

struct aux_sample {
	u64 ip, time, addr, period;
	u64 weight, data_src, phys_addr, made, insn_flags;
	u64 times;		/* of records of a fold: how many samples it is */
	s32 pid, tid;
	u32 cpu;
	u8 cpumode;
	/* if the event has call chains: as in the record, with markers */
	const u64 *chain;
	/* if the event has branch stacks: the newest first */
	const struct branch_entry *branch;
	/* if the event has raw bytes, which fill 8 bytes with the 4 of their size */
	const u8 *raw;
	u32 nr_chain, nr_branches, raw_size;
};

/* what a decoder of a piece reads */
struct aux_piece {
	struct aux_bytes b;
	u32 cpu;		/* (u32)-1: the stream is of a thread */
	u32 source;		/* of kinds with split: which one of the stream */
	s32 tid;		/* -1: the stream is of a CPU */
	u64 time;		/* of the AUX record that announced the first byte; 0: not known */
	u64 first;		/* number of records before the first one, in this file */
	bool starts;		/* it is the first of its stream, or bytes before it are missing */
	const void *before;	/* what measure() says of all pieces before it in its stream */
	size_t ahead;		/* bytes after b.len that can be read, too: the start of the next piece */
};

#define AUX_GUEST (ID_NONE - 1)	/* instead of a dso: a virtual machine */

/* a program whose code a decoder wanted and did not find; dso: ID_NONE: nothing was mapped there */
struct aux_missing {
	u32 dso;
	u64 nr;			/* of places */
};

struct aux_missings { VEC(struct aux_missing); };
void aux_add_missing(struct aux_missings *m, u32 dso, u64 nr);

/* a span of time, with both ends; empty: from > to */
struct aux_span {
	u64 from, to;
};

struct aux_fold;

/* where a decoder of a piece writes; one for each piece */
struct aux_out {
	const struct aux *a;
	struct strbuf rec;	/* SAMPLE records, in the byte order of the file */
	u64 nr[AUX_EVENTS_MAX];	/* by event */
	/*
	 * for kinds whose periods go on from piece to piece, of the first events: what is counted after the
	 * last sample, which is added to the period of the first one in the pieces after it
	 */
	u64 rest[AUX_CARRIED];
	size_t first[AUX_CARRIED];	/* where the first sample is in rec, plus 1; 0: there is none */
	struct aux_missings missing;
	void *worker;		/* what the kind's worker_new() returned, in this thread */
	struct aux_fold *fold;	/* gets samples instead of rec, if not NULL */
	u64 folded;		/* samples that are in records of others, which a fold wrote */
	struct aux_span span;	/* of the times of samples in folds */
	struct strbuf log, recent;	/* with a->log: see log.h */
	struct diag diag;
};

/* appends a SAMPLE record of ev, which is on. A pid of -1 is looked up by tid and time */
void aux_out_sample(struct aux_out *out, const struct aux_event *ev, struct aux_sample *s);

/* the same as the last record, which begins at this byte of out->rec, for another event */
void aux_out_again(struct aux_out *out, size_t at, const struct aux_event *ev, u64 addr, u64 period);

/* a place of the trace where what was executed is not known; codes and texts as upstream */
struct aux_error {
	u32 code, cpu;
	s32 pid, tid;
	u64 ip, time;
	const char *text;	/* at most 63 bytes */
};

/* adds rest, which becomes 0, to the periods of the first samples; nothing if there are none */
void aux_carry_rest(const struct aux *a, u64 rest[AUX_CARRIED], struct aux_out *out);
/* what the piece leaves for the next one */
void aux_take_rest(struct aux_out *out, u64 rest[AUX_CARRIED]);
/* appends an AUXTRACE_ERROR record */
void aux_out_error(struct aux_out *out, const struct aux_error *e);

struct symbols;

/* an AUX_OUTPUT_HW_ID record */
struct aux_hw_id {
	u32 cpu;
	u32 event;		/* index in the event set; -1: not known */
	u64 id;
};

struct aux {
	const struct aux_kind *kind;
	struct data *data;
	struct itrace_opts opts;
	struct aux_words words;
	struct aux_event event[AUX_EVENTS_MAX];	/* numbers are the kind's own */
	u64 sample_type;	/* of all of them */
	u64 no_fields;		/* bits that the kind leaves out of sample_type */
	bool timeless;		/* samples have no time */
	bool folds;		/* set by events(): decode() gives samples to folds (fold.h) */
	u64 folded;		/* as in struct aux_out, of all */
	struct aux_span span;
	struct aux_clock clock;
	const struct machine *machine;
	const struct symbols *symbols;	/* of which decoders only use the program files */
	void *setup;		/* the kind's own, made by events(); memory that free() frees */
	struct strbuf unused;
	u32 stream;
	struct { VEC(u64); } start;	/* where samples of a CPU or thread begin in the spool */
	struct aux_log *log;	/* the debug log; NULL: none */
	u32 other_frames, other_branches;	/* that samples of other events get; 0: none */
	struct aux_history *history;	/* of samples of other events; NULL: not wanted */
	bool lists_lost;	/* AUX records of a full buffer become errors, too */
	struct { VEC(struct aux_error); } lost;	/* these */
	struct aux_missings missing;
	bool wants_kernel;	/* decoders read code of the kernel */
	bool measures;		/* measure() is wanted before decode() */
	struct diag diag;	/* of feeds */
	u64 left_out;		/* pieces that no feed decoded, because nobody wants them */
	struct aux_want want;
	struct aux_running running;	/* of folds; fn NULL: nobody asks */
	u64 rest[AUX_CARRIED];	/* in the pieces so far */
	struct aux_queues *queues;
	struct { VEC(struct aux_hw_id); } hw_id;
	struct mapping split;	/* bytes of streams that were taken apart */
	struct aux_switches *switches;
};

/*
 * The thread that ran on a CPU then, by switch and ITRACE_START records; false if they do not say. pid: -1 if
 * only the thread is known
 */
bool aux_thread_at(const struct aux *a, u32 cpu, u64 time, s32 *ret_pid, s32 *ret_tid);

/*
 * for a kind's events(): adds an event of this name; extra: bits of sample_type besides AUX_SAMPLE_TYPE, the
 * same for all events of a kind
 */
void aux_add_event(struct aux *a, u32 nr, const char *name, u64 type_config, u64 period, u64 extra);

/* for a kind's events(): these letters mean nothing with the others; users are told */
void aux_leave_out(struct aux *a, u64 letters);

enum { AUX_DUMP_STATE = 96 };	/* bytes */
/* gets the bytes of one source of a stream; id: its number */
typedef void aux_emit_source(void *ctx, u32 id, const struct aux_bytes *b);

struct aux_kind {
	u32 type;		/* in AUXTRACE_INFO records */
	const char *name;	/* in messages: "Arm SPE" */
	const char *title;	/* words before the packets, with their {size} in bytes */
	const char *letters;	/* of --itrace, those that it understands */
	u32 pmu_word;		/* which word is the type of the event that recorded the trace */
	u32 pmu_shift;		/* and how far it is to be shifted down */
	u64 pmu_config;		/* that only this event of the type has; 0: no other event has the type */
	/* the cells of AUXTRACE_INFO: a line each, as words of a stream */
	void (*dump_words)(const struct aux_words *w, const struct stream_format *f, struct strbuf *out);
	/*
	 * The first packet of b as text, without a newline. Returns its length in bytes; at
	 * least 1, also of one that is damaged. state: AUX_DUMP_STATE bytes, zeros at first
	 */
	size_t (*dump)(const struct aux_bytes *b, void *state, struct strbuf *text);
	/* for kinds whose streams hold the bytes of several sources, else NULL: takes them apart to dump */
	void (*dump_sources)(const struct aux_bytes *b, aux_emit_source *emit, void *ctx);
	/* makes the state of a record, or of a source (id; else 0), of the words; NULL: it is zeros */
	void (*dump_begin)(const struct aux_words *w, u32 cpu, u32 id, void *state);
	/*
	 * Adds the events that a->opts asks for. 0, or negative errno with err: the options make no sense.
	 * NULL: traces of this kind are not decoded yet
	 */
	int (*events)(struct aux *a, struct err *err);
	/*
	 * b begins where a decoder can begin: the first such place at or after want bytes; b->len if there is
	 * none. Adds the number of its records up to there to *nr
	 */
	size_t (*cut)(const struct aux_bytes *b, size_t want, u64 *nr);
	/*
	 * For kinds whose streams hold the bytes of several sources, else NULL: gives each a stream of its
	 * own by aux_queues_replace(). 0, or negative errno with err
	 */
	int (*split)(struct aux *a, struct err *err);
	size_t ahead;		/* as many bytes of the next piece are wanted as well */
	/* what one thread keeps from piece to piece; NULL: nothing */
	void *(*worker_new)(const struct aux *a);
	void (*worker_free)(void *worker);
	/*
	 * For a->measures: what decode() must know of the pieces before its own. A first pass fills a
	 * summary of each piece, of measure_size bytes that begin as zeros; add() adds the summary of the
	 * next piece to that of those before it
	 */
	size_t measure_size;
	void (*measure)(const struct aux *a, const struct aux_piece *piece, void *worker, void *summary);
	void (*add)(void *before, const void *summary);
	/*
	 * For a->history: walks a piece to fill in what was so at samples of its stream (history.h); piece
	 * NULL: the stream is over. state: history_size bytes, zeros at first
	 */
	size_t history_size;
	void (*history)(const struct aux *a, const struct aux_piece *piece, void *worker, void *state);
	/* the time of a piece's first packets in ns; 0: not known. NULL: it never is */
	u64 (*time)(const struct aux *a, const struct aux_bytes *b);
	/* writes the samples of a piece; from several threads, so a is const */
	void (*decode)(const struct aux *a, const struct aux_piece *piece, struct aux_out *out);
	/*
	 * For kinds whose pieces may make many records, else NULL: the same in parts. begin() makes a walk,
	 * of walk_size bytes, and go_on() continues until out->rec has enough bytes, which is true, or to the
	 * end of the piece. carry() then adds to before what measure() and add() would. Walks of several
	 * streams share a worker
	 */
	size_t walk_size;
	void (*begin)(const struct aux *a, const struct aux_piece *piece, struct aux_out *out, void *walk);
	bool (*go_on)(void *walk, size_t enough);
	void (*carry)(const void *walk, void *before);
};

#define AUX_KIND(symbol) extern const struct aux_kind aux_kind_##symbol;
#include "kinds.def"
#undef AUX_KIND
extern const struct aux_kind aux_kind_intel_pt_libipt, aux_kind_coresight_libopencsd;

#endif
