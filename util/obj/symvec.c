/* Symvec: collects symbols, sorts them, chooses among aliases, finds ends. */
#include "symvec.h"

#include <elf.h>
#include <string.h>

#include "../base/sort.h"
#include "../base/strbuf.h"
#include "demangle.h"

#define NAME_CHUNK_FIRST 4096
#define NAME_CHUNK 65536

/* names are packed without alignment: a kernel has 200k of them */
static const char *add_name(struct symvec *v, const char *name, size_t len)
{
	char *p;

	if ((size_t)(v->end - v->pos) < len + 1) {
		size_t room = MAX(len + 1, MIN(v->names.total + NAME_CHUNK_FIRST, (size_t)NAME_CHUNK));

		v->pos = arena_alloc(&v->names, room);
		v->end = v->pos + room;
	}
	p = v->pos;
	memcpy(p, name, len);
	p[len] = '\0';
	v->pos += len + 1;
	return p;
}

static bool in_lent(const struct symvec *v, const char *name)
{
	return name >= v->lent && name < v->lent_end;
}

static bool is_lent(const struct symvec *v, const char *name)
{
	return v->borrow_names || in_lent(v, name);
}

void symvec_add(struct symvec *v, u64 start, u64 end, const char *name, size_t len, u8 binding, u8 type)
{
	if (v->sym.nr >= SYMVEC_NONE - 1)
		return;
	vec_push(&v->sym, (struct symbol){
		.start = start, .end = MAX(end, start), .binding = binding, .type = type,
		.name = is_lent(v, name) ? name : add_name(v, name, len),
	});
}

static void sort_syms(struct symvec *v)
{
	size_t nr = v->sym.nr, i;
	struct sort_pair *pairs;
	struct symbol *sorted;

	for (i = 1; i < nr; i++)
		if (v->sym.v[i - 1].start > v->sym.v[i].start)
			break;
	if (i >= nr)
		return;
	pairs = xreallocarray(NULL, nr * 2, sizeof(*pairs));
	for (i = 0; i < nr; i++)
		pairs[i] = (struct sort_pair){ .key = v->sym.v[i].start, .val = i };
	sort_pairs(pairs, pairs + nr, nr);
	sorted = xreallocarray(NULL, nr, sizeof(*sorted));
	for (i = 0; i < nr; i++)
		sorted[i] = v->sym.v[pairs[i].val];
	free(pairs);
	free(v->sym.v);
	v->sym.v = sorted;
	v->sym.alloc = nr;
}

static int binding_rank(u8 binding)
{
	return binding == 'g' ? 2 : binding == 'l' ? 1 : 0;
}

/* how a name is shown; C++ names are compared in this form */
struct reading {
	const struct symbol *sym;
	size_t underscores, len;
};

static void read_name(const struct symvec *v, struct reading *r, const struct symbol *sym)
{
	struct strbuf shown = STRBUF_INIT;
	const char *name = sym->name;

	if (r->sym == sym)
		return;
	if (v->demangle && demangle(name, &shown))
		name = strbuf_str(&shown);
	r->sym = sym;
	r->underscores = strspn(name, "_");
	r->len = strlen(name);
	strbuf_release(&shown);
}

/* names of a constructor or destructor for the whole object and for a base are shown in the same way */
static bool reads_same(const char *a, const char *b)
{
	size_t at = 0;

	while (a[at] && a[at] == b[at])
		at++;
	return at && (a[at - 1] == 'C' || a[at - 1] == 'D') && a[at] >= '0' && a[at] <= '5' && b[at] >= '0' &&
	       b[at] <= '5' && !strcmp(a + at + 1, b + at + 1);
}

/*
 * Compares two names of one address: most important is a known size, then how public the name is (weak names
 * often belong to other code), then fewer underscores at the start, then length. known caches properties of
 * b.
 */
