/*
 * Finding: what a check of doctor says: the state of one ability, what was found, and what to do. Checks are
 * rows of *.def: CHECK(name, title, function, remedy); the remedy is that of findings that are not "ok" and
 * bring none of their own. Findings become a table of a view, to whose arena their texts belong.
 */
#ifndef PERF_DOCTOR_FINDING_H
#define PERF_DOCTOR_FINDING_H

#include "../base/err.h"
#include "../view/rows.h"

enum finding_state { FINDING_OK, FINDING_LIMITED, FINDING_MISSING };

struct finding {
	const char *name, *title;
	enum finding_state state;
	const char *found;
	const char *remedy;		/* NULL: there is nothing to do */
	const char *both;		/* found and remedy in one text */
	struct arena *arena;
};

void finding_set(struct finding *f, enum finding_state state, const char *fmt, ...) PRINTF_LIKE(3, 4);
void finding_remedy(struct finding *f, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* the message is what was found, its hints are the remedy */
void finding_set_err(struct finding *f, enum finding_state state, const struct err *err);

struct findings { VEC(struct finding); };
/* remedy: of a finding that is not "ok" and has none of its own. A check that said nothing has no row */
void findings_add(struct findings *l, const struct finding *f, const char *remedy);
/* form: VIEW_FORM_*; the rows are the view's afterwards. A name of the table for formats of values */
void findings_show(struct findings *l, struct view *v, const char *name, const char *title, u32 form);

#endif
