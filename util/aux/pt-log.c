/* The debug log of the decoder of Intel PT: packets, instructions and errors, as they are met. */
#include "log.h"
#include "pt-walk.h"

enum { HEX_BYTES = 16 };

static void add_hex(struct strbuf *out, const u8 *p, size_t len)
{
	size_t at = out->len;

	for (size_t i = 0; i < MIN(len, (size_t)HEX_BYTES); i++)
		strbuf_addf(out, "%s%02x", i ? " " : "", p[i]);
	strbuf_pad(out, ' ', HEX_BYTES * 3 - (out->len - at));
}

void pt_log_piece(struct pt_walk *w)
{
	const struct aux_piece *p = w->piece;

	strbuf_addf(aux_log_text(w->out), "cpu %d tid %d: %zu bytes from 0x%llx on\n", (int)p->cpu, p->tid,
		    p->b.len, (unsigned long long)p->b.off);
}

void pt_log_packet(struct pt_walk *w, u64 off, const u8 *p, size_t len, const struct pt_packet *pk)
{
	struct strbuf *out = aux_log_text(w->out);

	strbuf_addf(out, "  %08llx:  ", (unsigned long long)off);
	add_hex(out, p, len);
	pt_packet_print(pk, out);
	strbuf_addch(out, '\n');
}

void pt_log_time(struct pt_walk *w)
{
	strbuf_addf(aux_log_text(w->out), "Setting timestamp to 0x%llx\n", (unsigned long long)w->time.tsc);
}

/* what the last instruction of a block is */
static void add_kind(struct strbuf *out, const struct pt_block *b)
{
	static const char *const names[] = {
		[ARCH_FLOW_NONE] = "Other", [ARCH_FLOW_JCC] = "Jcc", [ARCH_FLOW_JMP] = "Jmp",
		[ARCH_FLOW_CALL] = "Call", [ARCH_FLOW_JMP_INDIRECT] = "Jmp *",
		[ARCH_FLOW_CALL_INDIRECT] = "Call *", [ARCH_FLOW_RET] = "Ret",
		[ARCH_FLOW_SYSCALL] = "Syscall",
		[ARCH_FLOW_SYSRET] = "Sysret", [ARCH_FLOW_INT] = "Int", [ARCH_FLOW_IRET] = "Iret",
		[ARCH_FLOW_VM] = "Vmentry", [ARCH_FLOW_FAR] = "Far", [ARCH_FLOW_PTWRITE] = "Ptwrite",
		[ARCH_FLOW_BARRIER] = "Barrier", [ARCH_FLOW_WAIT] = "Wait",
	};

	strbuf_addstr(out, names[b->kind]);
	if (b->kind == ARCH_FLOW_JCC || b->kind == ARCH_FLOW_JMP || b->kind == ARCH_FLOW_CALL)
		strbuf_addf(out, " 0x%llx", (unsigned long long)b->target);
}

void pt_log_block(struct pt_walk *w, const struct pt_block *b, u32 nr)
{
	struct strbuf *out = aux_log_text(w->out);
	const u8 *byte = b->byte;
	u64 ip = b->ip;

	for (u32 i = 0; i < nr; i++) {
		strbuf_addf(out, "          %08llx:  ", (unsigned long long)ip);
		add_hex(out, byte, b->len[i]);
		if (i + 1 == b->nr)
			add_kind(out, b);
		else
			strbuf_addstr(out, "Other");
		strbuf_addch(out, '\n');
		byte += b->len[i];
		ip += b->len[i];
	}
}

void pt_log_error(struct pt_walk *w, const char *text, u64 ip)
{
	strbuf_addf(aux_log_text(w->out), "ERROR: %s at 0x%llx\n", text, (unsigned long long)ip);
	aux_log_error(w->out);
}
