/* perf data convert --to: samples added up by stack, in formats of other programs. */
#include "builtin-data.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "ui/tables.h"
#include "util/base/alloc.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/progress.h"
#include "util/convert/gzip.h"
#include "util/hist/hist-stacks.h"
#include "util/inject/inject.h"
#include "util/inject/redact-stacks.h"
#include "util/lib/lib.h"
#include "util/stat/stat-file.h"
#include "util/sym/store.h"
#include "util/wall/wall-event.h"

int data_opt_to(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct data_cmd *c = opt->value;
	struct strbuf names = STRBUF_INIT;
	int ret = 0;

	c->to = format_find_stacks(arg);
	c->to_ctf = !strcmp(arg, "ctf");
	if (!c->to && !c->to_ctf) {
		format_list_stacks(&names, ", ");
		ret = opt_error(opt, "'%s' is not a format: %s, ctf", arg, strbuf_str(&names));
		strbuf_release(&names);
	}
	return ret;
}

int data_opt_by(const struct option *opt, const char *arg, bool unset UNUSED)
{
	static const char *const word[] = { "function", "line", "address" };
	struct data_cmd *c = opt->value;

	for (u32 i = 0; i < ARRAY_SIZE(word); i++)
		if (!strcmp(word[i], arg)) {
			c->by = arg;
			c->by_what = (enum stacks_by)i;
			return 0;
		}
	return opt_error(opt, "takes function, line or address, not '%s'", arg);
}

int data_opt_fields(const struct option *opt, const char *arg, bool unset UNUSED)
{
	static const char *const word[] = { [VALUE_PERIOD] = "period", [VALUE_SAMPLES] = "sample",
					    [VALUE_WEIGHT] = "weight" };
	struct data_cmd *c = opt->value;

	for (u32 i = VALUE_PERIOD; i < ARRAY_SIZE(word); i++)
		if (!strcmp(word[i], arg)) {
			c->fields = arg;
			c->value = (enum stacks_value)i;
			return 0;
		}
	return opt_error(opt, "takes period, sample or weight, not '%s'", arg);
}

int data_opt_label(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct data_cmd *c = opt->value;
	const char *equals = strchr(arg, '=');

	if (!equals || equals == arg)
		return opt_error(opt, "'%s' is not a label: key=value", arg);
	vec_push(&c->label, arg);
	return 0;
}

/* programs and libraries are the same in many inputs: they are read once */
static void begin_inputs(struct data_cmd *c, int nr)
{
	if (nr > 1)
		c->session.sym.store = sym_store_new(0);
}

static void end_inputs(struct data_cmd *c)
{
	struct sym_store *st = c->session.sym.store;

	if (st)
		log_v("symbols: %lu files read, %lu times reused, %lu bytes at the end",
		      sym_store_facts(st).nr_loaded, sym_store_facts(st).nr_reused,
		      sym_store_facts(st).bytes);
	sym_store_free(st);
	c->session.sym.store = NULL;
	redact_names_release(&c->redact);
}

int data_opt_redact(const struct option *opt, const char *arg, bool unset)
{
	struct err err = ERR_INIT;
	u32 *words = opt->value;

	*words = 0;
	return !unset && redact_parse(arg, words, &err) ? opt_error(opt, "%s", err.msg) : 0;
}

/* which labels stacks have; formats with a time axis have threads, and tables have columns for more */
static char *labels_of(const struct data_cmd *c, const struct session *s)
{
	bool slices = wall_event_in(s->data->evset);

	if (c->to->samples)
		return c->labels ? xasprintf("tgid,tid,comm,%s", c->labels) : xstrdup("tgid,tid,comm");
	return xstrdup(c->labels ?: !slices ? "comm" : c->to->tables ? "comm,state,wait" : "comm,state");
}

static int add_profile(struct data_cmd *c, const char *path, struct stacks *st, struct err *err)
{
	struct hist_stacks_opts o = {
		.filter = &c->filter, .inlines = c->inlines, .samples = c->to->samples || c->samples,
	};
	struct session_opts so = c->session;
	struct session *s;
	char *labels;
	int ret;

	so.data.path = path;
	so.kernel_names = true;
	so.convert = wall_convert_session;
	so.convert_ctx = &c->wall;
	if (!data_from_pipe(&so.data) && !c->quiet)
		progress_begin();
	ret = session_open(&s, &so, err);
	if (ret)
		return ret;
	o.labels = labels = labels_of(c, s);
	ret = stat_file_is(s->data) ? err_set(err, -EINVAL, "%s holds counts, not samples", s->data->path) :
				      hist_stacks_add(st, s, &o, err);
	warn_diag(&s->diag);
	session_close(s);
	free(labels);
	return ret;
}

