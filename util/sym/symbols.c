/* Symbols: the tables of all dsos by id; loads them in the pool, answers queries. */
#include "load.h"

#include "../base/fs.h"
#include "../base/log.h"
#include "../obj/buildid.h"
#include "../obj/demangle.h"
#include "../obj/short-name.h"
#include "../obj/sympack.h"
#include "load-dso.h"

struct symbols *symbols_new(const struct dsos *dsos, const struct sym_opts *opts)
{
	struct symbols *s = xcalloc(1, sizeof(*s));

	s->dsos = dsos;
	s->opts = *opts;
	s->buildid_dir = opts->buildid_dir ? xstrdup(opts->buildid_dir) : buildid_cache_dir();
	return s;
}

void symbols_expect_kallsyms(struct symbols *s, struct kallsyms *(*take)(void *ctx), void *ctx)
{
	s->kernel.take_live = take;
	s->kernel.take_ctx = ctx;
}

/* tables may have borrowed its names */
static void retire(struct symbols *s, struct kallsyms *k)
{
	if (!k)
		return;
	kallsyms_keep_names(k);
	vec_push(&s->names, k);
}

void symbols_reread_kallsyms(struct symbols *s)
{
	retire(s, s->kernel.live);
	s->kernel.live = NULL;
	s->kernel.live_tried = false;
}

void dso_symbols_free(struct dso_symbols *d)
{
	if (!d)
		return;
	symvec_release(&d->vec);
	mapping_close(&d->lent);
	vec_release(&d->seg);
	free(d->file);
	free(d->reason);
	free(d->doubt);
	free(d->missing_dwo);
	free(d);
}

static void release_lists(struct symbols *s)
{
	struct kernel_lists *k = &s->kernel;

	retire(s, k->live);
	retire(s, k->given);
	retire(s, k->cached);
	retire(s, k->recorded);
	retire(s, k->guest);
	free(k->cached_path);
	memset(k, 0, sizeof(*k));
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	release_lists(s);
	for (size_t i = 0; i < s->nr; i++)
		if (s->stored[i])
			sym_store_give(s->opts.store, s->stored[i], s->of[i]);
		else
			dso_symbols_free(s->of[i]);
	if (s->opts.store)
		sym_store_end_session(s->opts.store, s);
	vec_foreach(&s->names, k)
		kallsyms_free(*k);
	vec_release(&s->names);
	free(s->of);
	free(s->stored);
	free(s->buildid_dir);
	free(s);
}

struct load_job {
	struct symbols *s;
	struct { VEC(const struct dso *); } user, kernel;
	void (*then)(void *ctx, u32 dso);
	void *ctx;
};

static bool is_kernel_kind(const struct dso *dso)
{
	return BIT(dso->kind) & (KERNEL_KINDS | GUEST_KINDS);
}

static void load_one(const struct load_job *job, const struct dso *dso)
{
	if (!job->s->of[dso->id])
		job->s->of[dso->id] = load_dso(job->s, dso);
	if (job->then)
		job->then(job->ctx, dso->id);
}

/* names of lists are read when all addresses are known */
static void rest_lists(const struct symbols *s)
{
	const struct kernel_lists *k = &s->kernel;
	const struct kallsyms *list[] = { k->live, k->given, k->cached, k->recorded, k->guest };

	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		if (list[i])
			mapping_rest(&list[i]->map);
	vec_foreach(&s->names, k)
		mapping_rest(&(*k)->map);
}

/*
 * The kernel and its modules share one list of symbols, so they are one task; it is the first because it
 * takes longest.
 */
static void load_task(void *ctx, unsigned int worker, size_t i)
{
	struct load_job *job = ctx;

	if (i > 0 || !job->kernel.nr) {
		load_one(job, job->user.v[i - (job->kernel.nr ? 1 : 0)]);
		return;
	}
	for (size_t k = 0; k < job->kernel.nr; k++)
		load_one(job, job->kernel.v[k]);
	rest_lists(job->s);
}

