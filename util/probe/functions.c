/* Functions: walks the units that may contain a name, and collects code. */
#include "functions.h"

#include <errno.h>
#include <string.h>
#include "../base/strbuf.h"
#include "../base/units.h"
#include "debug-sections.h"
#include "function-copies.h"
#include "function-name.h"
#include "function-symbols.h"
#include "function-words.h"
#include "image-match.h"
#include "source-lines.h"
#include "source-path.h"
#include "../obj/demangle.h"

#define NEAR_BYTES (4u << 20)	/* of .debug_info that are read for a proposal */

struct walk {
	struct debug_file *d;
	struct debug_unit *unit;
	const char *query, *file;
	struct function_words words;	/* of the query */
	bool is_glob;
	struct function_set *set;	/* what was found */
	u64 addr;			/* of function_at() */
	bool by_addr;
	struct strbuf *near;		/* nearest name to the query so far */
	unsigned int near_distance;
	/*
	 * also inside types and functions: methods of local classes, nested functions. Definitions of other
	 * methods are outside of their classes, so most units are not read so deep
	 */
	bool deep;
	int depth;
	/* names of the namespaces and types around the entry, outermost first; NULL: it has none */
	const char *scope[DIE_DEPTH_MAX];
	/* declarations inside of them that match; definitions refer to them from elsewhere */
	struct { VEC(Dwarf_Die); } declared;
};

static bool walk_die(void *ctx, Dwarf_Die *die);

static void walk_children(struct walk *w, Dwarf_Die *die)
{
	if (w->depth >= DIE_DEPTH_MAX)
		return;
	w->scope[w->depth++] = die_name(die);
	die_children(die, walk_die, w);
	w->depth--;
}

/* functions that are local to a file have no linkage name: "(anonymous namespace)::f", a static "ns::f" */
static bool matches_scoped(const struct walk *w, const char *name)
{
	struct strbuf full = STRBUF_INIT;
	bool ok;

	for (int i = 0; i < w->depth; i++)
		strbuf_addf(&full, "%s::", w->scope[i] ? w->scope[i] : "(anonymous namespace)");
	strbuf_addstr(&full, name);
	ok = function_name_is_tail(strbuf_str(&full), w->query);
	strbuf_release(&full);
	return ok;
}

static bool is_declared(struct walk *w, Dwarf_Die *die)
{
	Dwarf_Die origin;

	die_origin(die, &origin);
	vec_foreach(&w->declared, d)
		if (die_same(&origin, d))
			return true;
	return false;
}

static void remember_declaration(struct walk *w, Dwarf_Die *die)
{
	const char *name = die_name(die);

	if (name && !w->by_addr && !w->is_glob && strstr(w->query, "::") && !die_linkage_name(die) &&
	    matches_scoped(w, name))
		vec_push(&w->declared, *die);
}

static bool matches(struct walk *w, Dwarf_Die *die, const char *name)
{
	const char *linkage = NULL;

	if (w->by_addr)
		return die_contains(die, w->addr);
	if (w->is_glob ? glob_match(w->query, name) : !strcmp(w->query, name))
		return true;
	/* names of C have no linkage name, so this is only asked for the others */
	linkage = die_linkage_name(die);
	if (!w->is_glob && linkage && !function_words_in(&w->words, linkage))
		return false;
	if (!w->is_glob)
		return function_name_matches(w->query, name, linkage) ||
		       (!linkage && strstr(w->query, "::") && (matches_scoped(w, name) || is_declared(w,
												      die)));
	return linkage && (glob_match(w->query, linkage) ||
			   (strstr(w->query, "::") && function_words_in(&w->words, linkage) &&
			    demangled_glob(w->query, linkage)));
}

static int nr_scopes(const char *name)
{
	int nr = 0;

	while ((name = demangled_inner(name)))
		nr++;
	return nr;
}

static void remember_near(struct walk *w, const char *name)
{
	size_t len = strlen(name), want = strlen(w->query);
	unsigned int distance;

	/* lengths that differ much are far */
	if (!w->near || w->is_glob || len > want + 1 + want / 3 || want > len + 1 + want / 3)
		return;
	distance = edit_distance(w->query, name);
	/* a symbol of the same name, without debug information, is not proposed */
	if (distance && distance < w->near_distance && distance <= 1 + strlen(w->query) / 3) {
		w->near_distance = distance;
		strbuf_reset(w->near);
		strbuf_addstr(w->near, name);
	}
}

