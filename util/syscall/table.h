/* Types as rows, private to util/syscall: what syscalls.def can name. Const. */
#ifndef PERF_SYSCALL_TABLE_H
#define PERF_SYSCALL_TABLE_H

#include "type.h"

#define TYPE(id, ...) extern const struct syscall_type syscall_type_##id;
#define NAMES(id, prefix, number) extern const struct syscall_type syscall_type_##id;
#define TYPE_IF(id, ...) extern const struct syscall_type syscall_type_##id;
#include "names.def"
#include "types.def"
#undef TYPE
#undef TYPE_IF

#define STRUCT(id, is_klong, hide) extern const struct syscall_type syscall_type_##id;
#define FIELD(type, name, size32, size64)
#define PAD(size32, size64)
#define END(size32, size64)
#include "structs.def"
#undef STRUCT
#undef FIELD
#undef PAD
#undef END

/* the same by number */
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
extern const struct syscall_type *const syscall_types[NR_TYPES];

#endif
