/* Session: see builtin-session.h. */
#include "builtin-session.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/progress.h"
#include "util/contents/contents.h"
#include "util/data/open.h"

#include <errno.h>
#include <stdio.h>

int write_stdout(void *ctx UNUSED, const char *text, size_t len)
{
	return fwrite(text, 1, len, stdout) == len ? 0 : errno ? -errno : -EIO;
}

void session_dump_text(const struct session *s, bool unsorted)
{
	progress_end();
	contents_dump(s, DUMP_REPORT, format_find_stream("text"), unsorted, write_stdout, NULL);
}

#define DUMP_LINES_VERSION 1

void session_dump_json(const struct session *s, const char *command, bool unsorted)
{
	const struct stream_format *f = format_find_stream("json");
	struct strbuf line = STRBUF_INIT;

	progress_end();
	f->begin(&line);
	stream_text(f, &line, "perf", command);
	stream_number(f, &line, "version", DUMP_LINES_VERSION);
	f->end(&line);
	fputs(strbuf_str(&line), stdout);
	contents_dump(s, DUMP_REPORT, f, unsorted, write_stdout, NULL);
	strbuf_release(&line);
}

int session_run(struct session_opts *o, bool dump, analyze_fn *analyze, void *cmd)
{
	struct err err = ERR_INIT;
	struct session *s;
	int ret;

	if (!data_from_pipe(&o->data))
		progress_begin();
	ret = session_open(&s, o, &err);
	if (!ret) {
		if (dump)
			session_complete(s);
		if (dump)
			session_dump_text(s, false);
		else
			ret = analyze(cmd, s, &err);
		session_complete(s);
		warn_diag(&s->diag);
		session_close(s);
	}
	progress_end();
	return ret && ret != -EPIPE ? die_err(&err) : 0;
}
