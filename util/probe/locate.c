/* Locate: answers location expressions from the file: registers, frames, static addresses. */
#include "locate.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "../../arch/arch.h"
#include "point.h"
#include "register.h"
#include "source-lines.h"

struct location_source {
	struct location_env env;
	struct variable_place *f;
};

static struct location_source *source_of(const struct dwarf_env *env)
{
	return ((struct location_env *)env->ctx)->ctx;
}

static const char *reg_name(void *ctx, unsigned int dwarf)
{
	struct location_source *l = ctx;
	const struct arch *a = l->f->d->file.arch;
	const char *name;
	char buf[16];

	if (!a)
		return NULL;
	if (a->dwarf_high && dwarf == a->dwarf_high)
		dwarf = ARCH_DWARF_REGS - 1;
	for (u32 i = 0; i < a->nr_regs; i++) {
		if (!*a->reg[i].name || a->reg[i].dwarf[l->f->d->file.is64] != dwarf)
			continue;
		/* registers of floating-point numbers are not in a probe's registers */
		if (!strncmp(a->reg[i].name, "FP", 2) && isdigit((u8)a->reg[i].name[2]))
			return NULL;
		name = probe_register(a, l->f->d->file.is64, a->reg[i].name, buf);
		return name ? arena_strdup(l->env.mem, name) : NULL;
	}
	return NULL;
}

static int cfa(const struct dwarf_env *env, struct dwarf_value *ret)
{
	struct location_source *l = source_of(env);
	unsigned int reg;
	const char *name;
	s64 off;

	if (!debug_link_cfa(&l->f->d->link, l->f->chain.addr, &reg, &off)) {
		l->env.code = err_set(l->env.err, -EOPNOTSUPP, "it is in the stack frame, and there are no "
				      "frame rules for this address");
		return DWARF_DESCRIBED;
	}
	name = reg_name(l, reg);
	if (!name) {
		l->env.code = err_set(l->env.err, -EOPNOTSUPP, "it is in the stack frame, whose register a "
				      "probe cannot read");
		return DWARF_DESCRIBED;
	}
	*ret = location_register(&l->env, name);
	ret->off = off;
	return DWARF_OK;
}

static int frame_base(const struct dwarf_env *env, struct dwarf_value *ret)
{
	struct location_source *l = source_of(env);
	struct dwarf_env inner = *env;
	struct scope_chain *c = &l->f->chain;
	Dwarf_Attribute attr;
	struct dwarf_location loc;
	Dwarf_Op *ops;
	size_t nr;
	int failure;

	/* the function that has a frame: not an inlined copy */
	if (!c->nr || !dwarf_attr_integrate(&c->v[0].die, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, c->addr, &ops, &nr, 1) != 1) {
		l->env.code = err_set(l->env.err, -EOPNOTSUPP, "it is in the stack frame, whose place is not "
				      "known here");
		return DWARF_DESCRIBED;
	}
	inner.attr = &attr;
	inner.frame_base = NULL;	/* a frame base that refers to itself would never end */
	failure = dwarf_evaluate(&inner, ops, nr, &loc);
	/* DW_OP_reg as a frame base means its value; a location in memory means the address */
	if (!failure)
		*ret = loc.piece[0].value;
	return failure;
}

/*
 * Programs are mapped anywhere, but in one piece: uprobes find a variable from the address of the probe and
 * the distance in the file (@+OFFSET assumes one piece). The kernel has its own names.
 */
static const char *load_static(void *ctx, u64 svma)
{
	struct location_source *l = ctx;
	const struct symbol *sym;
	char text[256];
	int len;

	if (!l->f->d->file.is_kernel) {
		len = snprintf(text, sizeof(text), "@+0x%llx",
			       (unsigned long long)(svma - l->f->chain.addr + l->f->off));
	} else {
		sym = debug_link_symbol(&l->f->d->link, svma);
		if (!sym)
			return NULL;
		len = snprintf(text, sizeof(text), "@%s+%llu", sym->name,
			       (unsigned long long)(svma - sym->start));
	}
	return len < (int)sizeof(text) ? arena_strdup(l->env.mem, text) : NULL;
}

/* the environment refers to l */
static void source_init(struct location_source *l, struct variable_place *f, struct arena *mem,
			struct err *err)
{
	*l = (struct location_source){ .f = f };
	l->env = (struct location_env){
		.dwarf = { .cfa = cfa, .frame_base = frame_base, .number = dwarf_operand_number,
			   .expr = dwarf_operand_expr, .at_entry = f->chain.addr == f->entry,
			   .is_big_endian = f->d->file.is_big_endian },
		.ctx = l, .reg = reg_name, .load_static = load_static, .mem = mem, .err = err,
	};
}

