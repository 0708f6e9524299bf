/* Format: the rows. */
#include "format.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "../util/base/fs.h"
#include "../util/cli/color.h"
#include "../util/cli/pager.h"
#include "../util/cli/progress.h"
#include "../util/cli/terminal.h"

static const struct format formats[] = {
#define FORMAT(name, show) { name, show },
#include "formats.def"
#undef FORMAT
};

static const struct {
	const char *name;
	const struct stream_format *stream;
} streams[] = {
#define STREAM(name, stream) { name, &stream },
#include "formats.def"
};

enum { PLAIN, PACKED, ONE_VALUE };

static const struct stacks_format stacks_formats[] = {
#define STACKS(name, show, kind, lacks) \
	{ name, show, (kind) == PACKED, (kind) == ONE_VALUE, false, lacks, NULL },
#define SAMPLES(name, show, lacks) { name, show, false, true, true, lacks, NULL },
#define TABLES(name, sink, lacks) { name, NULL, false, false, false, lacks, &sink },
#include "formats.def"
};

const struct format *format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

const struct stream_format *format_find_stream(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(streams); i++)
		if (!strcmp(streams[i].name, name))
			return streams[i].stream;
	return NULL;
}

const struct stacks_format *format_find_stacks(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(stacks_formats); i++)
		if (!strcmp(stacks_formats[i].name, name))
			return &stacks_formats[i];
	return NULL;
}

void format_list_stacks(struct strbuf *out, const char *separator)
{
	for (size_t i = 0; i < ARRAY_SIZE(stacks_formats); i++)
		strbuf_addf(out, "%s%s", i ? separator : "", stacks_formats[i].name);
}

int format_view_file(const char *name, const struct view *v, struct text_opts *o, const char *path,
		     struct err *err)
{
	FILE *out;
	int ret;

	if (!strcmp(path, "-"))
		return format_view(name, v, o, err);
	out = file_create(path, true);
	if (!out)
		return err_sys(err, errno, "cannot create %s", path);
	ret = file_finish(out, path, format_find(name)->show(v, o, out));
	return ret ? err_sys(err, -ret, "cannot write %s", path) : 0;
}

u32 format_form(bool json, char separator)
{
	return json ? VIEW_FORM_VALUES : separator ? VIEW_FORM_SEPARATED : VIEW_FORM_TEXT;
}

int format_answer(struct view *v, bool json, struct text_opts *o, struct err *err)
{
	int ret;

	if (!v)
		return err->code;
	ret = format_view(json ? "json" : o->separator ? "separated" : "text", v, o, err);
	view_free(v);
	return ret == -EPIPE ? 0 : ret;
}

int format_view(const char *name, const struct view *v, struct text_opts *o, struct err *err)
{
	unsigned int rows, columns;
	int ret;

	progress_end();
	if (!terminal_size(STDOUT_FILENO, &rows, &columns))
		columns = 0;
	o->room = columns;
	pager_start(v->name);
	o->color = color_wanted(STDOUT_FILENO);
	ret = format_find(name)->show(v, o, stdout);
	return ret && ret != -EPIPE ? err_sys(err, -ret, "cannot write to standard output") : 0;
}
