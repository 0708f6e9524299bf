/* Fields that few ask for. */
#include "line-state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "../../arch/arch.h"
#include "../base/digits.h"
#include "../resolve/source-text.h"
#include "../sym/code-source.h"
#include "frame.h"
#include "insn-texts.h"

#define INSN_MAX 15

/* opened when the code of a dso was first asked for */
struct dso_code {
	bool tried;
	struct code_source *source;
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
	struct sources sources;
	struct { VEC(struct shown); } shown;
	struct hidx shown_idx;
	struct insn_texts *texts;	/* NULL until they are asked for */
};

struct line_more *line_more_new(const struct session *s, const struct lines *lines)
{
	struct line_more *m = xcalloc(1, sizeof(*m));

	m->s = s;
	m->lines = lines;
	m->sources.fixed_paths = true;
	m->arch = arch_by_machine(session_elf_machine(s));
	return m;
}

void line_more_free(struct line_more *m)
{
	if (!m)
		return;
	vec_foreach(&m->code, c)
		code_source_free(c->source);
	vec_release(&m->code);
	sources_note_missing(&m->sources);
	sources_release(&m->sources);
	vec_release(&m->shown);
	hidx_release(&m->shown_idx);
	insn_texts_free(m->texts);
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

static const struct code_source *code_of(struct line_more *m, u32 dso)
{
	struct dso_code *c;

	if (dso == ID_NONE)
		return NULL;
	while (m->code.nr <= dso)
		vec_push(&m->code, (struct dso_code){ 0 });
	c = &m->code.v[dso];
	if (!c->tried) {
		c->tried = true;
		c->source = code_source_open(m->s->symbols, dso);
	}
	return c->source;
}

u64 line_more_code(struct line_more *m, u32 dso, u64 addr, const u8 **ret, bool *is_64bit)
{
	const struct code_source *source = code_of(m, dso);
	const struct code_extent *span = source ? code_source_extent(source, addr) : NULL;
	u64 size;

	if (!span)
		return 0;
	*ret = code_source_bytes(source, &size) + (addr + span->shift);
	*is_64bit = code_source_is64(source);
	return span->hi - addr;
}

int line_more_insn_len(const struct line_more *m, const u8 *p, u64 left, bool is_64bit)
{
	return m->arch && m->arch->insn_len ? m->arch->insn_len(p, MIN(left, (u64)INSN_MAX), is_64bit) : 0;
}

void line_more_insn(struct line_more *m, const struct resolved_frame *f, bool length, bool bytes,
		    struct strbuf *out)
{
	const u8 *p = NULL;
	bool is_64bit;
	u64 left = line_more_code(m, f->loc.dso, f->loc.dso_addr, &p, &is_64bit);
	int len = left ? line_more_insn_len(m, p, left, is_64bit) : 0;

	if (length)
		strbuf_addf(out, " ilen: %d", len);
	if (!bytes || !len)
		return;
	strbuf_addstr(out, " insn:");
	for (int i = 0; i < len; i++) {
		strbuf_addch(out, ' ');
		strbuf_add(out, hex_pairs + 2 * p[i], 2);
	}
}

struct insn_texts *line_more_texts(struct line_more *m)
{
	if (!m->texts)
		m->texts = insn_texts_new();
	return m->texts;
}

static struct shown *shown_of(struct line_more *m, s32 tid)
{
	u64 hash = hash_u64((u32)tid);

	return vec_find_or_add(&m->shown, &m->shown_idx, hash, e, e->tid == tid,
			       (struct shown){ .tid = tid });
}

bool line_more_source(struct line_more *m, s32 tid, const struct resolved_frame *f, bool dry,
		      struct strbuf *out)
{
	const struct line_info *info = f->loc.dso == ID_NONE ? NULL : lines_find(m->lines, f->loc.dso,
										 f->loc.dso_addr);
	const struct source_text *s;
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
	s = sources_find(&m->sources, file);
	last = shown_of(m, tid);
	if (line > s->line.nr || (last->file == s->name && last->line == line))
		return true;
	last->file = s->name;
	last->line = line;
	strbuf_addf(out, "\n|%-8u ", line);
	source_line_add(out, s->line.v[line - 1]);
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
