/* Fuzz target of util/obj/sympack: packed symbols; what was read is written, and is read again. */
#include <stdint.h>
#include <stdlib.h>

#include "../../util/obj/sympack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sympack *p = sympack_read(data, size, NULL), *again;
	struct strbuf out = STRBUF_INIT;

	if (!p)
		return 0;
	for (u32 i = 0; i < p->nr; i++)
		for (u32 k = 0; k < p->dso[i].nr_lines; k++)
			if (!sympack_line(&p->dso[i], p->dso[i].line[k].addr))
				abort();
	sympack_write(&out, p->dso, p->nr);
	again = sympack_read(out.buf, out.len, NULL);
	if (!again || again->nr != p->nr)
		abort();
	sympack_free(again);
	sympack_free(p);
	strbuf_release(&out);
	return 0;
}
