/* Sympack: see sympack.h. */
#include "sympack.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/cursor.h"
#include "../base/strtab.h"
#include "../base/search.h"

#define VERSION 1u
#define HEADER_SIZE 8u

enum { FLAG_ADJUST = 1, FLAG_DEBUG_INFO = 2, FLAG_SPARE = 4 };

struct pack_writer {
	struct strbuf *out, strings;
	struct strtab known;
	struct { VEC(u32); } at;	/* by id in known: offset in strings */
};

static void put(struct pack_writer *w, u64 v)
{
	do {
		strbuf_addch(w->out, (v & 0x7f) | (v > 0x7f ? 0x80 : 0));
		v >>= 7;
	} while (v);
}

static void put_text(struct pack_writer *w, const char *s)
{
	u32 id = strtab_add(&w->known, s ? s : "");

	while (w->at.nr <= id) {
		const char *text = strtab_get(&w->known, w->at.nr);

		vec_push(&w->at, w->strings.len);
		strbuf_add(&w->strings, text, strlen(text) + 1);
	}
	put(w, w->at.v[id]);
}

static void put_lines(struct pack_writer *w, const struct sympack_dso *d)
{
	u64 before = 0;

	put(w, d->nr_lines);
	for (u32 i = 0; i < d->nr_lines; i++) {
		const struct line_info *info = &d->line[i].info;

		put(w, d->line[i].addr - before);
		before = d->line[i].addr;
		put_text(w, info->file);
		put(w, info->line);
		put(w, info->nr_inlined);
		for (u32 k = 0; k < info->nr_inlined; k++) {
			put_text(w, info->inlined[k].name);
			put_text(w, info->inlined[k].file);
			put(w, info->inlined[k].line);
		}
	}
}

static void put_symbols(struct pack_writer *w, const struct sympack_dso *d)
{
	u64 before = 0;

	put(w, d->nr_segs);
	for (u32 i = 0; i < d->nr_segs; i++) {
		put(w, d->seg[i].vaddr);
		put(w, d->seg[i].off);
		put(w, d->seg[i].filesz);
		put(w, d->seg[i].memsz);
		put(w, d->seg[i].exec);
	}
	put(w, d->nr_syms);
	for (u32 i = 0; i < d->nr_syms; i++) {
		put(w, d->sym[i].start - before);
		before = d->sym[i].start;
		put(w, d->sym[i].end - d->sym[i].start);
		put_text(w, d->sym[i].name);
		strbuf_addch(w->out, d->sym[i].binding);
		strbuf_addch(w->out, d->sym[i].type);
	}
}

static void put_dso(struct pack_writer *w, const struct sympack_dso *d)
{
	put(w, d->kind);
	put_text(w, d->name);
	strbuf_addch(w->out, d->id_len);
	strbuf_add(w->out, d->id, d->id_len);
	put(w, d->ino);
	put(w, d->ino_gen);
	put(w, d->maj);
	put(w, d->min);
	put(w, (u32)d->pid);
	strbuf_addch(w->out, d->letter);
	strbuf_addch(w->out, (d->adjust ? FLAG_ADJUST : 0) | (d->debug_info ? FLAG_DEBUG_INFO : 0) |
			     (d->spare ? FLAG_SPARE : 0));
	put_text(w, d->file);
	put_text(w, d->reason);
	put_symbols(w, d);
	put_lines(w, d);
}

void sympack_write(struct strbuf *out, const struct sympack_dso *dso, u32 nr)
{
	struct strbuf body = STRBUF_INIT;
	struct pack_writer w = { .out = &body, .strings = STRBUF_INIT };
	u32 header[2];

	put(&w, nr);
	for (u32 i = 0; i < nr; i++)
		put_dso(&w, &dso[i]);
	/* a reader that finds no NUL at its end refuses it */
	if (!w.strings.len)
		strbuf_addch(&w.strings, '\0');
	header[0] = htole32(VERSION);
	header[1] = htole32(w.strings.len);
	strbuf_add(out, header, sizeof(header));
	strbuf_add(out, w.strings.buf, w.strings.len);
	strbuf_add(out, body.buf, body.len);
	strbuf_release(&body);
	strbuf_release(&w.strings);
	strtab_release(&w.known);
	vec_release(&w.at);
}

struct pack_reader {
	struct cursor c;
	const char *strings;
	u32 size;
	struct arena *arena;
};

