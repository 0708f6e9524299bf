/*
 * Fuzz: the format of one tracepoint, as text up to the first NUL, and after it a payload, of which also
 * shorter ones are printed: by the compiled program, by libtraceevent, and field by field.
 */
#include "../../util/tep/tracefmt.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
/* the library of the sanitizer looks for it */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);

/* of a damaged format the library forgets parts that it has read */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

static const char *resolve(void *ctx, u64 addr, u64 *ret_start, const char **ret_mod)
{
	*ret_start = addr & ~15ull;
	*ret_mod = addr & 16 ? "mod" : NULL;
	return addr & 32 ? "function" : NULL;
}

/* the file that holds formats, with this one */
static void make_blob(struct strbuf *blob, const char *format, u64 len)
{
	static const char head[] = "\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0header_page\0\2\0\0\0\0\0\0\0ab"
				   "header_event\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0fuzz\0\1\0\0";
	static const char tail[] = "\0\0\0\0\x1f\0\0\0" "0xffffffff81000030 : \"text %d\"\n\0\0\0\0\0\0\0";

	strbuf_add(blob, head, sizeof(head));
	strbuf_add(blob, (const char *)&len, sizeof(len));
	strbuf_add(blob, format, len);
	strbuf_add(blob, tail, sizeof(tail));
}

static void print(struct tracefmt *t, const struct tracefmt_event *ev, const u8 *raw, u32 size)
{
	u8 *copy = memcpy(malloc(size + 1), raw, size);	/* reading past the payload is seen */
	struct strbuf text = STRBUF_INIT;
	const struct tracefmt_field *f;
	u32 len;
	u64 v;

	tracefmt_print(t, ev, copy, size, &text);
	tracefmt_print_fields(t, ev, copy, size, &text);
	for (u32 n = 0; (f = tracefmt_nth_field(ev, n)); n++) {
		tracefmt_print_field(t, ev, f, copy, size, &text);
		tracefmt_value(t, f, copy, size, &v);
		tracefmt_bytes(t, f, copy, size, &len);
		if (!tracefmt_field(ev, f->name))
			abort();
	}
	strbuf_release(&text);
	free(copy);
}

static void print_all(const struct strbuf *blob, const u8 *raw, size_t size, bool slow)
{
	struct err err = ERR_INIT;
	struct tracefmt *t = tracefmt_new(blob->buf, blob->len, &err);
	const struct tracefmt_event *ev;
	u64 id;

	if (!t) {
		if (!err.code)
			abort();
		return;
	}
	tracefmt_set_slow(t, slow);
	tracefmt_set_resolver(t, resolve, NULL);
	for (u32 n = 0; tracefmt_nth_id(t, n, &id); n++) {
		ev = tracefmt_event(t, id);
		if (ev && tracefmt_event_compiled(ev))
			tracefmt_event_for_library(ev);
		for (size_t len = size; ev && len; len /= 2)
			print(t, ev, raw, len);
	}
	tracefmt_free(t);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const u8 *end = memchr(data, 0, size);
	size_t len = end ? (size_t)(end - data) : size, rest = size - len;
	struct strbuf blob = STRBUF_INIT;

	make_blob(&blob, (const char *)data, len);
	if (rest)
		rest--;
	print_all(&blob, data + size - rest, MIN(rest, 4096u), false);
	print_all(&blob, data + size - rest, MIN(rest, 4096u), true);
	strbuf_release(&blob);
	return 0;
}
