/*
 * Debug-search: which units are concerned, found by bytes. A name in .debug_str is referred to by its offset,
 * in the unit itself (DW_FORM_strp) or in its part of .debug_str_offsets; short names are in the unit as they
 * are. Bytes that only look like such a reference cost time, never an answer: the unit is then read in vain.
 * Sections are read in windows, not mapped, so that a search needs little memory.
 */
#include "debug-file.h"

#include <string.h>
#include <unistd.h>
#include "../base/log.h"

#define WINDOW (256u << 10)	/* fits into the second-level cache */
#define NAME_DISTANCE 64	/* bytes from the start of an entry to its name, at most */
#define WORDS_MAX 4096		/* strings that begin with a word; if there are more, every unit is read */

typedef bool hit_fn(void *ctx, u64 off);	/* false: the search may stop */

struct section {
	u64 off, size;
	const u8 *data;		/* unpacked bytes; NULL: they are in the file */
};

static Elf_Scn *section_by_name(Elf *elf, const char *name, GElf_Shdr *sh, bool *packed)
{
	size_t names;
	Elf_Scn *scn = NULL;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *s = gelf_getshdr(scn, sh) ? elf_strptr(elf, names, sh->sh_name) : NULL;

		if (!s || sh->sh_type == SHT_NOBITS)
			continue;
		*packed = !strncmp(s, ".zdebug", 7) && !strcmp(s + 2, name + 1);
		if (*packed || !strcmp(s, name)) {
			*packed |= (sh->sh_flags & SHF_COMPRESSED) != 0;
			return scn;
		}
	}
	return NULL;
}

/* libdw unpacks sections in place and changes their headers: d->debug has the headers of the file */
static bool find_section(struct debug_file *d, Elf *elf, const char *name, struct section *ret)
{
	bool packed;
	GElf_Shdr sh;
	Elf_Scn *scn;
	Elf_Data *data;

	if (elf == d->elf) {
		if (!section_by_name(d->debug->elf, name, &sh, &packed))
			return false;
		*ret = (struct section){ .off = sh.sh_offset, .size = sh.sh_size };
		if (!packed)
			return true;
	}
	scn = section_by_name(elf, name, &sh, &packed);
	data = scn ? elf_rawdata(scn, NULL) : NULL;
	if (!data || !data->d_buf)
		return false;
	*ret = (struct section){ .data = data->d_buf, .size = data->d_size };
	return true;
}

/* what is searched for: one or more strings of bytes of one length, from 2 on */
struct needles {
	size_t len;
	const u8 *v;		/* one after another */
	size_t nr;
	const char *ends;	/* one of these bytes must follow, the NUL among them; NULL: any */
	u8 *first;		/* bit per value of the first two bytes; if there are several */
};

static bool accept(const struct needles *n, const u8 *at, const u8 *needle, const u8 *end)
{
	if (at + n->len > end || memcmp(at, needle, n->len))
		return false;
	return !n->ends || (at + n->len < end && strchr(n->ends, at[n->len]));
}

#define VECTOR 16
typedef u8 bytes_vector __attribute__((vector_size(VECTOR)));
typedef u64 words_vector __attribute__((vector_size(VECTOR)));

/* the next place from at on with these two bytes, or end; reads 16 places at a time */
static const u8 *find_pair(const u8 *at, const u8 *end, u8 one, u8 two)
{
	bytes_vector ones, twos, a, b;

	memset(&ones, one, VECTOR);
	memset(&twos, two, VECTOR);
	for (; end - at > VECTOR; at += VECTOR) {
		words_vector hit;

		memcpy(&a, at, VECTOR);
		memcpy(&b, at + 1, VECTOR);
		hit = (words_vector)((a == ones) & (b == twos));
		if (likely(!(hit[0] | hit[1])))
			continue;
		while (at[0] != one || at[1] != two)
			at++;
		return at;
	}
	for (; end - at >= 2; at++)
		if (at[0] == one && at[1] == two)
			return at;
	return end;
}

