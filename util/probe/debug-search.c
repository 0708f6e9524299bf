/*
 * Debug-search: which units are concerned, found by bytes. A name in .debug_str is referred to by its offset,
 * in the unit itself (DW_FORM_strp) or in its part of .debug_str_offsets; short names are in the unit as they
 * are. Bytes that only look like such a reference cost time, never an answer: the unit is then read in vain.
 */
#include "debug-search.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include "../base/log.h"
#include "debug-abbrev.h"
#include "debug-binary.h"
#include "debug-sections.h"
#include "debug-units.h"
#include "../base/search.h"

#define NAME_DISTANCE 64	/* bytes from the start of an entry to its name, at most */
#define SCOPE_DISTANCE 12	/* the same for namespaces and types, which have little else */
#define WORDS_MAX 4096		/* strings that begin with a word; if there are more, every unit is read */

/* in one unit of .debug_info */
static void search_unit(struct debug_search *s, const struct debug_unit *u, const struct needles *group,
			u32 nr_groups, hit_fn *hit, void *ctx)
{
	struct debug_section info;

	if (debug_section_find(s->bytes.file, s->bytes.file->elf, ".debug_info", &info))
		debug_section_search(&info, &s->bytes.pool, u->start, u->end, group, nr_groups, hit, ctx);
}

void debug_search_release(struct debug_search *s)
{
	vec_release(&s->global);
	known_names_release(&s->known);
	debug_bytes_release(&s->bytes);
}

/* --- what was found */

struct offsets {
	VEC(u32);
};

/* ctx: an array with an element per group */
static bool add_offset(void *ctx, u64 off, u32 group)
{
	struct offsets *o = (struct offsets *)ctx + group;

	vec_push(o, off);
	return o->nr < WORDS_MAX && off <= UINT32_MAX;
}

/* an entry and those around it, outermost first */
struct entry_path {
	struct debug_unit *unit;
	u32 nr;
	Dwarf_Die at[DIE_DEPTH_MAX];
};

struct marks {
	struct debug_search *s;
	u8 *unit;	/* 1: concerned */
	struct debug_entries *entries;	/* NULL: only units are asked for */
	u32 *seen;	/* names per unit, a bit each; NULL: only one name is searched for */
	u64 (*key)(struct debug_unit *u);
	u32 *order;	/* units by key */
	size_t nr;
	struct entry_path path;	/* to the entry that was looked for last */
};

static bool mark_unit(void *ctx, u64 off, u32 group)
{
	struct marks *m = ctx;
	struct debug_unit *unit = debug_units_of_offset(m->s->units, off);

	if (unit)
		m->unit[unit - m->s->units->v] = 1;
	return true;
}

/*
 * Whether an entry of the unit really begins there: its siblings and parents lead to it. Offsets ascend, so
 * the walk resumes at the previous entry
 */
static bool is_entry(struct entry_path *p, struct debug_unit *unit, Dwarf_Die *die)
{
	Dwarf_Off want = dwarf_dieoffset(die), off;
	Dwarf_Die next;
	u32 level = 0;

	if (p->unit != unit || !p->nr || dwarf_dieoffset(&p->at[0]) > want) {
		*p = (struct entry_path){ .unit = unit };
		if (dwarf_child(&unit->die, &p->at[0]))
			return want == unit->start;
		p->nr = 1;
	}
	while ((off = dwarf_dieoffset(&p->at[level])) < want) {
		if (dwarf_siblingof(&p->at[level], &next) == 0 && dwarf_dieoffset(&next) <= want) {
			p->nr = dwarf_dieoffset(&next) <= off ? 0 : level + 1;
			if (!p->nr)
				return false;
			p->at[level] = next;
			continue;
		}
		if (level + 1 == DIE_DEPTH_MAX)
			return false;
		if (level + 1 >= p->nr || dwarf_dieoffset(&p->at[level + 1]) > want) {
			if (dwarf_child(&p->at[level], &p->at[level + 1]))
				return false;
			p->nr = level + 2;
		}
		level++;
	}
	if (off == want)
		p->nr = level + 1;
	return off == want;
}

