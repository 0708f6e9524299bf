/* Missing: warnings about names that a report could not show. */
#ifndef PERF_HIST_MISSING_H
#define PERF_HIST_MISSING_H

#include "../base/types.h"

struct hist;
struct named;

/* whether a name is missing, or only guessed, for a reason that symbols_reason() gives */
bool is_missing_name(const struct hist *h, const struct named *n);
/* periods of samples without names, by dso, and of all; the caller frees them. NULL: no key is the name */
u64 *missing_periods(const struct hist *h, u64 *ret_all);
/*
 * why samples have no names, once per file that contains them, and what to do; nothing if no symbols are
 * needed
 */
void note_missing_symbols(const struct hist *h);
/* how many samples have one of several names of their code; nothing if there are next to none */
void note_shared_code(const struct hist *h);

#endif
