/* What perf annotate and perf report share: code as an answer of the terminal interface. */
#ifndef PERF_BUILTIN_ANNOTATE_H
#define PERF_BUILTIN_ANNOTATE_H

#include "ui/listing.h"
#include "util/annotate/annotate.h"
#include "util/view/ask.h"

/* the code of a function; a outlives the answer */
void code_answer(struct annotate *a, const struct annotated *f, struct view_answer *ret);
/* the code to which a line of such an answer's listing goes. 0, or a negative errno with err */
int code_follow(struct annotate *a, const struct view_listing *l, const struct listing_line *line,
		struct view_answer *ret, struct err *err);
void code_drop(struct view_answer *a);

/*
 * Shows the functions on the terminal until the user leaves, first the code of the hottest. 0, or a negative
 * errno with err: nothing was shown
 */
int annotate_browse(struct annotate *a, const struct listing_opts *o, struct err *err);

#endif
