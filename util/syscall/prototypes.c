/* Prototypes: see prototypes.h. A row that the kernel adds to is a copy whose types are made here. */
#include "prototypes.h"

#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/arena.h"
#include "../base/vec.h"
#include "../obj/btf.h"
#include "put.h"
#include "table.h"

#define KIND_ENUM64 19u		/* newer than some headers */
#define STRUCT_MAX 4096u	/* bytes of a struct that may be copied */

struct syscall_prototypes {
	const struct syscall_table *table;
	const struct btf *btf;
	bool all;
	struct arena arena;
	const struct syscall_row *row[SYSCALL_ROWS_MAX];	/* by index; NULL: as it is */
};

/* "const struct timespec * rqtp", as far as it matters */
struct c_arg {
	char type[48], name[40];
	u32 kind;		/* BTF_KIND_STRUCT, _UNION, _ENUM; _TYPEDEF: any other word */
	u32 stars;
	bool is_const;
};

struct syscall_prototypes *syscall_prototypes_new(const struct syscall_table *t, const struct btf *btf,
						  bool all)
{
	struct syscall_prototypes *p = xcalloc(1, sizeof(*p));

	p->table = t;
	p->btf = btf;
	p->all = all;
	return p;
}

void syscall_prototypes_free(struct syscall_prototypes *p)
{
	if (!p)
		return;
	arena_release(&p->arena);
	free(p);
}

/* printed from memory, as a struct that is there or in an array of them */
static bool is_struct_arg(const struct syscall_arg *a)
{
	return a->when != SYSCALL_NEVER && a->type->put_mem && a->count != SYSCALL_COUNT_STRINGS &&
	       a->count != SYSCALL_COUNT_BITS && a->count != SYSCALL_COUNT_STRING;
}

static bool by_types(const struct syscall_arg *a, bool all)
{
	return a->type == SYSCALL_TYPE(BTF) || (all && is_struct_arg(a));
}

bool syscall_prototypes_wants_types(const struct syscall_row *row, bool all)
{
	for (u32 i = 0; i < row->nr_args; i++)
		if (by_types(&row->arg[i], all))
			return true;
	return false;
}

bool syscall_prototypes_wants(const struct syscall_row *row, bool all)
{
	return !row->nr_args || syscall_prototypes_wants_types(row, all);
}