static void add_labels(const struct data_cmd *c, struct stacks *st)
{
	vec_foreach(&c->label, text) {
		const char *equals = strchr(*text, '=');
		struct strbuf key = STRBUF_INIT;

		strbuf_add(&key, *text, equals - *text);
		vec_push(&st->constant, (struct stacks_label){ stacks_add_text(st, strbuf_str(&key)),
							       stacks_add_text(st, equals + 1) });
		strbuf_release(&key);
	}
}

/* when all samples were added */
static int finish(struct data_cmd *c, struct stacks *st, struct err *err)
{
	int ret = c->redact.words ? redact_stacks(&c->redact, st, err) : 0;

	if (ret)
		return ret;
	add_labels(c, st);
	stacks_finish(st);
	return 0;
}

/* the number that was chosen, for formats that show one */
static int choose_value(const struct data_cmd *c, struct stacks *st, struct err *err)
{
	bool has = c->value != VALUE_WEIGHT;

	st->value = c->value;
	vec_foreach(&st->event, e)
		has |= stacks_has_value(e, c->value);
	return has ? 0 : err_set(err, -EINVAL, "no event has weights (perf record -W, perf mem record)");
}

static bool names_gzip(const struct data_cmd *c)
{
	size_t len = c->output ? strlen(c->output) : 0;

	return len > 3 && !strcmp(c->output + len - 3, ".gz");
}

static int show(const struct data_cmd *c, const struct stacks *st, FILE *out, struct err *err)
{
	FILE *packed;
	int ret;

	/* readers take it either way */
	if (!(c->to->packed || names_gzip(c)) || !lib_usable(LIB_zlib))
		return c->to->show(st, out);
	packed = gzip_begin(out, err);
	if (!packed)
		return err->code;
	ret = c->to->show(st, packed);
	return gzip_end(packed, ret);
}

static int write_stacks(const struct data_cmd *c, const struct stacks *st, struct err *err)
{
	const char *path = c->output ? c->output : "-";
	FILE *out = output_create(c, path, err);

	if (!out)
		return err->code;
	progress_end();
	return output_finish(out, path, show(c, st, out, err), err);
}

static void tell(const struct data_cmd *c, const struct stacks *st)
{
	u64 nr = 0;

	vec_foreach(&st->stack, k)
		nr += k->nr;
	fprintf(stderr, "[ perf data convert: %lu samples, %zu stacks as %s into '%s' (%s) ]\n", nr,
		st->stack.nr, c->to->name, c->output, c->to->lacks);
}

static int add_inputs(struct data_cmd *c, const char **input, int nr, struct stacks *st, struct err *err)
{
	struct data_profiles *profiles = data_profiles_new(c);
	int ret = 0;

	if (!c->quiet)
		progress_begin();
	for (int i = 0; i < nr && !ret; i++) {
		if (data_profiles_take(profiles, c, input[i]))
			continue;
		ret = add_profile(c, input[i], st, err);
		if (ret && nr > 1)
			err_prefix(err, "%s: ", input[i]);
	}
	if (!ret)
		ret = data_profiles_add(profiles, st, err);
	data_profiles_free(profiles);
	return ret;
}

int data_convert_stacks(struct data_cmd *c, const char **input, int nr)
{
	const char *own[] = { c->session.data.path };
	struct err err = ERR_INIT;
	struct stacks st;
	int ret = 0;

	if (c->to->packed && (!c->output || !strcmp(c->output, "-")) && isatty(STDOUT_FILENO)) {
		err_set(&err, -EINVAL, "%s is binary data: -o names a file for it", c->to->name);
		return die_err(&err);
	}
	if (c->to->samples && nr > 1) {
		err_set(&err, -EINVAL, "%s takes one input, because times of several ones can be of "
			"different clocks", c->to->name);
		err_hint(&err, "'perf data merge' makes one recording of several ones of a machine");
		return die_err(&err);
	}
	/* said before the inputs are read, which can take minutes */
	if (c->output && output_check(c, c->output, &err))
		return die_err(&err);
	alloc_keep_freed();
	stacks_init(&st, c->by_what);
	if (!nr)
		input = own;
	begin_inputs(c, nr);
	ret = add_inputs(c, input, MAX(nr, 1), &st, &err);
	if (!ret)
		ret = finish(c, &st, &err);
	if (!ret)
		ret = choose_value(c, &st, &err);
	if (!ret)
		ret = write_stacks(c, &st, &err);
	progress_end();
	if (!ret && c->output && strcmp(c->output, "-"))
		tell(c, &st);
	stacks_release(&st);
	end_inputs(c);
	return ret && ret != -EPIPE ? die_err(&err) : 0;
}