static bool better_alias(const struct symvec *v, const struct symbol *a, const struct symbol *b,
			 struct reading *known)
{
	bool sized_a = a->end > a->start, sized_b = b->end > b->start;
	struct reading ra = { NULL };
	int rank;

	if (v->last_alias)
		return true;
	rank = sized_a != sized_b ? sized_a - sized_b : binding_rank(a->binding) - binding_rank(b->binding);
	if (rank) {
		known->sym = NULL;
		return rank > 0;
	}
	if (reads_same(a->name, b->name))
		return false;
	read_name(v, &ra, a);
	read_name(v, known, b);
	if (ra.underscores == known->underscores ? ra.len <= known->len : ra.underscores > known->underscores)
		return false;
	*known = ra;
	known->sym = b;	/* a replaces b */
	return true;
}

/* length of a name without its version ("@@GLIBC_2.2.5") and the hash of Rust's old mangling ("17h...E") */
static size_t plain_len(const char *name)
{
	size_t len = strcspn(name, "@");

	return len > 20 && name[len - 1] == 'E' && !strncmp(name + len - 20, "17h", 3) ? len - 20 : len;
}

static bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/* C: weak and reserved names are aliases that somebody wanted */
static bool is_own_function(const struct symbol *s)
{
	return is_mangled(s->name) || (s->binding != 'w' && s->name[0] != '_');
}

/*
 * Whether two symbols of one address are different functions, whose equal code the linker folded (ICF), and
 * not several names of one function, which mostly contain each other: read, read@@GLIBC_2.2.5, lseek64.
 */
static bool share_code(const struct symbol *a, const struct symbol *b)
{
	size_t la = plain_len(a->name), lb = plain_len(b->name);

	if (a->type != STT_FUNC || b->type != STT_FUNC || a->end == a->start || a->end != b->end ||
	    !is_own_function(a) || !is_own_function(b))
		return false;
	return !memmem(a->name, la, b->name, lb) && !memmem(b->name, lb, a->name, la) &&
	       !reads_same(a->name, b->name);
}

static void choose_aliases(struct symvec *v)
{
	struct symbol *sym = v->sym.v;
	struct reading known = { NULL };
	size_t kept = 0;

	for (size_t i = 0; i < v->sym.nr; i++) {
		if (kept && sym[kept - 1].start == sym[i].start) {
			sym[i].shared |= sym[kept - 1].shared || share_code(&sym[i], &sym[kept - 1]);
			sym[kept - 1].shared = sym[i].shared;
			if (better_alias(v, &sym[i], &sym[kept - 1], &known))
				sym[kept - 1] = sym[i];
			continue;
		}
		known.sym = NULL;
		sym[kept++] = sym[i];
	}
	v->sym.nr = kept;
}

static void find_ends(struct symvec *v, u64 limit)
{
	struct symbol *sym = v->sym.v;
	size_t nr = v->sym.nr;

	for (size_t i = 0; i < nr; i++) {
		if (sym[i].end > sym[i].start)
			continue;
		if (i + 1 < nr)
			sym[i].end = sym[i + 1].start;
		else if (limit > sym[i].start)
			sym[i].end = limit;
		else
			sym[i].end = (sym[i].start | 4095) + 1 + 4096;
		if (sym[i].end < sym[i].start)
			sym[i].end = UINT64_MAX;
	}
}

static void find_outer(struct symvec *v)
{
	const struct symbol *sym = v->sym.v;
	size_t nr = v->sym.nr, i;

	for (i = 1; i < nr; i++)
		if (sym[i - 1].end > sym[i].start)
			break;
	if (i >= nr)
		return;
	v->outer = xreallocarray(NULL, nr, sizeof(*v->outer));
	for (i = 0; i < nr; i++) {
		u32 o = i ? i - 1 : SYMVEC_NONE;

		while (o != SYMVEC_NONE && sym[o].end <= sym[i].end)
			o = v->outer[o];
		v->outer[i] = o;
	}
}

