/* List: the fields of tracepoints and how their records print, out of the format files of tracefs. */
#include "list.h"
#include "collect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../kernel/tracefs.h"

#define NAME_ROOM 600u	/* for two names of files */

/* "\tfield:const char * name;\toffset:8;\tsize:4;\tsigned:0;" */
struct list_field {
	char type[128], name[96];
	unsigned int off, size, is_signed;
};

static bool parse_field(const char *line, struct list_field *f)
{
	const char *decl = strstr(line, "field:"), *end, *name, *dims;
	size_t type_len, name_len;

	if (!decl)
		return false;
	decl += strlen("field:");
	end = strchr(decl, ';');
	if (!end || sscanf(end, "; offset:%u; size:%u; signed:%u;", &f->off, &f->size, &f->is_signed) < 2)
		return false;
	/* the name is the last word; the dimensions after it belong to the type */
	dims = memchr(decl, '[', end - decl);
	if (dims && memchr(decl, ' ', dims - decl) && dims > decl && dims[-1] == ' ')
		dims = NULL;
	/* "__data_loc char[] name": the brackets come first */
	if (dims && memchr(dims, ' ', end - dims) && strcspn(dims, "]") + 1 < (size_t)(end - dims) &&
	    dims[strcspn(dims, "]") + 1] == ' ')
		dims = NULL;
	name = dims ? dims : end;
	while (name > decl && name[-1] != ' ')
		name--;
	name_len = (dims ? dims : end) - name;
	type_len = name > decl ? name - 1 - decl : 0;
	if (!name_len || !type_len)
		return false;
	snprintf(f->name, sizeof(f->name), "%.*s", (int)name_len, name);
	snprintf(f->type, sizeof(f->type), "%.*s%.*s", (int)type_len, decl, dims ? (int)(end - dims) : 0,
		 dims ? dims : "");
	return true;
}

/* "__data_loc char[]" is where the text is, not the text: what people filter by is a string of any length */
static const char *plain_type(const struct list_field *f)
{
	static const char *const prefixes[] = { "__data_loc ", "__rel_loc " };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(f->type, prefixes[i], strlen(prefixes[i])))
			return f->type + strlen(prefixes[i]);
	return f->type;
}

/* what a collection of tracepoints is made with; empty between two of them */
struct fields_maker {
	struct list_fields *l;
	bool common;
	struct { VEC(struct view_part); } part;
	struct view_values values;
	struct view_facts facts;
};

static const char *note_of(struct list_fields *l, const struct list_field *f)
{
	char text[64];

	if (plain_type(f) != f->type)
		return "of any length";
	snprintf(text, sizeof(text), "%u byte%s%s", f->size, f->size == 1 ? "" : "s",
		 f->is_signed ? ", signed" : "");
	return arena_strdup(&l->arena, text);
}

static void add_field(struct fields_maker *m, const struct list_field *f)
{
	const char *name = arena_strdup(&m->l->arena, f->name), *type = arena_strdup(&m->l->arena, f->type);

	m->l->any_dev |= !strcmp(f->type, "dev_t");
	vec_push(&m->part, (struct view_part){ name, type + (plain_type(f) - f->type), note_of(m->l, f) });
	view_fact_text(&m->facts, "Name", name);
	view_fact_text(&m->facts, "Type", type);
	view_fact_number(&m->facts, "Offset", f->off);
	view_fact_number(&m->facts, "Size", f->size);
	view_fact_bool(&m->facts, "Signed", f->is_signed);
	vec_push(&m->values, view_object_of(&m->facts, &m->l->arena));
}

/* every field line, then the text after "print fmt: " */
static void add_tracepoint(struct fields_maker *m, const struct tracefs_event *tp, char *format)
{
	struct list_tracepoint *t = vec_add(m->l);
	char name[NAME_ROOM], *next;

	snprintf(name, sizeof(name), "%s:%s", tp->sys, tp->name);
	t->name = arena_strdup(&m->l->arena, name);
	for (char *line = format; line; line = next) {
		struct list_field f = { .is_signed = 0 };

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!strncmp(line, "print fmt: ", strlen("print fmt: ")))
			t->prints = arena_strdup(&m->l->arena, line + strlen("print fmt: "));
		if (parse_field(line, &f) && (m->common || strncmp(f.name, "common_", strlen("common_"))))
			add_field(m, &f);
	}
	t->nr_parts = m->part.nr;
	t->part = arena_memdup(&m->l->arena, m->part.v, m->part.nr * sizeof(*m->part.v));
	t->fields = view_list_of(&m->values, &m->l->arena);
	m->part.nr = 0;
}

