/* Locate: what a location expression needs to know of the file: registers, frames, static addresses. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fetch.h"
#include "functions.h"
#include "point.h"
#include "source-lines.h"
#include "variables.h"

struct location_source {
	struct variable_place *f;
	struct arena *mem;
	Dwarf_Attribute *attr;
	const struct location_env *env;
};

static const char *reg_name(void *ctx, unsigned int dwarf)
{
	struct location_source *l = ctx;
	const struct arch *a = l->f->d->arch;
	const char *name;
	char buf[16];

	if (!a)
		return NULL;
	if (a->dwarf_high && dwarf == a->dwarf_high)
		dwarf = ARCH_DWARF_REGS - 1;
	for (u32 i = 0; i < a->nr_regs; i++) {
		if (!a->reg[i].name || a->reg[i].dwarf[l->f->d->is64] != dwarf)
			continue;
		/* registers of floating-point numbers are not in a probe's registers */
		if (!strncmp(a->reg[i].name, "FP", 2) && isdigit((u8)a->reg[i].name[2]))
			return NULL;
		name = fetch_register(a, l->f->d->is64, a->reg[i].name, buf);
		return name ? arena_strdup(l->mem, name) : NULL;
	}
	return NULL;
}

static int cfa(void *ctx, struct probe_value *ret, struct err *err)
{
	struct location_source *l = ctx;
	unsigned int reg;
	const char *name;
	s64 off;
	char *text;

	if (!debug_file_cfa(l->f->d, l->f->chain.addr, &reg, &off))
		return err_set(err, -EOPNOTSUPP, "it is in the stack frame, and there are no frame rules for "
			       "this address");
	name = reg_name(l, reg);
	if (!name)
		return err_set(err, -EOPNOTSUPP, "it is in the stack frame, whose register a probe cannot "
			       "read");
	text = arena_alloc(l->mem, strlen(name) + 2);
	text[0] = '%';
	memcpy(text + 1, name, strlen(name) + 1);
	*ret = (struct probe_value){ .text = text, .off = off };
	return 0;
}

static int frame_base(void *ctx, struct location_piece *ret, struct err *err)
{
	struct location_source *l = ctx, inner;
	struct location_env env = *l->env;
	struct scope_chain *c = &l->f->chain;
	Dwarf_Attribute attr;
	struct location loc;
	Dwarf_Op *ops;
	size_t nr;
	int code;

	/* the function that has a frame: not an inlined copy */
	if (!c->nr || !dwarf_attr_integrate(&c->v[0].die, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, c->addr, &ops, &nr, 1) != 1)
		return err_set(err, -EOPNOTSUPP, "it is in the stack frame, whose place is not known here");
	/* an expression of a frame base that refers to the frame base would never end */
	for (size_t i = 0; i < nr; i++)
		if (ops[i].atom == DW_OP_fbreg)
			return err_set(err, -EBADMSG, "its location expression is damaged");
	inner = *l;
	inner.attr = &attr;
	env.ctx = &inner;
	inner.env = &env;
	code = location_evaluate(&env, ops, nr, &loc, err);
	if (!code)
		*ret = loc.piece[0];
	return code;
}

static bool indexed(void *ctx, const Dwarf_Op *op, u64 *ret)
{
	struct location_source *l = ctx;
	Dwarf_Attribute a;
	Dwarf_Addr addr;
	Dwarf_Word v;

	if (!l->attr || dwarf_getlocation_attr(l->attr, op, &a))
		return false;
	if (!dwarf_formaddr(&a, &addr))
		*ret = addr;
	else if (!dwarf_formudata(&a, &v))
		*ret = v;
	else
		return false;
	return true;
}

static bool entry_expr(void *ctx, const Dwarf_Op *op, Dwarf_Op **ret_ops, size_t *ret_nr)
{
	struct location_source *l = ctx;
	Dwarf_Attribute a;

	return l->attr && !dwarf_getlocation_attr(l->attr, op, &a) && !dwarf_getlocation(&a, ret_ops, ret_nr);
}

static bool bytes_to_number(struct debug_file *d, const u8 *p, u64 len, u64 *ret)
{
	if (!len || len > 8)
		return false;
	*ret = 0;
	for (u64 i = 0; i < len; i++)
		*ret |= (u64)p[i] << 8 * (d->is_big_endian ? len - 1 - i : i);
	return true;
}

static bool implicit(void *ctx, const Dwarf_Op *op, u64 *ret)
{
	struct location_source *l = ctx;
	Dwarf_Block block;

	return l->attr && !dwarf_getlocation_implicit_value(l->attr, op, &block) &&
	       bytes_to_number(l->f->d, block.data, block.length, ret);
}

/*
 * Programs are mapped anywhere, but as a whole: uprobes find a variable from the address of the probe and the
 * distance in the file (@+OFFSET counts as if the file were mapped in one piece). The kernel has its own
 * names.
 */
static const char *load_static(void *ctx, u64 svma)
{
	struct location_source *l = ctx;
	const struct symbol *sym;
	char text[256];
	int len;

	if (!l->f->d->is_kernel) {
		len = snprintf(text, sizeof(text), "@+0x%llx",
			       (unsigned long long)(svma - l->f->chain.addr + l->f->off));
	} else {
		sym = debug_file_symbol(l->f->d, svma);
		if (!sym)
			return NULL;
		len = snprintf(text, sizeof(text), "@%s+%llu", sym->name,
			       (unsigned long long)(svma - sym->start));
	}
	return len < (int)sizeof(text) ? arena_strdup(l->mem, text) : NULL;
}

static struct location_env env_of(struct location_source *l)
{
	return (struct location_env){
		.ctx = l, .reg = reg_name, .frame_base = frame_base, .cfa = cfa, .indexed = indexed,
		.entry_expr = entry_expr, .implicit = implicit, .load_static = load_static,
		.at_entry = l->f->chain.addr == l->f->entry, .mem = l->mem,
	};
}

const char *variable_load(struct variable_place *f, const struct probe_value *v, struct arena *mem)
{
	struct location_source l = { .f = f, .mem = mem };
	struct location_env env = env_of(&l);

	return location_load(&env, v);
}

static bool constant(struct variable_place *f, Dwarf_Die *var, struct location *ret)
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
	else if (dwarf_formblock(&a, &block) || !bytes_to_number(f->d, block.data, block.length, &v))
		return false;
	ret->nr = 1;
	ret->piece[0] = (struct location_piece){ .value.off = v };
	return true;
}

int variable_locate(struct variable_place *f, Dwarf_Die *var, struct location *ret, struct arena *mem,
		    struct err *err)
{
	struct location_source l = { .f = f, .mem = mem };
	struct location_env env = env_of(&l);
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	l.env = &env;
	l.attr = &attr;
	*ret = (struct location){ .nr = 0 };
	if (constant(f, var, ret))
		return 0;
	if (!dwarf_attr_integrate(var, DW_AT_location, &attr))
		return err_set(err, -ENODATA, "it was optimised out");
	if (dwarf_getlocation_addr(&attr, f->chain.addr, &ops, &nr, 1) != 1 || !nr)
		return err_set(err, -ENODATA, "its value is not kept there");
	return location_evaluate(&env, ops, nr, ret, err);
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

	if (name && scopes_at(f->d, f->chain.unit, addr, &chain)) {
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
	struct location loc;
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
