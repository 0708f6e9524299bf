/* Texts of what samples made of hardware traces say. */
#include "insn-flags.h"

static const struct {
	u32 flags;
	const char *name;
} names[] = {
	{ INSN_BRANCH | INSN_CALL, "call" },
	{ INSN_BRANCH | INSN_RETURN, "return" },
	{ INSN_BRANCH | INSN_CONDITIONAL, "jcc" },
	{ INSN_BRANCH, "jmp" },
	{ INSN_BRANCH | INSN_CALL | INSN_INTERRUPT, "int" },
	{ INSN_BRANCH | INSN_RETURN | INSN_INTERRUPT, "iret" },
	{ INSN_BRANCH | INSN_CALL | INSN_SYSCALL, "syscall" },
	{ INSN_BRANCH | INSN_RETURN | INSN_SYSCALL, "sysret" },
	{ INSN_BRANCH | INSN_ASYNC, "async" },
	{ INSN_BRANCH | INSN_CALL | INSN_ASYNC | INSN_INTERRUPT, "hw int" },
	{ INSN_BRANCH | INSN_TX_ABORT, "tx abrt" },
	{ INSN_BRANCH | INSN_CALL | INSN_VM_ENTRY, "vmentry" },
	{ INSN_BRANCH | INSN_CALL | INSN_VM_EXIT, "vmexit" },
};

void insn_flags_put(u64 flags, struct strbuf *out)
{
	const u32 ends = INSN_TRACE_BEGIN | INSN_TRACE_END;

	if (flags & INSN_TRACE_BEGIN)
		strbuf_addstr(out, "tr strt ");
	else if (flags & INSN_TRACE_END)
		strbuf_addstr(out, "tr end  ");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].flags == ((u32)flags & ~(ends | INSN_IN_TX)))
			strbuf_addstr(out, names[i].name);
}

void made_event_put(u64 config, u64 made, bool exact, struct strbuf *out)
{
	u32 low = made, high = made >> 32;

	switch (config) {
	case MADE_PTWRITE:
		strbuf_addf(out, "IP: %d payload: %#llx", exact, (unsigned long long)made);
		break;
	case MADE_MWAIT:
		strbuf_addf(out, "hints: %#x extensions: %#x", low & 0xff, high & 3);
		break;
	case MADE_PWRE:
		strbuf_addf(out, "hw: %u cstate: %u sub-cstate: %u", low >> 7 & 1, low >> 12 & 15,
			    low >> 8 & 15);
		break;
	case MADE_EXSTOP:
		strbuf_addf(out, "ip: %d", exact);
		break;
	case MADE_PWRX:
		strbuf_addf(out, "deepest cstate: %u last cstate: %u wake reason: %#x", low & 15,
			    low >> 4 & 15, low >> 8 & 15);
		break;
	case MADE_CBR:
		strbuf_addf(out, "cbr: %u freq: %u MHz", low & 0xffff, (high + 500) / 1000);
		if (low >> 16)
			strbuf_addf(out, " (%u%%)", (low & 0xffff) * 100 / (low >> 16));
		break;
	case MADE_PSB:
		strbuf_addf(out, "psb offs: %#llx", (unsigned long long)made);
		break;
	}
}
