/*
 * Wall-fields: which events of a recording say when threads ran, slept and were woken, and where in their
 * payloads.
 */
#ifndef PERF_INJECT_WALL_FIELDS_H
#define PERF_INJECT_WALL_FIELDS_H

#include "../session/session.h"
#include "../tep/tracefmt.h"

enum wall_kind {
	KIND_OTHER, KIND_SWITCH, KIND_WAKEUP, KIND_SAMPLE, KIND_BPF, KIND_SLOT, KIND_FAULT,
	KIND_ENTRY, KIND_RETURN,	/* of the function of --span */
	KIND_MARK			/* of a thread that slept when the recording began or ended */
};

/* its stack is that with which a thread left its CPU */
static inline bool wall_kind_leaves(enum wall_kind kind)
{
	return kind == KIND_SWITCH || kind == KIND_BPF || kind == KIND_SLOT;
}

/* what is read of an event's payload; NULL: it lacks the field */
struct wall_fields {
	enum wall_kind kind;
	const struct tracefmt_field *prev, *state, *next;	/* of a switch */
	u32 arg_reg;		/* of a switch: which sampled register has a call's first argument */
	const struct tracefmt_field *pid, *flags;		/* of a wake-up */
	const struct tracefmt_field *sp, *back;	/* of a probe; back: where it returns to */
};

struct wall_file_events {
	struct wall_fields *event;	/* by event idx; zeroed room for all of them */
	struct tracefmt *formats;	/* of the file, or NULL */
	const char *span;		/* a function, or NULL */
	bool has_entries, has_returns;	/* of that function */
	bool at_exec;			/* events were enabled by the exec of a command */
	bool has_records;		/* of threads that get a CPU */
	bool has_tracepoints;		/* of switches */
	bool has_switch_records;
	bool has_faults;		/* addresses of page faults that waited */
	bool has_switches, has_chains, has_wakeups, has_samples;
	bool has_sums;			/* of slots, instead of switches */
};

/* fills it. 0; -EBADMSG or -EINVAL with err: the file does not say when threads ran */
int wall_fields_bind(struct wall_file_events *e, const struct session *s, struct err *err);
/* bytes by which a return moves the stack pointer: where calls push the return address */
u32 wall_popped_bytes(const struct session *s);
/* BPF programs read arguments of system calls on that machine: it is one of these, with 64 bits */
bool wall_programs_read_args(const struct session *s);
/* the first bit of prev_state that is set; without one it can run, but must not if its CPU has no next one */
char wall_letter_of_state(u64 state, u32 next);

#endif
