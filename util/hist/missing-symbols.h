/* Missing: warnings about names that a report could not show. */
#ifndef PERF_HIST_MISSING_H
#define PERF_HIST_MISSING_H

struct hist;

/*
 * why samples have no names, once per file that contains them, and what to do; nothing if no symbols are
 * needed
 */
void note_missing_symbols(const struct hist *h);

#endif