/* a mangled name, without scopes that the query has not, either */
static void remember_near_mangled(struct walk *w, const char *name)
{
	struct strbuf out = STRBUF_INIT;

	if (demangle(name, &out)) {
		int more = -nr_scopes(w->query);

		name = demangled_plain(out.buf);
		for (more += nr_scopes(name); more > 0 && name; more--)
			name = demangled_inner(name);
		if (name)
			remember_near(w, name);
	}
	strbuf_release(&out);
}

static bool remember_near_symbol(void *ctx, const char *name, u64 addr UNUSED)
{
	struct walk *w = ctx;

	if (!mangled_prefix(name))
		remember_near(w, name);
	else if (strstr(w->query, "::"))
		remember_near_mangled(w, name);
	return true;
}

/* the function with that origin, if it was found before */
static struct function *known_function(struct walk *w, Dwarf_Die *origin)
{
	vec_foreach(w->set, f)
		if (die_same(origin, &f->origin))
			return f;
	return NULL;
}

static void found(struct walk *w, Dwarf_Die *die, const char *name)
{
	const char *file = NULL;
	struct function *f;
	Dwarf_Die origin;
	u32 line = 0;

	debug_unit_decl(w->unit, die, &file, &line);
	if (w->file && (!file || !unit_file_matches(w->unit, file, w->file)))
		return;
	die_origin(die, &origin);
	f = known_function(w, &origin);
	if (!f) {
		vec_push(w->set, (struct function){ .die = *die, .origin = origin, .unit = w->unit,
						    .name = name, .file = file, .line = line });
		f = &w->set->v[w->set->nr - 1];
	}
	function_add_code(f, w->unit, die, false);
}

static bool walk_die(void *ctx, Dwarf_Die *die)
{
	struct walk *w = ctx;
	const char *name;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		if (die_has(die, DW_AT_declaration)) {
			remember_declaration(w, die);
			break;
		}
		name = die_name(die);
		if (name && matches(w, die, name))
			found(w, die, name);
		else if (name)
			remember_near(w, name);
		if (w->deep)
			walk_children(w, die);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		if (w->deep)
			walk_children(w, die);
		break;
	case DW_TAG_namespace:
	case DW_TAG_module:
		walk_children(w, die);
		break;
	}
	return true;
}

