/* Fields that few ask for. */
#include "line-state.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "../../arch/arch.h"
#include "../base/fs.h"
#include "../obj/elf-obj.h"
#include "frame.h"

#define INSN_MAX 15
#define SOURCE_MAX (16u << 20)	/* larger files are not source texts */

/* the binary of a dso, opened when its code was first asked for */
struct dso_code {
	bool tried;
	struct elf_obj *elf;
};

struct source_file {
	const char *path;		/* as the debug information names it */
	struct strbuf text;
	struct { VEC(u32); } line;	/* where each begins */
};

/* the source line that was last shown for a task */
struct shown {
	s32 tid;
	u32 line;
	const char *file;
};

struct line_more {
	const struct session *s;
	const struct lines *lines;
	const struct arch *arch;
	struct { VEC(struct dso_code); } code;	/* by dso id */
	struct { VEC(struct source_file); } source;
	struct { VEC(struct shown); } shown;
	struct hidx source_idx, shown_idx;
};

struct line_more *line_more_new(const struct session *s, const struct lines *lines)
{
	struct line_more *m = xcalloc(1, sizeof(*m));

	m->s = s;
	m->lines = lines;
	m->arch = arch_by_machine(session_elf_machine(s));
	return m;
}

void line_more_free(struct line_more *m)
{
	if (!m)
		return;
	vec_foreach(&m->code, c)
		elf_obj_free(c->elf);
	vec_foreach(&m->source, s) {
		free((char *)s->path);
		strbuf_release(&s->text);
		vec_release(&s->line);
	}
	vec_release(&m->code);
	vec_release(&m->source);
	vec_release(&m->shown);
	hidx_release(&m->source_idx);
	hidx_release(&m->shown_idx);
	free(m);
}

char *line_more_tod(const struct session *s, u64 time, bool ns, char *p)
{
	const struct features *f = &s->data->feat;
	/* wraps where the time is before the reference */
	u64 wall = f->clock_tod_ns + (time - f->clock_ns);
	time_t sec = wall / 1000000000;
	struct tm tm;

	if (!localtime_r(&sec, &tm))
		memset(&tm, 0, sizeof(tm));
	p += strftime(p, LINE_TOD_MAX / 2, "%F %H:%M:%S", &tm);
	p += snprintf(p, LINE_TOD_MAX / 2, ns ? ".%09u " : ".%06u ",
		      (u32)(wall % 1000000000) / (ns ? 1 : 1000));
	return p;
}

static const struct elf_obj *code_of(struct line_more *m, u32 dso)
{
	const struct dso *d = dsos_at(machine_dsos(m->s->machine), dso);
	struct dso_code *c;

	if (!d || d->kind != DSO_USER)	/* addresses in others are not offsets in a file */
		return NULL;
	while (m->code.nr <= dso)
		vec_push(&m->code, (struct dso_code){ 0 });
	c = &m->code.v[dso];
	if (!c->tried) {
		c->tried = true;
		c->elf = symbols_open_binary(m->s->symbols, dso);
	}
	return c->elf;
}

void line_more_insn(struct line_more *m, const struct resolved_frame *f, bool length, bool bytes,
		    struct strbuf *out)
{
	const struct elf_obj *elf = code_of(m, f->loc.dso);
	u64 off = f->loc.dso_addr;
	const u8 *p = NULL;
	int len = 0;

	if (elf && elf->map.p && off < elf->map.len && m->arch && m->arch->insn_len) {
		p = elf->map.p + off;
		len = m->arch->insn_len(p, MIN(elf->map.len - off, (u64)INSN_MAX),
					elf->ehdr.e_ident[EI_CLASS] == ELFCLASS64);
	}
	if (length)
		strbuf_addf(out, " ilen: %d", len);
	if (!bytes || !len)
		return;
	strbuf_addstr(out, " insn:");
	for (int i = 0; i < len; i++)
		strbuf_addf(out, " %02x", p[i]);
}

/* regular files only: a name in the data must not make us wait for a device */
static void source_read(struct source_file *s)
{
	int fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= SOURCE_MAX &&
	    !fd_read_all(fd, &s->text) && s->text.len) {
		vec_push(&s->line, 0);
		for (size_t i = 0; i + 1 < s->text.len; i++)
			if (s->text.buf[i] == '\n')
				vec_push(&s->line, i + 1);
	}
	close(fd);
}

static const struct source_file *source_of(struct line_more *m, const char *path)
{
	u64 hash = hash_bytes(path, strlen(path));
	struct source_file new = { 0 };
	u32 k;

	HIDX_FOREACH(&m->source_idx, hash, k)
		if (!strcmp(m->source.v[k].path, path))
			return &m->source.v[k];
	new.path = xstrdup(path);
	source_read(&new);
	hidx_insert(&m->source_idx, hash, m->source.nr);
	vec_push(&m->source, new);
	return &m->source.v[m->source.nr - 1];
}

/* a line of a file, tabs kept, without what could drive a terminal */
static void put_source(const struct source_file *s, u32 line, struct strbuf *out)
{
	char *text = s->text.buf + s->line.v[line - 1], *copy, *pos;

	copy = pos = xstrndup(text, strcspn(text, "\n"));
	strbuf_addf(out, "\n|%-8u ", line);
	for (char *part; (part = strsep(&pos, "\t"));) {
		strbuf_add_safe(out, part);
		if (pos)
			strbuf_addch(out, '\t');
	}
	free(copy);
}

static struct shown *shown_of(struct line_more *m, s32 tid)
{
	u64 hash = hash_u64((u32)tid);
	u32 k;

	HIDX_FOREACH(&m->shown_idx, hash, k)
		if (m->shown.v[k].tid == tid)
			return &m->shown.v[k];
	hidx_insert(&m->shown_idx, hash, m->shown.nr);
	vec_push(&m->shown, (struct shown){ .tid = tid });
	return &m->shown.v[m->shown.nr - 1];
}

bool line_more_source(struct line_more *m, s32 tid, const struct resolved_frame *f, bool dry,
		      struct strbuf *out)
{
	const struct line_info *info = f->loc.dso == ID_NONE ? NULL : lines_find(m->lines, f->loc.dso,
										 f->loc.dso_addr);
	const struct source_file *s;
	struct shown *last;
	const char *file;
	u32 line;

	if (f->loc.dso == ID_NONE)
		return true;
	if (!info)
		return false;
	file = info->nr_inlined ? info->inlined[0].file : info->file;
	line = info->nr_inlined ? info->inlined[0].line : info->line;
	if (dry || !file || !line)
		return true;
	s = source_of(m, file);
	last = shown_of(m, tid);
	if (line > s->line.nr || (last->file == s->path && last->line == line))
		return true;
	last->file = s->path;
	last->line = line;
	put_source(s, line, out);
	return true;
}

void line_more_counters(const struct session *s, struct strbuf *out)
{
	const struct evset *set = s->data->evset;
	char letter = 'A';

	strbuf_addstr(out, "# Branch counter abbr list:\n");
	for (size_t i = 0; i < set->ev.nr; i++) {
		if (!(set->ev.v[i]->attr.branch_sample_type & ABI_BRANCH_COUNTERS) || letter > 'Z')
			continue;
		strbuf_addstr(out, "# ");
		strbuf_add_safe(out, set->ev.v[i]->name);
		strbuf_addf(out, " = %c\n", letter++);
	}
	strbuf_addstr(out, "# '-' No event occurs\n"
		      "# '+' Event occurrences may be lost due to branch counter saturated\n");
}