static bool search_bytes(const struct needles *n, const u8 *p, size_t len, u64 base, hit_fn *hit, void *ctx)
{
	const u8 *at = p, *end = p + len;

	if (n->nr == 1) {
		for (; (at = find_pair(at, end, n->v[0], n->v[1])) < end; at++)
			if (accept(n, at, n->v, end) && !hit(ctx, base + (at - p)))
				return false;
		return true;
	}
	for (; at + n->len <= end; at++) {
		unsigned int two = at[0] | at[1] << 8;

		if (likely(!(n->first[two >> 3] >> (two & 7) & 1)))
			continue;
		for (size_t i = 0; i < n->nr; i++)
			if (accept(n, at, n->v + i * n->len, end) && !hit(ctx, base + (at - p)))
				return false;
	}
	return true;
}

/* a window overlaps the next one by what a needle may reach beyond its first byte */
static void search(struct debug_file *d, Elf *elf, const char *name, struct needles *n, hit_fn *hit,
		   void *ctx)
{
	size_t overlap = n->len + (n->ends != NULL) - 1;
	struct section s;
	u8 *buf;

	if (!n->nr || n->len < 2 || overlap >= WINDOW || !find_section(d, elf, name, &s))
		return;
	if (n->nr > 1 && !n->first) {
		n->first = arena_zalloc(&d->mem, 65536 / 8);
		for (size_t i = 0; i < n->nr; i++) {
			unsigned int two = n->v[i * n->len] | n->v[i * n->len + 1] << 8;

			n->first[two >> 3] |= 1 << (two & 7);
		}
	}
	if (s.data) {
		search_bytes(n, s.data, s.size, 0, hit, ctx);
		return;
	}
	buf = xmalloc(WINDOW);
	for (u64 pos = 0; pos < s.size; pos += WINDOW - overlap) {
		ssize_t len = pread(d->fd, buf, MIN((u64)WINDOW, s.size - pos), s.off + pos);

		if (len <= 0 || !search_bytes(n, buf, len, pos, hit, ctx) || len < WINDOW)
			break;
	}
	free(buf);
}

/* --- what was found */

struct offsets {
	VEC(u32);
};

static bool add_offset(void *ctx, u64 off)
{
	struct offsets *o = ctx;

	vec_push(o, off);
	return o->nr < WORDS_MAX && off <= UINT32_MAX;
}

/* the offsets as bytes of the file */
static u8 *offset_bytes(struct debug_file *d, const struct offsets *o)
{
	u8 *bytes = arena_alloc(&d->mem, MAX(o->nr, (size_t)1) * 4);

	for (size_t i = 0; i < o->nr; i++)
		for (int k = 0; k < 4; k++)
			bytes[i * 4 + k] = o->v[i] >> (d->is_big_endian ? 24 - 8 * k : 8 * k);
	return bytes;
}

struct marks {
	struct debug_file *d;
	u8 *unit;	/* 1: concerned */
	struct debug_entries *entries;	/* NULL: only units are asked for */
	u64 (*key)(const struct debug_unit *u);
	u32 *order;	/* units by key */
	size_t nr;
};

static struct debug_unit *unit_of_offset(struct debug_file *d, u64 off)
{
	size_t lo = 0, hi = d->unit.nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->unit.v[mid].start <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &d->unit.v[lo - 1] : NULL;
}

static bool mark_unit(void *ctx, u64 off)
{
	struct marks *m = ctx;
	struct debug_unit *unit = unit_of_offset(m->d, off);

	if (unit)
		m->unit[unit - m->d->unit.v] = 1;
	return true;
}

/* whether an entry of the unit really begins there: its siblings and parents lead to it */
static bool is_entry(struct debug_unit *unit, Dwarf_Die *die)
{
	Dwarf_Off want = dwarf_dieoffset(die), off;
	Dwarf_Die at, next;
	int depth = 0;

	if (dwarf_child(&unit->die, &at))
		return want == unit->start;
	while ((off = dwarf_dieoffset(&at)) < want) {
		if (dwarf_siblingof(&at, &next) == 0 && dwarf_dieoffset(&next) <= want) {
			if (dwarf_dieoffset(&next) <= off)
				return false;
			at = next;
		} else if (depth++ == DIE_DEPTH_MAX || dwarf_child(&at, &next)) {
			return false;
		} else {
			at = next;
		}
	}
	return off == want;
}

