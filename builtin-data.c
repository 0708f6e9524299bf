/* perf data: a profile in formats of other programs. */
#include "builtin-data.h"
#include "builtin-options.h"
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/progress.h"
#include "util/convert/to-ctf.h"
#include "util/convert/to-json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const usage[] = {
	"perf data convert --to <format> [-o <file>] [<options>] [<input>...]",
	"perf data convert --to-json <file> [<options>]",
	"perf data convert --to-ctf <directory> [--all] [--tod] [<options>]",
	"perf data convert --from <format> [-o <file>] [<input>]",
	"perf data check [<options>] <file>...",
	"perf data repair -o <file> [<options>] <file>",
	"perf data merge -o <file> [<options>] <file>...",
	NULL
};

static const char to_help[] = "add samples up by stack and write them as one of:"
#define STACKS(name, show, packed, lacks) " " name
#define SAMPLES(name, show, lacks) " " name
#define TABLES(name, sink, lacks) " " name
#include "ui/formats.def"
	" ctf";

static const char from_help[] = "make a recording of a profile in one of the formats:"
#define IMPORT(name, id) " " name
#include "util/data/import.def"
#undef IMPORT
	;

static int write_file(void *file, const char *text, size_t len)
{
	return fwrite(text, 1, len, file) == len ? 0 : errno ? -errno : -EIO;
}

/* x: what exists is kept */
FILE *output_create(const struct data_cmd *c, const char *path, struct err *err)
{
	FILE *f;

	if (!strcmp(path, "-"))
		return stdout;
	f = file_create(path, c->session.data.force);
	if (!f && errno == EEXIST) {
		err_set(err, -EEXIST, "%s exists already", path);
		err_hint(err, "--force replaces it");
	} else if (!f) {
		err_sys(err, errno, "cannot create %s", path);
	}
	return f;
}

int output_check(const struct data_cmd *c, const char *path, struct err *err)
{
	if (!strcmp(path, "-") || c->session.data.force || access(path, F_OK))
		return 0;
	err_set(err, -EEXIST, "%s exists already", path);
	err_hint(err, "--force replaces it");
	return -EEXIST;
}

int output_finish(FILE *f, const char *path, int ret, struct err *err)
{
	if (f != stdout) {
		int closed = file_finish(f, path, ret);

		if (closed && !ret)
			return err_sys(err, -closed, "cannot write %s", path);
	} else if (!ret && fflush(f)) {
		ret = -errno;
	}
	if (ret && !err->code)
		return err_sys(err, -ret, "cannot write %s", path);
	return ret;
}

static int convert(void *cmd, struct session *s, struct err *err)
{
	struct data_cmd *c = cmd;
	FILE *f = output_create(c, c->json, err);
	struct to_json_opts o = { .filter = &c->filter, .write = write_file, .ctx = f };
	struct to_json_result r;
	int ret;

	if (!f)
		return err->code;
	ret = to_json(s, &o, &r, err);
	ret = output_finish(f, c->json, ret, err);
	if (ret)
		return ret;
	progress_end();
	fprintf(stderr, "[ perf data convert: Converted '%s' into JSON data '%s' ]\n", s->data->path,
		c->json);
	fprintf(stderr, "[ perf data convert: Converted and wrote %.3f MB (%lu samples",
		r.nr_bytes / 1024.0 / 1024.0, r.nr_samples);
	if (r.nr_counts)
		fprintf(stderr, ", %lu count%s", r.nr_counts, r.nr_counts > 1 ? "s" : "");
	fprintf(stderr, ") ]\n");
	if (s->nr_samples > r.nr_samples)
		fprintf(stderr, "[ perf data convert: Skipped %lu samples ]\n", s->nr_samples - r.nr_samples);
	return 0;
}

