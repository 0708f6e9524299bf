/* Compiles libtraceevent's parsed print format into a program. It gives up at anything unusual. */
#include "program.h"

#include <ctype.h>
#include <stdlib.h>

#define MAX_DEPTH 64
#define MAX_ITEMS 256

struct compiler {
	struct tep_event *ev;
	struct arena *arena;
	u32 need;
	int depth;
};

static const struct tnode *compile_num(struct compiler *c, const struct tep_print_arg *arg);
static const struct tnode *compile_str(struct compiler *c, const struct tep_print_arg *arg);

static struct tnode *node_new(struct compiler *c, enum tnode_kind kind)
{
	struct tnode *n = ARENA_NEW(c->arena, struct tnode);

	n->kind = kind;
	return n;
}

static void need_bytes(struct compiler *c, u32 end)
{
	if (end > c->need)
		c->need = end;
}

static struct tep_format_field *arg_field(struct compiler *c, const struct tep_print_arg *arg)
{
	struct tep_format_field *f = arg->field.field;

	if (!f)
		f = tep_find_any_field(c->ev, arg->field.name);
	if (!f || f->offset < 0 || f->size < 0 || f->offset > 65535 || f->size > 65535)
		return NULL;
	return f;
}

static const struct tnode *compile_field(struct compiler *c, const struct tep_print_arg *arg)
{
	struct tep_format_field *f = arg_field(c, arg);
	struct tnode *n;

	if (!f || f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_RELATIVE))
		return NULL;
	if (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return NULL;
	n = node_new(c, TN_FIELD);
	n->off = f->offset;
	n->size = f->size;
	need_bytes(c, n->off + n->size);
	return n;
}

static const struct tnode *compile_atom(struct compiler *c, const struct tep_print_arg *arg)
{
	const char *s = arg->atom.atom;
	struct tnode *n;

	if (!s)
		return NULL;
	n = node_new(c, TN_CONST);
	n->num = strtoull(s, NULL, 0);	/* 0 for a name that is unknown here, as in libtraceevent */
	return n;
}

static const struct tnode *compile_cast(struct compiler *c, const struct tep_print_arg *arg)
{
	static const struct { const char *name; u8 size; bool is_signed; } types[] = {
		{ "u8", 1, false }, { "__u8", 1, false }, { "unsigned char", 1, false },
		{ "u16", 2, false }, { "__u16", 2, false }, { "unsigned short", 2, false },
		{ "u32", 4, false }, { "__u32", 4, false }, { "unsigned int", 4, false },
		{ "u64", 8, false }, { "__u64", 8, false }, { "unsigned long", 8, false },
		{ "unsigned long long", 8, false }, { "s64", 8, true }, { "long", 8, true },
		{ "long long", 8, true },
		{ "s8", 1, true }, { "char", 1, true }, { "s16", 2, true }, { "short", 2, true },
		{ "s32", 4, true }, { "int", 4, true },
	};
	const struct tnode *item = compile_num(c, arg->typecast.item);
	const char *type = arg->typecast.type;
	struct tnode *n;

	if (!item || !type || !*type || tep_get_long_size(c->ev->tep) != 8)
		return NULL;
	while (*type == ' ')
		type++;
	if (type[strlen(type) - 1] == '*')
		return item;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (strcmp(type, types[i].name))
			continue;
		if (types[i].size == 8)
			return item;
		n = node_new(c, TN_CAST);
		n->size = types[i].size;
		n->is_signed = types[i].is_signed;
		n->a = item;
		return n;
	}
	return item;	/* a typedef: the value is not changed */
}

