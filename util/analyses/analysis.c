/* Analyses: see analysis.h. */
#include "analysis.h"
#include "tally.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "../base/strbuf.h"
#include "../fields/file-facts.h"
#include "../syscall/syscall.h"

static const struct analysis analyses[] = {
#define ANALYSIS(id, name, args, summary, better) { name, args, summary, better, &analysis_##id },
#include "analyses.def"
};

const struct analysis *analysis_at(size_t i)
{
	return i < ARRAY_SIZE(analyses) ? &analyses[i] : NULL;
}

const struct analysis *analysis_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(analyses); i++)
		if (!strcmp(analyses[i].name, name))
			return &analyses[i];
	return NULL;
}

const char *analysis_elsewhere(const char *name)
{
	static const struct {
		const char *name, *instead;
	} rows[] = {
#define ELSEWHERE(name, instead) { name, instead },
#include "analyses.def"
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].name, name))
			return rows[i].instead;
	return NULL;
}

/* ---- arguments ---- */

enum word_kind { NOT_A_WORD, WORD, WORD_VALUE_NEXT };

/* whether it is a word of the analysis; its value follows the "=" or, of one with dashes, is the next word */
static enum word_kind find_word(const struct analysis_ops *ops, const char *word, u32 *ret_row,
				const char **ret_value)
{
	for (u32 i = 0; ops->word && ops->word[i]; i++) {
		size_t len = strlen(ops->word[i]);
		bool value = ops->word[i][len - 1] == '=';

		*ret_row = i;
		*ret_value = word + len;
		if (!strncmp(word, ops->word[i], len) && value == (word[len] != 0))
			return WORD;
		if (value && *word == '-' && !strncmp(word, ops->word[i], len - 1) && !word[len - 1])
			return WORD_VALUE_NEXT;
	}
	return NOT_A_WORD;
}

int analysis_take_words(const struct analysis *a, int argc, const char **argv, bool all,
			struct analysis_args *ret)
{
	int left = 0, i = 0;

	for (; i < argc; i++) {
		const char *value;
		u32 row;
		enum word_kind kind = find_word(a->ops, argv[i], &row, &value);

		if (kind == WORD_VALUE_NEXT && i + 1 == argc)
			ret->lacks = argv[i];
		else if (kind)
			ret->word[row] = kind == WORD ? value : argv[++i];
		else if (all)
			argv[left++] = argv[i];
		else
			break;
	}
	while (i < argc)
		argv[left++] = argv[i++];
	argv[left] = NULL;
	return left;
}

static bool is_number(const char *word)
{
	return *word && strspn(word, "0123456789") == strlen(word);
}

static bool take(const struct analysis_ops *ops, const char *word, struct analysis_args *args)
{
	bool number = is_number(word);
	u64 seconds = number ? strtoull(word, NULL, 10) : 0;

	if (number && ops->takes & ANALYSIS_TAKES_INTERVAL && !args->interval && seconds - 1 < 86400)
		args->interval = seconds;
	else if (number && ops->takes & ANALYSIS_TAKES_TID && !args->tid && !args->comm)
		args->tid = word;
	else if (ops->takes & (ANALYSIS_TAKES_COMM | ANALYSIS_NEEDS_COMM) && *word && !args->comm &&
		 !args->tid)
		args->comm = word;
	else
		return false;
	return true;
}

int analysis_parse(const struct analysis *a, int argc, const char *const *argv, struct analysis_args *ret,
		   struct err *err)
{
	if (ret->lacks)
		return err_set(err, -EINVAL, "%s needs a value: %s %s", ret->lacks, a->name, a->args);
	for (int i = 0; i < argc; i++) {
		if (take(a->ops, argv[i], ret))
			continue;
		if (!*a->args)
			return err_set(err, -EINVAL, "%s takes no arguments, but got '%s'", a->name, argv[i]);
		return err_set(err, -EINVAL, "'%s' is not an argument of %s, whose arguments are %s", argv[i],
			       a->name, a->args);
	}
	if (a->ops->takes & ANALYSIS_NEEDS_COMM && !ret->comm)
		return err_set(err, -EINVAL, "%s needs the name of a program: %s %s", a->name, a->name,
			       a->args);
	return 0;
}

/* ---- runs ---- */

struct analysis_run *analysis_begin(const struct analysis *a, const struct session *s,
				    const struct analysis_args *args)
{
	struct analysis_run *run = xcalloc(1, a->ops->size);

	run->session = s;
	run->args = args;
	return run;
}

static void add_losses(const struct analysis_run *run, struct view *v)
{
	u64 lost = tracing_nr_lost(run->session);
	struct view_summary *b;

	if (!lost)
		return;
	b = view_add_summary(v, "losses", NULL);
	view_add_number(b, "lost-events", "Events lost while recording: ", lost)->after =
		" (the numbers above are too small)\n";
}