static int convert_ctf(void *cmd, struct session *s, struct err *err)
{
	struct data_cmd *c = cmd;
	struct to_ctf_opts o = { .filter = &c->filter, .dir = c->ctf, .force = c->session.data.force,
				 .side_band = c->all, .tod = c->tod };
	struct to_ctf_result r;
	int ret = to_ctf(s, &o, &r, err);

	if (ret)
		return ret;
	progress_end();
	fprintf(stderr, "[ perf data convert: Converted '%s' into CTF data '%s' ]\n", s->data->path, c->ctf);
	fprintf(stderr, "[ perf data convert: Converted and wrote %.3f MB (%lu samples",
		r.nr_bytes / 1024.0 / 1024.0, r.nr_samples);
	if (c->all)
		fprintf(stderr, ", %lu non-samples", r.nr_others);
	fprintf(stderr, ") ]\n");
	return 0;
}

/* what only --to understands */
static const char *only_stacks(const struct data_cmd *c)
{
	const struct sample_filter *f = &c->filter;

	return c->output ? "-o" : c->by ? "--by" : c->fields ? "--fields" : c->label.nr ? "--label" :
	       c->labels ? "--labels" : c->redact.words ? "--redact" : c->samples ? "--samples" :
	       !c->inlines ? "--no-inline" : f->comm_list ? "--comms" : f->dso_list ? "--dsos" :
	       f->symbol_list ? "--symbols" : f->pid_list ? "--pid" : f->tid_list ? "--tid" :
	       f->cpu_list ? "--cpu" : NULL;
}

/* what --from does not understand */
static const char *not_import(const struct data_cmd *c)
{
	const struct sample_filter *f = &c->filter;

	return c->json ? "--to-json" : c->ctf ? "--to-ctf" : c->to || c->to_ctf ? "--to" :
	       c->by ? "--by" : c->fields ? "--fields" : c->label.nr ? "--label" : c->labels ? "--labels" :
	       c->redact.words ? "--redact" : !c->inlines ? "--no-inline" : f->comm_list ? "--comms" :
	       f->dso_list ? "--dsos" : f->symbol_list ? "--symbols" : f->pid_list ? "--pid" :
	       f->tid_list ? "--tid" : f->cpu_list ? "--cpu" : f->time_spec ? "--time" :
	       c->wall.given ? "--wall" : c->session.itrace.given || c->session.itrace.off ? "--itrace" :
	       c->all ? "--all" : c->tod ? "--tod" : NULL;
}

static int run_from(struct data_cmd *c, int argc, const char **argv, const struct option *options)
{
	if (not_import(c))
		return opt_usage_error(options, NULL, usage, "--from excludes %s", not_import(c));
	if (argc > 1 || (argc && c->session.data.path))
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s': --from takes one "
				       "input", argv[argc - 1]);
	return data_convert_from(c, argc ? argv[0] : NULL);
}

/* --to-json and --to-ctf: all samples of one input */
static int run_samples(struct data_cmd *c, int argc, const char **argv, const struct option *options)
{
	if (c->to_ctf && !c->output)
		return opt_usage_error(options, NULL, usage, "--to ctf needs -o");
	if (c->to_ctf && argc && !c->session.data.path) {
		c->session.data.path = *argv++;
		argc--;
	}
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	if (c->to_ctf) {
		c->ctf = c->output;
		c->output = NULL;
	}
	if (only_stacks(c))
		return opt_usage_error(options, NULL, usage, c->json ? "%s belongs to --to" :
				       "%s does not go with CTF", only_stacks(c));
	if (!c->ctf && (c->all || c->tod))
		return opt_usage_error(options, NULL, usage, "%s does not go with --to-json",
				       c->all ? "--all" : "--tod");
	c->session.convert = wall_convert_session;
	c->session.convert_ctx = &c->wall;
	return session_run(&c->session, false, c->json ? convert : convert_ctf, c);
}

