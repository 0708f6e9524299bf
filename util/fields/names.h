/*
 * Names: the distinct frames (dso, address) of a report and, once symbols are loaded, what each is called. Frames are u32 ids.
 * Filled by the merge after counting, named once by names_resolve(), const afterwards.
 */
#ifndef PERF_FIELDS_NAMES_H
#define PERF_FIELDS_NAMES_H

#include "../base/blocks.h"
#include "../base/hash.h"
#include "../base/strtab.h"
#include "../base/vec.h"
#include "../session/session.h"

struct frame {
	u32 dso;		/* WORLD_NONE: nothing is mapped there */
	u8 cpumode;
	u64 addr;		/* loc.dso_addr; the ip where nothing is mapped */
	u64 ip;			/* an ip it was seen at (the smallest), for frames without a symbol */
};

/* distinct ones, while they are looked for */
struct frames {
	struct { BLOCKS(struct frame); } frame;
	struct hidx idx;
};

/* one named thing: a symbol, or a frame without one */
struct named {
	u32 dso;
	u32 sym;		/* position in the dso's table, WORLD_NONE for a bare address */
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

/* id of the frame, added where it is new */
u32 frames_add(struct frames *f, u32 dso, u8 cpumode, u64 addr, u64 ip);
/* so many will be added to an empty one */
void frames_reserve(struct frames *f, u32 nr);
/* two steps before a frames_add(), both with the hash of the frame: its slot, then itself will be found in the cache */
u64 frame_hash(u32 dso, u64 addr);
void frames_prefetch_slot(const struct frames *f, u64 hash);
void frames_prefetch(const struct frames *f, u64 hash);
/* deals frames out to 1 << bits tasks */
u32 frame_part(u32 dso, u64 addr, u32 bits);
/* moves all frames to ret[] and leaves an empty table */
void frames_move(struct frames *f, struct frame *ret);
void frames_release(struct frames *f);

/* loads the tables of every dso that frames lie in and names all frames; inlines: names_inlines() will follow */
void names_resolve(struct names *n, bool symbols, bool inlines);
/* after names_resolve: of the frames of a name the lowest stands for it, whichever was met first; for where its address is shown */
void names_take_lowest(struct names *n);
/* after names_resolve: adds the functions that were inlined where frames are, as far as debug information tells */
void names_inlines(struct names *n);
/* after names_resolve: source lines of all frames, for the fields that show them */
void names_lines(struct names *n);
void names_release(struct names *n);

/* 'k' kernel, '.' user, 'g' guest kernel, 'u' guest user, 'H' hypervisor */
char frame_level(const struct frame *f);

#endif
