/* perf annotate on a terminal: functions with their shares, and the code of each. */
#include "builtin-annotate.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/tui/tui.h"
#include "util/view/rows.h"

/* of a listing: what it is about, and its strings */
struct code_text {
	struct annotated f;
	struct arena arena;
	struct view_listing l;
};

void code_answer(struct annotate *a, const struct annotated *f, struct view_answer *ret)
{
	struct code_text *c = xcalloc(1, sizeof(*c));

	c->f = *f;
	annotate_function(a, f, &c->arena, &c->l);
	ret->listing = &c->l;
	ret->data = c;
	snprintf(ret->title, sizeof(ret->title), "%s", c->l.symbol);
}

static const struct annotated *function_of(const struct view_listing *l)
{
	const struct code_text *c = (const void *)((const char *)l - offsetof(struct code_text, l));

	return &c->f;
}

void code_renew(struct annotate *a, const struct view_listing *l, struct view_answer *ret)
{
	const struct annotated *old = function_of(l);
	const struct annotated f = annotate_find(a, old->dso, old->symbol, old->event);

	code_answer(a, &f, ret);
}

int code_follow(struct annotate *a, const struct view_listing *l, const struct listing_line *line,
		struct view_answer *ret, struct err *err)
{
	struct annotated f;

	if (!annotate_find_address(a, function_of(l), l, line->target_addr, &f))
		return err_set(err, -ENOENT, "no function is known at %lx", line->target_addr);
	code_answer(a, &f, ret);
	return 0;
}

void code_drop(struct view_answer *a)
{
	struct code_text *c = a->data;

	annotate_listing_release(&c->l);
	arena_release(&c->arena);
	free(c);
}

/* ---- the table of functions ---- */

struct function_row {
	double share;
	u64 period;
	const char *symbol, *dso, *event;
};

static double row_share(const void *row)
{
	return ((const struct function_row *)row)->share;
}

static const char *row_symbol(const void *row)
{
	return ((const struct function_row *)row)->symbol;
}

static const char *row_dso(const void *row)
{
	return ((const struct function_row *)row)->dso;
}

static const char *row_event(const void *row)
{
	return ((const struct function_row *)row)->event;
}

static const struct view_field function_fields[] = {
	{ VIEW_COUNT("overhead", "Overhead", VIEW_SHARE, 8), .decimals = 2, .real = row_share },
	{ VIEW_NAME("event", "Event", VIEW_TEXT, 5), .text = row_event },
	{ VIEW_NAME("dso", "Shared Object", VIEW_TEXT, 13), .text = row_dso },
	{ VIEW_NAME("symbol", "Symbol", VIEW_TEXT, 6), .text = row_symbol },
};

static struct function_row *make_rows(const struct annotate *a, struct arena *arena)
{
	struct function_row *row = xcalloc(a->function.nr + 1, sizeof(*row));
	const struct symbols *s = a->session->symbols;

	for (size_t i = 0; i < a->function.nr; i++) {
		const struct annotated *f = &a->function.v[i];
		u64 all = a->hist->event[f->event].shown.period;

		row[i] = (struct function_row){
			.share = all ? 100.0 * f->period / all : 0, .period = f->period,
			.symbol = symbols_name(s, f->dso, f->symbol, arena),
			.dso = dsos_at(machine_dsos(a->session->machine), f->dso)->short_name,
			.event = evset_at(a->session->data->evset, f->event)->name };
	}
	return row;
}

/* ---- questions ---- */

static const struct view_question questions[] = {
	{ 'a', "annotate", "show the code of this function", "Reading code", VIEW_INPUT_NONE, NULL, true },
};

static const struct view_zoom zooms[] = {
	{ 'd', "dso", NULL, "show only rows of this program or library" },
	{ 'k', "dso", "[kernel", "show only rows of the kernel" },
};

static int answer(void *ctx, const struct view_question *q UNUSED, const struct view_table *t UNUSED,
		  size_t row, const char *input UNUSED, struct view_answer *ret, struct err *err UNUSED)
{
	struct annotate *a = ctx;

	code_answer(a, &a->function.v[row], ret);
	return 0;
}

static int follow(void *ctx, const struct view_listing *l, const struct listing_line *line,
		  struct view_answer *ret, struct err *err)
{
	return code_follow(ctx, l, line, ret, err);
}

static void drop(void *ctx UNUSED, struct view_answer *a)
{
	code_drop(a);
}

int annotate_browse(struct annotate *a, const struct listing_opts *o, struct err *err)
{
	struct view_asker asker = { .ctx = a, .question = questions, .nr = ARRAY_SIZE(questions),
				    .answer = answer, .follow = follow, .drop = drop };
	struct view *v = xcalloc(1, sizeof(*v));
	struct function_row *row = make_rows(a, &v->arena);
	struct view_answer first = { 0 };
	struct view_table *table;
	struct tui *t;

	v->name = "annotate";
	table = view_add_rows(v, &(struct view_rows){ .field = function_fields,
		.nr_fields = ARRAY_SIZE(function_fields),
		.form = VIEW_FORM_TEXT, .table = 1, .row = row, .nr = a->function.nr, .size = sizeof(*row),
		.limit = a->function.nr });
	table->name = "Functions with samples";
	table->zoom = zooms;
	table->nr_zooms = ARRAY_SIZE(zooms);
	t = tui_begin(err);
	if (t) {
		tui_add_view(t, v, &asker, &(struct text_opts){ 0 });
		code_answer(a, &a->function.v[0], &first);
		tui_add_listing(t, &asker, &first, o);
		tui_run(t);
		tui_end(t);
	}
	view_free(v);
	free(row);
	return t ? 0 : err->code;
}
