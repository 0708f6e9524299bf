/*
 * Progress: a bar on the terminal's stderr for work that lasts longer than a second; nothing where stderr is no terminal or
 * with -q. One at a time, from one thread. util/ takes a callback of the form of progress_update instead of calling this.
 */
#ifndef PERF_CLI_PROGRESS_H
#define PERF_CLI_PROGRESS_H

#include "../base/types.h"

/* title: what is being done, "reading perf.data" */
void progress_begin(const char *title);
/* done of total (0: unknown); cheap enough to be called for every chunk of work */
void progress_update(u64 done, u64 total);
/* removes the bar */
void progress_end(void);

#endif
