/*
 * Dump-maps: the code of jitdump files as maps in the copy, at the times when it was made, as the session
 * adds them to the machine (session/jit-maps.h): without the dump, addresses are still in its functions. A
 * map is a copy of the dump's recorded map with another address, so it is written after that one.
 */
#include "inject-private.h"
#include "../base/log.h"
#include "../base/timesort.h"
#include "../event/record-put.h"
#include "../session/jit-maps.h"

#include <string.h>

/* code of a dump, at an address from a time on */
struct dump_place {
	u32 dump;		/* position in session->jit */
	u64 addr, len, off;
};

/* the record that maps a dump */
struct dump_map {
	struct record_view v;	/* type 0: it has not passed yet */
	s32 pid, tid;
};

struct dump_maps_state {
	struct dump_map *map;	/* by position in session->jit */
	struct { VEC(struct dump_place); } place;
	struct { VEC(struct time_ref); } order;		/* time -> place */
	size_t next;					/* position in order */
	struct arena arena;
};

static void read_dump(struct inject *in, u32 nr)
{
	const struct session_jit *j = &in->session->jit.v[nr];
	struct dump_maps_state *st = in->dump_maps;
	struct jit_codes codes = { 0 };
	struct err why = ERR_INIT;
	struct jit_entry e;
	struct jitdump d;
	u64 off;

	if (jitdump_open_of(&d, j->path, j->pid, in->session->is_local, &why)) {
		log_warn_err(&why);
		return;
	}
	while (jitdump_next(&d, &e)) {
		off = e.code_off;
		if (e.kind == JIT_MOVE && !jit_codes_get(&codes, e.old_addr, &off))
			continue;
		jit_codes_set(&codes, e.addr, off);
		vec_push(&st->order,
			 (struct time_ref){ session_jit_time(in->session, j, &d, &e), st->place.nr });
		vec_push(&st->place, (struct dump_place){ nr, e.addr, e.len, off });
	}
	jit_codes_release(&codes);
	jitdump_close(&d);
}

int dump_maps_start(struct inject *in, struct err *err UNUSED)
{
	struct dump_maps_state *st = in->dump_maps = xcalloc(1, sizeof(*st));
	const struct session *s = in->session;
	struct { VEC(struct time_ref); } tmp = { 0 };

	st->map = xcalloc(s->jit.nr + 1, sizeof(*st->map));
	for (u32 i = 0; i < s->jit.nr; i++)
		read_dump(in, i);
	vec_reserve(&tmp, st->order.nr + 1);
	if (st->order.nr)
		time_sort(st->order.v, st->order.nr, tmp.v);
	vec_release(&tmp);
	return 0;
}

/* keeps the first record that maps each dump */
static void keep_map(struct inject *in, const struct rec *rec)
{
	struct dump_maps_state *st = in->dump_maps;
	struct record_map map;
	struct record_view v;

	if ((rec->type != REC_MMAP && rec->type != REC_MMAP2) || record_decode(rec, &v) ||
	    !record_map_of(&v, &map))
		return;
	for (size_t i = 0; i < in->session->jit.nr; i++) {
		const struct session_jit *j = &in->session->jit.v[i];
		struct rec copy = *rec;

		if (st->map[i].v.type || j->pid != map.pid || strcmp(j->path, map.filename))
			continue;
		copy.p = arena_memdup(&st->arena, rec->p, rec->size);
		record_decode(&copy, &st->map[i].v);
		st->map[i].pid = j->pid;
		st->map[i].tid = j->tid;
	}
}

static int write_place(struct inject *in, const struct dump_place *p, u64 time)
{
	const struct dump_map *m = &in->dump_maps->map[p->dump];
	struct record_view v = m->v;
	struct strbuf trailer = STRBUF_INIT, rec = STRBUF_INIT;
	int ret = 0;

	if (v.type == REC_MMAP) {
		v.mmap.addr = p->addr;
		v.mmap.len = p->len;
		v.mmap.pgoff = p->off;
	} else {
		v.mmap2.addr = p->addr;
		v.mmap2.len = p->len;
		v.mmap2.pgoff = p->off;
	}
	inject_put_trailer(in, &trailer, m->pid, m->tid, time);
	if (record_put(&rec, &v, trailer.buf, trailer.len))
		ret = inject_emit(in, rec.buf);
	strbuf_release(&trailer);
	strbuf_release(&rec);
	return ret;
}

/* maps come before the first record that is not older, and after the map of their dump */
int dump_maps_record(struct inject *in, const struct rec *rec, u64 time)
{
	struct dump_maps_state *st = in->dump_maps;
	int ret = 0;

	while (!ret && time && st->next < st->order.nr && st->order.v[st->next].time <= time &&
	       st->map[st->place.v[st->order.v[st->next].ref].dump].v.type) {
		const struct time_ref *o = &st->order.v[st->next++];

		ret = write_place(in, &st->place.v[o->ref], o->time);
	}
	keep_map(in, rec);
	return ret ? ret : 1;
}

void dump_maps_end(struct inject *in)
{
	struct dump_maps_state *st = in->dump_maps;

	if (!st)
		return;
	vec_release(&st->place);
	vec_release(&st->order);
	arena_release(&st->arena);
	free(st->map);
	free(st);
	in->dump_maps = NULL;
}