/*
 * The entry that has its name in these bytes. It begins a little before: its abbreviation, and perhaps
 * attributes of a fixed size, precede the name. Other bytes can look like that, too
 */
static bool entry_named_at(struct debug_unit *unit, struct debug_file *d, u64 off, Dwarf_Die *ret)
{
	const u8 *at = (const u8 *)unit->die.addr + (off - unit->start);
	Dwarf_Attribute a;

	for (u64 back = 1; back <= NAME_DISTANCE && off - back >= unit->start; back++) {
		bool named;

		if (!dwarf_offdie(d->dw, off - back, ret) || dwarf_tag(ret) == DW_TAG_invalid)
			continue;
		named = (dwarf_attr(ret, DW_AT_name, &a) && a.valp == at) ||
			(dwarf_attr(ret, DW_AT_linkage_name, &a) && a.valp == at) ||
			(dwarf_attr(ret, DW_AT_MIPS_linkage_name, &a) && a.valp == at);
		if (named && is_entry(unit, ret))
			return true;
	}
	return false;
}

/* only bytes that are a name: small offsets are also numbers of lines, and whatever else */
static bool mark_named(void *ctx, u64 off)
{
	struct marks *m = ctx;
	struct debug_unit *unit = unit_of_offset(m->d, off);
	struct debug_entry e;

	if (!unit || off >= unit->end || (!m->entries && m->unit[unit - m->d->unit.v]))
		return true;
	e.unit = unit - m->d->unit.v;
	if (!entry_named_at(unit, m->d, off, &e.die))
		return true;
	if (m->entries)
		vec_push(m->entries, e);
	else
		m->unit[e.unit] = 1;
	return true;
}

/* units whose part of another section begins at key: the last one that begins at or before the offset */
static bool mark_by_key(void *ctx, u64 off)
{
	struct marks *m = ctx;
	size_t lo = 0, hi = m->nr;
	u64 key;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->key(&m->d->unit.v[m->order[mid]]) <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return true;
	key = m->key(&m->d->unit.v[m->order[lo - 1]]);
	/* partial units share the line table of others */
	for (; lo && m->key(&m->d->unit.v[m->order[lo - 1]]) == key; lo--)
		m->unit[m->order[lo - 1]] = 1;
	return true;
}

static u64 key_of_strings(const struct debug_unit *u)
{
	return u->has_str_offsets ? u->str_offsets : UINT64_MAX;
}

static u64 key_of_lines(const struct debug_unit *u)
{
	return u->line;
}

static int compare_by_key(const void *pa, const void *pb, void *ctx)
{
	const struct marks *m = ctx;
	u64 a = m->key(&m->d->unit.v[*(const u32 *)pa]), b = m->key(&m->d->unit.v[*(const u32 *)pb]);

	return a < b ? -1 : a > b;
}

static void sort_by_key(struct marks *m, u64 (*key)(const struct debug_unit *u))
{
	m->key = key;
	m->nr = 0;
	if (!m->order)
		m->order = xcalloc(m->d->unit.nr, sizeof(*m->order));
	for (u32 i = 0; i < m->d->unit.nr; i++)
		if (key(&m->d->unit.v[i]) != UINT64_MAX)
			m->order[m->nr++] = i;
	qsort_r(m->order, m->nr, sizeof(*m->order), compare_by_key, m);
}

static void marks_finish(struct marks *m, struct debug_unit_set *ret)
{
	for (u32 i = 0; i < m->d->unit.nr; i++)
		if (m->unit[i])
			vec_push(ret, i);
	free(m->unit);
	free(m->order);
}

/* all places in a section of strings where a string is word, or begins with it and '<', or ends so */
static void find_strings(struct debug_file *d, Elf *elf, const char *section, const char *word,
			 struct offsets *ret)
{
	/* a string of one letter is its own end: the NUL belongs to it */
	size_t len = strlen(word);
	struct needles n = { .len = MAX(len, (size_t)2), .v = (const u8 *)word, .nr = 1 };

	if (len > 1)
		n.ends = "<";
	search(d, elf, section, &n, add_offset, ret);
}

