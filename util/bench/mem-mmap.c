/* mem mmap: new memory is mapped, its pages are touched, and it is unmapped; the pages come on demand or at
 * once. */
#include "mem.h"
#include "team.h"
#include "../base/alloc.h"
#include "../base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct mmap_bench {
	const struct bench_opts *o;
	u64 size, page, loops;
	int flags;
	u32 *order;		/* in which pages are touched */
	u64 nr_pages;
};

static const char *const names[] = { "demand", "populate" };
static const char *const helps[] = { "pages come when they are touched", "pages come with the mapping" };

/* a permutation that depends only on the seed */
static void make_order(struct mmap_bench *b)
{
	u64 state = b->o->seed * 2862933555777941757ull + 3037000493ull;

	b->order = xcalloc(b->nr_pages, sizeof(*b->order));
	for (u64 i = 0; i < b->nr_pages; i++)
		b->order[i] = i;
	for (u64 i = b->nr_pages; b->o->random && i > 1; i--) {
		u64 k = (state = state * 2862933555777941757ull + 3037000493ull) >> 33;
		u32 other = b->order[k % i];

		b->order[k % i] = b->order[i - 1];
		b->order[i - 1] = other;
	}
}

static int work(struct bench_member *m)
{
	const struct mmap_bench *b = m->team->ctx;

	for (u64 i = 0; i < b->loops; i++) {
		volatile char *p = bench_mem_map(b->size, b->page, b->flags, NULL);

		if (!p)
			return -ENOMEM;
		for (u64 k = 0; k < b->nr_pages; k++)
			p[b->order[k] * b->page] = 1;
		bench_mem_unmap((void *)p, b->size, b->page);
	}
	return 0;
}

static int measure(struct mmap_bench *b, const struct bench_sink *sink, u32 row, struct err *err)
{
	struct bench_team team = { .size = b->o->threads ? b->o->threads : 1, .work = work, .ctx = b };
	u64 begin, ns;
	int ret;

	b->flags = row ? MAP_POPULATE : 0;
	bench_mem_begin(sink, names[row], helps[row], b->size);
	ret = bench_team_start(&team, &begin, err);
	if (!ret) {
		ret = bench_team_join(&team);
		ns = clock_ns(CLOCK_MONOTONIC) - begin;
		if (ret)
			err_sys(err, -ret, "cannot get %" PRIu64 " bytes of memory", b->size);
		else
			bench_mem_speed(sink, names[row], (double)b->size * b->loops * team.size, ns);
	}
	bench_team_release(&team);
	return ret;
}

int bench_mem_mmap(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	struct mmap_bench b = { .o = o, .size = o->size ? o->size : 1 << 20, .loops = o->loops ? o->loops : 1,
				.page = o->page ? o->page : (u64)sysconf(_SC_PAGESIZE) };
	int ret = bench_mem_names(o, sink, names, ARRAY_SIZE(names), helps, err);

	if (ret)
		return ret > 0 ? 0 : ret;
	b.nr_pages = (b.size + b.page - 1) / b.page;
	if (b.nr_pages > UINT32_MAX)
		return err_set(err, -EINVAL, "%" PRIu64 " bytes are too much", b.size);
	make_order(&b);
	for (u32 i = 0; !ret && i < ARRAY_SIZE(names); i++)
		if (bench_mem_wants(o, names[i]))
			ret = measure(&b, sink, i, err);
	free(b.order);
	return ret;
}
