/*
 * Fuzz target of util/obj: ELF files by their magic number, all else as kallsyms, perf map, notes,
 * packed data and names.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/base/strbuf.h"
#include "../../util/obj/cfi.h"
#include "../../util/obj/compress.h"
#include "../../util/obj/demangle.h"
#include "../../util/obj/short-name.h"
#include "../../util/obj/elf-obj.h"
#include "../../util/obj/elf-sections.h"
#include "../../util/obj/kallsyms-binary.h"
#include "../../util/obj/minidebug.h"
#include "../../util/obj/module.h"
#include "../../util/obj/perfmap.h"
#include "../../util/obj/relocate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void query(struct symvec *v)
{
	symvec_finish(v, 0);
	for (uint64_t addr = 0; addr < 64; addr++)
		symvec_find(v, addr * addr * 977);
	for (size_t i = 0; i < v->sym.nr; i++)
		symvec_find(v, v->sym.v[i].end);
	symvec_release(v);
}

static bool no_memory(void *ctx, u64 addr, unsigned int size, u64 *ret)
{
	*ret = addr * 3;
	return addr & 1;
}

/* takes over o */
static void try_cfi(struct elf_obj *o)
{
	struct cfi_machine m = { .valid = UINT64_MAX, .read = no_memory, .word = 8 };
	struct cfi *c = cfi_new(o, 0);
	u64 v;

	if (!c)
		return;
	for (u64 addr = 0; addr < 0x2000; addr += 13) {
		const struct cfi_rule *r = cfi_find(c, addr);

		if (r && r->cfa_expr)
			cfi_evaluate_cfa(r, &m, &v);
		for (unsigned int i = 0; r && i < CFI_REGS; i++)
			if (r->reg[i].kind == CFI_EXPR)
				cfi_evaluate(r, i, &m, &v);
	}
	cfi_free(c);
}

static void count_symbol(void *ctx, const struct symbol *sym)
{
	*(size_t *)ctx += strlen(sym->name);
}

static bool is_info(const char *name, const void *ctx)
{
	return !strcmp(name, ".debug_info");
}

/* the symbols around a place, and the sections that libdw gets to see */
static void try_parts(const uint8_t *data, size_t size)
{
	static const char *const names[] = { ".debug_info", ".debug_line", ".text", ".bss", "" };
	struct elf_obj *o = elf_obj_from_image(memcpy(malloc(size), data, size), size, "fuzz", NULL);
	struct elf_addr_map map = { .bias = 0x100 };
	struct elf_unpacked unpacked = { 0 };
	size_t sum = 0;

	if (!o)
		return;
	sum += elf_obj_has_symtab(o);
	elf_obj_each_symbol(o, ELF_SYMBOLS_SYMTAB, &map, count_symbol, &sum);
	for (uint64_t at = 0; at < 0x8000; at += 0x333) {
		struct symvec v = { 0 };

		elf_obj_symbols_at(o, ELF_SYMBOLS_SYMTAB, &map, at, &v);
		symvec_release(&v);
	}
	elf_section_data(o->elf, names[0], &unpacked);
	elf_sections_unpack(&unpacked, o->elf);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		elf_section_data(o->elf, names[i], NULL);
	elf_sections_keep(o->elf, is_info, NULL);
	elf_obj_free(o);
	elf_unpacked_release(&unpacked);
	if (sum == SIZE_MAX)
		abort();
}

static void try_elf(const uint8_t *data, size_t size)
{
	struct elf_obj *o = elf_obj_from_image(memcpy(malloc(size), data, size), size, "fuzz", NULL);
	struct elf_addr_map map = { .runtime = o };
	struct symvec v = { .demangle = true }, m = { 0 };
	uint8_t id[ELF_BUILDID_MAX];
	uint32_t crc;
	uint64_t svma;

	if (!o)
		return;
	elf_obj_buildid(o, id);
	elf_obj_debuglink(o, &crc);
	elf_obj_off_to_svma(o, 0x1234, &svma);
	elf_obj_symbol_value(o, "main", &svma);
	elf_obj_symbols(o, ELF_SYMBOLS_SYMTAB, &map, &v);
	elf_obj_symbols(o, ELF_SYMBOLS_DYNSYM, &map, &v);
	minidebug_symbols(o, &map, &v);
	symvec_settle(&v);
	elf_obj_plt_symbols(o, &map, &v);
	symvec_settle(&v);
	elf_obj_frame_symbols(o, "fuzz", &v);
	query(&v);
	module_symbols(o, 0x1000, 0, &m);
	query(&m);
	try_cfi(o);
	o = elf_obj_from_image(memcpy(malloc(size), data, size), size, "fuzz", NULL);
	try_cfi(elf_obj_link(o, "fuzz", NULL, NULL));
	try_parts(data, size);
}

static void try_names(const char *text)
{
	struct strbuf out = STRBUF_INIT;
	char *copy = strdup(text), *save = NULL;

	for (char *name = strtok_r(copy, "\n", &save); name; name = strtok_r(NULL, "\n", &save)) {
		strbuf_reset(&out);
		demangle(name, &out);
		strbuf_reset(&out);
		short_name(name, &out);
	}
	free(copy);
	strbuf_release(&out);
}

static bool leave_none(const struct kallsyms_block *b UNUSED)
{
	return false;
}

/* what was read is written, and is read again */
static void try_binary_list(const uint8_t *data, size_t size)
{
	u8 *aligned = xmemdup(data, size);
	struct kallsyms *k = kallsyms_read_binary(aligned, size), *again;
	struct strbuf out = STRBUF_INIT;
	struct symvec v = { 0 };

	if (k && k->nr * (k->block.nr + 1) < 1 << 20) {
		kallsyms_write_binary(k, leave_none, &out);
		again = kallsyms_read_binary((u8 *)out.buf, out.len);
		if (!again)
			abort();
		kallsyms_symbols(again, "", 0, 0, 0, &v);
		query(&v);
		kallsyms_free(again);
	}
	kallsyms_free(k);
	strbuf_release(&out);
	free(aligned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf text = STRBUF_INIT;
	struct symvec v = { 0 }, maps = { 0 };
	uint8_t id[ELF_BUILDID_MAX], *out;
	enum compress_kind kind = compress_kind_of(data, size);
	struct kallsyms *k;
	size_t len;

	if (size > 4 && !memcmp(data, "\x7f" "ELF", 4)) {
		try_elf(data, size);
		return 0;
	}
	if (kind != COMPRESS_NONE && !compress_unpack(kind, data, size, 1 << 20, &out, &len, NULL))
		free(out);
	try_binary_list(data, size);
	elf_note_buildid(data, size, size & 4 ? 4 : 8, size & 1, id);
	perfmap_parse((const char *)data, size, &maps);
	query(&maps);
	strbuf_add(&text, data, size);
	try_names(strbuf_str(&text));
	k = kallsyms_parse(&text);
	kallsyms_symbols(k, "", 0, 0, 0x1000, &v);
	kallsyms_symbols(k, "ext4", 0, 0, 0, &v);
	kallsyms_address(k, "_text");
	query(&v);
	kallsyms_free(k);
	return 0;
}
