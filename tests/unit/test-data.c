/* perf.data files from assembled bytes: odd cases that occur in real files. */
#include "bytes.h"
#include "test.h"
#include "err-text.h"
#include "../../util/base/fs.h"
#include "../../util/base/strbuf.h"
#include "../../util/data/copied-walk.h"
#include "../../util/data/open.h"
#include "../../util/data/walk.h"
#include "../../util/event/record-type.h"

#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct image {
	struct strbuf b;
	bool big;		/* byte order */
};

static void put64(struct image *f, u64 v)
{
	v = f->big != HOST_IS_BE ? bswap_64(v) : v;
	strbuf_add(&f->b, &v, 8);
}

static void put32(struct image *f, u32 v)
{
	v = f->big != HOST_IS_BE ? bswap_32(v) : v;
	strbuf_add(&f->b, &v, 4);
}

static void put_header(struct image *f, u32 type, u16 misc, u16 size)
{
	put32(f, type);
	misc = f->big != HOST_IS_BE ? bswap_16(misc) : misc;
	size = f->big != HOST_IS_BE ? bswap_16(size) : size;
	strbuf_add(&f->b, &misc, 2);
	strbuf_add(&f->b, &size, 2);
}

static void set64(struct image *f, size_t at, u64 v)
{
	v = f->big != HOST_IS_BE ? bswap_64(v) : v;
	memcpy(f->b.buf + at, &v, 8);
}

/* a software cpu-clock that samples IP and TIME */
static void put_attr(struct image *f, u32 size)
{
	size_t start = f->b.len;

	put32(f, 1);
	put32(f, size);
	put64(f, 0);
	put64(f, 4000);
	put64(f, ABI_SAMPLE_IP | ABI_SAMPLE_TIME);
	put64(f, 0);
	put64(f, f->big ? 1ull << 45 : ATTR_SAMPLE_ID_ALL);
	strbuf_pad(&f->b, '\0', size - (f->b.len - start));
}

/* magic, sizes, one event without ids; the data begin at the end */
static void put_file_header(struct image *f, const char *magic, u32 attr_size, u64 feature_bits)
{
	strbuf_add(&f->b, magic, 8);
	put64(f, 104);
	put64(f, attr_size + 16);
	put64(f, 104);
	put64(f, attr_size + 16);
	put64(f, 104 + attr_size + 16);
	put64(f, 0);
	put64(f, 0);
	put64(f, 0);
	put64(f, feature_bits);
	for (int i = 0; i < 3; i++)
		put64(f, 0);
	put_attr(f, attr_size);
	put64(f, 0);
	put64(f, 0);
}

static void put_sample(struct image *f, u64 ip, u64 time)
{
	put_header(f, REC_SAMPLE, CPUMODE_USER, 24);
	put64(f, ip);
	put64(f, time);
}

static void end_data(struct image *f)
{
	u64 off;

	memcpy(&off, f->b.buf + 40, 8);
	set64(f, 48, f->b.len - (f->big != HOST_IS_BE ? bswap_64(off) : off));
}

static struct data *open_image(struct image *f, struct err *err)
{
	struct data_opts o = { .path = "f.data" };
	struct data *d = NULL;
	int fd = open("f.data", O_CREAT | O_TRUNC | O_WRONLY, 0600);

	if (write(fd, f->b.buf, f->b.len) != (ssize_t)f->b.len)
		CHECK(!"write");
	close(fd);
	data_open(&d, &o, err);
	return d;
}

static void add_sample(struct data *d, const struct rec *rec, struct arena *scratch, u64 *sum)
{
	struct sample smp;

	if (rec->type == REC_SAMPLE && !sample_decode(d->plan, rec, &smp, scratch))
		*sum += smp.ip * 1000 + 1;
}

/* the same from copies of the bytes */
static u64 sum_copied(struct data *d, const struct data_stream *s, u8 *buf, struct diag *diag)
{
	struct copied_walk c = copied_walk_of(rec_walk_of(d, s, 0, UINT64_MAX, diag), buf);
	struct arena scratch = { 0 };
	struct rec rec;
	u64 sum = 0;

	for (;;) {
		if (copied_walk_needs(&c))
			copied_walk_next(&c);
		if (rec_next(&c.walk, &rec) <= 0)
			break;
		add_sample(d, &rec, &scratch, &sum);
	}
	copied_walk_end(&c);
	arena_release(&scratch);
	return sum;
}

