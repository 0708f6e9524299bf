/* Tracepoint formats: compiled programs against libtraceevent, odd formats, hostile payloads. */
#include "bytes.h"
#include "test.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include "../../util/base/fs.h"
#include "../../util/base/pool.h"
#include "../../util/base/vec.h"
#include "../../util/tep/tracefmt.h"
#include "../../util/tracing/bind.h"

#define COMMON \
	"format:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static void add_num(struct strbuf *b, u64 v, u32 size)
{
	strbuf_add(b, low_bytes(&v, size), size);
}

static void blob_start(struct strbuf *b, u32 nr_systems)
{
	strbuf_add(b, "\x17\x08\x44tracing" "0.6", 14);
	strbuf_addch(b, HOST_IS_BE);
	strbuf_addch(b, 8);
	add_num(b, 4096, 4);
	strbuf_add(b, "header_page", 12);
	add_num(b, 0, 8);
	strbuf_add(b, "header_event", 13);
	add_num(b, 0, 8);
	add_num(b, 0, 4);
	add_num(b, nr_systems, 4);
}

static void blob_add(struct strbuf *b, const char *system, const char *text, size_t len)
{
	strbuf_add(b, system, strlen(system) + 1);
	add_num(b, 1, 4);
	add_num(b, len, 8);
	strbuf_add(b, text, len);
}

static void blob_end(struct strbuf *b)
{
	add_num(b, 0, 4);
	add_num(b, 0, 4);
	add_num(b, 0, 8);
}

static struct tracefmt *one(struct strbuf *b, const char *text)
{
	struct err err = ERR_INIT;

	strbuf_reset(b);
	blob_start(b, 1);
	blob_add(b, "sys", text, strlen(text));
	blob_end(b);
	return tracefmt_new(b->buf, b->len, &err);
}

static const char *resolve(void *ctx, u64 addr, u64 *ret_start, const char **ret_mod)
{
	*ret_start = addr - 0x10;
	return addr & 1 ? "func" : NULL;
}

static void check_print(const char *text, const void *raw, u32 size, bool compiled, const char *want)
{
	struct strbuf blob = STRBUF_INIT, out = STRBUF_INIT;
	struct tracefmt *t = one(&blob, text);
	const struct tracefmt_event *ev;

	REQUIRE(t);
	tracefmt_set_resolver(t, resolve, NULL);
	ev = tracefmt_event(t, 7);
	REQUIRE(ev);
	CHECK_INT(tracefmt_event_compiled(ev), compiled);
	tracefmt_print(t, ev, raw, size, &out);
	CHECK_STR(strbuf_str(&out), want);
	tracefmt_free(t);
	strbuf_release(&out);
	strbuf_release(&blob);
}

TEST(prints_numbers_strings_flags)
{
	struct { u16 type, pad; s32 pid; s32 num; char comm[8]; u32 flags; u64 fn; u32 dyn; char text[8]; }
		__attribute__((packed)) raw = { 7, 0, 1, -5, "cat", 5, 0xffff0011, 36 | 6 << 16, "hello" };

	check_print("name: ev\nID: 7\n" COMMON
		    "\tfield:int num;\toffset:8;\tsize:4;\tsigned:1;\n"
		    "\tfield:char comm[8];\toffset:12;\tsize:8;\tsigned:0;\n"
		    "\tfield:unsigned int flags;\toffset:20;\tsize:4;\tsigned:0;\n"
		    "\tfield:unsigned long fn;\toffset:24;\tsize:8;\tsigned:0;\n"
		    "\tfield:__data_loc char[] text;\toffset:32;\tsize:4;\tsigned:0;\n\n"
		    "print fmt: \"num=%d %04x comm=%s flags=%s fn=%pS text=%s%s\", REC->num, REC->flags, "
		    "REC->comm, __print_flags(REC->flags, \"|\", { 1, \"A\" }, { 2, \"B\" }), "
		    "(void *)REC->fn, __get_str(text), REC->num > 0 ? \"!\" : \"?\"\n",
		    &raw, sizeof(raw), true, "num=-5 0005 comm=cat flags=A|0x4 fn=func+0x10 text=hello!");
}

