/* Lists of names, private to util/syscall: rows of names.def, and their text. Const. */
#ifndef PERF_SYSCALL_NAMES_H
#define PERF_SYSCALL_NAMES_H

#include "type.h"

#define NAMES(id, prefix, number) extern const struct syscall_names syscall_names_##id;
#include "names.def"

/*
 * the name of a number without its prefix, for programs of that family; NULL: it has none. In lists of
 * numbers (not flags) the lower 32 bits count
 */
const char *syscall_name_of(const struct syscall_names *n, u8 family, u64 v);
/*
 * appends the number as names, "RDWR|CLOEXEC|0x8000"; false: no part of it has a name, and nothing was added
 */
bool syscall_names_add(const struct syscall_names *n, u8 family, bool prefix, u64 v, struct strbuf *out);
/* the same with the family and options of a call; numbers without names are in hex (flags) or decimal */
void put_names(const struct put *p, const struct syscall_names *n, u64 v);

#endif
