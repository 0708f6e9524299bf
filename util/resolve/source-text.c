/* Source-text: see source-text.h. */
#include "source-text.h"
#include "../base/fs.h"
#include "../base/strbuf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void split(struct source_text *f)
{
	for (char *at = f->text, *end; at && *at; at = end) {
		vec_push(&f->line, at);
		end = strchr(at, '\n');
		if (!end)
			break;
		*end++ = '\0';
	}
}

static char *read_text(const char *path)
{
	struct strbuf text = STRBUF_INIT;
	struct stat st;
	int fd = open_regular(path, &st, NULL);
	bool good = fd >= 0 && st.st_size <= SOURCE_MAX && !fd_read_all(fd, &text);
	char *ret = good ? xstrndup(strbuf_str(&text), text.len) : NULL;

	if (fd >= 0)
		close(fd);
	strbuf_release(&text);
	return ret;
}

static struct source_text *find(struct sources *s, const char *name)
{
	struct strbuf path = STRBUF_INIT;
	struct source_text *f;

	/* the file of the line before is the usual one */
	for (size_t i = s->file.nr; i--;)
		if (!strcmp(s->file.v[i].name, name))
			return &s->file.v[i];
	f = vec_add(&s->file);
	f->name = xstrdup(name);
	if (s->prefix)
		strbuf_addf(&path, "%s/%s", s->prefix, strip(name, s->prefix_strip));
	else
		strbuf_addstr(&path, name);
	f->text = read_text(strbuf_str(&path));
	split(f);
	strbuf_release(&path);
	return f;
}

const char *source_line(struct sources *s, const char *file, u32 number)
{
	const struct source_text *f = find(s, file);

	return number && number <= f->line.nr ? f->line.v[number - 1] : NULL;
}

void sources_release(struct sources *s)
{
	vec_foreach(&s->file, f) {
		free(f->name);
		free(f->text);
		vec_release(&f->line);
	}
	vec_release(&s->file);
}
