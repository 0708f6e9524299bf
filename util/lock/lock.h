/*
 * Lock: who waits for which lock, and for how long: kernel locks by their contention events (contention.h) or
 * by lockdep's events (lockdep.h), locks of programs by futex calls (futex.h). Each is filled by
 * tracing_run() and then turned into a view. This header has what they share. Nothing here prints.
 */
#ifndef PERF_LOCK_LOCK_H
#define PERF_LOCK_LOCK_H

#include "../base/hash.h"
#include "../bpf/kernel-waits-types.h"
#include "../tracing/tracing.h"
#include "../view/rows.h"

/* waits added up, in nanoseconds */
struct lock_times {
	u64 nr, total, max, min;
};

static inline void lock_times_add(struct lock_times *t, u64 ns)
{
	t->min = t->nr ? MIN(t->min, ns) : ns;
	t->max = MAX(t->max, ns);
	t->total += ns;
	t->nr++;
}

/* events that do not fit together, because some were lost or the recording began or ended between them */
struct lock_losses {
	u64 nr_unfinished;	/* waits whose end was not recorded: not counted as waits */
	u64 nr_unstarted;	/* ends without a beginning */
	u64 nr_no_room;		/* waits that found no room in the tables of BPF programs */
};
/* lines about them and about lost events, only where there are some; of values all numbers */
void lock_add_losses(struct view *v, const struct lock_losses *l, const struct session *s, u32 form);

/* ---- kinds of kernel locks ---- */

/* "rwsem:R" of the flags of a contention event (enum lock_flag); without_side: "rwsem"; "unknown" */
const char *lock_type_name(u32 flags, bool without_side);
/* a set of kinds: a bit each */
struct lock_types {
	u32 wanted;		/* 0: all */
};
/* "mutex,rwlock:R": 0, or -EINVAL with err, which lists the words */
int lock_types_parse(struct lock_types *t, const char *words, struct err *err);
bool lock_types_has(const struct lock_types *t, u32 flags);
/* bit f: locks with flags f, below 64, are wanted; 0: all */
u64 lock_types_flags(const struct lock_types *t);

/* ---- views ---- */

/* an answer of perf lock about a session: its name and facts, no tables yet */
struct view *lock_view_new(const struct session *s);

/* "500 ns", "1.25 us", "3.00 s" */
void lock_format_ns(u64 ns, struct strbuf *out);
extern const struct view_look lock_look;
/* a name from data, safe to print, in the arena */
const char *lock_safe(struct arena *arena, const char *name);
/* the next word of a list with commas or blanks, its length in *ret_len; NULL at the end */
const char *lock_next_word(const char **list, size_t *ret_len);

#define LOCK_MAX_FIELDS 24u
/* all columns of a table: what the row is of, values that -F chooses from, more of what the row is of */
struct lock_fields {
	const struct view_field *field;
	u32 nr_head, nr_values, nr_tail;
	u32 by_default;		/* bits of the values that are shown without -F */
};
struct lock_columns {
	struct view_field field[LOCK_MAX_FIELDS];
	u32 nr;
};
/*
 * The columns of a table with the values that -F lists (NULL: those by default), or all; values always have
 * the first sort key. -EINVAL with err for a wrong or repeated word
 */
int lock_columns_choose(struct lock_columns *c, const struct lock_fields *f, const char *words, bool all,
			const struct view_sort *sort, struct err *err);
/* "a,b": sort keys among the values */
int lock_sort_parse(struct view_sort *sort, const struct lock_fields *f, const char *keys, struct err *err);

#endif
