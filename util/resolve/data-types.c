/* Data types: see data-types.h. */
#include "data-types.h"
#include "code.h"
#include "../obj/elf-obj.h"
#include "../base/search.h"

#include <elf.h>
#include <stdlib.h>

#define KEPT_MAX 4000000u	/* instructions */

struct known_function {
	u32 symbol;
	u64 bias;		/* addresses of the dso minus addresses as linked */
	struct accesses access;
};

struct dso_types {
	bool opened;
	struct dwarf_types *types;
	struct cfi *cfi;
	struct elf_image *image;
	struct kernel_patches *patches;
	struct disasm *disasm;
	bool fixed;
	struct { VEC(struct known_function); } function;
	struct hidx by_symbol;
};

struct data_types {
	const struct session *session;
	struct dso_types *dso;
	u32 nr_dsos;
	u64 kept;
};

struct data_types *data_types_new(const struct session *s)
{
	struct data_types *t = xcalloc(1, sizeof(*t));

	t->session = s;
	t->nr_dsos = machine_dsos(s->machine)->dso.nr;
	t->dso = xcalloc(MAX(t->nr_dsos, 1u), sizeof(*t->dso));
	return t;
}

static void drop_functions(struct data_types *t)
{
	for (u32 i = 0; i < t->nr_dsos; i++) {
		vec_foreach(&t->dso[i].function, f)
			vec_release(&f->access);
		vec_release(&t->dso[i].function);
		hidx_release(&t->dso[i].by_symbol);
	}
	t->kept = 0;
}

void data_types_free(struct data_types *t)
{
	if (!t)
		return;
	drop_functions(t);
	for (u32 i = 0; i < t->nr_dsos; i++) {
		dwarf_types_free(t->dso[i].types);
		cfi_free(t->dso[i].cfi);
		elf_image_free(t->dso[i].image);
		kernel_patches_free(t->dso[i].patches);
		disasm_close(t->dso[i].disasm);
	}
	free(t->dso);
	free(t);
}

/* the file that was mapped: files of debug information lack code and call frame information */
static struct elf_obj *open_binary(struct data_types *t, u32 dso, const struct symtab *table)
{
	return table->adjust ? symbols_open_binary(t->session->symbols, dso) :
	       elf_obj_open(table->file, NULL);
}

static void open_dso(struct data_types *t, u32 dso, const struct code *code)
{
	const struct symtab *table = symbols_table(t->session->symbols, dso);
	const struct arch *arch = arch_by_machine(code->target.e_machine);
	const struct arch_abi *abi = arch_abi_of_file(code->target.e_machine, code->target.is64);
	struct dso_types *d = &t->dso[dso];
	struct err err = ERR_INIT;
	struct elf_obj *o;
	char *program;

	d->opened = true;
	d->disasm = disasm_open(&code->target, &err);
	if (!d->disasm || !table || !table->file || !table->debug_info)
		return;
	program = symbols_program(t->session->symbols, dso);
	d->types = dwarf_types_open(table->file, program);
	free(program);
	if (!d->types)
		return;
	d->image = elf_image_new(open_binary(t, dso, table), abi ? abi->relative : 0);
	if (!table->adjust)
		d->patches = kernel_patches_new(d->image);
	o = open_binary(t, dso, table);
	d->fixed = o && (o->ehdr.e_type == ET_EXEC || !table->adjust);
	d->cfi = cfi_new(o, arch ? arch->dwarf_high : 0);
}

static void look(struct data_types *t, u32 dso, const struct symbol *sym, struct known_function *ret)
{
	struct dso_types *d = &t->dso[dso];
	struct err err = ERR_INIT;
	struct type_flow flow;
	struct code code;

	if (code_read(&code, t->session, dso, sym, &err))
		return;
	if (!d->opened)
		open_dso(t, dso, &code);
	ret->bias = sym->start - code.svma;
	flow = (struct type_flow){ .types = d->types, .cfi = d->cfi,
		.image = d->image, .disasm = d->disasm, .fixed = d->fixed,
		.abi = arch_abi_of_file(code.target.e_machine, code.target.is64),
		.patched = dsos_at(machine_dsos(t->session->machine), dso)->kind != DSO_USER,
		.patches = d->patches };
	if (d->disasm && flow.abi)
		type_flow_run(&flow, code.byte, code.nr, code.svma, &ret->access);
	code_release(&code);
}

static const struct known_function *function_of(struct data_types *t, u32 dso, u32 symbol)
{
	const struct symtab *table = symbols_table(t->session->symbols, dso);
	struct dso_types *d = &t->dso[dso];
	struct known_function f = { .symbol = symbol };
	u32 k;

	HIDX_FOREACH(&d->by_symbol, hash_u64(symbol), k)
		if (d->function.v[k].symbol == symbol)
			return &d->function.v[k];
	if (t->kept > KEPT_MAX)
		drop_functions(t);
	if (table && symbol < table->nr)
		look(t, dso, &table->sym[symbol], &f);
	t->kept += f.access.nr + 16;
	hidx_insert(&d->by_symbol, hash_u64(symbol), d->function.nr);
	vec_push(&d->function, f);
	return &d->function.v[d->function.nr - 1];
}

const struct access *data_types_find(struct data_types *t, u32 dso, u32 symbol, u64 addr)
{
	static const struct access unknown = { .why = ACCESS_NO_CODE };
	const struct known_function *f;
	size_t lo;

	if (dso >= t->nr_dsos || symbol == ID_NONE)
		return &unknown;
	f = function_of(t, dso, symbol);
	addr -= f->bias;
	/* after the last instruction that does not begin after it */
	lo = LOWER_BOUND(f->access.nr, i, f->access.v[i].addr <= addr);
	if (!lo || addr - f->access.v[lo - 1].addr >= f->access.v[lo - 1].insn_size)
		return &unknown;
	return &f->access.v[lo - 1];
}

struct dwarf_types *data_types_of_dso(const struct data_types *t, u32 dso)
{
	return dso < t->nr_dsos ? t->dso[dso].types : NULL;
}

static void add_safe(struct strbuf *out, struct strbuf *text)
{
	strbuf_add_safe(out, strbuf_str(text));
	strbuf_release(text);
}

void data_type_add_name(struct data_types *t, u32 dso, const struct access *a, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	if (a->why != ACCESS_TYPED) {
		strbuf_addstr(out, a->why == ACCESS_STACK ? "(stack operation)" : "(unknown)");
		return;
	}
	dwarf_type_name(t->dso[dso].types, a->type, &text);
	add_safe(out, &text);
}

void data_type_add_member(struct data_types *t, u32 dso, const struct access *a, bool always,
			  struct strbuf *out)
{
	struct strbuf path = STRBUF_INIT;

	data_type_add_name(t, dso, a, out);
	if (a->why != ACCESS_TYPED)
		return;
	strbuf_addf(out, " +%#x", a->off);
	dwarf_type_at(t->dso[dso].types, a->type, a->off, &path);
	if (!path.len && always)
		strbuf_addstr(&path, "no field");
	if (!path.len)
		return;
	strbuf_addstr(out, " (");
	add_safe(out, &path);
	strbuf_addch(out, ')');
}
