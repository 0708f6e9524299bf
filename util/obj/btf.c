/* Btf: see btf.h. */
#include "btf.h"
#include "../base/fs.h"
#include "../base/hash.h"
#include "../base/vec.h"

#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>

/* newer than some headers */
#define KIND_DECL_TAG 17u
#define KIND_TYPE_TAG 18u
#define KIND_ENUM64 19u

struct btf {
	struct strbuf bytes;
	bool swap;
	const char *text;		/* the strings; the last byte is 0 */
	u32 text_len;
	struct cursor types;		/* the section */
	struct { VEC(u32); } at;	/* by id: place in the section; [0] is void */
	struct hidx by_name;
};

/* bytes after the head of a type; -1: a kind that nobody knows */
static s64 rest_of(u32 kind, u32 nr)
{
	switch (kind) {
	case BTF_KIND_PTR: case BTF_KIND_FWD: case BTF_KIND_TYPEDEF: case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST: case BTF_KIND_RESTRICT: case BTF_KIND_FUNC: case BTF_KIND_FLOAT:
	case KIND_TYPE_TAG:
		return 0;
	case BTF_KIND_INT: case BTF_KIND_VAR: case KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return 12;
	case BTF_KIND_STRUCT: case BTF_KIND_UNION: case BTF_KIND_DATASEC: case KIND_ENUM64:
		return 12 * (s64)nr;
	case BTF_KIND_ENUM: case BTF_KIND_FUNC_PROTO:
		return 8 * (s64)nr;
	default:
		return -1;
	}
}

static const char *text_at(const struct btf *b, u32 off)
{
	return off < b->text_len ? b->text + off : "";
}

static bool refers(u32 kind)
{
	switch (kind) {
	case BTF_KIND_PTR: case BTF_KIND_TYPEDEF: case BTF_KIND_VOLATILE: case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT: case BTF_KIND_FUNC: case BTF_KIND_FUNC_PROTO: case BTF_KIND_VAR:
	case KIND_TYPE_TAG: case KIND_DECL_TAG:
		return true;
	default:
		return false;
	}
}

/* the type at the cursor, which moves past it */
static bool read_type(const struct btf *b, struct cursor *c, struct btf_entry *ret)
{
	u32 name = cursor_u32(c), info = cursor_u32(c), word = cursor_u32(c), kind = BTF_INFO_KIND(info);
	s64 rest = rest_of(kind, BTF_INFO_VLEN(info));
	const void *p;

	if (c->bad || rest < 0)
		return false;
	p = cursor_bytes(c, rest);
	if (c->bad)
		return false;
	*ret = (struct btf_entry){ .name = text_at(b, name), .kind = kind, .nr = BTF_INFO_VLEN(info),
				   .flag = info >> 31, .rest = cursor_of(p, rest, b->swap) };
	if (refers(kind))
		ret->type = word;
	else
		ret->size = word;
	return true;
}

static u64 name_hash(u32 kind, const char *name)
{
	return hash_mix(hash_str(name), kind);
}

static int index_types(struct btf *b, struct err *err)
{
	struct cursor c = b->types;
	struct btf_entry e;

	vec_push(&b->at, 0);
	while (cursor_left(&c)) {
		u32 at = c.p - b->types.p;

		if (!read_type(b, &c, &e))
			return err_set(err, -EBADMSG, "BTF: type %zu is damaged or of an unknown kind",
				       b->at.nr);
		if (*e.name)
			hidx_insert(&b->by_name, name_hash(e.kind, e.name), b->at.nr);
		vec_push(&b->at, at);
	}
	return 0;
}

static int read_head(struct btf *b, struct err *err)
{
	struct cursor c = cursor_of(b->bytes.buf, b->bytes.len, false), all;
	u32 head, type_off, type_len, str_off;
	u16 magic = cursor_u16(&c);

	b->swap = c.swap = magic == __builtin_bswap16(BTF_MAGIC);
	cursor_skip(&c, 2);
	head = cursor_u32(&c);
	type_off = cursor_u32(&c);
	type_len = cursor_u32(&c);
	str_off = cursor_u32(&c);
	b->text_len = cursor_u32(&c);
	if (c.bad || (magic != BTF_MAGIC && !b->swap))
		return err_set(err, -EBADMSG, "these bytes are not BTF");
	all = cursor_of(b->bytes.buf, b->bytes.len, b->swap);
	cursor_skip(&all, head);
	c = all;
	cursor_skip(&c, str_off);
	b->text = cursor_bytes(&c, b->text_len);
	cursor_skip(&all, type_off);
	b->types = cursor_of(cursor_bytes(&all, type_len), type_len, b->swap);
	if (c.bad || all.bad || !b->text_len || b->text[b->text_len - 1])
		return err_set(err, -EBADMSG, "BTF: a section is outside of the bytes");
	return 0;
}

