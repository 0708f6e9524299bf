/* Code and its blocks: see pt-code.h. */
#include "pt-code.h"
#include "../base/alloc.h"
#include "../base/arena.h"
#include "../machine/locator.h"
#include "../sym/code-source.h"

#include <elf.h>
#include <stdlib.h>

#define BLOCKS_MAX (1u << 15)
#define SLOTS (2 * BLOCKS_MAX)
#define INSN_MAX 15u

/* opened once */
struct code_file {
	u32 dso;
	struct code_source *source;	/* NULL: there is no code of that build */
};

/* a mapping of code: addresses [lo, hi) of a task are the file's bytes at address + delta */
struct code_image {
	u32 dso;
	bool is64;
	u64 delta;
	const u8 *byte;		/* of the file */
	u64 size;
};

struct pt_code {
	struct locator locator;
	const struct symbols *symbols;
	const struct arch *arch;	/* of programs that are read */
	struct sample_ctx ctx;
	bool is64;
	struct { VEC(struct code_file); } file;
	struct { VEC(struct code_image); } image;
	/* the image of the last address, and where else it holds */
	u32 last;		/* ID_NONE: not known */
	u64 lo, hi, from, to, key;
	struct pt_block *block;
	u32 nr, drops;
	u16 walk;
	u32 *slot;		/* number of a block + 1 */
	struct arena lens;
};

struct pt_code *pt_code_new(const struct machine *m, const struct symbols *symbols, const struct arch *arch)
{
	struct pt_code *c = xcalloc(1, sizeof(*c));

	locator_init(&c->locator, m);
	c->symbols = symbols;
	c->arch = arch;
	c->last = ID_NONE;
	c->block = xcalloc(BLOCKS_MAX, sizeof(*c->block));
	c->slot = xcalloc(SLOTS, sizeof(*c->slot));
	return c;
}

void pt_code_free(struct pt_code *c)
{
	if (!c)
		return;
	locator_release(&c->locator);
	vec_foreach(&c->file, f)
		code_source_free(f->source);
	vec_release(&c->file);
	vec_release(&c->image);
	arena_release(&c->lens);
	free(c->block);
	free(c->slot);
	free(c);
}

void pt_code_set(struct pt_code *c, const struct sample_ctx *ctx, bool is64)
{
	if (ctx->maps != c->ctx.maps || is64 != c->is64 || ctx->when.time <= c->from ||
	    ctx->when.time >= c->to)
		c->last = ID_NONE;
	c->ctx = *ctx;
	c->is64 = is64;
}

const u32 *pt_code_drops(const struct pt_code *c)
{
	return &c->drops;
}

u16 pt_code_new_walk(struct pt_code *c)
{
	if (!++c->walk)
		c->walk = 1;
	return c->walk;
}

static const struct code_source *file_of(struct pt_code *c, u32 dso)
{
	struct code_file f = { .dso = dso };

	vec_foreach(&c->file, known)
		if (known->dso == dso)
			return known->source;
	f.source = code_source_open(c->symbols, dso);
	if (f.source && arch_by_machine(code_source_machine(f.source)) != c->arch) {
		code_source_free(f.source);
		f.source = NULL;
	}
	vec_push(&c->file, f);
	return f.source;
}

static u32 image_of(struct pt_code *c, u32 dso, const struct code_source *source, u64 delta)
{
	struct code_image im = { .dso = dso, .is64 = c->is64, .delta = delta };

	for (size_t i = 0; i < c->image.nr; i++)
		if (c->image.v[i].dso == dso && c->image.v[i].delta == delta && c->image.v[i].is64 == c->is64)
			return i;
	im.byte = code_source_bytes(source, &im.size);
	vec_push(&c->image, im);
	return c->image.nr - 1;
}