/* whether the value of one of these attributes, up to a 0, is at at */
static bool has_value_at(Dwarf_Die *die, const unsigned int *attrs, const u8 *at)
{
	Dwarf_Attribute a;

	for (; *attrs; attrs++)
		if (dwarf_attr(die, *attrs, &a) && a.valp == at)
			return true;
	return false;
}

/*
 * The entry that contains these bytes as a value. It begins a little before them, with its abbreviation, and
 * perhaps attributes of a fixed size. Other bytes can look like an entry, too
 */
static bool entry_with_value(struct marks *m, struct debug_unit *unit, const unsigned int *attrs, u64 off,
			     u64 distance, Dwarf_Die *ret)
{
	const u8 *at = (const u8 *)unit->die.addr + (off - unit->start);

	for (u64 back = 1; back <= distance && off - back >= unit->start; back++) {
		if (!dwarf_offdie(m->s->bytes.file->dw, off - back, ret) || dwarf_tag(ret) == DW_TAG_invalid)
			continue;
		if (has_value_at(ret, attrs, at) && is_entry(&m->path, unit, ret))
			return true;
	}
	return false;
}

static bool entry_named_at(struct marks *m, struct debug_unit *unit, u64 off, u64 distance, Dwarf_Die *ret)
{
	static const unsigned int names[] = { DW_AT_name, DW_AT_linkage_name, DW_AT_MIPS_linkage_name, 0 };

	return entry_with_value(m, unit, names, off, distance, ret);
}

/* only bytes that are a name: small offsets are also numbers of lines, and whatever else */
static bool mark_named(void *ctx, u64 off, u32 group)
{
	struct marks *m = ctx;
	struct debug_unit *unit = debug_units_of_offset(m->s->units, off);
	struct debug_entry e;

	if (!unit || off >= unit->end || (!m->entries && m->unit[unit - m->s->units->v]))
		return true;
	e = (struct debug_entry){ .unit = unit - m->s->units->v };
	if (!entry_named_at(m, unit, off, NAME_DISTANCE, &e.die))
		return true;
	if (m->entries)
		vec_push(m->entries, e);
	else
		m->unit[e.unit] = 1;
	return true;
}

/* each name has two groups of needles; the first name has none here */
static bool note_scope(void *ctx, u64 off, u32 group)
{
	struct marks *m = ctx;
	struct debug_unit *unit = debug_units_of_offset(m->s->units, off);
	u32 *seen = unit ? &m->seen[unit - m->s->units->v] : NULL, bit = 2u << group / 2;
	Dwarf_Die die;

	if (!unit || off >= unit->end || *seen & bit)
		return true;
	if (unit->has_str_offsets || entry_named_at(m, unit, off, SCOPE_DISTANCE, &die))
		*seen |= bit;
	return true;
}

/*
 * marks the unit whose part of another section contains the offset: the last part that begins at or before
 * it
 */
static bool mark_by_key(void *ctx, u64 off, u32 group)
{
	struct marks *m = ctx;
	size_t lo;
	u64 key;

	lo = LOWER_BOUND(m->nr, i, m->key(&m->s->units->v[m->order[i]]) <= off);
	if (!lo)
		return true;
	key = m->key(&m->s->units->v[m->order[lo - 1]]);
	/* partial units share the line table of others */
	for (; lo && m->key(&m->s->units->v[m->order[lo - 1]]) == key; lo--) {
		if (m->seen)
			m->seen[m->order[lo - 1]] |= 1u << group / 2;
		else
			m->unit[m->order[lo - 1]] = 1;
	}
	return true;
}

static u64 key_of_strings(struct debug_unit *u)
{
	return u->has_str_offsets ? u->str_offsets : UINT64_MAX;
}

