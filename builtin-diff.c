/* perf diff: how much profiles differ. Options and wiring; the work is in util/diff. */
#include "ui/format.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/diff/diff.h"
#include "util/diff/stacks.h"
#include "util/diff/stream-view.h"
#include "util/wall/wall-event.h"
#include "builtin-options.h"
#include "builtin-wall.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct diff_cmd {
	struct diff_opts diff;
	struct wall_opts wall;
	u32 nr_slices, nr_samples;		/* files of elapsed time, and others */
	struct text_opts text;
	bool json, relative, streams;
	struct stack_picture picture;
	struct { VEC(const char *); } run;	/* --runs: those of A, then those of B */
};

static const char *const usage[] = {
	"perf diff [<options>] [<old file>] [<new file>...]",
	"perf diff [<options>] --runs <file>,<file>...:<file>,<file>...",
	NULL
};

static int parse_quiet(const struct option *opt, const char *arg, bool unset)
{
	struct diff_cmd *c = opt->value;
	struct option quiet = *opt;

	c->text.quiet = true;
	quiet.value = &log_level;
	return opt_quiet(&quiet, arg, unset);
}

/* "1,2" after "wdiff:" */
static bool parse_weights(struct diff_opts *o, const char *s)
{
	char *end;

	o->weight_base = strtol(s, &end, 10);
	if (end == s || *end != ',')
		return false;
	s = end + 1;
	o->weight_new = strtol(s, &end, 10);
	return end != s && !*end;
}

static int parse_compute(const struct option *opt, const char *arg, bool unset UNUSED)
{
	static const char *const words[] = { "delta", "delta-abs", "ratio" };
	struct diff_opts *o = opt->value;

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(arg, words[i])) {
			o->compute = i;
			return 0;
		}
	if (!strcmp(arg, "cycles")) {
		o->compute = DIFF_CYCLES;
		return 0;
	}
	if (strncmp(arg, "wdiff:", 6) || !parse_weights(o, arg + 6))
		return opt_error(opt, "takes delta, delta-abs, ratio, wdiff:N,N or cycles, not '%s'", arg);
	o->compute = DIFF_WDIFF;
	return 0;
}

/* "a,b:c,d" */
static int parse_runs(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct diff_cmd *c = opt->value;

	c->run.nr = c->diff.nr_a = 0;
	while (*arg) {
		size_t len = strcspn(arg, ",:");

		if (len)
			vec_push(&c->run, xstrndup(arg, len));
		if (arg[len] == ':' && c->diff.nr_a)
			return opt_error(opt, "takes two lists of files with one ':' between them");
		if (arg[len] == ':')
			c->diff.nr_a = c->run.nr;
		arg += len + !!arg[len];
	}
	if (c->diff.nr_a < 2 || c->run.nr < c->diff.nr_a + 2)
		return opt_error(opt, "needs at least two files before and two after a ':'");
	return 0;
}

/* what is compared though it has different names */
static void tell_renames(const struct renames *r)
{
	vec_foreach(&r->note, note)
		log_note("%s", *note);
}

static int show(struct diff_cmd *c, const struct diff *d, struct err *err)
{
	return format_answer(diff_view(d), c->json, &c->text, err);
}

static int compare(struct diff_cmd *c, const char *const *path, u32 nr)
{
	struct err err = ERR_INIT;
	struct diff d;
	int ret;

	progress_begin();
	ret = diff_files(&d, &c->diff, path, nr, warn_diag, &err);
	tell_renames(&d.renames);
	if (!ret)
		ret = show(c, &d, &err);
	diff_release(&d);
	progress_end();
	return ret ? die_err(&err) : 0;
}

/* recordings of elapsed time are compared by state, and with each other */
static int open_wall(struct session **s, const struct session_opts *so, void *ctx, struct err *err)
{
	struct diff_cmd *c = ctx;
	int ret = wall_convert_session(s, so, &c->wall, err);
	bool slices;

	if (ret)
		return ret;
	slices = wall_event_in((*s)->data->evset);
	c->nr_slices += slices;
	c->nr_samples += !slices;
	if (slices)
		c->diff.sort.default_sort = "state,dso,symbol";
	if (!c->nr_slices || !c->nr_samples)
		return 0;
	err_set(err, -EINVAL, "%s has %s, and the file before it has %s", (*s)->data->path,
		slices ? "elapsed time by state" : "samples", slices ? "samples" : "elapsed time by state");
	err_hint(err, "--wall compares all files as elapsed time, --no-wall as samples");
	return err->code;
}

static struct diff_profile_opts profile_opts(const struct diff_cmd *c)
{
	return (struct diff_profile_opts){ .session = c->diff.session, .filter = c->diff.filter,
					   .sort = c->diff.sort.sort };
}

