/* Dwarf-types: the variables of functions and units, and where they are. */
#include "dwarf-types-private.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include "dwarf-expr.h"
#include "../base/search.h"

#define DEPTH_MAX 64		/* of nested blocks and inlined functions */
#define VARIABLES_MAX 65536u	/* rows of a function */
#define STATICS_MAX 1000000u	/* of a unit */
#define SYMBOLS_MAX 10000000

struct variable_reader {
	struct dwarf_types *d;
	struct dwarf_function *f;
	bool has_frame_base;
	struct dwarf_value frame_base;	/* a register or the canonical frame address */
};

static int reg(const struct dwarf_env *env UNUSED, u64 number, struct dwarf_value *ret)
{
	if (number > 31)
		return DWARF_NOT_KNOWN;
	*ret = (struct dwarf_value){ .base = DWARF_REGISTER, .reg = number };
	return DWARF_OK;
}

static int cfa(const struct dwarf_env *env UNUSED, struct dwarf_value *ret)
{
	ret->base = DWARF_FRAME;
	return DWARF_OK;
}

static int frame_base(const struct dwarf_env *env, struct dwarf_value *ret)
{
	const struct variable_reader *r = env->ctx;

	*ret = r->frame_base;
	return r->has_frame_base ? DWARF_OK : DWARF_NOT_KNOWN;
}

/* an address may be written for the offset in the block */
static int thread(const struct dwarf_env *env UNUSED, struct dwarf_value *v)
{
	if (v->base != DWARF_NUMBER && v->base != DWARF_STATIC)
		return DWARF_COMPUTED;
	v->base = DWARF_THREAD;
	return DWARF_OK;
}

/* what an expression says, if it is one thing; values are those of a register or in memory */
static bool read_piece(const struct variable_reader *r, Dwarf_Attribute *attr, const Dwarf_Op *op, size_t nr,
		       struct dwarf_piece *ret)
{
	const struct dwarf_env env = { .ctx = (void *)r, .reg = reg, .cfa = cfa, .frame_base = frame_base,
				       .thread = thread, .number = dwarf_operand_number, .attr = attr };
	struct dwarf_location l;

	if (dwarf_evaluate(&env, op, nr, &l) || l.nr != 1 || l.piece[0].size)
		return false;
	*ret = l.piece[0];
	return true;
}

static bool read_place(const struct variable_reader *r, Dwarf_Attribute *attr, const Dwarf_Op *op, size_t nr,
		       struct variable *v)
{
	static const s8 places[] = {
		[DWARF_NUMBER] = -1, [DWARF_REGISTER] = PLACE_MEMORY, [DWARF_FRAME] = PLACE_FRAME,
		[DWARF_STATIC] = PLACE_STATIC, [DWARF_THREAD] = -1, [DWARF_TEXT] = -1,
	};
	struct dwarf_piece p;

	if (!read_piece(r, attr, op, nr, &p) || places[p.value.base] < 0 ||
	    (!p.is_memory && p.value.base != DWARF_REGISTER))
		return false;
	*v = (struct variable){ .place = p.is_memory ? places[p.value.base] : PLACE_VALUE,
				.reg = p.value.reg, .off = p.value.off };
	return true;
}

static void read_frame_base(struct variable_reader *r, Dwarf_Die *func)
{
	struct dwarf_piece p;
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t nr;

	if (!dwarf_attr_integrate(func, DW_AT_frame_base, &attr) || dwarf_getlocation(&attr, &op, &nr) ||
	    !read_piece(r, &attr, op, nr, &p))
		return;
	/* a register as frame base: the base is its value */
	r->frame_base = p.value;
	r->has_frame_base = p.value.base == DWARF_REGISTER || p.value.base == DWARF_FRAME;
}

/* in the span, as far as the scope has code there; scope NULL: all of it */
static void add_variable(struct variable_reader *r, struct variable v, Dwarf_Die *scope)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t pos = 0;
	bool any = false;

	while (scope && r->f->variable.nr < VARIABLES_MAX &&
	       (pos = dwarf_ranges(scope, pos, &base, &start, &end)) > 0) {
		struct variable part = v;

		any = true;
		part.start = MAX(v.start, start);
		part.end = MIN(v.end, end);
		if (part.start < part.end)
			vec_push(&r->f->variable, part);
	}
	if (!any && v.start < v.end && r->f->variable.nr < VARIABLES_MAX)
		vec_push(&r->f->variable, v);
}