struct btf *btf_new(struct strbuf *bytes, struct err *err)
{
	struct btf *b = xcalloc(1, sizeof(*b));

	b->bytes = *bytes;
	*bytes = (struct strbuf)STRBUF_INIT;
	if (!read_head(b, err) && !index_types(b, err))
		return b;
	btf_free(b);
	return NULL;
}

/* where types and strings lie; false: not BTF of this byte order, or damaged */
static bool find_sections(const struct strbuf *s, struct cursor *ret_types, struct cursor *ret_text)
{
	struct cursor c = cursor_of(s->buf, s->len, false), all = c;
	u32 head, type_off, type_len, str_off, str_len;
	const void *types, *text;

	if (cursor_u16(&c) != BTF_MAGIC)
		return false;
	cursor_skip(&c, 2);
	head = cursor_u32(&c);
	type_off = cursor_u32(&c);
	type_len = cursor_u32(&c);
	str_off = cursor_u32(&c);
	str_len = cursor_u32(&c);
	cursor_skip(&all, head);
	c = all;
	cursor_skip(&all, type_off);
	types = cursor_bytes(&all, type_len);
	cursor_skip(&c, str_off);
	text = cursor_bytes(&c, str_len);
	*ret_types = cursor_of(types, type_len, false);
	*ret_text = cursor_of(text, str_len, false);
	return types && text && !c.bad && !all.bad;
}

struct btf *btf_new_of_module(struct strbuf *base, struct strbuf *bytes, struct err *err)
{
	struct strbuf all = STRBUF_INIT;
	struct cursor types[2], text[2];
	struct btf_header h = { .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(h) };
	struct btf *b = NULL;

	if (find_sections(base, &types[0], &text[0]) && find_sections(bytes, &types[1], &text[1])) {
		h.type_len = h.str_off = cursor_left(&types[0]) + cursor_left(&types[1]);
		h.str_len = cursor_left(&text[0]) + cursor_left(&text[1]);
		strbuf_add(&all, &h, sizeof(h));
		for (int i = 0; i < 2; i++)
			strbuf_add(&all, types[i].p, cursor_left(&types[i]));
		for (int i = 0; i < 2; i++)
			strbuf_add(&all, text[i].p, cursor_left(&text[i]));
		b = btf_new(&all, err);
	} else {
		err_set(err, -EBADMSG, "these bytes are not BTF");
	}
	strbuf_release(base);
	strbuf_release(bytes);
	return b;
}

struct btf *btf_read_kernel(struct err *err)
{
	static const char path[] = "/sys/kernel/btf/vmlinux";
	struct strbuf bytes = STRBUF_INIT;
	int ret = fs_read(path, &bytes);

	if (!ret)
		return btf_new(&bytes, err);
	strbuf_release(&bytes);
	err_sys(err, -ret, "the types of the kernel (%s) cannot be read", path);
	err_hint(err, "kernels with CONFIG_DEBUG_INFO_BTF have them");
	return NULL;
}

void btf_free(struct btf *b)
{
	if (!b)
		return;
	strbuf_release(&b->bytes);
	vec_release(&b->at);
	hidx_release(&b->by_name);
	free(b);
}

/* ---- types ---- */

u32 btf_nr(const struct btf *b)
{
	return b->at.nr;
}

bool btf_get(const struct btf *b, u32 id, struct btf_entry *ret)
{
	struct cursor c = b->types;

	if (!id || id >= b->at.nr)
		return false;
	cursor_skip(&c, b->at.v[id]);
	return read_type(b, &c, ret);
}

u32 btf_find(const struct btf *b, u32 kind, const char *name)
{
	struct btf_entry e;
	u32 id;

	HIDX_FOREACH(&b->by_name, name_hash(kind, name), id)
		if (btf_get(b, id, &e) && e.kind == kind && !strcmp(e.name, name))
			return id;
	return 0;
}

