/* Samples and trailers from assembled bytes. */
#include "bytes.h"
#include "test.h"
#include "../../util/data/features-write.h"
#include "../../util/event/attr.h"
#include "../../util/event/record-type.h"
#include "../../util/event/sample.h"

#include <byteswap.h>
#include <errno.h>
#include <string.h>

struct bytes {
	union {
		struct rec_header h;
		u64 v[64];
	};
	size_t nr;
};

static void begin(struct bytes *b, u32 type, u16 misc)
{
	memset(b, 0, sizeof(*b));
	b->h = (struct rec_header){ type, misc, 8 };
	b->nr = 1;
}

static void put(struct bytes *b, u64 v)
{
	b->v[b->nr++] = v;
	b->h.size = b->nr * 8;
}

static struct rec rec_of(struct bytes *b)
{
	return (struct rec){ .p = (u8 *)b->v, .size = b->h.size, .type = b->h.type, .misc = b->h.misc };
}

static struct evset *set_of(u64 sample_type, u64 id)
{
	struct evset *set = evset_new();
	struct event *ev = evset_add(set, "e");

	ev->attr.sample_type = sample_type;
	ev->attr.flags = ATTR_SAMPLE_ID_ALL;
	evset_set_ids(set, ev, &id, 1);
	return set;
}

TEST(flat_sample)
{
	struct evset *set = set_of(ABI_SAMPLE_IP | ABI_SAMPLE_TID | ABI_SAMPLE_TIME | ABI_SAMPLE_PERIOD, 7);
	struct sample_plan *plan = sample_plan_new(set);
	struct arena scratch = { 0 };
	struct sample s;
	struct bytes b;
	struct rec rec;
	u64 time;

	begin(&b, REC_SAMPLE, CPUMODE_USER);
	put(&b, 0x401000);
	put(&b, u32_pair(11, 12));
	put(&b, 99);
	rec = rec_of(&b);
	CHECK_INT(sample_decode(plan, &rec, &s, &scratch), -EBADMSG);
	put(&b, 250000);
	rec = rec_of(&b);
	CHECK_INT(sample_decode(plan, &rec, &s, &scratch), 0);
	CHECK_U64(s.ip, 0x401000);
	CHECK_U64(s.pid, 11);
	CHECK_U64(s.tid, 12);
	CHECK_U64(s.time, 99);
	CHECK_U64(s.period, 250000);
	CHECK_U64(s.cpu, (u32)-1);
	CHECK_U64(s.cpumode, CPUMODE_USER);
	CHECK(s.event == evset_at(set, 0));
	CHECK(!s.callchain);
	CHECK(sample_time(plan, &rec, &time));
	CHECK_U64(time, 99);
}

TEST(events_by_id_in_both_places)
{
	struct evset *set = set_of(ABI_SAMPLE_IDENTIFIER | ABI_SAMPLE_IP, 100);
	struct event *other = evset_add(set, "other");
	struct sample_plan *plan;
	struct sample s;
	struct bytes b;
	struct rec rec;
	u64 id = 1ull << 40;

	other->attr.sample_type = ABI_SAMPLE_IDENTIFIER | ABI_SAMPLE_TIME;
	other->attr.flags = ATTR_SAMPLE_ID_ALL;
	evset_set_ids(set, other, &id, 1);
	plan = sample_plan_new(set);
	begin(&b, REC_SAMPLE, 0);
	put(&b, id);
	put(&b, 5);
	rec = rec_of(&b);
	CHECK(sample_event(plan, &rec) == other);
	CHECK_INT(sample_decode(plan, &rec, &s, NULL), 0);
	CHECK_U64(s.time, 5);
	b.v[1] = 100;
	CHECK_INT(sample_decode(plan, &rec, &s, NULL), 0);
	CHECK_U64(s.ip, 5);
	b.v[1] = 101;
	CHECK_INT(sample_decode(plan, &rec, &s, NULL), -ENOENT);
	CHECK(!s.event);
	begin(&b, REC_EXIT, 0);
	put(&b, 1);
	put(&b, 77);
	put(&b, id);
	rec = rec_of(&b);
	CHECK_INT(sample_decode_id(plan, &rec, &s), 0);
	CHECK(s.event == other);
	CHECK_U64(s.time, 77);
}

/*
 * mkdata expands the same rows, so what is wrong in them would not be seen there: here they are compared with
 * the kernel's header
 */
TEST(fields_as_the_kernel_has_them)
{
	static const u64 kernel[] = {	/* in the order of the comment at PERF_RECORD_SAMPLE */
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR,
		PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD, PERF_SAMPLE_READ,
		PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_RAW, PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_REGS_USER,
		PERF_SAMPLE_STACK_USER, PERF_SAMPLE_WEIGHT, PERF_SAMPLE_WEIGHT_STRUCT, PERF_SAMPLE_DATA_SRC,
		PERF_SAMPLE_TRANSACTION, PERF_SAMPLE_REGS_INTR, PERF_SAMPLE_PHYS_ADDR, PERF_SAMPLE_CGROUP,
		PERF_SAMPLE_DATA_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE, PERF_SAMPLE_AUX,
		1ull << 61, 1ull << 62, 1ull << 60,	/* of samples that perf makes, not the kernel */
	};
	static const u64 rows[] = {
#define SAMPLE_FIELD(name, bit, ...) ABI_SAMPLE_##name,
#include "../../util/event/sample-fields.def"
#undef SAMPLE_FIELD
	};

	CHECK_INT(ARRAY_SIZE(rows), ARRAY_SIZE(kernel));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_U64(rows[i], kernel[i]);
}

