/*
 * Available: the variables that can be fetched at a place (perf probe -V), as rows: the command shows them.
 */
#ifndef PERF_PROBE_AVAILABLE_H
#define PERF_PROBE_AVAILABLE_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/vec.h"

struct debug_file;
struct probe_place;
struct strbuf;

enum available_kind {
	AVAILABLE,		/* it can be fetched */
	AVAILABLE_ELSEWHERE,	/* in scope, but it has no place, or none that a probe can read */
	AVAILABLE_GLOBAL,
};

struct available_range {
	u64 start, end;		/* bytes after the start of the function; end is exclusive */
};

struct available_variable {
	enum available_kind kind;
	const char *type, *name;
	struct { VEC(struct available_range); } range;	/* none: global, or it was optimised out */
};

/* an address of the place */
struct available_at {
	const char *function;	/* of the symbol table; NULL: none */
	u64 function_off, svma;
	struct { VEC(struct available_variable); } var;	/* sorted by type, then name */
};

struct available {
	VEC(struct available_at);
	struct arena mem;
};

struct available_opts {
	bool externs;		/* variables of the file, too */
	bool ranges;		/* also variables that are elsewhere; their ranges are found in any case */
};

/* fills ret, which must be released; 0 or a negative errno with err, as probe_places() */
int available_find(struct debug_file *d, const struct probe_place *place, const char *place_text,
		   const struct available_opts *o, struct available *ret, struct err *err);
/* adds one address, found by other means, to ret, which must have been zeroed */
void available_add(struct debug_file *d, u64 svma, const char *place_text, const struct available_opts *o,
		   struct available *ret);
void available_release(struct available *a);
/* appends "Available variables at PLACE" and the blocks as users know them */
void available_text(const struct available *a, const char *place_text, const struct available_opts *o,
		    struct strbuf *out);

#endif
