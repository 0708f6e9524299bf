/* Fuzz target: files of folded stacks, shown as text, folded again, and as pages. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../ui/format.h"
#include "../../util/hist/folded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = { "text", "json", "folded", "svg", "flamegraph" };
	char *text = xmalloc(size + 1);
	struct diag diag = { 0 };
	struct view *v;

	memcpy(text, data, size);
	text[size] = '\0';
	v = folded_view_of(text, size, size % 2 ? 0.5 : 0, &diag, NULL);
	free(text);
	if (!v)
		return 0;
	for (u32 i = 0; i < ARRAY_SIZE(formats); i++) {
		struct text_opts o = { .graph = GRAPH_TREE };
		FILE *out = fopen("/dev/null", "w");

		if (!out)
			abort();
		if (format_find(formats[i])->show(v, &o, out))
			abort();
		fclose(out);
	}
	view_free(v);
	return 0;
}
