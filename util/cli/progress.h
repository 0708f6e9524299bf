/*
 * Progress: what the work is at (util/base/progress.h), on the terminal's stderr, while it lasts longer than a second: a bar, or
 * the words alone where nobody knows how much there is. Nothing where stderr is no terminal or with -q.
 */
#ifndef PERF_CLI_PROGRESS_H
#define PERF_CLI_PROGRESS_H

/*
 * From here on, until progress_end(): a timer (SIGALRM) draws, so that a single long call shows as well. Not while the command
 * writes to a terminal, or has a child that does.
 */
void progress_begin(void);
/* removes the bar; nothing where none was begun */
void progress_end(void);

#endif