static void reserve(struct symbols *s, size_t nr)
{
	if (nr <= s->nr)
		return;
	s->of = xreallocarray(s->of, nr, sizeof(*s->of));
	memset(s->of + s->nr, 0, (nr - s->nr) * sizeof(*s->of));
	s->stored = xreallocarray(s->stored, nr, sizeof(*s->stored));
	memset(s->stored + s->nr, 0, (nr - s->nr) * sizeof(*s->stored));
	s->nr = nr;
}

/* kernel dsos may follow: reading the list again would cost more than keeping it */
static bool kernel_waits(const struct symbols *s)
{
	for (size_t i = 0; i < s->dsos->dso.nr; i++)
		if (is_kernel_kind(s->dsos->dso.v[i]) && !s->of[i])
			return true;
	return false;
}

/* tables that earlier sessions have loaded */
static void take_stored(struct symbols *s, const struct dso *dso)
{
	struct sym_stored *e;

	if (!s->opts.store || s->of[dso->id] || s->stored[dso->id])
		return;
	e = sym_store_take(s->opts.store, s, dso);
	if (!e)
		return;
	s->stored[dso->id] = e;
	s->of[dso->id] = e->symbols;
	e->symbols = NULL;
}

bool symbols_are_stored(const struct symbols *s)
{
	return s->opts.store;
}

bool symbols_fetch(const struct symbols *s)
{
	return s->opts.debuginfod;
}

void symbols_load(struct symbols *s, struct pool *pool, const u32 *dso_ids, size_t nr)
{
	symbols_load_then(s, pool, dso_ids, nr, NULL, NULL);
}

#define MAX_NOTES 10

/* says once per file that its symbols may be wrong, or that it was not used because they would be */
static void tell_identity(struct dso_symbols *d, const struct dso *dso, struct strbuf *foreign, u32 *nr)
{
	const char *note = d->doubt;

	if (!note && d->identity == IDENTITY_NO && !dso->buildid_len)
		note = d->reason;
	if (d->told || (!note && d->identity != IDENTITY_FOREIGN))
		return;
	d->told = true;
	if (!note)
		strbuf_addf(foreign, "%s%s", foreign->len ? ", " : "", dso->short_name);
	else if ((*nr)++ < MAX_NOTES)
		log_warn("%s%s", note, d->doubt ? ": its names may be wrong" : "");
}

static void tell_foreign(const struct symbols *s, struct strbuf *names)
{
	if (names->len)
		log_warn("the recording is of another machine (%s) and has no build-ids of %s: files of this "
			 "machine are not used; --symfs DIR says where that machine's files are, --symfs / "
			 "that they are here", s->opts.on.other_machine, strbuf_str(names));
	strbuf_release(names);
}

void symbols_load_then(struct symbols *s, struct pool *pool, const u32 *dso_ids, size_t nr,
		       void (*then)(void *ctx, u32 dso), void *ctx)
{
	struct load_job job = { .s = s, .then = then, .ctx = ctx };
	struct strbuf foreign = STRBUF_INIT;
	u32 nr_notes = 0;
	u8 *seen;

	reserve(s, s->dsos->dso.nr);
	seen = xcalloc(s->nr + 1, 1);
	for (size_t i = 0; i < nr; i++) {
		const struct dso *dso = dsos_at(s->dsos, dso_ids[i]);

		if (!dso || (s->of[dso->id] && !then) || seen[dso->id])
			continue;
		seen[dso->id] = 1;
		take_stored(s, dso);
		if (is_kernel_kind(dso))
			vec_push(&job.kernel, dso);
		else
			vec_push(&job.user, dso);
	}
	if (job.user.nr + job.kernel.nr)
		pool_run_shown(pool, "loading symbols", job.user.nr + (job.kernel.nr ? 1 : 0), load_task,
			       &job);
	debuginfod_tell(&s->debuginfod);
	vec_foreach(&job.user, d)
		tell_identity(s->of[(*d)->id], *d, &foreign, &nr_notes);
	tell_foreign(s, &foreign);
	rest_lists(s);
	if (!kernel_waits(s))
		release_lists(s);
	vec_release(&job.user);
	vec_release(&job.kernel);
	free(seen);
}

