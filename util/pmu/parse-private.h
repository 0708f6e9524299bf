/* The state and parts of the event-string parser, for util/pmu/parse-*.c only. */
#ifndef PERF_PMU_PARSE_PRIVATE_H
#define PERF_PMU_PARSE_PRIVATE_H

#include "parse-events.h"
#include "names.h"
#include "pmu.h"
#include "../base/strbuf.h"
#include "../count/hwmon.h"
#include "event-table.h"

/* a part of the string */
struct span {
	const char *s;
	size_t len;
};

/* term ratio-to-prev=RATIO */
struct ratio {
	struct event *ev;
	struct span where;
	double value;
};

struct parser {
	const char *str;	/* the whole string */
	const char *p;		/* the current position */
	struct evset *set;
	const struct parse_events_opts *opts;
	struct pmus pmus;	/* sysfs, read when first needed */
	struct hwmon_list hwmon;
	bool hwmon_scanned;
	struct table_source own_tables;	/* used if opts has none */
	bool tables_used;		/* pmus contains the table's events, too, or there are none */
	struct err table_err;		/* why the table could not be read */
	struct { VEC(struct ratio); } ratio;	/* terms ratio-to-prev, applied when the group is complete */
	struct err *err;
};

/*
 * parse-cache.c: takes what the parser knows about the machine from the options' cache, and returns or
 * releases it
 */
void parse_cache_take(struct parser *ps);
void parse_cache_give(struct parser *ps);

/* modifiers after an event or a group */
struct modifiers {
	bool user, kernel, hv, idle, guest, host;
	u32 precise;
	bool precise_max, sample_read, pinned, weak, exclusive, bpf, keep_group, retire_lat;
	struct span text;
};

/* one term between slashes: name or name=value */
struct term {
	struct span name, value;
	bool has_value;
};
struct terms {
	VEC(struct term);
};

/* message with a caret under word; always returns code (negative) */
int parse_err(struct parser *ps, int code, struct span word, const char *fmt, ...) PRINTF_LIKE(4, 5);
static inline bool span_is(struct span s, const char *word)
{
	return strlen(word) == s.len && !memcmp(s.s, word, s.len);
}
static inline bool span_begins(struct span s, const char *prefix)
{
	return s.len >= strlen(prefix) && !memcmp(s.s, prefix, strlen(prefix));
}
/* a copy in the set's arena */
static inline char *span_dup(struct parser *ps, struct span s)
{
	return arena_strndup(&ps->set->arena, s.s, s.len);
}
/* an unsigned number in any base that fills the span */
int span_u64(struct span s, u64 *ret);

/* parse-modifiers.c */
bool modifiers_valid(struct span s);
int modifiers_parse(struct parser *ps, struct span s, struct modifiers *ret);
void modifiers_apply(struct event *ev, const struct modifiers *m, bool is_leader);

/* parse-terms.c: from after the opening slash to after the closing one */
int terms_parse(struct parser *ps, struct terms *ret);
/*
 * generic terms (period, name, call-graph, ...) set fields of the event; the others belong to the PMU. pmu
 * may be NULL
 */
int terms_apply(struct parser *ps, struct event *ev, const struct terms *terms, struct pmu *pmu,
		struct span whole);

/* generic-terms.c: the terms that any event accepts */
#define TERM_PMU	(1u << 0)	/* makes no sense for the kernel's generic events */
#define TERM_ENCODES	(1u << 1)	/* part of an event's definition: sysfs and tables contain it, too */
#define TERM_SAMPLING	(1u << 2)
struct term_row {
	const char *name;
	enum { VALUE_NUM, VALUE_STR } value;
	u32 flags;
	int (*set)(struct parser *ps, struct event *ev, const struct term *t, u64 v);
	const char *excludes;	/* the term that means the opposite, or NULL */
};
/* the row at i, in the order in which they are listed; NULL after the last one */
const struct term_row *term_row_at(size_t i);
const struct term_row *term_row_find(struct span name);
/* applies the i-th term, of this row, after checking its value and the terms before it */
int term_row_apply(struct parser *ps, struct event *ev, const struct term_row *row, const struct terms *terms,
		   size_t i);
/* " of 64 bits" if that is why digits are not a number, else "" */
const char *span_of_64_bits(struct span s);

/* adds an event with an empty name: the grammar fills in what was typed */
struct event *parse_add_event(struct parser *ps, u32 type, u64 config);

/* parse-tools.c: events that perf reads itself. 1: not one of them */
int parse_tool_name(struct parser *ps, struct span word, const struct terms *terms, struct span whole);
int parse_tool_pmu_event(struct parser *ps, struct span word, const struct terms *terms, struct span whole);
bool is_tool_name(struct parser *ps, struct span word);
void nearest_offer_tools(struct parser *ps, struct nearest *n);

/* parse-vendor.c: names of event tables and of libpfm4, tried last */
/* reads the table into ps->pmus; true if that added names, which happens at most once */
bool parse_use_tables(struct parser *ps);
/* a name of the table, as parse_name(); 1: it is not one */
int parse_table_name(struct parser *ps, struct span word, const struct terms *terms, struct span whole);
/*
 * from start to the end of the event: a name with its unit masks and modifiers, as in libpfm4. 1: it is not
 * one
 */
int parse_pfm_name(struct parser *ps, const char *start);

/*
 * parse-groups.c: the events from `from` on are a group: sorts them into one group per PMU and applies the
 * terms that need the whole group
 */
int group_finish(struct parser *ps, u32 from);
/* checks ratios of events that are in no group */
int ratios_outside(struct parser *ps);
/* removes events for which term cpu= left no CPU; -EINVAL if that removes all of them */
int drop_without_cpus(struct parser *ps, u32 from, struct span word);

/* parse-driver-terms.c: @SINK of a tracing PMU */
int apply_sink(struct parser *ps, struct event *ev, const struct pmu *pmu, struct span name);
/*
 * The location of a probe: func=NAME[,offset=N] or addr=N for kprobe, path='FILE',offset=N for uprobe. The
 * kernel takes names as pointers in config1 (kprobe_func, uprobe_path of <linux/perf_event.h>). 1: it is
 * another term
 */
int apply_probe_term(struct parser *ps, struct event *ev, const struct pmu *pmu, const struct term *t);

/* parse-breakpoint.c: from after "mem" */
int parse_breakpoint(struct parser *ps);

/* parse-sources.c: the kinds of events. Each adds one or more events for word, or fails with a message */
int parse_tracepoint(struct parser *ps, struct span sys, struct span name);
/* a hardware, software, cache or raw name, or an alias in sysfs; 1: it is not one */
int parse_name(struct parser *ps, struct span word, const struct terms *terms, struct span whole);
int parse_pmu_event(struct parser *ps, struct span word, const struct terms *terms, struct span whole);
/* an alias in sysfs, and in the table once it is used; 1: it is not one */
int parse_alias(struct parser *ps, struct span word, const struct terms *terms, struct span whole);
bool is_alias(struct parser *ps, struct span word);
bool is_event_name(struct parser *ps, struct span word);
int parse_err_unknown(struct parser *ps, struct span word);

#endif
