/*
 * Items: an answer that is a list of named things, section by section, with descriptions. There
 * can be many thousands, so an item is given when asked for. Strings are the answer's, or good until the next
 * item is asked for.
 */
#ifndef PERF_VIEW_ITEMS_H
#define PERF_VIEW_ITEMS_H

#include "view.h"

/* one of the parts that an item consists of: a field of a record */
struct view_part {
	const char *name, *type;
	const char *note;	/* "4 bytes, signed" */
};

struct view_item {
	const char *section;	/* its heading; items of a section are adjacent */
	const char *topic;	/* a heading inside of a section; "" */
	const char *name;	/* what to type */
	const char *alias;	/* another name; "" */
	const char *tag;	/* what kind of thing it is, in a few words */
	const char *text, *long_text; /* descriptions; "" */
	const char *details;	/* how it is encoded or computed; "" */
	const char *threshold;	/* of its details; "" */
	const struct view_part *part;
	u32 nr_parts;
	const char *prints;	/* how an item with parts is printed; NULL */
	bool pattern;		/* its name shows how names are written and cannot be typed */
};

struct view_items {
	size_t nr;
	void (*item)(const struct view_items *v, size_t i, struct view_item *ret);
	/*
	 * for formats that programs read: appends the facts of the nth object of an item, from 0 on. False:
	 * it has no more objects. Empty texts are left out
	 */
	bool (*object)(const struct view_items *v, size_t i, u32 nth, struct view_facts *ret);
	bool parts;		/* items are shown with their parts, and without descriptions */
	const char *foot;	/* lines about all of them, for people; NULL */
	const void *ctx;
};

#endif