static bool find_image(struct pt_code *c, u64 ip)
{
	const struct locator_region *r = locator_region(&c->locator, &c->ctx,
							ip >> 63 ? CPUMODE_KERNEL : CPUMODE_USER, ip);

	const struct code_source *source = r->dso == ID_NONE ? NULL : file_of(c, r->dso);
	const struct code_extent *span = source ? code_source_extent(source, ip + r->delta) : NULL;

	c->last = span ? image_of(c, r->dso, source, r->delta + span->shift) : ID_NONE;
	c->lo = r->lo;
	c->hi = r->hi;
	if (span) {
		c->lo = MAX(r->lo, ip - (ip + r->delta - span->lo));
		c->hi = MIN(r->hi, ip + (span->hi - (ip + r->delta)));
	}
	c->from = r->from;
	c->to = r->to;
	return c->last != ID_NONE;
}

static inline bool in_last(const struct pt_code *c, u64 ip)
{
	return c->last != ID_NONE && ip >= c->lo && ip < c->hi;
}

u32 pt_code_read(struct pt_code *c, u64 ip, u8 *to, u32 size)
{
	const struct code_image *im;
	u64 off, end;

	if (!in_last(c, ip) && !find_image(c, ip))
		return 0;
	im = &c->image.v[c->last];
	off = ip + im->delta;
	end = MIN(im->size, c->hi + im->delta);
	if (off >= end)
		return 0;
	size = MIN((u64)size, end - off);
	memcpy(to, im->byte + off, size);
	return size;
}

u32 pt_code_dso(struct pt_code *c, u64 ip)
{
	return locator_region(&c->locator, &c->ctx, ip >> 63 ? CPUMODE_KERNEL : CPUMODE_USER, ip)->dso;
}

static inline u32 slot_of(u64 ip, u32 image)
{
	return (ip + image * 0x9e3779b9ull) * 0x9e3779b97f4a7c15ull >> 48 & (SLOTS - 1);
}

static void drop_blocks(struct pt_code *c)
{
	memset(c->slot, 0, SLOTS * sizeof(*c->slot));
	arena_reset(&c->lens);
	c->nr = 0;
	c->drops++;
}

/* reads instructions up to the first branch, or as many as fit a block */
static bool read_block(const struct pt_code *c, u64 ip, struct pt_block *b, u8 *len)
{
	const struct code_image *im = &c->image.v[c->last];
	u64 off = ip + im->delta, end = MIN(im->size, c->hi + im->delta), at = off;

	if (off >= end)
		return false;
	*b = (struct pt_block){ .ip = ip, .image = c->last, .byte = im->byte + off };
	while (b->nr < PT_BLOCK_INSNS && at < end && !b->kind) {
		struct arch_flow flow;

		if (!c->arch->insn_flow(im->byte + at, MIN(end - at, (u64)INSN_MAX), c->is64, &flow))
			break;
		b->last_ip = ip + (at - off);
		at += flow.len;
		b->next_ip = ip + (at - off);
		b->target = b->next_ip + flow.distance;
		b->kind = flow.kind;
		len[b->nr++] = flow.len;
	}
	if (!c->is64)
		b->target &= UINT32_MAX;
	return b->nr;
}

struct pt_block *pt_code_block(struct pt_code *c, u64 ip)
{
	u8 len[PT_BLOCK_INSNS];
	struct pt_block *b;
	u32 slot;

	if (!in_last(c, ip) && !find_image(c, ip))
		return NULL;
	for (slot = slot_of(ip, c->last); c->slot[slot]; slot = (slot + 1) & (SLOTS - 1)) {
		b = &c->block[c->slot[slot] - 1];
		if (b->ip == ip && b->image == c->last)
			return b;
	}
	if (c->nr == BLOCKS_MAX) {
		drop_blocks(c);
		slot = slot_of(ip, c->last);
	}
	b = &c->block[c->nr];
	if (!read_block(c, ip, b, len))
		return NULL;
	b->len = arena_memdup(&c->lens, len, b->nr);
	c->slot[slot] = ++c->nr;
	return b;
}

struct pt_block *pt_code_find(struct pt_code *c, struct pt_block *b, bool jump)
{
	u32 drops = c->drops, image = b->image;
	struct pt_block *ret = pt_code_block(c, jump ? b->target : b->next_ip);

	if (ret && drops == c->drops && ret->image == image)
		b->to[jump] = ret;
	return ret;
}
