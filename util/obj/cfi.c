/* Cfi: libdw finds and runs the frame programs; the results are kept as compact rules. */
#include "cfi.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../base/vec.h"
#include "../lib/lib.h"
#include "elf-obj.h"
#include "elf-sections.h"

#define PLT_HEADER 32		/* bytes before the entries, at most, of machines below */

struct cached {
	u64 svma;
	const struct cfi_rule *rule;	/* NULL: there is none */
};

struct cfi {
	struct elf_obj *o;
	struct elf_unpacked unpacked;
	Dwarf_CFI *eh;		/* belongs to the ELF file */
	Dwarf *dwarf;
	Dwarf_CFI *debug;	/* of .debug_frame; belongs to dwarf */
	bool usable;		/* libdw is installed */
	bool debug_tried;
	struct { VEC(struct cached); } cached;
	struct hidx by_svma;
	struct { VEC(struct cfi_rule *); } rule;
	struct hidx by_rule;	/* those without expressions */
	unsigned int high;	/* DWARF number of our last register */
	const struct arch_abi *abi;	/* if calls leave the return address in a register; or NULL */
	u64 plt, plt_end;	/* the entries, which have no frames there */
};

static void find_plt(struct cfi *c)
{
	const GElf_Ehdr *eh = &c->o->ehdr;
	GElf_Shdr sh;

	c->abi = arch_abi_of_file(eh->e_machine, eh->e_ident[EI_CLASS] == ELFCLASS64);
	if (c->abi && (!c->abi->dwarf_ra || c->abi->stack_calls || c->abi->dwarf_ra == c->abi->dwarf_ip))
		c->abi = NULL;
	if (!c->abi || !elf_obj_section(c->o, ".plt", &sh) || sh.sh_size <= PLT_HEADER)
		return;
	c->plt = sh.sh_addr + PLT_HEADER;
	c->plt_end = sh.sh_addr + sh.sh_size;
}

/* libdw would unpack all debug information to read .debug_frame */
static bool is_no_debug_or_frame(const char *section, const void *ctx UNUSED)
{
	return (strncmp(section, ".debug_", 7) && strncmp(section, ".zdebug_", 8)) ||
	       !strcmp(section, ".debug_frame") || !strcmp(section, ".zdebug_frame");
}

struct cfi *cfi_new(struct elf_obj *o, unsigned int high)
{
	struct cfi *c;

	if (!o)
		return NULL;
	c = xcalloc(1, sizeof(*c));
	c->o = o;
	c->high = high ? high : CFI_REGS - 1;
	c->usable = lib_usable(LIB_libdw);
	if (c->usable) {
		elf_sections_keep(o->elf, is_no_debug_or_frame, NULL);
		elf_sections_unpack(&c->unpacked, o->elf);
	}
	c->eh = c->usable ? dwarf_getcfi_elf(o->elf) : NULL;
	find_plt(c);
	return c;
}

static void free_rules(struct cfi *c)
{
	vec_foreach(&c->rule, r) {
		free((*r)->frame);
		free(*r);
	}
	vec_release(&c->rule);
	vec_release(&c->cached);
	hidx_release(&c->by_rule);
	hidx_release(&c->by_svma);
}

void cfi_free(struct cfi *c)
{
	if (!c)
		return;
	free_rules(c);
	if (c->eh)
		dwarf_cfi_end(c->eh);
	if (c->dwarf)
		dwarf_end(c->dwarf);
	elf_obj_free(c->o);
	elf_unpacked_release(&c->unpacked);
	free(c);
}

const struct elf_obj *cfi_elf(const struct cfi *c)
{
	return c->o;
}

/* .debug_frame is opened only for addresses that .eh_frame does not know */
static Dwarf_CFI *debug_frame(struct cfi *c)
{
	GElf_Shdr sh;

	if (!c->debug_tried) {
		c->debug_tried = true;
		if (c->usable &&
		    (elf_obj_section(c->o, ".debug_frame", &sh) ||
		     elf_obj_section(c->o, ".zdebug_frame", &sh)))
			c->dwarf = dwarf_begin_elf(c->o->elf, DWARF_C_READ, NULL);
		c->debug = c->dwarf ? dwarf_getcfi(c->dwarf) : NULL;
	}
	return c->debug;
}

static bool is_breg(const Dwarf_Op *op, unsigned int *reg, s64 *off)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		*reg = op->atom - DW_OP_breg0;
		*off = op->number;
	} else if (op->atom == DW_OP_bregx) {
		*reg = op->number;
		*off = op->number2;
	} else {
		return false;
	}
	return *reg < CFI_REGS && *off == (s32)*off;
}

static void digest_cfa(struct cfi_rule *r, Dwarf_Frame *frame)
{
	unsigned int reg;
	Dwarf_Op *ops;
	size_t nr;
	s64 off;

	r->cfa_expr = true;
	if (dwarf_frame_cfa(frame, &ops, &nr) || nr != 1 || !is_breg(ops, &reg, &off))
		return;
	r->cfa_expr = false;
	r->cfa_reg = reg;
	r->cfa_off = off;
}

