/*
 * Runs the programs that compile.c makes. The fixed fields were checked to be inside the
 * payload by the caller.
 */
#include "program.h"

#include <byteswap.h>
#include <stdio.h>

static u64 load(const struct program_ctx *x, u32 off, u32 size)
{
	u16 v16;
	u32 v32;
	u64 v64;

	switch (size) {
	case 1:
		return x->raw[off];
	case 2:
		memcpy(&v16, x->raw + off, 2);
		return x->swap ? bswap_16(v16) : v16;
	case 4:
		memcpy(&v32, x->raw + off, 4);
		return x->swap ? bswap_32(v32) : v32;
	default:
		memcpy(&v64, x->raw + off, 8);
		return x->swap ? bswap_64(v64) : v64;
	}
}

static u64 narrow(u64 v, u32 bytes, bool is_signed)
{
	if (bytes == 1)
		return is_signed ? (u64)(s8)v : (u8)v;
	if (bytes == 2)
		return is_signed ? (u64)(s16)v : (u16)v;
	if (bytes == 4)
		return is_signed ? (u64)(s32)v : (u32)v;
	return v;
}

static u64 binary(enum tnode_op op, u64 a, u64 b)
{
	switch (op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_MUL: return a * b;
	case OP_DIV: return b ? a / b : 0;
	case OP_MOD: return b ? a % b : 0;
	case OP_SHL: return a << (b & 63);	/* as the shift of x86, which libtraceevent uses */
	case OP_SHR: return a >> (b & 63);
	case OP_AND: return a & b;
	case OP_OR: return a | b;
	case OP_XOR: return a ^ b;
	case OP_LAND: return a && b;
	case OP_LOR: return a || b;
	case OP_EQ: return a == b;
	case OP_NE: return a != b;
	case OP_LT: return a < b;
	case OP_LE: return a <= b;
	case OP_GT: return a > b;
	case OP_GE: return a >= b;
	default: return 0;
	}
}

static u64 eval(const struct program_ctx *x, const struct tnode *n)
{
	u64 v;

	switch (n->kind) {
	case TN_CONST:
		return n->num;
	case TN_FIELD:
		return load(x, n->off, n->size);
	case TN_CAST:
		return narrow(eval(x, n->a), n->size, n->is_signed);
	case TN_UNARY:
		v = eval(x, n->b);
		return n->op == OP_NOT ? !v : n->op == OP_INV ? ~v : -v;
	case TN_BINARY:
		return binary(n->op, eval(x, n->a), eval(x, n->b));
	case TN_COND:
		return eval(x, eval(x, n->a) ? n->b : n->c);
	default:
		return 0;
	}
}

static bool put_flags(const struct program_ctx *x, const struct tnode *n, struct strbuf *out)
{
	u64 val = eval(x, n->a);
	bool first = true;

	for (u32 i = 0; i < n->nr_sym; i++) {
		s64 flag = n->sym[i].value;

		if (!val && flag < 0) {
			strbuf_add(out, n->sym[i].str, n->sym[i].len);
			return true;
		}
		if (flag <= 0 || (val & (u64)flag) != (u64)flag)
			continue;
		if (!first)
			strbuf_add(out, n->str, n->len);
		strbuf_add(out, n->sym[i].str, n->sym[i].len);
		first = false;
		val &= ~(u64)flag;
	}
	if (val) {
		if (!first)
			strbuf_add(out, n->str, n->len);
		strbuf_addstr(out, "0x");
		strbuf_add_hex(out, val, 0, ' ');
	}
	return true;
}

static bool put_symbol(const struct program_ctx *x, const struct tnode *n, struct strbuf *out)
{
	u64 val = eval(x, n->a);

	for (u32 i = 0; i < n->nr_sym; i++) {
		if ((u64)n->sym[i].value == val) {
			strbuf_add(out, n->sym[i].str, n->sym[i].len);
			return true;
		}
	}
	strbuf_addstr(out, "0x");
	strbuf_add_hex(out, val, 0, ' ');
	return true;
}

