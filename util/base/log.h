/*
 * Log: debug and warning lines on stderr, by level. The only global state of base besides the fs root, the page size, progress
 * and phases. util/ may call these; it prints nothing else. Thread-safe.
 */
#ifndef PERF_BASE_LOG_H
#define PERF_BASE_LOG_H

#include "types.h"

extern int log_level;		/* -1: -q, 0: default, 1: -v, 2: -vv, ... */

/* "Warning: ..." unless -q; a trailing newline is added */
void log_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* a plain line on stderr unless -q */
void log_note(const char *fmt, ...) PRINTF_LIKE(1, 2);
void log_debug_at(int level, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* where debug and warning lines go instead of stderr (--debug-file); path is created or truncated */
int log_open(const char *path);

#define log_v(...) do { if (unlikely(log_level >= 1)) log_debug_at(1, __VA_ARGS__); } while (0)
#define log_vv(...) do { if (unlikely(log_level >= 2)) log_debug_at(2, __VA_ARGS__); } while (0)
#define log_vvv(...) do { if (unlikely(log_level >= 3)) log_debug_at(3, __VA_ARGS__); } while (0)

#endif
