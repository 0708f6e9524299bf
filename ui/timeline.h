/*
 * Timeline: ways to show pictures over time (view/timeline.h); a row of formats.def each. All of them write
 * documents that refer to nothing else, and the same bytes for the same timeline.
 */
#ifndef PERF_UI_TIMELINE_H
#define PERF_UI_TIMELINE_H

#include <stdio.h>
#include "../util/base/err.h"
#include "../util/view/timeline.h"

#define TIMELINE_WIDTH 1000u	/* of a picture, in pixels */

struct timeline_opts {
	unsigned int width;	/* SVG; 0: TIMELINE_WIDTH */
};

struct timeline_format {
	const char *name;	/* "svg" */
	const char *ending;	/* of names of files: ".svg"; NULL: none */
	/* 0, or a negative errno of the stream */
	int (*show)(const struct timeline *t, const struct timeline_opts *o, FILE *out);
};

/* NULL: there is none of that name */
const struct timeline_format *timeline_format_find(const char *name);
/* by the name of a file; NULL with err, which tells the endings */
const struct timeline_format *timeline_format_of(const char *path, struct err *err);
/* writes a file (-: standard output), which is whole or not there; 0, or a negative errno with err */
int timeline_write(const struct timeline *t, const struct timeline_format *f, const struct timeline_opts *o,
		   const char *path, struct err *err);

/* ---- what formats share ---- */

/* appends what a span says in words: "gcc:1234: running 11.5 us (3 of them, 9.5 us in all): LABEL" */
void timeline_span_text(const struct timeline *t, const struct timeline_span *s, struct strbuf *out);
/* of a label of a span; "" */
static inline const char *timeline_label(const struct timeline *t, const struct timeline_span *s)
{
	return strtab_get(&t->labels, s->label);
}

/* the formats */
#define TIMELINE(name, ending, show) \
	int show(const struct timeline *t, const struct timeline_opts *o, FILE *out);
#include "formats.def"

#endif
