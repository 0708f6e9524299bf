/*
 * Log: lines on stderr, by level: warnings, notes and debug output. The only global state of base besides the
 * fs root, the page size, progress and phases. util/ may call these functions and prints nothing else.
 * Thread-safe.
 */
#ifndef PERF_BASE_LOG_H
#define PERF_BASE_LOG_H

#include "types.h"

extern int log_level;		/* -1: -q, 0: default, 1: -v, 2: -vv, ... */

struct err;

/* "Warning: ..." unless -q: something is missing, changed or doubtful. A trailing newline is added */
void log_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* an error that does not end the command, as a warning, with its hints */
void log_warn_err(const struct err *err);
/* "Warning: ..." for each line of text */
void log_warn_lines(const char *text);
/* a line without prefix, unless -q: progress and facts about a run that is as expected */
void log_note(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* a line if the level is at least this; the macros below do not evaluate their arguments otherwise */
void log_debug_at(int level, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* writes all these lines to a file instead of stderr (--debug-file); path is created or truncated */
int log_open(const char *path);
/*
 * true: lines for stderr are kept, because the terminal shows something else; false: they are written, and
 * those that follow, too
 */
void log_hold(bool hold);
/*
 * Lines for stderr go to a function, because the process is another program that this code is a part of: text
 * has no prefix and no newline. Called by any thread, one at a time. NULL: to stderr again
 */
typedef void (*log_sink)(bool is_warning, const char *text, size_t len);
void log_set_sink(log_sink sink);

#define log_v(...) do { if (unlikely(log_level >= 1)) log_debug_at(1, __VA_ARGS__); } while (0)
#define log_vv(...) do { if (unlikely(log_level >= 2)) log_debug_at(2, __VA_ARGS__); } while (0)
#define log_vvv(...) do { if (unlikely(log_level >= 3)) log_debug_at(3, __VA_ARGS__); } while (0)

#endif
