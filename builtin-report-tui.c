/* perf report on a terminal: what the terminal interface can ask: other sort keys, other files, code. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-report.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/fields/trace-keys.h"
#include "util/stat/stat-file.h"

#define MAX_FILES 500u		/* of a directory that are offered */

struct opened {
	struct session *s;
	struct trace_keys *trace;
};

struct browse {
	struct report_opts base;	/* as given, but for sort keys that were typed */
	struct report_answer *answer;	/* the one that is shown */
	struct annotate annotate;	/* of its session, made when first asked for */
	struct annotate_opts annotate_opts;
	bool annotated;
	struct { VEC(struct opened); } opened;	/* other files */
	struct { VEC(char *); } text;		/* that options and sessions refer to */
};

static void forget_annotate(struct browse *b)
{
	if (b->annotated)
		annotate_release(&b->annotate);
	b->annotated = false;
}

/* ---- code ---- */

static int count_instructions(struct browse *b, struct err *err)
{
	int ret;

	if (b->annotated)
		return 0;
	b->annotate_opts = b->base.code;
	b->annotate_opts.filter = b->base.filter;
	b->annotate_opts.full_paths = b->base.full_path;
	ret = annotate_collect(&b->annotate, b->answer->s, &b->annotate_opts, err);
	b->annotated = true;
	if (ret)
		forget_annotate(b);
	return ret;
}

static int annotate_row(struct browse *b, const struct view_table *t, size_t row, struct view_answer *ret,
			struct err *err)
{
	struct report_symbol sym;
	struct annotated f;
	int status;

	if (!report_row_symbol(t, row, &sym))
		return err_set(err, -ENOENT, t->nr_levels ? "rows of a tree (-H) have no code to show" :
			       "this row has no function whose code could be shown");
	status = count_instructions(b, err);
	if (status)
		return status;
	f = annotate_find(&b->annotate, sym.dso, sym.symbol, sym.event);
	code_answer(&b->annotate, &f, ret);
	return 0;
}

static int follow(void *ctx, const struct view_listing *l, const struct listing_line *line,
		  struct view_answer *ret, struct err *err)
{
	struct browse *b = ctx;

	return code_follow(&b->annotate, l, line, ret, err);
}

/* ---- other views ---- */

static int give_view(struct browse *b, struct session *s, struct view_answer *ret, struct err *err)
{
	struct report_answer *a = xcalloc(1, sizeof(*a));
	int status = report_compute(a, &b->base, s, err);

	if (status) {
		report_answer_release(a);
		free(a);
		return status;
	}
	if (b->answer->s != s)
		forget_annotate(b);
	b->answer = a;
	ret->view = a->v;
	ret->data = a;
	return 0;
}

static const char *keep_text(struct browse *b, const char *text)
{
	vec_push(&b->text, xstrdup(text));
	return b->text.v[b->text.nr - 1];
}

static int sort_by(struct browse *b, const char *keys, struct view_answer *ret, struct err *err)
{
	const char *old = b->base.sort.sort, *old_fields = b->base.sort.fields;
	int status;

	b->base.sort.sort = keep_text(b, keys);
	b->base.sort.fields = NULL;
	status = give_view(b, b->answer->s, ret, err);
	if (status) {
		b->base.sort.sort = old;
		b->base.sort.fields = old_fields;
	}
	return status;
}

static int switch_file(struct browse *b, const char *path, struct view_answer *ret, struct err *err)
{
	struct trace_keys *old = b->base.sort.trace;
	struct session_opts so = b->base.session;
	struct session *s;
	int status;

	so.data.path = keep_text(b, path);
	status = session_open(&s, &so, err);
	if (status)
		return status;
	if (stat_file_is(s->data)) {
		session_close(s);
		return err_set(err, -EINVAL, "%s holds counts, not samples", path);
	}
	b->base.sort.trace = trace_keys_new(s->data->evset, &s->data->feat.tracing_data);
	vec_push(&b->opened, (struct opened){ s, b->base.sort.trace });
	status = give_view(b, s, ret, err);
	if (status)
		b->base.sort.trace = old;
	return status;
}

static int sort_by_member(struct browse *b, const struct view_table *t, const char *digit,
			  struct view_answer *ret, struct err *err)
{
	u32 member = (u32)(*digit - '0');

	if (member >= t->member.nr)
		return err_set(err, -ENOENT, "this group has events 0 to %zu", t->member.nr - 1);
	b->base.view.group_sort = member;
	return give_view(b, b->answer->s, ret, err);
}

static int toggle_verbose(struct browse *b, struct view_answer *ret, struct err *err)
{
	log_level = log_level > 0 ? 0 : 1;
	return give_view(b, b->answer->s, ret, err);
}

/* ---- scripts ---- */

static const struct script {
	const char *name, *text, *ending;
} scripts[] = {
	{ "flamegraph", "flamegraph: write a flame graph for a browser", ".html" },
	{ "svg", "svg: write a flame graph as a picture", ".svg" },
	{ "folded", "folded: write a line per stack", ".txt" },
};

static void list_scripts(struct view_texts *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++)
		vec_push(out, xstrdup(scripts[i].text));
}

/* a name that is free: flamegraph.0.html */
static bool free_name(const struct script *s, char *path, size_t size)
{
	for (u32 i = 0; i < 1000; i++) {
		snprintf(path, size, "%s.%u%s", s->name, i, s->ending);
		if (access(path, F_OK))
			return true;
	}
	return false;
}

