/* Doctor, symbols: counts the samples of each dso, and asks what was found for it. */
#include "symbols.h"
#include "../event/record-type.h"

#include <stdlib.h>

#include "../base/progress.h"
#include "../fields/file-facts.h"
#include "../obj/buildid.h"
#include "../obj/elf-obj.h"
#include "../obj/jitdump.h"
#include "../resolve/deferred.h"
#include "../resolve/resolver.h"
#include "../sym/lines-jit.h"

struct dso_check {
	u32 dso;
	u64 nr;			/* samples in it */
	u64 nr_unnamed;		/* samples without a function */
	u64 nr_cut;		/* stacks that end in it: no unwind information, no frame pointers */
	double share, unnamed;	/* percent: of all samples; of its own */
	const char *name, *build_id, *symbols, *lines, *unwind, *problem;
};

struct dso_checks {
	struct session *session;
	struct dso_check *dso;		/* by dso id */
	u64 nr;				/* samples */
	struct stack_ends ends;
	struct resolver resolver;
	struct arena scratch;
};

/* ---- counting ---- */

static void count_sample(struct dso_checks *c, const struct sample *s, const struct rec *rec)
{
	struct sample_ctx ctx = locator_sample_ctx(&c->resolver.locator, c->session, s, rec);
	struct loc loc = locator_find(&c->resolver.locator, &ctx, s->cpumode, s->ip);
	struct sample_chain chain = sample_chain_of(&c->resolver, s, &ctx, RESOLVE_MAX_UNWOUND);
	u64 end = s->callchain ? stack_end_find(&chain) : 0;
	u32 cut_in = (u32)(end >> 8) - 1;
	const struct symbol *sym;

	c->nr++;
	if (end)
		stack_ends_add(&c->ends, end & 0xff, cut_in, 1);
	if (stack_why_has_dso(end & 0xff) && dsos_at(machine_dsos(c->session->machine), cut_in))
		c->dso[cut_in].nr_cut++;
	if (loc.dso == ID_NONE)
		return;
	c->dso[loc.dso].nr++;
	sym = symbols_find(c->session->symbols, loc.dso, loc.dso_addr);
	c->dso[loc.dso].nr_unnamed += !sym || sym->binding == SYMBOL_GUESSED;
}

/* calls fn for all samples that can be decoded */
static void walk_samples(struct dso_checks *c, void (*fn)(struct dso_checks *c, const struct sample *s,
						    const struct rec *rec))
{
	const struct session *s = c->session;
	struct diag counted_before = { 0 };

	vec_foreach(&s->data->stream, stream) {
		struct rec_walk walk = rec_walk_of(s->data, stream, stream->start, stream->end,
						   &counted_before);
		struct sample sample;
		struct rec rec;

		progress_at("looking up samples");
		while (rec_next(&walk, &rec) > 0) {
			progress_count(rec.off - stream->start, stream->end - stream->start);
			if (rec.type == REC_SAMPLE &&
			    !sample_decode(s->data->plan, &rec, &sample, &c->scratch) && sample.event)
				fn(c, &sample, &rec);
			arena_reset(&c->scratch);
		}
	}
}

static void find_dso(struct dso_checks *c, const struct sample *s, const struct rec *rec)
{
	struct sample_ctx ctx = locator_sample_ctx(&c->resolver.locator, c->session, s, rec);
	struct loc loc = locator_find(&c->resolver.locator, &ctx, s->cpumode, s->ip);

	if (loc.dso != ID_NONE)
		c->dso[loc.dso].nr = 1;
}

static void load_symbols(struct dso_checks *c, u32 nr_dsos)
{
	u32 *ids = xreallocarray(NULL, nr_dsos + 1, sizeof(*ids)), nr = 0;

	walk_samples(c, find_dso);
	for (u32 i = 0; i < nr_dsos; i++) {
		if (c->dso[i].nr)
			ids[nr++] = i;
		c->dso[i].nr = 0;
	}
	symbols_load(c->session->symbols, c->session->pool, ids, nr);
	free(ids);
}

/* ---- what was found ---- */

static const char *unwind_of(const struct session *s, u32 dso, const struct dso *d)
{
	bool is_elf = d->kind == DSO_USER || d->kind == DSO_VDSO;
	struct elf_obj *o = is_elf ? symbols_open_binary(s->symbols, dso) : NULL;
	GElf_Shdr sh;
	bool found;

	if (!o)
		return NULL;
	found = elf_obj_section(o, ".eh_frame", &sh) || elf_obj_section(o, ".debug_frame", &sh);
	elf_obj_free(o);
	return found ? "yes" : "no";
}