/* the kernel's probes: characters, and arrays whose format does not tell the number of elements */
TEST(characters_and_arrays_of_probes)
{
	struct { u16 type, pad; s32 pid; u8 ch, zero; s32 list[2]; u8 bytes[2]; u16 after; }
		__attribute__((packed)) raw = { 7, 0, 1, 'e', 0, { 5, -6 }, { 'h', 0xff }, 9 };
	static const char text[] = "name: ev\nID: 7\n" COMMON
		"\tfield:u8 ch;\toffset:8;\tsize:1;\tsigned:0;\n"
		"\tfield:u8 zero;\toffset:9;\tsize:1;\tsigned:0;\n"
		"\tfield:s32 list[];\toffset:10;\tsize:8;\tsigned:1;\n"
		"\tfield:u8 bytes[];\toffset:18;\tsize:2;\tsigned:0;\n"
		"\tfield:u16 after;\toffset:20;\tsize:2;\tsigned:0;\n\n"
		"print fmt: \"ch='%c' zero='%c' list={%d,%d} bytes={0x%x,0x%x} after=%u\", REC->ch, "
		"REC->zero, REC->list[0], REC->list[1], REC->bytes[0], REC->bytes[1], REC->after\n";
	struct strbuf blob = STRBUF_INIT, out = STRBUF_INIT;
	const struct tracefmt_event *ev;
	struct tracefmt *t;

	check_print(text, &raw, sizeof(raw), true,
		    "ch='e' zero='\\x00' list={5,-6} bytes={0x68,0xff} after=9");
	t = one(&blob, text);
	REQUIRE(t);
	ev = tracefmt_event(t, 7);
	REQUIRE(ev);
	/* libtraceevent would give the character's value to what follows it */
	CHECK(!tracefmt_event_for_library(ev));
	tracefmt_print_field(t, ev, tracefmt_field(ev, "list"), &raw, sizeof(raw), &out);
	tracefmt_print_field(t, ev, tracefmt_field(ev, "bytes"), &raw, sizeof(raw), &out);
	CHECK_STR(strbuf_str(&out), "{5,-6}{104,255}");
	tracefmt_free(t);
	strbuf_release(&out);
	strbuf_release(&blob);
}

TEST(arrays_of_strings_of_probes)
{
	struct { u16 type, pad; s32 pid; u32 list[2]; s32 n; char text[8]; } raw =
		{ 7, 0, 1, { 3 << 16 | 20, 5 << 16 | 23 }, -4, { 'a', 'b', 0, 'c', 'd', 'e', 'f', 0 } };

	check_print("name: ev\nID: 7\n" COMMON
		    "\tfield:__data_loc char[][2] x;\toffset:8;\tsize:8;\tsigned:1;\n"
		    "\tfield:s32 x_1;\toffset:16;\tsize:4;\tsigned:1;\n\n"
		    "print fmt: \"x={\\\"%s\\\",\\\"%s\\\"} x_1=%d\", __get_str(x[0]), __get_str(x[1]), "
		    "REC->x_1\n", &raw, sizeof(raw), true, "x={\"ab\",\"cdef\"} x_1=-4");
}

TEST(size_wins_over_the_c_type)
{
	struct { u16 type, pad; s32 pid; u64 wide; } raw = { 7, 0, 1, 0x123456789abcull };

	check_print("name: ev\nID: 7\n" COMMON "\tfield:int wide;\toffset:8;\tsize:8;\tsigned:1;\n\n"
		    "print fmt: \"%lx\", REC->wide\n", &raw, sizeof(raw), true, "123456789abc");
}

TEST(no_fields_of_its_own)
{
	u64 raw = 7;

	check_print("name: ev\nID: 7\n" COMMON "\nprint fmt: \"\"\n", &raw, sizeof(raw), true, "");
}