/* a number of the catalogue that has no decoder of its own, in both byte orders, and cut short */
TEST(numbers_of_the_tail)
{
	struct evset *set = set_of(ABI_SAMPLE_TRANSACTION | ABI_SAMPLE_CGROUP, 1);
	struct sample_plan *plan = sample_plan_new(set);
	struct sample s;
	struct bytes b;
	struct rec rec;

	begin(&b, REC_SAMPLE, 0);
	put(&b, 5);
	rec = rec_of(&b);
	CHECK_INT(sample_decode(plan, &rec, &s, NULL), -EBADMSG);
	put(&b, 6);
	rec = rec_of(&b);
	CHECK_INT(sample_decode(plan, &rec, &s, NULL), 0);
	CHECK_U64(s.transaction, 5);
	CHECK_U64(s.cgroup, 6);
	rec.swap = true;
	CHECK_INT(sample_decode(plan, &rec, &s, NULL), 0);
	CHECK_U64(s.cgroup, 6ull << 56);
}

/* members of a struct that was used before, and records for which the whole decoder is wanted */
TEST(numbers_without_the_tail)
{
	struct evset *set = set_of(ABI_SAMPLE_IP | ABI_SAMPLE_TIME | ABI_SAMPLE_TRANSACTION, 1);
	struct sample_plan *plan = sample_plan_new(set);
	struct sample s;
	struct bytes b;
	struct rec rec;

	memset(&s, 0x55, sizeof(s));
	begin(&b, REC_SAMPLE, CPUMODE_KERNEL);
	put(&b, 0x400000);
	put(&b, 99);
	rec = rec_of(&b);
	CHECK(!sample_decode_numbers(plan, &rec, &s));
	put(&b, 5);
	rec = rec_of(&b);
	CHECK(sample_decode_numbers(plan, &rec, &s));
	CHECK(s.event == evset_at(set, 0));
	CHECK_U64(s.ip, 0x400000);
	CHECK_U64(s.time, 99);
	CHECK_U64(s.addr, 0);
	CHECK_INT((s32)s.tid, -1);
	CHECK_INT((s32)s.cpu, -1);
	CHECK_INT(s.cpumode, CPUMODE_KERNEL);
	rec.swap = true;
	CHECK(!sample_decode_numbers(plan, &rec, &s));
	rec.swap = false;
	set = set_of(ABI_SAMPLE_IP | ABI_SAMPLE_TIME | ABI_SAMPLE_WEIGHT, 1);
	CHECK(sample_decode_numbers(sample_plan_new(set), &rec, &s));
	CHECK_U64(s.time, 99);
	set = set_of(ABI_SAMPLE_IP | ABI_SAMPLE_CALLCHAIN, 1);
	CHECK(!sample_decode_numbers(sample_plan_new(set), &rec, &s));
}

/* into the same struct as into a new one, also after damaged samples */
TEST(decoding_again_leaves_nothing_of_the_last_sample)
{
	static const u64 types[] = {
		ABI_SAMPLE_IDENTIFIER | ABI_SAMPLE_IP | ABI_SAMPLE_TID | ABI_SAMPLE_TIME | ABI_SAMPLE_CPU |
			ABI_SAMPLE_PERIOD | ABI_SAMPLE_RAW,
		ABI_SAMPLE_TIME | ABI_SAMPLE_RAW,
		ABI_SAMPLE_TIME | ABI_SAMPLE_CALLCHAIN | ABI_SAMPLE_RAW,
	};
	static const u32 raw_sizes[] = { 200, 4, 12, 200, 12, 0 };

	for (u32 t = 0; t < ARRAY_SIZE(types); t++) {
		struct evset *set = set_of(types[t], 7);
		struct sample_plan *plan = sample_plan_new(set);
		struct sample once, again = { 0 };
		u32 nr_good = 0;

		evset_at(set, 0)->attr.sample_period = 3;
		for (u32 i = 0; i < ARRAY_SIZE(raw_sizes); i++) {
			struct bytes b;
			struct rec rec;
			int ret;

			begin(&b, REC_SAMPLE, i & 1 ? CPUMODE_USER : CPUMODE_KERNEL);
			for (u32 bits = __builtin_popcountll(types[t]) - 1; bits; bits--)
				put(&b, types[t] & ABI_SAMPLE_CALLCHAIN && bits == 1 ? 0 : 7);
			put(&b, u32_pair(raw_sizes[i], i));
			put(&b, i);
			rec = rec_of(&b);
			if (!i)
				rec.size = 8;	/* even shorter */
			ret = sample_decode(plan, &rec, &once, NULL);
			CHECK_INT(sample_decode_again(plan, &rec, evset_at(set, 0), &again, NULL), ret);
			CHECK_INT(ret, raw_sizes[i] > 12 ? -EBADMSG : 0);
			CHECK(ret || !memcmp(&once, &again, sizeof(once)));
			nr_good += !ret;
		}
		CHECK_U64(nr_good, 4);
		CHECK_U64(again.raw_size, 0);
		sample_plan_free(plan);
		evset_free(set);
	}
}

