/*
 * Line-worker: what lines of each event show, a sample that is ready for its line, and what a worker keeps
 * from one line to the next. Inside of util/script.
 */
#ifndef PERF_SCRIPT_LINE_WORKER_H
#define PERF_SCRIPT_LINE_WORKER_H

#include "script-opts.h"

struct tracefmt;

struct event_view {		/* what a line of one event shows, worked out once */
	u64 mask;
	u32 frame_what[2];	/* FRAME_* of ip, sym, dso for a flat line; for each frame below it */
	bool chain;		/* samples have frames below their lines, and names are not padded */
	bool branch;		/* a sample is a branch, to its addr; chain and fields aside */
	bool to;		/* where to is shown */
	/* numbers of the sample and nothing else: neither its task nor its frame is looked up */
	bool bare;
	bool plain;	/* numbers, names of its task and of its one frame, the instruction there */
	bool before_ip, behind_ip;	/* fields besides the usual ones: before the address, after it */
	bool counts_fp;		/* chains tell whether programs have frame pointers */
	char *name;		/* padded, followed by ": " */
	u32 name_len;
	enum script_type type;
	u8 cell[SF_NR];		/* with a format: what its lines have, as script_plan_cells() chose */
	u32 nr_cells;
};

struct script {
	const struct session *s;
	struct script_opts *o;
	struct event_view *view;	/* by event idx */
	int name_width;
	bool counts_fp;			/* an event does */
	bool all_numbers;		/* of samples, lines of all events use numbers only */
	u32 switch_on, switch_off;	/* event idx; ID_NONE: none */
	struct { VEC(const char *); } stop_bt;
};

/* what one line leaves for the next; with any of these in use, a batch is one slice */
struct line_state {
	u64 first_time, prev_time;
	u32 data_src_width;
	bool on;			/* --switch-on has been seen */
};

/* where the text of one event ends, for its own output */
struct line_part {
	u32 event;		/* idx; ID_NONE */
	bool sample;
	size_t end;
};
struct line_parts { VEC(struct line_part); };

struct comm_text {
	const char *text;	/* pad blanks, the name, a blank */
	u32 len, pad;
};

/* ids, CPU and time of the line before, as text; len 0: none */
struct line_repeated {
	u64 time, mask;
	u32 pid, tid, cpu, len;
	char text[64];
};

/* where the last plain line is in the text, and in it the name of its event */
struct line_plain {
	size_t start;
	u32 len, name_at;
};

#define LINE_AHEAD 16u
struct line_sample {
	bool wanted;
	bool bare, plain;	/* wanted, and its line is as in struct event_view */
	bool same;		/* plain, and differs from the line before in its event only */
	/* frames are below the line; members of a group have the chain of its leader */
	bool chain;
	struct sample sm;
	struct sample_ctx at;
	struct sample_chain unwound;	/* where chain is set: what comes after the recorded runs */
	u32 runs, nr_runs;	/* the same, in the worker's runs: the recorded chain */
	u32 hits;		/* in the worker's hits: of the address, or of each address of the runs */
	u32 nr_fp, fp_dso[FP_FRAMES];	/* how far frame pointers led in user space, and where to */
};

struct branch_code;
struct callindent;
struct line_more;
struct sample_metrics;
struct line_worker {
	const struct script *sc;
	struct line_more *more;		/* NULL until a field needs it */
	struct branch_code *branch_code;	/* the same */
	struct sample_metrics *metrics;	/* the same */
	struct callindent *callindent;	/* the same */
	/* that more needs: to be loaded; blocked is set then */
	struct { VEC(struct line_query); } lines;
	bool dry;			/* what is written will be thrown away */
	struct line_parts *parts;	/* NULL: all goes to one output */
	struct frame_cache cache;
	struct unwind_guesses guesses;
	struct tracefmt *trace;
	struct err trace_err;
	bool trace_tried;
	/* of the sample in hand, for the resolver of kernel names in tracepoints */
	const struct sample_ctx *at;
	struct resolver resolver;
	struct arena scratch, names;
	struct { VEC(struct comm_text); } comm;	/* by comm id */
	struct comm_text no_comm;
	struct strbuf short_comm, cell_text;
	char no_comm_text[40];
	struct line_state state;
	struct line_repeated repeated;
	struct line_plain last;
	bool passed;			/* a sample passed all filters */
	struct line_sample ahead[LINE_AHEAD];
	struct { VEC(struct frame_found); } hits;	/* of a group; also runs */
	struct { VEC(struct chain_run); } runs;
	struct fp_counts fp;
	struct diag diag;
};

#endif