static u64 key_of_lines(struct debug_unit *u)
{
	return debug_unit_lines(u);
}

static int compare_by_key(const void *pa, const void *pb, void *ctx)
{
	const struct marks *m = ctx;
	u64 a = m->key(&m->s->units->v[*(const u32 *)pa]), b = m->key(&m->s->units->v[*(const u32 *)pb]);

	return a < b ? -1 : a > b;
}

static void sort_by_key(struct marks *m, u64 (*key)(struct debug_unit *u))
{
	m->key = key;
	m->nr = 0;
	if (!m->order)
		m->order = xcalloc(m->s->units->nr, sizeof(*m->order));
	for (u32 i = 0; i < m->s->units->nr; i++)
		if (key(&m->s->units->v[i]) != UINT64_MAX)
			m->order[m->nr++] = i;
	qsort_r(m->order, m->nr, sizeof(*m->order), compare_by_key, m);
}

static void marks_finish(struct marks *m, struct debug_unit_set *ret)
{
	for (u32 i = 0; i < m->s->units->nr; i++)
		if (m->unit[i])
			vec_push(ret, i);
	free(m->unit);
	free(m->seen);
	free(m->order);
}

#define ABBREVS_MAX (64u << 20)

/*
 * only links at once of several units (LTO) and compressors (dwz) make references from unit to unit: then an
 * abbreviation has the attribute with that form
 */
static bool has_foreign_origins(struct debug_search *s)
{
	const struct debug_binary *file = s->bytes.file;
	struct debug_section abbrev;

	if (!s->origins_searched) {
		s->origins_searched = true;
		s->has_foreign_origins = !debug_section_find(file, file->elf, ".debug_abbrev", &abbrev) ||
					 abbrev.size > ABBREVS_MAX ||
					 abbrevs_are_foreign(abbrev.data, abbrev.size);
	}
	return s->has_foreign_origins;
}

#define NAMES_MAX (NEEDLE_GROUPS_MAX / 2)

/* names, how they look in .debug_info, and where they are in .debug_str */
struct name_set {
	const char *v[NAMES_MAX];
	u32 nr;
	struct offsets at[NAMES_MAX];
	struct needles info[NEEDLE_GROUPS_MAX];	/* of each name: references, and the name itself */
	bool everywhere;	/* too many strings begin with a name */
};

/* all places in a section of strings where a string is the name, or begins with it and '<', or ends so */
static void find_strings(struct debug_search *s, Elf *elf, struct name_set *n)
{
	struct needles group[NAMES_MAX];

	for (u32 i = 0; i < n->nr; i++) {
		/* a string of one letter is its own end: the NUL belongs to it */
		size_t len = strlen(n->v[i]);

		group[i] = (struct needles){ .len = MAX(len, (size_t)2), .v = (const u8 *)n->v[i], .nr = 1,
					     .ends = len > 1 };
	}
	debug_bytes_run(&s->bytes, elf, ".debug_str", group, n->nr, add_offset, n->at);
}

static void find_names(struct debug_search *s, struct name_set *n)
{
	Dwarf *alt = dwarf_getalt(s->bytes.file->dw);

	find_strings(s, s->bytes.file->elf, n);
	if (alt)
		find_strings(s, dwarf_getelf(alt), n);
	for (u32 i = 0; i < n->nr; i++) {
		n->info[2 * i] = (struct needles){ .len = 4, .nr = n->at[i].nr,
						   .v = debug_bytes_u32s(&s->bytes, n->at[i].v,
									 n->at[i].nr) };
		n->info[2 * i + 1] = (struct needles){ .len = MAX(strlen(n->v[i]), (size_t)2),
						       .v = (const u8 *)n->v[i], .nr = 1 };
		n->everywhere |= n->at[i].nr >= WORDS_MAX;
	}
}

static void release_names(struct name_set *n)
{
	for (u32 i = 0; i < n->nr; i++)
		vec_release(&n->at[i]);
}

