/* The text of report -D for single records, as users of upstream know it. */
#include "bytes.h"
#include "test.h"
#include "../../ui/format.h"
#include "../../util/base/strbuf.h"
#include "../../util/data/dump.h"
#include "../../util/event/attr.h"
#include "../../util/event/record-type.h"

#include <string.h>

/* one event that samples IP, TID, TIME, with trailers */
static struct data *data_for(u64 more_sample_type)
{
	static char path[] = "f.data";
	struct data *d = xcalloc(1, sizeof(*d));
	struct event *ev;

	d->path = path;
	d->evset = evset_new();
	ev = evset_add(d->evset, "e");
	ev->attr.sample_type = ABI_SAMPLE_IP | ABI_SAMPLE_TID | ABI_SAMPLE_TIME | more_sample_type;
	ev->attr.flags = ATTR_SAMPLE_ID_ALL;
	ev->attr.sample_period = 4000;
	d->plan = sample_plan_new(d->evset);
	return d;
}

static struct rec rec_of(struct rec_header *h, u64 off)
{
	return (struct rec){ .p = (u8 *)h, .size = h->size, .type = h->type, .misc = h->misc, .off = off };
}

#if HOST_IS_BE
#define HEX_OF_COMM \
	".  0000:  00 00 00 03 20 00 00 28 00 00 00 0a 00 00 00 0b  .... ..(........\n" \
	".  0010:  6c 73 00 00 00 00 00 00 00 00 00 0a 00 00 00 0b  ls..............\n" \
	".  0020:  00 00 00 00 00 00 00 4d                          .......M        \n"
#else
#define HEX_OF_COMM \
	".  0000:  03 00 00 00 00 20 28 00 0a 00 00 00 0b 00 00 00  ..... (.........\n" \
	".  0010:  6c 73 00 00 00 00 00 00 0a 00 00 00 0b 00 00 00  ls..............\n" \
	".  0020:  4d 00 00 00 00 00 00 00                          M.......        \n"
#endif

TEST(comm)
{
	struct {
		struct rec_header h;
		u32 pid, tid;
		char comm[8];
		u32 id_pid, id_tid;
		u64 time;
	} r = { { REC_COMM, MISC_COMM_EXEC, sizeof(r) }, 10, 11, "ls", 10, 11, 77 };
	struct strbuf out = STRBUF_INIT;
	struct rec rec = rec_of(&r.h, 0x110);

	dump_record(data_for(0), &rec, DUMP_REPORT, format_find_stream("text"), &out);
	CHECK_STR(strbuf_str(&out),
		  "\n0x110@f.data [0x28]: event: 3\n"
		  ".\n. ... raw event: size 40 bytes\n"
		  HEX_OF_COMM
		  "\n77 0x110 [0x28]: PERF_RECORD_COMM exec: ls:10/11\n");
}

TEST(sample)
{
	struct {
		struct rec_header h;
		u64 ip;
		u32 pid, tid;
		u64 time, nr, chain[2];
	} r = { { REC_SAMPLE, CPUMODE_USER, sizeof(r) }, 0x400123, 77, 78, 9, 2, { CHAIN_USER, 0x400123 } };
	struct strbuf out = STRBUF_INIT;
	struct rec rec = rec_of(&r.h, 8);
	const char *meaning;

	dump_record(data_for(ABI_SAMPLE_CALLCHAIN), &rec, DUMP_SCRIPT, format_find_stream("text"), &out);
	dump_frame("ls", 78, NULL, format_find_stream("text"), &out);
	meaning = strstr(strbuf_str(&out), "\n\n");
	REQUIRE(meaning);
	CHECK_STR(meaning,
		  "\n\n9 0x8 [0x38]: PERF_RECORD_SAMPLE(IP, 0x2): 77/78: 0x400123 period: 4000 addr: 0\n"
		  "... FP chain: nr:2\n"
		  ".....  0: fffffffffffffe00 (PERF_CONTEXT_USER)\n"
		  ".....  1: 0000000000400123\n"
		  " ... thread: ls:78\n"
		  " ...... dso: <not found>\n");
}

TEST(too_short_for_its_type)
{
	struct rec_header h = { REC_MMAP2, 0, sizeof(h) };
	struct strbuf out = STRBUF_INIT;
	struct rec rec = rec_of(&h, 8);

	dump_record(data_for(0), &rec, DUMP_REPORT, format_find_stream("text"), &out);
	CHECK(strstr(strbuf_str(&out), "PERF_RECORD_MMAP2: too short for its fields\n"));
}

