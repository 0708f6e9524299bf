/*
 * Types as rows, private to util/syscall: what syscalls.def can name. They are made with the rows (rows.h) or
 * when first asked for, then const until perf ends.
 */
#ifndef PERF_SYSCALL_TABLE_H
#define PERF_SYSCALL_TABLE_H

#include "type.h"

#define TYPE(id, ...) TYPE_##id,
#define NAMES(id, ...) TYPE_##id,
#define TYPE_IF(id, ...) TYPE_##id,
#define STRUCT(id, ...) TYPE_##id,
#define FIELD(...)
#define PAD(...)
enum syscall_type_index {
#include "names.def"
#include "types.def"
#define END(...)
#include "structs.def"
	NR_TYPES
};
#undef TYPE
#undef TYPE_IF
#undef STRUCT
#undef FIELD
#undef PAD
#undef END

extern struct syscall_type syscall_types[NR_TYPES];
#define SYSCALL_TYPE(id) ((const struct syscall_type *)&syscall_types[TYPE_##id])

/* any thread may ask */
void syscall_types_make(void);

#endif
