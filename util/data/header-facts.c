/* Header facts: the rows. */
#include "header-facts.h"

#include <stddef.h>

enum form { FORM_TEXT, FORM_NUMBER, FORM_KB, FORM_TIME, FORM_WORDS };

static const struct header_row {
	u32 bit;
	enum form form;
	const char *key, *title;
	size_t offset, size;	/* of the member of struct features */
} rows[] = {
#define HEADER_FACT(feature, key, title, form, member) \
	{ FEAT_ ## feature, FORM_ ## form, key, title, offsetof(struct features, member), \
	  sizeof(((struct features *)NULL)->member) },
#include "header-facts.def"
#undef HEADER_FACT
};

static const char *text_of(const struct header_row *r, const struct features *f)
{
	return *(const char *const *)((const char *)f + r->offset);
}

static u64 number_of(const struct header_row *r, const struct features *f)
{
	const char *p = (const char *)f + r->offset;

	return r->size == sizeof(u64) ? *(const u64 *)p : *(const u32 *)p;
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

static void add_fact(const struct header_row *r, const struct features *f, struct arena *arena,
		     struct view_facts *ret)
{
	struct view_value time = { .type = VIEW_TIME };

	switch (r->form) {
	case FORM_TEXT:
		view_fact_text(ret, r->key, text_of(r, f));
		break;
	case FORM_WORDS:
		view_fact_text(ret, r->key, command_line(f, arena));
		break;
	case FORM_NUMBER:
		view_fact_number(ret, r->key, number_of(r, f));
		break;
	case FORM_KB:
		view_fact_number(ret, r->key, number_of(r, f) * 1024);
		break;
	case FORM_TIME:
		time.number = number_of(r, f);
		vec_push(ret, (struct view_fact){ r->key, time });
		break;
	}
}

void header_facts(const struct data *d, struct arena *arena, struct view_facts *ret)
{
	view_fact_text(ret, "file", d->path);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (feature_present(&d->feat, rows[i].bit))
			add_fact(&rows[i], &d->feat, arena, ret);
}

static void add_text(const struct header_row *r, const struct features *f, struct strbuf *out)
{
	const char *text = r->form == FORM_TEXT ? text_of(r, f) : NULL;
	u64 n = r->form == FORM_TEXT ? 0 : number_of(r, f);

	strbuf_addf(out, "# %s : ", r->title);
	switch (r->form) {
	case FORM_TEXT:
		strbuf_add_safe(out, text ? text : "");
		break;
	case FORM_TIME:
		strbuf_addf(out, "%llu.%06llu", (unsigned long long)(n / 1000000000),
			    (unsigned long long)(n % 1000000000 / 1000));
		break;
	default:
		strbuf_add_u64(out, n, 0);
	}
	strbuf_addstr(out, r->form == FORM_KB ? " kB\n" : "\n");
}

void header_facts_text(const struct data *d, u64 bit, struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].bit == bit && rows[i].title)
			add_text(&rows[i], &d->feat, out);
}
