/* Header facts: the rows. */
#include "header-facts.h"
#include "header-lists.h"
#include "../base/units.h"

#include <stddef.h>

enum form {
	FORM_TEXT, FORM_NUMBER, FORM_KB, FORM_SIZE, FORM_TIME, FORM_WORDS, FORM_FLAG, FORM_LIST, FORM_MADE
};

/* a member of struct features, or of the structs of a list */
struct header_member {
	enum form form;
	const char *key;	/* NULL: after the last one */
	size_t offset, size;
};

static const struct header_row {
	u32 bit;
	struct header_member value;	/* of a list: the pointer to its array */
	const char *title;
	size_t nr, struct_size;		/* of a list: the offset of its number of structs; their size */
	const struct header_member *in;	/* of a list */
	header_make *make;
} rows[] = {
#define MEMBER(form, key, type, member) \
	{ FORM_ ## form, key, offsetof(type, member), sizeof(((type *)NULL)->member) }
#define HEADER_FACT(feature, key, title, form, member) \
	{ FEAT_ ## feature, MEMBER(form, key, struct features, member), title, 0, 0, NULL, NULL },
#define HEADER_FLAG(feature, key) { FEAT_ ## feature, { FORM_FLAG, key, 0, 0 }, NULL, 0, 0, NULL, NULL },
#define HEADER_LIST(feature, key, array, nr, ...) \
	{ FEAT_ ## feature, MEMBER(LIST, key, struct features, array), NULL, \
	  offsetof(struct features, nr), sizeof(*((struct features *)NULL)->array), \
	  (const struct header_member[]){ __VA_ARGS__, { 0 } }, NULL },
#define HEADER_IN(tag, form, key, member) MEMBER(form, key, struct tag, member)
#define HEADER_MADE(feature, key, function) \
	{ FEAT_ ## feature, { FORM_MADE, key, 0, 0 }, NULL, 0, 0, NULL, function },
#include "header-facts.def"
#undef HEADER_FACT
#undef HEADER_IN
#undef MEMBER
};

static const char *text_of(const struct header_member *m, const void *of)
{
	return *(const char *const *)((const char *)of + m->offset);
}

static u64 number_of(const struct header_member *m, const void *of)
{
	const char *p = (const char *)of + m->offset;

	return m->size == sizeof(u64) ? *(const u64 *)p : *(const u32 *)p;
}

static const char *command_line(const struct features *f, struct arena *arena)
{
	struct strbuf line = STRBUF_INIT;
	const char *ret;

	for (u32 i = 0; i < f->nr_cmdline; i++)
		strbuf_addf(&line, "%s%s", i ? " " : "", f->cmdline[i]);
	ret = f->nr_cmdline ? arena_strdup(arena, strbuf_str(&line)) : NULL;
	strbuf_release(&line);
	return ret;
}

/* adds a plain value of a struct; what it does not say is left out */
static void add_member(const struct header_member *m, const void *of, struct view_facts *ret)
{
	struct view_value time = { .type = VIEW_TIME };
	u64 bytes;

	switch (m->form) {
	case FORM_TEXT:
		view_fact_text(ret, m->key, text_of(m, of));
		break;
	case FORM_KB:
		view_fact_number(ret, m->key, number_of(m, of) * 1024);
		break;
	case FORM_SIZE:
		if (text_of(m, of) && !parse_size(text_of(m, of), &bytes))
			view_fact_number(ret, m->key, bytes);
		break;
	case FORM_TIME:
		time.number = number_of(m, of);
		vec_push(ret, (struct view_fact){ m->key, time });
		break;
	default:
		view_fact_number(ret, m->key, number_of(m, of));
	}
}

static void add_list(const struct header_row *r, const struct features *f, struct arena *arena,
		     struct view_facts *ret)
{
	const char *p = *(const char *const *)((const char *)f + r->value.offset);
	u32 nr = *(const u32 *)((const char *)f + r->nr);
	struct view_values values = { 0 };
	struct view_facts facts = { 0 };

	for (u32 i = 0; i < nr; i++, p += r->struct_size) {
		for (const struct header_member *m = r->in; m->key; m++)
			add_member(m, p, &facts);
		vec_push(&values, view_object_of(&facts, arena));
	}
	view_fact_list(ret, r->value.key, &values, arena);
	vec_release(&values);
	vec_release(&facts);
}

static void add_fact(const struct header_row *r, const struct data *d, struct arena *arena,
		     struct view_facts *ret)
{
	struct view_value made;

	switch (r->value.form) {
	case FORM_WORDS:
		view_fact_text(ret, r->value.key, command_line(&d->feat, arena));
		break;
	case FORM_FLAG:
		view_fact_bool(ret, r->value.key, true);
		break;
	case FORM_LIST:
		add_list(r, &d->feat, arena, ret);
		break;
	case FORM_MADE:
		if (r->make(d, arena, &made))
			vec_push(ret, (struct view_fact){ r->value.key, made });
		break;
	default:
		add_member(&r->value, &d->feat, ret);
	}
}

void header_facts(const struct data *d, struct arena *arena, struct view_facts *ret)
{
	view_fact_text(ret, "file", d->path);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (feature_present(&d->feat, rows[i].bit))
			add_fact(&rows[i], d, arena, ret);
}

static void add_text(const struct header_row *r, const struct features *f, struct strbuf *out)
{
	bool is_text = r->value.form == FORM_TEXT;
	const char *text = is_text ? text_of(&r->value, f) : NULL;
	u64 n = is_text ? 0 : number_of(&r->value, f);

	strbuf_addf(out, "# %s : ", r->title);
	switch (r->value.form) {
	case FORM_TEXT:
		strbuf_add_safe(out, text ? text : "");
		break;
	case FORM_TIME:
		strbuf_addf(out, "%lu.%06lu", n / 1000000000, n % 1000000000 / 1000);
		break;
	default:
		strbuf_add_u64(out, n, 0);
	}
	strbuf_addstr(out, r->value.form == FORM_KB ? " kB\n" : "\n");
}

void header_facts_text(const struct data *d, u64 bit, struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].bit == bit && rows[i].title)
			add_text(&rows[i], &d->feat, out);
}
