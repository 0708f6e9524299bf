/* Frame labels: see frame-labels.h. */
#include "frame-labels.h"
#include "line-labels.h"

#include <stdlib.h>

u32 label_add(struct hist *h, struct hidx *idx, struct hist_label l)
{
	u64 hash = hash_u64(((u64)l.t << 32 | l.e) ^ l.mark << 16 ^ l.mark >> 32);

	return vec_find_or_add_id(&h->label, idx, hash, o, o->t == l.t && o->e == l.e && o->mark == l.mark,
				  l);
}

/* alike: the frame that is shown for each one; NULL: itself */
static void frame_keys(const struct hist *h, const struct field_ctx *ctx, u32 frame, const u32 *alike,
		       u64 *ret)
{
	for (u32 i = 0; i < h->opts.nr_keys; i++)
		if (h->opts.key[i]->kind == FIELD_FRAME)
			*ret++ = h->opts.key[i]->of_frame(ctx, alike && h->opts.key[i]->is_frame ?
							  alike[frame] : frame);
}

/*
 * true if all frames of a name have the same frame keys, and one of these keys distinguishes names: then none
 * need to be compared
 */
static bool keys_follow_names(const struct hist *h)
{
	bool tells_apart = false;

	if (h->opts.history)
		return false;
	for (u32 i = 0; i < h->opts.nr_keys; i++) {
		if (h->opts.key[i]->kind == FIELD_FRAME && !h->opts.key[i]->of_name)
			return false;
		tells_apart |= h->opts.key[i]->is_name;
	}
	return tells_apart && (!h->opts.chains || h->opts.chain.key == CHAIN_KEY_FUNCTION);
}

/* one row per name, with the name's number */
static void label_names(struct hist *h, const struct field_ctx *ctx)
{
	u32 n = 0;

	h->one_name_a_row = true;
	key_table_append_blank(&h->frame_keys, h->names.named.nr);
	vec_foreach(&h->names.named, nm) {
		frame_keys(h, ctx, nm->frame, NULL, key_table_at(&h->frame_keys, n++));
	}
	memcpy(h->label_of, h->names.named_of, h->names.frame.nr * sizeof(u32));
}

/* a frame's name in call chains, and its frame-dependent sort keys, once per distinct frame */
static void label_frames(struct hist *h)
{
	struct field_ctx ctx = hist_field_ctx(h);
	struct hidx idx = { 0 };
	u32 nr_frame_keys = 0, *line = NULL, *alike = NULL;
	bool by_frame = false;

	for (u32 i = 0; i < h->opts.nr_keys; i++) {
		nr_frame_keys += h->opts.key[i]->kind == FIELD_FRAME;
		by_frame |= h->opts.key[i]->kind == FIELD_FRAME && h->opts.key[i]->is_frame;
	}
	key_table_init(&h->frame_keys, nr_frame_keys, 0);
	h->label_of = xreallocarray(NULL, h->names.frame.nr + 1, sizeof(u32));
	if (keys_follow_names(h)) {
		label_names(h, &ctx);
		return;
	}
	if (h->opts.chains && h->opts.chain.key != CHAIN_KEY_FUNCTION)
		line = line_labels(h, &ctx, h->opts.chain.key == CHAIN_KEY_SRCLINE);
	if (h->opts.chains && by_frame)
		alike = line_labels(h, &ctx, false);
	for (u32 f = 0; f < h->names.frame.nr; f++) {
		struct hist_label l = { 0 };
		u64 key[HIST_MAX_KEYS];

		frame_keys(h, &ctx, f, alike, key);
		l.e = key_table_get(&h->frame_keys, key);
		if (h->opts.chains)
			l.t = line ? line[f] : h->names.named_of[f];
		h->label_of[f] = label_add(h, &idx, l);
	}
	/* if nothing depends on frames, all entries have the only label */
	if (!h->names.frame.nr && !nr_frame_keys)
		key_table_get(&h->frame_keys, (u64[HIST_MAX_KEYS]){ 0 });
	free(line);
	free(alike);
	hidx_release(&idx);
}

static void filter_frames(struct hist *h)
{
	u32 nr = h->names.frame.nr;

	if (!h->opts.keep_frame)
		return;
	h->keep_frame = xcalloc(nr + 1, 1);
	for (u32 f = 0; f < nr; f++)
		h->keep_frame[f] = h->opts.keep_frame(h->opts.keep_ctx, &h->names, f);
}

void frame_labels_make(struct hist *h)
{
	label_frames(h);
	filter_frames(h);
}