/* a format whose texts differ by i: ok[i] if its first flag is printed as such */
static void print_numbered(void *ok, unsigned int worker UNUSED, size_t i)
{
	static const struct { u16 type, pad; s32 pid, flags; } raw = { 7, 0, 0, 1 };
	struct strbuf blob = STRBUF_INIT, text = STRBUF_INIT, out = STRBUF_INIT;
	const struct tracefmt_event *ev;
	struct tracefmt *t;
	char want[32];

	snprintf(want, sizeof(want), "flag_%zu", i);
	strbuf_addf(&text, "name: ev\nID: 7\n" COMMON
		    "\tfield:int a%zu;\toffset:8;\tsize:4;\tsigned:1;\n\n"
		    "print fmt: \"%%s\", __print_flags(REC->a%zu, \"|\", { (1UL) << (0), \"%s\" }",
		    i, i, want);
	for (u32 k = 1; k < 32; k++)
		strbuf_addf(&text, ", { (1UL) << (%u), \"flag_%zu_%u\" }", k, i, k);
	strbuf_addstr(&text, ")\n");
	t = one(&blob, strbuf_str(&text));
	ev = t ? tracefmt_event(t, 7) : NULL;
	if (ev)
		tracefmt_print(t, ev, &raw, sizeof(raw), &out);
	((bool *)ok)[i] = !strcmp(strbuf_str(&out), want);
	tracefmt_free(t);
	strbuf_release(&blob);
	strbuf_release(&text);
	strbuf_release(&out);
}

TEST(several_threads_read_formats)
{
	struct pool *pool = pool_new(4);
	const u32 nr = unit_amount(8000);
	bool *ok = xcalloc(nr, sizeof(*ok));
	u32 nr_ok = 0;

	pool_run(pool, nr, print_numbered, ok);
	pool_free(pool);
	for (u32 i = 0; i < nr; i++)
		nr_ok += ok[i];
	CHECK_INT(nr_ok, nr);
	free(ok);
}

TEST(short_and_lying_payloads)
{
	static const char text[] = "name: ev\nID: 7\n" COMMON
				   "\tfield:__data_loc char[] text;\toffset:8;\tsize:4;\tsigned:0;\n\n"
				   "print fmt: \"%s\", __get_str(text)\n";
	struct { u16 type, pad; s32 pid; u32 dyn; } raw = { 0x0707, 0, 0, 0x00101000 };

	check_print(text, &raw, 8, true, "[unreadable payload] 07 07 00 00 00 00 00 00");
	check_print(text, &raw, 12, true, "[unreadable payload] 07 07 00 00 00 00 00 00 00 10 10 00");
}

TEST(lengths_in_the_payload_do_not_reach_libtraceevent)
{
	struct { u16 type, pad; s32 pid; u32 len, dyn; } raw = { 7, 0, 0, 0x7fffffff, 16 };

	check_print("name: ev\nID: 7\n" COMMON "\tfield:unsigned int len;\toffset:8;\tsize:4;\tsigned:0;\n"
		    "\tfield:__data_loc u8[] buf;\toffset:12;\tsize:4;\tsigned:0;\n\n"
		    "print fmt: \"%s\", __print_hex(__get_dynamic_array(buf), REC->len)\n",
		    &raw, sizeof(raw), false, " len=2147483647 buf=");
}

/* the event has only the field n: libtraceevent follows a null pointer */
TEST(damaged_print_formats_leave_the_fields)
{
	static const char fields[] = "name: ev\nID: 7\n" COMMON
				     "\tfield:long n;\toffset:8;\tsize:8;\tsigned:1;\n\nprint fmt: ";
	struct { u16 type, pad; s32 pid; s64 n; } raw = { 7, 0, 0, 5 };
	char text[1024];

	snprintf(text, sizeof(text),
		 "%s\"%%s\", REC->m & 3 ? __print_flags(REC->m & 3, \"|\", { 1, \"A\" }) : \"\"\n", fields);
	check_print(text, &raw, sizeof(raw), false, "[FAILED TO PARSE] n=5");
}

TEST(divisors_in_the_payload_do_not_reach_libtraceevent)
{
	static const char fields[] = "name: ev\nID: 7\n" COMMON
				     "\tfield:int n;\toffset:8;\tsize:4;\tsigned:1;\n"
				     "\tfield:int by;\toffset:12;\tsize:4;\tsigned:1;\n\nprint fmt: ";
	struct { u16 type, pad; s32 pid, n, by; } raw = { 7, 0, 0, 100, 0 };
	char text[1024];

	snprintf(text, sizeof(text), "%s\"%%d\", REC->n / REC->by\n", fields);
	check_print(text, &raw, sizeof(raw), true, "0");
	/* a helper that is not compiled is left to the library */
	snprintf(text, sizeof(text), "%s\"%%d %%s\", REC->n %% REC->by, __print_hex(REC->n, 4)\n", fields);
	check_print(text, &raw, sizeof(raw), false, " n=100 by=0");
	raw.by = 7;
	snprintf(text, sizeof(text), "%s\"%%d\", REC->n %% 7\n", fields);
	check_print(text, &raw, sizeof(raw), true, "2");
}