const char *variable_load(struct variable_place *f, const struct dwarf_value *v, struct arena *mem)
{
	struct location_source l;

	source_init(&l, f, mem, NULL);
	return location_load(&l.env, v);
}

static bool constant(struct variable_place *f, Dwarf_Die *var, struct dwarf_location *ret)
{
	Dwarf_Attribute a;
	Dwarf_Block block;
	Dwarf_Word u;
	Dwarf_Sword s;
	u64 v;

	if (!dwarf_attr_integrate(var, DW_AT_const_value, &a))
		return false;
	if (dwarf_whatform(&a) == DW_FORM_sdata && !dwarf_formsdata(&a, &s))
		v = s;
	else if (!dwarf_formudata(&a, &u))
		v = u;
	else if (dwarf_formblock(&a, &block) || !dwarf_block_number(&block, f->d->file.is_big_endian, &v))
		return false;
	ret->nr = 1;
	ret->piece[0] = (struct dwarf_piece){ .value.off = v };
	return true;
}

int variable_locate(struct variable_place *f, Dwarf_Die *var, struct dwarf_location *ret, struct arena *mem,
		    struct err *err)
{
	struct location_source l;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	*ret = (struct dwarf_location){ .nr = 0 };
	if (constant(f, var, ret))
		return 0;
	if (!dwarf_attr_integrate(var, DW_AT_location, &attr))
		return err_set(err, -ENODATA, "it was optimised out");
	if (dwarf_getlocation_addr(&attr, f->chain.addr, &ops, &nr, 1) != 1 || !nr)
		return err_set(err, -ENODATA, "its value is not kept there");
	source_init(&l, f, mem, err);
	l.env.dwarf.attr = &attr;
	return location_evaluate(&l.env, ops, nr, ret);
}

/* --- where else */

struct spots {
	u32 line[4];
	u32 nr;
};

static void add_spot(struct spots *s, u32 line)
{
	for (u32 i = 0; i < s->nr; i++)
		if (s->line[i] == line)
			return;
	if (s->nr < ARRAY_SIZE(s->line))
		s->line[s->nr++] = line;
}

/* whether the name means this variable there: its block contains the address */
static bool is_visible_at(struct variable_place *f, Dwarf_Die *var, u64 addr)
{
	const char *name = die_name(var);
	struct scope_chain chain = { .addr = addr };
	Dwarf_Die found;
	bool ok = false;

	if (name && scopes_at(&f->d->units, f->chain.unit, addr, &chain)) {
		scopes_set_home(&chain, &f->function);
		ok = scopes_find(&chain, name, &found) &&
		     dwarf_dieoffset(&found) == dwarf_dieoffset(var);
	}
	scopes_release(&chain);
	return ok;
}

static bool is_available_at(struct variable_place *f, Dwarf_Die *var, u64 addr)
{
	struct variable_place there = *f;
	struct arena mem = { 0 };
	struct dwarf_location loc;
	bool ok;

	if (!is_visible_at(f, var, addr))
		return false;
	there.chain.addr = addr;
	ok = !variable_locate(&there, var, &loc, &mem, NULL);
	arena_release(&mem);
	return ok;
}

void variable_where(struct variable_place *f, Dwarf_Die *var, struct strbuf *out)
{
	struct line_rows rows = { 0 };
	struct spots spots = { .nr = 0 };
	const char *file, *name = die_name(&f->function);
	u32 start;

	if (!die_has(var, DW_AT_location) || !debug_unit_decl(f->chain.unit, &f->function, &file, &start))
		return;
	unit_line_rows(f->chain.unit, file, start, UINT32_MAX, &rows);
	for (size_t i = 0; i < rows.nr && spots.nr < ARRAY_SIZE(spots.line); i++) {
		const struct line_row *r = &rows.v[i];

		if (line_row_is_meant(&rows, r) && die_contains(&f->chain.v[0].die, r->addr) &&
		    is_available_at(f, var, r->addr))
			add_spot(&spots, r->line);
	}
	for (u32 i = 0; i < spots.nr; i++)
		strbuf_addf(out, "%s%s:%u", i ? ", " : "", name ? name : "", spots.line[i] - start);
	/* the place itself is such a line: the variable is at another of its addresses */
	if (!strcmp(strbuf_str(out), f->place_text))
		strbuf_reset(out);
	vec_release(&rows);
}