void symbols_lend_names(struct symbols *s)
{
	s->lend_names = true;
}

struct lent_names {
	const struct symbols *s;
	const struct dso_symbols *d;
};

static void rest_names(void *ctx)
{
	const struct lent_names *names = ctx;

	mapping_rest(&names->d->lent);
	rest_lists(names->s);
}

void symbols_keep(struct symbols *s, u32 dso, const u32 *idx, size_t nr)
{
	struct dso_symbols *d = dso < s->nr ? s->of[dso] : NULL;

	if (!d)
		return;
	symvec_keep(&d->vec, idx, nr, rest_names, &(struct lent_names){ s, d });
	rest_lists(s);
	mapping_close(&d->lent);
	d->tab.sym = d->vec.sym.v;
	d->tab.nr = nr;
}

void symbols_forget_unused(struct symbols *s, const bool *used, size_t nr)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct dso *d = s->of[i] ? dsos_at(s->dsos, i) : NULL;

		/* what was told of a table is not told again */
		if (!d || d->kind != DSO_USER || (i < nr && used[i]) || s->of[i]->told || !s->of[i]->tab.nr)
			continue;
		dso_symbols_free(s->of[i]);
		s->of[i] = NULL;
	}
}

void symbols_forget_lists(struct symbols *s)
{
	release_lists(s);
	vec_foreach(&s->names, k)
		kallsyms_free(*k);
	s->names.nr = 0;
	s->lend_names = false;
}

static const struct dso_symbols *at(const struct symbols *s, u32 dso)
{
	return dso < s->nr ? s->of[dso] : NULL;
}

u32 symbols_find_idx(const struct symbols *s, u32 dso, u64 dso_addr)
{
	const struct dso_symbols *d = at(s, dso);

	return d ? symvec_find(&d->vec, dso_addr) : SYMVEC_NONE;
}

u32 symbols_find_span(const struct symbols *s, u32 dso, u64 dso_addr, struct symvec_span *ret)
{
	return symvec_find_span(&at(s, dso)->vec, dso_addr, ret);
}

const struct symbol *symbols_find(const struct symbols *s, u32 dso, u64 dso_addr)
{
	const struct dso_symbols *d = at(s, dso);
	u32 i = d ? symvec_find(&d->vec, dso_addr) : SYMVEC_NONE;

	return i == SYMVEC_NONE ? NULL : &d->tab.sym[i];
}

u32 symbols_find_call(const struct symbols *s, u32 dso, u64 ret, u64 *code)
{
	const struct dso_symbols *d = at(s, dso);
	u32 call, begins;

	*code = ret - 1;
	if (!d)
		return SYMVEC_NONE;
	call = symvec_find(&d->vec, ret - 1);
	if (likely(call != SYMVEC_NONE && ret < symvec_end(&d->vec, call)))
		return call;
	begins = symvec_find(&d->vec, ret);
	if (begins == SYMVEC_NONE || symvec_start(&d->vec, begins) != ret ||
	    (call != SYMVEC_NONE && !is_kernel_kind(dsos_at(s->dsos, dso))))
		return call;
	*code = ret;
	return begins;
}

u64 symbols_start(const struct symbols *s, u32 dso, u32 idx)
{
	return symvec_start(&at(s, dso)->vec, idx);
}

u64 symbols_call_addr(const struct symbols *s, u32 dso, u64 ret)
{
	u64 code;

	symbols_find_call(s, dso, ret, &code);
	return code;
}

const struct symtab *symbols_table(const struct symbols *s, u32 dso)
{
	const struct dso_symbols *d = at(s, dso);

	return d ? &d->tab : NULL;
}

