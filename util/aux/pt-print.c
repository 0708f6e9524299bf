/* Packets of Intel Processor Trace as text, with the words that upstream's dump has. */
#include "pt-packet.h"

static const char *const names[] = {
	[PT_BAD] = "Bad packet!", [PT_PAD] = "PAD", [PT_TNT] = "TNT", [PT_TIP] = "TIP",
	[PT_TIP_PGE] = "TIP.PGE", [PT_TIP_PGD] = "TIP.PGD", [PT_FUP] = "FUP", [PT_PIP] = "PIP",
	[PT_MODE_EXEC] = "MODE.Exec", [PT_MODE_TSX] = "MODE.TSX", [PT_TRACE_STOP] = "TraceSTOP",
	[PT_CBR] = "CBR", [PT_TSC] = "TSC", [PT_TMA] = "TMA", [PT_MTC] = "MTC", [PT_CYC] = "CYC",
	[PT_VMCS] = "VMCS", [PT_OVF] = "OVF", [PT_MNT] = "MNT", [PT_PTW] = "PTWRITE", [PT_EXSTOP] = "EXSTOP",
	[PT_MWAIT] = "MWAIT", [PT_PWRE] = "PWRE", [PT_PWRX] = "PWRX", [PT_BBP] = "BBP", [PT_BIP] = "BIP",
	[PT_BEP] = "BEP", [PT_CFE] = "CFE", [PT_EVD] = "EVD", [PT_PSB] = "PSB", [PT_PSBEND] = "PSBEND",
};

static u32 bits(u64 v, u32 low, u32 nr)
{
	return v >> low & ((1u << nr) - 1);
}

static void print_tnt(const struct pt_packet *p, struct strbuf *out)
{
	strbuf_addch(out, ' ');
	for (u32 i = 0; i < p->nr; i++)
		strbuf_addch(out, p->payload >> (63 - i) & 1 ? 'T' : 'N');
	strbuf_addf(out, " (%u)", p->nr);
}

static void print_ip(const struct pt_packet *p, struct strbuf *out)
{
	if (p->nr)
		strbuf_addf(out, " 0x%llx", (unsigned long long)p->payload);
	else
		strbuf_addstr(out, " no ip");
}

static void print_mode(const struct pt_packet *p, struct strbuf *out)
{
	if (p->type == PT_MODE_TSX)
		strbuf_addf(out, " TXAbort:%u InTX:%u", bits(p->payload, 1, 1), bits(p->payload, 0, 1));
	else
		strbuf_addf(out, " IF:%u %u", bits(p->payload, 2, 1),
			    p->payload & 1 ? 64 : p->payload & 2 ? 32 : 16);
}

static void print_power(const struct pt_packet *p, struct strbuf *out)
{
	unsigned long long v = p->payload;

	strbuf_addf(out, " 0x%llx", v);
	if (p->type == PT_MWAIT)
		strbuf_addf(out, " Hints 0x%x Extensions 0x%x", bits(v, 0, 8), bits(v, 32, 2));
	else if (p->type == PT_PWRE)
		strbuf_addf(out, " HW:%u CState:%u Sub-CState:%u", bits(v, 7, 1), bits(v, 12, 4),
			    bits(v, 8, 4));
	else
		strbuf_addf(out, " Last CState:%u Deepest CState:%u Wake Reason 0x%x", bits(v, 4, 4),
			    bits(v, 0, 4), bits(v, 8, 4));
}

void pt_packet_print(const struct pt_packet *p, struct strbuf *out)
{
	unsigned long long v = p->payload;

	strbuf_addstr(out, names[p->type]);
	switch (p->type) {
	case PT_TNT:
		return print_tnt(p, out);
	case PT_TIP: case PT_TIP_PGE: case PT_TIP_PGD: case PT_FUP:
		return print_ip(p, out);
	case PT_MODE_EXEC: case PT_MODE_TSX:
		return print_mode(p, out);
	case PT_MWAIT: case PT_PWRE: case PT_PWRX:
		return print_power(p, out);
	case PT_CBR: case PT_TSC: case PT_MTC: case PT_CYC: case PT_VMCS: case PT_MNT:
		strbuf_addf(out, " 0x%llx", v);
		break;
	case PT_PIP:
		strbuf_addf(out, " 0x%llx (NR=%u)", v >> 1, bits(v, 0, 1));
		break;
	case PT_TMA:
		strbuf_addf(out, " CTC 0x%x FC 0x%x", bits(v, 0, 16), bits(v, 24, 9));
		break;
	case PT_PTW:
		strbuf_addf(out, " 0x%llx IP:%u", v, p->nr);
		break;
	case PT_EXSTOP: case PT_BEP:
		strbuf_addf(out, " IP:%u", p->nr);
		break;
	case PT_BBP:
		strbuf_addf(out, " SZ %s-byte Type 0x%x", v & 0x80 ? "4" : "8", bits(v, 0, 5));
		break;
	case PT_BIP:
		strbuf_addf(out, " ID 0x%02x Value 0x%llx", p->nr, v);
		break;
	case PT_CFE:
		strbuf_addf(out, " IP:%u Type 0x%02x Vector 0x%x", bits(v, 7, 1), bits(v, 0, 5),
			    bits(v, 8, 8));
		break;
	case PT_EVD:
		strbuf_addf(out, " Type 0x%02x Payload 0x%llx", p->nr, v);
		break;
	}
}