static bool is_modifier(u32 kind)
{
	return kind == BTF_KIND_TYPEDEF || kind == BTF_KIND_CONST || kind == BTF_KIND_VOLATILE ||
	       kind == BTF_KIND_RESTRICT || kind == KIND_TYPE_TAG;
}

u32 btf_skip(const struct btf *b, u32 id)
{
	struct btf_entry e;

	for (u32 i = 0; i < BTF_MAX_STEPS && btf_get(b, id, &e); i++) {
		if (!is_modifier(e.kind))
			return id;
		id = e.type;
	}
	return 0;
}

bool btf_field_at(const struct btf *b, const struct btf_entry *e, u32 i, struct btf_field *ret)
{
	bool of_struct = e->kind == BTF_KIND_STRUCT || e->kind == BTF_KIND_UNION;
	struct cursor c = e->rest;
	u32 place;

	if (i >= e->nr || (!of_struct && e->kind != BTF_KIND_FUNC_PROTO))
		return false;
	cursor_skip(&c, (u64)i * (of_struct ? 12 : 8));
	*ret = (struct btf_field){ .name = text_at(b, cursor_u32(&c)) };
	ret->type = cursor_u32(&c);
	place = of_struct ? cursor_u32(&c) : 0;
	ret->bit = e->flag ? place & 0xffffff : place;
	ret->bits = e->flag ? place >> 24 : 0;
	return !c.bad;
}

bool btf_value_at(const struct btf *b, const struct btf_entry *e, u32 i, const char **ret_name, s64 *ret)
{
	struct cursor c = e->rest;
	u32 low;

	if (i >= e->nr || (e->kind != BTF_KIND_ENUM && e->kind != KIND_ENUM64))
		return false;
	cursor_skip(&c, (u64)i * (e->kind == BTF_KIND_ENUM ? 8 : 12));
	*ret_name = text_at(b, cursor_u32(&c));
	low = cursor_u32(&c);
	*ret = e->kind == KIND_ENUM64 ? (s64)((u64)cursor_u32(&c) << 32 | low) : e->flag ? (s64)(s32)low :
		(s64)low;
	return !c.bad;
}

const char *btf_value_name(const struct btf *b, const struct btf_entry *e, s64 value)
{
	const char *name;
	s64 v;

	for (u32 i = 0; btf_value_at(b, e, i, &name, &v); i++)
		if (v == value)
			return name;
	return NULL;
}

bool btf_prototype(const struct btf *b, const char *function, struct btf_entry *ret)
{
	u32 id = btf_find(b, BTF_KIND_FUNC, function);
	struct btf_entry e;

	return id && btf_get(b, id, &e) && btf_get(b, e.type, ret) && ret->kind == BTF_KIND_FUNC_PROTO;
}

u64 btf_size(const struct btf *b, u32 id)
{
	u64 times = 1;

	for (u32 i = 0; i < BTF_MAX_STEPS; i++) {
		struct btf_entry e;
		struct cursor c;

		id = btf_skip(b, id);
		if (!btf_get(b, id, &e))
			return 0;
		if (e.kind == BTF_KIND_PTR)
			return times * sizeof(u64);
		if (e.kind != BTF_KIND_ARRAY)
			return refers(e.kind) || e.kind == BTF_KIND_FWD ? 0 : times * e.size;
		c = e.rest;
		id = cursor_u32(&c);
		cursor_skip(&c, 4);
		/* of numbers below 2^32 each, so that the product cannot wrap around unseen */
		if (__builtin_mul_overflow(times, (u64)cursor_u32(&c), &times) || times > UINT32_MAX)
			return 0;
	}
	return 0;
}

struct search {
	const struct btf *b;
	const char *member;
	u32 left;	/* members that may still be looked at: structs can contain each other */
	u64 bit;			/* the result */
	struct btf_field field;
};
#define SEARCH_MAX 65536u
#define SEARCH_DEPTH 8u

/* looks also into members that have no name themselves */
static bool find_member(struct search *s, u32 type, u32 depth, u64 base)
{
	struct btf_entry e;
	struct btf_field m;

	if (depth > SEARCH_DEPTH || !btf_get(s->b, btf_skip(s->b, type), &e) ||
	    (e.kind != BTF_KIND_STRUCT && e.kind != BTF_KIND_UNION))
		return false;
	for (u32 i = 0; s->left && btf_field_at(s->b, &e, i, &m); i++, s->left--) {
		if (!strcmp(m.name, s->member)) {
			s->bit = base + m.bit;
			s->field = m;
			return true;
		}
		if (!*m.name && find_member(s, m.type, depth + 1, base + m.bit))
			return true;
	}
	return false;
}

