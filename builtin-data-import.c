/* perf data convert --from: a profile of another program becomes a recording. */
#include "builtin-data.h"

#include <errno.h>
#include <string.h>

#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/data/import.h"
#include "util/data/open.h"

int data_opt_from(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct data_cmd *c = opt->value;
	struct strbuf names = STRBUF_INIT;
	int ret = 0;

	c->from = import_find(arg, &names);
	if (!c->from)
		ret = opt_error(opt, "'%s' is not a format: %s", arg, strbuf_str(&names));
	strbuf_release(&names);
	return ret;
}

static int write_recording(const struct data_cmd *c, const struct data *d, struct err *err)
{
	const char *path = c->output ? c->output : "perf.data";
	FILE *out = output_create(c, path, err);
	const u8 *p;
	u64 size;
	int ret;

	if (!out)
		return err->code;
	p = data_imported_bytes(d, &size);
	ret = fwrite(p, 1, size, out) == size ? 0 : -errno;
	ret = output_finish(out, path, ret, err);
	if (!ret && out != stdout)
		fprintf(stderr, "[ perf data convert: Converted '%s' (%s) into '%s' (%.3f MB) ]\n", d->path,
			d->imported, path, size / 1024.0 / 1024.0);
	return ret;
}

int data_convert_from(struct data_cmd *c, const char *input)
{
	struct data_opts o = c->session.data;
	struct err err = ERR_INIT;
	struct data *d;
	int ret;

	if (input)
		o.path = input;
	o.import = c->from;
	ret = data_open(&d, &o, &err);
	if (ret)
		return die_err(&err);
	warn_diag(&d->diag);
	ret = write_recording(c, d, &err);
	data_close(d);
	return ret && ret != -EPIPE ? die_err(&err) : 0;
}