static int run_script(struct browse *b, const char *text, struct view_answer *ret, struct err *err)
{
	const struct script *s = scripts;
	struct report_opts o = b->base;
	struct report_answer a;
	char path[64];
	int status;

	while (strcmp(s->text, text))
		s++;
	if (!free_name(s, path, sizeof(path)))
		return err_set(err, -EEXIST, "1000 files %s.N%s exist already", s->name, s->ending);
	o.picture = (struct stack_picture){ path, s->name };
	o.sort.sort = o.sort.fields = NULL;
	o.view.hierarchy = false;
	status = report_compute(&a, &o, b->answer->s, err);
	if (!status)
		status = format_view_file(s->name, a.v, &a.o.text, path, err);
	report_answer_release(&a);
	if (status)
		return status;
	ret->text = xasprintf("written to %s\n", path);
	snprintf(ret->title, sizeof(ret->title), "%s", s->name);
	return 0;
}

/* ---- single samples ---- */

static int row_samples(struct browse *b, const struct view_table *t, size_t row, struct view_answer *ret,
		       struct err *err)
{
	struct report_symbol sym;

	if (!report_row_symbol(t, row, &sym))
		return err_set(err, -ENOENT, t->nr_levels ? "samples of rows of a tree (-H) cannot be shown" :
			       "this row has no function whose samples could be shown");
	snprintf(ret->title, sizeof(ret->title), "Samples of %s", sym.name);
	ret->line_key = 'X';
	return report_row_samples(b->answer->s, &b->base, &sym, &ret->text, err);
}

/* time: as it was typed, or in the line of a sample that was picked */
static int context(struct browse *b, const char *time, struct view_answer *ret, struct err *err)
{
	char found[32];

	if (report_sample_time(time, found, sizeof(found)))
		time = found;
	ret->line_key = 'X';
	snprintf(ret->title, sizeof(ret->title), "Samples around %s", time);
	return report_context_samples(b->answer->s, &b->base, time, &ret->text, err);
}

/* ---- the questions ---- */

static const struct view_question questions[] = {
	{ 'a', "annotate", "show the code of this function", "Counting samples by instruction",
	  VIEW_INPUT_NONE, NULL, true },
	{ 'x', "samples", "show individual samples of this function", "Reading samples",
	  VIEW_INPUT_NONE, NULL, true },
	{ 'X', "context", "show the context of an individual sample", "Reading samples", VIEW_INPUT_TEXT,
	  "Time of the sample in seconds", true },
	{ 'S', "sort", "sort by other keys", "Counting samples", VIEW_INPUT_TEXT,
	  "Sort keys, such as dso,symbol", false },
	{ 's', "file", "show another recording of this directory", "Reading", VIEW_INPUT_CHOICE,
	  "Recordings", false },
	{ 'r', "script", "write stacks as a picture", "Counting stacks", VIEW_INPUT_CHOICE,
	  "Scripts", false },
	{ 'V', "verbose", "show addresses of symbols, or not", "Counting samples", VIEW_INPUT_NONE, NULL,
	  false },
	{ '0', "event", "sort by this event of the group", "Counting samples", VIEW_INPUT_NONE, NULL,
	  false, .last_key = '9', .of_group = true },
};

static int answer(void *ctx, const struct view_question *q, const struct view_table *t, size_t row,
		  const char *input, struct view_answer *ret, struct err *err)
{
	struct browse *b = ctx;

	switch (q->key) {
	case 'a':
		return annotate_row(b, t, row, ret, err);
	case 'x':
		return row_samples(b, t, row, ret, err);
	case 'X':
		return context(b, input, ret, err);
	case 'S':
		return sort_by(b, input, ret, err);
	case 's':
		return switch_file(b, input, ret, err);
	case 'r':
		return run_script(b, input, ret, err);
	case '0':
		return sort_by_member(b, t, input, ret, err);
	default:
		return toggle_verbose(b, ret, err);
	}
}

static bool is_recording(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[8] = "";
	bool yes = fd >= 0 && read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
		   (!memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8));

	if (fd >= 0)
		close(fd);
	return yes;
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_files(struct view_texts *out)
{
	DIR *d = opendir(".");
	struct dirent *e;

	while (d && out->nr < MAX_FILES && (e = readdir(d)))
		if (e->d_type != DT_DIR && is_recording(e->d_name))
			vec_push(out, xstrdup(e->d_name));
	if (d)
		closedir(d);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), cmp_names);
}

static void choices(void *ctx UNUSED, const struct view_question *q, struct view_texts *out)
{
	if (q->key == 'r')
		list_scripts(out);
	else
		list_files(out);
}

static void drop(void *ctx UNUSED, struct view_answer *a)
{
	if (a->listing) {
		code_drop(a);
		return;
	}
	if (a->view)
		report_answer_release(a->data);
	free(a->text);
	free(a->data);
}

int report_browse(struct report_answer *first, const struct report_opts *opts, struct err *err)
{
	struct browse b = { .base = *opts, .answer = first };
	struct view_asker asker = { .ctx = &b, .question = questions, .nr = ARRAY_SIZE(questions),
				    .choices = choices, .answer = answer, .follow = follow, .drop = drop };
	struct tui *t = tui_begin(err);

	if (!t)
		return err->code;
	tui_listing_opts(t, &opts->code_text);
	tui_add_view(t, first->v, &asker, &first->o.text);
	tui_run(t);
	tui_end(t);
	forget_annotate(&b);
	vec_foreach(&b.opened, o) {
		trace_keys_free(o->trace);
		session_close(o->s);
	}
	vec_foreach(&b.text, text)
		free(*text);
	vec_release(&b.opened);
	vec_release(&b.text);
	return 0;
}
