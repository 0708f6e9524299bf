/* Jit-maps: side-band from jitdump files. */
#include "jit-maps.h"
#include "../base/log.h"
#include "../base/units.h"
#include "../event/record.h"
#include "../obj/sympack.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define DUMPS_MAX 1024u
#define CODES_MAX (4u << 20)	/* functions of all dumps */

/* offsets in MMAP and MMAP2 */
#define MAP_ADDR_OFF 16u
#define MAP_LEN_OFF 24u
#define MAP_PGOFF_OFF 32u

void jit_codes_set(struct jit_codes *c, u64 addr, u64 value)
{
	vec_find_or_add(&c->code, &c->idx, hash_u64(addr), o, o->addr == addr,
			(struct jit_code){ .addr = addr })->value = value;
}

bool jit_codes_get(const struct jit_codes *c, u64 addr, u64 *ret_value)
{
	u32 i;

	HIDX_FOREACH(&c->idx, hash_u64(addr), i)
		if (c->code.v[i].addr == addr) {
			*ret_value = c->code.v[i].value;
			return true;
		}
	return false;
}

void jit_codes_release(struct jit_codes *c)
{
	hidx_release(&c->idx);
	vec_release(&c->code);
}

bool session_jit_clock(const struct session *s)
{
	const struct evset *set = s->data->evset;
	const struct pe_attr *a = set->ev.nr ? &set->ev.v[0]->attr : NULL;

	return s->has_time && a && a->flags & ATTR_USE_CLOCKID && a->clockid == CLOCK_MONOTONIC;
}

u64 session_jit_time(const struct session *s, const struct session_jit *j, const struct jitdump *d,
		     const struct jit_entry *e)
{
	return d->cpu_clock || !session_jit_clock(s) ? j->time : MAX(e->time, j->time);
}

/* true if a record maps a dump; *ret points into the record */
static bool maps_dump(const struct rec *r, struct session_jit *ret)
{
	struct record_view v;
	const char *name;

	if ((r->type != REC_MMAP && r->type != REC_MMAP2) ||
	    (r->misc & MISC_CPUMODE_MASK) != CPUMODE_USER || record_decode(r, &v))
		return false;
	name = r->type == REC_MMAP2 ? v.mmap2.filename : v.mmap.filename;
	if (*name != '/' || !jitdump_is_name(name))
		return false;
	*ret = (struct session_jit){ .path = (char *)name };
	ret->pid = r->type == REC_MMAP2 ? v.mmap2.pid : v.mmap.pid;
	ret->tid = r->type == REC_MMAP2 ? v.mmap2.tid : v.mmap.tid;
	return true;
}

static bool is_listed(const struct session *s, const struct session_jit *j)
{
	for (size_t i = 0; i < s->jit.nr; i++)
		if (s->jit.v[i].pid == j->pid && !strcmp(s->jit.v[i].path, j->path))
			return true;
	return false;
}

static void put_u64_at(const struct rec *r, u32 off, u64 v)
{
	v = r->swap ? bswap_64(v) : v;
	memcpy((u8 *)r->p + off, &v, sizeof(v));
}

/* the map of the dump with other numbers is the map of a function in it */
static void add_map(struct sideband *sb, struct rec like, u64 time, const struct jit_entry *e, u64 code_off)
{
	like.p = arena_memdup(&sb->arena, like.p, like.size);
	put_u64_at(&like, MAP_ADDR_OFF, e->addr);
	put_u64_at(&like, MAP_LEN_OFF, e->len);
	put_u64_at(&like, MAP_PGOFF_OFF, code_off);
	vec_push(&sb->recs, like);
	vec_push(&sb->times, time);
}

/* functions of all dumps */
struct jit_counts {
	u32 nr;
	u32 replaced;		/* those whose place was used again, in dumps of another clock */
};

