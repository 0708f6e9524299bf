/*
 * Target: what is to be observed, as lists of threads and CPUs. Built once from the -p -t -u -a -C
 * --per-thread options; a workload's pid is added when it has been forked.
 */
#ifndef PERF_KERNEL_TARGET_H
#define PERF_KERNEL_TARGET_H

#include "../base/cpulist.h"
#include "../base/err.h"

struct target_opts {
	const char *pids;	/* -p: "1,2" */
	const char *tids;	/* -t */
	const char *user;	/* -u: name or number */
	const char *cpus;	/* -C: "0-3" */
	/* samples are filtered by user (bpf/filter-events): -u then observes whole CPUs */
	bool user_is_filtered;
	bool all_cpus;		/* -a */
	bool per_thread;	/* --per-thread: one event per thread, on whichever CPU it runs */
	bool all_threads;	/* every existing thread, each by itself (stat -a --per-thread) */
	bool has_workload;	/* a command was given */
};

enum target_kind {
	TARGET_TASKS,	/* threads of processes that exist */
	TARGET_WORKLOAD,/* a command that is started */
	TARGET_SYSTEM,	/* every task on the CPUs */
};

struct target {
	enum target_kind kind;
	bool workload_is_timer;		/* a command was given, but only its duration matters */
	bool per_thread;
	bool all_threads;		/* as asked for in the options */
	bool cpu_list;			/* -C was given */
	/* single threads were named (-t): threads that they start are not followed */
	bool by_tid;
	bool by_user;			/* only tasks of user uid are observed in the whole system */
	u32 uid;
	/* each once; -1: all tasks (TARGET_SYSTEM). The single entry of a workload is 0 until it is set */
	struct { VEC(s32); } tids;
	struct { VEC(s32); } pids;	/* the processes of the tids, at the same positions; -1 unknown */
	struct cpulist cpus;		/* CPUs to open on; one -1 for --per-thread: any CPU */
};

/*
 * Resolves the options: threads of each process, processes of the user, online CPUs. Without any target and
 * workload the target is the system. Conflicts are settled as upstream does and reported in notes (one line
 * each): -p wins over -t, -u, -a; -C implies the system unless tasks were named. CPUs of -C that are not
 * online are left out and reported, too. 0 or a negative errno with err (a process that has ended, an unknown
 * user, no CPU of -C online).
 */
struct strbuf;
int target_resolve(struct target *ret, const struct target_opts *o, struct strbuf *notes, struct err *err);
/* sets the forked workload's pid */
void target_set_workload(struct target *t, s32 pid);
void target_release(struct target *t);
static inline bool target_has_tasks(const struct target *t)
{
	return t->kind != TARGET_SYSTEM;
}

/* the CPUs that are online (/sys/devices/system/cpu/online, or those in /proc/stat) */
int cpus_online(struct cpulist *ret, struct err *err);

#endif
