/*
 * The walk of an Intel PT trace: packets say where a program went at branches whose direction its code does
 * not say; the code says the rest. What happens on the way is told to pt-emit.c, which makes samples of it.
 * A walk is of one piece, and one worker. Private to the kind intel-pt.
 */
#ifndef PERF_AUX_PT_WALK_H
#define PERF_AUX_PT_WALK_H

#include "aux-private.h"
#include "pt-code.h"
#include "pt-packet.h"
#include "pt-stack.h"
#include "pt-time.h"
#include "../event/insn-flags.h"

enum pt_event {
	PT_EV_INSTRUCTIONS, PT_EV_CYCLES, PT_EV_BRANCHES, PT_EV_TRANSACTIONS, PT_EV_PTWRITE, PT_EV_CBR,
	PT_EV_PSB, PT_EV_MWAIT, PT_EV_PWRE, PT_EV_EXSTOP, PT_EV_PWRX, PT_EV_EVT, PT_EV_IFLAG,
	PT_EV_PEBS,		/* the first of them */
};

enum { PT_PEBS_MAX = AUX_EVENTS_MAX - PT_EV_PEBS };	/* events whose samples are in the trace */

/* how much is decoded: all; packets that have an address; only those after PSB packets */
enum pt_quick { PT_FULL, PT_QUICK, PT_QUICKEST };

enum pt_error {
	PT_ERR_NONE, PT_ERR_NO_CODE, PT_ERR_MISMATCH, PT_ERR_LOOP, PT_ERR_OVERFLOW, PT_ERR_BAD_PACKET
};

/* what the user's options and the words of the recording mean; const while pieces are decoded */
struct pt_setup {
	u64 period;		/* of instructions: their number, or ticks (a power of 2) */
	bool ticks;
	bool steps;		/* instructions are samples, of instructions or cycles */
	bool calls, returns, branches;	/* which branches are samples */
	u64 khz;		/* of the counter */
	enum pt_quick quick;
	bool errors_in_order;	/* errors have the time of the packet before them */
	bool approx;		/* cycles are told wherever the time changed, rather than where it is exact */
	bool tells_irqs;	/* MODE.Exec packets say whether interrupts are enabled */
	bool errors, no_overflow;	/* errors become records, but for overflows */
	bool compresses_returns;
	bool depths;		/* branches have the depth of calls */
	bool keeps_calls;	/* for depths, or frames */
	u32 frames;		/* of call chains, the marker included; 0: none */
	u32 max_steps;		/* blocks in a row that no packet confirms */
	bool mispred_all;	/* last branches are marked as mispredicted */
	u32 last;		/* number of last branches; 0: none */
	u32 nr_pebs, pebs[PT_PEBS_MAX];	/* indices of the events of which PT_EV_PEBS and so on are copies */
	struct pt_time time;	/* as it is at the start of a trace */
	const struct ipt_plugin_ops *second;	/* of a second decoder; else NULL */
};

enum { PT_STACK = 64 };	/* return addresses that the processor keeps */
enum { PT_EVD_MAX = 32 };	/* event data packets of an event: more are left out */

/* what a piece says to those after it */
struct pt_summary {
	u64 insns;
	struct pt_stack calls;
	u32 nr_last;
	struct branch_entry last[ITRACE_FRAMES_MAX];	/* the newest first */
};

/*
 * adds an event named after ev, which recorded the trace (NULL: not known): "branches:u". fields: bits of
 * sample_type besides AUX_SAMPLE_TYPE
 */
void pt_add_event(struct aux *a, const struct event *ev, u32 nr, const char *name, u64 config, u64 period,
		  u64 fields);
/* what second decoders share: the kind's functions of these names, except that pieces are not measured */
int pt_events(struct aux *a, struct err *err);
void *pt_worker_new(const struct aux *a);
void pt_worker_free(void *worker);
/* what happens in the next piece happens to the summary of those before it */
void pt_summary_add(void *before, const void *next);

/* items of a PEBS record */
enum { PT_PEBS_IP, PT_PEBS_COUNTERS, PT_PEBS_TSC, PT_PEBS_ADDR, PT_PEBS_LATENCY };