#define NEAR_MIN 64		/* with fewer symbols a search without it is as fast */
#define NEAR_SPAN 4096		/* bytes per symbol: a table that is sparser on average is only searched */

/*
 * Buckets of addresses, at least two symbols each, for the densely filled part of the table: a kernel has a
 * few symbols at very low addresses, and others far above its code.
 */
static void find_near(struct symvec *v)
{
	const struct symbol *sym = v->sym.v;
	size_t first = 0, last = v->sym.nr - 1, at;

	if (v->sym.nr < NEAR_MIN)
		return;
	while (first < last && (sym[last].start - sym[first].start) / NEAR_SPAN > last - first) {
		if (sym[last].start - sym[last - 1].start > sym[first + 1].start - sym[first].start)
			last--;
		else
			first++;
	}
	if (last - first < NEAR_MIN)
		return;
	v->near_lo = sym[first].start;
	while ((sym[last].start - v->near_lo) >> v->near_shift > (last - first) / 2)
		v->near_shift++;
	v->near_nr = ((sym[last].start - v->near_lo) >> v->near_shift) + 1;
	v->near = xreallocarray(NULL, v->near_nr + 1, sizeof(*v->near));
	at = first;
	for (u64 b = 0; b <= v->near_nr; b++) {
		while (at + 1 < v->sym.nr && sym[at + 1].start <= v->near_lo + (b << v->near_shift))
			at++;
		v->near[b] = at;
	}
}

void symvec_settle(struct symvec *v)
{
	sort_syms(v);
	choose_aliases(v);
	v->settled = v->sym.nr;
}

/* the last of nr symbols, from base on, that starts at or before addr; there is one */
static u32 last_start(const struct symvec *v, size_t base, size_t nr, u64 addr)
{
	while (nr > 1) {
		size_t half = nr / 2;

		base += symvec_start(v, base + half) <= addr ? half : 0;
		nr -= half;
	}
	return base;
}

const struct symbol *symvec_before(const struct symvec *v, u64 addr)
{
	const struct symbol *s = v->settled ? &v->sym.v[last_start(v, 0, v->settled, addr)] : NULL;

	return s && s->start <= addr ? s : NULL;
}

const struct symbol *symvec_exact(const struct symvec *v, u64 addr)
{
	const struct symbol *s = symvec_before(v, addr);

	return s && s->start == addr ? s : NULL;
}

void symvec_finish(struct symvec *v, u64 limit)
{
	symvec_settle(v);
	vec_fit(&v->sym);	/* a kernel has 100,000 symbols */
	find_ends(v, limit);
	find_outer(v);
	find_near(v);
}

/* where all of them are */
struct symvec_extent {
	u64 start, end;
};

static void extend(struct symvec_extent *e, u64 start, u64 end)
{
	e->start = MIN(e->start, start);
	e->end = MAX(e->end, end);
}

void symvec_pack(struct symvec *v)
{
	struct symvec_extent addr = { UINT64_MAX, 0 }, names[2] = { addr, addr };

	vec_foreach(&v->sym, s) {
		extend(&addr, s->start, s->end);
		extend(&names[!in_lent(v, s->name)], (uintptr_t)s->name, (uintptr_t)s->name);
	}
	if (!v->sym.nr || addr.end - addr.start > UINT32_MAX ||
	    (names[0].end && names[0].end - names[0].start > UINT32_MAX) ||
	    (names[1].end && names[1].end - names[1].start > UINT32_MAX))
		return;
	/* in place: there is not room for both */
	for (size_t i = 0; i < v->sym.nr; i++) {
		const struct symbol *s = &v->sym.v[i];
		bool lent = in_lent(v, s->name);
		const struct packed_symbol p = { .start = s->start - addr.start, .size = s->end - s->start,
			.name = (uintptr_t)s->name - names[!lent].start, .binding = s->binding,
			.type = s->type, .shared = s->shared, .lent = lent };

		memcpy((char *)v->sym.v + i * sizeof(p), &p, sizeof(p));
	}
	v->packed = xreallocarray(v->sym.v, v->sym.nr, sizeof(*v->packed));
	v->sym.v = NULL;
	v->sym.alloc = 0;
	v->packed_start = addr.start;
	v->packed_names[0] = (const char *)(uintptr_t)names[0].start;
	v->packed_names[1] = (const char *)(uintptr_t)names[1].start;
}

