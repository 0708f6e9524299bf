/* The dump of AUXTRACE_INFO and AUXTRACE records. */
#include "aux-private.h"
#include "../event/record.h"

#include <stdlib.h>

#define HEX_BYTES 24	/* as many bytes of a packet are shown; longer ones end in ".." */

static void dump_info(const struct rec_auxtrace_info_view *v, const struct aux_kind *kind,
		      const struct stream_format *f, struct strbuf *out)
{
	struct aux_words w = { .nr = v->priv.nr };

	w.v = xcalloc(w.nr + 1, sizeof(*w.v));
	for (u32 i = 0; i < w.nr; i++)
		w.v[i] = rec_row_u64(&v->priv, i, 0);
	f->begin_group(out, "info");
	kind->dump_words(&w, f, out);
	f->end_group(out);
	free(w.v);
}

static void dump_packet(const struct aux_bytes *b, size_t len, const char *text, bool first,
			const struct stream_format *f, struct strbuf *out)
{
	struct strbuf hex = STRBUF_INIT;

	for (size_t i = 0; i < MIN(len, (size_t)HEX_BYTES); i++)
		strbuf_addf(&hex, "%s%02x", i ? " " : "", b->p[i]);
	if (len > HEX_BYTES)
		strbuf_addstr(&hex, "..");
	if (!first)
		f->next_row(out);
	f->begin_row(out);
	stream_words(f, out, hex.len < 48 ? ".  {offset:08x}:  {bytes:-48s}{packet}\n" :
		     ".  {offset:08x}:  {bytes} {packet}\n", STREAM_NUMBER(b->off),
		     STREAM_TEXT(strbuf_str(&hex)), STREAM_TEXT(text));
	f->end_row(out);
	strbuf_release(&hex);
}

static void dump_bytes(struct aux_bytes b, const struct aux_kind *kind, const struct stream_format *f,
		       struct strbuf *out)
{
	u64 state[8] = { 0 };
	struct strbuf text = STRBUF_INIT;
	bool first = true;

	stream_say(f, out, ".\n. ... ");
	stream_words(f, out, kind->title, STREAM_NUMBER(b.len));
	stream_say(f, out, "\n");
	f->begin_rows(out, "packets");
	for (; b.len; first = false) {
		size_t len;

		strbuf_reset(&text);
		len = kind->dump(&b, state, &text);
		dump_packet(&b, len, strbuf_str(&text), first, f, out);
		b.p += len;
		b.len -= len;
		b.off += len;
	}
	f->end_rows(out);
	strbuf_release(&text);
}

void aux_dump(const struct data *d, const struct rec *rec, u32 type, const struct stream_format *f,
	      struct strbuf *out)
{
	const struct aux_kind *kind;
	struct record_view v;

	if ((rec->type != REC_AUXTRACE_INFO && rec->type != REC_AUXTRACE) || record_decode(rec, &v))
		return;
	kind = aux_kind_find(type);
	if (!kind)
		return;
	if (rec->type == REC_AUXTRACE_INFO)
		dump_info(&v.auxtrace_info, kind, f, out);
	else
		dump_bytes((struct aux_bytes){ rec->p + rec->size, data_payload_size(d, rec), 0 }, kind, f,
			   out);
}
