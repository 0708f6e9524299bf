/*
 * Stacks: samples added up by stack and labels, for formats that other programs read. Memory grows with
 * distinct stacks, not with samples. It is filled by whoever counts, piece by piece and from several profiles
 * if wanted; stacks_finish() brings all tables into an order that depends on their content alone, so equal
 * samples give equal tables, whatever the order in which they were added. Const afterwards. Strings are
 * copied; all ids are positions in the tables.
 */
#ifndef PERF_VIEW_STACKS_H
#define PERF_VIEW_STACKS_H

#include "../base/blocks.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "../base/strtab.h"
#include "../base/vec.h"

#define STACKS_NONE UINT32_MAX

/* what frames stand for */
enum stacks_by { STACKS_FUNCTIONS, STACKS_LINES, STACKS_ADDRESSES };

/* the numbers that a stack has; VALUE_USUAL: what a format with one number shows unless another is chosen */
enum stacks_value { VALUE_USUAL, VALUE_PERIOD, VALUE_SAMPLES, VALUE_WEIGHT, NR_STACKS_VALUES };

struct stacks_event {
	const char *name;	/* "cycles" */
	const char *unit;	/* of periods: "count", "nanoseconds" */
	u64 period;		/* of each sample; 0: they differ, or it is not known */
	u64 freq;		/* samples in a second that were asked for; 0: the same */
	bool weights;		/* samples have weights, such as the latency of a memory access */
	bool waits;		/* periods are time that a thread may have waited */
	bool no_chains;		/* stacks are the sampled function alone */
};

/* a program, library or kernel; texts are ids */
struct stacks_module {
	u32 name;		/* "libc.so.6" */
	u32 path;		/* as recorded */
	u32 buildid;		/* hex digits, "" unknown */
	u32 kernel;		/* true or false */
};

/* a place in code; texts are ids, of which 0 is "" */
struct stacks_frame {
	u64 address;		/* in its module, as linked; 0 with STACKS_FUNCTIONS */
	u64 offset;		/* from the start of its function, with STACKS_LINES and STACKS_ADDRESSES */
	u32 function;		/* 0: not known */
	u32 module;		/* or STACKS_NONE */
	u32 file, line;		/* 0: not known */
	u32 inlined;		/* its caller is the function into which the compiler has put its code */
	u32 mark;		/* not code: its name says why callers are missing */
};

/*
 * stacks as a tree from the outermost caller on; parents have smaller ids. Node 0 is the root, without frame
 */
struct stacks_node {
	u32 parent, frame;
};

struct stacks_label {
	u32 key, value;		/* texts */
};
struct stacks_labels {
	u32 first, nr;		/* in label[] */
};

/* samples of one event with equal stacks and labels, ordered by node, labels, event */
struct stack {
	u32 node, labels, event;
	u64 nr, period, weight;	/* weight: 0 unless the event has weights */
};

#define STACKS_NO_CPU UINT32_MAX

/* a sample, for formats that have times */
struct stacks_sample {
	u64 time, period;	/* nanoseconds of the recording's clock */
	u32 stack;
	u32 cpu;		/* or STACKS_NO_CPU */
};

struct stacks {
	enum stacks_by by;
	enum stacks_value value;	/* for formats that show one; set after stacks_init() */
	struct { VEC(struct stacks_event); } event;
	struct { VEC(const char *); } text;
	struct { VEC(struct stacks_module); } module;
	struct { VEC(struct stacks_frame); } frame;
	struct { VEC(struct stacks_node); } node;
	struct { VEC(struct stacks_label); } label;
	struct { VEC(struct stacks_labels); } labels;
	struct { VEC(struct stack); } stack;
	/* only if they were asked for: ordered by event and labels of their stacks, then by time */
	struct { BLOCKS(struct stacks_sample); } sample;
	struct { VEC(struct stacks_label); } constant;	/* labels that all stacks have */
	struct { VEC(u32); } comment;	/* texts: what was recorded, and how */
	u64 time_ns, duration_ns;	/* since 1970; 0: not known */
	/* texts: host, its release, its boot; "": not known, or profiles differ */
	u32 machine, kernel, boot;
	u32 nr_profiles;		/* from which it was made */
	u64 added;			/* by stacks_add(): equal ones, too */
	bool carried;			/* see stacks_settle() */
	struct { VEC(u32); } new_frames;	/* only then: added since it was settled before, in order */
	/* private, until stacks_finish() */
	struct strtab strings;
	struct hidx by_module, by_frame, by_node, by_labels, by_stack;
	struct stacks_order *order;	/* see stacks-carried.c */
	struct stacks_seen *seen;	/* see stacks-seen.h */
};

void stacks_init(struct stacks *s, enum stacks_by by);
void stacks_release(struct stacks *s);

u32 stacks_add_text(struct stacks *s, const char *text);
/* the same for len bytes, none of which is NUL */
u32 stacks_add_bytes(struct stacks *s, const char *text, size_t len);
/*
 * The event of that name, whose samples of several profiles are added up. -EINVAL with err if it has another
 * unit in an earlier profile
 */
int stacks_add_event(struct stacks *s, const struct stacks_event *e, u32 *ret, struct err *err);
u32 stacks_add_module(struct stacks *s, const struct stacks_module *m);
u32 stacks_add_frame(struct stacks *s, const struct stacks_frame *f);
u32 stacks_add_child(struct stacks *s, u32 parent, u32 frame);
u32 stacks_add_labels(struct stacks *s, const struct stacks_label *label, u32 nr);
/* adds it to an equal one; its number */
u32 stacks_add(struct stacks *s, const struct stack *k);
void stacks_finish(struct stacks *s);
/*
 * For one profile after another: stacks_next() begins a profile, stacks_settle() ends it instead of
 * stacks_finish(). Stacks are then in the same order, but all that profiles have in common keeps its number:
 * texts, modules, frames, nodes and sets of labels, also if only an earlier profile has them
 */
void stacks_next(struct stacks *s);
void stacks_settle(struct stacks *s);

static inline const char *stacks_text(const struct stacks *s, u32 id)
{
	return s->text.v[id];
}

/* whether stacks of the event have such a number */
bool stacks_has_value(const struct stacks_event *e, enum stacks_value v);
u64 stack_value(const struct stack *k, enum stacks_value v);
/* "cycles" (periods, and what is usual), "cycles-samples", "cycles-weight", and what it is counted in */
void stacks_add_value_name(const struct stacks_event *e, enum stacks_value v, struct strbuf *out);
const char *stacks_value_unit(const struct stacks_event *e, enum stacks_value v);

/* the frames of a stack, innermost first */
struct stacks_path { VEC(u32); };
void stacks_path(const struct stacks *s, u32 node, struct stacks_path *ret);
/* what people call a frame: its function, "[libc.so.6]", "[unknown]"; the result may be in scratch */
const char *stacks_frame_name(const struct stacks *s, const struct stacks_frame *f, struct strbuf *scratch);

#endif
