/* Jit-lines: a line program with one sequence. Numbers and layouts: DWARF version 4, sections 6.2 and 7. */
#include "jit-lines.h"
#include "../base/strtab.h"
#include "../base/timesort.h"

#include <dwarf.h>

#define DWARF_VERSION 4
#define LINE_OPCODE_BASE 13	/* the first special opcode; none is used */

struct jit_row {
	u64 addr;
	u32 line, file;
};
struct jit_rows {
	VEC(struct jit_row);
	struct strtab files;	/* ids from 1 on are file numbers */
};

static void put_number(struct strbuf *out, const void *p, size_t size)
{
	strbuf_add(out, p, size);
}
#define PUT(out, type, v) put_number(out, &(type){ v }, sizeof(type))

static void put_uleb(struct strbuf *out, u64 v)
{
	do {
		strbuf_addch(out, (v & 0x7f) | (v >> 7 ? 0x80 : 0));
		v >>= 7;
	} while (v);
}

static void put_sleb(struct strbuf *out, s64 v)
{
	bool more = true;

	while (more) {
		u8 byte = v & 0x7f;

		v >>= 7;
		more = !((v == 0 && !(byte & 0x40)) || (v == -1 && (byte & 0x40)));
		strbuf_addch(out, byte | (more ? 0x80 : 0));
	}
}

static void put_text(struct strbuf *out, const char *s)
{
	strbuf_add(out, s, strlen(s) + 1);
}

/* the first four bytes at an offset become the number of bytes after them */
static void set_length(struct strbuf *out, size_t at)
{
	u32 len = out->len - at - sizeof(len);

	memcpy(out->buf + at, &len, sizeof(len));
}

/* rows inside the code, by address */
static void collect(struct jit_rows *rows, const struct jitdump *d, const struct jit_entry *e)
{
	struct { VEC(struct time_ref); } order = { 0 }, tmp = { 0 };
	struct { VEC(struct jit_row); } found = { 0 };
	struct jit_line_iter it = jit_lines(d, e);
	struct jit_line l;

	strtab_add(&rows->files, "");
	while (jit_line_next(&it, &l)) {
		if (l.addr < e->addr || l.addr - e->addr >= e->len || !*l.file)
			continue;
		vec_push(&order, (struct time_ref){ l.addr, found.nr });
		vec_push(&found, (struct jit_row){ l.addr, l.line, strtab_add(&rows->files, l.file) });
	}
	vec_reserve(&tmp, order.nr + 1);
	if (order.nr)
		time_sort(order.v, order.nr, tmp.v);
	vec_foreach(&order, o)
		vec_push(rows, found.v[o->ref]);
	vec_release(&order);
	vec_release(&tmp);
	vec_release(&found);
}

static void put_unit(struct jit_dwarf *w, const struct jit_rows *rows, u64 text, u64 len)
{
	static const u8 abbrev[] = {
		1, DW_TAG_compile_unit, DW_CHILDREN_no, DW_AT_name, DW_FORM_string,
		DW_AT_stmt_list, DW_FORM_sec_offset, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8,
		0, 0, 0,
	};

	strbuf_add(&w->abbrev, abbrev, sizeof(abbrev));
	PUT(&w->info, u32, 0);
	PUT(&w->info, u16, DWARF_VERSION);
	PUT(&w->info, u32, 0);		/* offset in .debug_abbrev */
	PUT(&w->info, u8, sizeof(u64));
	put_uleb(&w->info, 1);
	put_text(&w->info, strtab_get(&rows->files, rows->v[0].file));
	PUT(&w->info, u32, 0);		/* offset in .debug_line */
	PUT(&w->info, u64, text);
	PUT(&w->info, u64, len);
	set_length(&w->info, 0);
}

static void put_line_header(struct strbuf *out, const struct jit_rows *rows)
{
	/* operands of the opcodes below LINE_OPCODE_BASE */
	static const u8 operands[LINE_OPCODE_BASE - 1] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	size_t at;

	PUT(out, u32, 0);
	PUT(out, u16, DWARF_VERSION);
	at = out->len;
	PUT(out, u32, 0);
	PUT(out, u8, 1);		/* smallest instruction */
	PUT(out, u8, 1);		/* operations per instruction */
	PUT(out, u8, 1);		/* rows begin statements */
	PUT(out, s8, 0);		/* line base and range, of special opcodes */
	PUT(out, u8, 1);
	PUT(out, u8, LINE_OPCODE_BASE);
	strbuf_add(out, operands, sizeof(operands));
	put_uleb(out, 0);		/* no folders */
	for (u32 i = 1; i < rows->files.str.nr; i++) {
		put_text(out, strtab_get(&rows->files, i));
		put_uleb(out, 0);	/* folder, time, length: unknown */
		put_uleb(out, 0);
		put_uleb(out, 0);
	}
	put_uleb(out, 0);
	set_length(out, at);
}

static void put_program(struct strbuf *out, const struct jit_rows *rows, const struct jit_entry *e, u64 text)
{
	u64 addr = e->addr;
	u32 line = 1, file = 1;

	PUT(out, u8, 0);
	put_uleb(out, 1 + sizeof(u64));
	PUT(out, u8, DW_LNE_set_address);
	PUT(out, u64, text);
	vec_foreach(rows, r) {
		PUT(out, u8, DW_LNS_advance_pc);
		put_uleb(out, r->addr - addr);
		if (r->file != file) {
			PUT(out, u8, DW_LNS_set_file);
			put_uleb(out, r->file);
		}
		PUT(out, u8, DW_LNS_advance_line);
		put_sleb(out, (s64)r->line - line);
		PUT(out, u8, DW_LNS_copy);
		addr = r->addr;
		line = r->line;
		file = r->file;
	}
	PUT(out, u8, DW_LNS_advance_pc);
	put_uleb(out, e->addr + e->len - addr);
	PUT(out, u8, 0);
	put_uleb(out, 1);
	PUT(out, u8, DW_LNE_end_sequence);
}

bool jit_dwarf_build(struct jit_dwarf *out, const struct jitdump *d, const struct jit_entry *e, u64 text)
{
	struct jit_rows rows = { 0 };
	bool any;

	collect(&rows, d, e);
	any = rows.nr > 0;
	if (any) {
		put_unit(out, &rows, text, e->len);
		put_line_header(&out->line, &rows);
		put_program(&out->line, &rows, e, text);
		set_length(&out->line, 0);
	}
	strtab_release(&rows.files);
	vec_release(&rows);
	return any;
}

void jit_dwarf_release(struct jit_dwarf *w)
{
	strbuf_release(&w->abbrev);
	strbuf_release(&w->info);
	strbuf_release(&w->line);
}
