/* Symbol store: see store.h. */
#include "store.h"

#include <string.h>
#include "../base/hash.h"
#include "../obj/buildid.h"
#include "load.h"

/* names of kernels of several boots */
#define LISTS_MAX 8

struct sym_store {
	u64 bytes_max;
	struct { VEC(struct sym_stored *); } entry;
	struct { VEC(struct kallsyms *); } list;	/* tables of kernels borrow their names */
	u64 session;
	struct sym_store_facts facts;
};

struct sym_store *sym_store_new(u64 bytes)
{
	struct sym_store *st = xcalloc(1, sizeof(*st));

	st->bytes_max = bytes ? bytes : SYM_STORE_BYTES;
	return st;
}

static void entry_free(struct sym_stored *e)
{
	dso_symbols_free(e->symbols);
	dso_lines_free(e->lines[0]);
	dso_lines_free(e->lines[1]);
	free(e->key);
	free(e);
}

static void release_names(struct sym_store *st)
{
	vec_foreach(&st->list, k)
		kallsyms_free(*k);
	vec_release(&st->list);
}

void sym_store_free(struct sym_store *st)
{
	if (!st)
		return;
	vec_foreach(&st->entry, e)
		entry_free(*e);
	vec_release(&st->entry);
	release_names(st);
	free(st);
}

struct sym_store_facts sym_store_facts(const struct sym_store *st)
{
	struct sym_store_facts ret = st->facts;

	ret.nr = st->entry.nr;
	return ret;
}

static const struct dso *kernel_of(const struct symbols *s)
{
	vec_foreach(&s->dsos->dso, d)
		if ((*d)->kind == DSO_KERNEL)
			return *d;
	return NULL;
}

static void add_id(struct strbuf *key, const struct dso *d)
{
	strbuf_addch(key, ' ');
	buildid_hex(key, d->buildid, d->buildid_len);
}

/* a boot puts it at its own addresses, and says so by one of its symbols */
static bool add_kernel(struct strbuf *key, const struct symbols *s, const struct dso *d)
{
	const struct dso *kernel = kernel_of(s);

	if (s->opts.recorded_kallsyms || !kernel || !kernel->buildid_len)
		return false;
	add_id(key, kernel);
	strbuf_addf(key, " %s %lx %lx %lx", kernel->ref_reloc_sym ? kernel->ref_reloc_sym : "",
		    kernel->ref_reloc_addr, d->text_start, d->text_end);
	return true;
}

/* false: the recording does not say which file it was */
static bool key_of(struct strbuf *key, const struct symbols *s, const struct dso *d)
{
	if (load_is_packed(s, d))
		return false;
	strbuf_addf(key, "%d %s", d->kind, d->long_name);
	add_id(key, d);
	if (d->kind == DSO_KERNEL || d->kind == DSO_MODULE)
		return add_kernel(key, s, d);
	return d->kind == DSO_USER && d->buildid_len;
}

static struct sym_stored *find(const struct sym_store *st, const char *key, u64 hash)
{
	vec_foreach(&st->entry, e)
		if ((*e)->hash == hash && !strcmp((*e)->key, key))
			return *e;
	return NULL;
}

struct sym_stored *sym_store_take(struct sym_store *st, const struct symbols *s, const struct dso *d)
{
	struct strbuf key = STRBUF_INIT;
	struct sym_stored *e = NULL;
	u64 hash;

	if (key_of(&key, s, d)) {
		hash = hash_str(strbuf_str(&key));
		e = find(st, strbuf_str(&key), hash);
		if (!e) {
			e = xcalloc(1, sizeof(*e));
			e->key = strbuf_detach(&key);
			e->hash = hash;
			vec_push(&st->entry, e);
		}
		if (!e->busy) {
			e->busy = true;
			e->fresh = !e->symbols;
			e->kernel = d->kind != DSO_USER;
			st->facts.nr_loaded += e->fresh;
			st->facts.nr_reused += !e->fresh;
		} else {
			e = NULL;
		}
	}
	strbuf_release(&key);
	return e;
}

