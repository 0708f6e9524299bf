/*
 * Tracefmt: the index of a TRACING_DATA blob, its events parsed on demand, and the fallback to libtraceevent.
 */
#include "tracefmt.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include "fault-guard.h"
#include "program.h"
#include "string-arrays.h"
#include "../base/cursor.h"
#include "../base/hash.h"
#include "../base/vec.h"
#include "../lib/lib.h"

#define FORMAT_MAX (256 * 1024)
#define NEST_MAX 100	/* libtraceevent parses recursively: deeper formats are not given to it */

/* the parser of libtraceevent has one input for all threads */
static pthread_mutex_t parser = PTHREAD_MUTEX_INITIALIZER;

struct tracefmt_event {
	struct tep_event *tep;
	struct program prog;
	bool compiled;
	/* a length or a divisor comes from the payload: not for libtraceevent, which trusts it */
	bool trusting;
	struct { VEC(struct tracefmt_field); } field;	/* own fields, then common ones */
	u32 nr_own;
	u32 need;		/* bytes that all fixed fields need */
};

struct format_text {
	u64 id;
	const char *text;	/* in the blob, len bytes, not terminated */
	u32 len;
	u32 system;		/* an index of systems */
	struct tracefmt_event *ev;
	bool tried;
};

struct tracefmt {
	struct tep_handle *tep;
	struct arena arena;
	struct { VEC(struct format_text); } text;
	struct { VEC(const char *); } system;
	struct hidx by_id;
	bool swap, slow;
	tracefmt_resolve resolve;
	void *resolve_ctx;
	struct trace_seq seq;
	__typeof__(tep_print_event) *print_event;
	struct strbuf padded;
	struct strbuf name;	/* the resolver's last answer, for libtraceevent */
};

static bool find_id(const char *text, u32 len, u64 *ret)
{
	const char *p = memmem(text, MIN(len, 512u), "ID:", 3), *end = text + len;
	u64 id = 0;
	bool any = false;

	if (!p)
		return false;
	for (p += 3; p < end && (*p == ' ' || *p == '\t'); p++)
		;
	for (; p < end && *p >= '0' && *p <= '9' && id < UINT32_MAX; p++, any = true)
		id = id * 10 + (*p - '0');
	*ret = id;
	return any;
}

static void read_formats(struct tracefmt *t, struct cursor *c, u32 system)
{
	u32 nr = cursor_u32(c);

	for (u32 i = 0; i < nr && !c->bad; i++) {
		u64 size = cursor_u64(c), id;
		const char *text = cursor_bytes(c, size);

		if (!text || size > FORMAT_MAX || !find_id(text, size, &id))
			continue;
		hidx_insert(&t->by_id, hash_u64(id), t->text.nr);
		vec_push(&t->text,
			 (struct format_text){ .id = id, .text = text, .len = size, .system = system });
	}
}

static const char *cursor_zstr(struct cursor *c)
{
	const char *s = (const char *)c->p, *nul = memchr(s, 0, cursor_left(c));

	return cursor_bytes(c, nul ? (u64)(nul - s) + 1 : UINT64_MAX);
}

static void read_header(struct tracefmt *t, struct cursor *c)
{
	u64 size;
	const char *name, *text;

	for (int i = 0; i < 2; i++) {
		name = cursor_zstr(c);
		size = cursor_u64(c);
		text = cursor_bytes(c, size);
		if (!name || !text)
			return;
		if (!strcmp(name, "header_page") && size < FORMAT_MAX) {
			char *copy = arena_strndup(&t->arena, text, size);

			pthread_mutex_lock(&parser);
			tep_parse_header_page(t->tep, copy, size, tep_get_long_size(t->tep));
			pthread_mutex_unlock(&parser);
		}
	}
}