/* a jitdump file has lines of its own, if the JIT compiler wrote them */
static bool has_lines(const struct session *s, const struct dso_check *p, const struct symtab *t)
{
	struct jit_table *jit = t->debug_info ? NULL : jit_table_open(s->symbols, p->dso);
	bool found = t->debug_info || jit;

	jit_table_free(jit);
	return found;
}

/* the one thing to do: names first, then unwind information that stacks needed, then lines */
static const char *problem_of(const struct session *s, const struct dso_check *p)
{
	const struct symtab *t = symbols_table(s->symbols, p->dso);
	const char *reason = p->nr_unnamed || !t || !t->nr ? symbols_reason(s->symbols, p->dso) : NULL;
	const struct dso *d = dsos_at(machine_dsos(s->machine), p->dso);

	if (reason)
		return reason;
	if (p->nr_cut && d->kind == DSO_USER && (!p->unwind || strcmp(p->unwind, "yes")))
		return "stacks end in it: build it with -fasynchronous-unwind-tables, or install its file";
	if (p->nr_cut && d->kind == DSO_USER)
		return "built without frame pointers: record with --call-graph dwarf or lbr";
	if (p->nr_unnamed * 2 > p->nr)
		return "most of its samples are outside of all functions that its symbols list";
	if (d->kind == DSO_USER && !has_lines(s, p, t))
		return jitdump_is_name(d->long_name) ?
		       "no source lines: the JIT compiler wrote none to this file" :
		       "no source lines: build it with -g, or install its debug symbols";
	return NULL;
}

/* a text from data as it may be printed; formats of values have an escape of their own */
static const char *shown(const char *text, u32 form, struct arena *arena)
{
	struct strbuf sb = STRBUF_INIT;

	if (!text || form == VIEW_FORM_VALUES)
		return text;
	strbuf_add_safe(&sb, text);
	text = arena_strdup(arena, strbuf_str(&sb));
	strbuf_release(&sb);
	return text;
}

static void examine(const struct dso_checks *c, struct dso_check *p, u32 form, struct arena *arena)
{
	const struct session *s = c->session;
	const struct dso *d = dsos_at(machine_dsos(s->machine), p->dso);
	const struct symtab *t = symbols_table(s->symbols, p->dso);
	struct strbuf id = STRBUF_INIT;

	p->name = shown(d->short_name, form, arena);
	p->share = 100.0 * (double)p->nr / (double)c->nr;
	p->unnamed = p->nr ? 100.0 * (double)p->nr_unnamed / (double)p->nr : 0;
	if (d->buildid_len) {
		buildid_hex(&id, d->buildid, d->buildid_len);
		p->build_id = arena_strdup(arena, strbuf_str(&id));
	}
	p->symbols = shown(t && t->nr ? t->file ? t->file : "the recording" : NULL, form, arena);
	p->lines = t && t->nr ? has_lines(s, p, t) ? "yes" : "no" : NULL;
	p->unwind = unwind_of(s, p->dso, d);
	p->problem = shown(problem_of(s, p), form, arena);
	strbuf_release(&id);
}

/* ---- the table ---- */

#define GET(type, name, value) \
	static type name(const void *row) { const struct dso_check *p = row; return value; }
GET(double, row_share, p->share)
GET(u64, row_samples, p->nr)
GET(const char *, row_name, p->name)
GET(double, row_unnamed, p->unnamed)
GET(u64, row_cut, p->nr_cut)
GET(const char *, row_build_id, p->build_id ? p->build_id : "")
GET(const char *, row_symbols, p->symbols ? p->symbols : "-")
GET(const char *, row_lines, p->lines ? p->lines : "-")
GET(const char *, row_unwind, p->unwind ? p->unwind : "-")
GET(const char *, row_problem, p->problem ? p->problem : "")
GET(const char *, no_build_id, p->build_id ? NULL : "not recorded")
GET(const char *, no_symbols, p->symbols ? NULL : "no symbols were found")
GET(const char *, no_lines, p->lines ? NULL : "no symbols were found")
GET(const char *, no_unwind, p->unwind ? NULL : "its file was not found, or has none by its kind")
GET(const char *, no_problem, p->problem ? NULL : "nothing is missing")

