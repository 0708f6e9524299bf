/* Rows: tables as files of tab-separated values in a directory, with a line of names at their beginning. */
#include "tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../util/base/strbuf.h"

struct tsv_files {
	FILE *file[NR_TABLES];	/* NULL: that of single samples, which is made when there is one */
	char *path[NR_TABLES];
	char *made;		/* the directory, if it was not there; or NULL */
	struct strbuf line;
};

static void put_names(FILE *f, const struct table *t)
{
	for (u32 i = 0; t->column[i].name; i++)
		fprintf(f, "%s%s", i ? "\t" : "", t->column[i].name);
	putc('\n', f);
}

/* failed: the files are removed already */
static void release(struct tsv_files *r, bool failed)
{
	if (failed && r->made)
		rmdir(r->made);
	free(r->made);
	strbuf_release(&r->line);
	for (u32 i = 0; i < NR_TABLES; i++)
		free(r->path[i]);
	free(r);
}

static int rows_close(void *ctx, int ret, struct err *err)
{
	struct tsv_files *r = ctx;

	if (ret && !err->code)
		err_sys(err, -ret, "cannot write the tables");
	for (u32 i = 0; i < NR_TABLES; i++)
		if (r->file[i] && fclose(r->file[i]) && !ret)
			ret = err_sys(err, errno, "cannot write %s", r->path[i]);
	/* half a table looks like a whole one */
	for (u32 i = 0; i < NR_TABLES && ret; i++)
		remove(r->path[i]);
	release(r, ret);
	return ret;
}

static int rows_open(void **ret, const char *path, bool force, struct err *err)
{
	struct tsv_files *r = xcalloc(1, sizeof(*r));
	int code = 0;

	if (!mkdir(path, 0777))
		r->made = xstrdup(path);
	else if (errno != EEXIST)
		code = err_sys(err, errno, "cannot create the directory %s", path);
	for (u32 i = 0; i < NR_TABLES && !code; i++) {
		r->path[i] = xasprintf("%s/%s.tsv", path, tables[i].name);
		if (i == TABLE_SAMPLE_AT) {
			if (force)
				remove(r->path[i]);	/* it would not belong to the others */
			continue;
		}
		r->file[i] = fopen(r->path[i], force ? "we" : "wxe");
		if (r->file[i]) {
			put_names(r->file[i], &tables[i]);
			continue;
		}
		code = err_sys(err, errno, "cannot create %s", r->path[i]);
		if (code == -EEXIST)
			err_hint(err, "--force replaces it");
	}
	*ret = r;
	if (!code)
		return 0;
	for (u32 i = 0; i < NR_TABLES; i++)
		if (r->file[i]) {
			fclose(r->file[i]);
			remove(r->path[i]);
		}
	release(r, true);
	return code;
}

static int rows_row(void *ctx, enum table_id table, const struct tables_cell *cell)
{
	struct tsv_files *r = ctx;
	struct strbuf *line = &r->line;
	FILE *f = r->file[table];

	if (!f) {
		f = r->file[table] = fopen(r->path[table], "wxe");
		if (!f)
			return -errno;
		put_names(f, &tables[table]);
	}
	strbuf_reset(line);
	for (u32 i = 0; tables[table].column[i].name; i++) {
		if (i)
			strbuf_addch(line, '\t');
		if (cell[i].text)
			strbuf_addstr(line, cell[i].text);
		else if (cell[i].number < 0)
			strbuf_addf(line, "%lld", (long long)cell[i].number);
		else
			strbuf_add_u64(line, cell[i].number, 0);
	}
	strbuf_addch(line, '\n');
	return fwrite(line->buf, 1, line->len, f) == line->len ? 0 : -EIO;
}

const struct tables_sink rows_sink = { .open = rows_open, .row = rows_row, .close = rows_close };
