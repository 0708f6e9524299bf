/* Source-path: joins and cleans paths, and compares them. */
#include "source-path.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>
#include "debug-file.h"

/* the last component appended since start, or NULL if that is ".." or there is none */
static char *last_part(struct strbuf *out, size_t start)
{
	char *from = out->buf + start, *slash;

	if (out->len <= start + (*from == '/'))
		return NULL;
	slash = strrchr(from, '/');
	slash = slash ? slash + 1 : from;
	return strcmp(slash, "..") ? slash : NULL;
}

void source_path_clean(const char *path, struct strbuf *out)
{
	size_t start = out->len;

	if (*path == '/')
		strbuf_addch(out, '/');
	while (*path) {
		size_t len = strcspn(path, "/");
		bool up = len == 2 && !strncmp(path, "..", 2) && out->len > start;
		char *last = up ? last_part(out, start) : NULL;

		if (last) {
			size_t keep = last - out->buf;

			strbuf_setlen(out, keep - (keep > start + 1));
		} else if (len && !(len == 1 && *path == '.') && !(up && out->len == start + 1 &&
								   out->buf[start] == '/')) {
			if (out->len > start && out->buf[out->len - 1] != '/')
				strbuf_addch(out, '/');
			strbuf_add(out, path, len);
		}
		path += len + (path[len] == '/');
	}
}

void unit_source_path(struct debug_unit *unit, const char *path, struct strbuf *out)
{
	Dwarf_Attribute a;
	const char *dir = dwarf_attr(&unit->die, DW_AT_comp_dir, &a) ? dwarf_formstring(&a) : NULL;

	if (*path != '/' && dir && *dir)
		strbuf_addf(out, "%s/", dir);
	strbuf_addstr(out, path);
}

bool source_file_matches(const char *path, const char *file)
{
	size_t len = strlen(path), want = strlen(file);

	if (!path || len < want || strcmp(path + len - want, file))
		return false;
	return len == want || path[len - want - 1] == '/' || file[0] == '/';
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool unit_file_matches(struct debug_unit *unit, const char *path, const char *file)
{
	struct strbuf full = STRBUF_INIT, clean = STRBUF_INIT, wanted = STRBUF_INIT;
	char cwd[PATH_MAX];
	bool ok;

	if (source_file_matches(path, file))
		return true;
	if (strcmp(base_name(path), base_name(file)))
		return false;
	unit_source_path(unit, path, &full);
	source_path_clean(strbuf_str(&full), &clean);
	strbuf_reset(&full);
	if (!strncmp(file, "../", 3) && getcwd(cwd, sizeof(cwd)))
		strbuf_addf(&full, "%s/", cwd);
	strbuf_addstr(&full, file);
	source_path_clean(strbuf_str(&full), &wanted);
	ok = source_file_matches(strbuf_str(&clean), strbuf_str(&wanted));
	strbuf_release(&full);
	strbuf_release(&clean);
	strbuf_release(&wanted);
	return ok;
}
