/* Task tree: the tasks of a machine at its end, as a tree by who has forked whom. */
#ifndef PERF_MACHINE_TASK_TREE_H
#define PERF_MACHINE_TASK_TREE_H

#include "../base/vec.h"
#include "machine.h"

struct task_line {
	const struct thread *thread;
	u32 depth;		/* 0: the idle task */
};

struct task_tree {
	VEC(struct task_line);
};

/*
 * The last life of each tid; with_maps: also of tasks that only records of maps mention. The caller releases
 * the vector
 */
struct task_tree task_tree_make(const struct machine *m, bool with_maps);

#endif