bool btf_member(const struct btf *b, u32 id, const char *name, struct btf_field *ret)
{
	struct search s = { .b = b, .member = name, .left = SEARCH_MAX };

	if (!find_member(&s, id, 0, 0) || s.bit > INT32_MAX)
		return false;
	*ret = s.field;
	ret->bit = s.bit;
	return true;
}

bool btf_array(const struct btf *b, u32 id, u32 *ret_type, u32 *ret_nr)
{
	struct btf_entry e;

	if (!btf_get(b, btf_skip(b, id), &e) || e.kind != BTF_KIND_ARRAY)
		return false;
	*ret_type = cursor_u32(&e.rest);
	cursor_skip(&e.rest, 4);
	*ret_nr = cursor_u32(&e.rest);
	return !e.rest.bad;
}

bool btf_is_signed(const struct btf *b, u32 id)
{
	struct btf_entry e;

	if (!btf_get(b, btf_skip(b, id), &e))
		return false;
	if (e.kind == BTF_KIND_ENUM || e.kind == KIND_ENUM64)
		return e.flag;
	return e.kind == BTF_KIND_INT && (BTF_INT_ENCODING(cursor_u32(&e.rest)) & BTF_INT_SIGNED);
}

int btf_offset(const struct btf *b, const char *type, const char *member, u32 *ret, struct err *err)
{
	struct search s = { .b = b, .member = member, .left = SEARCH_MAX };

	if (!find_member(&s, btf_find(b, BTF_KIND_STRUCT, type), 0, 0) || s.bit % 8 ||
	    s.bit / 8 > INT16_MAX)
		return err_set(err, -ENOENT, "struct %s of this kernel has no usable member '%s'", type,
			       member);
	*ret = s.bit / 8;
	return 0;
}

bool btf_cpu_variable(const struct btf *b, const char *name, u32 *ret)
{
	u32 variable = btf_find(b, BTF_KIND_VAR, name);
	struct btf_entry e;

	if (!variable || !btf_get(b, btf_find(b, BTF_KIND_DATASEC, ".data..percpu"), &e))
		return false;
	for (u32 i = 0; i < e.nr && !e.rest.bad; i++) {
		u32 type = cursor_u32(&e.rest), offset = cursor_u32(&e.rest);

		cursor_skip(&e.rest, sizeof(u32));
		if (type != variable || e.rest.bad)
			continue;
		*ret = offset;
		return true;
	}
	return false;
}

/* ---- text ---- */

static const char *word_of(u32 kind)
{
	switch (kind) {
	case BTF_KIND_STRUCT: return "struct ";
	case BTF_KIND_UNION: return "union ";
	case BTF_KIND_ENUM: case KIND_ENUM64: return "enum ";
	case BTF_KIND_FWD: return "struct ";
	case BTF_KIND_CONST: return "const ";
	case BTF_KIND_VOLATILE: return "volatile ";
	default: return "";
	}
}

/* stars and brackets, which stand after the name of what is pointed to, are collected first */
void btf_add_type_name(const struct btf *b, u32 id, struct strbuf *out)
{
	struct strbuf after = STRBUF_INIT;
	struct btf_entry e;

	for (u32 i = 0; i < BTF_MAX_STEPS; i++) {
		if (!btf_get(b, id, &e)) {
			strbuf_addstr(out, "void");
			break;
		}
		strbuf_addstr(out, word_of(e.kind));
		if (e.kind == BTF_KIND_PTR) {
			strbuf_addch(&after, '*');
		} else if (e.kind == BTF_KIND_ARRAY) {
			strbuf_addstr(&after, "[]");
			e.type = cursor_u32(&e.rest);
		} else if (e.kind == BTF_KIND_FUNC_PROTO) {
			strbuf_addstr(out, "function");
			break;
		} else if (e.kind == BTF_KIND_TYPEDEF || (!is_modifier(e.kind) && *e.name)) {
			strbuf_add_safe(out, e.name);
			break;
		} else if (!is_modifier(e.kind)) {
			strbuf_addstr(out, "(unnamed)");
			break;
		}
		id = e.type;
	}
	if (after.len)
		strbuf_addf(out, " %s", after.buf);
	strbuf_release(&after);
}