const char *syscall_kernel_name(const struct syscall_row *row)
{
	static const char *const names[][2] = {
		{ "stat", "newstat" }, { "lstat", "newlstat" }, { "fstat", "newfstat" },
		{ "uname", "newuname" }, { "umount2", "umount" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(row->name, names[i][0]))
			return names[i][1];
	return row->name;
}

/* ---- formats ---- */

static void take_word(struct c_arg *a, const char *word)
{
	size_t len = strlen(a->type);

	if (!strcmp(word, "const"))
		a->is_const = true;
	else if (!strcmp(word, "struct"))
		a->kind = BTF_KIND_STRUCT;
	else if (!strcmp(word, "union"))
		a->kind = BTF_KIND_UNION;
	else if (!strcmp(word, "enum"))
		a->kind = BTF_KIND_ENUM;
	else if (strcmp(word, "volatile"))
		snprintf(a->type + len, sizeof(a->type) - len, "%s%s", len ? " " : "", word);
}

/* a declaration of C: the last word is the name; false: something else */
static bool parse_arg(const char *text, size_t len, struct c_arg *ret)
{
	const char *end = text + len;

	*ret = (struct c_arg){ .kind = BTF_KIND_TYPEDEF };
	while (text < end) {
		size_t n = 0;

		while (text + n < end && !strchr(" *", text[n]))
			n++;
		if (n >= sizeof(ret->name))
			return false;
		if (n) {
			take_word(ret, ret->name);
			memcpy(ret->name, text, n);
			ret->name[n] = '\0';
		} else {
			ret->stars += *text == '*';
			n = 1;
		}
		text += n;
	}
	return *ret->name && *ret->type;
}

/* the arguments follow the number of the call; how many there are */
static u32 parse_format(const char *format, struct c_arg arg[SYSCALL_ARGS])
{
	const char *at = strstr(format, "__syscall_nr;"), *end;
	u32 nr = 0;

	while (at && nr < SYSCALL_ARGS) {
		at = strstr(at, "\tfield:");
		end = at ? strchr(at, ';') : NULL;
		if (!end || !parse_arg(at + 7, end - at - 7, &arg[nr]))
			break;
		nr++;
		at = end;
	}
	return nr;
}

/* ---- types ---- */

/* the type with that name and without typedefs; *ret_stars: of pointers that a typedef has */
static u32 type_of(const struct syscall_prototypes *p, const struct c_arg *a, struct btf_entry *ret,
		   u32 *ret_stars)
{
	u32 id = p->btf ? btf_skip(p->btf, btf_find(p->btf, a->kind, a->type)) : 0;

	*ret_stars = a->stars;
	while (id && btf_get(p->btf, id, ret) && ret->kind == BTF_KIND_PTR && *ret_stars < 3) {
		id = btf_skip(p->btf, ret->type);
		++*ret_stars;
	}
	return id && btf_get(p->btf, id, ret) ? id : 0;
}

/* one that is printed by the kernel's type; NULL: the argument does not point to a struct */
static const struct syscall_type *pointed_type(struct syscall_prototypes *p, const struct c_arg *a,
					       bool is_blob)
{
	struct btf_entry e;
	u32 stars, id = type_of(p, a, &e, &stars);
	u64 size = id ? btf_size(p->btf, id) : 0;
	struct syscall_type *t;

	if (stars != 1 || !size || size > STRUCT_MAX ||
	    (e.kind != BTF_KIND_STRUCT && e.kind != BTF_KIND_UNION))
		return NULL;
	t = ARENA_NEW(&p->arena, struct syscall_type);
	*t = (struct syscall_type){ .put_mem = put_btf, .btf = p->btf, .btf_type = id,
				    .size32 = is_blob ? 1 : size, .size64 = is_blob ? 1 : size };
	return t;
}

static const struct syscall_type *enum_type(struct syscall_prototypes *p, const struct c_arg *a)
{
	struct btf_entry e;
	u32 stars, id = type_of(p, a, &e, &stars);
	struct syscall_type *t;

	if (!id || stars || (e.kind != BTF_KIND_ENUM && e.kind != KIND_ENUM64))
		return NULL;
	t = ARENA_NEW(&p->arena, struct syscall_type);
	*t = (struct syscall_type){ .put = put_btf_value, .btf = p->btf, .btf_type = id, .bits = 32,
				    .size32 = 4, .size64 = 4, .zero = true };
	return t;
}

/* a value, as far as its words tell; NULL, NULL: what no row before is */
static const struct syscall_type *value_type(const struct c_arg *a)
{
	static const struct {
		const char *type, *name;
		const struct syscall_type *is;
	} rows[] = {
		{ NULL, "fd", SYSCALL_TYPE(FD) }, { NULL, "dfd", SYSCALL_TYPE(DIRFD) },
		{ "pid_t", NULL, SYSCALL_TYPE(PID) }, { "umode_t", NULL, SYSCALL_TYPE(MODE) },
		{ "uid_t", NULL, SYSCALL_TYPE(UID) }, { "gid_t", NULL, SYSCALL_TYPE(UID) },
		{ "size_t", NULL, SYSCALL_TYPE(SIZE) }, { "int", NULL, SYSCALL_TYPE(INT) },
		{ NULL, "flags", SYSCALL_TYPE(HEX) },
		{ "unsigned int", NULL, SYSCALL_TYPE(UINT) }, { "unsigned", NULL, SYSCALL_TYPE(UINT) },
		{ "u32", NULL, SYSCALL_TYPE(UINT) }, { "__u32", NULL, SYSCALL_TYPE(UINT) },
		{ "unsigned long", NULL, SYSCALL_TYPE(ULONG) }, { "u64", NULL, SYSCALL_TYPE(U64) },
		{ "__u64", NULL, SYSCALL_TYPE(U64) }, { NULL, NULL, SYSCALL_TYPE(LONG) },
	};
	size_t i = 0;

	while ((rows[i].type && strcmp(rows[i].type, a->type)) ||
	       (rows[i].name && strcmp(rows[i].name, a->name)))
		i++;
	return rows[i].is;
}

/* an argument of which the row says nothing */
static struct syscall_arg new_arg(struct syscall_prototypes *p, const struct c_arg *a)
{
	struct syscall_arg arg = { .name = arena_strdup(&p->arena, a->name), .when = SYSCALL_NEVER };

	arg.type = a->stars ? NULL : enum_type(p, a);
	if (arg.type)
		return arg;
	arg.type = pointed_type(p, a, false);
	if (arg.type) {
		/* what a program gives is const, but in older calls */
		arg.when = a->is_const ? SYSCALL_ENTER : SYSCALL_EXIT;
	} else if (a->stars == 1 && a->is_const && !strcmp(a->type, "char")) {
		arg.type = SYSCALL_TYPE(STRING);
		arg.when = SYSCALL_ENTER;
		arg.count = SYSCALL_COUNT_STRING;
	} else {
		arg.type = a->stars ? SYSCALL_TYPE(PTR) : value_type(a);
	}
	return arg;
}

static bool is_printable(const struct c_arg *a)
{
	for (const char *s = a->name; *s; s++)
		if (*s <= ' ' || *s > '~')
			return false;
	return true;
}

void syscall_prototypes_add(struct syscall_prototypes *p, const struct syscall_row *row, const char *format)
{
	struct c_arg arg[SYSCALL_ARGS];
	u32 nr = parse_format(format, arg);
	struct syscall_row *mine;

	if (!nr || (row->nr_args && row->nr_args != nr) || row->index >= SYSCALL_ROWS_MAX)
		return;
	mine = arena_memdup(&p->arena, row, sizeof(*row));
	mine->nr_args = nr;
	for (u32 i = 0; i < nr; i++) {
		struct syscall_arg *a = &mine->arg[i];

		if (!is_printable(&arg[i]))
			return;
		if (!row->nr_args) {
			*a = new_arg(p, &arg[i]);
		} else if (by_types(a, p->all)) {
			bool is_blob = a->type->size64 == 1 || a->type == SYSCALL_TYPE(BTF);
			const struct syscall_type *t;

			t = pointed_type(p, &arg[i], is_blob && a->count != SYSCALL_COUNT_ONE);
			if (t)
				a->type = t;
		}
	}
	p->row[row->index] = mine;
}

const struct syscall_row *syscall_prototypes_row(const struct syscall_prototypes *p,
						 const struct syscall_table *t,
						 const struct syscall_row *row)
{
	return p && row && t == p->table && p->row[row->index] ? p->row[row->index] : row;
}
