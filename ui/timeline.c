/* Timeline: the rows of the formats, files, and what formats share. */
#include "timeline.h"

#include <errno.h>
#include <string.h>
#include "../util/base/fs.h"
#include "../util/base/units.h"

static const struct timeline_format formats[] = {
#define TIMELINE(name, ending, show) { name, ending, show },
#include "formats.def"
};

const struct timeline_format *timeline_format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

const struct timeline_format *timeline_format_of(const char *path, struct err *err)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < ARRAY_SIZE(formats); i++)
		if (formats[i].ending && !strcmp(formats[i].ending, dot))
			return &formats[i];
	err_set(err, -EINVAL, "the name '%s' does not say what kind of picture to write", path);
	err_hint(err, "end it with .svg, .html (to look at in a browser), or .json (for Perfetto and "
		 "chrome://tracing)");
	return NULL;
}

int timeline_write(const struct timeline *t, const struct timeline_format *f, const struct timeline_opts *o,
		   const char *path, struct err *err)
{
	bool is_stdout = !strcmp(path, "-");
	FILE *out = is_stdout ? stdout : file_create(path, true);
	int ret;

	if (!out)
		return err_sys(err, errno, "cannot create %s", path);
	ret = f->show(t, o, out);
	if (is_stdout)
		return ret == -EPIPE ? 0 : ret ? err_sys(err, -ret, "cannot write to standard output") : 0;
	ret = file_finish(out, path, ret);
	return ret ? err_sys(err, -ret, "cannot write %s", path) : 0;
}

void timeline_span_text(const struct timeline *t, const struct timeline_span *s, struct strbuf *out)
{
	const struct timeline_kind *k = &t->kind[s->kind];
	const char *label = timeline_label(t, s);

	strbuf_addf(out, "%s: %s", t->track.v[s->track].name, k->key);
	if (s->to > s->from) {
		strbuf_addch(out, ' ');
		duration_text(out, s->nr > 1 ? s->to - s->from : s->busy);
	}
	if (s->nr > 1) {
		strbuf_addf(out, " (%u of them, ", s->nr);
		duration_text(out, s->busy);
		strbuf_addstr(out, " in all)");
	}
	if (k->unit)
		strbuf_addf(out, " %lu %s", s->amount, k->unit);
	if (*label)
		strbuf_addf(out, ": %s", label);
	if (s->other != TIMELINE_NONE)
		strbuf_addf(out, ", by %s", t->track.v[s->other].name);
	strbuf_addstr(out, ", at ");
	duration_text(out, s->from - t->from);
}
