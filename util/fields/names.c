/* Names: frames are interned while counting and named once afterwards. */
#include "names.h"

#include <stdlib.h>
#include "../sym/lines.h"

/* the whole key is in the slot, and what changes often, so that an access costs one miss of the cache */
struct frame_slot {
	u64 addr, ip;
	u32 dso;
	u32 id_and_mode;	/* id + 1 in the upper 29 bits; 0: free */
};
#define FRAMES_FIRST_SLOTS 1024u

static u64 frame_hash(u32 dso, u64 addr)
{
	return hash_u64(hash_mix(dso, addr));
}

u32 frame_part(u32 dso, u64 addr, u32 bits)
{
	return bits ? frame_hash(dso, addr) >> (64 - bits) : 0;	/* slots go by the other end */
}

static u32 frame_slot_of(const struct frames *f, u32 dso, u64 addr)
{
	return frame_hash(dso, addr) & f->mask;
}

static void frames_grow(struct frames *f, u32 size)
{
	struct frame_slot *old = f->slot;
	u32 nr_old = old ? f->mask + 1 : 0;

	f->slot = xcalloc_hot(size, sizeof(*f->slot));
	f->mask = size - 1;
	for (u32 i = 0; i < nr_old; i++) {
		u32 pos = frame_slot_of(f, old[i].dso, old[i].addr);

		if (!old[i].id_and_mode)
			continue;
		while (f->slot[pos].id_and_mode)
			pos = (pos + 1) & f->mask;
		f->slot[pos] = old[i];
	}
	free(old);
}

u32 frames_add(struct frames *f, u32 dso, u8 cpumode, u64 addr, u64 ip)
{
	struct frame_slot *s;
	u32 pos;

	if (unlikely(!f->slot || f->frame.nr >= (f->mask + 1) / 4 * 3))
		frames_grow(f, f->slot ? (f->mask + 1) * 2 : FRAMES_FIRST_SLOTS);
	for (pos = frame_slot_of(f, dso, addr); (s = &f->slot[pos])->id_and_mode; pos = (pos + 1) & f->mask) {
		if (s->addr != addr || s->dso != dso || (dso == WORLD_NONE && (s->id_and_mode & 7) != cpumode))
			continue;
		if (ip < s->ip)
			s->ip = ip;
		return (s->id_and_mode >> 3) - 1;
	}
	*s = (struct frame_slot){ addr, ip, dso, ((u32)f->frame.nr + 1) << 3 | cpumode };
	vec_push(&f->frame, (struct frame){ .dso = dso, .cpumode = cpumode, .addr = addr, .ip = ip });
	return f->frame.nr - 1;
}

void frames_reserve(struct frames *f, u32 nr)
{
	u32 size = FRAMES_FIRST_SLOTS;

	while (nr >= size / 4 * 3 && size < 1u << 30)
		size *= 2;
	if (!f->slot)
		frames_grow(f, size);
}

void frames_prefetch(const struct frames *f, u32 dso, u64 addr)
{
	if (f->slot)
		__builtin_prefetch(&f->slot[frame_slot_of(f, dso, addr)]);
}

void frames_freeze(struct frames *f)
{
	for (u32 i = 0; f->slot && i <= f->mask; i++)
		if (f->slot[i].id_and_mode)
			f->frame.v[(f->slot[i].id_and_mode >> 3) - 1].ip = f->slot[i].ip;
	free(f->slot);
	f->slot = NULL;
	f->mask = 0;
}

void frames_release(struct frames *f)
{
	vec_release(&f->frame);
	free(f->slot);
	f->slot = NULL;
}

char frame_level(const struct frame *f)
{
	switch (f->cpumode) {
	case CPUMODE_KERNEL:
		return 'k';
	case CPUMODE_GUEST_KERNEL:
		return 'g';
	case CPUMODE_GUEST_USER:
		return 'u';
	case CPUMODE_HYPERVISOR:
		return 'H';
	default:
		return '.';
	}
}

/* unpacking debug information takes as long as anything here: not one dso after the other behind all tables */
static void open_lines(void *ctx, u32 dso)
{
	struct names *n = ctx;

	if (dsos_at(world_dsos(n->session->world), dso)->kind == DSO_USER)
		lines_open(n->inline_lines, dso);
}

static void load_tables(struct names *n)
{
	size_t nr_dsos = world_dsos(n->session->world)->dso.nr;
	u8 *seen = xcalloc(nr_dsos + 1, 1);
	struct { VEC(u32); } ids = { 0 };

	vec_foreach(&n->frames.frame, f) {
		if (f->dso == WORLD_NONE || seen[f->dso])
			continue;
		seen[f->dso] = 1;
		vec_push(&ids, f->dso);
	}
	symbols_load_then(n->session->symbols, n->session->pool, ids.v, ids.nr, n->inline_lines ? open_lines : NULL, n);
	vec_release(&ids);
	free(seen);
}

struct find_task {
	struct names *n;
	u32 *sym;
	struct find_batch {
		VEC(u32);	/* frames with lines */
	} *batch;
};
#define FIND_BATCH 8192

static bool has_lines(const struct names *n, u32 dso)
{
	return n->inline_lines && !lines_none(n->inline_lines, dso) && dsos_at(world_dsos(n->session->world), dso)->kind == DSO_USER;
}

