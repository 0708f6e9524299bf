/*
 * Fuzz target of util/obj/dwarf-types, dwarf-lines and type-flow: an ELF file with DWARF. The accesses of its
 * functions get types, each type has its name, members and what is at its first offsets, and addresses get
 * lines and inlined functions.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../arch/arch.h"
#include "../../util/base/arena.h"
#include "../../util/obj/dwarf-lines.h"
#include "../../util/obj/elf-obj.h"
#include "../../util/obj/type-flow.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUNCTIONS_MAX 32u
#define CODE_MAX 4096u
#define STATICS_END 0x3000u

static void try_type(struct dwarf_types *d, u32 type)
{
	struct data_members members = { 0 };
	struct strbuf text = STRBUF_INIT;

	for (int depth = 0; type != TYPE_NONE && depth < 4; depth++) {
		struct type_info info = dwarf_type_info(d, type);

		dwarf_type_name(d, dwarf_type_canonical(d, type), &text);
		dwarf_type_members(d, type, &members);
		dwarf_type_has_array(d, type);
		for (u64 off = 0; off < 24; off += 4)
			dwarf_type_at(d, type, off, &text);
		type = info.kind == TYPE_POINTER || info.kind == TYPE_ARRAY ? info.of : TYPE_NONE;
	}
	vec_release(&members);
	strbuf_release(&text);
}

static void try_function(struct dwarf_types *d, u64 svma)
{
	struct dwarf_function f = { 0 };
	s64 off, at;

	if (!dwarf_function_read(d, svma, &f))
		return;
	for (u32 i = 0; i < f.variable.nr && i < FUNCTIONS_MAX; i++) {
		try_type(d, f.variable.v[i].type);
		if (f.variable.v[i].place == PLACE_STATIC)
			dwarf_types_static(d, &f, f.variable.v[i].off, &off);
	}
	for (off = -64; off < 0; off += 4)
		dwarf_types_thread(d, &f, off, &at);
	for (u64 p = 0; p < STATICS_END; p += 8)
		dwarf_types_static(d, &f, p, &at);
	try_type(d, dwarf_types_returned(d, f.entry));
	dwarf_function_release(&f);
}

/* code: where the symbol is in the file, at most nr bytes */
static void try_flow(struct dwarf_types *d, struct elf_image *image, u64 svma,
		     const uint8_t *code, size_t nr)
{
	struct disasm_target target = { .e_machine = EM_X86_64, .is64 = true };
	struct kernel_patches *patches = kernel_patches_new(image);
	struct type_flow t = { .types = d, .image = image, .patches = patches, .patched = patches,
			       .abi = arch_abi_of_file(EM_X86_64, true), .fixed = true };
	struct accesses accesses = { 0 };
	struct err err = ERR_INIT;

	t.disasm = disasm_open(&target, &err);
	if (t.disasm && t.abi && nr)
		type_flow_run(&t, code, nr < CODE_MAX ? nr : CODE_MAX, svma, &accesses);
	vec_foreach(&accesses, a)
		try_type(d, a->type);
	vec_release(&accesses);
	disasm_close(t.disasm);
	kernel_patches_free(patches);
}

static void try_types(const char *path, struct elf_image *image, const struct elf_obj *o,
		      const struct symvec *v, const uint8_t *data, size_t size)
{
	struct dwarf_types *d = dwarf_types_open(path, NULL);

	for (size_t i = 0; d && i < v->sym.nr && i < FUNCTIONS_MAX; i++) {
		const struct symbol *sym = &v->sym.v[i];
		u64 svma, left = sym->start < size ? size - sym->start : 0, nr = sym->end - sym->start;

		if (!elf_obj_off_to_svma(o, sym->start, &svma))
			continue;
		try_function(d, svma);
		try_flow(d, image, svma, data + size - left, nr < left ? nr : left);
	}
	dwarf_types_free(d);
}

static void try_lines(const char *path, const struct symvec *v)
{
	const struct svma_range some = { 0x100, 0x400 };
	struct dwarf_lines *d[] = { dwarf_lines_open(path, NULL, true),
				    dwarf_lines_open_for(path, NULL, &some, 1) };
	struct arena arena = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(d) && d[i]; i++) {
		for (size_t k = 0; k < v->sym.nr && k < FUNCTIONS_MAX; k++) {
			struct line_info info;
			struct svma_range same;
			u64 unit;
			Dwarf_Die die, function;

			for (u64 a = v->sym.v[k].start; a < v->sym.v[k].start + 64; a += 4) {
				dwarf_lines_find(d[i], a, true, &arena, &info);
				dwarf_lines_inlined(d[i], a, &arena, &info, &same);
			}
			if (dwarf_lines_function(d[i], v->sym.v[k].start, &unit, &die, &function))
				dwarf_lines_unit(d[i], unit, &die);
		}
		dwarf_lines_bytes(d[i]);
		dwarf_lines_missing(d[i], &(u32){ 0 });
	}
	for (size_t i = 0; i < ARRAY_SIZE(d); i++)
		dwarf_lines_free(d[i]);
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_image *image;
	struct elf_obj *o;
	struct symvec v = { 0 };
	char path[64];
	int fd;

	if (size < 4 || memcmp(data, "\x7f" "ELF", 4))
		return 0;
	o = elf_obj_from_image(memcpy(malloc(size), data, size), size, "fuzz", NULL);
	fd = memfd_create("types", MFD_CLOEXEC);
	if (o && fd >= 0 && write(fd, data, size) == (ssize_t)size) {
		struct elf_addr_map map = { .runtime = o };

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		elf_obj_symbols(o, ELF_SYMBOLS_SYMTAB, &map, &v);
		symvec_finish(&v, 0);
		image = elf_image_new(elf_obj_from_image(memcpy(malloc(size), data, size), size, "fuzz",
							 NULL), R_X86_64_RELATIVE);
		try_types(path, image, o, &v, data, size);
		try_lines(path, &v);
		elf_image_free(image);
	}
	symvec_release(&v);
	elf_obj_free(o);
	if (fd >= 0)
		close(fd);
	return 0;
}
