/* Wall-no-stack: see wall-no-stack.h. */
#include "wall-no-stack.h"
#include "inject-private.h"
#include "../event/record-put.h"

#include <linux/perf_event.h>

/* in the last page but one: the last one has no mapping, because errors look like pointers to it */
#define FIRST_ADDRESS 0xffffffffffffe000ull
#define BYTES 16u

enum no_stack_kind { NOT_YET, UNKNOWN, NR_KINDS };

static const struct {
	const char *name;
	u64 chain[WALL_NO_STACK_FRAMES];
} rows[NR_KINDS] = {
	/* it begins, and has never left a CPU */
	[NOT_YET] = { "[no stack yet]", { PERF_CONTEXT_KERNEL, FIRST_ADDRESS } },
	[UNKNOWN] = { "[no stack]", { PERF_CONTEXT_KERNEL, FIRST_ADDRESS + BYTES } },
};

const u64 *wall_no_stack_chain(enum wall_state state, s32 waker)
{
	/* only the first slice has a waker then */
	bool begins = state == WALL_RUNNABLE && waker >= 0;

	return rows[begins ? NOT_YET : UNKNOWN].chain;
}

void wall_no_stack_put_names(const struct inject *in, struct strbuf *out)
{
	struct strbuf trailer = STRBUF_INIT;

	inject_put_trailer(in, &trailer, 0, 0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		record_put(out, &(struct record_view){ .type = REC_KSYMBOL,
			.ksymbol = { .addr = rows[i].chain[1], .len = BYTES, .name = rows[i].name } },
			trailer.buf, trailer.len);
	strbuf_release(&trailer);
}
