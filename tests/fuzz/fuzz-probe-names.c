/*
 * Fuzz target: the names of functions in debug information, and the index that is made of them. The input is
 * the sizes of .debug_info and .debug_abbrev, a byte that is odd for the other byte order, and the sections
 * up to .debug_str. What was put into an index is found in it. The input is also read as an index.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/obj/dwarf-names.h"
#include "../../util/probe/name-index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NAMES_MAX 2000

struct found_names {
	struct name_index_list list;
	struct { VEC(struct { u32 die; const char *name; }); } all;
};

static void add(void *ctx, u64 die, const char *name)
{
	struct found_names *n = ctx;

	if (n->all.nr == NAMES_MAX)
		return;
	name_list_add(&n->list, die, name);
	vec_add(&n->all)->die = die;
	n->all.v[n->all.nr - 1].name = name;
}

static bool is_in(const struct name_index *x, u32 die, const char *word)
{
	const struct name_index_entry *at;
	u32 nr = name_index_find(x, word, &at);

	for (u32 i = 0; i < nr; i++)
		if (at[i].die == die)
			return true;
	return false;
}

static void try_index(struct found_names *n)
{
	struct name_index_key key = { .size = 1 };
	struct strbuf out = STRBUF_INIT;
	struct name_index x;

	if (!name_list_write(&n->list, &key, &out) || !name_index_read(&x, &key, (u8 *)out.buf, out.len))
		abort();
	vec_foreach(&n->all, a)
		if (name_index_knows(a->name) && !is_in(&x, a->die, a->name))
			abort();
	strbuf_release(&out);
}

static void try_names(const uint8_t *data, size_t size)
{
	struct dwarf_name_sections s = { 0 };
	struct dwarf_name_units units = { 0 };
	struct found_names n = { 0 };
	uint32_t len[2];

	if (size < sizeof(len) + 1)
		return;
	memcpy(len, data, sizeof(len));
	s.swap = data[sizeof(len)] & 1;
	data += sizeof(len) + 1;
	size -= sizeof(len) + 1;
	if (len[0] > size || len[1] > size - len[0])
		return;
	s.info = (struct dwarf_bytes){ data, len[0] };
	s.abbrev = (struct dwarf_bytes){ data + len[0], len[1] };
	s.str = (struct dwarf_bytes){ s.abbrev.p + len[1], size - len[0] - len[1] };
	dwarf_name_units(&s, &units);
	vec_foreach(&units, u)
		dwarf_names_of_unit(&s, u, add, &n);
	try_index(&n);
	vec_release(&units);
	vec_release(&n.list);
	vec_release(&n.all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct name_index_entry *at;
	struct name_index_key key;
	struct name_index x;

	try_names(data, size);
	if (size < 8 + sizeof(key))
		return 0;
	memcpy(&key, data + 8, sizeof(key));
	if (name_index_read(&x, &key, data, size))
		name_index_find(&x, "main", &at);
	return 0;
}
