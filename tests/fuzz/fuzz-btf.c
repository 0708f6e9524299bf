/*
 * Fuzz target: BTF. Every type is read with its members, values, name and size; members are looked up by
 * name.
 */
#include <linux/btf.h>
#include <stdint.h>
#include <stdlib.h>
#include "../../util/obj/btf.h"

/* of each type at most: a type can refer to all others */
#define TRIES 8u
#define TEXT_MAX (1u << 16)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_one(const struct btf *b, u32 id, struct strbuf *text)
{
	struct btf_entry e;
	struct btf_field m;
	const char *name;
	u32 offset;
	s64 value;

	if (!btf_get(b, id, &e))
		abort();
	btf_add_type_name(b, id, text);
	if (text->len > TEXT_MAX)
		abort();
	strbuf_reset(text);
	btf_size(b, id);
	for (u32 i = 0; i < TRIES && btf_field_at(b, &e, i, &m); i++)
		btf_offset(b, e.name, m.name, &offset, NULL);
	for (u32 i = 0; i < TRIES && btf_value_at(b, &e, i, &name, &value); i++)
		;
	if (*e.name && !btf_find(b, e.kind, e.name))
		abort();
	if (btf_prototype(b, e.name, &e) && e.kind != BTF_KIND_FUNC_PROTO)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf bytes = STRBUF_INIT, text = STRBUF_INIT;
	struct btf *b;

	strbuf_add(&bytes, data, size);
	b = btf_new(&bytes, NULL);
	for (u32 id = 1; b && id < btf_nr(b) && id < 4096; id++)
		read_one(b, id, &text);
	btf_free(b);
	strbuf_release(&text);
	return 0;
}
