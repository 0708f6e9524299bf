/*
 * Kernel-patches: see kernel-patches.h. Both tables have numbers of 32 bits that are relative to their own
 * places. __jump_table: the instruction, the target, and 8 bytes of the key; since Linux 4.20.
 * __ex_table: the instruction that may fault, where code goes on then, and on most machines what handles it.
 */
#include "kernel-patches.h"
#include "../base/search.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#define JUMP_SIZE 16u
#define TABLE_MAX (64u << 20)

struct patched_jump {
	u64 from, to;
};

struct kernel_patches {
	struct { VEC(struct patched_jump); } jump;	/* by from */
	struct { VEC(u64); } target;			/* sorted */
	u64 fentry;
};

static bool table_of(struct elf_image *im, const char *name, u64 *start, u64 *end)
{
	const struct elf_obj *o = elf_image_file(im);
	char first[64], last[64];

	snprintf(first, sizeof(first), "__start_%s", name);
	snprintf(last, sizeof(last), "__stop_%s", name);
	return elf_obj_symbol_value(o, first, start) && elf_obj_symbol_value(o, last, end) &&
	       *end >= *start && *end - *start <= TABLE_MAX;
}

/* the address to which the relative number at a place points */
static bool points_to(struct elf_image *im, u64 at, u64 *ret)
{
	u64 word;

	if (!elf_image_number(im, at, 4, &word))
		return false;
	*ret = at + (u64)(s64)(s32)word;
	return true;
}

static bool is_code(struct elf_image *im, u64 svma)
{
	vec_foreach(&elf_image_file(im)->seg, s)
		if (s->exec && svma >= s->vaddr && svma - s->vaddr < s->memsz)
			return true;
	return false;
}

static bool read_jumps(struct kernel_patches *p, struct elf_image *im)
{
	struct patched_jump j;
	u64 start, end;

	if (!table_of(im, "__jump_table", &start, &end))
		return false;
	for (u64 at = start; end - at >= JUMP_SIZE; at += JUMP_SIZE) {
		/* tables of older kernels have another layout */
		if (!points_to(im, at, &j.from) || !points_to(im, at + 4, &j.to) || !is_code(im, j.from) ||
		    !is_code(im, j.to))
			return false;
		vec_push(&p->jump, j);
		vec_push(&p->target, j.to);
	}
	return true;
}

/* all that a word of the table points to, so the size of an entry need not be known */
static bool read_faults(struct kernel_patches *p, struct elf_image *im)
{
	u64 start, end, to;

	if (!table_of(im, "__ex_table", &start, &end))
		return false;
	for (u64 at = start; end - at >= 4; at += 4) {
		if (!points_to(im, at, &to))
			return false;
		if (is_code(im, to))
			vec_push(&p->target, to);
	}
	return true;
}

static int by_from(const void *x, const void *y)
{
	const struct patched_jump *a = x, *b = y;

	return a->from < b->from ? -1 : a->from > b->from;
}

static int by_value(const void *x, const void *y)
{
	const u64 *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

struct kernel_patches *kernel_patches_new(struct elf_image *im)
{
	struct kernel_patches *p;

	if (!im || elf_image_file(im)->ehdr.e_type == ET_REL)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	if (!read_jumps(p, im) || !read_faults(p, im)) {
		kernel_patches_free(p);
		return NULL;
	}
	if (p->jump.nr)
		qsort(p->jump.v, p->jump.nr, sizeof(*p->jump.v), by_from);
	if (p->target.nr)
		qsort(p->target.v, p->target.nr, sizeof(*p->target.v), by_value);
	if (!elf_obj_symbol_value(elf_image_file(im), "__fentry__", &p->fentry))
		p->fentry = 0;
	return p;
}

void kernel_patches_free(struct kernel_patches *p)
{
	if (!p)
		return;
	vec_release(&p->jump);
	vec_release(&p->target);
	free(p);
}

bool kernel_patches_jump(const struct kernel_patches *p, u64 addr, u64 *ret_to)
{
	const struct patched_jump key = { .from = addr }, *found = NULL;

	if (p->jump.nr)
		found = bsearch(&key, p->jump.v, p->jump.nr, sizeof(key), by_from);
	if (found)
		*ret_to = found->to;
	return found;
}

void kernel_patches_targets(const struct kernel_patches *p, u64 start, u64 end,
			    void (*found)(void *ctx, u64 addr), void *ctx)
{
	size_t lo = LOWER_BOUND(p->target.nr, i, p->target.v[i] < start);

	for (; lo < p->target.nr && p->target.v[lo] < end; lo++)
		found(ctx, p->target.v[lo]);
}

u64 kernel_patches_fentry(const struct kernel_patches *p)
{
	return p->fentry;
}
