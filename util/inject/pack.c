/*
 * Pack: the symbols, lines and inlined functions of all addresses that samples have, stored in the header
 * (obj/sympack.h). They are found before the copy begins; records pass unchanged.
 */
#include "ids.h"
#include "redact.h"
#include "../data/features-write.h"
#include "../resolve/plain-chain.h"
#include "../sym/lines.h"
#include "pack-frames.h"

#include <stdlib.h>
#include <string.h>

struct pack_state {
	struct pack_frames frames;
	struct strbuf bytes;		/* of the feature */
};

void inject_pack_opts(struct inject_opts *o, const struct session *s)
{
	o->pack = true;
	o->table = INJECT_IDS_HIT;
	o->dump_maps = s->jit.nr > 0;
	vec_foreach(&s->data->evset->ev, ev)
		o->plain_chains |= plain_chain_applies(&(*ev)->attr);
}

/* what sources of symbols know of dsos that have any */
static bool is_packed(const struct dso *d)
{
	switch (d->kind) {
	case DSO_USER:
	case DSO_VDSO:
	case DSO_KERNEL:
	case DSO_MODULE:
	case DSO_PERFMAP:
		return true;
	default:
		return false;
	}
}

static struct lines *load_lines(const struct session *s, const struct pack_state *st)
{
	const struct dsos *dsos = machine_dsos(s->machine);
	struct lines *l = lines_new(s->symbols, dsos->dso.nr, true);
	struct { VEC(struct line_query); } q = { 0 };

	lines_keep_raw(l);
	for (size_t i = 0; i < st->frames.nr; i++)
		if (dsos_at(dsos, st->frames.v[i].dso)->kind == DSO_USER)
			vec_push(&q, (struct line_query){ st->frames.v[i].dso, st->frames.v[i].addr });
	lines_load(l, s->pool, q.v, q.nr);
	vec_release(&q);
	return l;
}

static struct line_info line_of(struct inject *in, const struct line_info *info)
{
	struct line_info ret = *info;
	struct line_call *call = arena_memdup(&in->pack->frames.arena, info->inlined,
					      info->nr_inlined * sizeof(*call));

	ret.file = redact_path(in, ret.file, false);
	for (u32 i = 0; i < ret.nr_inlined; i++)
		call[i].file = redact_path(in, call[i].file, false);
	ret.inlined = call;
	return ret;
}

static void find_lines(struct inject *in, const struct lines *lines, const struct frame *f, size_t nr,
		       struct sympack_dso *out)
{
	struct sympack_line *line = arena_alloc(&in->pack->frames.arena, nr * sizeof(*line) + 1);

	out->line = line;
	for (size_t i = 0; i < nr && !lines_none(lines, f->dso); i++) {
		const struct line_info *info = lines_find(lines, f[i].dso, f[i].addr);

		if (info && (info->file || info->nr_inlined))
			line[out->nr_lines++] = (struct sympack_line){ f[i].addr, line_of(in, info) };
	}
}

/* a perf map has its name from the pid, not from a record */
static const char *name_of(struct inject *in, const struct dso *d)
{
	return d->kind == DSO_PERFMAP ? d->long_name : redact_path(in, d->long_name, d->kind != DSO_USER);
}

static struct sympack_dso pack_dso(struct inject *in, const struct lines *lines, size_t at, size_t nr)
{
	struct pack_frames *frames = &in->pack->frames;
	const struct frame *f = &frames->v[at];
	const struct dso *d = dsos_at(machine_dsos(in->session->machine), f->dso);
	const struct build_id *id = inject_ids_of(in, f->dso, INJECT_IDS_HIT);
	struct sympack_dso out = pack_frames_dso(frames, in->session, at, nr);

	out.name = name_of(in, d);
	out.file = redact_path(in, out.file, d->kind != DSO_USER);
	/* it names files */
	out.reason = in->opts->redact ? NULL : symbols_reason(in->session->symbols, f->dso);
	if (id) {
		out.id_len = MIN(id->len, sizeof(out.id));
		memcpy(out.id, id->id, out.id_len);
	}
	find_lines(in, lines, f, nr, &out);
	return out;
}

static bool *hit_dsos(struct pack_state *st, size_t nr_dsos)
{
	bool *hit = arena_zalloc(&st->frames.arena, nr_dsos + 1);

	for (size_t i = 0; i < st->frames.nr; i++)
		hit[st->frames.v[i].dso] = true;
	return hit;
}

int pack_start(struct inject *in, struct err *err)
{
	const struct session *s = in->session;
	struct pack_state *st = in->pack = xcalloc(1, sizeof(*st));
	struct { VEC(struct sympack_dso); } dso = { 0 };
	struct lines *lines;
	int ret;

	st->frames.no_guesses = in->opts->redact;
	pack_frames_find(&st->frames, s, NULL);
	in->hit = hit_dsos(st, machine_dsos(s->machine)->dso.nr);
	ret = inject_ids_get(in, err);
	if (ret)
		return ret;
	lines = load_lines(s, st);
	for (size_t i = 0, nr; i < st->frames.nr; i += nr) {
		nr = pack_frames_of_dso(&st->frames, i);
		if (is_packed(dsos_at(machine_dsos(s->machine), st->frames.v[i].dso)))
			vec_push(&dso, pack_dso(in, lines, i, nr));
	}
	sympack_write(&st->bytes, dso.v, dso.nr);
	in->feat.raw[FEAT_PACKED_SYMBOLS] = (struct feat_blob){ st->bytes.buf, st->bytes.len };
	feature_set(&in->feat, FEAT_PACKED_SYMBOLS);
	lines_free(lines);
	vec_release(&dso);
	return 0;
}

int pack_record(struct inject *in UNUSED, const struct rec *rec UNUSED, u64 time UNUSED)
{
	return 1;
}

void pack_end(struct inject *in)
{
	struct pack_state *st = in->pack;

	if (!st)
		return;
	inject_ids_put(in);
	redact_end(in);		/* it may have been made, and not have started */
	in->hit = NULL;
	pack_frames_release(&st->frames);
	strbuf_release(&st->bytes);
	free(st);
	in->pack = NULL;
}
