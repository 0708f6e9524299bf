/*
 * Listing: the source text of a function or a file with the lines that can be probed (perf probe -L). Lines
 * are rows: the command shows them.
 */
#ifndef PERF_PROBE_LISTING_H
#define PERF_PROBE_LISTING_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/vec.h"
#include "source-lines.h"

struct debug_file;
struct strbuf;

/* FUNCTION[@FILE][:FIRST[-LAST|+NUMBER]] or FILE[:FIRST[-LAST|+NUMBER]] */
struct listing_range {
	char *function, *file;	/* NULL: none */
	u32 first, last;	/* relative to a function; last UINT32_MAX: to its end */
	bool has_first;
	char *text;
	struct arena mem;
};

/* 0, or -EINVAL with err, which shows the place of what is wrong; r must be released in both cases */
int listing_range_parse(struct listing_range *r, const char *text, struct err *err);
void listing_range_release(struct listing_range *r);

struct probe_listing_line {
	u32 number;		/* relative to the function, or of the file */
	bool is_probeable;
	const char *text;	/* bytes of the file */
};

struct probe_listing {
	VEC(struct probe_listing_line);
	const char *function;	/* NULL: a range of a file */
	const char *file;	/* where the text was found */
	u32 first;		/* as the header shows it */
	u32 nr_same_name;	/* other functions of that name that are not shown */
	struct source_text text;
	struct arena mem;
};

/*
 * Fills ret, which must be released. 0, or a negative errno with err: -ENOENT no such function, file or
 * source text, or no line of the range has code
 */
int listing_make(struct debug_file *d, const struct listing_range *r, struct probe_listing *ret,
		 struct err *err);
void listing_release(struct probe_listing *l);
/* appends "<func@file:0>" and the lines as users know them */
void listing_text(const struct probe_listing *l, struct strbuf *out);

#endif
