/*
 * Prototypes: what a kernel says of its system calls, where the rows of syscalls.def say nothing: names and
 * types of arguments, from the format of the tracepoint syscalls:sys_enter_NAME, and the members of structs,
 * from the kernel's types (BTF). Both describe one kernel and its own programs only: 32-bit programs on a
 * 64-bit kernel have other structs. The caller reads them.
 *
 *	p = syscall_prototypes_new(syscall_table_native(), btf, false);
 *	for each row: if (syscall_prototypes_wants(p, row)) syscall_prototypes_add(p, row, format);
 *	opts.prototypes = p;			of syscall_add_args(), and for syscall_copy_rule():
 *	row = syscall_prototypes_row(p, table, row);
 *
 * Const after the last add.
 */
#ifndef PERF_SYSCALL_PROTOTYPES_H
#define PERF_SYSCALL_PROTOTYPES_H

#include "syscall.h"

struct btf;
struct syscall_prototypes;

/*
 * btf: stays the caller's, and must outlive this; NULL: only names. all: structs are printed by BTF also
 * where the rows know them
 */
struct syscall_prototypes *syscall_prototypes_new(const struct syscall_table *t, const struct btf *btf,
						  bool all);
void syscall_prototypes_free(struct syscall_prototypes *p);
/* whether the format of that call could say more than its row; all: as above */
bool syscall_prototypes_wants(const struct syscall_row *row, bool all);
/* whether that needs BTF */
bool syscall_prototypes_wants_types(const struct syscall_row *row, bool all);
/* "newstat" for stat: the name of the call in the kernel's tracepoints */
const char *syscall_kernel_name(const struct syscall_row *row);
/* the text of the file `format`; what cannot be understood changes nothing */
void syscall_prototypes_add(struct syscall_prototypes *p, const struct syscall_row *row, const char *format);
/* the row with what the kernel says; row itself if that is nothing. p and row may be NULL */
const struct syscall_row *syscall_prototypes_row(const struct syscall_prototypes *p,
						 const struct syscall_table *t,
						 const struct syscall_row *row);

#endif
