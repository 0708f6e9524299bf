/* Fuzz target: what perf daemon reads, a message of its socket and values of run; the first byte selects. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/base/alloc.h"
#include "../../util/base/strbuf.h"
#include "../../util/daemon/client.h"
#include "../../util/daemon/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_message(const uint8_t *data, size_t size)
{
	/* with the size of the message, so that sanitizers see reads beyond its end */
	struct daemon_message *m = xmalloc(MAX(size, 1));
	struct strbuf text = STRBUF_INIT;

	memcpy(m, data, size);
	if (size <= sizeof(*m) && !daemon_message_check(m, size, NULL)) {
		struct daemon_row row = { m->kind, m->state, m->pid, m->code, m->age_s, m->name, m->text };
		struct daemon_answer a = { .v = &row, .nr = 1 };

		daemon_list_text(&text, &a, 0, true);
		daemon_list_text(&text, &a, ',', false);
		daemon_ping_text(&text, &a);
		daemon_signal_text(&text, &a);
		daemon_row_reason(&text, &row, "/base");
	}
	strbuf_release(&text);
	free(m);
}

static void read_run(const uint8_t *data, size_t size)
{
	char *run = xstrndup((const char *)data, size);
	struct daemon_words words = { 0 };

	daemon_words_split(&words, run, NULL);
	vec_foreach(&words, w)
		if (strlen(*w) > size)
			abort();
	daemon_words_release(&words);
	free(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (*data == 'm')
		read_message(data + 1, size - 1);
	else
		read_run(data + 1, size - 1);
	return 0;
}
