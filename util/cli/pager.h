/*
 * Pager: long output goes through less, on a terminal only. The pager is $PERF_PAGER, the configuration's
 * core.pager, $PAGER, less, or more; "cat" or an empty one means none. "pager.report = false" turns it off
 * for a command, a program's name there replaces it. When the program ends, also by a signal, it waits for
 * the pager.
 */
#ifndef PERF_CLI_PAGER_H
#define PERF_CLI_PAGER_H

#include "../base/types.h"

enum pager_mode { PAGER_AUTO, PAGER_ALWAYS, PAGER_NEVER };

/* for perf -p, --no-pager */
void pager_set_mode(enum pager_mode mode);
enum pager_mode pager_get_mode(void);
/*
 * from now on stdout (and stderr, if it is a terminal) goes to the pager; does nothing if stdout is not a
 * terminal or a pager runs already
 */
void pager_start(const char *cmd);
bool pager_running(void);

#endif
