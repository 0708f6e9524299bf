/* Listing as JSON: one document with an object per function. perf-json(1) describes the members. */
#include "listing.h"

#include "../util/base/json-out.h"

void json_listing_begin(struct strbuf *out)
{
	strbuf_addstr(out, "{\"format\": \"perf-annotate\", \"version\": 1, \"functions\": [\n");
}

void json_listing_end(struct strbuf *out)
{
	strbuf_addstr(out, "\n]}\n");
}

static void add_hits(struct json *w, const struct view_listing *l, const struct listing_line *line)
{
	if (line->hits == LISTING_NO_HITS)
		return;
	json_key(w, "hits");
	json_begin_array(w, JSON_COMPACT);
	for (u32 m = 0; m < l->member.nr; m++) {
		const struct listing_hits *h = &l->hits.v[line->hits + m];

		json_begin_object(w, JSON_COMPACT);
		json_key_u64(w, "samples", h->nr);
		json_key_u64(w, "period", h->period);
		json_key_double(w, "percent", listing_percent(&l->member.v[m], h, LISTING_LOCAL_PERIOD));
		json_end(w);
	}
	json_end(w);
}

static void add_block(struct json *w, const struct listing_block *b)
{
	json_key(w, "block");
	json_begin_object(w, JSON_COMPACT);
	json_key_u64(w, "branches", b->nr);
	json_key_u64(w, "cycles", b->cycles);
	json_key_u64(w, "min", b->min);
	json_key_u64(w, "max", b->max);
	json_key_u64(w, "instructions", b->insns);
	json_end(w);
}

static void add_line(struct json *w, const struct view_listing *l, const struct listing_line *line)
{
	json_begin_object(w, JSON_COMPACT);
	if (line->kind == LISTING_SOURCE) {
		json_key_u64(w, "line", line->number);
		json_key_string(w, "source", line->text);
		json_end(w);
		return;
	}
	if (line->kind == LISTING_NOTE) {
		json_key_string(w, "note", line->text);
		json_end(w);
		return;
	}
	json_key_u64(w, "address", line->addr);
	json_key_u64(w, "size", line->nr_bytes);
	json_key_string(w, "mnemonic", line->text);
	json_key_string(w, "operands", line->operands);
	if (line->target) {
		json_key_u64(w, "target", line->target_addr);
		json_key_string(w, "target-name", line->target);
	}
	if (line->where)
		json_key_string(w, "srcline", line->where);
	if (line->data_type)
		json_key_string(w, "data-type", line->data_type);
	add_hits(w, l, line);
	if (line->block)
		add_block(w, &l->block.v[line->block - 1]);
	json_end(w);
}

void json_listing(const struct view_listing *l, const struct listing_opts *o, struct strbuf *out)
{
	struct json w = { .out = out };

	if (o->index)
		strbuf_addstr(out, ",\n");
	json_begin_object(&w, JSON_SPACED);
	json_key_string(&w, "symbol", l->symbol);
	json_key_string(&w, "dso", l->dso);
	json_key_u64(&w, "address", l->start);
	json_key(&w, "events");
	json_begin_array(&w, JSON_COMPACT);
	vec_foreach(&l->member, m) {
		json_begin_object(&w, JSON_COMPACT);
		json_key_string(&w, "event", m->event);
		json_key_u64(&w, "samples", m->nr);
		json_key_u64(&w, "period", m->period);
		json_key_u64(&w, "all-samples", m->all_nr);
		json_key_u64(&w, "all-period", m->all_period);
		json_end(&w);
	}
	json_end(&w);
	if (l->why)
		json_key_string(&w, "no-code", l->why);
	if (l->block.nr) {
		json_key_u64(&w, "covered-instructions", l->covered);
		json_key_u64(&w, "all-instructions", l->insns);
	}
	json_key(&w, "lines");
	json_begin_array(&w, JSON_HANGING);
	vec_foreach(&l->line, line)
		add_line(&w, l, line);
	json_end(&w);
	json_end(&w);
}