static void find_batch(void *arg, unsigned int worker, size_t batch)
{
	struct find_task *t = arg;
	const struct names *n = t->n;
	size_t end = MIN((batch + 1) * FIND_BATCH, n->frames.frame.nr);

	for (size_t i = batch * FIND_BATCH; i < end; i++) {
		const struct frame *f = &n->frames.frame.v[i];

		t->sym[i] = f->dso == WORLD_NONE ? WORLD_NONE :
			    symbols_find_idx(n->session->symbols, f->dso, f->addr);
		if (t->sym[i] != WORLD_NONE && has_lines(n, f->dso))
			vec_push(&t->batch[batch], i);
	}
}

static void find_symbols(struct names *n, u32 *sym)
{
	size_t nr_batches = (n->frames.frame.nr + FIND_BATCH - 1) / FIND_BATCH;
	struct find_task t = { .n = n, .sym = sym, .batch = xcalloc(nr_batches, sizeof(*t.batch)) };

	pool_run_shown(n->session->pool, "finding functions", nr_batches, find_batch, &t);
	for (size_t b = 0; b < nr_batches; b++) {
		vec_foreach(&t.batch[b], frame)
			vec_push(&n->with_lines, *frame);
		vec_release(&t.batch[b]);
	}
	free(t.batch);
}

static u32 name_add(struct names *n, u32 frame, u32 sym)
{
	vec_push(&n->named, (struct named){ .dso = n->frames.frame.v[frame].dso, .sym = sym, .frame = frame });
	return n->named.nr - 1;
}

/* by position in a dso's table: number of its name plus one */
static u32 *table_names(u32 **of_dso, const struct names *n, u32 dso)
{
	if (!of_dso[dso])
		of_dso[dso] = xcalloc(symbols_table(n->session->symbols, dso)->nr, sizeof(u32));
	return of_dso[dso];
}

/* frames with the same symbol get the same id; a frame without one is a name of its own */
static void assign_named(struct names *n, const u32 *sym)
{
	size_t nr_dsos = world_dsos(n->session->world)->dso.nr;
	u32 **of_dso = xcalloc(nr_dsos, sizeof(*of_dso));

	for (u32 i = 0; i < n->frames.frame.nr; i++) {
		u32 *known;

		if (sym[i] == WORLD_NONE) {
			n->named_of[i] = name_add(n, i, WORLD_NONE);
			continue;
		}
		known = &table_names(of_dso, n, n->frames.frame.v[i].dso)[sym[i]];
		if (!*known)
			*known = name_add(n, i, sym[i]) + 1;
		n->named_of[i] = *known - 1;
	}
	for (size_t d = 0; d < nr_dsos; d++)
		free(of_dso[d]);
	free(of_dso);
}

static void name_batch(void *arg, unsigned int worker, size_t batch)
{
	struct names *n = arg;
	size_t end = MIN((batch + 1) * FIND_BATCH, n->named.nr);

	for (size_t i = batch * FIND_BATCH; i < end; i++) {
		struct named *nm = &n->named.v[i];

		if (nm->sym != WORLD_NONE)
			nm->name = symbols_name(n->session->symbols, nm->dso, nm->sym, &n->worker_arena[worker].arena);
	}
}

/* demangling is the larger part of naming */
static void find_names(struct names *n)
{
	n->nr_arenas = pool_nr_workers(n->session->pool);
	n->worker_arena = xcalloc_aligned(n->nr_arenas, sizeof(*n->worker_arena));
	pool_run_shown(n->session->pool, "naming functions", (n->named.nr + FIND_BATCH - 1) / FIND_BATCH, name_batch, n);
}

void names_resolve(struct names *n, bool symbols, bool inlines)
{
	size_t nr = n->frames.frame.nr;
	u32 *sym = xreallocarray(NULL, nr + 1, sizeof(u32));

	n->named_of = xreallocarray(NULL, nr + 1, sizeof(u32));
	n->dso_text = xcalloc(world_dsos(n->session->world)->dso.nr + 1, sizeof(u32));
	if (inlines)
		n->inline_lines = lines_new(n->session->symbols, world_dsos(n->session->world)->dso.nr, false);
	if (symbols) {
		load_tables(n);
		find_symbols(n, sym);
	} else {
		for (size_t i = 0; i < nr; i++)
			sym[i] = WORLD_NONE;
	}
	assign_named(n, sym);
	find_names(n);
	free(sym);
}

void names_take_lowest(struct names *n)
{
	for (u32 i = 0; i < n->frames.frame.nr; i++) {
		struct named *nm = &n->named.v[n->named_of[i]];

		if (n->frames.frame.v[i].addr < n->frames.frame.v[nm->frame].addr)
			nm->frame = i;
	}
}

void names_release(struct names *n)
{
	frames_release(&n->frames);
	free(n->named_of);
	free(n->dso_text);
	lines_free(n->lines);
	lines_free(n->inline_lines);
	free(n->inl_start);
	vec_release(&n->with_lines);
	vec_release(&n->inl);
	vec_release(&n->named);
	strtab_release(&n->texts);
	arena_release(&n->arena);
	for (u32 i = 0; i < n->nr_arenas; i++)
		arena_release(&n->worker_arena[i].arena);
	free(n->worker_arena);
}
