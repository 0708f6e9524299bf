/* Texts of what samples made of hardware traces say. */
#include "insn-flags.h"
#include "dtl-entry.h"
#include "event.h"
#include "sample.h"

#include <string.h>

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

static void put_letters(u32 kind, struct strbuf *out)
{
	static const char letters[] = "bcro";	/* by their bits; combinations of others have names */

	for (u32 i = 0; i < strlen(letters); i++)
		if (kind >> i & 1)
			strbuf_addch(out, letters[i]);
}

void insn_flags_put(u64 flags, struct strbuf *out)
{
	const u32 ends = INSN_TRACE_BEGIN | INSN_TRACE_END, how = INSN_MISPREDICTED | INSN_NOT_TAKEN;
	u32 kind = (u32)flags & ~(ends | how | INSN_IN_TX | INSN_IRQS_OFF | INSN_IRQS_CHANGE);
	size_t len;

	if (flags & INSN_TRACE_BEGIN)
		strbuf_addstr(out, "tr strt ");
	else if (flags & INSN_TRACE_END)
		strbuf_addstr(out, "tr end  ");
	len = out->len;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].flags == kind)
			strbuf_addstr(out, names[i].name);
	if (flags & how)
		strbuf_addf(out, "/%s%s%s/", flags & INSN_MISPREDICTED ? "miss" : "",
			    (flags & how) == how ? "," : "", flags & INSN_NOT_TAKEN ? "not_taken" : "");
	else if (out->len == len)
		put_letters(kind, out);
}

void insn_marks_put(u64 flags, struct strbuf *out)
{
	if (flags & (INSN_IN_TX | INSN_IRQS_OFF | INSN_IRQS_CHANGE))
		strbuf_addf(out, "(%s%s%s)", flags & INSN_IN_TX ? "x" : "", flags & INSN_IRQS_OFF ? "D" : "",
			    flags & INSN_IRQS_CHANGE ? "t" : "");
}

static u64 read_le(const u8 *p)
{
	u64 v = 0;

	for (u32 i = 0; i < 8; i++)
		v |= (u64)p[i] << 8 * i;
	return v;
}

/* by their numbers in CFE and EVD packets; NULL: shown as a number */
static const char *const cfe_names[32] = {
	NULL, "INTR", "IRET", "SMI", "RSM", "SIPI", "INIT", "VMENTRY", "VMEXIT", "VMEXIT_INTR", "SHUTDOWN",
};
static const char *const evd_names[64] = { "PFA", "VMXQ", "VMXR" };

static void put_evt(const struct sample *sm, struct strbuf *out)
{
	const u8 *raw = sm->raw;
	u32 type = sm->made & 31;

	if (cfe_names[type])
		strbuf_addf(out, "cfe: %s", cfe_names[type]);
	else
		strbuf_addf(out, "cfe: %u", type);
	strbuf_addf(out, " IP: %d vector: %u", (int)(sm->made >> 7 & 1), (u32)(sm->made >> 8 & 0xff));
	for (u32 i = 0, at = MADE_EVT_RAW; at + MADE_EVT_ITEM <= sm->raw_size && i < raw[2]; i++) {
		u32 id = raw[at] & 63;

		if (evd_names[id])
			strbuf_addf(out, " %s: ", evd_names[id]);
		else
			strbuf_addf(out, " EVD_%u: ", id);
		strbuf_addf(out, "%#llx", (unsigned long long)read_le(raw + at + 8));
		at += MADE_EVT_ITEM;
	}
}

static void put_iflag(u64 made, struct strbuf *out)
{
	bool on = made & MADE_IFLAG_ON;

	strbuf_addf(out, "IFLAG: %d->%d %s branch", !on, on, made & MADE_IFLAG_BRANCH ? "via" : "non");
}

static void put_dtl(const struct sample *sm, struct strbuf *out)
{
	struct dtl_entry e;

	if (sm->raw_size < DTL_ENTRY_SIZE)
		return;
	e = dtl_entry_read(sm->raw);
	dtl_entry_put(&e, out);
}

/* programs write letters, too: bytes that are printable up to the first NUL, after which all are NULs */
static void put_payload(u64 payload, struct strbuf *out)
{
	char text[sizeof(payload) + 1] = { 0 };
	size_t len = 0;

	strbuf_addf(out, "payload: %#llx", (unsigned long long)payload);
	for (; payload; payload >>= 8, len++) {
		text[len] = payload & 0xff;
		if (text[len] < 0x20 || text[len] > 0x7e)
			return;
	}
	if (len)
		strbuf_addf(out, " %s", text);
}

void made_event_put(const struct sample *sm, struct strbuf *out)
{
	bool exact = sm->insn_flags & INSN_EXACT;
	u64 made = sm->made;
	u32 low = made, high = made >> 32;

	switch (sm->event->attr.config) {
	case MADE_PTWRITE:
		strbuf_addf(out, "IP: %d ", exact);
		put_payload(made, out);
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
		strbuf_addf(out, "cbr: %2u freq: %4u MHz", low & 0xffff, (high + 500) / 1000);
		if (low >> 16)
			strbuf_addf(out, " (%3u%%)", ((low & 0xffff) * 100 + (low >> 17)) / (low >> 16));
		break;
	case MADE_PSB:
		strbuf_addf(out, "psb offs: %#llx", (unsigned long long)made);
		break;
	case MADE_EVT:
		return put_evt(sm, out);
	case MADE_IFLAG:
		return put_iflag(made, out);
	case MADE_VPA_DTL:
		return put_dtl(sm, out);
	}
}
