/*
 * Names: the distinct frames (dso, address) of a report and, once symbols are loaded, their names. Frames are
 * u32 ids. Filled by the merge after counting, named once by names_resolve(), const afterwards.
 */
#ifndef PERF_RESOLVE_NAMES_H
#define PERF_RESOLVE_NAMES_H

#include "../base/strtab.h"
#include "../base/vec.h"
#include "frames.h"

struct machine;
struct pool;
struct session;
struct symbols;

/* one named thing: a symbol, or a frame without symbol */
struct named {
	u32 dso;
	u32 sym;		/* position in the dso's table; ID_NONE for an address without symbol */
	u32 frame;		/* one of its frames */
	/*
	 * demangled; NULL for an address without symbol. "name (inlined)" for a function that was
	 * inlined into sym
	 */
	const char *name;
};

/* how fast a function's code ran, from branch stacks */
struct named_ipc {
	u64 cycles, insns;	/* of the code whose cycles are known; 0: of none */
	u32 covered, all;	/* distinct instructions with samples, and all of the function */
};

struct worker_arena {
	struct arena arena;
} CACHE_ALIGNED;

struct names {
	const struct machine *machine;
	struct symbols *symbols;
	struct pool *pool;
	struct { VEC(struct frame); } frame;
	u32 *named_of;		/* frame -> named; valid after names_resolve() */
	struct { VEC(struct named); } named;
	/*
	 * frame -> its inlined functions in inl[], which are frames, too, outermost first; NULL: not wanted
	 */
	u32 *inl_start;
	struct { VEC(u32); } inl;
	u32 nr_plain;		/* frames from this number on are inlined functions */
	struct inline_finder *inline_finder;	/* while names_inlines() has not run */
	struct lines *lines;	/* of the frames; NULL: not wanted */
	struct named_ipc *ipc;	/* by name; NULL: not known */
	struct data_types *types;	/* what instructions access; NULL: not wanted */
	bool full_path;		/* source files with their directories */
	bool join_unnamed;	/* addresses of a dso without a symbol are one name */
	bool only_hits;		/* nothing but names is wanted: symbols without frames are forgotten */
	u32 *dso_text;		/* by dso: its name in texts plus one, or 0; frames without a dso are last */
	struct strtab texts;	/* keys that are texts: equal names are one entry, from whatever dso */
	struct arena arena;
	struct worker_arena *worker_arena;	/* nr_arenas arenas with texts that workers made */
	u32 nr_arenas;
};

/* empty; the machine, symbols and pool are the session's */
void names_init(struct names *n, const struct session *s);
/*
 * loads the tables of all dsos that contain frames and names all frames; inlines: names_inlines() will be
 * called later
 */
void names_resolve(struct names *n, const struct session *s, bool symbols, bool inlines);
/*
 * after names_resolve(): makes the lowest of the frames of a name represent it, whichever was found first;
 * used when its address is shown
 */
void names_take_lowest(struct names *n);
/*
 * after names_resolve(): adds the functions that were inlined at frames, as far as debug information knows
 * them
 */
void names_inlines(struct names *n);
/* how deep a frame is in its address's inlined functions: 1 the outermost of them, 0 the function itself */
u32 names_inline_depth(const struct names *n, u32 frame);
/* after names_resolve(): finds the source lines of all frames, for the fields that show them */
void names_lines(struct names *n);
/* after names_resolve(): makes types of data known to the fields that show them */
void names_types(struct names *n, const struct session *s);
void names_release(struct names *n);

#endif
