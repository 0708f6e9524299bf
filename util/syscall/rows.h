/*
 * Rows of system calls, private to util/syscall: syscalls.def in memory. They are made when first asked for,
 * then const until perf ends.
 */
#ifndef PERF_SYSCALL_ROWS_H
#define PERF_SYSCALL_ROWS_H

#include "syscall.h"

enum syscall_row_index {
#define SYSCALL(name, ...) ROW_##name,
#define SYSCALL_AS(row, name, ...) ROW_##row,
#include "syscalls.def"
#undef SYSCALL
#undef SYSCALL_AS
	NR_ROWS
};
_Static_assert(NR_ROWS <= SYSCALL_ROWS_MAX, "SYSCALL_ROWS_MAX holds all rows");

/* NR_ROWS of them; any thread may ask */
const struct syscall_row *syscall_rows(void);

#endif
