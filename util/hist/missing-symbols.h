/* Missing: notes on standard error about names that a report could not show. */
#ifndef PERF_HIST_MISSING_H
#define PERF_HIST_MISSING_H

struct hist;

/* why samples have no names, once per file that they fell in, and what to do; nothing where no symbols were asked for */
void note_missing_symbols(const struct hist *h);

#endif