static void read_variable(struct variable_reader *r, Dwarf_Die *die, Dwarf_Die *scope)
{
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	struct variable v;
	ptrdiff_t pos = 0;
	Dwarf_Die type;
	Dwarf_Op *op;
	size_t nr;
	u32 number;

	if (!type_of_die(die, &type) || !dwarf_attr(die, DW_AT_location, &attr))
		return;
	number = type_intern(r->d, &type);
	while (r->f->variable.nr < VARIABLES_MAX &&
	       (pos = dwarf_getlocations(&attr, pos, &base, &start, &end, &op, &nr)) > 0) {
		if (!read_place(r, &attr, op, nr, &v))
			continue;
		v.type = number;
		v.start = start;
		v.end = end;
		v.fixed = !start && end == UINT64_MAX;
		add_variable(r, v, scope);
	}
}

static void read_scope(struct variable_reader *r, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(scope, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			read_variable(r, &die, scope);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			read_scope(r, &die, depth + 1);
			break;
		}
	} while (r->f->variable.nr < VARIABLES_MAX && dwarf_siblingof(&die, &die) == 0);
}

static bool is_c(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (!dwarf_attr(unit, DW_AT_language, &attr) || dwarf_formudata(&attr, &v))
		return false;
	return v == DW_LANG_C || v == DW_LANG_C89 || v == DW_LANG_C99 || v == DW_LANG_C11;
}

/* DWARF 5, 2.17 and 2.18: of code in several parts it is the beginning of the first in the list */
static u64 entry_of(Dwarf_Die *func)
{
	Dwarf_Addr base, start, end;

	if (!dwarf_entrypc(func, &start) || dwarf_ranges(func, 0, &base, &start, &end) > 0)
		return start;
	return UINT64_MAX;
}

bool dwarf_function_read(struct dwarf_types *d, u64 svma, struct dwarf_function *ret)
{
	struct variable_reader r = { .d = d, .f = ret };
	Dwarf_Addr base, start, end;
	Dwarf_Die unit, func;
	ptrdiff_t pos = 0;

	*ret = (struct dwarf_function){ 0 };
	if (!dwarf_lines_function(d->lines, svma, &ret->unit, &unit, &func))
		return false;
	while ((pos = dwarf_ranges(&func, pos, &base, &start, &end)) > 0)
		vec_push(&ret->range, (struct code_span){ start, end });
	ret->entry = entry_of(&func);
	ret->unwinds = !is_c(&unit);
	read_frame_base(&r, &func);
	read_scope(&r, &func, 0);
	return true;
}

void dwarf_function_release(struct dwarf_function *f)
{
	vec_release(&f->range);
	vec_release(&f->variable);
}

static void read_static(struct dwarf_types *d, struct types_unit *u, Dwarf_Die *die)
{
	struct static_variable s = { .name = dwarf_diename(die) };
	const struct variable_reader none = { .d = d };
	struct dwarf_piece p;
	Dwarf_Attribute attr;
	Dwarf_Die type;
	Dwarf_Op *op;
	size_t nr;

	if (!type_of_die(die, &type))
		return;
	s.type = type_intern(d, &type);
	if (dwarf_attr(die, DW_AT_location, &attr) && dwarf_getlocation(&attr, &op, &nr) == 0) {
		/* a definition elsewhere than in memory is not of use */
		if (!read_piece(&none, &attr, op, nr, &p) || !p.is_memory ||
		    (p.value.base != DWARF_STATIC && p.value.base != DWARF_THREAD))
			return;
		s.thread = p.value.base == DWARF_THREAD;
		s.start = p.value.off;
		s.size = dwarf_type_info(d, s.type).size;
	}
	vec_push(&u->statics, s);
}

static void read_statics(struct dwarf_types *d, struct types_unit *u, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_variable)
			read_static(d, u, &die);
		else if (dwarf_tag(&die) == DW_TAG_namespace)
			read_statics(d, u, &die, depth + 1);
	} while (u->statics.nr < STATICS_MAX && dwarf_siblingof(&die, &die) == 0);
}

static const struct types_unit *unit_of(struct dwarf_types *d, u64 unit)
{
	struct types_unit *u;
	Dwarf_Die die;
	u32 k;

	HIDX_FOREACH(&d->by_unit, hash_u64(unit), k)
		if (d->unit.v[k].number == unit)
			return &d->unit.v[k];
	hidx_insert(&d->by_unit, hash_u64(unit), d->unit.nr);
	u = vec_add(&d->unit);
	u->number = unit;
	if (dwarf_lines_unit(d->lines, unit, &die))
		read_statics(d, u, &die, 0);
	return u;
}

