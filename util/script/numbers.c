/*
 * Numbers that samples carry, as columns: what the rows NUMBER of fields.def say; and what traces say of
 * branches.
 */
#include "numbers.h"

#include "../base/strbuf.h"
#include "../event/insn-flags.h"
#include "fields.h"

static void put_COUNT(struct strbuf *out, u64 v)
{
	strbuf_add_u64(out, v, 16);
}

static void put_HEX(struct strbuf *out, u64 v)
{
	strbuf_add_hex(out, v, 16, ' ');
}

static void put_PAGE_SIZE(struct strbuf *out, u64 size)
{
	static const char units[] = "BKMGT";
	int u = 0;

	strbuf_addch(out, ' ');
	if (!size) {
		strbuf_addstr(out, "N/A");
		return;
	}
	for (; !(size & 1023) && units[u + 1]; u++)
		size >>= 10;
	strbuf_add_u64(out, size, 0);
	strbuf_addch(out, units[u]);
}

static inline __attribute__((always_inline))
		void put_numbers(u64 mask, enum line_where where, const struct sample *sm, struct strbuf *out)
{
#define FIELD(...)
#define NUMBER(name, id, bits, attr, member, where_, form, shown) \
	if (where == where_ && mask & FIELD_BIT(id)) \
		put_##form(out, sm->member);
#include "fields.def"
#undef FIELD
}

/* a copy for each place, which tests only the fields that stand there */
void line_numbers(u64 mask, enum line_where where, const struct sample *sm, struct strbuf *out)
{
	if (where == BEFORE_IP)
		put_numbers(mask, BEFORE_IP, sm, out);
	else
		put_numbers(mask, BEHIND_IP, sm, out);
}

void line_flags(const struct sample *sm, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT, marks = STRBUF_INIT;

	insn_flags_put(sm->insn_flags, &text);
	insn_marks_put(sm->insn_flags, &marks);
	if (marks.len)
		strbuf_addf(out, "  %-15s%6s ", strbuf_str(&text), strbuf_str(&marks));
	else
		strbuf_addf(out, "  %-21s ", strbuf_str(&text));
	strbuf_release(&text);
	strbuf_release(&marks);
}

void line_synth(const struct sample *sm, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	made_event_put(sm, &text);
	/* upstream has one blank less there */
	strbuf_addf(out, "%s%-33s", sm->event->attr.config == MADE_VPA_DTL ? "" : " ", strbuf_str(&text));
	strbuf_release(&text);
}

void line_ipc(const struct sample *sm, struct strbuf *out)
{
	u32 insns = sm->made, cycles = sm->made >> 32;
	u64 ipc = cycles ? (u64)insns * 100 / cycles : 0;

	if (cycles && sm->event->attr.type != MADE_EVENT_TYPE)
		strbuf_addf(out, " \t IPC: %llu.%02llu (%u/%u) ", (unsigned long long)ipc / 100,
			    (unsigned long long)ipc % 100, insns, cycles);
}
