/* Known-names: one pass for the offsets of all names in .debug_str, and one for the references to them. */
#include "known-names.h"

#include <stdlib.h>
#include <string.h>
#include "byte-table.h"
#include "debug-binary.h"
#include "function-words.h"
#include "point.h"

#define NAMES_MIN 4		/* fewer are faster searched for one by one */
#define STRINGS_MAX 4096	/* of one name */
#define REFERENCES_MAX (1u << 20)

static u32 find(const struct known_names *k, const char *name)
{
	u32 id;

	HIDX_FOREACH(&k->by_name, hash_str(name), id)
		if (!strcmp(k->name.v[id].name, name))
			return id;
	return HIDX_NONE;
}

static void add_names(struct known_names *k, struct debug_bytes *b)
{
	vec_foreach(b->file->t->functions, f) {
		char *word = function_search_word(*f);

		if (strlen(word) >= BYTE_TABLE_KEY && find(k, word) == HIDX_NONE) {
			hidx_insert(&k->by_name, hash_str(word), k->name.nr);
			vec_push(&k->name, (struct known_name){ .name = arena_strdup(&b->mem, word) });
		}
		free(word);
	}
}

static bool add_string(void *ctx, u64 off, u32 group)
{
	struct known_name *n = &((struct known_names *)ctx)->name.v[group];

	if (off > UINT32_MAX || n->str.nr == STRINGS_MAX - 1)
		n->is_many = true;
	else
		vec_push(&n->str, off);
	return true;
}

/* groups come in twos: references to a name, and the name itself */
static bool add_info(void *ctx, u64 off, u32 group)
{
	struct known_name *n = &((struct known_names *)ctx)->name.v[group / 2];

	if (n->info.nr == REFERENCES_MAX)
		n->is_many = true;
	else
		vec_push(&n->info, off);
	return true;
}

static bool add_index(void *ctx, u64 off, u32 group)
{
	struct known_name *n = &((struct known_names *)ctx)->name.v[group / 2];

	if (n->index.nr == REFERENCES_MAX)
		n->is_many = true;
	else
		vec_push(&n->index, off);
	return true;
}

static void find_strings(struct known_names *k, struct debug_bytes *b, struct needles *group)
{
	Dwarf *alt = dwarf_getalt(b->file->dw);

	for (size_t i = 0; i < k->name.nr; i++) {
		const char *name = k->name.v[i].name;

		group[i] = (struct needles){ .len = strlen(name), .v = (const u8 *)name, .nr = 1,
					     .ends = true };
	}
	debug_bytes_run(b, b->file->elf, ".debug_str", group, k->name.nr, add_string, k);
	if (alt)
		debug_bytes_run(b, dwarf_getelf(alt), ".debug_str", group, k->name.nr, add_string, k);
}

static int by_offset(const void *pa, const void *pb)
{
	u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? -1 : a > b;
}

static void find_references(struct known_names *k, struct debug_bytes *b, struct needles *group)
{
	for (size_t i = 0; i < k->name.nr; i++) {
		struct known_name *n = &k->name.v[i];

		group[2 * i] = (struct needles){ .len = 4, .v = debug_bytes_u32s(b, n->str.v, n->str.nr),
						 .nr = n->is_many ? 0 : n->str.nr };
		group[2 * i + 1] = (struct needles){ .len = strlen(n->name), .v = (const u8 *)n->name,
						     .nr = 1 };
	}
	debug_bytes_run(b, b->file->elf, ".debug_info", group, 2 * k->name.nr, add_info, k);
	for (size_t i = 0; i < k->name.nr; i++) {
		struct known_name *n = &k->name.v[i];

		group[2 * i + 1].nr = 0;
		if (n->info.nr)
			qsort(n->info.v, n->info.nr, sizeof(*n->info.v), by_offset);
	}
	debug_bytes_run(b, b->file->elf, ".debug_str_offsets", group, 2 * k->name.nr, add_index, k);
}

const struct known_name *known_name(struct known_names *k, struct debug_bytes *b, const char *word)
{
	u32 id;

	if (!k->searched && b->file->t->functions && b->file->t->functions->nr >= NAMES_MIN) {
		struct needles *group = xcalloc(2 * b->file->t->functions->nr, sizeof(*group));

		add_names(k, b);
		find_strings(k, b, group);
		find_references(k, b, group);
		free(group);
	}
	k->searched = true;
	id = find(k, word);
	return id == HIDX_NONE || k->name.v[id].is_many ? NULL : &k->name.v[id];
}

void known_names_release(struct known_names *k)
{
	vec_foreach(&k->name, n) {
		vec_release(&n->str);
		vec_release(&n->info);
		vec_release(&n->index);
	}
	vec_release(&k->name);
	hidx_release(&k->by_name);
}