/* sum of the ips, times 1000, plus the number of samples */
static u64 sum_samples(struct data *d)
{
	u8 *buf = xmalloc(COPIED_WALK_SIZE);
	struct arena scratch = { 0 };
	u64 sum = 0;

	vec_foreach(&d->stream, s) {
		struct rec_walk w = rec_walk_of(d, s, 0, UINT64_MAX, &d->diag);
		struct diag copied = { 0 };
		struct rec rec;
		u64 before = sum;

		while (rec_next(&w, &rec) > 0)
			add_sample(d, &rec, &scratch, &sum);
		CHECK_U64(sum_copied(d, s, buf, &copied), sum - before);
		CHECK_U64(sum_copied(d, s, NULL, &copied), sum - before);
	}
	arena_release(&scratch);
	free(buf);
	return sum;
}

TEST(attr_sizes_and_byte_orders)
{
	static const u32 sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 152, 400 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes) * 4; i++) {
		struct image f = { .big = i & 1 };
		const char *magic = i & 2 ? "PERFFILE" : i & 1 ? "2ELIFREP" : "PERFILE2";
		struct err err = ERR_INIT;
		struct data *d;

		put_file_header(&f, magic, sizes[i / 4], 0);
		put_sample(&f, 7, 1);
		put_sample(&f, 8, 2);
		end_data(&f);
		d = open_image(&f, &err);
		CHECK_STR(err_text(&err), "");
		REQUIRE(d);
		CHECK_INT(d->version, i & 2 ? 1 : 2);
		CHECK_INT(d->swap, (i & 1) != HOST_IS_BE);
		CHECK_STR(evset_at(d->evset, 0)->name, "cpu-clock");
		CHECK_U64(evset_at(d->evset, 0)->attr.flags, ATTR_SAMPLE_ID_ALL);
		CHECK_U64(sum_samples(d), 15002);
		CHECK(!d->truncated);
		data_close(d);
		strbuf_release(&f.b);
	}
}

TEST(nonzero_attr_tail)
{
	struct image f = { 0 };
	struct err err = ERR_INIT;
	struct data *d;

	put_file_header(&f, "PERFILE2", 160, 0);
	f.b.buf[104 + 155] = 1;
	put_sample(&f, 7, 1);
	end_data(&f);
	d = open_image(&f, &err);
	REQUIRE(d);
	CHECK_U64(sum_samples(d), 7001);
	CHECK_U64(d->diag.kind[DIAG_BAD_ATTR].nr, 1);
}

TEST(recorder_was_killed)
{
	struct image f = { 0 };
	struct err err = ERR_INIT;
	struct data *d;

	put_file_header(&f, "PERFILE2", 136, 0);
	put_sample(&f, 7, 1);
	put_sample(&f, 8, 1);
	d = open_image(&f, &err);	/* data size 0 */
	REQUIRE(d);
	CHECK_U64(sum_samples(d), 15002);
	CHECK(d->truncated);
	set64(&f, 48, 24);		/* after the time stamps; no features */
	strbuf_setlen(&f.b, f.b.len - 5);
	d = open_image(&f, &err);
	REQUIRE(d);
	CHECK_U64(sum_samples(d), 7001);
	CHECK(d->truncated);
}

TEST(cut_anywhere)
{
	struct image f = { 0 };
	size_t full;

	put_file_header(&f, "PERFILE2", 136, 1ull << FEAT_HOSTNAME | 1ull << FEAT_CMDLINE);
	for (int i = 0; i < 5; i++)
		put_sample(&f, i, 1);
	end_data(&f);
	full = f.b.len + 32;
	put64(&f, full);
	put64(&f, 12);
	put64(&f, full + 12);
	put64(&f, 20);
	put32(&f, 8);
	strbuf_add(&f.b, "machine", 8);
	put32(&f, 2);
	put32(&f, 2);
	strbuf_add(&f.b, "a", 2);
	put32(&f, 2);
	strbuf_add(&f.b, "b\0\0\0", 4);
	full = f.b.len;
	for (size_t len = 0; len <= full; len++) {
		struct image cut = { .b = { f.b.buf, len, 0 } };
		struct err err = ERR_INIT;
		struct data *d = open_image(&cut, &err);

		CHECK(d || *err.msg);
		if (!d)
			continue;
		sum_samples(d);
		if (len == full) {
			CHECK_STR(d->feat.hostname, "machine");
			CHECK_U64(d->feat.nr_cmdline, 2);
			CHECK_STR(d->feat.cmdline[1], "b");
			CHECK(!d->truncated);
			CHECK_U64(d->diag.kind[DIAG_TRUNCATED_FILE].nr, 0);
		}
		data_close(d);
	}
}

