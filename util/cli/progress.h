/*
 * Progress: shows on the terminal's stderr what the work is at (util/base/progress.h), if it lasts longer
 * than a second: a bar, or only the words if the total is not known. Shows nothing if stderr is not a
 * terminal, or with -q.
 */
#ifndef PERF_CLI_PROGRESS_H
#define PERF_CLI_PROGRESS_H

/*
 * Starts it: until progress_end() a timer (SIGALRM) draws, so that a single long call is shown as well. Not
 * to be used while the command, or a child of it, writes to a terminal.
 */
void progress_begin(void);
/* removes the bar; does nothing if there is none */
void progress_end(void);

#endif
