/*
 * Names: the distinct frames (dso, address) of a report and, once symbols are loaded, what each is called. Frames are u32 ids.
 * Filled by the merge after counting, named once by names_resolve(), const afterwards.
 */
#ifndef PERF_RESOLVE_NAMES_H
#define PERF_RESOLVE_NAMES_H

#include "../base/strtab.h"
#include "../base/vec.h"
#include "../session/session.h"
#include "frames.h"

/* one named thing: a symbol, or a frame without one */
struct named {
	u32 dso;
	u32 sym;		/* position in the dso's table, ID_NONE for a bare address */
	u32 frame;		/* a frame of it */
	const char *name;	/* demangled; NULL for a bare address. "name (inlined)" of a function inlined into sym */
};

struct worker_arena {
	struct arena arena;
} CACHE_ALIGNED;

struct names {
	const struct session *session;
	struct { VEC(struct frame); } frame;
	u32 *named_of;		/* frame -> named; valid after names_resolve */
	struct { VEC(struct named); } named;
	u32 *inl_start;		/* frame -> its inlined functions in inl[], which are frames too, outermost first; NULL: not asked */
	struct { VEC(u32); } inl;
	u32 nr_plain;		/* frames behind these are inlined functions */
	struct inline_finder *inline_finder;	/* while names_inlines() is still to come */
	struct lines *lines;	/* of the frames; NULL: not asked */
	bool full_path;		/* source files with their directories */
	u32 *dso_text;		/* by dso: its name in texts plus one, or 0; what lies in none comes last */
	struct strtab texts;	/* keys that are texts: equal names are one entry whatever they came from */
	struct arena arena;
	struct worker_arena *worker_arena;	/* texts that workers made, nr_arenas of them */
	u32 nr_arenas;
};

/* loads the tables of every dso that frames lie in and names all frames; inlines: names_inlines() will follow */
void names_resolve(struct names *n, bool symbols, bool inlines);
/* after names_resolve: of the frames of a name the lowest stands for it, whichever was met first; for where its address is shown */
void names_take_lowest(struct names *n);
/* after names_resolve: adds the functions that were inlined where frames are, as far as debug information tells */
void names_inlines(struct names *n);
/* after names_resolve: source lines of all frames, for the fields that show them */
void names_lines(struct names *n);
void names_release(struct names *n);

#endif
