/* For metric.c and metric-*.c alone. */
#ifndef PERF_STAT_METRIC_PRIVATE_H
#define PERF_STAT_METRIC_PRIVATE_H

#include "../base/hash.h"
#include "../pmu/expr.h"
#include "../pmu/parse-events.h"
#include "metric-list.h"
#include "metric-opts.h"
#include "stat-values.h"

/*
 * an event's name in expressions, and the events of the set that it stands for (several PMUs,
 * several kinds of cores)
 */
struct plan_id {
	const char *name;
	struct { VEC(const struct event *); } ev;
	bool usable;		/* this machine should have it */
	/* never in a group of hardware counters: software, tool and tracepoint events */
	bool soft;
	bool free;		/* counted without a general counter, but only beside "slots" */
	const char *why;	/* it is not an event: the parser's words; or NULL */
};
struct plan_ids { VEC(struct plan_id); };

/* a metric's definition, whether it is shown or only another one needs it */
struct plan_metric {
	struct metric_info info;	/* name and expr may be changed for a parameter */
	const struct expr *expr, *threshold;	/* threshold NULL: none */
	double scale;
	const char *unit;
	/* the metrics that must be computed for it, itself the last, then those of its threshold */
	struct { VEC(u32); } order;
	u32 own;			/* how many of order are for the value itself */
	bool done, open;		/* while planning: order is whole; it is being made */
};

/* one that is shown */
struct plan_shown {
	u32 metric;
	u32 group;			/* index into groups; UINT32_MAX: all of its events are in loose */
	/* it is shown on the line of the first that is counted in an aggregate */
	struct { VEC(const struct event *); } anchor;
	bool no_group;			/* its constraint says so */
	bool free;			/* needs no general counter */
	struct { VEC(const char *); } hard, soft;	/* ids it needs */
};

/* what the machine was asked: a literal by its name, a CPU by the pattern */
struct plan_fact {
	const char *name;
	double value;
	bool known;
};
struct plan_facts {
	VEC(struct plan_fact);
	struct arena arena;
};

struct stat_metrics {
	struct arena arena;
	struct metric_list list;
	struct hidx by_name;		/* lower-case name -> position in list */
	/* by position in list: index into metric; UINT32_MAX: not defined yet */
	u32 *metric_of;
	struct { VEC(struct plan_metric); } metric;
	struct { VEC(struct plan_shown); } shown;
	struct { VEC(struct plan_ids); } group;
	struct plan_ids loose;
	struct plan_ids known;		/* every id that was looked at */
	struct plan_facts *facts;	/* grows while metrics are evaluated */
	const struct target *target;
	const struct stat_metrics_opts *opts;	/* while planning */
	struct parse_events_opts parse;		/* while planning */
	struct pmus *pmus;		/* while planning */
	const struct evset *bound;	/* the events were counted already; NULL: they are to be added */
	u32 nr_bound;			/* of the first copy of them */
};

/* metric-machine.c: for struct expr_env; ctx is the struct stat_metrics */
bool metric_literal(const void *ctx, const char *name, double *value);
bool metric_cpuid(const void *ctx, const char *pattern, bool *matches);
/* a literal that was asked for in vain */
bool metric_unknown_fact(const struct stat_metrics *m, const char *name);

/* metric-plan.c */
/* the metric that an id in pm's expressions means; UINT32_MAX: an event, or pm itself */
u32 plan_ref(const struct stat_metrics *m, const struct plan_metric *pm, const char *id);

/* metric-events.c */
#define PLAN_TIME "duration_time"	/* known without any event */
/* what kind of event the id names; valid until the next call */
const struct plan_id *plan_know(struct stat_metrics *m, const char *name);
const struct plan_id *plan_find(const struct plan_ids *ids, const char *name);
/* appends the events of what is shown to set */
int plan_add_events(struct stat_metrics *m, struct evset *set, struct err *err);

/* the same where m->bound has the events */
void plan_bind_events(struct stat_metrics *m);

/* metric-bind.c */
/* adds the events of m->bound that count what this machine knows by the name, or at least have this name */
void plan_bind(const struct stat_metrics *m, struct plan_id *id);
/* what kind of event it is, and why m->bound lacks it */
void plan_bind_know(struct stat_metrics *m, struct plan_id *id);

/* metric-eval.c */
/*
 * where its events begin and end in the set, which had no others after them before it was
 * copied after itself
 */
void plan_extent(const struct stat_metrics *m, const struct evset *set, u32 *first, u32 *end);
/* what is shown beside this event; copy: where the copy of the set begins that it is in */
void plan_show(const struct stat_metrics *m, const struct evset *set, const struct stat_values *v, u32 event,
	       u32 copy, u32 id, struct view_block *b, struct view_line *line);

#endif
