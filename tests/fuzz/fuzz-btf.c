/*
 * Fuzz target: BTF. Every type is read with its members, values, name and size; members are looked up by
 * name; and the input itself is printed as a struct of each type.
 */
#include <linux/btf.h>
#include <stdint.h>
#include <stdlib.h>
#include "../../util/base/alloc.h"
#include "../../util/obj/btf.h"
#include "../../util/syscall/prototypes.h"

/* of each type at most: a type can refer to all others */
#define TRIES 8u
#define TEXT_MAX (1u << 16)
/* names of types are as long as the input */
#define PRINTED_MAX (1u << 24)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_one(const struct btf *b, u32 id, struct strbuf *text)
{
	struct btf_entry e;
	struct btf_field m;
	const char *name;
	u32 offset, type, nr;
	s64 value;

	if (!btf_get(b, id, &e))
		abort();
	btf_add_type_name(b, id, text);
	if (text->len > TEXT_MAX)
		abort();
	strbuf_reset(text);
	btf_size(b, id);
	btf_is_signed(b, id);
	btf_array(b, id, &type, &nr);
	btf_cpu_variable(b, e.name, &offset);
	for (u32 i = 0; i < TRIES && btf_field_at(b, &e, i, &m); i++)
		if (!btf_offset(b, e.name, m.name, &offset, NULL) && !btf_member(b, id, m.name, &m))
			break;
	for (u32 i = 0; i < TRIES && btf_value_at(b, &e, i, &name, &value); i++)
		btf_value_name(b, &e, value);
	if (*e.name && !btf_find(b, e.kind, e.name))
		abort();
	if (btf_prototype(b, e.name, &e) && e.kind != BTF_KIND_FUNC_PROTO)
		abort();
}

/* as a program's argument of that struct or union */
static void print_one(const struct btf *b, u32 id, const void *bytes, size_t len, struct strbuf *text)
{
	static const char *const words[] = { "struct", "union", "enum" };
	const struct syscall_table *t = syscall_table_find(62 /* x86-64 */, 64);
	struct syscall_call call = { .table = t, .arg = { 1, 1, 1 }, .has_ret = true };
	struct btf_entry e;

	if (!btf_get(b, id, &e) || !*e.name)
		return;
	for (u32 i = 0; i < 3; i++)
		call.data[i] = (struct syscall_data){ bytes, len };
	for (u32 i = 0; i < 6; i++) {
		struct syscall_prototypes *p = syscall_prototypes_new(t, b, i % 2);
		const struct syscall_text_opts o = { .prototypes = p, .show_zeros = i % 2 };
		const struct syscall_row *row = syscall_by_name(i % 2 ? "uname" : "afs_syscall");
		char *format = xasprintf("__syscall_nr;\n\tfield:%s %s * a;\n", words[i / 2], e.name);

		syscall_prototypes_add(p, row, format);
		call.nr = syscall_nr_of(t, row);
		syscall_add_args(&call, &o, text);
		if (text->len > PRINTED_MAX)
			abort();
		strbuf_reset(text);
		syscall_prototypes_free(p);
		free(format);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf bytes = STRBUF_INIT, text = STRBUF_INIT;
	struct btf *b;

	strbuf_add(&bytes, data, size);
	b = btf_new(&bytes, NULL);
	for (u32 id = 1; b && id < btf_nr(b) && id < 4096; id++)
		read_one(b, id, &text);
	for (u32 id = 1; b && id < btf_nr(b) && id < 64; id++)
		print_one(b, id, data, size, &text);
	btf_free(b);
	strbuf_add(&bytes, data, size);
	strbuf_add(&text, data, size);
	btf_free(btf_new_of_module(&bytes, &text, NULL));
	strbuf_release(&text);
	return 0;
}