TEST(features_past_the_end_and_unknown)
{
	struct image f = { 0 };
	struct err err = ERR_INIT;
	struct data *d;

	put_file_header(&f, "PERFILE2", 136, 1ull << FEAT_HOSTNAME | 1ull << FEAT_NUMA_TOPOLOGY | 1ull << 60);
	put_sample(&f, 3, 1);
	end_data(&f);
	put64(&f, 1ull << 62);		/* past the end */
	put64(&f, 1ull << 63);
	put64(&f, 0);			/* overlaps the header: a huge count */
	put64(&f, 100);
	put64(&f, 8);			/* unknown */
	put64(&f, 16);
	d = open_image(&f, &err);
	REQUIRE(d);
	CHECK(!d->feat.hostname);
	CHECK_U64(d->feat.nr_nodes, 0);
	CHECK(feature_present(&d->feat, 60));
	CHECK_U64(d->feat.raw[60].size, 16);
	CHECK_U64(d->diag.kind[DIAG_BAD_FEATURE].nr, 2);
	CHECK_U64(sum_samples(d), 3001);
}

TEST(strange_records)
{
	struct image f = { 0 };
	struct err err = ERR_INIT;
	struct data *d;

	put_file_header(&f, "PERFILE2", 136, 1ull << 60);
	put_sample(&f, 1, 1);
	put_header(&f, 82, 0, 8);
	put_header(&f, 84, 0, 16);		/* of a newer perf than this one */
	put64(&f, 0);
	put_header(&f, 0x8001, 0, 12);		/* vendor's own, and what follows is unaligned */
	put32(&f, 0);
	put_sample(&f, 2, 1);
	/* 8 bytes of payload after it that look like a record of size 0xffff */
	put_header(&f, REC_AUXTRACE, 0, 48);
	put64(&f, 8);
	for (int i = 0; i < 4; i++)
		put64(&f, 0);
	put64(&f, UINT64_MAX);
	put_sample(&f, 4, 1);
	for (int i = 0; i < 9; i++)
		put64(&f, 0);			/* a block that was never written */
	put_sample(&f, 8, 1);
	put_header(&f, REC_SAMPLE, 0, 4);
	put_sample(&f, 16, 1);
	end_data(&f);
	d = open_image(&f, &err);
	REQUIRE(d);
	CHECK_U64(sum_samples(d), 15004);
	CHECK_U64(d->diag.kind[DIAG_BAD_RECORD_SIZE].nr, 2);
}

/* larger than the pieces that are copied, whose ends fall into records, payloads and zeros */
TEST(pieces)
{
	const u32 sizes[] = { 65528, 24, 40008, 8, 65528, 30000, 65528, 16 };
	struct image f = { 0 };
	struct err err = ERR_INIT;
	struct data *d;

	put_file_header(&f, "PERFILE2", 136, 0);
	for (u32 i = 0; i < 200; i++) {
		u32 size = sizes[i % 8];

		put_header(&f, 84, 0, size);
		strbuf_pad(&f.b, '\xff', size - 8);
		put_sample(&f, 1, 1);
		if (i % 50 == 1) {
			put_header(&f, REC_AUXTRACE, 0, 48);
			put64(&f, 400000);
			strbuf_pad(&f.b, '\0', 32);
			strbuf_pad(&f.b, '\xff', 400000);
		}
		if (i % 50 == 2)
			strbuf_pad(&f.b, '\0', 300000);	/* blocks that were never written */
	}
	put_header(&f, REC_SAMPLE, 0, 48);		/* cut */
	end_data(&f);
	d = open_image(&f, &err);
	REQUIRE(d);
	CHECK_U64(sum_samples(d), 200200);
	CHECK_U64(d->diag.kind[DIAG_BAD_RECORD_SIZE].nr, 4);
	CHECK_U64(d->diag.kind[DIAG_TRUNCATED_FILE].nr, 1);
}

