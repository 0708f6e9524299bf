/*
 * Doctor: what a profile lacks, and what the user can do about it. doctor_symbols() looks at each dso that
 * has samples: what was found of its symbols, source lines and unwind information, and the one reason and
 * remedy where something is missing. Answers are views. doctor_total() only adds up.
 */
#ifndef PERF_DOCTOR_SYMBOLS_H
#define PERF_DOCTOR_SYMBOLS_H

#include "../session/session.h"
#include "../unwind/stack-end.h"
#include "../view/rows.h"

/* loads the symbols of all dsos with samples; form: VIEW_FORM_*. The session must outlive the view */
struct view *doctor_symbols(struct session *s, u32 form);

struct doctor_totals {
	u64 nr, nr_unnamed;		/* samples somewhere in a dso, and those without a function */
	u32 nr_nameless;		/* number of dsos in which samples have no name */
	u32 nr_files, nr_without_id;	/* ELF files with samples, and those without a build-id */
	struct stack_ends ends;		/* the caller releases them */
};
/* the same walk over the samples; loads the same symbols */
void doctor_total(struct session *s, struct doctor_totals *ret);

#endif
