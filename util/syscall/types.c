/*
 * Types as rows: of types.def, of each list of names, and of structs.def. They are not linked with addresses,
 * as rows of system calls are not; the first command that asks for one makes them.
 */
#include "table.h"

#include <pthread.h>
#include "names.h"
#include "put.h"

#define STRUCT(id, is_klong, hide) static const struct syscall_field fields_##id[] = {
#define FIELD(type, name, size32, size64) { #name, TYPE_##type + FITS(#name, SYSCALL_FIELD), size32, size64 },
#define PAD(size32, size64) { "", NR_TYPES, size32, size64 },
#define END(size32, size64) };
#include "structs.def"
#undef STRUCT
#undef FIELD
#undef PAD
#undef END

struct syscall_type syscall_types[NR_TYPES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* calls of functions: the compiler would copy rows that it assigns from a table with addresses */
static __attribute__((noinline)) struct syscall_type *add(enum syscall_type_index id, u16 size32,
							   u16 size64)
{
	struct syscall_type *t = &syscall_types[id];

	t->size32 = size32;
	t->size64 = size64;
	return t;
}

static __attribute__((noinline)) void add_names(enum syscall_type_index id, const struct syscall_names *names)
{
	struct syscall_type *t = add(id, 4, 4);

	t->put = put_list;
	t->names = names;
	t->bits = 32;
	t->zero = true;
}

static __attribute__((noinline)) void add_struct(enum syscall_type_index id,
						 const struct syscall_field *field, u8 nr,
						 u16 size32, u16 size64)
{
	struct syscall_type *t = add(id, size32, size64);

	t->put_mem = put_struct;
	t->field = field;
	t->nr_fields = nr;
}

static void make_types(void)
{
	struct syscall_type *t;

#define TYPE_IF(id, put_, put_mem_, s32, s64, bits_, zero_, absent_) \
	t = add(TYPE_##id, s32, s64); \
	t->put = put_; \
	t->put_mem = put_mem_; \
	t->bits = bits_; \
	t->zero = zero_; \
	t->absent = absent_;
#define TYPE(id, put, put_mem, s32, s64, bits, zero) TYPE_IF(id, put, put_mem, s32, s64, bits, zero, NULL)
#include "types.def"

#define NAMES(id, prefix, number) add_names(TYPE_##id, &syscall_names_##id);
#include "names.def"

#define STRUCT(id, is_klong_, hide_) \
	t = &syscall_types[TYPE_##id]; \
	t->is_klong = is_klong_; \
	t->hide = hide_; \
	add_struct(TYPE_##id, fields_##id, ARRAY_SIZE(fields_##id),
#define FIELD(type, name, size32, size64)
#define PAD(size32, size64)
#define END(size32, size64) size32, size64);
#include "structs.def"
}

void syscall_types_make(void)
{
	pthread_once(&once, make_types);
}
