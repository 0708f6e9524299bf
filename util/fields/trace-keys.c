/* Trace keys: struct fields created on demand, and the values of payloads. */
#include "trace-keys.h"

#include <stdio.h>
#include <stdlib.h>
#include "field-family.h"
#include "field-worker.h"
#include "../resolve/names.h"

/* the field of one event that a key stands for */
struct trace_member {
	const char *name;	/* NULL: the event does not have it */
	u32 width;
};

struct trace_key {
	struct field field;
	struct trace_member *of;	/* by event */
	bool raw;
};

struct trace_keys {
	const struct evset *set;
	const struct feat_blob *formats;
	struct { VEC(struct trace_key *); } key;
	struct arena arena;
	struct field_worker worker;
};

/*
 * a text that begins with the first bytes of the raw value, so that values with equal texts differ, in the
 * order of their raw bytes
 */
#define RAW_DIGITS 16

static u64 raw_prefix(const u8 *p, u32 len, bool is_string)
{
	u64 v = 0;
	bool end = false;

	for (u32 i = 0; i < 8; i++) {
		end |= i >= len || (is_string && !p[i]);
		v = v << 8 | (end ? 0 : p[i]);
	}
	return v;
}

/* the text of the sample's payload, made once for all keys */
static const char *payload_text(struct field_worker *w, const struct tracefmt_event *te,
				const struct resolved_sample *rs)
{
	const struct sample *s = rs->sample;

	if (w->text_of != s->raw || !w->text.len) {
		strbuf_reset(&w->text);
		if (w->opts->raw_trace)
			tracefmt_print_fields(w->trace, te, s->raw, s->raw_size, &w->text);
		else
			tracefmt_print(w->trace, te, s->raw, s->raw_size, &w->text);
		w->text_of = s->raw;
	}
	return strbuf_str(&w->text);
}

/* "name=value" in a payload's text: the start of the value, or NULL */
static const char *find_value(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = text; p; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (!strncmp(p, name, len) && p[len] == '=')
			return p + len + 1;
	}
	return NULL;
}

static void add_value(struct field_worker *w, const struct trace_key *k, const struct tracefmt_event *te,
		      const struct tracefmt_field *f, const struct resolved_sample *rs, struct strbuf *out)
{
	const struct sample *s = rs->sample;
	const char *value;
	u32 len = 0;
	const u8 *bytes = tracefmt_bytes(w->trace, f, s->raw, s->raw_size, &len);

	if (!bytes)
		return;
	strbuf_add_hex(out, raw_prefix(bytes, len, f->is_string), RAW_DIGITS, '0');
	if (f->is_string) {
		strbuf_add(out, bytes, strnlen((const char *)bytes, len));
		return;
	}
	value = k->raw || w->opts->raw_trace ? NULL : find_value(payload_text(w, te, rs), f->name);
	if (value)
		strbuf_add(out, value, strcspn(value, " "));
	else
		tracefmt_print_field(w->trace, te, f, s->raw, s->raw_size, out);
}

static u64 slot_member(const struct field *field, const struct resolved_sample *rs)
{
	const struct trace_key *k = (const struct trace_key *)field;
	const char *name = k->of[rs->sample->event->idx].name;
	struct field_worker *w = rs->worker;
	const struct tracefmt_event *te = name ? field_worker_format(w, rs) : NULL;
	const struct tracefmt_field *f = te ? tracefmt_field(te, name) : NULL;

	strbuf_reset(&w->scratch);
	if (f)
		add_value(w, k, te, f, rs, &w->scratch);
	return strtab_add(&w->texts, strbuf_str(&w->scratch));
}

static u64 canon_text(const struct field_ctx *ctx, u64 slot)
{
	return strtab_add(&ctx->names->texts, strtab_get(&ctx->worker->texts, slot));
}

static const char *shown_value(const struct field_ctx *ctx, u64 key)
{
	const char *text = strtab_get(&ctx->names->texts, key);

	return *text ? text + RAW_DIGITS : text;
}

static void format_member(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_add_safe(out, shown_value(ctx, key));
}

static int cmp_member(const struct field_ctx *ctx, u64 a, u64 b)
{
	return cmp_text(ctx, b, a);
}

/* the recorded length includes the NUL */
static u32 length_dynamic(const struct field_ctx *ctx, u64 key, struct strbuf *scratch)
{
	return strlen(shown_value(ctx, key)) + 1;
}

static const char *title_member(const struct field *field, u32 event, u32 *ret_width)
{
	const struct trace_key *k = (const struct trace_key *)field;

	*ret_width = k->of[event].width;
	return k->of[event].name;
}

static struct trace_key *key_new(struct trace_keys *t, const char *word, bool raw)
{
	struct trace_key *k = ARENA_NEW(&t->arena, struct trace_key);

	*k = (struct trace_key){ .raw = raw, .field = { .name = arena_strdup(&t->arena, word), .title = "",
		.kind = FIELD_SLOT, .right = true, .needs = NEEDS_TRACE, .slot_of = slot_member,
		.canon = canon_text,
		.slot_is_text = true, .format = format_member, .cmp = cmp_member,
		.title_of = title_member } };
	k->of = arena_alloc(&t->arena, t->set->ev.nr * sizeof(*k->of));
	memset(k->of, 0, t->set->ev.nr * sizeof(*k->of));
	vec_push(&t->key, k);
	return k;
}

static const struct tracefmt_event *event_format(struct trace_keys *t, u32 idx)
{
	return field_worker_event(&t->worker, t->formats, evset_at(t->set, idx));
}

