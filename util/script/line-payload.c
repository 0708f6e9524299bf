/* Fields after the address: registers, branch stacks, BPF output, instruction bytes. */
#include "line-payload.h"

void line_regs(const struct line_worker *w, u64 mask, u64 abi, const u64 *regs, struct strbuf *out)
{
	struct reg_walk walk = { features_arch(&w->sc->s->data->feat), mask, regs };
	u64 value;

	if (!abi || !regs)
		return;
	strbuf_addf(out, " ABI:%llu ", (unsigned long long)abi);
	while (reg_walk_next(&walk, &value))
		strbuf_addf(out, "%5s:0x%llx ", walk.name ? walk.name : "unknown", (unsigned long long)value);
}

static void put_branch_flags(const struct branch_entry *b, struct strbuf *out)
{
	const char *type = branch_type_name(b->flags), *spec = branch_spec_name(b->flags);
	u64 f = b->flags;

	strbuf_addf(out, "/%c/%c/%c/%u/%s/%s ", f & 1 ? 'M' : f & 2 ? 'P' : '-', f & 4 ? 'X' : '-',
		    f & 8 ? 'A' : '-', (u32)(f >> 4 & 0xffff), type ? type : "", *spec ? spec : "-");
}

/* of several ways the first one that is asked for: address, symbol, address as the dso has it */
static u64 branch_way(u64 mask)
{
	static const u64 ways[] = { FIELD_BIT(BRSTACK), FIELD_BIT(BRSTACKSYM), FIELD_BIT(BRSTACKOFF) };

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		if (mask & ways[i])
			return ways[i];
	return 0;
}

/* upstream maps an address only into objects whose symbols are by file offset as they are */
u64 line_branch_off(const struct line_worker *w, const struct resolved_frame *f)
{
	const struct symtab *tab = f->loc.dso == ID_NONE ? NULL : symbols_table(w->sc->s->symbols,
										f->loc.dso);

	return tab && tab->adjust ? f->ip : f->loc.dso_addr;
}

static void put_branch_end(struct line_worker *w, u64 mask, u64 ip, const struct sample_ctx *at,
			   struct strbuf *out)
{
	u8 cpumode = (s64)ip < 0 ? CPUMODE_KERNEL : CPUMODE_USER;
	u64 way = branch_way(mask);
	struct resolved_frame f;

	/* an address alone needs no symbols */
	if ((way != FIELD_BIT(BRSTACK) || mask & FIELD_BIT(DSO)) &&
	    !frame_resolve(&w->cache, at, cpumode, ip, false, &f))
		return;
	if (way == FIELD_BIT(BRSTACKSYM)) {
		frame_put_sym(&w->cache, &f, true, out);
	} else {
		strbuf_addstr(out, "0x");
		strbuf_add_hex(out, way == FIELD_BIT(BRSTACK) ? ip : line_branch_off(w, &f), 0, ' ');
	}
	if (mask & FIELD_BIT(DSO))
		frame_put_dso(&w->cache, &f, mask & FIELD_BIT(DSOFF), out);
}

void line_branches(struct line_worker *w, u64 mask, const struct sample *sm, const struct sample_ctx *at,
		   struct strbuf *out)
{
	for (u64 i = 0; i < sm->nr_branches; i++) {
		if (branch_way(mask) != FIELD_BIT(BRSTACKSYM))
			strbuf_addch(out, ' ');
		put_branch_end(w, mask, sm->branches[i].from, at, out);
		strbuf_addch(out, '/');
		put_branch_end(w, mask, sm->branches[i].to, at, out);
		put_branch_flags(&sm->branches[i], out);
	}
}

#define BPF_LINE 8u

/*
 * as upstream: letters of Latin-1 are printable, bytes from 0x80 on that control terminals, also as a part of
 * UTF-8, are not
 */
static bool is_shown(u8 c)
{
	return (c >= 0x20 && c < 0x7f) || c >= 0xa0;
}

/* printable bytes, and NULs after them to the end */
static bool is_string(const u8 *p, u32 size)
{
	u32 i = 0;

	while (i < size && is_shown(p[i]))
		i++;
	if (i == size)
		return false;
	while (i < size && !p[i])
		i++;
	return i == size;
}

/* a few bytes a line, with their printable forms; the whole once more as a string where it is one */
void line_bpf_output(const struct sample *sm, struct strbuf *out)
{
	const u8 *p = sm->raw;

	for (u32 i = 0; i < sm->raw_size; i += BPF_LINE) {
		u32 n = MIN(sm->raw_size - i, BPF_LINE);

		strbuf_addf(out, "%s%17s", i ? "" : "\n", i ? "" : "BPF output:");
		strbuf_addf(out, " %04x:", i);
		for (u32 k = 0; k < n; k++)
			strbuf_addf(out, " %02x", p[i + k]);
		strbuf_pad(out, ' ', 3 * (BPF_LINE - n) + 2);
		for (u32 k = 0; k < n; k++)
			strbuf_addch(out, is_shown(p[i + k]) ? p[i + k] : '.');
		strbuf_pad(out, ' ', BPF_LINE - n);
		strbuf_addch(out, '\n');
	}
	if (is_string(p, sm->raw_size)) {
		strbuf_addf(out, "%17s \"", "BPF string:");
		strbuf_add(out, p, strnlen((const char *)p, sm->raw_size));
		strbuf_addstr(out, "\"\n");
	}
}
