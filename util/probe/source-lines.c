/* Source-lines: rows of line tables, and texts of source files. */
#include "source-lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "../base/strbuf.h"
#include "source-path.h"

struct raw_row {
	u64 addr;
	const char *file;
	int line;
	bool is_stmt, is_end, is_prologue_end;
};

static bool read_row(Dwarf_Lines *lines, size_t i, struct raw_row *r)
{
	Dwarf_Line *line = dwarf_onesrcline(lines, i);
	Dwarf_Addr addr;

	if (!line || dwarf_lineaddr(line, &addr) || dwarf_lineno(line, &r->line) ||
	    dwarf_linebeginstatement(line, &r->is_stmt) || dwarf_lineendsequence(line, &r->is_end) ||
	    dwarf_lineprologueend(line, &r->is_prologue_end))
		return false;
	r->addr = addr;
	r->file = dwarf_linesrc(line, NULL, NULL);
	return r->file != NULL;
}

static int by_line(const void *pa, const void *pb)
{
	const struct line_row *a = pa, *b = pb;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

void unit_line_rows(struct debug_unit *unit, const char *file, u32 first, u32 last, struct line_rows *ret)
{
	Dwarf_Lines *lines;
	size_t nr, kept = 0;
	u64 previous = UINT64_MAX;
	const char *known = NULL;	/* strings of one file are usually one string */
	struct raw_row r;

	if (dwarf_getsrclines(&unit->die, &lines, &nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		bool is_first;

		if (!read_row(lines, i, &r) || r.is_end || !r.is_stmt)
			continue;
		is_first = r.addr != previous;
		previous = r.addr;
		if (r.line < 0 || (u32)r.line < first || (u32)r.line > last || !r.line)
			continue;
		if (r.file != known && strcmp(r.file, file))
			continue;
		known = r.file;
		vec_push(ret, (struct line_row){ r.addr, r.line, is_first });
	}
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_line);
	for (size_t i = 0; i < ret->nr; i++) {
		struct line_row *last_kept = kept ? &ret->v[kept - 1] : NULL;

		if (last_kept && last_kept->line == ret->v[i].line && last_kept->addr == ret->v[i].addr)
			last_kept->is_first |= ret->v[i].is_first;
		else
			ret->v[kept++] = ret->v[i];
	}
	ret->nr = kept;
}

bool line_row_is_meant(const struct line_rows *rows, const struct line_row *row)
{
	const struct line_row *end = rows->v + rows->nr, *r = row;

	while (r > rows->v && r[-1].line == row->line)
		r--;
	for (; !row->is_first && r < end && r->line == row->line; r++)
		if (r->is_first)
			return false;
	return true;
}

const char *unit_source_file(struct debug_unit *unit, const char *file)
{
	Dwarf_Files *files;
	size_t nr;

	if (dwarf_getsrcfiles(&unit->die, &files, &nr))
		return NULL;
	for (size_t i = 0; i < nr; i++) {
		const char *path = dwarf_filesrc(files, i, NULL, NULL);

		if (path && unit_file_matches(unit, path, file))
			return path;
	}
	return NULL;
}

bool unit_line_at(struct debug_unit *unit, u64 addr, bool exact, const char **ret_file, u32 *ret_line)
{
	Dwarf_Lines *lines;
	Dwarf_Addr at;
	size_t nr, lo = 0, hi;
	struct raw_row r;

	if (dwarf_getsrclines(&unit->die, &lines, &nr) || !nr)
		return false;
	hi = nr;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		Dwarf_Line *line = dwarf_onesrcline(lines, mid);

		if (line && !dwarf_lineaddr(line, &at) && at <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || !read_row(lines, lo - 1, &r))
		return false;
	/* the first of several rows at an address, except rows that end a sequence */
	while (lo > 1) {
		struct raw_row before;

		if (!read_row(lines, lo - 2, &before) || before.addr != r.addr || before.is_end)
			break;
		r = before;
		lo--;
	}
	if (r.is_end || (exact && r.addr != addr) || r.line <= 0)
		return false;
	*ret_file = r.file;
	*ret_line = r.line;
	return true;
}

u64 unit_prologue_end(struct debug_unit *unit, u64 entry, u64 end)
{
	Dwarf_Lines *lines;
	size_t nr;
	u64 second = 0;
	struct raw_row r;

	if (dwarf_getsrclines(&unit->die, &lines, &nr))
		return entry;
	for (size_t i = 0; i < nr; i++) {
		if (!read_row(lines, i, &r) || r.addr < entry || r.addr >= end || r.is_end)
			continue;
		/* only some compilers mark it */
		if (r.is_prologue_end)
			return r.addr;
		if (r.is_stmt && r.addr > entry && (!second || r.addr < second))
			second = r.addr;
	}
	return second ? second : entry;
}

static const char *producer(struct debug_unit *unit)
{
	Dwarf_Attribute a;
	const char *text = NULL;

	if (dwarf_attr(&unit->info, DW_AT_producer, &a))
		text = dwarf_formstring(&a);
	return text ? text : "";
}

bool unit_is_gnu(struct debug_unit *unit)
{
	return !strncmp(producer(unit), "GNU", 3);
}

bool unit_is_unoptimised(struct debug_unit *unit)
{
	const char *p = producer(unit);

	while ((p = strstr(p, " -O"))) {
		p += 3;
		if (*p != '0')
			return false;
	}
	return true;
}

/* --- texts */

static char *find_source(const char *path, const char *dir)
{
	struct strbuf try = STRBUF_INIT;

	if (!dir || !dir[0])
		return access(path, R_OK) ? NULL : xstrdup(path);
	/* /src/app/lib/a.c: DIR/src/app/lib/a.c, DIR/app/lib/a.c, DIR/lib/a.c, DIR/a.c */
	for (const char *tail = path; tail; tail = strchr(tail + 1, '/')) {
		strbuf_reset(&try);
		strbuf_addf(&try, "%s/%s", dir, tail[0] == '/' ? tail + 1 : tail);
		if (!access(strbuf_str(&try), R_OK))
			return strbuf_detach(&try);
		if (!tail[0])
			break;
	}
	strbuf_release(&try);
	return NULL;
}

int probe_source_text_read(struct source_text *t, struct debug_unit *unit, const char *path, const char *dir,
			   struct err *err)
{
	struct strbuf full = STRBUF_INIT;
	char *found;
	int ret;

	unit_source_path(unit, path, &full);
	found = find_source(strbuf_str(&full), dir);
	/* moved to another machine, with everything that belongs to it */
	if (!found)
		found = find_source(path, dir);
	strbuf_release(&full);
	*t = (struct source_text){ 0 };
	if (!found) {
		err_set(err, -ENOENT, "source file %s was not found%s%s", path, dir ? " below " : "",
			dir ? dir : "");
		err_hint(err, "-s DIR names the directory of the source");
		return -ENOENT;
	}
	ret = source_text_read(t, found, err);
	if (ret)
		free(found);
	else
		t->name = found;
	return ret;
}