static void key_add(struct trace_keys *t, struct trace_key *k, u32 event, const struct tracefmt_field *f)
{
	u32 size = f->is_string ? f->size : f->size * 2 + 2;

	if (f->is_dynamic)
		k->field.length = length_dynamic;
	k->of[event] = (struct trace_member){ .name = arena_strdup(&t->arena, f->name),
					      .width = f->is_dynamic ? 0 : size };
}

/*
 * true if the word before the dot means this event: "%2", "sys:name" or "name"; an empty one means every
 * event
 */
static bool event_is(const char *word, size_t len, u32 idx, const struct tracefmt_event *te)
{
	const char *sys = tracefmt_event_system(te), *name = tracefmt_event_name(te);
	size_t sys_len = strlen(sys);
	char *end;

	if (!len)
		return true;
	if (*word == '%')
		return strtoul(word + 1, &end, 10) == idx + 1 && end == word + len;
	if (len > sys_len && !strncmp(word, sys, sys_len) && word[sys_len] == ':')
		return strlen(name) == len - sys_len - 1 &&
		       !strncmp(word + sys_len + 1, name, len - sys_len - 1);
	return strlen(name) == len && !strncmp(word, name, len);
}

/* the keys that words stand for, each once */
struct found_keys {
	const struct field **field;
	u32 nr;
};

static void found_add(struct found_keys *found, const struct trace_key *k)
{
	for (u32 i = 0; i < found->nr; i++)
		if (found->field[i] == &k->field)
			return;
	if (found->nr < TRACE_KEYS_MAX)
		found->field[found->nr++] = &k->field;
}

/* the key that an earlier word created for this field; NULL */
static struct trace_key *key_of(const struct trace_keys *t, u32 event, const char *name)
{
	vec_foreach(&t->key, k)
		if ((*k)->of[event].name && !strcmp((*k)->of[event].name, name))
			return *k;
	return NULL;
}

/*
 * The field of that name in each matching event, or its nth field if name is NULL: one key for all events
 * without one. False: no such field.
 */
static bool find_fields(struct trace_keys *t, const char *word, size_t len, const char *name, u32 nth,
			bool raw, struct found_keys *found)
{
	struct trace_key *own = NULL, *k;
	char title[32];
	bool any = false;

	snprintf(title, sizeof(title), "trace_field_%u", nth + 1);
	for (u32 i = 0; i < t->set->ev.nr; i++) {
		const struct tracefmt_event *te = event_format(t, i);
		const struct tracefmt_field *f;

		if (!te || !event_is(word, len, i, te))
			continue;
		f = name ? tracefmt_field(te, name) : tracefmt_nth_field(te, nth);
		if (!f)
			continue;
		any = true;
		k = key_of(t, i, f->name);
		if (!k && !own)
			own = key_new(t, name ? word : title, raw);
		if (!k)
			key_add(t, own, i, f);
		found_add(found, k ? k : own);
	}
	return any;
}

u32 trace_keys_find(struct trace_keys *t, const char *word, const struct field *ret[TRACE_KEYS_MAX])
{
	char *copy = xstrdup(word), *raw = strrchr(copy, '/'), *dot, *name;
	bool is_raw = raw && !strcmp(raw, "/raw");
	struct found_keys found = { .field = ret };
	size_t len;

	if (is_raw)
		*raw = '\0';
	dot = strrchr(copy, '.');
	len = dot ? dot - copy : 0;
	name = dot ? dot + 1 : copy;
	if (!strcmp(name, dot ? "*" : "trace_fields")) {
		for (u32 nth = 0;
		     nth < TRACE_KEYS_MAX && find_fields(t, copy, len, NULL, nth, is_raw, &found); nth++)
			;
	} else {
		find_fields(t, copy, len, name, 0, is_raw, &found);
	}
	free(copy);
	return found.nr;
}

struct trace_keys *trace_keys_new(const struct evset *set, const struct feat_blob *formats)
{
	struct trace_keys *t = xcalloc(1, sizeof(*t));

	t->set = set;
	t->formats = formats;
	return t;
}

void trace_keys_free(struct trace_keys *t)
{
	if (!t)
		return;
	field_worker_release(&t->worker);
	vec_release(&t->key);
	arena_release(&t->arena);
	free(t);
}

bool trace_keys_any(const struct trace_keys *t)
{
	for (size_t i = 0; t && i < t->set->ev.nr; i++)
		if (evset_at(t->set, i)->attr.type == PERF_TYPE_TRACEPOINT)
			return true;
	return false;
}

bool trace_keys_only(const struct evset *set)
{
	for (u32 i = 0; i < set->ev.nr; i++)
		if (evset_at(set, i)->attr.type != PERF_TYPE_TRACEPOINT)
			return false;
	return set->ev.nr;
}

static u64 slot_trace(const struct resolved_sample *rs)
{
	struct field_worker *w = rs->worker;
	const struct tracefmt_event *te = field_worker_format(w, rs);

	return strtab_add(&w->texts, te ? payload_text(w, te, rs) : "N/A");
}

const struct field field_trace = { .name = "trace", .title = "Trace output", .kind = FIELD_SLOT, .width = 12,
	.needs = NEEDS_TRACE, .slot = slot_trace, .canon = canon_text,
	.slot_is_text = true, .format = format_text, .cmp = cmp_text,
	.prefix = prefix_text, .no_pad = true, .whole = true, .help = "text of the tracepoint" };
