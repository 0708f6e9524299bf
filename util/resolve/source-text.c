/* Source-text: see source-text.h. */
#include "source-text.h"
#include "../base/fs.h"
#include "../base/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- one file */

static void split(struct source_text *t, size_t len)
{
	char *const end = t->bytes + len;

	for (char *at = t->bytes, *next; at < end; at = next + 1) {
		vec_push(&t->line, at);
		next = memchr(at, '\n', end - at);
		if (!next)
			break;
		*next = '\0';
	}
}

int source_text_read(struct source_text *t, const char *path, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct stat st;
	int fd = open_regular(path, &st, err), ret;
	size_t len;

	*t = (struct source_text){ 0 };
	if (fd < 0)
		return fd;
	ret = st.st_size > SOURCE_MAX ? -EFBIG : fd_read_all(fd, &text);
	close(fd);
	if (ret) {
		strbuf_release(&text);
		return err_set(err, ret, "cannot read source file %s: %s", path, strerror(-ret));
	}
	len = text.len;
	t->bytes = strbuf_detach(&text);
	split(t, len);
	return 0;
}

void source_text_release(struct source_text *t)
{
	vec_release(&t->line);
	free(t->name);
	free(t->bytes);
}

/* --- many */

/* "/a/b/c.c" without its first n directories: "/c.c" for 2 */
static const char *strip(const char *path, unsigned int n)
{
	for (; n; n--) {
		const char *next = strchr(path + (*path == '/'), '/');

		if (!next)
			break;
		path = next;
	}
	return path;
}

const struct source_text *sources_find(struct sources *s, const char *name)
{
	u64 hash = hash_bytes(name, strlen(name));
	struct strbuf path = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct source_text text;
	u32 i;

	HIDX_FOREACH(&s->by_name, hash, i)
		if (!strcmp(s->file.v[i].name, name))
			return &s->file.v[i];
	if (s->prefix)
		strbuf_addf(&path, "%s/%s", s->prefix, strip(name, s->prefix_strip));
	else
		strbuf_addstr(&path, name);
	if (source_text_read(&text, strbuf_str(&path), &err) && !s->nr_missing++)
		s->missing = xstrdup(err.msg);
	strbuf_release(&path);
	text.name = xstrdup(name);
	hidx_insert(&s->by_name, hash, s->file.nr);
	vec_push(&s->file, text);
	return &s->file.v[s->file.nr - 1];
}

void sources_note_missing(const struct sources *s)
{
	struct err err = ERR_INIT;

	if (!s->nr_missing)
		return;
	err_set(&err, -ENOENT, "source file %s", s->missing);
	if (s->nr_missing > 1)
		err_prefix(&err, "%u source files cannot be read: ", s->nr_missing);
	if (s->fixed_paths)
		err_hint(&err, "run this where they are, or 'perf annotate' with --prefix DIR");
	else
		err_hint(&err, "--prefix DIR [--prefix-strip N] puts DIR before paths of source files, "
			 "without their first N directories; or run this where they are");
	log_warn_err(&err);
}

const char *source_line(struct sources *s, const char *file, u32 number)
{
	const struct source_text *t = sources_find(s, file);

	return number && number <= t->line.nr ? t->line.v[number - 1] : NULL;
}

void sources_release(struct sources *s)
{
	vec_foreach(&s->file, t)
		source_text_release(t);
	vec_release(&s->file);
	hidx_release(&s->by_name);
	free(s->missing);
}

/* --- shown */

void source_line_add(struct strbuf *out, const char *line)
{
	size_t len = strlen(line);
	char *copy = xstrndup(line, len && line[len - 1] == '\r' ? len - 1 : len), *pos = copy;

	for (char *part; (part = strsep(&pos, "\t"));) {
		strbuf_add_safe(out, part);
		if (pos)
			strbuf_addch(out, '\t');
	}
	free(copy);
}
