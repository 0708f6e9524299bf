/* Finding: see finding.h. */
#include "finding.h"

#include <stdarg.h>

static const char *keep(struct finding *f, struct strbuf *sb)
{
	const char *text = arena_strdup(f->arena, strbuf_str(sb));

	strbuf_release(sb);
	return text;
}

void finding_set(struct finding *f, enum finding_state state, const char *fmt, ...)
{
	struct strbuf sb = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&sb, fmt, ap);
	va_end(ap);
	f->state = state;
	f->found = keep(f, &sb);
}

void finding_remedy(struct finding *f, const char *fmt, ...)
{
	struct strbuf sb = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&sb, fmt, ap);
	va_end(ap);
	f->remedy = keep(f, &sb);
}

void finding_set_err(struct finding *f, enum finding_state state, const struct err *err)
{
	struct strbuf sb = STRBUF_INIT;

	finding_set(f, state, "%s", err->msg);
	for (u32 i = 0; i < err->nr_hints; i++)
		strbuf_addf(&sb, "%s%s", i ? "; " : "", err_hint_at(err, i));
	if (sb.len)
		f->remedy = keep(f, &sb);
	strbuf_release(&sb);
}

void findings_add(struct findings *l, const struct finding *f, const char *remedy)
{
	if (!f->found)
		return;
	vec_push(l, *f);
	if (f->state != FINDING_OK && !f->remedy)
		l->v[l->nr - 1].remedy = remedy;
}

/* ---- the table ---- */

static const char *state_word(enum finding_state s)
{
	static const char *const words[] = {
		[FINDING_OK] = "ok", [FINDING_LIMITED] = "limited", [FINDING_MISSING] = "missing",
	};

	return words[s];
}

#define GET(name, value) \
	static const char *name(const void *row) { const struct finding *f = row; return value; }
GET(row_state, state_word(f->state))
GET(row_name, f->name)
GET(row_title, f->title)
GET(row_found, f->found)
GET(row_remedy, f->remedy ? f->remedy : "")
GET(row_both, f->both)
GET(no_remedy, f->remedy ? NULL : "nothing is to be done")

#define TEXT .forms = VIEW_FORM_TEXT
#define VALUES .forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES
static const struct view_field columns[] = {
	{ VIEW_NAME("state", "State", VIEW_TEXT, 7), .text = row_state },
	{ VIEW_NAME("name", "Name", VIEW_TEXT, 0), .text = row_name, VALUES },
	{ VIEW_NAME("title", "Ability", VIEW_TEXT, 0), .text = row_title, TEXT },
	{ .column = { .name = "found", .title = "What was found, and what to do", .no_pad = true,
		      .whole = true, .sentences = true }, .text = row_both, TEXT },
	{ VIEW_NAME("found", "Found", VIEW_TEXT, 0), .text = row_found, VALUES },
	{ VIEW_NAME("remedy", "What to do", VIEW_TEXT, 0), .text = row_remedy, .absent = no_remedy, VALUES },
};

static void join(struct finding *f, u32 form)
{
	struct strbuf sb = STRBUF_INIT;

	if (form == VIEW_FORM_VALUES)
		return;
	strbuf_add_safe(&sb, f->found);
	if (f->remedy) {
		strbuf_addstr(&sb, "; ");
		strbuf_add_safe(&sb, f->remedy);
	}
	f->both = keep(f, &sb);
}

void findings_show(struct findings *l, struct view *v, const char *name, const char *title, u32 form)
{
	struct view_table *t;

	vec_foreach(l, f)
		join(f, form);
	t = view_add_rows(v, &(struct view_rows){ .field = columns, .nr_fields = ARRAY_SIZE(columns),
						  .form = form, .table = 1, .row = l->v, .nr = l->nr,
						  .size = sizeof(*l->v), .limit = UINT64_MAX });
	t->name = name;
	vec_push(&t->head, title);
	vec_push(&v->owned, l->v);
	*l = (struct findings){ 0 };
}
