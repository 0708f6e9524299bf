/* Kallsyms-binary: see kallsyms-binary.h. */
#include "kallsyms-binary.h"

#include <string.h>

struct binary_head {
	u64 nr_lines, nr_blocks, size_names;
};

struct binary_block {
	u32 module, module_len;		/* in names */
	u32 first, nr;
};

/* names of lines, and of modules; a name's place is what out held of names before it */
struct binary_parts {
	struct { VEC(struct kallsyms_line); } line;
	struct { VEC(struct binary_block); } block;
	struct strbuf names;
};

static u32 add_name(struct strbuf *names, const char *name, size_t len)
{
	u32 at = names->len;

	strbuf_add(names, name, len);
	strbuf_addch(names, '\0');
	return at;
}

static void add_block(struct binary_parts *p, const struct kallsyms *k, const struct kallsyms_block *b)
{
	struct binary_block block = { .first = p->line.nr, .nr = b->nr, .module_len = b->module_len };

	block.module = add_name(&p->names, b->module, b->module_len);
	vec_push(&p->block, block);
	for (u32 i = b->first; i < b->first + b->nr; i++) {
		struct kallsyms_line line = k->line[i];

		line.name = add_name(&p->names, kallsyms_name(k, &line), line.len);
		vec_push(&p->line, line);
	}
}

void kallsyms_write_binary(const struct kallsyms *k, bool (*leave)(const struct kallsyms_block *b),
			   struct strbuf *out)
{
	struct binary_parts p = { .names = STRBUF_INIT };
	struct binary_head head;

	vec_foreach(&k->block, b)
		if (!leave(b))
			add_block(&p, k, b);
	head = (struct binary_head){ p.line.nr, p.block.nr, p.names.len };
	strbuf_add(out, &head, sizeof(head));
	strbuf_add(out, p.line.v, p.line.nr * sizeof(*p.line.v));
	strbuf_add(out, p.block.v, p.block.nr * sizeof(*p.block.v));
	strbuf_add(out, strbuf_str(&p.names), p.names.len);
	strbuf_release(&p.names);
	vec_release(&p.line);
	vec_release(&p.block);
}

static bool is_name(const char *names, u64 size, u32 at, u32 len)
{
	return at < size && len < size - at && !names[at + len];
}

static bool lines_are_right(struct kallsyms *k, u64 size_names)
{
	k->all_zero = true;
	for (size_t i = 0; i < k->nr; i++) {
		if (!is_name(k->names, size_names, k->line[i].name, k->line[i].len))
			return false;
		k->all_zero &= !k->line[i].addr;
	}
	return true;
}

static bool add_blocks(struct kallsyms *k, const u8 *p, u64 nr, u64 size_names)
{
	for (u64 i = 0; i < nr; i++) {
		struct binary_block b;

		memcpy(&b, p + i * sizeof(b), sizeof(b));
		if (!is_name(k->names, size_names, b.module, b.module_len) || b.first > k->nr ||
		    b.nr > k->nr - b.first)
			return false;
		vec_push(&k->block, (struct kallsyms_block){ .module = k->names + b.module,
							     .module_len = b.module_len, .first = b.first,
							     .nr = b.nr });
	}
	return true;
}

struct kallsyms *kallsyms_read_binary(const u8 *p, size_t len)
{
	struct binary_head head;
	const u8 *line = p + sizeof(head), *block;
	struct kallsyms *k;

	if (len < sizeof(head))
		return NULL;
	memcpy(&head, p, sizeof(head));
	len -= sizeof(head);
	/* each is less than 2^32, so that the sum cannot overflow */
	if (MAX(MAX(head.nr_lines, head.nr_blocks), head.size_names) > UINT32_MAX ||
	    head.nr_lines * sizeof(*k->line) + head.nr_blocks * sizeof(struct binary_block) +
	    head.size_names != len)
		return NULL;
	k = xcalloc(1, sizeof(*k));
	block = line + head.nr_lines * sizeof(*k->line);
	k->line = (const struct kallsyms_line *)line;
	k->nr = head.nr_lines;
	k->names = (const char *)block + head.nr_blocks * sizeof(struct binary_block);
	if (lines_are_right(k, head.size_names) && add_blocks(k, block, head.nr_blocks, head.size_names))
		return k;
	kallsyms_free(k);
	return NULL;
}