/* the innermost variable of the function itself, which the address is in */
static u32 static_of_function(struct dwarf_types *d, const struct dwarf_function *f, u64 svma, s64 *ret_off)
{
	vec_foreach(&f->variable, v) {
		u64 start = v->off;

		if (v->place != PLACE_STATIC || svma < start ||
		    svma - start >= dwarf_type_info(d, v->type).size)
			continue;
		*ret_off = svma - start;
		return v->type;
	}
	return TYPE_NONE;
}

static int by_address(const void *x, const void *y)
{
	const struct data_symbol *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void add_symbols(struct dwarf_types *d, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym sym;

	for (int i = 0; data && i < SYMBOLS_MAX && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(elf, sh->sh_link, sym.st_name);

		if (GELF_ST_TYPE(sym.st_info) == STT_OBJECT && sym.st_size &&
		    sym.st_shndx != SHN_UNDEF && name)
			vec_push(&d->symbol, (struct data_symbol){ sym.st_value, sym.st_size, name });
	}
}

static void load_symbols(struct dwarf_types *d)
{
	Elf *elf = dwarf_lines_elf(d->lines);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	d->has_symbols = true;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			add_symbols(d, elf, scn, &sh);
	if (d->symbol.nr)
		qsort(d->symbol.v, d->symbol.nr, sizeof(*d->symbol.v), by_address);
}

/* the last symbol that does not begin after the address; d->symbol.nr: none */
static size_t symbol_before(const struct dwarf_types *d, u64 svma)
{
	size_t lo = LOWER_BOUND(d->symbol.nr, i, d->symbol.v[i].start <= svma);

	return lo ? lo - 1 : d->symbol.nr;
}

/* a variable that the unit only declares: one of the names of the symbol there */
static u32 declared_static(struct dwarf_types *d, const struct types_unit *u, u64 svma, s64 *ret_off)
{
	size_t i;

	if (!d->has_symbols)
		load_symbols(d);
	i = symbol_before(d, svma);
	if (i == d->symbol.nr)
		return TYPE_NONE;
	for (u64 start = d->symbol.v[i].start; d->symbol.v[i].start == start; i--) {
		const struct data_symbol *sym = &d->symbol.v[i];

		vec_foreach(&u->statics, s)
			if (svma - start < sym->size && !s->size && s->name && !strcmp(s->name, sym->name)) {
				*ret_off = svma - start;
				return s->type;
			}
		if (!i)
			break;
	}
	return TYPE_NONE;
}

u32 dwarf_types_static(struct dwarf_types *d, const struct dwarf_function *f, u64 svma, s64 *ret_off)
{
	u32 ret = static_of_function(d, f, svma, ret_off);
	const struct types_unit *u;

	if (ret)
		return ret;
	u = unit_of(d, f->unit);
	vec_foreach(&u->statics, s)
		if (s->size && !s->thread && svma >= s->start && svma - s->start < s->size) {
			*ret_off = svma - s->start;
			return s->type;
		}
	return declared_static(d, u, svma, ret_off);
}

/* the size of the program's block of thread-local variables, up to the thread pointer; 0: it has none */
static u64 thread_block_size(Elf *elf)
{
	GElf_Phdr ph;
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return 0;
	for (size_t i = 0; i < nr && gelf_getphdr(elf, i, &ph); i++)
		if (ph.p_type == PT_TLS && ph.p_memsz < INT32_MAX && ph.p_align < INT32_MAX)
			return ALIGN_UP(ph.p_memsz, MAX(ph.p_align, (u64)1));
	return 0;
}

u32 dwarf_types_thread(struct dwarf_types *d, const struct dwarf_function *f, s64 distance, s64 *ret_off)
{
	u64 at = thread_block_size(dwarf_lines_elf(d->lines)) + (u64)distance;
	const struct types_unit *u = unit_of(d, f->unit);

	vec_foreach(&u->statics, s)
		if (s->thread && s->size && at >= s->start && at - s->start < s->size) {
			*ret_off = at - s->start;
			return s->type;
		}
	return TYPE_NONE;
}

u32 dwarf_types_returned(struct dwarf_types *d, u64 entry)
{
	Dwarf_Die info, func, type;
	u64 unit;

	if (!dwarf_lines_function(d->lines, entry, &unit, &info, &func) || entry_of(&func) != entry ||
	    !type_of_die(&func, &type))
		return TYPE_NONE;
	return type_intern(d, &type);
}
