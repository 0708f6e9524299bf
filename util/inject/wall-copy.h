/*
 * Wall-copy: the state of wall-time.c, and how it takes records of a file: switches, wake-ups, samples and
 * side-band go to the state machine (wall-take.c).
 */
#ifndef PERF_INJECT_WALL_COPY_H
#define PERF_INJECT_WALL_COPY_H

#include "inject-private.h"
#include "wall-calls.h"
#include "wall-faults.h"
#include "wall-fields.h"
#include "wall-lanes.h"
#include "wall-ready.h"
#include "wall-samples.h"
#include "wall-slot-sums.h"
#include "wall-stacks.h"
#include "wall-targets.h"
#include "wall-tids.h"
#include "wall-wakers.h"
#include "../tep/tracefmt.h"
#include "../wall/path.h"

struct wall_copy {
	struct wall wall;
	struct wall_summary summary;
	struct tracefmt *formats;
	struct wall_fields *event;	/* by event idx */
	struct resolver resolver;
	struct arena scratch;
	struct wall_samples samples;
	struct wall_ready_how how;
	struct wall_ready_batch *ready[2];	/* by slot of the batch */
	const struct wall_ready *now;		/* of the record that is taken */
	struct wall_path path;		/* with wall_path and wall_lanes */
	struct wall_runs runs;		/* with wall_lanes */
	struct wall_stacks stacks;
	struct wall_targets targets;
	struct wall_wakers wakers;
	struct wall_slot_sums sums;
	bool wants_wakers;
	struct wall_calls calls;	/* with wall_span */
	struct wall_faults faults;	/* before these, if the file tells of page faults */
	struct { VEC(u16); } name_rule;	/* by name of threads, 1 more; 0: not looked up yet */
	struct wall_tids announced;	/* of COMM and FORK records */
	bool at_exec;		/* events were enabled by the exec of a command */
	/*
	 * side-band may begin before switches are recorded; and before its exec, the process of a command
	 * does not run the command
	 */
	bool begun;
	struct { s32 tid; u32 cpu; } before;	/* not begun: who got a CPU last and has not left it */
	bool programs_read_args;	/* BPF programs read arguments on such machines */
	bool whole_cpus;		/* all threads of CPUs were recorded, not those of some tasks */
};

/* the record, decoded; c->now is what is ready of it */
void wall_take_sample(struct wall_copy *c, const struct rec *rec, const struct sample *s);
/* of a context switch; the trailer s says whose */
void wall_take_switch_record(struct wall_copy *c, const struct rec *rec, const struct sample *s);
/* time: 0 if the record has none */
void wall_take_side_band(struct wall_copy *c, const struct rec *rec, const struct sample *s, u64 time);

#endif