static int draw(struct diff_cmd *c, const char *const *path)
{
	const struct diff_profile_opts o = profile_opts(c);
	struct err err = ERR_INIT;
	struct diff_stacks st;
	int ret;

	progress_begin();
	ret = diff_stacks_read(&st, &o, path[0], path[1], warn_diag, &err);
	progress_end();
	tell_renames(&st.renames);
	if (!ret)
		ret = format_view_file(c->picture.format, st.after.view, &c->text, c->picture.path, &err);
	diff_stacks_release(&st);
	return ret && ret != -EPIPE ? die_err(&err) : 0;
}

static int compare_streams(struct diff_cmd *c, const char *const *path)
{
	const struct diff_profile_opts o = profile_opts(c);
	struct err err = ERR_INIT;
	struct view *v;
	int ret;

	progress_begin();
	v = diff_streams_view(&o, path[0], path[1], warn_diag, &err);
	progress_end();
	ret = v ? format_answer(v, c->json, &c->text, &err) : err.code;
	return ret ? die_err(&err) : 0;
}

/* the files that are compared by default; given: the user named the second one */
static int need_usual(const char *const usual[2], bool given)
{
	struct err err = ERR_INIT;

	for (u32 i = 0; i < 2; i++) {
		if (!access(usual[i], F_OK) || errno != ENOENT)
			continue;
		err_set(&err, -ENOENT, "%s does not exist: with %s, perf diff compares %s with %s", usual[i],
			given ? "one file" : "no files", usual[0], given ? "that file" : usual[1]);
		err_hint(&err, "name both files: perf diff OLD NEW; or run perf record twice: the second run "
			 "renames the first one's perf.data to perf.data.old");
		return die_err(&err);
	}
	return 0;
}

int cmd_diff(int argc, const char **argv)
{
	struct diff_cmd c = {
		.diff = { .session.sym = SYM_OPTS_INIT, .sort.default_sort = "dso,symbol", .order = 1,
			  .compute = DIFF_DELTA_ABS },
		.relative = true,
	};
	const struct option options[] = {
#include "builtin-diff.def"
		OPT_END(),
	};
	const char *usual[] = { "perf.data.old", "perf.data" };

	c.diff.session.convert = open_wall;
	c.diff.session.convert_ctx = &c;
	argc = parse_options(argc, argv, options, usage, 0);
	c.diff.absolute = !c.relative;
	c.diff.list_files = log_level > 0;
	if (c.picture.format && (c.json || c.text.separator || c.diff.nr_a || argc > 2))
		return opt_usage_error(options, NULL, usage,
				       "--flamegraph and --folded compare two files, "
				       "and exclude --json, -t and --runs");
	if (c.streams && (c.picture.format || c.diff.nr_a || argc > 2))
		return opt_usage_error(options, NULL, usage,
				       "--stream compares two files, "
				       "and excludes --runs, --flamegraph and --folded");
	if (c.diff.spread && c.diff.compute != DIFF_CYCLES)
		return opt_usage_error(options, NULL, usage, "--cycles-hist needs -c cycles");
	if (c.diff.compute == DIFF_CYCLES && (c.diff.nr_a || c.picture.format))
		return opt_usage_error(options, NULL, usage,
				       "-c cycles excludes --runs, --flamegraph and --folded");
	if (c.diff.nr_a && (c.diff.compute == DIFF_RATIO || c.diff.compute == DIFF_WDIFF || c.diff.periods ||
			    c.diff.formula))
		return opt_usage_error(options, NULL, usage, "--runs excludes -c ratio, -c wdiff, -p and -F");
	if (c.diff.per && !c.diff.nr_a)
		return opt_usage_error(options, NULL, usage, "--per needs --runs");
	if (c.diff.nr_a && argc)
		return opt_usage_error(options, NULL, usage,
				       "--runs names all files: unexpected argument '%s'", argv[0]);
	if (c.diff.nr_a)
		return compare(&c, c.run.v, c.run.nr);
	usual[1] = argc ? argv[0] : "perf.data";
	if (c.diff.order >= (argc > 2 ? (unsigned int)argc : 2))
		return opt_usage_error(options, NULL, usage,
				       "-o %u: only %d files are compared, and their numbers begin at 0",
				       c.diff.order, argc > 2 ? argc : 2);
	if (argc < 2 && need_usual(usual, argc == 1))
		return 1;
	if (c.picture.format)
		return draw(&c, argc > 1 ? argv : usual);
	if (c.streams)
		return compare_streams(&c, argc > 1 ? argv : usual);
	return argc > 1 ? compare(&c, argv, argc) : compare(&c, usual, 2);
}