static int by_entry(const void *pa, const void *pb)
{
	const struct function_code *a = pa, *b = pb;

	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

/* --- public */

static void walk_unit(struct walk *w, struct debug_unit *unit)
{
	w->unit = unit;
	die_children(&unit->info, walk_die, w);
	debug_unit_drop(&w->d->units, unit);
}

static void add_unit(struct debug_unit_set *units, u32 unit)
{
	vec_foreach(units, u)
		if (*u == unit)
			return;
	vec_push(units, unit);
}

/* functions that complete these declarations, and instances of those functions; false: read the unit */
static bool find_definitions(struct walk *w, u32 unit, struct debug_entries *declared)
{
	struct debug_entries found = { 0 };
	bool ok = true;

	w->unit = &w->d->units.v[unit];
	for (int level = 0; ok && level < 3 && declared->nr; level++) {
		ok = debug_search_instances(&w->d->search, w->unit, declared, &found);
		declared->nr = 0;
		vec_foreach(&found, e) {
			if (dwarf_tag(&e->die) != DW_TAG_subprogram || e->is_nested)
				continue;
			walk_die(w, &e->die);
			vec_push(declared, *e);
		}
		found.nr = 0;
	}
	vec_release(&found);
	return ok;
}

/*
 * A function of C is found by its own entry. Functions of other languages may be declared first; their
 * definitions refer to the declaration, which has the name. Units of functions that are named by their scopes
 * are read
 */
static void find_by_entries(struct walk *w, const struct debug_entries *entries, struct debug_unit_set *units,
			    bool by_reference)
{
	bool scoped = strstr(w->query, "::") != NULL;
	struct debug_entries declared = { 0 };

	for (size_t i = 0; i < entries->nr; i++) {
		struct debug_entry *e = &entries->v[i];
		struct debug_unit *unit = &w->d->units.v[e->unit];

		if (dwarf_tag(&e->die) == DW_TAG_subprogram && !scoped &&
		    (!die_has(&e->die, DW_AT_declaration) || debug_unit_is_c(unit))) {
			w->unit = unit;
			walk_die(w, &e->die);
		} else if (dwarf_tag(&e->die) == DW_TAG_subprogram) {
			vec_push(&declared, *e);
		}
		if (i + 1 < entries->nr && entries->v[i + 1].unit == e->unit)
			continue;
		if (declared.nr && (scoped || !by_reference || !find_definitions(w, e->unit, &declared)))
			add_unit(units, e->unit);
		declared.nr = 0;
	}
	vec_release(&declared);
}

/* near names: from the symbol table, and from as much debug information as is read quickly */
static void propose_near(struct walk *w, struct err *err)
{
	struct strbuf near = STRBUF_INIT;
	u64 bytes = 0;

	w->near = &near;
	w->near_distance = UINT32_MAX;
	debug_link_functions(&w->d->link, remember_near_symbol, w);
	for (size_t i = 0; i < w->d->units.nr && bytes < NEAR_BYTES; i++) {
		struct debug_unit *unit = &w->d->units.v[i];

		walk_unit(w, unit);
		bytes += unit->end != UINT64_MAX ? unit->end - unit->start : 0;
	}
	if (near.len)
		err_hint(err, "the nearest name is '%s'", strbuf_str(&near));
	w->near = NULL;
	strbuf_release(&near);
}

static void explain_absent(const struct debug_file *d, struct err *err)
{
	struct strbuf name = STRBUF_INIT;

	if (d->units.nr_absent) {
		strbuf_add_safe(&name, d->units.absent ? d->units.absent : "a .dwo file");
		err_hint(err, "%u of %zu units are split from it (-gsplit-dwarf), and neither their files "
			 "nor a package %s.dwp has them: %s", d->units.nr_absent, d->units.nr, d->file.target,
			 strbuf_str(&name));
	}
	strbuf_release(&name);
}

static int not_found(struct walk *w, struct err *err)
{
	struct function_set other = { 0 };

	if (!w->file) {
		err_set(err, -ENOENT, "function '%s' was not found in the debug information of %s", w->query,
			w->d->file.target);
		explain_absent(w->d, err);
		if (!w->is_glob)
			propose_near(w, err);
		return -ENOENT;
	}
	err_set(err, -ENOENT, "function '%s' was not found in a source file '%s' of %s", w->query, w->file,
		w->d->file.target);
	if (!functions_find(w->d, w->query, w->is_glob, NULL, true, &other, NULL))
		err_hint(err, "there is a function '%s' in %s", w->query,
			 other.v[0].file ? other.v[0].file : "another file");
	functions_release(&other);
	return -ENOENT;
}

bool function_at(struct debug_file *d, u64 svma, struct function *ret)
{
	struct function_set set = { 0 };
	struct walk w = { .d = d, .query = "", .set = &set, .addr = svma, .by_addr = true };
	struct debug_unit *unit = debug_units_at(&d->units, svma);

	if (!unit)
		return false;
	walk_unit(&w, unit);
	w.deep = true;
	if (!set.nr)
		walk_unit(&w, unit);
	if (!set.nr)
		return false;
	/* the innermost one is found last */
	*ret = set.v[set.nr - 1];
	set.nr--;
	functions_release(&set);
	return true;
}

/* --- by symbols */

/* adds the function whose code is at addr, if it is of that file */
static bool add_at(struct debug_file *d, u64 addr, const char *file, struct function_set *ret)
{
	struct function f;

	vec_foreach(ret, known)
		vec_foreach(&known->code, c)
			if (c->entry == addr)
				return true;
	if (!function_at(d, addr, &f))
		return false;
	if (file && (!f.file || !unit_file_matches(f.unit, f.file, file))) {
		vec_release(&f.code);
		return false;
	}
	f.code.nr = 0;
	vec_push(&f.code, (struct function_code){ f.die, f.unit, addr, false });
	vec_push(ret, f);
	return true;
}

/* adds functions that have their names in the symbol table; false: none */
static bool find_by_symbol(struct debug_file *d, const char *name, const char *file, struct function_set *ret)
{
	struct symbol_addresses addr = { 0 };
	bool found = false;

	function_symbols_named(&d->link, name, &addr);
	vec_foreach(&addr, a)
		found |= add_at(d, *a, file, ret);
	vec_release(&addr);
	return found;
}

/*
 * By symbols that match a glob, if the whole program is written in C: functions of other languages have names
 * that their symbols do not have. False: it is not, nothing was searched
 */
static bool find_by_glob_of_c(struct debug_file *d, const char *glob, const char *file,
			      struct function_set *ret)
{
	struct symbol_addresses addr = { 0 };

	vec_foreach(&d->units, u)
		if (dwarf_tag(&u->die) != DW_TAG_partial_unit && !debug_unit_is_c(u))
			return false;
	function_symbols_matching(&d->link, glob, &addr);
	vec_foreach(&addr, a)
		add_at(d, *a, file, ret);
	vec_release(&addr);
	return true;
}

/* --- by names */

/* in units that have the first nr_words words of the scope */
static bool find_by_name(struct walk *w, u32 nr_words)
{
	struct debug_unit_set units = { 0 };
	struct debug_entries entries = { 0 };
	char *word = function_search_word(w->query);

	debug_search_scoped(&w->d->search, word, w->words.v, nr_words, &units, &entries);
	find_by_entries(w, &entries, &units, true);
	if (!w->set->nr)
		find_by_entries(w, &entries, &units, false);
	for (int deep = 0; deep < 2 && (!w->set->nr || !deep); deep++) {
		w->deep = deep;
		vec_foreach(&units, u)
			walk_unit(w, &w->d->units.v[*u]);
	}
	vec_release(&units);
	vec_release(&entries);
	free(word);
	return w->set->nr > 0;
}

static void find_by_glob(struct walk *w)
{
	struct debug_unit_set units = { 0 };

	if (w->words.nr) {
		debug_search_scoped(&w->d->search, w->words.v[0], w->words.v + 1, w->words.nr - 1, &units,
					   NULL);
		vec_foreach(&units, u)
			walk_unit(w, &w->d->units.v[*u]);
		vec_release(&units);
	} else {
		for (size_t i = 0; i < w->d->units.nr; i++)
			walk_unit(w, &w->d->units.v[i]);
	}
}

static bool have_code(const struct function_set *set)
{
	vec_foreach(set, f)
		if (f->code.nr)
			return true;
	return false;
}

/* lambdas have no declaration: the line of their first statement is taken */
static void find_missing_lines(struct function_set *set)
{
	vec_foreach(set, f)
		if (!f->file && f->code.nr &&
		    !unit_line_at(f->unit, f->code.v[0].entry, true, &f->file, &f->line))
			f->file = NULL;
}

int functions_find(struct debug_file *d, const char *name, bool is_glob, const char *file, bool no_inlines,
		   struct function_set *ret, struct err *err)
{
	struct walk w = { .d = d, .query = name, .file = file, .is_glob = is_glob, .set = ret };

	function_words_parse(name, &d->search.bytes.mem, &w.words);
	if (is_glob && !find_by_glob_of_c(d, name, file, ret))
		find_by_glob(&w);
	else if (!is_glob && !find_by_name(&w, w.words.nr) && w.words.nr)
		find_by_name(&w, 0);
	vec_release(&w.declared);
	if (!ret->nr && !is_glob && find_by_symbol(d, name, file, ret)) {
		find_missing_lines(ret);
		return 0;
	}
	if (!ret->nr)
		return not_found(&w, err);
	find_missing_lines(ret);
	vec_foreach(ret, f) {
		/* a glob means functions, and not each place where a small one was inlined */
		if (!is_glob && !no_inlines)
			function_find_copies(d, f);
		else if (!f->code.nr)
			function_find_copies(d, f);
		if (is_glob || no_inlines) {
			size_t kept = 0;

			for (size_t i = 0; i < f->code.nr; i++)
				if (!f->code.v[i].is_inlined)
					f->code.v[kept++] = f->code.v[i];
			f->code.nr = kept;
		}
		if (f->code.nr)
			qsort(f->code.v, f->code.nr, sizeof(*f->code.v), by_entry);
	}
	/* a linker may merge equal functions: then only the symbol leads to the shared code */
	if (!is_glob && !have_code(ret))
		find_by_symbol(d, name, file, ret);
	return 0;
}
