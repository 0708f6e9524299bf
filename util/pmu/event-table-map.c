/* Event tables: see event-table-map.h. */
#include "event-table-map.h"
#include "event-table-files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/fs.h"
#include "../base/strbuf.h"

enum column { COL_CPU, COL_VERSION, COL_FILE, COL_KIND, COL_CORE_TYPE, NR_COLUMNS };

/* of hybrid CPUs, in the column after the kind: CPUID's core types */
static const struct { const char *type,
		*pmu; } core_types[] = { { "0x20", "cpu_atom" }, { "0x40", "cpu_core" } };

struct map_line {
	const char *path;
	unsigned int nr;
	char *col[NR_COLUMNS];
};

/* splits at commas in place; quoted columns may contain commas */
static void split(char *line, struct map_line *ret)
{
	for (int i = 0; i < NR_COLUMNS; i++) {
		char *end;

		ret->col[i] = line;
		if (*line == '"' && (end = strchr(line + 1, '"'))) {
			ret->col[i] = line + 1;
			*end++ = '\0';
		} else {
			end = line + strcspn(line, ",");
		}
		line = *end ? end + 1 : end;
		*end = '\0';
	}
}

/* nothing in the line may lead out of the directory */
static bool stays_inside(const char *file)
{
	for (const char *p = file; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (!strncmp(p, "..", 2) && (p[2] == '/' || !p[2]))
			return false;
	}
	return *file;
}

static int take(struct table_reader *r, const struct map_line *l)
{
	const char *file = l->col[COL_FILE], *core = r->default_pmu;
	struct strbuf path = STRBUF_INIT;
	struct stat st;
	int ret;

	file += strspn(file, "/");
	if (!stays_inside(file))
		return err_set(r->err, -EBADMSG,
			       "%s:%u: the third column should name a file or directory inside %s", l->path,
			       l->nr, r->root);
	strbuf_addf(&path, "%s/%s", r->root, file);
	for (size_t i = 0; i < ARRAY_SIZE(core_types); i++)
		if (!strcasecmp(l->col[COL_CORE_TYPE], core_types[i].type))
			r->default_pmu = core_types[i].pmu;
	if (stat(path.buf, &st))
		ret = err_sys(r->err, errno, "%s:%u: %s", l->path, l->nr, path.buf);
	else if (S_ISDIR(st.st_mode))
		ret = table_read_dir(r, path.buf);
	else
		ret = table_read_file(r, path.buf);
	r->default_pmu = core;
	strbuf_release(&path);
	return ret;
}

static int match(struct table_reader *r, const struct map_line *l, const struct cpu_idents *ids,
		 bool *ret_yes)
{
	*ret_yes = false;
	for (size_t i = 0; i < ids->nr && !*ret_yes; i++) {
		int ret = cpu_ident_matches(ids->v[i], l->col[COL_CPU]);

		if (ret < 0)
			return err_set(r->err, -EBADMSG,
				       "%s:%u: the first column is not a regular expression, or too large",
				       l->path, l->nr);
		*ret_yes = ret;
	}
	return 0;
}

int table_read_mapfile(struct table_reader *r, const char *path, const struct cpu_idents *ids)
{
	FILE *f = fopen(path, "re");
	char buf[2048];
	struct map_line l = { .path = path };
	int ret = 0;

	if (!f)
		return err_sys(r->err, errno, "cannot read %s", path);
	while (!ret && fgets(buf, sizeof(buf), f)) {
		bool yes;

		l.nr++;
		if (!strchr(buf, '\n') && !feof(f)) {
			ret = err_set(r->err, -EBADMSG, "%s:%u: this line is too long", path, l.nr);
			break;
		}
		buf[strcspn(buf, "\r\n")] = '\0';
		/* the first line is a heading */
		if (!*buf || *buf == '#' ||
		    (l.nr == 1 && !strncasecmp(buf, "Family-model", strlen("Family-model"))))
			continue;
		split(buf, &l);
		ret = match(r, &l, ids, &yes);
		if (!ret && yes)
			ret = take(r, &l);
	}
	fclose(f);
	return ret;
}
