/* Types as JSON: one document. perf-annotate(1) describes the members. */
#include "types.h"

#include "../util/base/json-out.h"

static void add_counts(struct json *w, const char *key, const struct view_type_counts *c)
{
	json_key(w, key);
	json_begin_array(w, JSON_COMPACT);
	vec_foreach(c, t) {
		json_begin_object(w, JSON_COMPACT);
		json_key_string(w, "name", t->name);
		json_key_u64(w, "known", t->good);
		json_key_u64(w, "unknown", t->bad);
		json_end(w);
	}
	json_end(w);
}

static void add_member(struct json *w, const struct view_member *m)
{
	json_begin_object(w, JSON_COMPACT);
	json_key_string(w, "name", m->name);
	json_key_string(w, "type", m->type);
	json_key_u64(w, "depth", m->depth);
	json_key_u64(w, "offset", m->off);
	json_key_u64(w, "size", m->size);
	if (m->bits)
		json_key_u64(w, "bits", m->bits);
	json_key_u64(w, "samples", m->nr);
	json_key_u64(w, "period", m->period);
	json_end(w);
}

void types_json(const struct view_types *t, struct strbuf *out)
{
	struct json w = { .out = out };

	json_begin_object(&w, JSON_LINES);
	json_key_string(&w, "format", "perf-annotate");
	json_key_u64(&w, "version", 1);
	json_key(&w, "instructions");
	json_begin_object(&w, JSON_COMPACT);
	json_key_u64(&w, "known", t->good);
	json_key_u64(&w, "unknown", t->bad);
	add_counts(&w, "reasons", &t->reason);
	add_counts(&w, "mnemonics", &t->insn);
	json_end(&w);
	json_key(&w, "types");
	json_begin_array(&w, JSON_HANGING);
	vec_foreach(&t->type, v) {
		json_begin_object(&w, JSON_SPACED);
		json_key_string(&w, "type", v->name);
		json_key_string(&w, "dso", v->dso);
		json_key_string(&w, "event", v->event);
		json_key_u64(&w, "samples", v->nr);
		json_key_u64(&w, "period", v->period);
		json_key(&w, "members");
		json_begin_array(&w, JSON_HANGING);
		for (u32 i = 1; i < v->member.nr; i++)
			add_member(&w, &v->member.v[i]);
		json_end(&w);
		json_end(&w);
	}
	json_end(&w);
	json_end(&w);
	strbuf_addch(out, '\n');
}