static u64 get(struct pack_reader *r)
{
	u64 v = 0;
	u8 b;

	for (u32 shift = 0; shift < 64; shift += 7) {
		b = cursor_u8(&r->c);
		v |= (u64)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	r->c.bad = true;
	return 0;
}

static u32 get_u32(struct pack_reader *r)
{
	u64 v = get(r);

	r->c.bad |= v > UINT32_MAX;
	return v;
}

static const char *get_text(struct pack_reader *r)
{
	u64 at = get(r);

	if (at >= r->size)
		r->c.bad = true;
	return at < r->size ? r->strings + at : "";
}

/* a count of items of at least that many bytes each; 0 if the rest is too short for them */
static u32 get_count(struct pack_reader *r, u32 each)
{
	u64 nr = get(r);

	if (r->c.bad || nr > cursor_left(&r->c) / each) {
		r->c.bad = true;
		return 0;
	}
	return nr;
}

static void get_symbols(struct pack_reader *r, struct sympack_dso *d)
{
	struct elf_segment *seg;
	struct symbol *sym;
	u64 start = 0;

	d->nr_segs = get_count(r, 5);
	d->seg = seg = arena_zalloc(r->arena, d->nr_segs * sizeof(*seg));
	for (u32 i = 0; i < d->nr_segs; i++) {
		seg[i].vaddr = get(r);
		seg[i].off = get(r);
		seg[i].filesz = get(r);
		seg[i].memsz = get(r);
		seg[i].exec = get(r);
	}
	d->nr_syms = get_count(r, 5);
	d->sym = sym = arena_zalloc(r->arena, d->nr_syms * sizeof(*sym));
	for (u32 i = 0; i < d->nr_syms; i++) {
		u64 gap = get(r), size = get(r);

		r->c.bad |= gap > UINT64_MAX - start || size > UINT64_MAX - start - gap;
		start += gap;
		sym[i].start = start;
		sym[i].end = start + size;
		sym[i].name = get_text(r);
		sym[i].binding = cursor_u8(&r->c);
		sym[i].type = cursor_u8(&r->c);
	}
}

static void get_lines(struct pack_reader *r, struct sympack_dso *d)
{
	struct sympack_line *line;
	u64 addr = 0;

	d->nr_lines = get_count(r, 4);
	d->line = line = arena_zalloc(r->arena, d->nr_lines * sizeof(*line));
	for (u32 i = 0; i < d->nr_lines && !r->c.bad; i++) {
		struct line_call *call;
		u64 gap = get(r);

		r->c.bad |= gap > UINT64_MAX - addr;
		addr += gap;
		line[i].addr = addr;
		line[i].info.file = get_text(r);
		line[i].info.line = get_u32(r);
		line[i].info.nr_inlined = get_count(r, 3);
		line[i].info.inlined = call =
			arena_zalloc(r->arena, line[i].info.nr_inlined * sizeof(*call));
		for (u32 k = 0; k < line[i].info.nr_inlined; k++) {
			call[k].name = get_text(r);
			call[k].file = get_text(r);
			call[k].line = get_u32(r);
		}
	}
}

static void get_dso(struct pack_reader *r, struct sympack_dso *d)
{
	const u8 *id;
	u8 flags;

	d->kind = get_u32(r);
	d->name = get_text(r);
	d->id_len = cursor_u8(&r->c);
	r->c.bad |= d->id_len > sizeof(d->id);
	id = cursor_bytes(&r->c, d->id_len);
	if (id)
		memcpy(d->id, id, d->id_len);
	d->ino = get(r);
	d->ino_gen = get(r);
	d->maj = get_u32(r);
	d->min = get_u32(r);
	d->pid = get_u32(r);
	d->letter = cursor_u8(&r->c);
	flags = cursor_u8(&r->c);
	d->adjust = flags & FLAG_ADJUST;
	d->debug_info = flags & FLAG_DEBUG_INFO;
	d->spare = flags & FLAG_SPARE;
	d->file = get_text(r);
	d->reason = get_text(r);
	get_symbols(r, d);
	get_lines(r, d);
}

/* a dso has at least that many numbers and bytes */
#define DSO_MIN 15u

struct sympack *sympack_read(const void *p, u64 size, struct err *err)
{
	struct sympack *ret = xcalloc(1, sizeof(*ret));
	struct pack_reader r = { .c = cursor_of(p, size, false), .arena = &ret->arena };
	u32 version = le32toh(cursor_u32(&r.c));
	const char *strings;

	r.size = le32toh(cursor_u32(&r.c));
	strings = cursor_bytes(&r.c, r.size);
	if (version != VERSION || !strings || !r.size || strings[r.size - 1]) {
		sympack_free(ret);
		err_set(err, -EBADMSG, version > VERSION ? "they are of a later version of perf pack" :
			"they are damaged");
		return NULL;
	}
	/* the file may be cut while it is read */
	r.strings = arena_memdup(&ret->arena, strings, r.size);
	((char *)r.strings)[r.size - 1] = '\0';
	ret->nr = get_count(&r, DSO_MIN);
	ret->dso = arena_zalloc(&ret->arena, ret->nr * sizeof(*ret->dso));
	for (u32 i = 0; i < ret->nr && !r.c.bad; i++) {
		get_dso(&r, &ret->dso[i]);
		hidx_insert(&ret->idx, hash_str(ret->dso[i].name), i);
	}
	if (!r.c.bad)
		return ret;
	sympack_free(ret);
	err_set(err, -EBADMSG, "they are damaged");
	return NULL;
}

void sympack_free(struct sympack *p)
{
	if (!p)
		return;
	hidx_release(&p->idx);
	arena_release(&p->arena);
	free(p);
}

bool sympack_is_whole(const struct sympack *p)
{
	for (u32 i = 0; i < p->nr; i++)
		if (p->dso[i].spare)
			return false;
	return true;
}

const struct sympack_line *sympack_line(const struct sympack_dso *d, u64 addr)
{
	u32 lo = LOWER_BOUND(d->nr_lines, i, d->line[i].addr < addr);

	return lo < d->nr_lines && d->line[lo].addr == addr ? &d->line[lo] : NULL;
}