/* lines of: address : "format" -- libtraceevent's own reader trusts that each format is a few bytes long */
static void read_printk(struct tracefmt *t, char *text)
{
	for (char *line = text, *next; line && *line; line = next) {
		char *quote, *end;
		u64 addr;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		addr = strtoull(line, &end, 16);
		quote = strchr(line, '"');
		if (end != line && quote && strlen(quote) >= 6)
			tep_register_print_string(t->tep, quote, addr);
	}
}

static void read_blob(struct tracefmt *t, struct cursor *c)
{
	const char *text;
	u32 nr, size;

	read_header(t, c);
	vec_push(&t->system, "ftrace");
	read_formats(t, c, 0);
	nr = cursor_u32(c);
	for (u32 i = 0; i < nr && !c->bad; i++) {
		const char *name = cursor_zstr(c);

		if (!name)
			return;
		vec_push(&t->system, name);
		read_formats(t, c, t->system.nr - 1);
	}
	size = cursor_u32(c);	/* kallsyms: names come from the resolver */
	cursor_skip(c, size);
	size = cursor_u32(c);
	text = cursor_bytes(c, size);
	if (text && size && size <= 16 * FORMAT_MAX) {
		char *copy = arena_strndup(&t->arena, text, size);

		read_printk(t, copy);
	}
}

static char *tep_resolve(void *ctx, unsigned long long *addrp, char **modp)
{
	struct tracefmt *t = ctx;
	const char *mod = NULL, *name;
	u64 start = 0;

	name = t->resolve ? t->resolve(t->resolve_ctx, *addrp, &start, &mod) : NULL;
	if (!name)
		return NULL;
	strbuf_reset(&t->name);
	strbuf_addstr(&t->name, name);
	*addrp = start;
	*modp = (char *)mod;
	return t->name.buf;
}

struct tracefmt *tracefmt_new(const void *blob, u64 size, struct err *err)
{
	struct cursor c = cursor_of(blob, size, false);
	const u8 *magic = cursor_bytes(&c, 10);
	struct tracefmt *t;
	const char *version;
	u8 big, long_size;
	u32 page;

