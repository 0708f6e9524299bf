/*
 * Places: addresses of branches as a timeline of calls sees them: the function, whether it begins there, and
 * the functions that are inlined there. Each is looked up and named once; the table belongs to one thread.
 */
#ifndef PERF_CALLS_PLACES_H
#define PERF_CALLS_PLACES_H

#include "../base/strtab.h"
#include "../resolve/named-frames.h"
#include "../sym/lines.h"

struct call_place {
	u32 fn;			/* number of the function, the same of its parts F and F.cold */
	u32 label;		/* its name, in labels */
	u32 first, nr;		/* in inlined: what is inlined there, the outermost first */
	bool known;		/* the other members are set */
	bool named;		/* it has a symbol; code of a file without symbols is one function */
	bool starts;		/* the function begins there */
	bool stub;		/* of a procedure linkage table */
	bool kernel;
};

struct call_places {
	const struct session *session;
	struct named_frames names;
	struct lines *lines;	/* NULL: inlined functions are not looked for */
	struct strtab fns;
	struct strtab *labels;	/* the caller's */
	struct { VEC(struct call_place); } place;	/* by named frame */
	struct { VEC(u32); } inlined;			/* labels */
	struct strbuf text;
};

void call_places_init(struct call_places *p, const struct session *s, struct strtab *labels, bool inlines);
void call_places_release(struct call_places *p);
/* the place of an address of a task; a copy, because the table grows */
struct call_place call_places_find(struct call_places *p, struct locator *l, const struct sample_ctx *ctx,
				   u64 ip);

#endif
