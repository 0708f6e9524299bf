/* Fuzz target: markers of programs: arguments for each architecture, and notes of an ELF file. */
#include <stdlib.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../../util/base/strbuf.h"
#include "../../util/obj/elf-obj.h"
#include "../../util/obj/sdt.h"
#include "../../util/probe/sdt-args.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool symbol(void *ctx, const char *name, s64 add, struct strbuf *out)
{
	strbuf_addf(out, "@%s%+ld", name, add);
	return name[0] != 'x';
}

static void fuzz_args(const char *text)
{
	for (size_t i = 0; arch_row(i); i++) {
		struct strbuf out = STRBUF_INIT;
		const char *s = text;
		size_t len;

		while ((len = sdt_arg_len(s += strspn(s, " \t\n")))) {
			size_t before = out.len;

			if (sdt_arg_text(arch_row(i), true, s, len, i % 2 ? symbol : NULL, NULL, &out) &&
			    out.len != before)
				abort();
			s += len;
		}
		strbuf_release(&out);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	struct sdt_markers m = { 0 };
	void *image = malloc(size + 1);
	struct elf_obj *o;

	fuzz_args(text);
	memcpy(image, data, size);
	o = elf_obj_from_image(image, size, "fuzz", NULL);
	if (o)
		sdt_markers_read(o, &m);
	sdt_markers_release(&m);
	elf_obj_free(o);
	free(text);
	return 0;
}