static bool put_dynstr(const struct program_ctx *x, const struct tnode *n, struct strbuf *out)
{
	u32 word = load(x, n->off, 4), off = word & 0xffff, len;

	if (n->relative)
		off += n->off + 4;
	if (off > x->size)
		return false;
	len = x->size - off;
	strbuf_add(out, x->raw + off, strnlen((const char *)x->raw + off, len));
	return true;
}

static bool put_str(const struct program_ctx *x, const struct tnode *n, struct strbuf *out)
{
	switch (n->kind) {
	case TN_STR:
		strbuf_add(out, n->str, n->len);
		return true;
	case TN_CHARS:
		strbuf_add(out, x->raw + n->off, strnlen((const char *)x->raw + n->off, n->len));
		return true;
	case TN_DYNSTR:
		return put_dynstr(x, n, out);
	case TN_FLAGS:
		return put_flags(x, n, out);
	case TN_SYMBOL:
		return put_symbol(x, n, out);
	case TN_COND:
		return put_str(x, eval(x, n->a) ? n->b : n->c, out);
	default:
		return false;
	}
}

static void put_printf(const struct titem *it, u64 v, struct strbuf *out)
{
	char tmp[2100];		/* widths and precisions are at most 1000 */
	int nr;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	nr = snprintf(tmp, sizeof(tmp), it->fmt, (unsigned long long)v);
#pragma GCC diagnostic pop
	if (nr > 0)
		strbuf_add(out, tmp, MIN((size_t)nr, sizeof(tmp) - 1));
}

static void put_num(const struct titem *it, u64 v, struct strbuf *out)
{
	v = narrow(v, it->bytes, it->conv == 'd');
	if (it->plain && it->conv == 'x') {
		strbuf_add_hex(out, v, it->width, it->pad);
	} else if (it->plain && !it->width && it->conv == 'u') {
		strbuf_add_u64(out, v, 0);
	} else if (it->plain && !it->width && it->conv == 'd') {
		if ((s64)v < 0)
			strbuf_addch(out, '-');
		strbuf_add_u64(out, (s64)v < 0 ? -v : v, 0);
	} else {
		put_printf(it, v, out);
	}
}

static void put_char(u8 ch, struct strbuf *out)
{
	if (ch >= ' ' && ch <= '~') {
		strbuf_addch(out, ch);
		return;
	}
	strbuf_addstr(out, "\\x");
	strbuf_add_hex(out, ch, 2, '0');
}

static void put_ptr(u64 v, struct strbuf *out)
{
	if (!v) {
		strbuf_addstr(out, "(nil)");
		return;
	}
	strbuf_addstr(out, "0x");
	strbuf_add_hex(out, v, 0, ' ');
}

static void put_func(const struct program_ctx *x, const struct titem *it, u64 v, struct strbuf *out)
{
	const char *mod = NULL, *name = NULL;
	u64 start = 0;

	if (x->resolve)
		name = x->resolve(x->resolve_ctx, v, &start, &mod);
	if (!name) {
		strbuf_addstr(out, "0x");
		strbuf_add_hex(out, v, 0, ' ');
		return;
	}
	strbuf_addstr(out, name);
	if (it->conv == 'S') {
		strbuf_addstr(out, "+0x");
		strbuf_add_hex(out, v - start, 0, ' ');
	}
}

bool program_run(const struct program *p, const struct program_ctx *x, struct strbuf *out)
{
	for (u32 i = 0; i < p->nr; i++) {
		const struct titem *it = &p->item[i];

		switch (it->kind) {
		case TI_TEXT:
			strbuf_add(out, it->fmt, it->len);
			break;
		case TI_NUM:
			put_num(it, eval(x, it->arg), out);
			break;
		case TI_CHAR:
			put_char(eval(x, it->arg), out);
			break;
		case TI_STR:
			if (!put_str(x, it->arg, out))
				return false;
			break;
		case TI_PTR:
			put_ptr(eval(x, it->arg), out);
			break;
		case TI_FUNC:
			put_func(x, it, eval(x, it->arg), out);
			break;
		}
	}
	return true;
}