struct symbol symvec_at(const struct symvec *v, u32 i)
{
	const struct packed_symbol *p;

	if (!v->packed)
		return v->sym.v[i];
	p = &v->packed[i];
	return (struct symbol){ .start = symvec_start(v, i), .end = symvec_end(v, i), .binding = p->binding,
				.type = p->type, .shared = p->shared,
				.name = v->packed_names[!p->lent] + p->name };
}

/* the last symbol that starts at or before addr, or SYMVEC_NONE */
static inline u32 last_before(const struct symvec *v, u64 addr)
{
	u64 bucket = (addr - v->near_lo) >> v->near_shift;

	if (!v->sym.nr || addr < symvec_start(v, 0))
		return SYMVEC_NONE;
	if (likely(v->near && bucket < v->near_nr))
		return last_start(v, v->near[bucket], v->near[bucket + 1] - v->near[bucket] + 1, addr);
	return last_start(v, 0, v->sym.nr, addr);
}

u32 symvec_find(const struct symvec *v, u64 addr)
{
	u32 i = last_before(v, addr);

	if (i == SYMVEC_NONE)
		return i;
	while (addr >= symvec_end(v, i)) {
		i = v->outer ? v->outer[i] : SYMVEC_NONE;
		if (i == SYMVEC_NONE)
			return SYMVEC_NONE;
	}
	return i;
}

u32 symvec_find_span(const struct symvec *v, u64 addr, struct symvec_span *ret)
{
	u32 i = last_before(v, addr), next = i == SYMVEC_NONE ? 0 : i + 1;

	*ret = (struct symvec_span){ 0, next < v->sym.nr ? symvec_start(v, next) : UINT64_MAX };
	while (i != SYMVEC_NONE && addr >= symvec_end(v, i)) {
		ret->lo = MAX(ret->lo, symvec_end(v, i));
		i = v->outer ? v->outer[i] : SYMVEC_NONE;
	}
	if (i != SYMVEC_NONE) {
		ret->lo = MAX(ret->lo, symvec_start(v, i));
		ret->hi = MIN(ret->hi, symvec_end(v, i));
	}
	return i;
}

#define KEPT_AT_ONCE 64

void symvec_keep(struct symvec *v, const u32 *idx, size_t nr, void (*rest)(void *ctx), void *ctx)
{
	struct symvec kept = { .settled = nr, .demangle = v->demangle, .last_alias = v->last_alias };

	vec_reserve(&kept.sym, nr);
	for (size_t i = 0; i < nr; i++) {
		struct symbol s = symvec_at(v, idx[i]);

		s.name = arena_strdup(&kept.names, s.name);
		vec_push(&kept.sym, s);
		if (i % KEPT_AT_ONCE == KEPT_AT_ONCE - 1)
			rest(ctx);
	}
	symvec_release(v);
	find_outer(&kept);
	*v = kept;
}

u64 symvec_bytes(const struct symvec *v)
{
	return v->sym.alloc * sizeof(*v->sym.v) + v->names.total + (v->near ? v->near_nr * sizeof(u32) : 0) +
	       (v->outer ? v->sym.nr * sizeof(u32) : 0) +
	       (v->packed ? v->sym.nr * sizeof(*v->packed) : 0);
}

void symvec_release(struct symvec *v)
{
	vec_release(&v->sym);
	free(v->outer);
	free(v->near);
	free(v->packed);
	v->outer = v->near = NULL;
	v->packed = NULL;
	arena_release(&v->names);
	v->pos = v->end = NULL;
}