/* some kernels leave the build-id bit on records that hold device and inode */
TEST(build_id_bit_by_mistake)
{
	struct {
		struct rec_header h;
		u32 pid, tid;
		u64 start, len, pgoff;
		u32 maj, min;
		u64 ino, gen;
		u32 prot, flags;
		char name[8];
		u32 id_pid, id_tid;
		u64 time;
	} r = { { REC_MMAP2, CPUMODE_USER | MISC_MMAP_BUILD_ID, sizeof(r) }, 1, 1, 0x1000, 0x1000, 0,
		HOST_IS_BE ? 253u << 24 : 253, 1, 99, 0, 5, 2, "/x",
		1, 1, 5 };
	struct strbuf out = STRBUF_INIT;
	struct rec rec = rec_of(&r.h, 8);

	dump_record(data_for(0), &rec, DUMP_REPORT, format_find_stream("text"), &out);
	CHECK(strstr(strbuf_str(&out), HOST_IS_BE ? "[0x1000(0x1000) @ 0 fd000000:01 99 0]: r-xp /x\n" :
						    "[0x1000(0x1000) @ 0 fd:01 99 0]: r-xp /x\n"));
	r.maj = HOST_IS_BE ? 4u << 24 : 4;	/* a build-id of four bytes */
	r.min = 0x01020304;
	strbuf_reset(&out);
	dump_record(data_for(0), &rec, DUMP_REPORT, format_find_stream("text"), &out);
	CHECK(strstr(strbuf_str(&out), HOST_IS_BE ? "[0x1000(0x1000) @ 0 <01020304>]: r-xp /x\n" :
						    "[0x1000(0x1000) @ 0 <04030201>]: r-xp /x\n"));
}

TEST(attributes_as_text)
{
	struct pe_attr a = { .type = 3, .size = 136, .config = 0x10001, .flags = ATTR_EXCLUDE_KERNEL |
			     ATTR_EXCLUDE_HV, .sample_type = ABI_SAMPLE_IDENTIFIER | ABI_SAMPLE_IP };
	struct strbuf out = STRBUF_INIT;

	pe_attr_make_name(&a, NULL, &out);
	CHECK_STR(strbuf_str(&out), "L1-icache-load-misses:u");
	strbuf_reset(&out);
	pe_attr_print(&a, NULL, NULL, " = ", &out);
	CHECK_STR(strbuf_str(&out), "type = 3 (PERF_TYPE_HW_CACHE), size = 136, "
		  "config = 0x10001 (PERF_COUNT_HW_CACHE_RESULT_MISS | PERF_COUNT_HW_CACHE_OP_READ | "
		  "PERF_COUNT_HW_CACHE_L1I), sample_type = IP|IDENTIFIER, exclude_kernel = 1, "
		  "exclude_hv = 1");
}

/* words with values, as the format of that name shows them */
static const char *words_as(const char *format)
{
	const struct stream_format *f = format_find_stream(format);
	static struct strbuf out;

	strbuf_reset(&out);
	f->begin(&out);
	stream_words(f, &out, "a {n:5d}|{n2:-5d}|{:04d}|{minus:5d}|", STREAM_NUMBER(42), STREAM_NUMBER(42),
		     STREAM_NUMBER(42), STREAM_SIGNED(-42));
	stream_words(f, &out, "{hex:#x} {zero:#x} {wide:016x} {ip}|", STREAM_NUMBER(255), STREAM_NUMBER(0),
		     STREAM_NUMBER(0xabc), STREAM_ADDRESS(0x1000));
	stream_words(f, &out, "{name:-4s}|{bad}{on:? on}{off:? off} {part} of", STREAM_TEXT("x"),
		     STREAM_TEXT("\033[m"), STREAM_BOOL(true), STREAM_BOOL(false));
	stream_say(f, &out, " all\n");
	f->bytes(&out, "bytes", (const u8 *)"A\n", 2);
	f->end(&out);
	return strbuf_str(&out);
}

TEST(words_of_streams)
{
	CHECK_STR(words_as("text"),
		  "a    42|42   |0042|  -42|0xff 0 0000000000000abc 0x1000|x   |\\x1b[m on  all\n"
		  ".  0000:  41 0a                                            A.              \n");
	CHECK_STR(words_as("json"),
		  "{\"n\": 42, \"n2\": 42, \"minus\": -42, \"hex\": 255, \"zero\": 0, "
		  "\"wide\": 2748, \"ip\": \"0x1000\", \"name\": \"x\", \"bad\": \"\\u001b[m\", "
		  "\"on\": true, \"off\": false, \"bytes\": \"410a\"}\n");
}
