/* Event tables: see event-table-files.h. */
#include "event-table-files.h"
#include "event-table-json.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/fs.h"
#include "../base/plugin.h"
#include "../base/strbuf.h"

/* "/x/uncore-memory.json": "uncore memory" */
static const char *topic_of(struct table_reader *r, const char *path)
{
	const char *base = strrchr(path, '/');
	char *topic = arena_strdup(&r->t->arena, base ? base + 1 : path);

	topic[strlen(topic) - strlen(".json")] = '\0';
	for (char *p = topic; *p; p++)
		if (*p == '-' || *p == '_')
			*p = ' ';
	return topic;
}

static bool is_json_name(const char *name)
{
	size_t len = strlen(name), n = strlen(".json");

	return len > n && *name != '.' && !strcmp(name + len - n, ".json");
}

static int add_object(void *ctx, unsigned int line, const struct json_member *m, size_t nr)
{
	return table_add_object(ctx, line, m, nr);
}

static int parse_text(struct table_reader *r, const struct strbuf *text)
{
	unsigned int line = 0;
	char msg[200] = "";
	int ret;

	if (!r->json) {
		r->json = plugin_load("jansson", sizeof(*r->json), r->err);
		if (!r->json)
			return -ENOEXEC;
	}
	ret = r->json->walk(strbuf_str(text), text->len, add_object, r, &line, msg, sizeof(msg));
	if (ret && *msg)
		ret = err_set(r->err, -EBADMSG, "%s:%u: %s", r->path, line, msg);
	return ret;
}

/* reads all of a regular file that is not too large */
static int read_text(struct table_reader *r, const char *path, struct strbuf *out)
{
	struct stat st;
	int fd = open_regular(path, &st, r->err), ret = 0;

	if (fd < 0)
		return fd;
	if (st.st_size > TABLE_FILE_MAX)
		ret = err_set(r->err, -EFBIG, "%s is larger than an event table may be (%u MiB)", path,
			      TABLE_FILE_MAX >> 20);
	else if (fd_read_all(fd, out))
		ret = err_set(r->err, -EIO, "cannot read %s", path);
	close(fd);
	return ret;
}

int table_read_file(struct table_reader *r, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	int ret;

	if (!is_json_name(path))
		return 0;
	if (++r->nr_files > TABLE_FILES_MAX)
		return err_set(r->err, -EFBIG, "the event tables of %s have more than %u files", r->root,
			       TABLE_FILES_MAX);
	ret = read_text(r, path, &text);
	if (!ret) {
		r->path = path;
		r->topic = topic_of(r, path);
		ret = parse_text(r, &text);
	}
	strbuf_release(&text);
	return ret;
}

static int json_only(const struct dirent *de)
{
	return is_json_name(de->d_name);
}

int table_read_dir(struct table_reader *r, const char *dir)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent **names;
	int nr = scandir(dir, &names, json_only, alphasort), ret = 0;

	if (nr < 0)
		return err_sys(r->err, errno, "cannot read the directory %s", dir);
	for (int i = 0; i < nr; i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", dir, names[i]->d_name);
		if (!ret)
			ret = table_read_file(r, path.buf);
		free(names[i]);
	}
	free(names);
	strbuf_release(&path);
	return ret;
}
