/*
 * Bytes in memory by the kernel's types (BTF): members of structs that no row of structs.def describes. Types
 * and bytes may be hostile: both are read inside of their bounds, and what is printed is bounded.
 */
#include "put.h"

#include <linux/btf.h>
#include "../obj/btf.h"

#define KIND_ENUM64 19u		/* newer than some headers */
#define DEPTH_MAX 8u		/* structs inside of structs */
#define VALUES_MAX 512u		/* of one argument */
#define ELEMENTS_MAX 32u	/* of one array */

/* what is being printed: left: members and elements that may still be looked at */
struct btf_walk {
	const struct put *p;
	const struct btf *b;
	u32 left, depth;
};

static void put_one(struct btf_walk *w, u32 id, struct cursor c);

/* a member with a size in bits: its bytes are those of the kernel that runs */
static u64 read_bits(const struct btf_field *m, struct cursor *c)
{
	u32 nr = (m->bit % 8 + m->bits + 7) / 8, shift = m->bit % 8;
	const u8 *p = cursor_bytes(c, nr);
	u64 v = 0;

	if (!p || nr > sizeof(v) || m->bits >= 64) {
		c->bad = true;
		return 0;
	}
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	for (u32 i = nr; i--;)
		v = v << 8 | p[i];
#else
	for (u32 i = 0; i < nr; i++)
		v = v << 8 | p[i];
	shift = 8 * nr - shift - m->bits;
#endif
	return v >> shift & ((1ull << m->bits) - 1);
}

static bool all_zero(const struct cursor *c)
{
	for (const u8 *p = c->p; p < c->end; p++)
		if (*p)
			return false;
	return true;
}

/* the bytes of a member; bad: they are not there, or nobody knows how many */
static struct cursor bytes_of(const struct btf_walk *w, const struct btf_field *m, struct cursor c)
{
	u64 size = m->bits ? (m->bit % 8 + m->bits + 7) / 8 : btf_size(w->b, m->type);
	const void *p;

	cursor_skip(&c, m->bit / 8);
	p = cursor_bytes(&c, size);
	c.bad |= !size;
	return c.bad ? c : cursor_of(p, size, c.swap);
}

static bool is_struct(const struct btf_walk *w, u32 id)
{
	struct btf_entry e;

	return btf_get(w->b, btf_skip(w->b, id), &e) &&
	       (e.kind == BTF_KIND_STRUCT || e.kind == BTF_KIND_UNION);
}

/*
 * Members, including members of unnamed structs; *sep comes before the next one. False: some are not printed,
 * because they are 0 or their bytes are missing.
 */
static bool put_members(struct btf_walk *w, u32 id, struct cursor c, const char **sep)
{
	struct strbuf *out = w->p->out;
	struct btf_entry e = { 0 };
	struct btf_field m;
	bool all = true;

	btf_get(w->b, btf_skip(w->b, id), &e);
	if (++w->depth > DEPTH_MAX)
		e.nr = 0;
	for (u32 i = 0; btf_field_at(w->b, &e, i, &m); i++) {
		struct cursor at = bytes_of(w, &m, c), bits = at;
		u64 v = m.bits ? read_bits(&m, &bits) : 0;

		if (!w->left || at.bad || bits.bad ||
		    (!w->p->o->show_zeros && (m.bits ? !v : all_zero(&at)))) {
			all = false;
			if (!w->left)
				break;
			continue;
		}
		w->left--;
		if (!*m.name && is_struct(w, m.type)) {
			all &= put_members(w, m.type, at, sep);
			continue;
		}
		strbuf_addstr(out, *sep);
		strbuf_addch(out, '.');
		strbuf_add_safe(out, m.name);
		strbuf_addstr(out, ": ");
		*sep = ", ";
		if (m.bits)
			strbuf_add_u64(out, v, 0);
		else
			put_one(w, m.type, at);
	}
	w->depth--;
	return all && e.nr;
}

static void put_whole(struct btf_walk *w, u32 id, struct cursor c)
{
	const char *sep = "{ ";
	bool all = put_members(w, id, c, &sep);

	if (!all) {
		strbuf_addstr(w->p->out, sep);
		strbuf_addstr(w->p->out, "...");
	}
	strbuf_addstr(w->p->out, " }");
}