/* ---- tables ---- */

/* of a recording, or of a profile whose texts are to be replaced */
static int add_other_tables(struct data_cmd *c, const char *path, struct tables_writer *w, struct err *err)
{
	struct data_profiles *profiles = c->redact.words ? data_profiles_new(c) : NULL;
	struct stacks st;
	int ret;

	stacks_init(&st, c->by_what);
	ret = data_profiles_take(profiles, c, path) ? data_profiles_add(profiles, &st, err) :
						      add_profile(c, path, &st, err);
	data_profiles_free(profiles);
	if (!ret)
		ret = finish(c, &st, err);
	if (!ret)
		ret = tables_add(w, &st);
	stacks_release(&st);
	return ret;
}

static int add_tables(struct data_cmd *c, const char *path, struct data_profiles *profiles,
		      struct tables_writer *w, struct err *err)
{
	int ret = 0;
	struct stacks *st = c->redact.words ? NULL : data_profiles_next(profiles, c, path, &ret, err);

	if (!st || ret)
		return ret ?: add_other_tables(c, path, w, err);
	add_labels(c, st);
	stacks_settle(st);
	return tables_add(w, st);
}

static void tell_rows(const struct data_cmd *c, const struct tables_writer *w)
{
	const u64 *nr = tables_rows(w);

	fprintf(stderr, "[ perf data convert:");
	for (u32 i = 0; i < TABLE_SAMPLE_AT; i++)
		fprintf(stderr, "%s %lu %s%s", i ? "," : "", nr[i], tables[i].name, plural(nr[i]));
	if (c->samples)
		fprintf(stderr, ", %lu time%s", nr[TABLE_SAMPLE_AT], plural(nr[TABLE_SAMPLE_AT]));
	fprintf(stderr, " as %s into '%s' (%s) ]\n", c->to->name, c->output, c->to->lacks);
}

int data_convert_tables(struct data_cmd *c, const char **input, int nr)
{
	const struct tables_sink *sink = c->to->tables;
	const char *own[] = { c->session.data.path };
	struct err err = ERR_INIT;
	struct data_profiles *profiles;
	struct tables_writer *w;
	void *ctx;
	int ret = sink->open(&ctx, c->output, c->session.data.force, &err);

	if (ret)
		return die_err(&err);
	alloc_keep_freed();
	w = tables_new(sink, ctx);
	profiles = data_profiles_new(c);
	if (!nr)
		input = own;
	begin_inputs(c, nr);
	for (int i = 0; i < MAX(nr, 1) && !ret; i++) {
		ret = add_tables(c, input[i], profiles, w, &err);
		if (ret && err.code && nr > 1)
			err_prefix(&err, "%s: ", input[i]);
	}
	ret = sink->close(ctx, ret, &err);
	progress_end();
	if (!ret)
		tell_rows(c, w);
	tables_free(w);
	data_profiles_free(profiles);
	end_inputs(c);
	return ret ? die_err(&err) : 0;
}

/* ---- one file ---- */

static int convert_tables(struct data_cmd *c, const char *input, struct err *err)
{
	const struct tables_sink *sink = c->to->tables;
	struct tables_writer *w;
	void *ctx;
	int ret = sink->open(&ctx, c->output, true, err);

	if (ret)
		return ret;
	w = tables_new(sink, ctx);
	ret = add_other_tables(c, input, w, err);
	ret = sink->close(ctx, ret, err);
	tables_free(w);
	return ret;
}

int data_convert_file(struct data_cmd *c, const char *input, const char *output, struct err *err)
{
	struct stacks st;
	int ret;

	c->output = output;
	if (c->to->tables)
		return convert_tables(c, input, err);
	stacks_init(&st, c->by_what);
	ret = add_profile(c, input, &st, err);
	if (!ret)
		ret = finish(c, &st, err);
	if (!ret)
		ret = write_stacks(c, &st, err);
	stacks_release(&st);
	return ret;
}
