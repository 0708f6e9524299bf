/* Fuzz target: probes of the build-id cache: text, names, and the same text again. */
#include <stdlib.h>
#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/probe/cached.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	struct strbuf once = STRBUF_INIT, twice = STRBUF_INIT;
	const struct probe_planned new = { .group = "probe_a", .event = "main",
					   .definition = "p:probe_a/main /bin/a:0x1140" };
	struct cached_probes a = { 0 }, b = { 0 };

	cached_probes_parse(&a, text);
	cached_probes_put(&a, '#', "main", &new, size % 2);
	vec_foreach(&a, p)
		cached_probe_matches(p, "probe*:ma?n");
	cached_probes_text(&a, &once);
	cached_probes_parse(&b, strbuf_str(&once));
	cached_probes_text(&b, &twice);
	/* what was understood is understood again */
	if (strcmp(strbuf_str(&once), strbuf_str(&twice)))
		abort();
	cached_probes_release(&a);
	cached_probes_release(&b);
	strbuf_release(&once);
	strbuf_release(&twice);
	free(text);
	return 0;
}