TEST(damaged_blobs_and_formats)
{
	struct strbuf blob = STRBUF_INIT, text = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct tracefmt *t;

	CHECK(!tracefmt_new("nonsense", 8, &err));
	CHECK(err.code == -EBADMSG);
	strbuf_addstr(&text, "name: ev\nID: 7\n" COMMON "\nprint fmt: \"%d\", ");
	strbuf_pad(&text, '(', 100000);
	t = one(&blob, text.buf);
	REQUIRE(t);
	CHECK(!tracefmt_event(t, 7));
	CHECK(!tracefmt_event(t, 8));
	tracefmt_free(t);
	for (size_t len = 10; len < 200 && len < blob.len; len++)
		tracefmt_free(tracefmt_new(blob.buf, len, &err));
	strbuf_release(&blob);
	strbuf_release(&text);
}

TEST(fields_by_name)
{
	struct strbuf blob = STRBUF_INIT;
	struct tracefmt *t = one(&blob, "name: ev\nID: 7\n" COMMON
				 "\tfield:short n;\toffset:8;\tsize:2;\tsigned:1;\n\n"
				 "print fmt: \"%d\", REC->n\n");
	const struct tracefmt_event *ev = tracefmt_event(t, 7);
	s16 raw[5] = { 7, 0, 0, 0, -3 };
	const struct tracefmt_field *f;
	u64 v = 0;

	REQUIRE(ev);
	f = tracefmt_field(ev, "n");
	REQUIRE(f);
	CHECK(tracefmt_nth_field(ev, 0) == f && !tracefmt_nth_field(ev, 1));
	CHECK(tracefmt_value(t, f, raw, 10, &v));
	CHECK_INT((s64)v, -3);
	CHECK(!tracefmt_value(t, f, raw, 9, &v));
	CHECK(tracefmt_field(ev, "common_pid"));
	CHECK(!tracefmt_field(ev, "m"));
	tracefmt_free(t);
	strbuf_release(&blob);
}

TEST(fields_are_bound_once_by_either_name)
{
	static const struct tracing_field fields[] = {
		{ .name = "m", .or_name = "n" }, { .name = "gone", .optional = true },
		{ .name = "common_pid" }, { .name = "t", .is_bytes = true }, { .name = NULL }
	};
	static const struct tracing_field lacking[] = { { .name = "x", .or_name = "y" }, { .name = NULL } };
	struct strbuf blob = STRBUF_INIT;
	struct tracefmt *t = one(&blob, "name: ev\nID: 7\n" COMMON
				 "\tfield:short n;\toffset:8;\tsize:2;\tsigned:1;\n"
				 "\tfield:char t[4];\toffset:10;\tsize:4;\tsigned:0;\n\n"
				 "print fmt: \"%d\", REC->n\n");
	const struct tracefmt_event *ev = tracefmt_event(t, 7);
	const s16 raw[7] = { 7, 0, 5, 0, -3, 0x6161, 0x6100 };
	struct tracing_binding b = { 0 };
	struct err err = ERR_INIT;
	struct tracing_values v = { .number[1] = 9 };

	REQUIRE(ev);
	REQUIRE(!tracing_bind(&b, t, ev, fields, &err));
	CHECK(tracing_read(&b, raw, sizeof(raw), &v));
	CHECK_INT((s64)v.number[0], -3);
	CHECK_U64(v.number[1], 9);
	CHECK_U64(v.number[2], HOST_IS_BE ? 5 << 16 : 5);
	CHECK_U64(b.present, 13);
	CHECK_U64(v.bytes[3].len, 4);
	CHECK_U64(tracing_text_len(&v.bytes[3]), HOST_IS_BE ? 3 : 2);
	CHECK(!tracing_read(&b, raw, sizeof(raw) - 1, &v));
	CHECK_INT(tracing_bind(&b, t, ev, lacking, &err), -ENOENT);
	CHECK_STR(err.msg, "the recorded format of event 'sys:ev' has no field 'x' or 'y'");
	tracefmt_free(t);
	strbuf_release(&blob);
}

