/* Listing screen: what its files share: state and keys (listing-screen.c), drawing (listing-draw.c). */
#ifndef PERF_TUI_LISTING_SCREEN_H
#define PERF_TUI_LISTING_SCREEN_H

#include "screen.h"

enum listing_column { LISTING_PERCENT, LISTING_PERIOD, LISTING_SAMPLES, NR_LISTING_COLUMNS };
/* which instructions have their offset before them */
enum listing_offsets { OFFSETS_TARGETS, OFFSETS_CALLS, OFFSETS_ALL, NR_LISTING_OFFSETS };

struct listing_screen {
	struct screen s;
	const struct view_asker *asker;
	struct view_answer a;
	const struct view_listing *l;
	struct listing_opts opts;
	enum listing_column column;
	enum listing_offsets offsets;
	bool source, arrows, sources, numbers, addresses;
	bool no_types;			/* types of data are there, and hidden */
	struct { VEC(u32); } shown;	/* lines that are shown */
	struct { VEC(u32); } insn;	/* instructions, by address */
	u32 *nr_sources;		/* by line: jumps of this function that go there */
};

void listing_draw(struct tui *t, struct screen *s);
/* the text of a line without its numbers, as it is shown */
void listing_line_text(const struct listing_screen *x, const struct listing_line *line, struct strbuf *out);
/* the sum of all members at a line, in percent as the screen shows it */
double listing_line_percent(const struct listing_screen *x, const struct listing_line *line);
/* the line of an instruction, or UINT32_MAX */
u32 listing_find_insn(const struct listing_screen *x, u64 addr);

#endif
