/* Items: ways to show lists of named things (view/items.h); a row of formats.def each. */
#ifndef PERF_UI_ITEMS_H
#define PERF_UI_ITEMS_H

#include "../util/base/strbuf.h"
#include "../util/view/items.h"

struct items_opts {
	int width;	/* text: columns of the terminal: headings,
	folded descriptions; 0: one line an item */
	bool desc, long_desc, details; /* text */
};

struct items_format {
	const char *name;	/* "text" */
	void (*show)(const struct view_items *v, const struct items_opts *o, struct strbuf *out);
};
/* NULL: no format has that name */
const struct items_format *items_format_find(const char *name);

/* the formats */
#define ITEMS(name, show) \
	void show(const struct view_items *v, const struct items_opts *o, struct strbuf *out);
#include "formats.def"

#endif