/* only references are in .debug_str_offsets: a name itself is not */
static void search_str_offsets(struct debug_search *s, struct marks *m, const struct name_set *n)
{
	struct needles refs[NEEDLE_GROUPS_MAX];

	sort_by_key(m, key_of_strings);
	if (!m->nr)
		return;
	for (u32 i = 0; i < 2 * n->nr; i++)
		refs[i] = i % 2 ? (struct needles){ 0 } : n->info[i];
	debug_bytes_run(&s->bytes, s->bytes.file->elf, ".debug_str_offsets", refs, 2 * n->nr, mark_by_key, m);
}

/* the entries of the first name, in one reading */
static void mark_name(struct debug_search *s, struct marks *m, const struct name_set *n)
{
	if (n->everywhere) {
		memset(m->unit, 1, s->units->nr);
		return;
	}
	debug_bytes_run(&s->bytes, s->bytes.file->elf, ".debug_info", n->info, 2, mark_named, m);
	search_str_offsets(s, m, n);
}

/* a name that was searched for together with others */
static void mark_known(struct marks *m, const struct known_name *k)
{
	for (size_t i = 0; i < k->info.nr; i++)
		if (!i || k->info.v[i] != k->info.v[i - 1])
			mark_named(m, k->info.v[i], 0);
	sort_by_key(m, key_of_strings);
	vec_foreach(&k->index, off)
		mark_by_key(m, *off, 0);
}

/* the same, but only of units that have all names */
static void mark_name_where_all_are(struct debug_search *s, struct marks *m, const struct name_set *n)
{
	u32 all = (1u << n->nr) - 2;	/* the first one is searched for where the others are */

	m->seen = xcalloc(s->units->nr, sizeof(*m->seen));
	debug_bytes_run(&s->bytes, s->bytes.file->elf, ".debug_info", n->info + 2, 2 * n->nr - 2, note_scope,
			m);
	search_str_offsets(s, m, n);
	for (size_t i = 0; i < s->units->nr; i++) {
		struct debug_unit *u = &s->units->v[i];

		if ((m->seen[i] & all) != all)
			continue;
		if (u->has_str_offsets)
			m->unit[i] = 1;	/* its entries do not refer to the strings themselves */
		else
			search_unit(s, u, n->info, 2, mark_named, m);
	}
}

void debug_search_name(struct debug_search *s, const char *word, struct debug_unit_set *ret,
			      struct debug_entries *ret_entries)
{
	debug_search_scoped(s, word, NULL, 0, ret, ret_entries);
}

void debug_search_scoped(struct debug_search *s, const char *word, const char *const *scope,
				u32 nr_scopes, struct debug_unit_set *ret,
				struct debug_entries *ret_entries)
{
	struct marks m = { .s = s, .unit = xcalloc(s->units->nr, 1), .entries = ret_entries };
	struct name_set n = { .v = { word }, .nr = 1 };
	const struct known_name *known;

	for (u32 i = 0; i < nr_scopes && n.nr < NAMES_MAX; i++)
		n.v[n.nr++] = scope[i];
	if (n.nr == 1 && (known = known_name(&s->known, &s->bytes, word))) {
		mark_known(&m, known);
	} else if (*word) {
		find_names(s, &n);
		if (n.nr > 1 && !n.everywhere && !has_foreign_origins(s))
			mark_name_where_all_are(s, &m, &n);
		else
			mark_name(s, &m, &n);
	}
	release_names(&n);
	for (u32 i = 0; i < s->units->nr; i++)
		m.unit[i] |= s->units->v[i].is_split;	/* its names are in another file */
	marks_finish(&m, ret);
	log_v("'%s' may be in %zu of %zu units of debug information, and names %zu entries", word, ret->nr,
	      s->units->nr, ret_entries ? ret_entries->nr : 0);
}

