/*
 * Wall-slots: switches as sums: perf record --wall=slots:TIME. The BPF programs add up turns of threads that
 * are alike (bpf/wall-turns.bpf.h); the recorder runs the state machine of wall/wall.h on the rest of what
 * they tell (wall-switches.h), and adds up the slices of each thread that begin in one slot of time and agree
 * in state, stack, wait and waker. A sum becomes a sample of the event "wall-slot": how long, in which slot,
 * for what. A slice as long as a slot is a sample of its own with its exact time. So the file has at most a
 * sample per slot and different wait of a thread, however often threads switch; in which order they waited
 * within a slot, and how often one woke another, is gone.
 */
#ifndef PERF_RECORD_WALL_SLOTS_H
#define PERF_RECORD_WALL_SLOTS_H

#include "../base/strbuf.h"
#include "../bpf/wall-switches-types.h"
#include "wall-switches.h"

#define WALL_SLOT_NAME "wall-slot"
#define WALL_SLOT_MIN_NS 1000000ull
#define WALL_SLOT_MAX_NS 10000000000ull

#define WALL_SLOT_BY_INTERRUPT 1u	/* an interrupt woke it */
#define WALL_SLOT_HAS_WAKER 2u		/* waker_tid is known */
#define WALL_SLOT_BY_END 4u		/* the waker was ending */

/* raw data of the samples, in the recorder's byte order; a struct wall_file_raw may follow */
struct wall_slot_raw {
	u32 state;		/* enum wall_state; idle waits are blocked */
	u32 letter;		/* how the thread waits, as in struct wall_switch_raw; 0: it does not */
	u32 flags;
	s32 waker_tid;
	u32 nr;			/* slices in the sum */
	u32 begin[2], ns[2];	/* of the first slice; of all of them; low halves first */
	u32 arg[2];		/* of the system call in progress */
	u32 slot_us, unused;	/* length of slots */
};

struct wall_slots;
/* start: CLOCK_MONOTONIC, ns */
struct wall_slots *wall_slots_new(u64 slot_ns, u64 start);
/* one switch, copied, with its frames, which are at ip; file: NULL if it has none */
void wall_slots_add(struct wall_slots *w, const struct wall_switch *s, const u64 *ip,
		    const struct wall_switch_raw *raw, const struct wall_file_raw *file);
/* the stack and file (NULL: none) of turns with that hash */
void wall_slots_add_stack(struct wall_slots *w, u64 hash, const struct wall_switch *s, const u64 *ip,
			  const struct wall_file_raw *file);
/* turns of a thread, copied; letter: how it waited. With an unknown hash, their waits have no stack */
void wall_slots_add_turns(struct wall_slots *w, const struct wall_turns *t, char letter);
/*
 * There are too many stacks of turns. wall_slots_forget() forgets those that were not used since its last
 * call, but for what `keep` lists: stacks that the programs will use without telling them again
 */
bool wall_slots_is_full(const struct wall_slots *w);
void wall_slots_forget(struct wall_slots *w, const u64 *keep, size_t nr);
/* some were lost */
void wall_slots_lost(struct wall_slots *w);
/*
 * appends samples, with that id and the time `until`, of the slots that are over; all switches until then
 * have been added. last: of all slots
 */
void wall_slots_put(struct wall_slots *w, u64 until, bool last, u64 id, struct strbuf *out);
void wall_slots_free(struct wall_slots *w);

#endif
