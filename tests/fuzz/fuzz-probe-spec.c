/* Fuzz target: definitions of probes: parsed, described. */
#include <stdlib.h>
#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/probe/spec-parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct probe_spec spec;

	if (!probe_spec_parse(&spec, text, &err)) {
		probe_spec_describe(&spec, &out);
		if (!out.len || err.code)
			abort();
		/* what is printed cannot drive a terminal */
		for (size_t i = 0; i < out.len; i++)
			if ((u8)out.buf[i] < ' ')
				abort();
	} else if (err.code != -22 || !err.msg[0]) {
		abort();
	}
	strbuf_release(&out);
	probe_spec_release(&spec);
	free(text);
	return 0;
}
