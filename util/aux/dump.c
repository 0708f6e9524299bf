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

static void dump_packets(struct aux_bytes b, const struct aux_kind *kind, void *state,
			 const struct stream_format *f, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	for (bool first = true; b.len; first = false) {
		size_t len;

		strbuf_reset(&text);
		len = kind->dump(&b, state, &text);
		dump_packet(&b, len, strbuf_str(&text), first, f, out);
		b.p += len;
		b.len -= len;
		b.off += len;
	}
	strbuf_release(&text);
}

static void dump_bytes(const struct aux_bytes *b, const struct data *d, u32 cpu, const struct aux_kind *kind,
		       const struct stream_format *f, struct strbuf *out)
{
	u64 state[AUX_DUMP_STATE / 8] = { 0 };
	struct aux_words words = { 0 };
	u32 type;

	if (kind->dump_begin && aux_find_words(d, &words, &type))
		kind->dump_begin(&words, cpu, 0, state);
	f->begin_rows(out, "packets");
	dump_packets(*b, kind, state, f, out);
	f->end_rows(out);
	free(words.v);
}

/* the sources of one record */
struct dump_sources {
	const struct aux_kind *kind;
	const struct stream_format *f;
	struct strbuf *out;
	struct aux_words words;
	u32 cpu, nr;
};

static void dump_source(void *ctx, u32 id, const struct aux_bytes *b)
{
	struct dump_sources *s = ctx;
	u64 state[AUX_DUMP_STATE / 8] = { 0 };

	s->kind->dump_begin(&s->words, s->cpu, id, state);
	if (s->nr++)
		s->f->next_row(s->out);
	s->f->begin_row(s->out);
	stream_words(s->f, s->out, ". ... trace ID {id:#x}: size {size:#x} bytes\n", STREAM_NUMBER(id),
		     STREAM_NUMBER(b->len));
	s->f->begin_rows(s->out, "packets");
	dump_packets(*b, s->kind, state, s->f, s->out);
	s->f->end_rows(s->out);
	s->f->end_row(s->out);
}

static void dump_sources(const struct aux_bytes *b, const struct data *d, u32 cpu,
			 const struct aux_kind *kind, const struct stream_format *f, struct strbuf *out)
{
	struct dump_sources s = { .kind = kind, .f = f, .out = out, .cpu = cpu };
	u32 type;

	aux_find_words(d, &s.words, &type);
	f->begin_rows(out, "sources");
	kind->dump_sources(b, dump_source, &s);
	f->end_rows(out);
	free(s.words.v);
}

static void dump_trace(const struct data *d, const struct rec *rec, u32 cpu, const struct aux_kind *kind,
		       const struct stream_format *f, struct strbuf *out)
{
	struct aux_bytes b = { rec->p + rec->size, data_payload_size(d, rec), 0 };

	stream_say(f, out, ".\n. ... ");
	stream_words(f, out, kind->title, STREAM_NUMBER(b.len));
	stream_say(f, out, "\n");
	if (kind->dump_sources)
		dump_sources(&b, d, cpu, kind, f, out);
	else
		dump_bytes(&b, d, cpu, kind, f, out);
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
		dump_trace(d, rec, v.auxtrace.cpu, kind, f, out);
}
