/*
 * Mini-elf: small ELF files for unit tests, written with libelf: a text segment, symbols, a build-id, a debug
 * link. Memory is not freed, because it is used in one test only.
 */
#ifndef PERF_TESTS_UNIT_MINI_ELF_H
#define PERF_TESTS_UNIT_MINI_ELF_H

#include <elf.h>
#include "../../util/base/types.h"

struct mini_sym {
	const char *name;
	u64 value, size;
	u8 bind, type;		/* STB_*, STT_* */
};

struct mini_elf {
	u16 type, machine;	/* 0: ET_DYN, EM_X86_64 */
	bool is32, big_endian;
	/* text is one page of the file at text_off; both page-aligned, text_off at least 4096 */
	u64 text_svma, text_off;
	const u8 *buildid;	/* 20 bytes or NULL */
	const char *debuglink;
	u32 crc;
	const struct mini_sym *sym, *dynsym;	/* end with a NULL name */
	bool no_text;		/* as in a file with debug sections only */
	const void *debugdata;	/* .gnu_debugdata */
	size_t debugdata_len;
	const void *eh_frame;	/* .eh_frame */
	size_t eh_frame_len;
	const void *plt, *rela_plt;	/* .plt, half a page into text; .rela.plt, for symbols of dynsym */
	size_t plt_len, rela_plt_len;
};

/* makes the directories of path, too */
void mini_elf_write(const char *path, const struct mini_elf *e);

#endif
