/*
 * Doctor: what a profile lacks, and what the user can do about it. doctor_symbols() looks at each dso that
 * has samples: what was found of its symbols, source lines and unwind information, and the one reason and
 * remedy where something is missing. Answers are views.
 */
#ifndef PERF_DOCTOR_SYMBOLS_H
#define PERF_DOCTOR_SYMBOLS_H

#include "../session/session.h"
#include "../view/rows.h"

/* loads the symbols of all dsos with samples; form: VIEW_FORM_*. The session must outlive the view */
struct view *doctor_symbols(struct session *s, u32 form);

#endif
