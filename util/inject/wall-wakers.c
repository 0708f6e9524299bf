/* Wall-wakers: see wall-wakers.h. */
#include "wall-wakers.h"
#include "inject-private.h"
#include "../event/record-put.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>

struct wall_waker_note {
	s32 tid;
	u32 stack;
	u64 woken;
};

/* a map of a waker's address space, and where the process that waited has the same; start 0: nowhere */
struct wall_waker_map {
	const struct map *of;
	u32 maps;		/* of the process that waited */
	u64 start;
};

/* between the programs and the libraries of all processes */
#define FIRST_ADDRESS 0x200000000000ull
#define LAST_ADDRESS 0x300000000000ull

void wall_wakers_release(struct wall_wakers *w)
{
	vec_release(&w->note);
	hidx_release(&w->notes);
	vec_release(&w->map);
	hidx_release(&w->maps);
	vec_release(&w->chain);
}

static struct wall_waker_note *find_note(const struct wall_wakers *w, s32 tid)
{
	u32 i;

	HIDX_FOREACH(&w->notes, hash_u64((u32)tid), i)
		if (w->note.v[i].tid == tid)
			return &w->note.v[i];
	return NULL;
}

void wall_wakers_note(struct wall_wakers *w, s32 tid, u64 woken, u32 stack)
{
	struct wall_waker_note *n = find_note(w, tid);

	if (!n) {
		hidx_insert(&w->notes, hash_u64((u32)tid), w->note.nr);
		n = vec_add(&w->note);
	}
	*n = (struct wall_waker_note){ .tid = tid, .woken = woken, .stack = stack };
}

u32 wall_wakers_find(const struct wall_wakers *w, s32 tid, u64 woken)
{
	const struct wall_waker_note *n = find_note(w, tid);

	return n && n->woken == woken ? n->stack : WALL_NO_STACK;
}

/* ---- maps ---- */

/* it is there from the beginning of the process on, whatever is executed later */
static u64 put_map(struct wall_wakers *w, struct inject *in, const struct sample_ctx *ctx,
		   const struct map *m, struct strbuf *out)
{
	const struct dso *d = dsos_at(machine_dsos(in->session->machine), m->dso);
	u64 start = w->next ? w->next : FIRST_ADDRESS, len = m->end - m->start;
	u64 time = ctx->thread ? ctx->thread->birth.time : 0;
	struct rec_file_id file = { .maj = m->maj, .min = m->min, .ino = m->ino, .gen = m->ino_gen };
	struct strbuf trailer = STRBUF_INIT;

	if (d->buildid_len)
		file = (struct rec_file_id){ .id_len = d->buildid_len, .id = d->buildid };
	if (len > LAST_ADDRESS - start)
		return 0;
	w->next = ALIGN_UP(start + len, 1ull << 20);
	inject_put_trailer(in, &trailer, ctx->pid, ctx->pid, time);
	record_put(out, &(struct record_view){
		.type = REC_MMAP2, .misc = CPUMODE_USER | (d->buildid_len ? MISC_MMAP_BUILD_ID : 0),
		.mmap2 = { .pid = ctx->pid, .tid = ctx->pid, .addr = start, .len = len, .pgoff = m->pgoff,
			   .file = file,
			   .prot = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE, .filename = d->long_name } },
		trailer.buf, trailer.len);
	strbuf_release(&trailer);
	return start;
}

/* where the process that waits has that map; 0: it cannot be told */
static u64 start_of(struct wall_wakers *w, struct inject *in, const struct sample_ctx *ctx,
		    const struct map *m, struct strbuf *out)
{
	u64 hash = hash_u64((uintptr_t)m ^ (u64)ctx->maps << 48);
	struct wall_waker_map *map;
	u32 i;

	HIDX_FOREACH(&w->maps, hash, i)
		if (w->map.v[i].of == m && w->map.v[i].maps == ctx->maps)
			return w->map.v[i].start;
	hidx_insert(&w->maps, hash, w->map.nr);
	map = vec_add(&w->map);
	*map = (struct wall_waker_map){ .of = m, .maps = ctx->maps };
	if (dsos_at(machine_dsos(in->session->machine), m->dso)->kind == DSO_USER)
		map->start = put_map(w, in, ctx, m, out);
	return map->start;
}

/* ---- chains ---- */

struct wall_join {
	struct wall_wakers *w;
	struct inject *in;
	struct resolver *r;
	struct sample_ctx waiter, waker;
	struct strbuf *out;
};

/* an address of the waker as one of the process that waits; 0: it has none */
static u64 waiter_address(const struct wall_join *j, u64 ip)
{
	struct loc loc;
	u64 start;

	if (j->waker.maps == j->waiter.maps)
		return ip;
	loc = locator_find(&j->r->locator, &j->waker, CPUMODE_USER, ip);
	start = loc.map ? start_of(j->w, j->in, &j->waiter, loc.map, j->out) : 0;
	return start ? start + (ip - loc.map->start) : 0;
}

static void add_waker(const struct wall_join *j, const u64 *ip, u32 nr)
{
	bool user = false;

	for (u32 i = 0; i < nr; i++) {
		u64 at = ip[i];

		if (at >= PERF_CONTEXT_MAX)
			user = at == PERF_CONTEXT_USER;
		else if (user)
			at = waiter_address(j, at);
		if (at)
			vec_push(&j->w->chain, at);
	}
}

const u64 *wall_wakers_join(struct wall_wakers *w, struct inject *in, struct resolver *r,
			    const struct sequences *stacks, const struct wall_slice *s, struct strbuf *out,
			    u32 *ret_nr)
{
	struct wall_join j = { .w = w, .in = in, .r = r, .out = out };
	const u64 *ip;
	u32 nr;

	locator_ctx(&r->locator, s->pid, s->tid, (struct when){ s->begin, UINT64_MAX }, &j.waiter);
	locator_ctx(&r->locator, -1, s->waker, (struct when){ s->end, UINT64_MAX }, &j.waker);
	if (j.waiter.thread)
		j.waiter.pid = j.waiter.thread->pid;
	w->chain.nr = 0;
	ip = sequences_get(stacks, s->waker_stack, &nr);
	add_waker(&j, ip, nr);
	if (s->stack != WALL_NO_STACK) {
		ip = sequences_get(stacks, s->stack, &nr);
		for (u32 i = 0; i < nr; i++)
			vec_push(&w->chain, ip[i]);
	}
	*ret_nr = w->chain.nr;
	return w->chain.v;
}
