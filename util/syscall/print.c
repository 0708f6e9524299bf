/* The text of a call: arguments, whose bytes may have been copied, and result. */
#include "put.h"

#include <string.h>
#include "names.h"
#include "prototypes.h"
#include "table.h"

#define ELEMENTS_MAX 32		/* of an array; the rest is "..." */
#define BLOB_MAX 256		/* bytes that are copied of a structure whose size an argument says */

static const struct syscall_text_opts no_opts;

bool syscall_failed(const struct syscall_call *call, int *ret_errno)
{
	s64 v = call->table && call->table->word == 4 ? (s32)call->ret : call->ret;

	if (!call->has_ret || v >= 0 || v < -4095)
		return false;
	*ret_errno = -v;
	return true;
}

bool syscall_type_is64(const struct syscall_table *t, const struct syscall_type *type)
{
	return !t || t->word == 8 || (t->abi == SYSCALL_ABI_X32 && type->is_klong);
}

u32 put_size(const struct put *p, const struct syscall_type *type)
{
	return syscall_type_is64(p->call->table, type) ? type->size64 : type->size32;
}

/* one element is as long as the count says */
static bool is_blob(const struct syscall_type *type)
{
	return type->size64 == 1 && type->put_mem;
}

void put_value(const struct put *p, const struct syscall_type *type, u64 v, u32 size)
{
	if (!size)
		size = type->bits == 32 ? 4 : type->bits ? (put_has_64bit_registers(p) ? 8 : 4) :
		       put_is64(p) ? 8 : 4;
	if (size < 8) {
		v &= (1ull << 8 * size) - 1;
		if (type->put == put_int)
			v = (s64)(v << (64 - 8 * size)) >> (64 - 8 * size);
	}
	if (type->put)
		type->put(p, type, v);
	else
		put_address(p, v);
}

void put_element(const struct put *p, const struct syscall_type *type, struct cursor *c, u32 size)
{
	u64 v;

	if (type->put_mem) {
		type->put_mem(p, type, c);
		return;
	}
	if (!size)
		size = put_size(p, type);
	v = put_read(c, size);
	if (!c->bad)
		put_value(p, type, v, size);
}

const struct syscall_part *put_part(const struct put *p, u64 addr)
{
	for (u32 i = 0; addr && i < p->call->nr_parts; i++)
		if (p->call->part[i].addr == addr)
			return &p->call->part[i];
	return NULL;
}

/* how many elements there are, by the call; ~0: not known */
static u64 element_count(const struct put *p, const struct syscall_arg *a)
{
	const struct syscall_data *at = &p->call->data[a->count_arg % SYSCALL_ARGS];
	struct cursor c = cursor_of(at->p, at->len, p->call->swap);
	u64 nr = put_arg(p, a->count_arg % SYSCALL_ARGS);
	u32 bits = put_is64(p) ? 64 : 32;

	switch (a->count) {
	case SYSCALL_COUNT_ONE:
		return 1;
	case SYSCALL_COUNT_TWO:
		return 2;
	case SYSCALL_COUNT_RESULT:
		return MIN(nr, (u64)p->call->ret);
	case SYSCALL_COUNT_AT:
		nr = cursor_u32(&c);
		return c.bad ? ~0ull : nr;
	case SYSCALL_COUNT_BITS:
		return (nr / bits + !!(nr % bits)) * (bits / 8);
	case SYSCALL_COUNT_ARG:
		return nr;
	default:
		return ~0ull;
	}
}

static void put_array(const struct put *p, const struct syscall_arg *a, struct cursor *c)
{
	u64 nr = element_count(p, a);

	strbuf_addch(p->out, '[');
	for (u64 i = 0; i < nr; i++) {
		size_t len = p->out->len;

		if (i)
			strbuf_addstr(p->out, ", ");
		if (i < ELEMENTS_MAX)
			put_element(p, a->type, c, 0);
		if (c->bad || i == ELEMENTS_MAX) {
			strbuf_setlen(p->out, len);
			strbuf_addstr(p->out, i ? ", ..." : "...");
			c->bad = false;
			break;
		}
	}
	strbuf_addch(p->out, ']');
}

/* a string or bytes: elements of one byte */
static void put_bytes(const struct put *p, const struct syscall_arg *a, const struct syscall_data *d)
{
	bool is_text = a->count == SYSCALL_COUNT_STRING;
	u64 nr = is_text ? d->len : element_count(p, a);
	struct syscall_text_opts whole = *p->o;
	struct put q = *p;

	if (a->type == SYSCALL_TYPE(PATH)) {
		whole.string_limit = UINT32_MAX;
		q.o = &whole;
	}
	put_quoted(&q, d->p, MIN(nr, d->len), is_text || nr > d->len, is_text);
}

/* one number from memory: "[3]" */
static void put_number_at(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	strbuf_addch(p->out, '[');
	put_element(p, type, c, 0);
	strbuf_addch(p->out, ']');
}

/* false: the bytes are not there, or too few; nothing is appended then */
static bool put_pointed(const struct put *p, const struct syscall_arg *a)
{
	static const struct syscall_data nothing = { "", 0 };
	const struct syscall_data *d = &p->call->data[p->i];
	size_t len = p->out->len;
	struct cursor c;
	int errnum;

	if (a->when == SYSCALL_EXIT && (!p->call->has_ret || syscall_failed(p->call, &errnum)))
		return false;
	/* no child has changed its state (WNOHANG): the kernel wrote nothing */
	if (a->type == SYSCALL_TYPE(WAIT_STATUS) && !p->call->ret)
		return false;
	if (!d->p && (a->count == SYSCALL_COUNT_ARG || a->count == SYSCALL_COUNT_RESULT) &&
	    !element_count(p, a))
		d = &nothing;
	else if (!d->p)
		return false;
	c = cursor_of(d->p, d->len, p->call->swap);
	if (is_blob(a->type)) {
		c.end = c.p + MIN(element_count(p, a), (u64)d->len);
		a->type->put_mem(p, a->type, &c);
	} else if (put_size(p, a->type) == 1) {
		put_bytes(p, a, d);
	} else if (a->count != SYSCALL_COUNT_ONE) {
		put_array(p, a, &c);
	} else if (a->type->put_mem) {
		put_element(p, a->type, &c, 0);
	} else {
		put_number_at(p, a->type, &c);
	}
	if (!c.bad)
		return true;
	strbuf_setlen(p->out, len);
	return false;
}

