/* Arm CoreSight traces of ETMv4 and ETE: the words of AUXTRACE_INFO, and the dump. */
#include "aux-private.h"
#include "etm-frames.h"
#include "etm-unit.h"

#include <stdlib.h>
#include <string.h>

static void dump_word(const char *name, u64 v, const struct stream_format *f, struct strbuf *out, bool first)
{
	if (!first)
		f->next_row(out);
	f->begin_row(out);
	stream_words(f, out, "\t{name:-22s} {value:x}\n", STREAM_TEXT(name), STREAM_NUMBER(v));
	f->end_row(out);
}

static void dump_unit(const struct aux_words *w, const struct etm_unit *u, const struct stream_format *f,
		      struct strbuf *out)
{
	dump_word("Magic number", u->magic, f, out, false);
	dump_word("CPU", u->cpu, f, out, false);
	if (aux_word(w, 0) >= 1)
		dump_word("NR_TRC_PARAMS", u->nr, f, out, false);
	for (u32 i = 0; i < u->nr; i++)
		dump_word(etm_register(u, i) ? etm_register(u, i) : "not known", w->v[u->first + i], f, out,
			  false);
}

static void cs_dump_words(const struct aux_words *w, const struct stream_format *f, struct strbuf *out)
{
	struct etm_unit *u;
	u32 nr = etm_units(w, &u);

	f->begin_rows(out, "words");
	dump_word("Header version", aux_word(w, 0), f, out, true);
	dump_word("PMU type/num cpus", aux_word(w, 1), f, out, false);
	dump_word("Snapshot", aux_word(w, 2), f, out, false);
	for (u32 i = 0; i < nr; i++)
		dump_unit(w, &u[i], f, out);
	f->end_rows(out);
	free(u);
}

/* what the dump of one source keeps from packet to packet */
struct dump_state {
	struct etm_config c;
	struct etm_state s;
};
_Static_assert(sizeof(struct dump_state) <= AUX_DUMP_STATE, "the state of a dump has room");

static void cs_dump_begin(const struct aux_words *w, u32 cpu, u32 id, void *state)
{
	const struct etm_unit *unit;
	struct dump_state *d = state;
	struct etm_unit *u;
	u32 nr = etm_units(w, &u);

	unit = etm_unit_find(u, nr, id, cpu);
	if (unit)
		d->c = unit->c;
	free(u);
}

static size_t cs_dump(const struct aux_bytes *b, void *state, struct strbuf *text)
{
	struct dump_state *d = state;
	struct etm_packet p;
	size_t len = etm_packet_read(b->p, b->len, &d->c, &d->s, &p);

	if (p.type == ETM_BAD && etm_is_padding(b->p, b->len)) {
		strbuf_addstr(text, "padding");
		return b->len;
	}
	etm_packet_print(&p, text);
	return len;
}

static void cs_dump_sources(const struct aux_bytes *b, aux_emit_source *emit, void *ctx)
{
	struct etm_frames f = { 0 };

	if (etm_has_no_frames(b->p, b->len))
		return emit(ctx, 0, b);
	for (size_t at = 0; at < b->len;)
		at += etm_frames_add(&f, b->p + at, b->len - at);
	for (u32 i = 0; i < ETM_IDS; i++)
		if (f.of[i].len)
			emit(ctx, i, &(struct aux_bytes){ (const u8 *)f.of[i].buf, f.of[i].len, 0 });
	etm_frames_release(&f);
}

const struct aux_kind aux_kind_coresight = {
	.type = 3, .name = "Arm CoreSight", .title = "CoreSight trace data: size {size:#x} bytes",
	.letters = "ibcregl", .dump_words = cs_dump_words, .dump = cs_dump, .dump_begin = cs_dump_begin,
	.dump_sources = cs_dump_sources,
};
