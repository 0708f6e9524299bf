/* Types as rows: of types.def, of each list of names, and of structs.def. */
#include "table.h"

#include "names.h"
#include "put.h"

#define TYPE_IF(id, put_, put_mem_, s32_, s64_, bits_, zero_, absent_) \
	const struct syscall_type syscall_type_##id = { .put = put_, .put_mem = put_mem_, .size32 = s32_, \
							.size64 = s64_, .bits = bits_, .zero = zero_, \
							.absent = absent_ };
#define TYPE(id, put, put_mem, s32, s64, bits, zero) TYPE_IF(id, put, put_mem, s32, s64, bits, zero, NULL)
#include "types.def"
#undef TYPE
#undef TYPE_IF

#define NAMES(id, prefix, number) \
	const struct syscall_type syscall_type_##id = { .put = put_list, .names = &syscall_names_##id, \
							.size32 = 4, .size64 = 4, .bits = 32, .zero = true };
#include "names.def"

#define STRUCT(id, is_klong, hide) static const struct syscall_field fields_##id[] = {
#define FIELD(type, name, size32, size64) { #name, &syscall_type_##type, size32, size64 },
#define PAD(size32, size64) { "", NULL, size32, size64 },
#define END(size32, size64) };
#include "structs.def"
#undef STRUCT
#undef FIELD
#undef PAD
#undef END

#define STRUCT(id, is_klong_, hide_) \
	const struct syscall_type syscall_type_##id = { .put_mem = put_struct, .field = fields_##id, \
							.nr_fields = ARRAY_SIZE(fields_##id), \
							.is_klong = is_klong_, .hide = hide_,
#define FIELD(type, name, size32, size64)
#define PAD(size32, size64)
#define END(size32_, size64_) .size32 = size32_, .size64 = size64_ };
#include "structs.def"
#undef STRUCT
#undef FIELD
#undef PAD
#undef END

#define TYPE(id, ...) [TYPE_##id] = &syscall_type_##id,
#define NAMES(id, ...) [TYPE_##id] = &syscall_type_##id,
#define TYPE_IF(id, ...) [TYPE_##id] = &syscall_type_##id,
#define STRUCT(id, ...) [TYPE_##id] = &syscall_type_##id,
#define FIELD(...)
#define PAD(...)
const struct syscall_type *const syscall_types[NR_TYPES] = {
#include "names.def"
#include "types.def"
#define END(...)
#include "structs.def"
};