static void mark_name(struct debug_file *d, struct marks *m, const char *word)
{
	size_t len = strlen(word);
	struct needles own = { .len = MAX(len, (size_t)2), .v = (const u8 *)word, .nr = 1 };
	struct needles refs = { .len = 4 };
	struct offsets at = { 0 };
	Dwarf *alt = dwarf_getalt(d->dw);

	find_strings(d, d->elf, ".debug_str", word, &at);
	if (alt)
		find_strings(d, dwarf_getelf(alt), ".debug_str", word, &at);
	refs.v = offset_bytes(d, &at);
	refs.nr = at.nr;
	if (at.nr >= WORDS_MAX) {
		memset(m->unit, 1, d->unit.nr);
	} else {
		search(d, d->elf, ".debug_info", &refs, mark_named, m);
		sort_by_key(m, key_of_strings);
		if (m->nr)
			search(d, d->elf, ".debug_str_offsets", &refs, mark_by_key, m);
		search(d, d->elf, ".debug_info", &own, mark_named, m);
	}
	vec_release(&at);
}

void debug_file_units_of_name(struct debug_file *d, const char *word, struct debug_unit_set *ret,
			      struct debug_entries *ret_entries)
{
	struct marks m = { .d = d, .unit = xcalloc(d->unit.nr, 1), .entries = ret_entries };

	if (*word)
		mark_name(d, &m, word);
	for (u32 i = 0; i < d->unit.nr; i++)
		m.unit[i] |= d->unit.v[i].is_split;	/* its names are in another file */
	marks_finish(&m, ret);
	log_v("'%s' may be in %zu of %zu units of debug information, and names %zu entries", word, ret->nr,
	      d->unit.nr, ret_entries ? ret_entries->nr : 0);
}

static bool stop_at_first(void *ctx, u64 off)
{
	*(bool *)ctx = true;
	return false;
}

/*
 * only links at once of several units (LTO) and compressors (dwz) make references from unit to unit: then an
 * abbreviation has the attribute with that form
 */
static bool has_foreign_origins(struct debug_file *d)
{
	static const u8 origin[] = { DW_AT_abstract_origin, DW_FORM_ref_addr };
	struct needles n = { .len = 2, .v = origin, .nr = 1 };

	if (!d->origins_searched) {
		d->origins_searched = true;
		search(d, d->elf, ".debug_abbrev", &n, stop_at_first, &d->has_foreign_origins);
	}
	return d->has_foreign_origins;
}

void debug_file_units_of_origin(struct debug_file *d, u64 die, struct debug_unit_set *ret)
{
	struct marks m = { .d = d, .unit = xcalloc(d->unit.nr, 1) };
	struct offsets at = { 0 };
	struct needles n = { .len = 4, .nr = 1 };

	if (die <= UINT32_MAX && has_foreign_origins(d)) {
		vec_push(&at, die);
		n.v = offset_bytes(d, &at);
		search(d, d->elf, ".debug_info", &n, mark_unit, &m);
	}
	vec_release(&at);
	marks_finish(&m, ret);
}

void debug_file_units_of_file(struct debug_file *d, const char *base, struct debug_unit_set *ret)
{
	struct marks m = { .d = d, .unit = xcalloc(d->unit.nr, 1) };
	struct needles own = { .len = strlen(base) + 1, .v = (const u8 *)base, .nr = 1 };
	struct needles refs = { .len = 4 };
	struct offsets at = { 0 };

	search(d, d->elf, ".debug_line_str", &own, add_offset, &at);
	refs.v = offset_bytes(d, &at);
	refs.nr = at.nr;
	sort_by_key(&m, key_of_lines);
	search(d, d->elf, ".debug_line", &refs, mark_by_key, &m);
	search(d, d->elf, ".debug_line", &own, mark_by_key, &m);
	vec_release(&at);
	/* clang puts names of files into .debug_str in some modes: then the unit's own name decides */
	for (u32 i = 0; i < d->unit.nr; i++) {
		const char *name = die_name(&d->unit.v[i].die), *slash = name ? strrchr(name, '/') : NULL;

		if (name && !strcmp(slash ? slash + 1 : name, base))
			m.unit[i] = 1;
	}
	marks_finish(&m, ret);
}
