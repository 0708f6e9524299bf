/* Line labels: see line-labels.h. */
#include "line-labels.h"

#include "../fields/field-family.h"

u32 *line_labels(const struct hist *h, const struct field_ctx *ctx, bool by_lines)
{
	u32 nr = h->names.frame.nr, *first = xreallocarray(NULL, nr + 1, sizeof(u32));
	struct strbuf line = STRBUF_INIT;
	struct key_table lines;

	key_table_init(&lines, 3, 1);
	for (u32 f = 0; f < nr; f++) {
		bool by_line;
		u64 *stands, text, how;
		u32 id;

		strbuf_reset(&line);
		by_line = by_lines && frame_line_in_function(ctx, f, &line);
		how = by_line ? UINT64_MAX : names_inline_depth(&h->names, f);
		/* a sampled address, and the same as a return address, are shown alike; inlined copies not */
		text = by_line ? strtab_add(&ctx->names->texts, strbuf_str(&line)) : h->names.frame.v[f].addr;
		id = key_table_get(&lines, (u64[]){ h->names.named_of[f], how, text });
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
	struct field_ctx ctx = { .machine = n->machine, .symbols = n->symbols, .opts = &h->opts.fields,
				 .names = (struct names *)n };
	size_t end = out->len;

	strbuf_addch(out, ' ');
	if (frame_line_in_function(&ctx, frame, out))
		return;
	if (names_inline_depth(n, frame))
		strbuf_setlen(out, end);
	else
		strbuf_addf(out, "+%lu", n->frame.v[frame].addr -
			    symbols_table(n->symbols, nm->dso)->sym[nm->sym].start);
}
