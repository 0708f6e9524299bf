/* Task maps: see task-maps.h. */
#include "task-maps.h"

#include <stdlib.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/hash.h"
#include "../base/vec.h"
#include "../event/abi.h"

/* a record: header, u32 pid, u32 tid, u64 addr; then what is the same in all processes, u64 len first */
#define BODY_AT 24u
#define BUCKETS_MIN 64u

struct map_body {
	struct map_body *next;		/* of its bucket */
	u64 hash, len;			/* len: of the map */
	u32 users;
	u32 bytes;			/* of the record after BODY_AT */
	struct rec_header h;		/* size: without trailer */
	u8 rest[];
};

struct task_map {
	u64 start;
	struct map_body *body;
};

struct task_maps {
	u32 users;
	VEC(struct task_map);
};

/* ---- bodies ---- */

static u64 hash_of(const struct rec_header *h, const u8 *rest, size_t bytes)
{
	return hash_mix(hash_mix(hash_bytes(rest, bytes), h->type), h->misc);
}

static void rehash(struct map_bodies *b)
{
	size_t nr = MAX(b->nr_buckets * 2, (size_t)BUCKETS_MIN);
	struct map_body **bucket = xcalloc(nr, sizeof(*bucket)), *body;

	for (size_t i = 0; i < b->nr_buckets; i++)
		while ((body = b->bucket[i])) {
			b->bucket[i] = body->next;
			body->next = bucket[body->hash & (nr - 1)];
			bucket[body->hash & (nr - 1)] = body;
		}
	free(b->bucket);
	b->bucket = bucket;
	b->nr_buckets = nr;
}

static bool is_body(const struct map_body *body, u64 hash, const struct rec_header *h, const u8 *rest,
		    size_t bytes)
{
	return body->hash == hash && body->bytes == bytes && body->h.type == h->type &&
	       body->h.misc == h->misc && !memcmp(body->rest, rest, bytes);
}

static struct map_body *take_body(struct map_bodies *b, const struct rec_header *h, size_t size)
{
	const u8 *rest = (const u8 *)h + BODY_AT;
	size_t bytes = size - BODY_AT;
	u64 hash = hash_of(h, rest, bytes);
	struct map_body *body;

	if (b->nr >= b->nr_buckets)
		rehash(b);
	for (body = b->bucket[hash & (b->nr_buckets - 1)]; body; body = body->next)
		if (is_body(body, hash, h, rest, bytes)) {
			body->users++;
			return body;
		}
	body = xmalloc(sizeof(*body) + bytes);
	*body = (struct map_body){ .next = b->bucket[hash & (b->nr_buckets - 1)], .hash = hash, .users = 1,
				   .bytes = bytes, .h = { h->type, h->misc, size } };
	memcpy(&body->len, rest, sizeof(body->len));
	memcpy(body->rest, rest, bytes);
	b->bucket[hash & (b->nr_buckets - 1)] = body;
	b->nr++;
	return body;
}

static void drop_body(struct map_bodies *b, struct map_body *body)
{
	struct map_body **at = &b->bucket[body->hash & (b->nr_buckets - 1)];

	if (--body->users)
		return;
	while (*at != body)
		at = &(*at)->next;
	*at = body->next;
	free(body);
	b->nr--;
}

void map_bodies_release(struct map_bodies *b)
{
	free(b->bucket);
	*b = (struct map_bodies){ 0 };
}

/* ---- maps ---- */

struct task_maps *task_maps_share(struct task_maps *m)
{
	if (m)
		m->users++;
	return m;
}

void task_maps_drop(struct map_bodies *b, struct task_maps *m)
{
	if (!m || --m->users)
		return;
	vec_foreach(m, map)
		drop_body(b, map->body);
	vec_release(m);
	free(m);
}

/* for this process alone */
static struct task_maps *own(struct map_bodies *b, struct task_maps *old)
{
	struct task_maps *m = old;

	if (!old || old->users > 1) {
		m = xcalloc(1, sizeof(*m));
		m->users = 1;
	}
	if (m != old && old) {
		vec_reserve(m, old->nr + 1);
		memcpy(m->v, old->v, old->nr * sizeof(*m->v));
		m->nr = old->nr;
		vec_foreach(m, map)
			map->body->users++;
		task_maps_drop(b, old);
	}
	return m;
}

static u64 end_of(const struct task_map *map)
{
	return map->start + map->body->len < map->start ? UINT64_MAX : map->start + map->body->len;
}

struct task_maps *task_maps_add(struct map_bodies *b, struct task_maps *old, const void *record, size_t size)
{
	const struct rec_header *h = record;
	struct task_map new = { .body = take_body(b, h, size) };
	struct task_maps *m = own(b, old);
	size_t kept = 0;

	memcpy(&new.start, (const u8 *)record + BODY_AT - sizeof(u64), sizeof(u64));
	vec_foreach(m, map)
		if (map->start < new.start || end_of(map) > end_of(&new))
			m->v[kept++] = *map;
		else
			drop_body(b, map->body);
	m->nr = kept;
	vec_push(m, new);
	return m;
}

size_t task_maps_bytes(const struct task_maps *m)
{
	size_t ret = 0;

	if (m)
		vec_foreach(m, map)
			ret += map->body->h.size;
	return ret;
}

void task_maps_put(const struct task_maps *m, s32 pid, size_t trailer, struct strbuf *out)
{
	const s32 ids[2] = { pid, pid };

	if (!m)
		return;
	vec_foreach(m, map) {
		struct rec_header h = map->body->h;

		h.size += trailer;
		strbuf_add(out, &h, sizeof(h));
		strbuf_add(out, ids, sizeof(ids));
		strbuf_add(out, &map->start, sizeof(map->start));
		strbuf_add(out, map->body->rest, map->body->bytes);
		strbuf_pad(out, '\0', trailer);
	}
}
