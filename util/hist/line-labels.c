/* Line labels: see line-labels.h. */
#include "line-labels.h"

#include "../fields/field-family.h"

/*
 * a line is that of the innermost function: for a frame with inlined functions it tells nothing about the
 * frame itself
 */
static bool has_line(const struct names *n, u32 frame)
{
	return !n->inl_start || (frame < n->nr_plain && n->inl_start[frame] == n->inl_start[frame + 1]);
}

u32 *line_labels(const struct hist *h, const struct field_ctx *ctx, bool by_lines)
{
	u32 nr = h->names.frame.nr, *first = xreallocarray(NULL, nr + 1, sizeof(u32));
	struct strbuf line = STRBUF_INIT;
	struct key_table lines;

	key_table_init(&lines, 3, 1);
	for (u32 f = 0; f < nr; f++) {
		bool by_line;
		u64 *stands, text;
		u32 id;

		strbuf_reset(&line);
		by_line = by_lines && has_line(&h->names, f) && frame_line(ctx, f, &line);
		/* a sampled address, and the same as a return address, are shown alike */
		text = by_line ? strtab_add(&ctx->names->texts, strbuf_str(&line)) : h->names.frame.v[f].addr;
		id = key_table_get(&lines, (u64[]){ h->names.named_of[f], by_line, text });
		stands = key_table_sums(&lines, id);
		if (!*stands)
			*stands = f + 1;
		first[f] = *stands - 1;
	}
	strbuf_release(&line);
	key_table_release(&lines);
	return first;
}

void line_label(const struct hist *h, u32 frame, struct strbuf *out)
{
	const struct names *n = &h->names;
	const struct named *nm = &n->named.v[n->named_of[frame]];
	struct field_ctx ctx = { .session = h->session, .opts = &h->opts.fields, .names = (struct names *)n };

	if (n->inl_start && frame >= n->nr_plain)
		return;
	strbuf_addch(out, ' ');
	if (!has_line(n, frame) || !frame_line(&ctx, frame, out))
		strbuf_addf(out, "+%lu", n->frame.v[frame].addr -
			    symbols_table(h->session->symbols, nm->dso)->sym[nm->sym].start);
}