static void add_two(struct strbuf *out, const char *a, const char *b)
{
	strbuf_addstr(out, a);
	strbuf_addstr(out, b);
}

static void add_arg(const struct put *p, const struct syscall_arg *a)
{
	u64 v = put_arg(p, p->i);

	if (!p->o->hide_names)
		add_two(p->out, a->name, ": ");
	if (a->when == SYSCALL_NEVER)
		put_value(p, a->type, v, 0);
	else if (v && put_pointed(p, a))
		return;
	else if (a->type->put && a->type->put_mem)
		put_value(p, a->type, v, 0);
	else
		put_address(p, v);
}

/* whether an argument that is 0 is left out */
static bool is_silent(const struct put *p, const struct syscall_arg *a)
{
	const struct syscall_type *type = a->type;

	if (p->o->show_zeros)
		return false;
	if (a->when != SYSCALL_NEVER && !(type->put && type->put_mem))
		return true;
	return type->names ? !syscall_name_of(type->names, put_family(p), 0) : !type->zero;
}

static void add_unknown(const struct syscall_call *call, const struct syscall_text_opts *o,
			struct strbuf *out)
{
	for (unsigned int i = 0; i < SYSCALL_ARGS; i++) {
		if (i)
			strbuf_addstr(out, ", ");
		if (!o->hide_names)
			strbuf_addf(out, "arg%u: ", i);
		strbuf_addf(out, "%#llx", (unsigned long long)call->arg[i]);
	}
}

static const struct syscall_row *row_of(const struct syscall_call *call, const struct syscall_text_opts *o)
{
	const struct syscall_row *row = call->table ? syscall_by_nr(call->table, call->nr) : NULL;

	return o ? syscall_prototypes_row(o->prototypes, call->table, row) : row;
}

void syscall_add_args(const struct syscall_call *call, const struct syscall_text_opts *o,
		      struct strbuf *out)
{
	const struct syscall_row *row = row_of(call, o);
	struct put p = { .call = call, .o = o ? o : &no_opts, .row = row, .out = out };
	const char *sep = "";

	if (!row) {
		add_unknown(call, p.o, out);
		return;
	}
	for (p.i = 0; p.i < row->nr_args; p.i++) {
		const struct syscall_arg *a = &row->arg[p.i];

		if (a->type->absent && a->type->absent(&p))
			continue;
		if (!put_arg(&p, p.i) && is_silent(&p, a))
			continue;
		strbuf_addstr(out, sep);
		add_arg(&p, a);
		sep = ", ";
	}
}

void syscall_add_result(const struct syscall_call *call, const struct syscall_text_opts *o,
			struct strbuf *out)
{
	const struct syscall_row *row = row_of(call, o);
	struct put p = { .call = call, .o = o ? o : &no_opts, .row = row, .i = SYSCALL_ARGS, .out = out };
	int errnum;

	if (!call->has_ret) {
		strbuf_addch(out, '?');
	} else if (syscall_failed(call, &errnum)) {
		const char *text, *name = syscall_errno_name(call->table, errnum, &text);

		if (name)
			strbuf_addf(out, "-1 %s (%s)", name, text);
		else
			strbuf_addf(out, "-1 (error %d)", errnum);
	} else {
		syscall_types_make();
		put_value(&p, row ? row->result : SYSCALL_TYPE(LONG), call->ret, 0);
	}
}

/* only programs with the layout of 64 bits: others are rare */
static u8 parts_of(const struct syscall_table *t, const struct syscall_type *type)
{
	if (t->word != 8)
		return SYSCALL_PARTS_NONE;
	if (type == SYSCALL_TYPE(IOVEC))
		return SYSCALL_PARTS_IOVEC;
	return type == SYSCALL_TYPE(MSGHDR) || type == SYSCALL_TYPE(MMSGHDR) ? SYSCALL_PARTS_MSGHDR :
									       SYSCALL_PARTS_NONE;
}

void syscall_copy_rule(const struct syscall_table *t, const struct syscall_row *row, unsigned int i,
		       struct syscall_copy *ret)
{
	const struct syscall_arg *a;

	memset(ret, 0, sizeof(*ret));
	if (i >= row->nr_args || row->arg[i].when == SYSCALL_NEVER || row->arg[i].type == SYSCALL_TYPE(BTF))
		return;
	a = &row->arg[i];
	*ret = (struct syscall_copy){ .when = a->when, .count = a->count, .arg = a->count_arg,
				      .parts = parts_of(t, a->type) };
	ret->size = syscall_type_is64(t, a->type) ? a->type->size64 : a->type->size32;
	if (a->count == SYSCALL_COUNT_ONE || a->count == SYSCALL_COUNT_TWO)
		ret->max = ret->size * (a->count == SYSCALL_COUNT_TWO ? 2 : 1);
	else if (ret->size > 1)
		ret->max = MIN(ret->size * ELEMENTS_MAX, UINT16_MAX);
	else if (is_blob(a->type) && a->count != SYSCALL_COUNT_STRINGS)
		ret->max = BLOB_MAX;
}