	if (!magic || memcmp(magic, "\x17\x08\x44tracing", 10)) {
		err_set(err, -EBADMSG, "the tracing data of the file has no trace header");
		return NULL;
	}
	version = cursor_zstr(&c);
	big = cursor_u8(&c);
	long_size = cursor_u8(&c);
	c.swap = big != tep_is_bigendian();
	page = cursor_u32(&c);
	if (c.bad || !version || big > 1 || (long_size != 4 && long_size != 8)) {
		err_set(err, -EBADMSG, "the header of the file's tracing data is damaged");
		return NULL;
	}
	if (!lib_usable(LIB_libtraceevent)) {
		lib_load(LIB_libtraceevent, err);
		return NULL;
	}
	t = xcalloc(1, sizeof(*t));
	tep_set_loglevel(TEP_LOG_NONE);
	t->tep = tep_alloc();
	t->print_event = lib_function(LIB_libtraceevent, "tep_print_event");
	t->swap = c.swap;
	tep_set_flag(t->tep, TEP_NSEC_OUTPUT);
	tep_set_file_bigendian(t->tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(t->tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(t->tep, long_size);
	tep_set_page_size(t->tep, page);
	tep_set_function_resolver(t->tep, tep_resolve, t);
	trace_seq_init(&t->seq);
	read_blob(t, &c);
	return t;
}

void tracefmt_free(struct tracefmt *t)
{
	if (!t)
		return;
	vec_foreach(&t->text, f)
		if (f->ev)
			vec_release(&f->ev->field);
	trace_seq_destroy(&t->seq);
	tep_free(t->tep);
	vec_release(&t->text);
	vec_release(&t->system);
	hidx_release(&t->by_id);
	strbuf_release(&t->padded);
	strbuf_release(&t->name);
	arena_release(&t->arena);
	free(t);
}

u32 tracefmt_page_size(const struct tracefmt *t)
{
	u32 size = tep_get_page_size(t->tep);

	/* 4 kB to 64 kB occur; anything else is damage */
	return size >= 1024 && size <= 1u << 20 && !(size & (size - 1)) ? size : 4096;
}

void tracefmt_set_resolver(struct tracefmt *t, tracefmt_resolve fn, void *ctx)
{
	t->resolve = fn;
	t->resolve_ctx = ctx;
}

void tracefmt_set_slow(struct tracefmt *t, bool slow)
{
	t->slow = slow;
}

/* true if nothing in it makes a recursive parser go deep, and it has no NUL */
static bool text_is_sane(const char *s, u32 len)
{
	int depth = 0, run = 0, nr_cond = 0;

	for (u32 i = 0; i < len; i++) {
		if (!s[i])
			return false;
		if (s[i] == '(' || s[i] == '[')
			depth++;
		else if (s[i] == ')' || s[i] == ']')
			depth--;
		run = strchr("!~-+*& ", s[i]) ? run + 1 : 0;
		nr_cond += s[i] == '?';
		if (depth > NEST_MAX || run > NEST_MAX || nr_cond > NEST_MAX)
			return false;
	}
	return true;
}

/* field[3]: inside a plain array */
static bool is_const_index(const struct tep_print_arg *a)
{
	const struct tep_print_arg *l = a->op.left, *r = a->op.right;

	return l && r && l->type == TEP_PRINT_FIELD && r->type == TEP_PRINT_ATOM && r->atom.atom &&
	       l->field.field && l->field.field->flags & TEP_FIELD_IS_ARRAY &&
	       strtoull(r->atom.atom, NULL, 0) < l->field.field->arraylen;
}

/* true if no payload can make it 0 */
static bool is_safe_divisor(const struct tep_print_arg *a)
{
	return a && a->type == TEP_PRINT_ATOM && a->atom.atom && strtoll(a->atom.atom, NULL, 0) > 0;
}

static bool trusts(const struct tep_print_arg *a, int depth)
{
	if (!a || depth > NEST_MAX)
		return depth > NEST_MAX;
	switch (a->type) {
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
	case TEP_PRINT_INT_ARRAY:
	case TEP_PRINT_DYNAMIC_ARRAY:
		return true;
	case TEP_PRINT_TYPE:
		return trusts(a->typecast.item, depth + 1);
	case TEP_PRINT_FLAGS:
		return trusts(a->flags.field, depth + 1);
	case TEP_PRINT_SYMBOL:
		return trusts(a->symbol.field, depth + 1);
	case TEP_PRINT_OP:
		if (!strcmp(a->op.op, "["))
			return !is_const_index(a);
		if ((!strcmp(a->op.op, "/") || !strcmp(a->op.op, "%")) && !is_safe_divisor(a->op.right))
			return true;
		return trusts(a->op.left, depth + 1) || trusts(a->op.right, depth + 1);
	case TEP_PRINT_FUNC:
		for (const struct tep_print_arg *f = a->func.args; f; f = f->next)
			if (trusts(f, depth + 1))
				return true;
		return false;
	default:
		return false;
	}
}

/*
 * %*d and %.*s take their lengths from the payload. Older versions of libtraceevent do not know %c:
 * the values after it are then those of other fields
 */
static bool any_trust(const struct tep_event *tep)
{
	for (const struct tep_print_arg *a = tep->print_fmt.args; a; a = a->next)
		if (trusts(a, 0))
			return true;
	for (const char *p = tep->print_fmt.format; p && (p = strchr(p, '%')); p++)
		if (strchr("*c", p[strcspn(p, "*diuxXospc ")]))
			return true;
	return false;
}

/* size of a type of the kernel's probes: "u32", "s8"; 0: it is none */
static u32 probe_type_size(const char *type)
{
	u32 bits = type[0] == 'u' || type[0] == 's' ? strtoul(type + 1, NULL, 10) : 0;

	return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

/*
 * "field:u32 a[]; size:16": probes do not say the number of elements; libtraceevent takes it for 0, and
 * arrays of bytes for text. These are numbers: strings of probes are dynamic fields
 */
static void complete_arrays(struct tep_format_field *f)
{
	for (; f; f = f->next) {
		bool is_open = f->type && f->flags & TEP_FIELD_IS_ARRAY && !f->arraylen;
		u32 size = is_open ? probe_type_size(f->type) : 0;

		if (!size || f->size <= 0 || f->flags & (TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_RELATIVE))
			continue;
		f->arraylen = f->size / size;
		f->elementsize = size;
		f->flags &= ~TEP_FIELD_IS_STRING;
	}
}

static bool has_numbers(const struct tep_format_field *f)
{
	return f->type && f->flags & TEP_FIELD_IS_ARRAY && f->arraylen && probe_type_size(f->type) &&
	       !(f->flags & (TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_RELATIVE | TEP_FIELD_IS_STRING));
}

static bool add_fields(struct tracefmt_event *ev, struct tep_format_field *f)
{
	for (; f; f = f->next) {
		if (f->offset < 0 || f->size < 0 || f->offset > 65535 || f->size > 65535)
			return false;
		vec_push(&ev->field, (struct tracefmt_field){
			.name = f->name, .type = f->type, .off = f->offset, .size = f->size,
			.elem_size = f->elementsize ? f->elementsize : (u32)f->size,
			.is_signed = f->flags & TEP_FIELD_IS_SIGNED, .is_string = f->flags &
			TEP_FIELD_IS_STRING, .is_array = f->flags & TEP_FIELD_IS_ARRAY,
			.is_dynamic = f->flags & TEP_FIELD_IS_DYNAMIC,
			.is_relative = f->flags & TEP_FIELD_IS_RELATIVE, .has_numbers = has_numbers(f),
			.tep = f });
		ev->need = MAX(ev->need, (u32)f->offset + f->size);
	}
	return true;
}

struct parse_job {
	struct tep_handle *tep;
	const char *text, *system;
	size_t len;
};

static void parse_text(void *ctx)
{
	struct parse_job *j = ctx;

	tep_parse_event(j->tep, j->text, j->len, j->system);
}

/* without the print format: the fields are listed then */
static void parse_fields(struct parse_job *j)
{
	const char *print = strstr(j->text, "print fmt:");
	struct strbuf text = STRBUF_INIT;

	if (!print)
		return;
	strbuf_add(&text, j->text, print - j->text);
	strbuf_addstr(&text, "print fmt: damaged\n");
	fault_guard_run(parse_text, &(struct parse_job){ j->tep, text.buf, j->system, text.len });
	strbuf_release(&text);
}

/* libtraceevent follows null pointers in damaged print formats, as of a field that there is not */
static void parse_guarded(struct tracefmt *t, const struct format_text *ft)
{
	u32 len;
	char *copy = string_arrays_expand(ft->text, ft->len, &len);
	struct parse_job j = { t->tep, copy, t->system.v[ft->system], len };

	pthread_mutex_lock(&parser);
	if (!fault_guard_run(parse_text, &j))
		parse_fields(&j);
	pthread_mutex_unlock(&parser);
	free(copy);
}

static struct tracefmt_event *parse_event(struct tracefmt *t, const struct format_text *ft)
{
	struct tracefmt_event *ev;
	struct tep_event *tep;

	if (!text_is_sane(ft->text, ft->len))
		return NULL;
	parse_guarded(t, ft);
	tep = tep_find_event(t->tep, ft->id);
	if (!tep || !tep->name)
		return NULL;
	ev = ARENA_NEW(&t->arena, struct tracefmt_event);
	ev->tep = tep;
	complete_arrays(tep->format.fields);
	if (!add_fields(ev, tep->format.fields))
		goto bad;
	ev->nr_own = ev->field.nr;
	if (!add_fields(ev, tep->format.common_fields))
		goto bad;
	if (!(tep->flags & TEP_EVENT_FL_FAILED))
		ev->compiled = program_compile(&ev->prog, tep, &t->arena);
	ev->trusting = any_trust(tep);
	return ev;
bad:
	vec_release(&ev->field);
	return NULL;
}

const struct tracefmt_event *tracefmt_event(struct tracefmt *t, u64 id)
{
	u32 k;

	HIDX_FOREACH(&t->by_id, hash_u64(id), k) {
		struct format_text *ft = &t->text.v[k];

		if (ft->id != id)
			continue;
		if (!ft->tried)
			ft->ev = parse_event(t, ft);
		ft->tried = true;
		return ft->ev;
	}
	return NULL;
}

bool tracefmt_nth_id(const struct tracefmt *t, u32 n, u64 *ret_id)
{
	if (n >= t->text.nr)
		return false;
	*ret_id = t->text.v[n].id;
	return true;
}

const char *tracefmt_event_name(const struct tracefmt_event *ev)
{
	return ev->tep->name;
}

const char *tracefmt_event_system(const struct tracefmt_event *ev)
{
	return ev->tep->system ? ev->tep->system : "";
}

bool tracefmt_event_compiled(const struct tracefmt_event *ev)
{
	return ev->compiled;
}

bool tracefmt_event_for_library(const struct tracefmt_event *ev)
{
	return !ev->trusting;
}

const struct tracefmt_field *tracefmt_nth_field(const struct tracefmt_event *ev, u32 n)
{
	return n < ev->nr_own ? &ev->field.v[n] : NULL;
}

const struct tracefmt_field *tracefmt_field(const struct tracefmt_event *ev, const char *name)
{
	for (size_t i = 0; i < ev->field.nr; i++)
		if (ev->field.v[i].name && !strcmp(ev->field.v[i].name, name))
			return &ev->field.v[i];
	return NULL;
}

bool tracefmt_is_swapped(const struct tracefmt *t)
{
	return t->swap;
}

static u64 read_number(const void *p, u32 size, bool swap)
{
	struct cursor c = cursor_of(p, size, swap);

	switch (size) {
	case 1: return cursor_u8(&c);
	case 2: return cursor_u16(&c);
	case 4: return cursor_u32(&c);
	case 8: return cursor_u64(&c);
	default: return 0;
	}
}

static u64 extended(u64 v, u32 size)
{
	return size < 8 ? (u64)((s64)(v << (64 - 8 * size)) >> (64 - 8 * size)) : v;
}

bool tracefmt_value(const struct tracefmt *t, const struct tracefmt_field *f, const void *raw, u32 size,
		    u64 *ret)
{
	u64 v;

	if (f->is_array || f->is_dynamic || f->size > size || f->off > size - f->size)
		return false;
	if (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return false;
	v = read_number((const u8 *)raw + f->off, f->size, t->swap);
	if (f->is_signed)
		v = extended(v, f->size);
	*ret = v;
	return true;
}

/* "{1,2,3}", as the kernel prints arrays of probes */
static void print_numbers(const struct tracefmt *t, const struct tracefmt_field *f, const u8 *raw,
			  struct strbuf *out)
{
	for (u32 i = 0; i + f->elem_size <= f->size; i += f->elem_size) {
		u64 v = read_number(raw + f->off + i, f->elem_size, t->swap);

		strbuf_addch(out, i ? ',' : '{');
		if (f->is_signed)
			strbuf_addf(out, "%lld", (long long)extended(v, f->elem_size));
		else
			strbuf_addf(out, "%llu", (unsigned long long)v);
	}
	strbuf_addch(out, '}');
}

const void *tracefmt_bytes(const struct tracefmt *t, const struct tracefmt_field *f, const void *raw,
			   u32 size, u32 *ret_len)
{
	u32 off = f->off, len = f->size, word;

	if (f->size > size || f->off > size - f->size)
		return NULL;
	if (f->is_dynamic) {
		if (f->size != 4)
			return NULL;
		word = read_number((const u8 *)raw + f->off, 4, t->swap);
		off = (word & 0xffff) + (f->is_relative ? f->off + 4 : 0);
		len = word >> 16;
		if (len > size || off > size - len)
			return NULL;
	}
	*ret_len = len;
	return (const u8 *)raw + off;
}

/* True if everything that libtraceevent reads without checking sizes is inside the payload. */
static bool payload_is_sane(const struct tracefmt *t, const struct tracefmt_event *ev, const void *raw,
			    u32 size)
{
	u32 len;

	if (ev->need > size)
		return false;
	for (size_t i = 0; i < ev->field.nr; i++)
		if (ev->field.v[i].is_dynamic && !tracefmt_bytes(t, &ev->field.v[i], raw, size, &len))
			return false;
	/* libtraceevent uses the event id in the payload */
	return tep_data_type(t->tep, &(struct tep_record){ .size = size,
							   .data = (void *)raw }) == ev->tep->id;
}

static void print_hex(const u8 *raw, u32 size, struct strbuf *out)
{
	strbuf_addstr(out, "[unreadable payload]");
	for (u32 i = 0; i < size; i++) {
		strbuf_addch(out, ' ');
		strbuf_add_hex(out, raw[i], 2, '0');
	}
}

/* strings in it may lack their NUL: zeros follow the copy for libtraceevent */
static void *pad_payload(struct tracefmt *t, const void *raw, u32 size)
{
	strbuf_reset(&t->padded);
	strbuf_add(&t->padded, raw, size);
	strbuf_pad(&t->padded, '\0', 64);
	trace_seq_reset(&t->seq);
	return t->padded.buf;
}

static void take_seq(struct tracefmt *t, struct strbuf *out)
{
	strbuf_add(out, t->seq.buffer, t->seq.state == TRACE_SEQ__GOOD ? t->seq.len : 0);
}

static void print_slow(struct tracefmt *t, const struct tracefmt_event *ev, const void *raw, u32 size,
		       struct strbuf *out)
{
	struct tep_record rec = { .size = size, .record_size = size, .data = pad_payload(t, raw, size) };

	if (ev->trusting || !t->print_event)
		tep_record_print_fields(&t->seq, &rec, ev->tep);
	else
		t->print_event(t->tep, &t->seq, &rec, "%s", TEP_PRINT_INFO);
	take_seq(t, out);
}

void tracefmt_print_fields(struct tracefmt *t, const struct tracefmt_event *ev, const void *raw, u32 size,
			   struct strbuf *out)
{
	struct tep_record rec = { .size = size, .record_size = size };

	if (!payload_is_sane(t, ev, raw, size)) {
		print_hex(raw, size, out);
		return;
	}
	rec.data = pad_payload(t, raw, size);
	tep_record_print_fields(&t->seq, &rec, ev->tep);
	take_seq(t, out);
}

void tracefmt_print_field(struct tracefmt *t, const struct tracefmt_event *ev, const struct tracefmt_field *f,
			  const void *raw, u32 size, struct strbuf *out)
{
	if (!payload_is_sane(t, ev, raw, size))
		return;
	if (f->has_numbers) {
		print_numbers(t, f, raw, out);
		return;
	}
	tep_print_field_content(&t->seq, pad_payload(t, raw, size), size, f->tep);
	take_seq(t, out);
}

void tracefmt_print(struct tracefmt *t, const struct tracefmt_event *ev, const void *raw, u32 size,
		    struct strbuf *out)
{
	struct program_ctx x = { raw, size, t->swap, t->resolve, t->resolve_ctx };
	size_t start = out->len;

	if (ev->compiled && !t->slow && ev->prog.need <= size) {
		if (program_run(&ev->prog, &x, out))
			return;
		strbuf_setlen(out, start);
	} else if (payload_is_sane(t, ev, raw, size)) {
		print_slow(t, ev, raw, size, out);
		return;
	}
	print_hex(raw, size, out);
}
