/*
 * Btf: the types of the kernel (BTF), from /sys/kernel/btf/vmlinux or from any bytes: structs with their
 * members, enumerations, and functions with their parameters. Format: linux/btf.h and "BPF Type Format" in
 * the documentation of the kernel. All bytes may be hostile: a type is read only inside of its section, and
 * what refers to other types is followed a bounded number of steps.
 *
 * Types have ids from 1 on; 0 is void. Everything points into the bytes, which belong to the reader.
 */
#ifndef PERF_OBJ_BTF_H
#define PERF_OBJ_BTF_H

#include "../base/cursor.h"
#include "../base/err.h"
#include "../base/strbuf.h"

/* modifiers and typedefs, members inside of members: more than this is damage */
#define BTF_MAX_STEPS 32u

struct btf;

struct btf_entry {
	const char *name;	/* "" without one */
	u32 kind;		/* BTF_KIND_* */
	u32 nr;			/* members, values or parameters */
	bool flag;		/* of structs: members can have sizes in bits; of enumerations: signed */
	u32 size;		/* bytes; of kinds that have one */
	u32 type;		/* the type that it refers to; of kinds that refer to one */
	struct cursor rest;	/* what follows in the section: members, values, parameters */
};

/* a member of a struct, or a parameter (without place and size) */
struct btf_field {
	const char *name;
	u32 type;
	u32 bit, bits;		/* place in bits; bits: 0 unless it is a bit field */
};

/* bytes: taken over, also on errors. NULL with err: not BTF, or damaged */
struct btf *btf_new(struct strbuf *bytes, struct err *err);
/*
 * Types of a module, whose ids and strings count on after those of the kernel: base has the kernel's bytes,
 * which become a part of the result. Both are taken over, also on errors
 */
struct btf *btf_new_of_module(struct strbuf *base, struct strbuf *bytes, struct err *err);
/* of the running kernel */
struct btf *btf_read_kernel(struct err *err);
void btf_free(struct btf *b);

/* the number of types: ids are below it */
u32 btf_nr(const struct btf *b);
/* false: no type has this id */
bool btf_get(const struct btf *b, u32 id, struct btf_entry *ret);
/* the id of the first type with that kind and name; 0: none */
u32 btf_find(const struct btf *b, u32 kind, const char *name);
/* the same without modifiers (const, volatile ...) and typedefs; 0: void, or damaged */
u32 btf_skip(const struct btf *b, u32 id);
/* member number i of a struct or union; parameter number i of a prototype; false: there is none */
bool btf_field_at(const struct btf *b, const struct btf_entry *e, u32 i, struct btf_field *ret);
/* value number i of an enumeration; false: there is none */
bool btf_value_at(const struct btf *b, const struct btf_entry *e, u32 i, const char **ret_name, s64 *ret);
/* the name of a value of an enumeration; NULL: it has none */
const char *btf_value_name(const struct btf *b, const struct btf_entry *e, s64 value);
/* parameters of the function of that name to *ret; false: no such function */
bool btf_prototype(const struct btf *b, const char *function, struct btf_entry *ret);
/* a member of a struct or union by its name, also inside of members without names; false: there is none */
bool btf_member(const struct btf *b, u32 id, const char *name, struct btf_field *ret);
/* type and number of an array's elements; false: the type is not an array */
bool btf_array(const struct btf *b, u32 id, u32 *ret_type, u32 *ret_nr);
/* whether a number is signed; of other types false */
bool btf_is_signed(const struct btf *b, u32 id);
/* bytes of a type; 0: unknown, or void */
u64 btf_size(const struct btf *b, u32 id);
/*
 * where a member of a struct is, in bytes: also inside of members without names. -ENOENT with err: no such
 * struct or member
 */
int btf_offset(const struct btf *b, const char *type, const char *member, u32 *ret, struct err *err);
/*
 * where a variable that each CPU has is, relative to the others of the kernel; false: there is none, or the
 * types do not say it
 */
bool btf_cpu_variable(const struct btf *b, const char *name, u32 *ret);
/* appends "const struct timespec *" */
void btf_add_type_name(const struct btf *b, u32 id, struct strbuf *out);

#endif
