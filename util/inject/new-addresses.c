/* New-addresses: see new-addresses.h. */
#include "new-addresses.h"
#include "../event/callchain.h"
#include "../base/search.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE_BITS 12u
#define PAGE (1ull << PAGE_BITS)
/* places are equal to the former ones up to the largest page that a system has */
#define SAME_BITS 16u
#define SAME (1ull << SAME_BITS)

/*
 * Kinds of addresses stay what they are for readers: user space, kernel, and what cannot be an address (or
 * has a tag in its upper byte). Ranges have the room from to up to pages, and single pages that after it.
 * Generated code is rarely at such places: its files with names, which contain addresses, then give no name
 * rather than a wrong one.
 */
static const struct {
	u64 first, to, pages;
} kinds[] = {
	{ PAGE,		0x0000100000000000, 0x0000400000000000 },
	{ 1ull << 56,	0x0100000000000000, 0x0200000000000000 },
	{ 1ull << 63,	0xffff000000000000, 0xffffe00000000000 },
};

static size_t kind_of(u64 addr)
{
	size_t i = ARRAY_SIZE(kinds) - 1;

	while (i && addr < kinds[i].first)
		i--;
	return i;
}

void new_addresses_add(struct new_addresses *n, u64 addr, u64 len)
{
	u64 last = addr + (len ? len - 1 : 0);

	vec_push(&n->range, (struct moved_range){ .first = addr & ~(PAGE - 1), .order = n->range.nr,
		 .last = (last < addr ? UINT64_MAX : last) | (PAGE - 1) });
}

static int cmp_first(const void *a, const void *b)
{
	const struct moved_range *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int cmp_order(const void *a, const void *b)
{
	const struct moved_range *x = a, *y = b;

	return x->order < y->order ? -1 : x->order > y->order;
}

static void join_ranges(struct new_addresses *n)
{
	struct moved_range *out = n->range.v;

	vec_foreach(&n->range, r) {
		if (r == n->range.v)
			continue;
		if (r->first <= out->last) {
			out->last = MAX(out->last, r->last);
			out->order = MIN(out->order, r->order);
		} else {
			*++out = *r;
		}
	}
	n->range.nr = out - n->range.v + 1;
}

int new_addresses_place(struct new_addresses *n)
{
	u64 next[ARRAY_SIZE(kinds)];

	if (!n->range.nr)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		next[i] = kinds[i].to;
	qsort(n->range.v, n->range.nr, sizeof(*n->range.v), cmp_first);
	join_ranges(n);
	qsort(n->range.v, n->range.nr, sizeof(*n->range.v), cmp_order);
	vec_foreach(&n->range, r) {
		size_t kind = kind_of(r->first);
		u64 size = r->last - r->first;

		r->to = next[kind] + (r->first & (SAME - 1));
		if (size >= kinds[kind].pages - r->to)
			return -E2BIG;
		/* ranges do not touch: an address at the end of one is not in the next */
		next[kind] = ALIGN_UP(r->to + size + PAGE, SAME);
		if (next[kind] >= kinds[kind].pages - SAME)
			return -E2BIG;
	}
	qsort(n->range.v, n->range.nr, sizeof(*n->range.v), cmp_first);
	return 0;
}

static bool contains(const struct moved_range *r, u64 addr)
{
	return addr >= r->first && addr <= r->last;
}

static const struct moved_range *find_range(struct new_addresses *n, u64 addr)
{
	size_t lo;

	if (n->last < n->range.nr && contains(&n->range.v[n->last], addr))
		return &n->range.v[n->last];
	lo = LOWER_BOUND(n->range.nr, i, n->range.v[i].last < addr);
	n->last = lo;
	return lo < n->range.nr && contains(&n->range.v[lo], addr) ? &n->range.v[lo] : NULL;
}

static u64 new_page(struct new_addresses *n, u64 page)
{
	u64 hash = hash_u64(page);

	return vec_find_or_add(&n->page, &n->page_idx, hash, e, *e == page, page) - n->page.v;
}

u64 new_address(struct new_addresses *n, u64 addr)
{
	const struct moved_range *r;

	if (addr < PAGE || addr >= (u64)-PAGE || addr - CHAIN_VSYSCALL < CHAIN_VSYSCALL_SIZE)
		return addr;
	r = find_range(n, addr);
	if (r)
		return addr - r->first + r->to;
	return kinds[kind_of(addr)].pages + new_page(n, addr >> PAGE_BITS) * PAGE + addr % PAGE;
}

bool new_addresses_has(struct new_addresses *n, u64 addr, u64 len)
{
	const struct moved_range *r = find_range(n, addr);

	return r && (!len || len - 1 <= r->last - addr);
}

void new_addresses_release(struct new_addresses *n)
{
	vec_release(&n->range);
	vec_release(&n->page);
	hidx_release(&n->page_idx);
}
