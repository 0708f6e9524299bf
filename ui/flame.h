/*
 * Flame: what formats of flame graphs share: the call graphs of all rows of a table merged into one tree by
 * names, from the outermost caller on. A row adds its keys (the columns after its period) as the first
 * frames, so a table without call graphs gives a graph, too. Owns its nodes; names are interned.
 */
#ifndef PERF_UI_FLAME_H
#define PERF_UI_FLAME_H

#include "../util/base/strtab.h"
#include "../util/view/slots.h"
#include "../util/view/view.h"

#define FLAME_MAX_NODES 100000u		/* of all graphs of a page: below 4 MB without names */
#define FLAME_MAX_TEXT (3u << 20)	/* of their names, in bytes */
#define FLAME_NONE UINT32_MAX

struct flame_node {
	u32 name, module;	/* ids of texts; module 0: unknown */
	u32 parent;
	u32 depth;		/* of the root: 0 */
	bool kernel;
	u8 tint;		/* position in the table's tints plus one; 0: none */
	u64 total, self;
	u64 total_before, self_before;	/* in the earlier profile */
};

/* what a node is itself, and after pruning what was left out below it, by time */
struct flame_slot {
	u32 node, slot;
	u16 cpu, thread;	/* lanes, or VIEW_NO_LANE */
	u64 period;
	u32 length, nr;			/* of spans, as all that follows (struct view_slot) */
	s32 other;
	u8 state, detail;
	bool window;			/* a sum of short spans */
};
#define FLAME_MAX_SLOTS 400000u		/* of all graphs: below 10 MB with periods of ten digits */
#define FLAME_LEAST_ROWS 4u
#define FLAME_MAX_SPANS 350000u		/* of all graphs: below 12 MB with 35 bytes each */

struct flame {
	struct strtab text;
	struct { VEC(struct flame_node); } node;	/* parents first; 0: the root */
	struct { VEC(struct flame_slot); } slot;	/* of tables with a time */
	u32 slot_rows;		/* of a column: flame_fit_slots() makes it less than the table's */
	bool no_lanes;		/* flame_fit_slots() dropped them */
	u32 grain;		/* ticks: spans shorter than this were added up; 0: none */
	/*
	 * And small sums of a window are part of their callers'. Then all spans by node and state are here,
	 * unless there are too many
	 */
	bool folded;
	struct { VEC(struct flame_slot); } whole;
	/*
	 * with a grain, states of these short spans for a picture: cells of a lane, which divide the time
	 * equally; each has its shares in tenths, FLAME_STATES of them. NULL: there are none
	 */
	u8 *cell;
	u32 nr_cells, nr_lanes;	/* of each lane; lanes */
	const struct view_tints *tints;	/* of the table; NULL: none */
	struct hidx idx;
	bool compared;		/* with an earlier profile */
	u64 min;		/* nodes with less were left out by flame_prune(); 0: none */
	u64 nr_pruned;
	u32 depth;		/* the largest one */
};

/* a graph with its root alone, to which paths are added */
void flame_begin(struct flame *f);
/* the child of a node with that name and module ("": unknown); it is added if it is new */
u32 flame_child(struct flame *f, u32 parent, const char *name, const char *module);
/* also of the table that it is compared with. False where the table does not have a column "period" */
bool flame_make(struct flame *f, const struct view_table *t);
/*
 * Sorts nodes so that each is followed by its children, by name, and leaves out the smallest of them until at
 * most max are left, or those below min in both profiles. What was left out below a node is in its total, but
 * not in its self.
 */
void flame_prune(struct flame *f, size_t max, u64 min);
/*
 * Forgets names of nodes that were left out. As long as the others are more than max bytes of a page, the
 * smallest nodes are left out, too. To be called between flame_prune() and flame_fit_slots()
 */
void flame_fit_texts(struct flame *f, size_t max);
/*
 * Sorts and merges slots. As long as there are more than max, a column gets fewer rows. If FLAME_LEAST_ROWS
 * of them are still too many, lanes are dropped; if one row is, too, the smallest nodes are left out, so call
 * it after flame_prune()
 */
void flame_fit_slots(struct flame *f, size_t max);
#define FLAME_STATES 5u
#define FLAME_CELLS 2000000u		/* of all lanes: 4 MB of text, as each has two letters */
#define FLAME_LANE_CELLS 2048u		/* of a lane: more than a screen has pixels */
/*
 * The same for spans: sorts them by lane and time. As long as there are more than max, those of a lane, node
 * and state that are shorter than a grain are added up by windows of that length, and the grain grows. If a
 * lane would have few windows, the smallest sums of each become part of their callers' instead. After
 * flame_prune()
 */
void flame_fit_spans(struct flame *f, size_t max, const struct view_time *t);
void flame_release(struct flame *f);
/* calls add for each path with samples of its own, in any of the profiles; path is the text "a;b;c" */
void flame_paths(const struct flame *f, void (*add)(void *ctx, const char *path, const struct flame_node *n),
		 void *ctx);
/* how much of all that a node is itself grew, as a part of 1: from -1 to 1 */
double flame_growth(const struct flame *f, const struct flame_node *n);

#endif