const char *symbols_show(const struct symbols *s, u32 dso, const struct symbol *sym, struct arena *arena)
{
	const struct dso *d = dsos_at(s->dsos, dso);
	struct strbuf out = STRBUF_INIT;
	const char *name = sym->name;
	bool mangled;

	if (!s->opts.demangle || !d || d->kind == DSO_BPF || (is_kernel_kind(d) && !s->opts.demangle_kernel))
		return name;
	/* a JIT compiler writes names as they are to be shown */
	mangled = d->kind != DSO_PERFMAP && demangle(name, &out);
	if (mangled)
		name = arena_strdup(arena, strbuf_str(&out));
	/* inlined functions may have such names, too */
	if (s->opts.short_names && strpbrk(name, "<(") && (mangled || short_name_fits(name))) {
		strbuf_reset(&out);
		short_name(name, &out);
		name = arena_strdup(arena, strbuf_str(&out));
	}
	strbuf_release(&out);
	return name;
}

const char *symbols_name(const struct symbols *s, u32 dso, u32 idx, struct arena *arena)
{
	const struct dso_symbols *d = at(s, dso);

	return d && idx < d->tab.nr ? symbols_show(s, dso, &d->tab.sym[idx], arena) : NULL;
}

const char *symbols_reason(const struct symbols *s, u32 dso)
{
	const struct dso_symbols *d = at(s, dso);

	return d ? d->reason : NULL;
}

const char *symbols_stripped(const struct symbols *s, u32 dso)
{
	const struct dso_symbols *d = at(s, dso);

	return d ? d->stripped : NULL;
}

bool symbols_shared(const struct symbols *s, u32 dso, u32 idx)
{
	const struct dso_symbols *d = at(s, dso);

	return d && idx < d->tab.nr && d->tab.sym[idx].shared;
}

bool symbols_guessed(const struct symbols *s, u32 dso, u32 idx)
{
	const struct dso_symbols *d = at(s, dso);

	return d && idx < d->tab.nr && d->tab.sym[idx].binding == SYMBOL_GUESSED;
}

const struct sympack_dso *symbols_packed(const struct symbols *s, u32 dso)
{
	const struct dso_symbols *d = at(s, dso);

	return d ? d->packed : NULL;
}

bool symbols_imported(const struct symbols *s, u32 dso)
{
	const struct dso *d = dsos_at(s->dsos, dso);

	return d && load_is_imported(s, d);
}

size_t symbols_segments(const struct symbols *s, u32 dso, const struct elf_segment **ret)
{
	const struct dso_symbols *d = at(s, dso);

	*ret = d ? d->seg.v : NULL;
	return d ? d->seg.nr : 0;
}

u64 symbols_off_to_svma(const struct symbols *s, u32 dso, u64 off)
{
	const struct dso_symbols *d = at(s, dso);
	u64 svma;

	return d && d->seg.nr && elf_segments_off_to_svma(d->seg.v, d->seg.nr, off, &svma) ? svma : off;
}

struct elf_obj *symbols_open_binary(const struct symbols *s, u32 dso)
{
	const struct dso *d = dsos_at(s->dsos, dso);

	struct strbuf why = STRBUF_INIT;
	enum identity is;
	struct elf_obj *o = d ? load_binary(s, d, &is, &why) : NULL;

	strbuf_release(&why);
	return o;
}

enum identity symbols_identify(const struct symbols *s, u32 dso, u8 *ret_id, int *ret_len, struct strbuf *why)
{
	const struct dso *d = dsos_at(s->dsos, dso);
	enum identity is = IDENTITY_UNKNOWN;
	struct elf_obj *o = d ? load_binary(s, d, &is, why) : NULL;

	*ret_len = o && is == IDENTITY_YES ? elf_obj_buildid(o, ret_id) : 0;
	elf_obj_free(o);
	return is;
}

bool symbols_told(const struct symbols *s, u32 dso)
{
	const struct dso_symbols *d = at(s, dso);

	return d && d->told;
}

char *symbols_program(const struct symbols *s, u32 dso)
{
	const struct dso *d = dsos_at(s->dsos, dso);
	struct load l = { .s = (struct symbols *)s, .dso = d };
	struct strbuf path = STRBUF_INIT;
	char *plain, *ret = NULL;

	if (!d || d->kind != DSO_USER)
		return NULL;
	plain = load_plain_path(d);
	ret = xstrdup(load_symfs_path(&l, plain, &path));
	strbuf_release(&path);
	free(plain);
	return ret;
}