TEST(pipe_without_ids)
{
	struct image f = { 0 };
	struct err err = ERR_INIT;
	struct data *d;

	strbuf_add(&f.b, "PERFILE2", 8);
	put64(&f, 16);
	for (int i = 0; i < 2; i++) {
		put_header(&f, REC_ATTR, 0, 8 + 64);
		put_attr(&f, 64);
	}
	put_sample(&f, 5, 1);
	put_header(&f, REC_FEATURE, 0, 16 + 12);
	put64(&f, FEAT_HOSTNAME);
	put32(&f, 8);
	strbuf_add(&f.b, "machine", 8);
	put_sample(&f, 6, 2);
	d = open_image(&f, &err);
	REQUIRE(d);
	CHECK(d->is_pipe);
	CHECK_INT(d->evset->ev.nr, 2);
	CHECK_STR(d->feat.hostname, "machine");
	CHECK_U64(sum_samples(d), 11002);
}

TEST(hundreds_of_events)
{
	struct image f = { 0 };
	struct err err = ERR_INIT;
	struct data *d;

	strbuf_add(&f.b, "PERFILE2", 8);
	put64(&f, 16);
	for (u64 i = 0; i < 700; i++) {
		put_header(&f, REC_ATTR, 0, 8 + 64 + 8);
		put_attr(&f, 64);
		set64(&f, f.b.len - 64 + 24, ABI_SAMPLE_IDENTIFIER | ABI_SAMPLE_IP);
		put64(&f, 1000 + i * (i % 7 ? 1 : 1000));
	}
	for (u64 i = 0; i < 700; i++) {
		put_header(&f, REC_SAMPLE, 0, 24);
		put64(&f, 1000 + i * (i % 7 ? 1 : 1000));
		put64(&f, 1);
	}
	d = open_image(&f, &err);
	REQUIRE(d);
	CHECK_INT(d->evset->ev.nr, 700);
	CHECK_U64(sum_samples(d), 700 * 1001);
}

TEST(not_perf_data)
{
	struct image f = { 0 };
	struct err err = ERR_INIT;
	struct data_opts o = { .path = "Perf.data" };
	struct data *d = NULL;

	strbuf_pad(&f.b, 'x', 200);
	CHECK(!open_image(&f, &err));
	CHECK(strstr(err_text(&err), "incompatible file format"));
	strbuf_setlen(&f.b, 0);
	CHECK(!open_image(&f, &err));
	CHECK_STR(err_text(&err), "f.data is empty: nothing was recorded into it");
	close(open("perf.data.old", O_CREAT | O_WRONLY, 0600));
	CHECK_INT(data_open(&d, &o, &err), -ENOENT);
	CHECK(strstr(err_text(&err), "perf.data.old"));
}

static char *lost_page;
static void *fault_addr;

static void on_fault(int sig, siginfo_t *info, void *ucontext)
{
	fault_addr = info->si_addr;
	mmap(lost_page, page_size(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* false in qemu-user 7.2 for big-endian machines, which swaps the halves of that address */
static bool faults_have_addresses(void)
{
	struct sigaction sa = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO }, before;
	int fd = open("empty", O_RDWR | O_CREAT, 0600);

	lost_page = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, fd, 0);
	sigaction(SIGBUS, &sa, &before);
	(void)*(volatile char *)lost_page;
	sigaction(SIGBUS, &before, NULL);
	munmap(lost_page, page_size());
	close(fd);
	return fault_addr == lost_page;
}

TEST(truncated_while_mapped)
{
	struct image f = { 0 };
	struct err err = ERR_INIT;
	struct data *d;

	if (!faults_have_addresses())
		SKIP("this machine tells a wrong address of a fault");
	put_file_header(&f, "PERFILE2", 136, 0);
	for (int i = 0; i < 5000; i++)
		put_sample(&f, 1, 1);
	end_data(&f);
	d = open_image(&f, &err);
	REQUIRE(d);
	CHECK_INT(truncate("f.data", 8192), 0);
	CHECK(sum_samples(d) % 1000 < 5000);
	CHECK_U64(d->diag.kind[DIAG_TRUNCATED_FILE].nr, 1);
}

TEST(feature_twice_in_a_pipe)
{
	struct image f = { 0 };
	struct err err = ERR_INIT;
	struct data *d;

	strbuf_add(&f.b, "PERFILE2", 8);
	put64(&f, 16);
	for (u32 i = 0; i < 2; i++) {
		put_header(&f, REC_FEATURE, 0, 24);
		put64(&f, FEAT_NRCPUS);
		put32(&f, 2 + i * 1000);
		put32(&f, 2);
	}
	d = open_image(&f, &err);
	REQUIRE(d);
	CHECK_U64(d->feat.nr_cpus_avail, 2);
	CHECK_U64(d->diag.kind[DIAG_BAD_FEATURE].nr, 1);
}