static void put_enum(const struct put *p, const struct btf *b, const struct btf_entry *e, u64 v)
{
	u32 size = MIN(e->size, 8u);
	const char *name;

	if (size && size < 8)
		v = e->flag ? (u64)((s64)(v << (64 - 8 * size)) >> (64 - 8 * size)) :
			v & ((1ull << 8 * size) - 1);
	name = btf_value_name(b, e, v);
	if (name)
		strbuf_add_safe(p->out, name);
	else
		put_int(p, NULL, v);
}

static void put_number(struct btf_walk *w, struct btf_entry *e, struct cursor *c)
{
	u32 how = cursor_u32(&e->rest) >> 24, size = cursor_left(c);
	u64 v;

	if (size != 1 && size != 2 && size != 4 && size != 8) {
		strbuf_addstr(w->p->out, "...");
		return;
	}
	v = put_read(c, size);
	if (how & BTF_INT_SIGNED)
		put_int(w->p, NULL, (u64)((s64)(v << (64 - 8 * size)) >> (64 - 8 * size)));
	else
		put_uint(w->p, NULL, v);
}

static bool is_char(const struct btf *b, u32 id)
{
	struct btf_entry e;

	for (u32 i = 0; i < BTF_MAX_STEPS && btf_get(b, id, &e); i++) {
		if (e.kind == BTF_KIND_INT)
			return !strcmp(e.name, "char");
		if (e.kind == BTF_KIND_TYPEDEF)
			return false;		/* __u8 is a number */
		id = e.type;
	}
	return false;
}

static void put_elements(struct btf_walk *w, struct btf_entry *e, struct cursor c)
{
	u32 id = cursor_u32(&e->rest), nr;
	u64 size = btf_size(w->b, id);
	bool more;

	cursor_skip(&e->rest, 4);
	nr = cursor_u32(&e->rest);
	if (size == 1 && is_char(w->b, id)) {
		size_t len = cursor_left(&c);

		put_quoted(w->p, cursor_bytes(&c, len), len, false, true);
		return;
	}
	strbuf_addch(w->p->out, '[');
	more = !size || ++w->depth > DEPTH_MAX;
	for (u32 i = 0; i < nr && !more; i++) {
		const void *p = cursor_bytes(&c, size);

		more = !p || i == ELEMENTS_MAX || !w->left;
		if (more)
			break;
		w->left--;
		strbuf_addstr(w->p->out, i ? ", " : "");
		put_one(w, id, cursor_of(p, size, c.swap));
	}
	if (size)
		w->depth--;
	strbuf_addstr(w->p->out, more ? ", ...]" : "]");
}

/* c: all bytes of the value */
static void put_one(struct btf_walk *w, u32 id, struct cursor c)
{
	struct btf_entry e = { 0 };

	id = btf_skip(w->b, id);
	btf_get(w->b, id, &e);
	switch (e.kind) {
	case BTF_KIND_INT:
		put_number(w, &e, &c);
		break;
	case BTF_KIND_PTR:
		put_address(w->p, put_read(&c, MIN(cursor_left(&c), sizeof(u64))));
		break;
	case BTF_KIND_ENUM: case KIND_ENUM64:
		put_enum(w->p, w->b, &e, put_read(&c, MIN(cursor_left(&c), sizeof(u64))));
		break;
	case BTF_KIND_STRUCT: case BTF_KIND_UNION:
		put_whole(w, id, c);
		break;
	case BTF_KIND_ARRAY:
		put_elements(w, &e, c);
		break;
	default:
		strbuf_addstr(w->p->out, "...");
	}
}

void put_btf(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	struct btf_walk w = { .p = p, .b = type->btf, .left = VALUES_MAX };
	u64 size = MIN(cursor_left(c), type->size64 == 1 ? UINT64_MAX : type->size64);

	if (!w.b || !size) {
		c->bad = true;
		return;
	}
	put_one(&w, type->btf_type, cursor_of(cursor_bytes(c, size), size, c->swap));
}

void put_btf_value(const struct put *p, const struct syscall_type *type, u64 v)
{
	struct btf_entry e;

	if (type->btf && btf_get(type->btf, type->btf_type, &e))
		put_enum(p, type->btf, &e, v);
	else
		put_int(p, NULL, v);
}