static void digest_register(struct cfi_rule *r, Dwarf_Frame *frame, unsigned int reg, unsigned int dwarf)
{
	Dwarf_Op mem[3], *ops;
	size_t nr;
	s64 off = 0;

	r->reg[reg].kind = CFI_SAME;
	if (dwarf_frame_register(frame, dwarf, mem, &ops, &nr))
		return;
	/*
	 * A register without a rule is unchanged, as compilers and their run-time libraries assume. libdw
	 * uses rules of the ABI instead, which on x86-64 wrongly make rbx a register that callees may change.
	 * Only the return address is ever undefined.
	 */
	if (!nr) {
		r->reg[reg].kind = ops && reg == r->ra ? CFI_UNDEFINED : CFI_SAME;
		return;
	}
	r->reg[reg].kind = CFI_EXPR;
	if (ops[0].atom != DW_OP_call_frame_cfa)
		return;
	if (nr >= 2 && ops[1].atom == DW_OP_plus_uconst)
		off = ops[1].number;
	else if (nr >= 2 && ops[1].atom != DW_OP_stack_value)
		return;
	if (off != (s32)off)
		return;
	if (ops[nr - 1].atom == DW_OP_stack_value && nr == (off ? 3u : 2u))
		r->reg[reg].kind = CFI_CFA;
	else if (nr == 1 || (nr == 2 && ops[1].atom == DW_OP_plus_uconst))
		r->reg[reg].kind = CFI_AT_CFA;
	r->reg[reg].off = off;
}

static struct cfi_rule *digest(const struct cfi *c, Dwarf_Frame *frame)
{
	struct cfi_rule *r = xcalloc(1, sizeof(*r));
	Dwarf_Addr start, end;
	bool keep, signal = false;
	int ra = dwarf_frame_info(frame, &start, &end, &signal);

	r->signal = signal;
	r->ra = ra == (int)c->high ? CFI_REGS - 1 : ra >= 0 && ra < CFI_REGS ? ra : CFI_REGS;
	digest_cfa(r, frame);
	keep = r->cfa_expr;
	for (unsigned int i = 0; i < CFI_REGS; i++) {
		digest_register(r, frame, i, i == CFI_REGS - 1 ? c->high : i);
		keep |= r->reg[i].kind == CFI_EXPR;
		if (r->reg[i].kind == CFI_SAME)
			r->same |= 1ull << i;
		else if (r->reg[i].kind != CFI_UNDEFINED)
			r->moved[r->nr_moved++] = (struct cfi_move){ r->reg[i].off, i, r->reg[i].kind };
	}
	if (keep)
		r->frame = frame;
	else
		free(frame);
	return r;
}

/* an entry of a PLT jumps on and changes neither the stack nor the register with the return address */
static struct cfi_rule *plt_rule(const struct cfi *c)
{
	struct cfi_rule *r = xcalloc(1, sizeof(*r));

	r->ra = c->abi->dwarf_ra;
	r->cfa_reg = c->abi->dwarf_sp;
	for (unsigned int i = 0; i < CFI_REGS; i++)
		r->reg[i].kind = CFI_SAME;
	r->same = UINT64_MAX >> (64 - CFI_REGS);
	return r;
}

/* takes ownership of r, which may be NULL; gives the rule that is kept for it */
static const struct cfi_rule *keep_rule(struct cfi *c, struct cfi_rule *r)
{
	u64 hash;
	u32 id;

	if (!r)
		return NULL;
	if (!r->frame) {
		hash = hash_bytes(r, sizeof(*r));
		HIDX_FOREACH(&c->by_rule, hash, id) {
			if (memcmp(c->rule.v[id], r, sizeof(*r)))
				continue;
			free(r);
			return c->rule.v[id];
		}
		hidx_insert(&c->by_rule, hash, c->rule.nr);
	}
	vec_push(&c->rule, r);
	return r;
}

static struct cfi_rule *read_rule(struct cfi *c, u64 svma)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_CFI *debug;

	if (!c->eh || dwarf_cfi_addrframe(c->eh, svma, &frame))
		frame = NULL;
	debug = frame ? NULL : debug_frame(c);
	if (debug && dwarf_cfi_addrframe(debug, svma, &frame))
		frame = NULL;
	if (frame)
		return digest(c, frame);
	return svma >= c->plt && svma < c->plt_end ? plt_rule(c) : NULL;
}

const struct cfi_rule *cfi_find(struct cfi *c, u64 svma)
{
	u64 hash = hash_u64(svma);
	struct cached new = { .svma = svma };
	u32 id;

	HIDX_FOREACH(&c->by_svma, hash, id)
		if (c->cached.v[id].svma == svma)
			return c->cached.v[id].rule;
	new.rule = keep_rule(c, read_rule(c, svma));
	hidx_insert(&c->by_svma, hash, c->cached.nr);
	vec_push(&c->cached, new);
	return new.rule;
}