u32 analysis_files(const struct analysis *a, const struct analysis_args *args)
{
	u32 ret = 0;

	for (u32 i = 0; a->ops->word && a->ops->word[i]; i++)
		ret |= args->word[i] ? a->ops->files & 1u << i : 0;
	return ret;
}

struct view *analysis_view(const struct analysis *a, struct analysis_run *run, u32 form)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->name = "script";
	v->tables = "tables";
	view_fact_text(&v->fact, "analysis", a->name);
	file_facts(&v->fact, &v->arena, run->session);
	run->form = form;
	a->ops->view(run, v);
	if (!run->file)
		add_losses(run, v);
	return v;
}

void analysis_reset(const struct analysis *a, struct analysis_run *run)
{
	const struct analysis_run same = { .session = run->session, .args = run->args };

	a->ops->release(run);
	arena_release(&run->arena);
	memset(run, 0, a->ops->size);
	*run = same;
}

void analysis_end(const struct analysis *a, struct analysis_run *run)
{
	if (!run)
		return;
	a->ops->release(run);
	arena_release(&run->arena);
	free(run);
}

/* ---- for the files of analyses ---- */

const char *analysis_text(struct analysis_run *run, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	const char *ret;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	ret = arena_strdup(&run->arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

const char *analysis_safe_name(struct analysis_run *run, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	const char *ret;

	strbuf_add_safe(&text, name);
	ret = arena_strdup(&run->arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

const char *analysis_title(struct analysis_run *run, const char *what)
{
	const char *whose = run->args->comm ?: run->args->tid;

	return analysis_text(run, "%s%s%s:", what, whose ? " for " : "",
			     whose ? analysis_safe_name(run, whose) : "");
}

u32 analysis_comm(const struct tracing_sample *ts)
{
	return machine_comm_id(ts->session->machine, tracing_ctx(ts)->thread, ts->when);
}

const char *analysis_comm_name(struct analysis_run *run, u32 comm, s32 tid)
{
	if (comm == ID_NONE)
		return analysis_text(run, ":%d", tid);
	return analysis_safe_name(run, machine_comm_name(run->session->machine, comm));
}

const char *analysis_call_name(struct analysis_run *run, u32 nr)
{
	u16 machine = session_elf_machine(run->session);
	const struct syscall_table *t = syscall_table_find(machine, 64) ?: syscall_table_find(machine, 32);
	const struct syscall_row *row = t ? syscall_by_nr(t, nr) : NULL;

	return row ? row->name : analysis_text(run, "%d", (s32)nr);
}

const char *analysis_errno_name(struct analysis_run *run, u32 errnum)
{
	const struct syscall_table *t = syscall_table_find(session_elf_machine(run->session), 64);

	return syscall_errno_name(t, errnum, NULL) ?: analysis_text(run, "errno %u", errnum);
}

struct view_table *analysis_add_table(struct analysis_run *run, struct view *v, const char *name,
				      const char *title, const struct view_field *field, u32 nr_fields,
				      const void *row, size_t nr, size_t size)
{
	static const struct view_look look = { .kind = VIEW_LOOK_DASHED };
	static const struct view_look in_file = { .kind = VIEW_LOOK_DASHED, .lead = "" };
	const struct view_rows rows = { .field = field, .nr_fields = nr_fields, .form = run->form,
					.table = run->table, .row = row, .nr = nr, .size = size,
					.look = run->file ? &in_file : &look, .limit = UINT64_MAX };
	struct view_table *t = view_add_rows(v, &rows);

	t->name = name;
	t->title = title;
	return t;
}

static bool differs(const char *a, const char *b)
{
	return a != b && (!a || !b || strcmp(a, b));
}

struct view_table *analysis_add_tally(struct analysis_run *run, struct view *v, const char *name,
				      const char *title, const struct view_field *field, u32 nr_fields,
				      const struct tally_table *rows)
{
	struct view_table *t = analysis_add_table(run, v, name, title, field, nr_fields, rows->v, rows->nr,
						  sizeof(*rows->v));
	const char **before = arena_zalloc(&run->arena, (rows->nr + 1) * sizeof(*before));
	const struct tally_row *last = &(struct tally_row){ .group = NULL };

	vec_foreach(rows, row) {
		bool group = differs(row->group, last->group);
		bool subgroup = row->subgroup && (group || differs(row->subgroup, last->subgroup));

		if (group || subgroup)
			before[row - rows->v] = analysis_text(run, "%s%s%s%s%s", group ? "\n" : "",
							      group ? row->group : "", group ? "\n" : "",
							      subgroup ? row->subgroup : "",
							      subgroup ? "\n" : "");
		last = row;
	}
	t->before_row = before;
	return t;
}