struct pt_walk {
	const struct aux *a;
	const struct pt_setup *setup;
	const struct aux_piece *piece;
	struct aux_out *out;
	struct pt_code *code;

	struct pt_block *at;	/* the next instruction is its first one; NULL: not known, or not traced */
	u64 at_ip;		/* if at is NULL: the next instruction, whose code is missing; 0: not known */
	u64 last_ip;		/* of the last packet with an address */
	bool is64;
	bool async;		/* an FUP said that something interrupted the program at fup_ip */
	bool overflow;		/* and an FUP will say where it goes on */
	u64 fup_ip;
	/* packets that an FUP will give an address: bits by pt_type, and what some of them said */
	u64 bound, ptwrite;
	bool in_tx, aborted;	/* in a transaction; the FUP says where one was aborted */
	/* a virtual machine is executed, whose code is not read; and from the next address on */
	bool guest, next_guest;
	u64 off;		/* of the packet, in the stream */
	size_t next;		/* where the next packet begins in the piece */
	u8 group;		/* the next packet is inside a group of this kind */
	struct sample_ctx ctx;	/* whose code it is */
	bool rests;		/* other walks may have used the code since */
	u32 rest_drops;		/* how often blocks were dropped before that */

	/* where calls return to, and the block that ended with the call; drops: when that was */
	struct { u64 ip; struct pt_block *call; u32 drops; } stack[PT_STACK];
	u32 top, depth;
	u16 walk;		/* a number of this walk */
	const u32 *drops;
	struct pt_stack *calls;	/* for call chains; NULL: nobody wants them */

	struct pt_time time;
	u64 tsc;		/* of samples: the time of the last packet that was used for a branch */
	u64 insns;		/* executed in this piece */
	s64 left;		/* instructions, or ticks, until the next sample */
	u64 due;		/* ticks at the next sample */
	u64 sampled;		/* insns at the last sample */
	/* cycles up to the last packet that was used; what was told, for instructions and for branches */
	u64 cycles;
	struct { u64 insns, cycles; } told[PT_EV_BRANCHES + 1];
	bool exact;		/* the number of cycles is that of the instruction which is executed now */
	bool fresh;		/* a packet counted cycles, and no branch has used that */
	/* without CYC packets: cycles at the last fresh packet whose first branch was taken, or a sample */
	u64 seen;
	bool counts_after;	/* packets count cycles up to the instructions before them: to this number */
	u64 counted;
	u64 exact_insns;	/* instructions up to one where it is, too: a PSB packet said its address */
	u32 ratio;		/* CBR, as it was told */
	bool emits_branches;	/* as samples, or as last branches of others */
	struct aux_sample branch;	/* of the branch in hand; zeros where branches have nothing */
	bool only_calls;	/* but none except calls and returns */
	struct branch_entry *last;	/* a ring of setup->last branches */
	u32 nr_last, last_at;	/* where the newest one is */
	bool measures;		/* only counts instructions */
	struct aux_history *history;	/* with measures: of samples of other events */
	bool logs;		/* a debug log is written; emits_branches is set, too */

	enum pt_error failed;	/* why nothing is known now; the counter's value since when */
	u64 failed_at;
	bool told_missing;	/* a record says that code is missing after missing_insns instructions */
	u64 missing_insns;
	bool traced;		/* the processor traces the program; since when */
	u64 traced_at;
	u64 timed_insns;	/* insns when the time was said last */

	s32 pid, tid;

	/* what few traces have: after what every packet needs */
	/* a PEBS record: the group that its items are of; bits by PT_PEBS_*, which of them are there */
	u8 pebs_group, pebs_has;
	u64 pebs[5];
	/* the CFE packet that a branch will give its addresses, and data packets of the next CFE */
	bool cfe_waits;
	u16 cfe;
	u8 nr_evd;
	u8 evd_type[PT_EVD_MAX];
	u64 evd[PT_EVD_MAX];
	/* interrupts are disabled; from the next FUP or branch on; this is the instruction (ip) or branch */
	bool irqs_off, next_off;
	enum { PT_SAME, PT_CHANGES, PT_CHANGE_TOLD } change;
	u64 change_ip;
};