static void add_maps(struct session *s, const struct session_jit *j, struct sideband *sb,
		     const struct rec *like, struct jit_counts *n)
{
	struct jit_codes codes = { 0 };
	struct err err = ERR_INIT;
	struct jit_entry e;
	struct jitdump d;
	bool timeless;
	u64 off;

	if (jitdump_open_of(&d, j->path, j->pid, s->is_local, &err)) {
		log_v("%s", err.msg);
		return;
	}
	timeless = d.cpu_clock || !session_jit_clock(s);
	while (n->nr < CODES_MAX && jitdump_next(&d, &e)) {
		if (e.kind == JIT_LOAD && jit_codes_get(&codes, e.addr, &off))
			n->replaced += timeless;
		off = e.code_off;
		if (e.kind == JIT_LOAD)
			jit_codes_set(&codes, e.addr, off);
		else if (jit_codes_get(&codes, e.old_addr, &off))
			jit_codes_set(&codes, e.addr, off);
		else
			continue;
		add_map(sb, *like, session_jit_time(s, j, &d, &e), &e, off);
		n->nr++;
	}
	jit_codes_release(&codes);
	jitdump_close(&d);
}

/* appends the records [from, end) of another side-band, whose bytes stay where they are */
static void append(struct sideband *out, const struct sideband *sb, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		vec_push(&out->recs, sb->recs.v[i]);
		vec_push(&out->times, sb->times.v[i]);
	}
}

/* executable memory of that process without a file; *other: it belongs to another process */
static bool maps_memory(const struct rec *r, s32 pid, bool *other)
{
	const char *name;
	struct record_view v;

	if (r->type != REC_MMAP2 || record_decode(r, &v))
		return false;
	name = v.mmap2.filename;
	*other = v.mmap2.pid != pid;
	return !*other && v.mmap2.prot & PROT_EXEC && !jitdump_is_name(name) &&
	       (!strncmp(name, "//anon", 6) || !strncmp(name, "/memfd:", 7) || name[0] == '[');
}

/*
 * What was mapped when the recording began has one time, in the order of addresses. Returns the position
 * after the dump's map and after the memory of that time, which may contain its code
 */
static size_t end_of_memory(const struct sideband *sb, size_t dump, s32 pid)
{
	size_t end = dump + 1;
	bool other = false;

	for (size_t i = end; i < sb->recs.nr && sb->times.v[i] == sb->times.v[dump] && !other; i++)
		if (maps_memory(&sb->recs.v[i], pid, &other))
			end = i + 1;
	return end;
}

/*
 * The maps come right after the map of their dump, and the memory that was mapped at that time: of records
 * with equal times the later one counts, and maps of ELF files made by perf inject come after it.
 */
void session_jit_maps(struct session *s, struct sideband *sb)
{
	struct sideband all = { 0 };
	size_t copied = 0, end;
	struct jit_counts n = { 0 };

	/* perf pack wrote the maps into the file; a dump of that name would be another one */
	if (s->packed && sympack_is_whole(s->packed))
		return;
	for (size_t i = 0; i < sb->recs.nr && s->jit.nr < DUMPS_MAX; i++) {
		struct rec like = sb->recs.v[i];
		struct session_jit j;

		if (!maps_dump(&like, &j) || is_listed(s, &j))
			continue;
		j.path = xstrdup(j.path);
		j.time = sb->times.v[i];
		vec_push(&s->jit, j);
		end = end_of_memory(sb, i, j.pid);
		append(&all, sb, copied, end);
		copied = MAX(copied, end);
		all.arena = sb->arena;
		add_maps(s, &j, &all, &like, &n);
		sb->arena = all.arena;
	}
	if (!copied)
		return;
	if (n.replaced)
		log_warn("the recording has no clock of jitdump files, so %u function%s of generated code "
			 "whose place was used again may have the name of a later one: record with -k mono, "
			 "and let the JIT compiler write times of that clock", n.replaced,
			 plural(n.replaced));
	append(&all, sb, copied, sb->recs.nr);
	vec_release(&sb->recs);
	vec_release(&sb->times);
	all.arena = sb->arena;
	all.has_time = sb->has_time;
	*sb = all;
}

void session_jit_release(struct session *s)
{
	vec_foreach(&s->jit, j)
		free(j->path);
	vec_release(&s->jit);
}