static void random_payload(const struct tracefmt_event *ev, u8 *raw, u32 size, u32 need, u32 round, u64 id)
{
	const struct tracefmt_field *f;
	u16 type = id;
	u32 word;

	for (u32 i = 0; i < size; i++)
		raw[i] = round % 3 == 0 ? random() : random() % 4 ? (round % 3 == 1 ? 0 : 0xff) :
								    random() % 8;
	memcpy(raw, &type, 2);
	for (u32 i = 0; (f = tracefmt_nth_field(ev, i)); i++) {
		if (f->is_string && !f->is_dynamic) {
			memset(raw + f->off, 'a' + random() % 26, f->size);
			raw[f->off + random() % f->size] = round % 2 ? 0 : 'x';
		} else if (f->is_dynamic) {
			word = (f->is_relative ? need - f->off - 4 : need) | 16 << 16;
			memcpy(raw + f->off, &word, 4);
			memcpy(raw + need, "some text there", 16);
		}
	}
}

static u32 compare_event(struct tracefmt *fast, struct tracefmt *slow, u64 id)
{
	const struct tracefmt_event *ev = tracefmt_event(fast, id), *ev2 = tracefmt_event(slow, id);
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
	const struct tracefmt_field *f;
	u8 raw[8192];
	u32 need = 8;

	if (!ev || !ev2 || !tracefmt_event_compiled(ev) || !tracefmt_event_for_library(ev2))
		return 0;
	for (u32 i = 0; (f = tracefmt_nth_field(ev, i)); i++)
		need = MAX(need, f->off + f->size);
	for (u32 round = 0; round < 12 && need + 16 <= sizeof(raw); round++) {
		random_payload(ev, raw, need + 16, need, round, id);
		strbuf_reset(&a);
		strbuf_reset(&b);
		tracefmt_print(fast, ev, raw, need + 16, &a);
		tracefmt_print(slow, ev2, raw, need + 16, &b);
		if (strcmp(strbuf_str(&a), strbuf_str(&b))) {
			unit_fail(__FILE__, __LINE__, "%s:%s: program '%s', libtraceevent '%s'",
				  tracefmt_event_system(ev), tracefmt_event_name(ev), strbuf_str(&a),
				  strbuf_str(&b));
			break;
		}
	}
	strbuf_release(&a);
	strbuf_release(&b);
	return 1;
}

/*
 * libtraceevent shifts as the machine does: by the lowest six bits of the count, but on POWER by all of them.
 * There formats have another operator
 */
static void avoid_shifts(struct strbuf *format)
{
#ifdef __powerpc64__
	for (char *s = format->buf; (s = strstr(s, "<< REC"));)
		memcpy(s, "| ", 2);
#endif
}

/* every format that the running kernel has, with random payloads */
TEST(programs_agree_with_libtraceevent)
{
	static const char dir[] = "/sys/kernel/tracing/events/";
	struct strbuf blob = STRBUF_INIT, text = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct tracefmt *fast, *slow;
	glob_t g = { 0 };
	u32 nr = 0;
	u64 id;

	if (glob("/sys/kernel/tracing/events/*/*/format", 0, NULL, &g))
		SKIP("tracefs is not readable");
	blob_start(&blob, g.gl_pathc);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		char *sys = strdup(g.gl_pathv[i] + strlen(dir));

		sys[strcspn(sys, "/")] = '\0';
		strbuf_reset(&text);
		fs_read(g.gl_pathv[i], &text);
		avoid_shifts(&text);
		blob_add(&blob, sys, strbuf_str(&text), text.len);
		free(sys);
	}
	blob_end(&blob);
	globfree(&g);
	fast = tracefmt_new(blob.buf, blob.len, &err);
	slow = tracefmt_new(blob.buf, blob.len, &err);
	REQUIRE(fast && slow);
	tracefmt_set_slow(slow, true);
	tracefmt_set_resolver(fast, resolve, NULL);
	tracefmt_set_resolver(slow, resolve, NULL);
	srandom(1);
	for (u32 n = 0; tracefmt_nth_id(fast, n, &id); n++)
		nr += compare_event(fast, slow, id);
	CHECK(nr > 0);
	tracefmt_free(fast);
	tracefmt_free(slow);
	strbuf_release(&blob);
	strbuf_release(&text);
}