/* the TSC packet after the PSB packet at p; 0: there is none */
u64 pt_first_tsc(const u8 *p, size_t len);
/* walks all of a piece */
void pt_walk_piece(struct pt_walk *w);
/*
 * The same in parts: more() continues until enough bytes of records are there, which is true, or to the end
 * of the piece. Between parts, other walks may use the same code
 */
void pt_walk_begin(struct pt_walk *w);
bool pt_walk_more(struct pt_walk *w, size_t enough);

/* ---- pt-emit.c ---- */

/* before the first instruction; after the time changed */
void pt_emit_start(struct pt_walk *w);
void pt_emit_time(struct pt_walk *w);
/* how a block ended; zeros: no packet was needed */
struct pt_end {
	bool packet;		/* a packet decided it, whose time it has */
	bool first;		/* and nothing before it */
	u64 to;			/* where the branch led; 0: to the next instruction, or out of the trace */
	u32 flags;		/* INSN_TRACE_END */
};
/* b was executed, up to the instruction with this number, and its samples are due */
void pt_emit_due(struct pt_walk *w, const struct pt_block *b, u32 nr, const struct pt_end *end);
/* flags of a branch by its kind, with INSN_BRANCH; 0: it is none */
u32 pt_kind_flags(u32 kind);
/* for call chains: b is a call or a return that led to an address; other blocks do nothing */
void pt_keep_call(struct pt_walk *w, const struct pt_block *b, u64 to);
/* a branch was taken; from or to 0: the trace begins, or ends. flags: INSN_*. len: of the instruction */
void pt_emit_branch(struct pt_walk *w, u64 from, u64 to, u32 flags, u32 len);
/* without code: a packet says that the instruction at ip was executed; to, flags: if it branched */
void pt_emit_place(struct pt_walk *w, u64 ip, u64 to, u32 flags);
void pt_emit_transaction(struct pt_walk *w, u64 ip, u64 to, u32 flags);
/* an event at ip: see enum made_event */
void pt_emit_made(struct pt_walk *w, enum pt_event nr, u64 ip, u64 made, bool exact);
/* writes the last branches, the newest first, to ret with room for setup->last; returns their number */
u32 pt_last_branches(const struct pt_walk *w, struct branch_entry *ret);
/* a CFE packet, with its address; to, flags: of the branch, if it has one */
void pt_emit_evt(struct pt_walk *w, u64 ip, u64 to, u32 flags);
/* interrupts are enabled or disabled here, unless that was told before. flags 0: it is not a branch */
void pt_emit_iflag(struct pt_walk *w, u64 ip, u64 to, u32 flags);
static inline void pt_tell_iflag(struct pt_walk *w, u64 ip, u64 to, u32 flags)
{
	if (unlikely(w->change == PT_CHANGES))
		pt_emit_iflag(w, ip, to, flags);
}
/* a CBR packet */
void pt_emit_ratio(struct pt_walk *w, u64 ip);

/* a PEBS record is complete; ip: if the record has none */
void pt_emit_pebs(struct pt_walk *w, u64 ip);
/* samples of other events before this time have the calls and branches that are known now */
void pt_emit_history(struct pt_walk *w, u64 ns);

/* ---- pt-log.c: lines of the debug log, if w->logs ---- */

void pt_log_piece(struct pt_walk *w);
/* off: where the packet is in the stream; p: its len bytes */
void pt_log_packet(struct pt_walk *w, u64 off, const u8 *p, size_t len, const struct pt_packet *pk);
/* the counter has another value */
void pt_log_time(struct pt_walk *w);
/* the first nr instructions of b were executed */
void pt_log_block(struct pt_walk *w, const struct pt_block *b, u32 nr);
void pt_log_error(struct pt_walk *w, const char *text, u64 ip);

/* ---- pt-error.c ---- */

/* at ip, insns instructions after w->insns; nothing is known from there to pt_error_end() */
void pt_error(struct pt_walk *w, enum pt_error e, u64 ip, u64 insns);
void pt_error_end(struct pt_walk *w);
/* whether the program is traced from now on; the time of the trace is added up */
void pt_traced(struct pt_walk *w, bool traced);

/* pt-walk.c: time in ns, and who runs then */
u64 pt_walk_ns(const struct pt_walk *w, u64 tsc);

#endif
