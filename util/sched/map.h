/*
 * Map: which thread each CPU runs after each switch: a column per CPU, a short name per thread, and the whole
 * name where a short one is used first or the thread got another name. Lines go out as they come.
 */
#ifndef PERF_SCHED_MAP_H
#define PERF_SCHED_MAP_H

#include "sched.h"
#include "../view/stream.h"

struct sched_map_opts {
	bool compact;			/* columns for the CPUs that switched so far, in that order */
	bool fuzzy;			/* names need only contain a word of task_names */
	struct id_filter cpus, color_cpus, color_pids;
	const char *const *task_names;	/* other threads are shown as '-'; ends with NULL; NULL: all */
	const char *cpu_color, *pid_color, *no_color;	/* escape sequences, or "" */
	char separator;			/* of separated values; 0: text */
	const struct stream_format *format;	/* NULL: text or separated values */
	int (*write)(void *ctx, const char *text, size_t len);
	void *write_ctx;
};

/* what is known of a task */
struct sched_map_name {
	char text[3];			/* "A0"; "": it has none yet */
	char comm[SCHED_COMM_LEN + 1];	/* that was shown last */
};

struct sched_map {
	struct sched sched;
	const struct sched_map_opts *o;
	struct { VEC(struct sched_map_name); } name;	/* by task */
	struct { VEC(u32); } column;			/* CPUs, in the order of columns */
	struct { VEC(u32); } shown;			/* by CPU: the task that it shows; ID_NONE */
	u32 nr_names;
	bool titles, idle_told;
	struct strbuf out, tmp;
	int ret;
};

extern const struct sched_ops sched_map_ops;		/* ctx: struct sched_map */
int sched_map_end(struct sched_map *m);			/* writes the rest; 0 or what write returned */
void sched_map_release(struct sched_map *m);

#endif