#define VALUES .forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES
#define TEXT .forms = VIEW_FORM_TEXT | VIEW_FORM_SEPARATED
#define VALUE .forms = VIEW_FORM_VALUES
static const struct view_field columns[] = {
	{ VIEW_COUNT("overhead", "Overhead", VIEW_SHARE, 8), .decimals = 2, .real = row_share },
	{ VIEW_COUNT("samples", "Samples", VIEW_NUMBER, 8), .number = row_samples, VALUES },
	{ VIEW_NAME("dso", "Shared Object", VIEW_TEXT, 0), .text = row_name },
	{ VIEW_COUNT("unnamed", "Unnamed", VIEW_SHARE, 7), .decimals = 2, .real = row_unnamed },
	{ VIEW_COUNT("cut", "Stacks cut", VIEW_NUMBER, 10), .number = row_cut },
	{ VIEW_NAME("lines", "Lines", VIEW_TEXT, 5), .text = row_lines, TEXT },
	{ VIEW_NAME("lines", "Lines", VIEW_TEXT, 5), .text = row_lines, .absent = no_lines, VALUE },
	{ VIEW_NAME("unwind", "Unwind", VIEW_TEXT, 6), .text = row_unwind, TEXT },
	{ VIEW_NAME("unwind", "Unwind", VIEW_TEXT, 6), .text = row_unwind, .absent = no_unwind, VALUE },
	{ VIEW_NAME("symbols", "Symbols from", VIEW_TEXT, 0), .text = row_symbols, TEXT },
	{ VIEW_NAME("symbols", "Symbols from", VIEW_TEXT, 0), .text = row_symbols, .absent = no_symbols,
	  VALUE },
	{ VIEW_NAME("build-id", "Build-id", VIEW_TEXT, 0), .text = row_build_id, .absent = no_build_id,
	  VALUES },
	{ .column = { .name = "problem", .title = "What is missing, and what to do", .no_pad = true },
	  .text = row_problem, TEXT },
	{ VIEW_NAME("problem", "Problem", VIEW_TEXT, 0), .text = row_problem, .absent = no_problem, VALUE },
};

static int cmp_checks(const void *pa, const void *pb)
{
	const struct dso_check *a = pa, *b = pb;

	if (a->nr != b->nr)
		return a->nr < b->nr ? 1 : -1;
	return (a->dso > b->dso) - (a->dso < b->dso);
}

/* dsos with samples, or in which stacks end; the number of them */
static size_t examine_all(struct dso_checks *c, u32 nr_dsos, u32 form, struct arena *arena)
{
	size_t nr = 0;

	for (u32 i = 0; i < nr_dsos; i++) {
		struct dso_check p = c->dso[i];

		p.dso = i;
		if (!p.nr && !p.nr_cut)
			continue;
		examine(c, &p, form, arena);
		c->dso[nr++] = p;
	}
	qsort(c->dso, nr, sizeof(*c->dso), cmp_checks);
	return nr;
}

/* loads symbols and counts */
static void checks_fill(struct dso_checks *c, struct session *s, u32 nr_dsos)
{
	struct deferred *late = deferred_new(s);

	*c = (struct dso_checks){ .session = s, .dso = xcalloc(nr_dsos + 1, sizeof(*c->dso)) };
	resolver_init(&c->resolver, s, &c->scratch);
	c->resolver.deferred = late;
	load_symbols(c, nr_dsos);
	walk_samples(c, count_sample);
	resolver_release(&c->resolver);
	deferred_free(late);
	arena_release(&c->scratch);
}

struct view *doctor_symbols(struct session *s, u32 form)
{
	u32 nr_dsos = machine_dsos(s->machine)->dso.nr;
	struct view *v = xcalloc(1, sizeof(*v));
	struct dso_checks c;
	size_t nr;

	v->name = "doctor";
	v->tables = "tables";
	file_facts(&v->fact, &v->arena, s);
	checks_fill(&c, s, nr_dsos);
	nr = examine_all(&c, nr_dsos, form, &v->arena);
	vec_push(&v->owned, c.dso);
	view_add_rows(v, &(struct view_rows){ .field = columns, .nr_fields = ARRAY_SIZE(columns),
					      .form = form, .table = 1, .row = c.dso, .nr = nr,
					      .size = sizeof(*c.dso), .limit = UINT64_MAX })->name =
		"symbols";
	stack_ends_release(&c.ends);
	return v;
}

void doctor_total(struct session *s, struct doctor_totals *ret)
{
	const struct dsos *dsos = machine_dsos(s->machine);
	struct dso_checks c;

	checks_fill(&c, s, dsos->dso.nr);
	*ret = (struct doctor_totals){ .ends = c.ends };
	for (u32 i = 0; i < dsos->dso.nr; i++) {
		const struct dso_check *p = &c.dso[i];
		const struct dso *d = dsos_at(dsos, i);

		ret->nr += p->nr;
		ret->nr_unnamed += p->nr_unnamed;
		ret->nr_nameless += p->nr_unnamed > 0;
		if (!p->nr || d->kind != DSO_USER)
			continue;
		ret->nr_files++;
		ret->nr_without_id += !d->buildid_len;
	}
	free(c.dso);
}