static int run(struct data_cmd *c, int argc, const char **argv, const struct option *options)
{
	int nr = !!c->to + c->to_ctf + !!c->json + !!c->ctf;

	if (c->from)
		return run_from(c, argc, argv, options);
	if (!nr)
		return opt_usage_error(options, NULL, usage, "--to says into which format, --to-json and "
				       "--to-ctf what to write, --from which format to read");
	if (!c->to)
		return run_samples(c, argc, argv, options);
	if (c->all || c->tod)
		return opt_usage_error(options, NULL, usage, "%s belongs to --to ctf",
				       c->all ? "--all" : "--tod");
	if (argc && c->session.data.path)
		return opt_usage_error(options, NULL, usage, "-i and '%s' both name an input", argv[0]);
	if (!c->to->tables && c->samples)
		return opt_usage_error(options, NULL, usage, "--samples belongs to --to rows and sqlite");
	if (c->fields && !c->to->one_value)
		return opt_usage_error(options, NULL, usage, "--to %s has all numbers: --fields belongs to "
				       "formats that show one", c->to->name);
	if (c->fields && c->to->samples && c->value == VALUE_WEIGHT)
		return opt_usage_error(options, NULL, usage, "--to %s has no weights of single samples",
				       c->to->name);
	if (c->to->tables && !c->output)
		return opt_usage_error(options, NULL, usage, "--to %s needs -o", c->to->name);
	return c->to->tables ? data_convert_tables(c, argv, argc) : data_convert_stacks(c, argv, argc);
}

static int check(struct data_cmd *c, int argc, const char **argv, const struct option *options)
{
	if (!argc)
		return opt_usage_error(options, NULL, usage, "check needs the names of files");
	return data_check(c, argv, argc);
}

static int repair(struct data_cmd *c, int argc, const char **argv, const struct option *options)
{
	if (argc > 1)
		return opt_usage_error(options, NULL, usage,
				       "unexpected argument '%s': one file can be repaired", argv[1]);
	if (!argc || !c->output)
		return opt_usage_error(options, NULL, usage, "repair needs a file and -o");
	return data_repair(c, argv[0]);
}

static int merge(struct data_cmd *c, int argc, const char **argv, const struct option *options)
{
	if (!argc || !c->output)
		return opt_usage_error(options, NULL, usage, "merge needs recordings and -o");
	return data_merge(c, argv, argc);
}

int cmd_data(int argc, const char **argv)
{
	static const char *const words[] = { "convert", "check", "repair", "merge", NULL };
	struct data_cmd c = { .session.sym = SYM_OPTS_INIT, .session.itrace.decodes = true,
			      .inlines = true };
	const struct option all[] = {	/* for -h, completion and the manual */
#include "builtin-data.def"
		OPT_GROUP("Options of check:"),
#include "builtin-data-check.def"
		OPT_GROUP("Options of repair:"),
#include "builtin-data-repair.def"
		OPT_GROUP("Options of merge:"),
#include "builtin-data-merge.def"
		OPT_END(),
	}, convert_options[] = {
#include "builtin-data.def"
		OPT_END(),
	}, check_options[] = {
#include "builtin-data-check.def"
		OPT_END(),
	}, repair_options[] = {
#include "builtin-data-repair.def"
		OPT_END(),
	}, merge_options[] = {
#include "builtin-data-merge.def"
		OPT_END(),
	};
	const struct {
		const struct option *options;
		int (*run)(struct data_cmd *c, int argc, const char **argv, const struct option *options);
	} row[] = { { convert_options, run }, { check_options, check }, { repair_options, repair },
		    { merge_options, merge } };
	int ret, i = 0;
	bool first = argc > 1 && argv[1][0] != '-';

	argc = parse_options_sub(argc, argv, first ? all : convert_options, words, usage,
				 PARSE_STOP_AT_NON_OPTION);
	while (argc && words[i] && strcmp(argv[0], words[i]))
		i++;
	if (!argc || !words[i])
		return opt_no_subcommand(all, words, usage, argc ? argv[0] : NULL);
	if (i && !first)
		return opt_usage_error(all, NULL, usage, "options of perf data %s follow its name", argv[0]);
	argc = parse_options(argc, argv, row[i].options, usage, 0);
	ret = row[i].run(&c, argc, argv, row[i].options);
	vec_release(&c.label);
	return ret;
}
