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
	struct strbuf text[NR_TABLES];	/* rows that are not in the file yet */
	char *made;		/* the directory, if it was not there; or NULL */
};

#define TEXT_BYTES (256u << 10)

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
	for (u32 i = 0; i < NR_TABLES; i++) {
		strbuf_release(&r->text[i]);
		free(r->path[i]);
	}
	free(r);
}

static int flush(struct tsv_files *r, u32 table)
{
	struct strbuf *text = &r->text[table];
	size_t done;

	errno = 0;
	done = text->len ? fwrite(text->buf, 1, text->len, r->file[table]) : 0;

	if (done < text->len)
		return errno ? -errno : -EIO;
	strbuf_reset(text);
	return 0;
}

static int rows_close(void *ctx, int ret, struct err *err)
{
	struct tsv_files *r = ctx;

	for (u32 i = 0; i < NR_TABLES && !ret; i++)
		ret = flush(r, i);
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

static void put_cell(struct strbuf *out, const struct tables_cell *c)
{
	const char *text = c->text ? c->text : c->digits;

	if (text)
		strbuf_add(out, text, c->len ? c->len : strlen(text));
	else if (c->number < 0)
		strbuf_addf(out, "%lld", (long long)c->number);
	else
		strbuf_add_u64(out, c->number, 0);
}

static int rows_row(void *ctx, enum table_id table, const struct tables_cell *cell)
{
	struct tsv_files *r = ctx;
	struct strbuf *text = &r->text[table];

	if (!r->file[table]) {
		r->file[table] = fopen(r->path[table], "wxe");
		if (!r->file[table])
			return -errno;
		put_names(r->file[table], &tables[table]);
	}
	for (u32 i = 0; tables[table].column[i].name; i++) {
		if (i)
			strbuf_addch(text, '\t');
		put_cell(text, &cell[i]);
	}
	strbuf_addch(text, '\n');
	return text->len < TEXT_BYTES ? 0 : flush(r, table);
}

const struct tables_sink rows_sink = { .open = rows_open, .row = rows_row, .close = rows_close };
