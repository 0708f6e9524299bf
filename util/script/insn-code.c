/* Insn-code: reads code once, by function, and disassembles it. */
#include "insn-code.h"

#include <stdio.h>
#include <stdlib.h>
#include "../../arch/arch.h"
#include "../obj/elf-obj.h"
#include "../obj/disasm.h"
#include "../resolve/code.h"
#include "frame.h"

#define INSN_MAX 15

/* code that was read once: of a function, or all of a program that has no symbol there */
struct known_code {
	u32 dso, sym;		/* sym ID_NONE: the file as it is */
	struct code code;
	u64 start;		/* of the first byte, as addresses in the dso */
	struct elf_obj *file;
	struct disasm *disasm;
	bool disasm_tried;
};

struct branch_code {
	const struct session *s;
	struct { VEC(struct known_code); } known;
	struct hidx known_idx;
	u32 last;
	char text[260];
};

struct branch_code *branch_code_new(const struct session *s)
{
	struct branch_code *c = xcalloc(1, sizeof(*c));

	c->s = s;
	return c;
}

void branch_code_free(struct branch_code *c)
{
	if (!c)
		return;
	vec_foreach(&c->known, k) {
		if (k->disasm)
			disasm_close(k->disasm);
		if (k->file)
			elf_obj_free(k->file);
		else
			code_release(&k->code);
	}
	vec_release(&c->known);
	hidx_release(&c->known_idx);
	free(c);
}

static void read_file(struct known_code *k, const struct session *s)
{
	const struct dso *d = dsos_at(machine_dsos(s->machine), k->dso);

	k->file = d && d->kind == DSO_USER ? symbols_open_binary(s->symbols, k->dso) : NULL;
	if (!k->file || !k->file->map.p)
		return;
	k->code.byte = (u8 *)k->file->map.p;
	k->code.nr = k->file->map.len;
	k->code.target.e_machine = k->file->ehdr.e_machine;
	k->code.target.is64 = k->file->ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	k->code.target.big_endian = k->file->ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
}

static struct known_code *code_of(struct branch_code *c, const struct resolved_frame *f)
{
	u32 sym = f->sym ? f->sym_idx : ID_NONE;
	u64 hash = hash_u64((u64)f->loc.dso << 32 | sym);
	struct known_code *k;
	u32 i;

	HIDX_FOREACH(&c->known_idx, hash, i)
		if (c->known.v[i].dso == f->loc.dso && c->known.v[i].sym == sym)
			return &c->known.v[i];
	hidx_insert(&c->known_idx, hash, c->known.nr);
	vec_push(&c->known, (struct known_code){ .dso = f->loc.dso, .sym = sym });
	k = &c->known.v[c->known.nr - 1];
	if (!f->sym) {
		read_file(k, c->s);
	} else {
		struct err err = ERR_INIT;

		k->start = f->sym->start;
		if (code_read(&k->code, c->s, f->loc.dso, f->sym, &err))
			k->code = (struct code){ 0 };
	}
	return k;
}

static int insn_len(const struct known_code *k, const u8 *p, u64 left)
{
	const struct arch *arch = arch_by_machine(k->code.target.e_machine);

	return arch && arch->insn_len ? arch->insn_len(p, MIN(left, (u64)INSN_MAX), k->code.target.is64) : 0;
}

static void disassemble(struct branch_code *c, struct known_code *k, u64 at, struct code_insn *insn)
{
	struct err err = ERR_INIT;
	struct disasm_insn in;
	u64 addr = k->file ? at : k->code.svma + at;

	if (!k->disasm_tried)
		k->disasm = disasm_open(&k->code.target, &err);
	k->disasm_tried = true;
	if (!k->disasm)
		return;
	disasm_next(k->disasm, k->code.byte + at, k->code.nr - at, addr, &in);
	insn->stops = in.kind == DISASM_CALL || in.kind == DISASM_RETURN ||
		      (in.kind == DISASM_JUMP && !in.conditional);
	snprintf(c->text, sizeof(c->text), "%s%s%s", in.mnemonic, *in.operands ? " " : "", in.operands);
	insn->text = c->text;
	insn->nr_bytes = in.size;
}

void branch_code_insn(struct branch_code *c, const struct resolved_frame *f, bool text,
		      struct code_insn *ret)
{
	struct known_code *k;
	u64 at;

	*ret = (struct code_insn){ .ip = f->ip };
	if (f->loc.dso == ID_NONE)
		return;
	k = code_of(c, f);
	at = f->loc.dso_addr - k->start;
	if (!k->code.nr || at >= k->code.nr)
		return;
	ret->byte = k->code.byte + at;
	ret->nr_bytes = (u32)insn_len(k, ret->byte, k->code.nr - at);
	disassemble(c, k, at, ret);
	if (!text)
		ret->text = NULL;
}
