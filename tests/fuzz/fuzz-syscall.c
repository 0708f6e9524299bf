/*
 * Fuzz target: the text of system calls: any kind of programs, any call, any arguments and results, and any
 * bytes that pointers refer to. Layout of the input: which table, bits of options, two bytes of the row, 8 of
 * the result, 8 of each of six arguments, and the bytes that are at every address; what these point to begins
 * at their first numbers. The text must be printable and bounded.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/base/cursor.h"
#include "../../util/base/strbuf.h"
#include "../../util/syscall/syscall.h"

/* of all arguments of one call: strings of 256 characters, escaped, in arrays of 32 elements */
#define TEXT_MAX (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool no_path(void *ctx, s32 pid, s32 fd, struct strbuf *out)
{
	if (fd & 1)
		return false;
	strbuf_addstr(out, "/path");
	return true;
}

static bool no_name(void *ctx, s32 tid, struct strbuf *out)
{
	return !no_path(ctx, 0, tid, out);
}

static u8 byte(struct cursor *c)
{
	const u8 *p = cursor_bytes(c, 1);

	return p ? *p : 0;
}

static void check_text(struct strbuf *sb)
{
	if (sb->len > TEXT_MAX)
		abort();
	for (size_t i = 0; i < sb->len; i++)
		if ((unsigned char)sb->buf[i] < ' ' || (unsigned char)sb->buf[i] >= 0x7f)
			abort();
	strbuf_reset(sb);
}

/* addresses are those that the bytes begin with: a message points to its name at byte 0, to vectors at 16 */
static void add_parts(struct syscall_call *call, struct syscall_part part[SYSCALL_PARTS_MAX])
{
	struct cursor c = cursor_of(call->data[1].p, call->data[1].len, call->swap);

	for (u32 i = 0; i < SYSCALL_PARTS_MAX; i++) {
		u64 addr = cursor_u64(&c);

		if (c.bad)
			break;
		part[i] = (struct syscall_part){ addr, c.p, MIN(cursor_left(&c), 256u) };
		call->nr_parts++;
	}
	call->part = part;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_of(data, size, false);
	u8 which = byte(&c), bits = byte(&c);
	struct syscall_text_opts o = { .hide_names = bits & 1, .show_zeros = bits & 2,
				       .show_prefix = bits & 4, .bitmask_list = bits & 8,
				       .string_limit = bits & 16 ? 256 : 0,
				       .fd_path = bits & 32 ? no_path : NULL,
				       .task_name = bits & 32 ? no_name : NULL };
	struct syscall_call call = { .table = syscall_table_at(which % 17), .has_ret = !(bits & 64),
				     .swap = bits & 128 };
	struct syscall_part part[SYSCALL_PARTS_MAX];
	struct strbuf sb = STRBUF_INIT;
	u16 row = cursor_u16(&c);

	call.ret = cursor_u64(&c);
	for (unsigned int i = 0; i < SYSCALL_ARGS; i++)
		call.arg[i] = cursor_u64(&c);
	if (c.bad)
		return 0;
	if (call.table && !syscall_table_row(call.table, row, &call.nr))
		call.nr = row;
	for (unsigned int i = 0; i < SYSCALL_ARGS; i++)
		call.data[i] = (struct syscall_data){ c.p, cursor_left(&c) };
	add_parts(&call, part);
	syscall_add_args(&call, &o, &sb);
	check_text(&sb);
	syscall_add_result(&call, &o, &sb);
	check_text(&sb);
	/* the same bytes for every call of this kind of programs */
	for (size_t i = 0; call.table && syscall_table_row(call.table, i, &call.nr); i++) {
		syscall_add_args(&call, &o, &sb);
		check_text(&sb);
		syscall_add_result(&call, &o, &sb);
		check_text(&sb);
	}
	strbuf_release(&sb);
	return 0;
}
