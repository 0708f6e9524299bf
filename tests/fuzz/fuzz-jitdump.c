/*
 * Fuzz target of util/obj/jitdump and jit-elf: a jitdump file, whose functions become ELF files that are
 * read.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/obj/elf-obj.h"
#include "../../util/obj/jit-elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_elf(const struct jitdump *d, const struct jit_entry *e)
{
	struct strbuf elf = STRBUF_INIT;
	u8 id[JIT_ELF_ID_LEN], read[ELF_BUILDID_MAX];
	struct elf_obj *o;
	size_t len;

	jit_elf_build(&elf, d, e, id);
	len = elf.len;
	o = elf_obj_from_image(strbuf_detach(&elf), len, "fuzz", NULL);
	/* what was just made is readable, whatever it was made of */
	if (o && (elf_obj_buildid(o, read) != JIT_ELF_ID_LEN || memcmp(id, read, sizeof(id))))
		abort();
	elf_obj_free(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jit_line_iter lines;
	struct jit_entry e;
	struct jit_line l;
	struct jitdump d;

	if (jitdump_of_bytes(&d, data, size, "fuzz", NULL))
		return 0;
	for (int i = 0; i < 1000 && jitdump_next(&d, &e); i++) {
		for (lines = jit_lines(&d, &e); jit_line_next(&lines, &l);)
			if (!strlen(l.file) && !l.line)
				continue;
		if (e.kind == JIT_LOAD && !d.swap)
			try_elf(&d, &e);
	}
	jitdump_close(&d);
	return 0;
}
