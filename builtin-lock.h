/* The struct that perf lock's options fill; its two halves: files and live systems. */
#ifndef PERF_BUILTIN_LOCK_H
#define PERF_BUILTIN_LOCK_H

#include "util/lock/contention.h"
#include "util/lock/futex.h"

enum lock_word { LOCK_RECORD = 1, LOCK_REPORT = 2, LOCK_SCRIPT = 4, LOCK_INFO = 8, LOCK_CONTENTION = 16 };

struct lock_cmd {
	enum lock_word word;
	struct session_opts session;
	struct tracing_opts tracing;
	struct contention_opts contention;
	const char *const *argv;	/* a command that is observed; or NULL */
	const char *output, *key, *fields, *cpus;
	u64 entries, ring_pages;
	unsigned int max_stack;
	char separator;
	bool json, quiet, dump, user, threads, map, combine, by_lock, by_owner, by_cgroup;
	bool skip_given;
	bool live, bpf, all_cpus;	/* live: what runs now, by rings or (bpf) by BPF programs */
};

/* contention of what runs now; the exit status */
int lock_live(struct lock_cmd *c);

/* for both: options of the analyses, rows for tracing, what is printed at the end */
int lock_contention_opts(struct lock_cmd *c, struct err *err);
int lock_futex_opts(const struct lock_cmd *c, struct futex_opts *o, struct err *err);
void lock_set_rows(struct lock_cmd *c, const struct tracing_row *row, u32 nr, void *ctx, const char *record);
u32 lock_form(const struct lock_cmd *c);
int lock_show(struct lock_cmd *c, struct view *v, const struct session *s, struct err *err);

#endif