void debug_search_origin(struct debug_search *s, u64 die, struct debug_unit_set *ret)
{
	struct marks m = { .s = s, .unit = xcalloc(s->units->nr, 1) };
	struct offsets at = { 0 };
	struct needles n = { .len = 4, .nr = 1 };

	if (die <= UINT32_MAX && has_foreign_origins(s)) {
		vec_push(&at, die);
		n.v = debug_bytes_u32s(&s->bytes, at.v, at.nr);
		debug_bytes_run(&s->bytes, s->bytes.file->elf, ".debug_info", &n, 1, mark_unit, &m);
	}
	vec_release(&at);
	marks_finish(&m, ret);
}

static bool is_nested(const struct entry_path *p)
{
	for (u32 i = 0; i + 1 < p->nr; i++) {
		int tag = dwarf_tag((Dwarf_Die *)&p->at[i]);

		if (tag != DW_TAG_namespace && tag != DW_TAG_module)
			return true;
	}
	return false;
}

static bool add_instance(void *ctx, u64 off, u32 group)
{
	static const unsigned int origins[] = { DW_AT_abstract_origin, DW_AT_specification, 0 };
	struct marks *m = ctx;
	struct debug_entry e;
	struct debug_unit *unit = debug_units_of_offset(m->s->units, off);

	if (!unit || off >= unit->end)
		return true;
	e.unit = unit - m->s->units->v;
	if (!entry_with_value(m, unit, origins, off, NAME_DISTANCE, &e.die))
		return true;
	e.is_nested = is_nested(&m->path);
	vec_push(m->entries, e);
	return true;
}

/* compilers that refer to entries of a unit by numbers of 4 bytes; others may do it differently */
static bool has_plain_references(struct debug_unit *unit)
{
	Dwarf_Attribute a;
	const char *text = dwarf_attr(&unit->die, DW_AT_producer, &a) ? dwarf_formstring(&a) : NULL;

	return text && (!strncmp(text, "GNU ", 4) || strstr(text, "clang version"));
}

bool debug_search_instances(struct debug_search *s, struct debug_unit *unit, const struct debug_entries *of,
			  struct debug_entries *ret)
{
	struct marks m = { .s = s, .entries = ret };
	struct offsets at = { 0 };
	struct needles n = { .len = 4 };

	if (unit->is_split || unit->end == UINT64_MAX || !has_plain_references(unit) ||
	    has_foreign_origins(s))
		return false;
	vec_foreach(of, e)
		vec_push(&at, dwarf_cuoffset(&e->die));
	n.v = debug_bytes_u32s(&s->bytes, at.v, at.nr);
	n.nr = at.nr;
	search_unit(s, unit, &n, 1, add_instance, &m);
	vec_release(&at);
	return true;
}

void debug_search_source(struct debug_search *s, const char *base, struct debug_unit_set *ret)
{
	struct marks m = { .s = s, .unit = xcalloc(s->units->nr, 1) };
	struct needles own = { .len = strlen(base) + 1, .v = (const u8 *)base, .nr = 1 };
	struct needles both[2] = { own, { .len = 4 } };
	struct offsets at = { 0 };

	debug_bytes_run(&s->bytes, s->bytes.file->elf, ".debug_line_str", &own, 1, add_offset, &at);
	both[1].v = debug_bytes_u32s(&s->bytes, at.v, at.nr);
	both[1].nr = at.nr;
	sort_by_key(&m, key_of_lines);
	debug_bytes_run(&s->bytes, s->bytes.file->elf, ".debug_line", both, 2, mark_by_key, &m);
	vec_release(&at);
	/* clang puts names of files into .debug_str in some modes: then the unit's own name decides */
	for (u32 i = 0; i < s->units->nr; i++) {
		const char *name = die_name(&s->units->v[i].die), *slash = name ? strrchr(name, '/') : NULL;

		if (name && !strcmp(slash ? slash + 1 : name, base))
			m.unit[i] = 1;
	}
	marks_finish(&m, ret);
}
