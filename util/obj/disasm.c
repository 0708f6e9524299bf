/* Disasm: see disasm.h. */
#include "disasm.h"
#include "../../arch/arch.h"
#include "../base/alloc.h"
#include "../base/plugin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct disasm {
	const struct disasm_plugin_ops *ops;
	void *handle;
	u8 step;
};

/* bytes from one possible beginning of an instruction to the next */
static u8 smallest(const struct disasm_target *t)
{
	const struct arch *a = arch_by_machine(t->e_machine);

	return a ? a->insn_align : 4;
}

struct disasm *disasm_open(const struct disasm_target *t, struct err *err)
{
	const struct disasm_plugin_ops *ops = plugin_load("libcapstone", sizeof(*ops), err);
	char msg[200] = "";
	struct disasm *d;
	void *handle;

	if (!ops)
		return NULL;
	handle = ops->open(t, msg, sizeof(msg));
	if (!handle) {
		err_set(err, -ENOTSUP, "%s", msg);
		return NULL;
	}
	d = xcalloc(1, sizeof(*d));
	d->ops = ops;
	d->handle = handle;
	d->step = smallest(t);
	return d;
}

void disasm_next(struct disasm *d, const u8 *code, size_t len, u64 addr, struct disasm_insn *ret)
{
	*ret = (struct disasm_insn){ .addr = addr };
	if (d->ops->next(d->handle, code, len, addr, ret) && ret->size && ret->size <= len)
		return;
	*ret = (struct disasm_insn){ .addr = addr, .size = MIN(d->step, len), .mnemonic = "(bad)" };
}

void disasm_close(struct disasm *d)
{
	if (!d)
		return;
	d->ops->close(d->handle);
	free(d);
}
