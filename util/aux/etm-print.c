/* Packets of CoreSight ETMv4 and ETE as text, by the names that the architecture gives them. */
#include "etm-packet.h"

static const char *const names[] = {
	[ETM_BAD] = "bad packet", [ETM_ASYNC] = "ASYNC", [ETM_DISCARD] = "DISCARD",
	[ETM_OVERFLOW] = "OVERFLOW", [ETM_TRACE_INFO] = "TRACE_INFO", [ETM_TIMESTAMP] = "TIMESTAMP",
	[ETM_TRACE_ON] = "TRACE_ON", [ETM_FUNC_RET] = "FUNC_RET", [ETM_EXCEPT] = "EXCEPT",
	[ETM_EXCEPT_RTN] = "EXCEPT_RTN", [ETM_RESYNC] = "RESYNC", [ETM_ITE] = "ITE",
	[ETM_TRANS_START] = "TRANS_START", [ETM_TRANS_COMMIT] = "TRANS_COMMIT", [ETM_CCNT] = "CCNT",
	[ETM_DATA_SYNC] = "DATA_SYNC", [ETM_COMMIT] = "COMMIT", [ETM_CANCEL] = "CANCEL",
	[ETM_MISPREDICT] = "MISPREDICT", [ETM_CONDITIONAL] = "COND", [ETM_IGNORE] = "IGNORE",
	[ETM_EVENT] = "EVENT", [ETM_CONTEXT] = "CTXT", [ETM_ADDR] = "ADDR", [ETM_TS_MARKER] = "TS_MARKER",
	[ETM_SRC_ADDR] = "SRC_ADDR", [ETM_Q] = "Q", [ETM_ATOM] = "ATOM",
};

static const char *const exceptions[] = {
	[0] = "PE Reset", [1] = "Debug Halt", [2] = "Call", [3] = "Trap", [4] = "System Error",
	[6] = "Inst Debug", [7] = "Data Debug", [10] = "Alignment", [11] = "Inst Fault", [12] = "Data Fault",
	[14] = "IRQ", [15] = "FIQ", [24] = "Transaction Failure",
};

/* "_L_64IS0": how the address is written */
static void print_form(const struct etm_packet *p, struct strbuf *out)
{
	u32 h = p->header, low = h & 15;

	if (p->match)
		strbuf_addf(out, "_MATCH[%u]", p->match - 1u);
	else if (h >= 0xb0)
		strbuf_addf(out, "_%sIS%u", low < 6 ? "S_" : low < 8 ? "L_32" : "L_64", low & 1);
	else if (h < 0x90)
		strbuf_addf(out, "_CTXT_L_%sIS%u", low >= 5 ? "64" : "32", low == 3 || low == 6);
	else if (low == 5 || low == 6)
		strbuf_addf(out, "_S_IS%u", low - 5);
	else if (p->type == ETM_Q)
		strbuf_addf(out, "_L_32IS%u", low - 10);
	else
		strbuf_addf(out, "_L_%sIS%u", low >= 13 ? "64" : "32", low == 11 || low == 14);
}

static void print_atoms(const struct etm_packet *p, struct strbuf *out)
{
	if (p->nr)
		strbuf_addch(out, ' ');
	for (u32 i = 0; i < p->nr; i++)
		strbuf_addch(out, p->atoms >> i & 1 ? 'E' : 'N');
}

static u32 atom_format(u8 h)
{
	if (h >= 0xf8)
		return 3;
	if (h >= 0xf6)
		return 1;
	if (h == 0xf5 || (h >= 0xd5 && h < 0xd8))
		return 5;
	return h >= 0xd8 && h < 0xe0 ? h < 0xdc ? 2 : 4 : 6;
}

static void print_context(const struct etm_context *c, struct strbuf *out)
{
	static const char *const states[] = { "S", "NS", "Root", "Realm" };

	strbuf_addf(out, " EL%u %s %s", c->el, states[c->state & 3], c->is64 ? "AArch64" : "AArch32");
	if (c->has_ctx)
		strbuf_addf(out, " CID=0x%x", c->ctx);
	if (c->has_vmid)
		strbuf_addf(out, " VMID=0x%x", c->vmid);
}

static void print_exception(const struct etm_packet *p, struct strbuf *out)
{
	const char *name = p->exception < ARRAY_SIZE(exceptions) ? exceptions[p->exception] : NULL;

	if (name)
		strbuf_addf(out, " %s", name);
	else
		strbuf_addf(out, " 0x%x", p->exception);
	if (p->addr_follows)
		strbuf_addf(out, "; return address follows%s",
			    p->match_prev ? ", target of the last branch" : "");
}

static void print_counts(const struct etm_packet *p, struct strbuf *out)
{
	if (p->commits)
		strbuf_addf(out, " %s=%u", p->type == ETM_TRACE_INFO ? "SPEC" : "commit", p->commits);
	if (p->cancels)
		strbuf_addf(out, " cancel=%u", p->cancels);
	if (p->has_count)
		strbuf_addf(out, " %s=%u", p->type == ETM_Q ? "instructions" :
			    p->type == ETM_TRACE_INFO ? "CYCT" : "cycles", p->count);
	if (p->mispredicts && p->type == ETM_CANCEL)
		strbuf_addstr(out, " MISPREDICT");
}

void etm_packet_print(const struct etm_packet *p, struct strbuf *out)
{
	unsigned long long v = p->value;

	strbuf_addstr(out, names[p->type]);
	switch (p->type) {
	case ETM_ADDR: case ETM_SRC_ADDR: case ETM_Q:
		if (p->has_addr) {
			print_form(p, out);
			strbuf_addf(out, " 0x%llx", v);
		}
		break;
	case ETM_ATOM:
		strbuf_addf(out, "_F%u", atom_format(p->header));
		break;
	case ETM_CCNT:
		strbuf_addf(out, "_F%u", p->header >= 0x10 ? 3 : p->header >= 0x0e ? 1 : 2);
		break;
	case ETM_TRACE_INFO:
		strbuf_addf(out, " INFO=0x%llx", v);
		break;
	case ETM_TIMESTAMP:
		strbuf_addf(out, " 0x%llx", v);
		break;
	case ETM_ITE:
		strbuf_addf(out, " EL%u 0x%llx", p->el, v);
		break;
	case ETM_EVENT:
		strbuf_addf(out, " 0x%llx", v);
		break;
	case ETM_CONTEXT:
		strbuf_addstr(out, p->has_context ? "" : " same");
		break;
	case ETM_EXCEPT:
		return print_exception(p, out);
	case ETM_DATA_SYNC: case ETM_CONDITIONAL: case ETM_BAD:
		strbuf_addf(out, " 0x%02x", p->header);
		break;
	}
	print_atoms(p, out);
	print_counts(p, out);
	if (p->has_context)
		print_context(&p->context, out);
}
