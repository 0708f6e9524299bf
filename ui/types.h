/* Types: types of data with what was counted at their members (view/types.h), as text and as JSON. */
#ifndef PERF_UI_TYPES_H
#define PERF_UI_TYPES_H

#include "../util/base/strbuf.h"
#include "../util/view/types.h"
#include "listing.h"

struct types_opts {
	bool type_stat, insn_stat;	/* numbers of instructions before the types */
};

/* of listing_opts only the column counts: shares, samples or periods */
void types_text(const struct view_types *t, const struct types_opts *o, const struct listing_opts *lo,
		struct strbuf *out);
void types_json(const struct view_types *t, struct strbuf *out);

#endif
