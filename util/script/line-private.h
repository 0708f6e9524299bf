/*
 * Lines: records as text or cells, and what a worker keeps from one to the next. Inside of util/script.
 * line.c writes samples, sideband.c other records; print-lines.c runs it over batches.
 */
#ifndef PERF_SCRIPT_LINE_PRIVATE_H
#define PERF_SCRIPT_LINE_PRIVATE_H

#include "script-opts.h"

struct record_view;
struct tracefmt;
struct tracefmt_event;
struct view_derived;
struct event_view {		/* what a line of one event shows, worked out once */
	u64 mask;
	u32 frame_what[2];	/* FRAME_* of ip, sym, dso for a flat line; for each frame below it */
	bool chain;		/* samples have frames below their lines, and names are not padded */
	bool branch;		/* a sample is a branch, to its addr; chain and fields aside */
	bool to;		/* where to is shown */
	/* numbers of the sample and nothing else: neither its task nor its frame is looked up */
	bool bare;
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

#define LINE_AHEAD 16u
struct line_sample {
	bool wanted;
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
	bool passed;			/* a sample passed all filters */
	struct line_sample ahead[LINE_AHEAD];
	struct { VEC(struct frame_found); } hits;	/* of a group; also runs */
	struct { VEC(struct chain_run); } runs;
	struct fp_counts fp;
	struct diag diag;
};

/*
 * Records are shown in groups of up to LINE_AHEAD: prepared together, so that memory is on its way when they
 * are written, then one by one (i: place in the group): a sample's line with its frames, or a side-band line;
 * nothing where it is filtered.
 */
/* a sample as filters in shared objects see it, without its frames; false: it cannot be decoded */
bool script_sample(struct line_worker *w, const struct rec *rec, const struct rec *chain,
		   struct line_sample *ls);
/* whether perf's own filters keep it, but for switches; w->cache.blocked: symbols must be loaded first */
bool script_sample_wanted(struct line_worker *w, const struct line_sample *ls);
/* --switch-on and --switch-off, for all samples in their order: whether this one is shown */
bool script_switched_on(struct line_worker *w, const struct event *ev);
/* how many of a group: one where a line depends on the one before it in ways that cannot be taken back */
u32 script_group(const struct script *sc);
/* chain: of each record the one with the rest of its call chain (p NULL: none); or NULL */
void script_prepare(struct line_worker *w, const struct rec *rec, const struct rec *chain, u32 nr);
void script_line(struct line_worker *w, const struct rec *rec, u32 i, struct strbuf *out);
/* what was written since the last part is of this event; sample: and counts as one */
void line_end_part(struct line_worker *w, u32 event, bool sample, const struct strbuf *out);
/*
 * the part before the event name that samples and side-band lines share; named_tid: whose comm is
 * shown, at->thread
 */
void line_start(struct line_worker *w, const struct event_view *v, const struct sample *sm, s32 named_tid,
		const struct rec *rec, const struct sample_ctx *at, struct strbuf *out);
void line_side_band(struct line_worker *w, const struct rec *rec, struct strbuf *out);
/* letters of the misc bits, and blanks; which bits mean what depends on the record's type */
char *line_misc(char *p, u16 misc, u32 rec_type);
/* the time that a line shows: with --reltime and --deltatime this changes what the next line shows */
u64 line_time_shown(struct line_worker *w, u64 t);
/* whether the address of a sample may be named */
bool line_addr_has_name(const struct event_view *v, const struct event *ev);
/* the same, and fields show the name */
bool line_addr_is_named(const struct event_view *v, const struct event *ev);
void line_chain(struct line_worker *w, const struct event_view *v, const struct line_sample *ls,
		struct strbuf *out);
/* counts the chains of the group that was shown */
void script_count_chains(struct line_worker *w, u32 nr);
/* --stop-bt: whether a chain ends at this frame */
bool line_stops_at(struct line_worker *w, const struct frame_at *at);
/* finds what line_chain will need: runs, hits */
void line_chain_find(struct line_worker *w, const struct event_view *v, struct line_sample *ls);
/* the field metric, below the lines of a group's members; ls: of the leader, with what it has read */
bool script_metrics_wanted(const struct script *sc);
void line_metrics(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
		  struct strbuf *out);
void line_regs(const struct line_worker *w, u64 mask, u64 abi, const u64 *regs, struct strbuf *out);
void line_branches(struct line_worker *w, u64 mask, const struct sample *sm, const struct sample_ctx *at,
		   struct strbuf *out);
/* the address of a branch's end as its dso has it, for brstackoff */
u64 line_branch_off(const struct line_worker *w, const struct resolved_frame *f);
/* the field callindent of a branch that was made of a trace; mask: the fields of its line */
void line_callindent(struct line_worker *w, u64 mask, const struct sample *sm, const struct sample_ctx *at,
		     struct strbuf *out);
void callindent_free(struct callindent *c);
void line_data_src(struct line_worker *w, u64 data_src, struct strbuf *out);
/* why the chain of a sample ends, as a stack_end_key() */
u64 line_stack_end(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at);
/* the fields of mask that are plain numbers and stand there */
enum line_where { BEFORE_IP, BEHIND_IP };
void line_numbers(u64 mask, enum line_where where, const struct sample *sm, struct strbuf *out);
/* what a branch was; the payload of a packet of a trace; instructions per cycle */
void line_flags(const struct sample *sm, struct strbuf *out);
void line_synth(const struct sample *sm, struct strbuf *out);
void line_ipc(const struct sample *sm, struct strbuf *out);
void line_bpf_output(const struct sample *sm, struct strbuf *out);
void line_trace(struct line_worker *w, const struct event *ev, const struct sample *sm, struct strbuf *out);
/* the recorded format of a tracepoint, for w->trace; NULL where there is none, which is counted */
const struct tracefmt_event *line_trace_event(struct line_worker *w, const struct event *ev);
/* bytes of the instruction at the address; frees more's memory with the worker */
struct line_more *line_more_of(struct line_worker *w);
/* the instruction at the address of a sample; fields: bits of INSN and INSNLEN, or of DISASM */
void line_insn(struct line_worker *w, u64 fields, const struct sample *sm, const struct sample_ctx *at,
	       struct strbuf *out);
/* the source line of the sample's address where it is another than the last one of the task */
void line_srccode(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at,
		  struct strbuf *out);

/* makes sc->view of its options and events, and what else follows from them */
void script_plan_views(struct script *sc);

#endif
