/* Merge-bpf: see merge-bpf.h. */
#include "merge-bpf.h"
#include "../base/cursor.h"
#include "../base/put.h"
#include "../data/features-write.h"

#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>

#define PROGRAM_HEAD 16u	/* bytes of an entry before struct bpf_prog_info: lengths, arrays */

static const struct merge_bpf_entry *find(const struct merge_bpf_list *l, u32 id)
{
	u32 i;

	HIDX_FOREACH(&l->by_id, hash_u64(id), i)
		if (l->v[i].id == id)
			return &l->v[i];
	return NULL;
}

static void add(struct merge_bpf_list *l, const struct merge_bpf_entry *e)
{
	hidx_insert(&l->by_id, hash_u64(e->id), l->nr);
	vec_push(l, *e);
}

/* u32 info length, u32 data length, u64 arrays, then info and data */
static struct merge_bpf_entry next_program(struct cursor *c)
{
	const u8 *start = c->p, *info;
	u32 info_len = cursor_u32(c), data_len = cursor_u32(c), id = 0;

	cursor_u64(c);
	info = cursor_bytes(c, info_len);
	cursor_bytes(c, data_len);
	if (!c->bad && info_len >= offsetof(struct bpf_prog_info, id) + sizeof(id))
		memcpy(&id, info + offsetof(struct bpf_prog_info, id), sizeof(id));
	return (struct merge_bpf_entry){ id, { start, c->p - start } };
}

/* u32 id, u32 length, data */
static struct merge_bpf_entry next_types(struct cursor *c)
{
	const u8 *start = c->p;
	u32 id = cursor_u32(c), len = cursor_u32(c);

	cursor_bytes(c, len);
	return (struct merge_bpf_entry){ id, { start, c->p - start } };
}

/* its tag and the time of its loading; how often it ran may have changed */
static bool is_same_program(const struct merge_bpf_entry *a, const struct merge_bpf_entry *b)
{
	const size_t tag = PROGRAM_HEAD + offsetof(struct bpf_prog_info, tag),
		     time = PROGRAM_HEAD + offsetof(struct bpf_prog_info, load_time);
	const u8 *x = a->bytes.data, *y = b->bytes.data;

	if (MIN(a->bytes.size, b->bytes.size) < time + sizeof(u64))
		return a->bytes.size == b->bytes.size;
	return !memcmp(x + tag, y + tag, BPF_TAG_SIZE) && !memcmp(x + time, y + time, sizeof(u64));
}

bool merge_bpf_add(struct merge_bpf *m, const struct features *from)
{
	struct cursor c = cursor_of(from->bpf_prog_info.data, from->bpf_prog_info.size, false);
	u32 nr = from->bpf_prog_info.size ? cursor_u32(&c) : 0;

	for (u32 i = 0; i < nr && !c.bad; i++) {
		struct merge_bpf_entry e = next_program(&c);
		const struct merge_bpf_entry *known = find(&m->programs, e.id);

		if (!c.bad && known && !is_same_program(known, &e))
			return false;
		if (!c.bad && !known)
			add(&m->programs, &e);
	}
	c = cursor_of(from->bpf_btf.data, from->bpf_btf.size, false);
	nr = from->bpf_btf.size ? cursor_u32(&c) : 0;
	for (u32 i = 0; i < nr && !c.bad; i++) {
		struct merge_bpf_entry e = next_types(&c);

		if (!c.bad && !find(&m->types, e.id))
			add(&m->types, &e);
	}
	return true;
}

static void put_list(struct merge_bpf_list *l, struct features *to, unsigned int bit, struct feat_blob *blob)
{
	if (!l->nr)
		return;
	strbuf_reset(&l->blob);
	put_u32(&l->blob, l->nr);
	vec_foreach(l, e)
		strbuf_add(&l->blob, e->bytes.data, e->bytes.size);
	*blob = (struct feat_blob){ l->blob.buf, l->blob.len };
	feature_set(to, bit);
}

void merge_bpf_put(struct merge_bpf *m, struct features *to)
{
	put_list(&m->programs, to, FEAT_BPF_PROG_INFO, &to->bpf_prog_info);
	put_list(&m->types, to, FEAT_BPF_BTF, &to->bpf_btf);
}

static void list_release(struct merge_bpf_list *l)
{
	hidx_release(&l->by_id);
	vec_release(l);
	strbuf_release(&l->blob);
}

void merge_bpf_release(struct merge_bpf *m)
{
	list_release(&m->programs);
	list_release(&m->types);
}