static int find_op(const char *op, bool unary)
{
	static const struct { const char *s; enum tnode_op op; bool unary; } ops[] = {
		{ "+", OP_ADD, false }, { "-", OP_SUB, false }, { "*", OP_MUL, false },
		{ "/", OP_DIV, false }, { "%", OP_MOD, false }, { "<<", OP_SHL, false },
		{ ">>", OP_SHR, false }, { "&", OP_AND, false }, { "|", OP_OR, false },
		{ "^", OP_XOR, false }, { "&&", OP_LAND, false }, { "||", OP_LOR, false },
		{ "==", OP_EQ, false }, { "!=", OP_NE, false }, { "<", OP_LT, false }, { "<=", OP_LE, false },
		{ ">", OP_GT, false }, { ">=", OP_GE, false }, { "!", OP_NOT, true }, { "~", OP_INV, true },
		{ "-", OP_NEG, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (ops[i].unary == unary && !strcmp(ops[i].s, op))
			return ops[i].op;
	return -1;
}

static const struct tnode *compile_cond(struct compiler *c, const struct tep_print_arg *arg,
					const struct tnode *(*branch)(struct compiler *,
								      const struct tep_print_arg *))
{
	const struct tep_print_arg *alt = arg->op.right;
	struct tnode *n;

	if (!alt || alt->type != TEP_PRINT_OP || strcmp(alt->op.op, ":"))
		return NULL;
	n = node_new(c, TN_COND);
	n->a = compile_num(c, arg->op.left);
	n->b = branch(c, alt->op.left);
	n->c = branch(c, alt->op.right);
	return n->a && n->b && n->c ? n : NULL;
}

/* field[N] of a plain array */
static const struct tnode *compile_index(struct compiler *c, const struct tep_print_arg *arg)
{
	const struct tep_print_arg *base = arg->op.left;
	const struct tnode *idx = compile_num(c, arg->op.right);
	struct tep_format_field *f;
	struct tnode *n;

	if (!idx || idx->kind != TN_CONST || !base || base->type != TEP_PRINT_FIELD)
		return NULL;
	f = arg_field(c, base);
	if (!f || !(f->flags & TEP_FIELD_IS_ARRAY) ||
	    f->flags & (TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_RELATIVE))
		return NULL;
	if ((f->elementsize != 1 && f->elementsize != 2 && f->elementsize != 4 && f->elementsize != 8) ||
	    idx->num >= (u32)f->size / f->elementsize)
		return NULL;
	n = node_new(c, TN_FIELD);
	n->size = f->elementsize;
	n->off = f->offset + idx->num * f->elementsize;
	need_bytes(c, n->off + n->size);
	return n;
}

static const struct tnode *compile_op(struct compiler *c, const struct tep_print_arg *arg)
{
	bool unary = !arg->op.left || arg->op.left->type == TEP_PRINT_NULL;
	struct tnode *n;
	int op;

	if (!strcmp(arg->op.op, "?"))
		return compile_cond(c, arg, compile_num);
	if (!strcmp(arg->op.op, "["))
		return compile_index(c, arg);
	op = find_op(arg->op.op, unary);
	if (op < 0)
		return NULL;
	n = node_new(c, unary ? TN_UNARY : TN_BINARY);
	n->op = op;
	n->a = unary ? NULL : compile_num(c, arg->op.left);
	n->b = compile_num(c, arg->op.right);
	return n->b && (unary || n->a) ? n : NULL;
}

static const struct tnode *compile_num(struct compiler *c, const struct tep_print_arg *arg)
{
	const struct tnode *n = NULL;

	if (!arg || c->depth >= MAX_DEPTH)
		return NULL;
	c->depth++;
	if (arg->type == TEP_PRINT_FIELD)
		n = compile_field(c, arg);
	else if (arg->type == TEP_PRINT_ATOM)
		n = compile_atom(c, arg);
	else if (arg->type == TEP_PRINT_TYPE)
		n = compile_cast(c, arg);
	else if (arg->type == TEP_PRINT_OP)
		n = compile_op(c, arg);
	c->depth--;
	return n;
}

static bool compile_syms(struct compiler *c, struct tnode *n, const struct tep_print_flag_sym *list)
{
	struct tsym *sym;
	u32 nr = 0;

	for (const struct tep_print_flag_sym *f = list; f; f = f->next)
		nr++;
	sym = arena_zalloc(c->arena, (nr + 1) * sizeof(*sym));
	n->sym = sym;
	n->nr_sym = nr;
	for (const struct tep_print_flag_sym *f = list; f; f = f->next, sym++) {
		if (!f->value || !f->str || strstr(f->value, "SOFTIRQ") || strstr(f->value, "HRTIMER"))
			return false;
		/* names of enums that the format does not resolve only match a value of all ones */
		sym->value = isdigit((u8)*f->value) || *f->value == '-' ?
			     (s64)strtoull(f->value, NULL, 0) : -1;
		sym->str = f->str;
		sym->len = strlen(f->str);
	}
	return true;
}

static const struct tnode *compile_symbolic(struct compiler *c, const struct tep_print_arg *arg)
{
	bool flags = arg->type == TEP_PRINT_FLAGS;
	struct tnode *n = node_new(c, flags ? TN_FLAGS : TN_SYMBOL);

	n->a = compile_num(c, flags ? arg->flags.field : arg->symbol.field);
	if (!n->a || !compile_syms(c, n, flags ? arg->flags.flags : arg->symbol.symbols))
		return NULL;
	n->str = flags && arg->flags.delim ? arg->flags.delim : "";
	n->len = strlen(n->str);
	return n;
}

static const struct tnode *compile_chars(struct compiler *c, const struct tep_print_arg *arg)
{
	struct tep_format_field *f = arg_field(c, arg);
	struct tnode *n;

	if (!f || !(f->flags & TEP_FIELD_IS_ARRAY) || f->elementsize != 1 ||
	    f->flags & (TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_POINTER | TEP_FIELD_IS_RELATIVE) || !f->size)
		return NULL;
	n = node_new(c, TN_CHARS);
	n->off = f->offset;
	n->len = f->size;
	need_bytes(c, n->off + n->len);
	return n;
}

static const struct tnode *compile_dynstr(struct compiler *c, const struct tep_print_arg *arg)
{
	struct tep_format_field *f = arg->string.field;
	struct tnode *n;

	if (!f)
		f = tep_find_any_field(c->ev, arg->string.string);
	if (!f || !(f->flags & TEP_FIELD_IS_DYNAMIC) || f->offset < 0 || f->offset > 65535 || f->size != 4)
		return NULL;
	n = node_new(c, TN_DYNSTR);
	n->off = f->offset;
	n->relative = f->flags & TEP_FIELD_IS_RELATIVE;
	need_bytes(c, n->off + 4);
	return n;
}

static const struct tnode *compile_str(struct compiler *c, const struct tep_print_arg *arg)
{
	const struct tnode *n = NULL;
	struct tnode *lit;

	if (!arg || c->depth >= MAX_DEPTH)
		return NULL;
	c->depth++;
	if (arg->type == TEP_PRINT_FIELD) {
		n = compile_chars(c, arg);
	} else if (arg->type == TEP_PRINT_STRING) {
		n = compile_dynstr(c, arg);
	} else if (arg->type == TEP_PRINT_FLAGS || arg->type == TEP_PRINT_SYMBOL) {
		n = compile_symbolic(c, arg);
	} else if (arg->type == TEP_PRINT_OP && !strcmp(arg->op.op, "?")) {
		n = compile_cond(c, arg, compile_str);
	} else if (arg->type == TEP_PRINT_ATOM && arg->atom.atom) {
		lit = node_new(c, TN_STR);
		lit->str = arg->atom.atom;
		lit->len = strlen(lit->str);
		n = lit;
	}
	c->depth--;
	return n;
}

/* One conversion after '%'. Returns the text after it, or NULL if it is unknown. */
static const char *compile_conv(struct compiler *c, const char *p, const struct tep_print_arg *arg,
				struct titem *it)
{
	struct strbuf fmt = STRBUF_INIT;
	const char *flags = p;
	bool minus, other;
	int longs = 0;

	p += strspn(p, "-+ #0");
	minus = memchr(flags, '-', p - flags);
	other = memchr(flags, '+', p - flags) || memchr(flags, ' ', p - flags) ||
		memchr(flags, '#', p - flags);
	it->pad = memchr(flags, '0', p - flags) && !minus ? '0' : ' ';
	it->prec = -1;
	for (; isdigit((u8)*p) && it->width < 1000; p++)
		it->width = it->width * 10 + (*p - '0');
	if (*p == '.' && isdigit((u8)p[1]))
		for (it->prec = 0, p++; isdigit((u8)*p) && it->prec < 1000; p++)
			it->prec = it->prec * 10 + (*p - '0');
	strbuf_addch(&fmt, '%');
	strbuf_add(&fmt, flags, p - flags);
	it->plain = !minus && !other && it->prec < 0;
	for (; *p == 'l' || *p == 'h' || *p == 'z' || *p == 'L'; p++)
		longs += *p == 'h' ? -1 : *p == 'L' ? 2 : 1;
	it->bytes = longs > 0 ? 8 : longs == 0 ? 4 : longs == -1 ? 2 : 1;
	it->conv = *p == 'i' ? 'd' : *p;
	strbuf_addf(&fmt, "ll%c", it->conv);
	it->fmt = arena_strdup(c->arena, fmt.buf);
	strbuf_release(&fmt);
	if (*p && strchr("diuxXo", *p)) {
		it->kind = TI_NUM;
		it->arg = compile_num(c, arg);
	} else if (*p == 'c' && !longs && it->plain && !it->width) {
		it->kind = TI_CHAR;
		it->arg = compile_num(c, arg);
	} else if (*p == 's' && !longs && it->plain && it->pad == ' ' && !it->width) {
		it->kind = TI_STR;
		it->arg = compile_str(c, arg);
	} else if (*p == 'p' && !longs && it->plain && !it->width && !isalnum((u8)p[1])) {
		it->kind = TI_PTR;
		it->arg = compile_num(c, arg);
	} else if (*p == 'p' && !longs && it->plain && !it->width && p[1] && strchr("SsFf", p[1]) &&
		   !isalnum((u8)p[2])) {
		it->kind = TI_FUNC;
		it->conv = *++p == 'S' || *p == 'F' ? 'S' : 's';
		it->arg = compile_num(c, arg);
	}
	return it->arg ? p + 1 : NULL;
}

static char unescape(char ch)
{
	return ch == 'n' ? '\n' : ch == 't' ? '\t' : ch == 'r' ? '\r' : ch;
}

static void flush_text(struct compiler *c, struct strbuf *text, struct titem *item, u32 *nr)
{
	if (!text->len)
		return;
	item[*nr] = (struct titem){ .kind = TI_TEXT, .fmt = arena_strndup(c->arena, text->buf, text->len),
				    .len = text->len };
	(*nr)++;
	strbuf_reset(text);
}

bool program_compile(struct program *prog, struct tep_event *ev, struct arena *arena)
{
	struct compiler c = { .ev = ev, .arena = arena };
	const struct tep_print_arg *arg = ev->print_fmt.args;
	const char *p = ev->print_fmt.format;
	struct strbuf text = STRBUF_INIT;
	struct titem item[MAX_ITEMS];
	u32 nr = 0;

	while (p && *p && nr + 2 < MAX_ITEMS) {
		if (*p == '\\' && p[1]) {
			strbuf_addch(&text, unescape(p[1]));
			p += 2;
		} else if (*p == '%' && p[1] == '%') {
			strbuf_addch(&text, '%');
			p += 2;
		} else if (*p != '%') {
			strbuf_addch(&text, *p++);
		} else {
			flush_text(&c, &text, item, &nr);
			item[nr] = (struct titem){ .kind = TI_TEXT };
			p = compile_conv(&c, p + 1, arg, &item[nr]);
			arg = arg ? arg->next : NULL;
			nr++;
		}
	}
	flush_text(&c, &text, item, &nr);
	strbuf_release(&text);
	if (!p || *p)
		return false;
	prog->item = arena_memdup(arena, item, nr * sizeof(*item));
	prog->nr = nr;
	prog->need = c.need;
	return true;
}
