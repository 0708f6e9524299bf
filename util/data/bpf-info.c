/* BPF-info: see bpf-info.h. */
#include "bpf-info.h"

#include <linux/bpf.h>
#include <stddef.h>
#include <stdlib.h>
#include "../base/alloc.h"
#include "../base/cursor.h"

#define BTF_MAGIC 0xeb9f
#define INFO(field) offsetof(struct bpf_prog_info, field)

/* what an older kernel did not provide reads as 0 */
static struct cursor info_at(const struct bpf_info *b, size_t off)
{
	struct cursor c = cursor_of(b->info, b->info_len, b->swap);

	cursor_skip(&c, off);
	return c;
}

static u32 info_u32(const struct bpf_info *b, size_t off)
{
	struct cursor c = info_at(b, off);

	return cursor_u32(&c);
}

/*
 * the nth element of the array whose address is at off; bad if the array, of nr elements, is not in the data
 */
static struct cursor element(const struct bpf_info *b, size_t off, u32 nr, u32 size, u32 n)
{
	struct cursor info = info_at(b, off), c = cursor_of(b->data, b->data_len, b->swap);

	cursor_skip(&c, cursor_u64(&info));
	c.bad |= n >= nr || (u64)nr * size > cursor_left(&c);
	cursor_skip(&c, (u64)n * size);
	return c;
}

u32 bpf_info_id(const struct bpf_info *b)
{
	return info_u32(b, INFO(id));
}

u32 bpf_info_nr_functions(const struct bpf_info *b)
{
	u32 nr = MIN(info_u32(b, INFO(nr_jited_ksyms)), info_u32(b, INFO(nr_jited_func_lens)));
	struct cursor addrs = element(b, INFO(jited_ksyms), nr, 8, 0),
			lens = element(b, INFO(jited_func_lens), nr, 4, 0);

	return addrs.bad || lens.bad ? 0 : nr;
}

/*
 * u16 magic, u8 version, flags, u32 header length, offset and length of types, offset and length of strings
 */
struct btf_head {
	u16 magic;
	u8 version, flags;
	u32 hdr_len, type_off, type_len, str_off, str_len;
};

void bpf_types_index(struct bpf_types *t)
{
	/* number of bytes after the first 12 of each kind: per member, and once */
	static const struct { u8 each, once; } tail[] = {
		[1] = { 0, 4 }, [3] = { 0, 12 }, [4] = { 12, 0 }, [5] = { 12, 0 }, [6] = { 8, 0 },
		[13] = { 8, 0 }, [14] = { 0, 4 }, [15] = { 12, 0 }, [17] = { 0, 4 }, [19] = { 12, 0 },
	};
	const u8 *p = t->data;
	struct btf_head h;
	u64 off, end, strs;

	t->nr = 0;
	t->name = NULL;
	if (t->len < sizeof(h))
		return;
	memcpy(&h, p, sizeof(h));
	off = (u64)h.hdr_len + h.type_off;
	end = off + h.type_len;
	strs = (u64)h.hdr_len + h.str_off;
	if (h.magic != BTF_MAGIC || end > t->len || strs + h.str_len > t->len || !h.str_len ||
	    p[strs + h.str_len - 1])
		return;
	t->name = xcalloc(h.type_len / 12 + 1, sizeof(*t->name));
	while (off + 12 <= end) {
		struct cursor c = cursor_of(p + off, 8, false);
		u32 name = cursor_u32(&c), info = cursor_u32(&c), kind = info >> 24 & 31;

		t->name[t->nr++] = name && name < h.str_len ? strs + name : 0;
		off += 12;
		if (kind < ARRAY_SIZE(tail))
			off += tail[kind].once + (u64)tail[kind].each * (info & 0xffff);
	}
}

void bpf_types_release(struct bpf_types *t)
{
	free(t->name);
	t->name = NULL;
	t->nr = 0;
}

const char *bpf_types_name(const struct bpf_types *t, u32 id)
{
	return id && id <= t->nr && t->name[id - 1] ? (const char *)t->data + t->name[id - 1] : NULL;
}

u32 bpf_info_types(const struct bpf_info *b)
{
	return info_u32(b, INFO(btf_id));
}

static const char *type_name(const struct bpf_info *b, u32 n)
{
	u32 size = info_u32(b, INFO(func_info_rec_size)), type;
	struct cursor c = element(b, INFO(func_info), info_u32(b, INFO(nr_func_info)), size, n);

	cursor_u32(&c);		/* offset of the function in the program */
	type = cursor_u32(&c);
	return b->types && size >= 8 && !c.bad ? bpf_types_name(b->types, type) : NULL;
}

static void add_tag(const struct bpf_info *b, u32 n, struct strbuf *name)
{
	struct cursor c = element(b, INFO(prog_tags), info_u32(b, INFO(nr_prog_tags)), BPF_TAG_SIZE, n);

	if (c.bad)
		c = info_at(b, INFO(tag));
	for (u32 i = 0; i < BPF_TAG_SIZE; i++)
		strbuf_add_hex(name, cursor_u8(&c), 2, '0');
}

struct bpf_function bpf_info_function(const struct bpf_info *b, u32 n, struct strbuf *name)
{
	u32 nr = bpf_info_nr_functions(b);
	struct cursor addr = element(b, INFO(jited_ksyms), nr, 8, n),
			len = element(b, INFO(jited_func_lens), nr, 4, n);
	struct cursor own = info_at(b, INFO(name));
	const char *s = type_name(b, n);

	if (!s)
		s = nr == 1 ? cursor_str(&own, BPF_OBJ_NAME_LEN) : "F";
	strbuf_addstr(name, "bpf_prog_");
	add_tag(b, n, name);
	if (s && *s)
		strbuf_addf(name, "_%.200s", s);
	return (struct bpf_function){ cursor_u64(&addr), cursor_u32(&len) };
}

/* the image of a program is the code of its functions, one after another */
const void *bpf_info_code(const struct bpf_info *b, u32 n)
{
	struct cursor info = info_at(b, INFO(jited_prog_insns)), c = cursor_of(b->data, b->data_len, b->swap);
	u32 len = info_u32(b, INFO(jited_prog_len)), nr = bpf_info_nr_functions(b);
	u64 at = cursor_u64(&info), start = 0, size = 0;

	for (u32 i = 0; i <= n && i < nr; i++) {
		struct cursor one = element(b, INFO(jited_func_lens), nr, 4, i);

		start += size;
		size = cursor_u32(&one);
	}
	if (!b->has_code || n >= nr || start + size > len || at > b->data_len || len > b->data_len - at)
		return NULL;
	cursor_skip(&c, at + start);
	return cursor_bytes(&c, size);
}