static bool is_named(const struct tracefs_event *tp, const char *pattern)
{
	size_t len = strlen(tp->sys);

	return !strncmp(pattern, tp->sys, len) && pattern[len] == ':' && !strcmp(pattern + len + 1, tp->name);
}

/* a pattern that is the whole name of one means that one alone, not those that it is a part of */
static bool matches(const char *const *patterns, const bool *exact, size_t nr, const struct tracefs_event *tp)
{
	char name[NAME_ROOM];

	snprintf(name, sizeof(name), "%s:%s", tp->sys, tp->name);
	for (size_t i = 0; i < nr; i++)
		if (exact[i] ? is_named(tp, patterns[i]) : list_pattern_matches(patterns[i], name))
			return true;
	return !nr;
}

static bool *find_exact(const char *const *patterns, size_t nr, const struct tracefs_events *all)
{
	bool *exact = xcalloc(MAX(nr, (size_t)1), sizeof(*exact));

	for (size_t i = 0; i < nr; i++)
		vec_foreach(all, tp)
			exact[i] |= is_named(tp, patterns[i]);
	return exact;
}

int list_fields_make(struct list_fields *ret, const char *const *patterns, size_t nr, bool common,
		     struct err *err)
{
	struct fields_maker m = { .l = ret, .common = common };
	struct tracefs_events all = { 0 };
	struct strbuf format = STRBUF_INIT;
	int rc = tracefs_list(&all, "*", "*", err);
	bool *exact;

	*ret = (struct list_fields){ 0 };
	if (!rc)
		rc = tracefs_list(&all, "ftrace", "*", err);
	exact = find_exact(patterns, nr, &all);
	vec_foreach(&all, tp) {
		if (rc || !matches(patterns, exact, nr, tp))
			continue;
		strbuf_reset(&format);
		if (tracefs_event_format(tp->sys, tp->name, &format))
			continue;	/* a probe that was removed meanwhile */
		strbuf_addch(&format, '\0');
		add_tracepoint(&m, tp, format.buf);
	}
	free(exact);
	vec_release(&m.part);
	vec_release(&m.values);
	vec_release(&m.facts);
	strbuf_release(&format);
	tracefs_events_release(&all);
	return rc;
}

void list_fields_release(struct list_fields *l)
{
	arena_release(&l->arena);
	vec_release(l);
}

static void item_of(const struct view_items *v, size_t i, struct view_item *ret)
{
	const struct list_tracepoint *t = &((const struct list_fields *)v->ctx)->v[i];

	*ret = (struct view_item){
		.section = "", .topic = "", .name = t->name, .alias = "", .tag = "", .text = "",
		.long_text = "", .details = "", .threshold = "", .part = t->part, .nr_parts = t->nr_parts,
		.prints = t->prints,
	};
}

static bool object_of(const struct view_items *v, size_t i, u32 nth, struct view_facts *ret)
{
	const struct list_tracepoint *t = &((const struct list_fields *)v->ctx)->v[i];

	if (nth)
		return false;
	view_fact_text(ret, "EventName", t->name);
	vec_push(ret, (struct view_fact){ "Fields", t->fields });
	vec_push(ret, (struct view_fact){ "PrintFormat", { .type = t->prints ? VIEW_TEXT : VIEW_ABSENT,
							   .text = t->prints } });
	return true;
}

void list_fields_items(const struct list_fields *l, struct view_items *ret)
{
	*ret = (struct view_items){ .nr = l->nr, .item = item_of, .object = object_of, .parts = true,
				    .ctx = l };
	if (l->any_dev)
		ret->foot = "dev_t is a device number as the kernel keeps it: "
			    "major << 20 | minor (/dev/sda1, 8:1 in 'ls -l', is 0x800001):\n"
			    "  --filter 'dev == 0x800001'   records of that device\n"
			    "  --filter 'dev & 0x800000'    records of devices whose major number "
			    "has bit 3 set\n";
}
