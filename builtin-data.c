/* perf data: a profile in formats of other programs. */
#include "builtin-options.h"
#include "builtin-session.h"
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/convert/to-json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct data_cmd {
	struct session_opts session;
	struct sample_filter filter;
	const char *json;
};

static const char *const usage[] = { "perf data convert [<options>]", NULL };

static int write_file(void *file, const char *text, size_t len)
{
	return fwrite(text, 1, len, file) == len ? 0 : errno ? -errno : -EIO;
}

/* x: what exists is kept */
static FILE *create(const struct data_cmd *c, struct err *err)
{
	FILE *f;

	if (!strcmp(c->json, "-"))
		return stdout;
	f = fopen(c->json, c->session.data.force ? "we" : "wxe");
	if (!f && errno == EEXIST) {
		err_set(err, -EEXIST, "%s exists already", c->json);
		err_hint(err, "--force replaces it");
	} else if (!f) {
		err_sys(err, errno, "cannot create %s", c->json);
	}
	return f;
}

static int convert(void *cmd, struct session *s, struct err *err)
{
	struct data_cmd *c = cmd;
	FILE *f = create(c, err);
	struct to_json_opts o = { .filter = &c->filter, .write = write_file, .ctx = f };
	struct to_json_result r;
	int ret;

	if (!f)
		return err->code;
	ret = to_json(s, &o, &r, err);
	if (f != stdout) {
		int closed = file_finish(f, c->json, ret);

		if (closed && !ret)
			return err_sys(err, -closed, "cannot write %s", c->json);
	} else if (!ret && fflush(f)) {
		ret = -errno;
	}
	if (ret)
		return err->code ? ret : err_sys(err, -ret, "cannot write %s", c->json);
	progress_end();
	fprintf(stderr, "[ perf data convert: Converted '%s' into JSON data '%s' ]\n", s->data->path,
		c->json);
	fprintf(stderr, "[ perf data convert: Converted and wrote %.3f MB (%lu samples) ]\n",
		r.nr_bytes / 1024.0 / 1024.0, r.nr_samples);
	if (s->nr_samples > r.nr_samples)
		fprintf(stderr, "[ perf data convert: Skipped %lu samples ]\n", s->nr_samples - r.nr_samples);
	return 0;
}

int cmd_data(int argc, const char **argv)
{
	static const char *const words[] = { "convert", NULL };
	struct data_cmd c = { .session.sym = SYM_OPTS_INIT };
	const struct option options[] = {
#include "builtin-data.def"
		OPT_END(),
	};

	argc = parse_options_sub(argc, argv, options, words, usage, PARSE_STOP_AT_NON_OPTION);
	if (!argc || strcmp(argv[0], "convert"))
		return opt_usage_error(options, NULL, usage,
				       argc ? "'%s' is not a word of perf data" : "say convert", argv[0]);
	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	if (!c.json)
		return opt_usage_error(options, NULL, usage, "--to-json says which file to write");
	return session_run(&c.session, false, convert, &c);
}
