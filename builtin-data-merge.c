/* perf data merge: recordings of one machine and boot as one. */
#include "builtin-data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/progress.h"
#include "util/inject/merge.h"

/* opens nr files; returns how many are open, with err if these are not all */
static int open_all(struct data_cmd *c, const char **path, int nr, struct session **s, struct err *err)
{
	struct session_opts so = c->session;

	for (int i = 0; i < nr; i++) {
		so.data.path = path[i];
		if (session_open(&s[i], &so, err))
			return i;
		warn_diag(&s[i]->diag);
	}
	return nr;
}

int data_merge(struct data_cmd *c, const char **path, int nr)
{
	struct session **s = xcalloc(nr, sizeof(*s));
	struct merge_result r = { 0 };
	struct err err = ERR_INIT;
	int ret = output_check(c, c->output, &err), open = 0;

	if (!ret) {
		progress_begin();
		c->session.jobs = c->session.jobs ? c->session.jobs : 1;	/* threads of each session */
		open = open_all(c, path, nr, s, &err);
		ret = open == nr ? merge_run(s, nr, c->output, &r, &err) : err.code;
		progress_end();
	}
	if (!ret && strcmp(c->output, "-"))
		fprintf(stderr, "[ perf data merge: %lu sample%s of %d file%s in '%s' ]\n", r.nr_samples,
			plural(r.nr_samples), nr, plural(nr), c->output);
	for (int i = 0; i < open; i++)
		session_close(s[i]);
	free(s);
	return ret && ret != -EPIPE ? die_err(&err) : 0;
}