TEST(counts_beyond_the_record)
{
	static const u64 types[] = { ABI_SAMPLE_CALLCHAIN, ABI_SAMPLE_RAW, ABI_SAMPLE_BRANCH_STACK,
				     ABI_SAMPLE_STACK_USER, ABI_SAMPLE_AUX, ABI_SAMPLE_READ };
	struct arena scratch = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		struct evset *set = set_of(types[i], 1);
		struct sample s;
		struct bytes b;
		struct rec rec;

		evset_at(set, 0)->attr.read_format = ABI_READ_GROUP;
		begin(&b, REC_SAMPLE, 0);
		put(&b, types[i] == ABI_SAMPLE_RAW ? u32_pair(13, 0) : 1ull << 61);
		put(&b, 2);
		rec = rec_of(&b);
		CHECK_INT(sample_decode(sample_plan_new(set), &rec, &s, &scratch), -EBADMSG);
	}
}

TEST(other_byte_order)
{
	struct evset *set = set_of(ABI_SAMPLE_TID | ABI_SAMPLE_CALLCHAIN | ABI_SAMPLE_BRANCH_STACK, 1);
	struct sample_plan *plan = sample_plan_new(set);
	struct arena scratch = { 0 };
	struct sample s;
	struct bytes b;
	struct rec rec;

	begin(&b, REC_SAMPLE, 0);
	put(&b, bswap_64(u32_pair(4, 3)));	/* pid first in memory */
	put(&b, bswap_64(2));
	put(&b, bswap_64(CHAIN_USER));
	put(&b, bswap_64(0x1234));
	put(&b, bswap_64(1));
	put(&b, bswap_64(10));
	put(&b, bswap_64(20));
	/* predicted, 9 cycles: a big-endian file has them from the highest bit down */
	put(&b, bswap_64(HOST_IS_BE ? 2 | 9 << 4 : 1ull << 62 | 9ull << 44));
	rec = rec_of(&b);
	rec.swap = true;
	CHECK_INT(sample_decode(plan, &rec, &s, &scratch), 0);
	CHECK_U64(s.pid, 3);
	CHECK_U64(s.tid, 4);
	CHECK_U64(s.nr_callchain, 2);
	CHECK_U64(s.callchain[0], CHAIN_USER);
	CHECK_U64(s.callchain[1], 0x1234);
	CHECK_U64(s.branches[0].to, 20);
	CHECK_U64(s.branches[0].flags, 2 | 9 << 4);
}

TEST(attr_flags_of_big_endian)
{
	u8 bytes[144] = { 0 };
	struct pe_attr a;

	bytes[3] = 1;
	bytes[40] = 0x80 | 0x20;	/* disabled, pinned */
	bytes[41] = 0x01;		/* the low one of precise_ip's bits is in the next byte */
	bytes[42] = 0x00;
	bytes[43] = 0x80 >> 7;
	CHECK(pe_attr_decode(&a, bytes, 64, !HOST_IS_BE));
	CHECK_U64(a.type, 1);
	CHECK_U64(a.flags & 7, ATTR_DISABLED | ATTR_PINNED);
	CHECK_U64(attr_precise(&a), 2);
	CHECK_U64(a.flags >> 31, 1);
}

TEST(attr_as_written)
{
	struct pe_attr a = { .type = 3, .config = 5, .sample_period = 7, .flags = ATTR_DISABLED | ATTR_FREQ |
			     ATTR_SAMPLE_ID_ALL | 2ull << ATTR_PRECISE_SHIFT, .config3 = 9 }, b;
	struct strbuf sb = STRBUF_INIT;

	attr_encode(&sb, &a, 136);
	CHECK_INT(sb.len, 136);
	CHECK(pe_attr_decode(&b, sb.buf, sb.len, false));
	a.size = 136;
	CHECK_MEM(&b, &a, sizeof(a));
	/* the first flag is the first bit, counted as the host counts */
	CHECK_INT(sb.buf[40] & (HOST_IS_BE ? 0x80 : 1), HOST_IS_BE ? 0x80 : 1);
	strbuf_release(&sb);
}

TEST(attr_tail)
{
	u8 bytes[160] = { 0 };
	struct pe_attr a;

	bytes[143] = 1;
	bytes[96] = 1;
	CHECK(pe_attr_decode(&a, bytes, 96, HOST_IS_BE));
	CHECK_U64(a.sample_regs_intr | a.config4 | a.aux_watermark, 0);
	CHECK(pe_attr_decode(&a, bytes, 160, HOST_IS_BE));
	CHECK_U64(a.config4, 1ull << 56);
	bytes[159] = 1;
	CHECK(!pe_attr_decode(&a, bytes, 160, HOST_IS_BE));
}
