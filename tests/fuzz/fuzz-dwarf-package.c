/*
 * Fuzz target: packages of split debug information. The input is the size of a program, the program, and its
 * package; lines, inlined functions and variables of the first addresses are looked up in them. The input is
 * also read as an index.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../util/base/arena.h"
#include "../../util/obj/dwarf-lines.h"
#include "../../util/obj/dwarf-package.h"
#include "../../util/obj/dwarf-types.h"

#define ADDRESSES 0x200u
#define SLOTS_TRIED 64u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char dir[] = "/tmp/fuzz-package.XXXXXX", program[64], package[64];

static void remove_files(void)
{
	unlink(program);
	unlink(package);
	rmdir(dir);
}

static void make_dir(void)
{
	if (*program)
		return;
	if (!mkdtemp(dir))
		exit(1);
	snprintf(program, sizeof(program), "%s/p", dir);
	snprintf(package, sizeof(package), "%s/p.dwp", dir);
	atexit(remove_files);
}

static void put_file(const char *path, const uint8_t *data, size_t size)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(data, 1, size, f) != size || fclose(f))
		exit(1);
}

static void try_index(const uint8_t *data, size_t size, bool swap)
{
	struct package_part part[NR_PACKAGE_SECTIONS];
	struct package_index x;
	u64 id;

	if (!package_index_read(&x, data, size, swap))
		return;
	for (u32 i = 0; i < SLOTS_TRIED && i < x.nr_slots; i++) {
		memcpy(&id, x.ids + 8 * i, sizeof(id));
		package_index_find(&x, id, part);
		package_index_row(&x, i, part);
	}
}

static void try_lines(const char *path)
{
	struct dwarf_lines *d = dwarf_lines_open(path, NULL, true);
	struct arena arena = { 0 };
	struct line_info info;
	size_t sum = 0;

	for (u64 a = 0; d && a < ADDRESSES; a++)
		if (dwarf_lines_find(d, a, true, &arena, &info))
			for (u32 i = 0; i < info.nr_inlined; i++)
				sum += strlen(info.inlined[i].name);
	if (sum == SIZE_MAX)
		abort();
	dwarf_lines_free(d);
	arena_release(&arena);
}

static void try_types(const char *path)
{
	struct dwarf_types *d = dwarf_types_open(path, NULL);
	struct dwarf_function f;
	s64 off;

	for (u64 a = 0; d && a < ADDRESSES; a += 8) {
		if (!dwarf_function_read(d, a, &f))
			continue;
		dwarf_types_static(d, &f, a, &off);
		vec_foreach(&f.variable, v)
			dwarf_type_at(d, v->type, 4, NULL);
		dwarf_function_release(&f);
	}
	dwarf_types_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t len;

	try_index(data, size, false);
	try_index(data, size, true);
	if (size < sizeof(len))
		return 0;
	memcpy(&len, data, sizeof(len));
	data += sizeof(len);
	size -= sizeof(len);
	if (len > size)
		return 0;
	make_dir();
	put_file(program, data, len);
	put_file(package, data + len, size - len);
	try_lines(program);
	try_types(program);
	return 0;
}
