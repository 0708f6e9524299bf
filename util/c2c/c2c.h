/*
 * C2c: accesses to memory by cache line, and within a line by offset and code: which threads pull a line from
 * each other's caches. Filled by tracing_run() from samples with data sources, then turned into tables. It
 * never prints.
 */
#ifndef PERF_C2C_C2C_H
#define PERF_C2C_C2C_H

#include "c2c-stats.h"
#include "../base/cpulist.h"
#include "../data/cpu-nodes.h"
#include "../resolve/names.h"
#include "../tracing/stacks.h"
#include "../view/rows.h"

/* what lines are sorted by, and what their share is a share of */
enum c2c_display { C2C_TOTAL_HITM, C2C_LOCAL_HITM, C2C_REMOTE_HITM, C2C_PEER };
/* how the nodes of accesses are shown */
enum c2c_node_info { C2C_NODES, C2C_NODE_SHARES, C2C_NODE_CPUS };
/* what separates rows of a line beside the offset: bits */
enum c2c_by { C2C_BY_PID = 1, C2C_BY_TID = 2, C2C_BY_CODE = 4, C2C_BY_DSO = 8 };

struct c2c_graph_opts {
	bool hide;			/* no call graphs */
	bool caller;			/* from the outermost caller down */
	bool fractal;			/* thresholds are shares of the caller */
	double min_percent;
};

struct c2c_opts {
	enum c2c_display display;
	bool display_set;		/* else: what suits the processor of the recording */
	const char *by_words;		/* as typed: "pid,iaddr"; NULL: iaddr */
	u32 by;				/* enum c2c_by */
	enum c2c_node_info nodes;
	bool stats_only, show_all, no_source;
	bool pairs;			/* two neighbouring cache lines count as one */
	struct c2c_graph_opts graph;
};

/* "tot", "lcl", "rmt", "peer"; -EINVAL with err */
int c2c_display_parse(struct c2c_opts *o, const char *word, struct err *err);
/* sets by from by_words, or to the default */
int c2c_by_parse(struct c2c_opts *o, struct err *err);

/* the accesses of one CPU to an offset */
struct c2c_cpu {
	u32 cpu;
	u64 hitm[2], peer, stores;	/* hitm: local, remote */
};

/* sums of weights, by what the load found */
enum c2c_cost { C2C_COST_RMT_HITM, C2C_COST_LCL_HITM, C2C_COST_RMT_PEER, C2C_COST_LCL_PEER, C2C_COST_LOAD,
		C2C_NR_COSTS };

/* physical addresses of a line or an offset */
struct c2c_phys {
	u64 last, nr_changes;
	struct cpulist node;
};

struct c2c_line {
	/* where it is: in a file, or in the memory of a process (dso ID_NONE, pid -1: of all of them) */
	u32 dso;
	s32 pid;
	u64 at;
	u64 address;			/* where it was mapped first */
	struct c2c_stats stats;
	struct c2c_phys phys;
	/* filled for views */
	u32 index, nr_rows;
	double share;
	u64 period;			/* of its samples */
	const char *node_text;
};

struct c2c_row {
	u32 line, offset;
	s32 pid, tid;
	u32 frame;			/* id in c2c.frames; of a dso, if rows are only separated by dso */
	u64 ip;
	struct c2c_stats stats;
	struct c2c_phys phys;
	u64 cost[C2C_NR_COSTS], nr_cost[C2C_NR_COSTS];
	struct { VEC(struct c2c_cpu); } cpu;
	u64 period;			/* of its samples */
	u32 first_stack, nr_stacks;	/* of c2c.stack, once they are sorted */
	/* filled for views */
	const struct c2c_line *of;
	const char *comm;		/* of the first sample */
	const char *task, *symbol, *dso, *source, *nodes, *node_text;
};

/* samples of a row with one call chain */
struct c2c_stack {
	u32 row, stack;
	u64 period, nr;
};

struct c2c {
	const struct c2c_opts *o;
	const struct session *session;
	u64 line_size;
	struct c2c_stats total;
	struct { VEC(struct c2c_line); } line;
	struct { VEC(struct c2c_row); } row;
	struct { VEC(struct c2c_stack); } stack;
	struct hidx by_line, by_row, by_stack;
	struct frames frames;
	struct names names;
	struct tracing_stacks stacks;
	bool has_chains;
	struct cpu_nodes nodes;
};

/* by must be parsed; 0, or -ENOENT with err where no event of the file has data sources */
int c2c_init(struct c2c *c, const struct session *s, struct c2c_opts *o, struct err *err);
void c2c_release(struct c2c *c);
/* `other` of struct tracing_opts: takes a sample */
void c2c_sample(void *c2c, const struct tracing_sample *ts);

/* the number by which lines are sorted */
u64 c2c_shown(const struct c2c_opts *o, const struct c2c_stats *s);
/* form: one of VIEW_FORM_*. Sorts and names; the view refers to c */
struct view *c2c_view(struct c2c *c, u32 form);

#endif
