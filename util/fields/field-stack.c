/* Fields: why the call chain of a sample ends. */
#include "field-family.h"

#include "../resolve/resolver.h"
#include "field-worker.h"

static u64 slot_stack_end(const struct resolved_sample *rs)
{
	struct sample_chain chain;

	if (!rs->worker || !rs->worker->resolver || !rs->sample->callchain)
		return 0;
	chain = sample_chain_of(rs->worker->resolver, rs->sample, &rs->ctx, RESOLVE_MAX_UNWOUND);
	return stack_end_find(&chain);
}

static void format_stack_end(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	stack_end_format(key, machine_dsos(ctx->machine), out);
}

const struct field field_stack_end = { .name = "stack_end", .title = "Stack End", .kind = FIELD_SLOT,
	.slot = slot_stack_end, .format = format_stack_end, .type = VIEW_TEXT, .zero_is_absent = true,
	.help = "why the user part of the call chain ends" };
