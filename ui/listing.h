/* Listing: ways to show a function's code (view/listing.h); a row of formats.def each. */
#ifndef PERF_UI_LISTING_H
#define PERF_UI_LISTING_H

#include "../util/base/strbuf.h"
#include "../util/view/listing.h"

struct listing_opts {
	enum listing_share share;
	bool nr_samples, period;	/* columns of samples or periods instead of shares */
	bool bytes;			/* of instructions */
	bool full_paths;
	bool summary;			/* source lines with their shares before the code */
	bool color;
	u32 index;			/* JSON: how many listings were shown before */
};

struct listing_format {
	const char *name;	/* "stdio" */
	void (*show)(const struct view_listing *l, const struct listing_opts *o, struct strbuf *out);
	/* NULL: nothing is before the first and after the last */
	void (*begin)(struct strbuf *out);
	void (*end)(struct strbuf *out);
};
/* NULL: no format has that name */
const struct listing_format *listing_format_find(const char *name);
/* "local period" */
const char *listing_share_name(enum listing_share share);

/* the formats */
#define LISTING(name, show, begin, end) \
	void show(const struct view_listing *l, const struct listing_opts *o, struct strbuf *out);
#include "formats.def"
void json_listing_begin(struct strbuf *out);
void json_listing_end(struct strbuf *out);

/* for formats: the column of a line and a member, and how wide it is */
void listing_add_value(const struct view_listing *l, const struct listing_line *line, u32 member,
		       const struct listing_opts *o, struct strbuf *out);
u32 listing_value_width(const struct listing_opts *o);
/*
 * the bytes of an instruction from the one at `from` on, at most LISTING_BYTES of them; the first ones are
 * padded
 */
#define LISTING_BYTES 7u
void listing_add_bytes(const struct listing_line *line, u32 from, struct strbuf *out);
/* -l: the source lines with the largest shares; those below half a percent are left out */
void listing_add_summary(const struct view_listing *l, const struct listing_opts *o, struct strbuf *out);
/* the columns of cycles, if the listing has blocks: of a line, NULL the titles */
void listing_add_cycles(const struct view_listing *l, const struct listing_line *line, struct strbuf *out);
/* "IPC 1.25, coverage 80.0%" of all blocks */
void listing_add_ipc(const struct view_listing *l, struct strbuf *out);
/* the instruction: "mov    %rdi,%r8" */
void listing_add_insn(const struct listing_line *line, struct strbuf *out);

#endif