void sym_store_give(struct sym_store *st, struct sym_stored *e, struct dso_symbols *symbols)
{
	e->busy = false;
	e->used = st->session;
	for (int i = 0; i < 2; i++)
		dso_lines_end_session(e->lines[i]);
	/* where nothing was found, it may be there next time */
	if (symbols && symbols->tab.nr && !symbols->packed) {
		e->symbols = symbols;
		return;
	}
	dso_symbols_free(symbols);
	for (int i = 0; i < 2; i++) {
		dso_lines_free(e->lines[i]);
		e->lines[i] = NULL;
	}
}

static u64 bytes_of(const struct sym_stored *e)
{
	return (e->symbols ? symvec_bytes(&e->symbols->vec) : 0) + dso_lines_bytes(e->lines[0]) +
	       dso_lines_bytes(e->lines[1]);
}

static void take_names(struct sym_store *st, struct symbols *s)
{
	vec_foreach(&s->names, k)
		vec_push(&st->list, *k);
	s->names.nr = 0;
}

/* removes those that which() chooses and no session uses */
static void drop(struct sym_store *st, bool (*which)(const struct sym_stored *e))
{
	size_t kept = 0;

	for (size_t i = 0; i < st->entry.nr; i++)
		if (!st->entry.v[i]->busy && which(st->entry.v[i]))
			entry_free(st->entry.v[i]);
		else
			st->entry.v[kept++] = st->entry.v[i];
	st->entry.nr = kept;
}

/* inlined functions that took long to find stay when the symbols go, and take little memory */
static bool has_table(const struct sym_stored *e)
{
	return dso_lines_have_table(e->lines[0]);
}

static bool is_empty(const struct sym_stored *e)
{
	return !e->symbols && !has_table(e);
}

static bool is_kernel(const struct sym_stored *e)
{
	return e->kernel;
}

static u64 sum(const struct sym_store *st)
{
	u64 ret = 0;

	vec_foreach(&st->entry, e)
		ret += bytes_of(*e);
	vec_foreach(&st->list, k)
		ret += (*k)->text.alloc + (*k)->map.len;
	return ret;
}

/*
 * the entry unused for longest, with_symbols: among entries with symbols; of several the largest one, so that
 * most of them can stay. SIZE_MAX: all are in use
 */
static size_t victim(const struct sym_store *st, bool with_symbols)
{
	size_t ret = SIZE_MAX;

	for (size_t i = 0; i < st->entry.nr; i++) {
		const struct sym_stored *e = st->entry.v[i];
		const struct sym_stored *best = ret == SIZE_MAX ? NULL : st->entry.v[ret];

		if (!e->busy && (e->symbols || !with_symbols) &&
		    (!best || e->used < best->used ||
		     (e->used == best->used && bytes_of(e) > bytes_of(best))))
			ret = i;
	}
	return ret;
}

static void remove_entry(struct sym_store *st, size_t i)
{
	entry_free(st->entry.v[i]);
	st->entry.v[i] = st->entry.v[--st->entry.nr];
}

static void trim(struct sym_store *st)
{
	size_t i;

	while (st->facts.bytes > st->bytes_max && (i = victim(st, true)) != SIZE_MAX) {
		struct sym_stored *e = st->entry.v[i];

		st->facts.bytes -= bytes_of(e);
		if (has_table(e)) {
			dso_symbols_free(e->symbols);
			e->symbols = NULL;
			st->facts.bytes += bytes_of(e);
		} else {
			remove_entry(st, i);
		}
	}
	while ((st->entry.nr > SYM_STORE_ENTRIES || st->facts.bytes > st->bytes_max) &&
	       (i = victim(st, false)) != SIZE_MAX) {
		st->facts.bytes -= bytes_of(st->entry.v[i]);
		remove_entry(st, i);
	}
}

static bool has_kernel(const struct sym_store *st)
{
	vec_foreach(&st->entry, e)
		if ((*e)->kernel)
			return true;
	return false;
}

void sym_store_end_session(struct sym_store *st, struct symbols *s)
{
	bool new_names = false;

	drop(st, is_empty);
	vec_foreach(&st->entry, e)
		if (!(*e)->busy && (*e)->used == st->session && (*e)->kernel && (*e)->fresh)
			new_names = true;
	if (new_names)
		take_names(st, s);
	if (st->list.nr > LISTS_MAX)
		drop(st, is_kernel);
	st->facts.bytes = sum(st);
	trim(st);
	if (!has_kernel(st))
		release_names(st);
	st->session++;
}
