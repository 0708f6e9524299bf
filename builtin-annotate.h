/* What perf annotate, report and top share: options about code, and code as an answer to the terminal. */
#ifndef PERF_BUILTIN_ANNOTATE_H
#define PERF_BUILTIN_ANNOTATE_H

#include "ui/listing.h"
#include "util/annotate/annotate.h"
#include "util/cli/parse-options.h"
#include "util/view/ask.h"

/* options of builtin-code.def: enum listing_share; bool: the syntax of Intel */
int code_opt_share(const struct option *opt, const char *arg, bool unset);
int code_opt_disassembler(const struct option *opt, const char *arg, bool unset);
int code_opt_style(const struct option *opt, const char *arg, bool unset);

/* the code of a function; a outlives the answer */
void code_answer(struct annotate *a, const struct annotated *f, struct view_answer *ret);
/* the code to which a line of such an answer's listing goes. 0, or a negative errno with err */
int code_follow(struct annotate *a, const struct view_listing *l, const struct listing_line *line,
		struct view_answer *ret, struct err *err);
/* the same function again, after another annotate_count() */
void code_renew(struct annotate *a, const struct view_listing *l, struct view_answer *ret);
void code_drop(struct view_answer *a);

/*
 * Shows the functions on the terminal until the user leaves, first the code of the hottest. 0, or a negative
 * errno with err: nothing was shown
 */
int annotate_browse(struct annotate *a, const struct listing_opts *o, struct err *err);

#endif
