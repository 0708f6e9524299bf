/* Tests of the writer: what it writes is what the reader reads, at every moment. */
#include "test.h"
#include "../../util/data/count-samples.h"
#include "../../util/data/features-write.h"
#include "../../util/data/keep-old.h"
#include "../../util/data/open.h"
#include "../../util/data/packer.h"
#include "../../util/data/walk.h"
#include "../../util/data/writer.h"
#include "../../util/event/record-put.h"
#include "../../util/event/record-type.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static struct evset *two_events(void)
{
	struct evset *set = evset_new();
	static const u64 ids[2][2] = { { 10, 11 }, { 20, 21 } };

	for (int i = 0; i < 2; i++) {
		struct event *ev = evset_add(set, i ? "task-clock" : "cpu-clock");

		ev->attr.type = PERF_TYPE_SOFTWARE;
		ev->attr.config = i;
		ev->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				       PERF_SAMPLE_TIME;
		ev->attr.flags = ATTR_SAMPLE_ID_ALL;
		evset_set_ids(set, ev, ids[i], 2);
	}
	return set;
}

static struct features some_features(void)
{
	static const char *cmdline[] = { "perf", "record", "true" };
	struct features f = { .hostname = "box", .version = "1", .arch = "x86_64", .nr_cpus_avail = 4,
			      .nr_cpus_online = 3, .nr_cmdline = 3, .cmdline = cmdline,
			      .total_mem_kb = 1000 };
	static const unsigned int bits[] = { FEAT_HOSTNAME, FEAT_VERSION, FEAT_ARCH, FEAT_NRCPUS,
					     FEAT_CMDLINE, FEAT_TOTAL_MEM, FEAT_EVENT_DESC,
					     FEAT_SAMPLE_TIME };

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		feature_set(&f, bits[i]);
	return f;
}

struct small_sample {
	struct rec_header h;
	u64 id, ip;
	u32 pid, tid;
	u64 time;
};

static int write_samples(struct writer *w, int nr)
{
	struct rec_header mark = { .type = REC_FINISHED_ROUND, .size = sizeof(mark) };

	for (int i = 0; i < nr; i++) {
		struct small_sample s = { { REC_SAMPLE, 2, sizeof(s) }, i % 2 ? 10 : 20, 0x1000 + i, 1, 1,
					  100 + i };
		struct iovec iov[2] = { { &s, 16 }, { (char *)&s + 16, sizeof(s) - 16 } };
		int ret = writer_writev(w, iov, 2);

		if (ret)
			return ret;
	}
	return writer_write(w, &mark, sizeof(mark));
}

/* samples a reader finds; -1 where it cannot open the file */
static int count_samples(const char *path, struct features *ret)
{
	struct data_opts o = { .path = path };
	struct err err = ERR_INIT;
	struct data *d;
	int nr = 0;

	if (data_open(&d, &o, &err) < 0) {
		printf("%s\n", err.msg);
		return -1;
	}
	vec_foreach(&d->stream, s) {
		struct rec_walk w = rec_walk_of(d, s, s->start, s->end, &d->diag);
		struct rec rec;

		while (rec_next(&w, &rec) > 0)
			nr += rec.type == REC_SAMPLE;
	}
	if (ret)
		*ret = d->feat;		/* the arena is leaked: fine here */
	else
		data_close(d);
	return nr;
}

TEST(complete_file)
{
	struct evset *set = two_events();
	struct features f = some_features(), got;
	struct err err = ERR_INIT;
	struct writer w;
	struct stat st;

	REQUIRE(!writer_open(&w, "x.data", set, &f, &err));
	REQUIRE(!write_samples(&w, 5));
	f.sample_time_first = 100;
	f.sample_time_last = 104;
	REQUIRE(!writer_finish(&w, set, &f, &err));
	writer_close(&w);
	CHECK_INT(count_samples("x.data", &got), 5);
	CHECK_STR(got.hostname, "box");
	CHECK_INT(got.nr_cmdline, 3);
	CHECK_STR(got.cmdline[2], "true");
	CHECK_U64(got.sample_time_last, 104);
	CHECK(!stat("x.data", &st));
	CHECK_INT(st.st_mode & 0777, 0600);
	evset_free(set);
}

/* as if the recorder had been killed: only what is in the file is read */
TEST(every_commit_is_readable)
{
	struct evset *set = two_events();
	struct features f = some_features(), got;
	struct err err = ERR_INIT;
	struct writer w;

	REQUIRE(!writer_open(&w, "x.data", set, &f, &err));
	for (int i = 1; i <= 4; i++) {
		REQUIRE(!write_samples(&w, 3));
		REQUIRE(!writer_commit(&w));
		CHECK_INT(count_samples("x.data", &got), 3 * i);
		CHECK_STR(got.hostname, "box");
		REQUIRE(!writer_commit(&w));	/* nothing new: changes nothing */
		/* written but not committed: the reader does not trip over it */
		REQUIRE(!write_samples(&w, 0));
		CHECK_INT(count_samples("x.data", &got), 3 * i);
		CHECK_STR(got.hostname, "box");
	}
	REQUIRE(!writer_commit(&w));
	REQUIRE(!writer_finish(&w, set, &f, &err));
	writer_close(&w);
	CHECK_INT(count_samples("x.data", &got), 12);
	CHECK(feature_present(&got, FEAT_SAMPLE_TIME));
	evset_free(set);
}

TEST(finish_right_after_a_commit)
{
	struct evset *set = two_events();
	struct features f = some_features(), got;
	struct err err = ERR_INIT;
	struct writer w;

	REQUIRE(!writer_open(&w, "x.data", set, &f, &err));
	REQUIRE(!write_samples(&w, 2));
	REQUIRE(!writer_commit(&w));
	REQUIRE(!writer_finish(&w, set, &f, &err));
	writer_close(&w);
	CHECK_INT(count_samples("x.data", &got), 2);
	CHECK(feature_present(&got, FEAT_SAMPLE_TIME));
	evset_free(set);
}

TEST(pipe_format)
{
	struct evset *set = two_events();
	struct features f = some_features(), got;
	struct err err = ERR_INIT;
	struct writer w;
	int fd = open("p.data", O_RDWR | O_CREAT, 0600);

	REQUIRE(!writer_open_pipe(&w, fd, set, &f, &err));
	REQUIRE(!write_samples(&w, 4));
	REQUIRE(!writer_commit(&w));
	REQUIRE(!writer_finish(&w, set, &f, &err));
	writer_close(&w);
	CHECK_INT(count_samples("p.data", &got), 4);
	CHECK_STR(got.hostname, "box");
	evset_free(set);
}

TEST(keeps_the_old_file)
{
	struct evset *set = two_events();
	struct features f = some_features();
	struct err err = ERR_INIT;
	struct writer w;

	for (int i = 1; i <= 3; i++) {
		REQUIRE(!writer_open(&w, "x.data", set, &f, &err));
		REQUIRE(!write_samples(&w, i));
		REQUIRE(!writer_finish(&w, set, &f, &err));
		writer_close(&w);
	}
	CHECK_INT(count_samples("x.data", NULL), 3);
	CHECK_INT(count_samples("x.data.old", NULL), 2);
	mkdir("dir", 0700);
	CHECK_INT(writer_keep_old("dir", &err), -EISDIR);
	CHECK(!access("dir", F_OK));
	evset_free(set);
}

TEST(smallest_attribute_size)
{
	struct evset *set = two_events();
	struct event *ev = evset_at(set, 1);

	CHECK_INT(attr_encode_size(set), 64);
	ev->attr.config1 = 1;	/* at offset 56: in the first size */
	CHECK_INT(attr_encode_size(set), 64);
	ev->attr.sample_regs_user = 1;
	CHECK_INT(attr_encode_size(set), 96);
	ev->attr.sample_max_stack = 5;
	CHECK_INT(attr_encode_size(set), 112);
	ev->attr.config4 = 1;
	CHECK_INT(attr_encode_size(set), 144);
	evset_free(set);
}

TEST(packed_records)
{
	struct evset *set = two_events();
	struct features f = some_features();
	struct err err = ERR_INIT;
	struct packer p;
	struct writer w;
	struct small_sample *s = calloc(20000, sizeof(*s));
	/* the ring wraps in the middle of a record */
	size_t first = 15000 * sizeof(*s) + 8, done = 0, written = 0;
	struct iovec iov[2] = { { s, first }, { (u8 *)s + first, 20000 * sizeof(*s) - first } };
	u64 start;
	s64 n;

	if (packer_init(&p, 1, &err) < 0)
		SKIP("built without zstd");
	srand(1);
	for (int i = 0; i < 20000; i++)	/* half of it cannot be made smaller */
		s[i] = (struct small_sample){ { REC_SAMPLE, 2, sizeof(*s) }, 10,
					      i % 2 ? rand() * 4711ull * rand() : 1, 1, 1, rand() };
	f.comp_type = 1;
	f.comp_level = 1;
	f.comp_mmap_len = PACKER_MMAP_LEN;
	feature_set(&f, FEAT_COMPRESSED);
	REQUIRE(!writer_open(&w, "z.data", set, &f, &err));
	start = w.data_off + w.size;	/* after the table of an empty file */
	while ((n = packer_frame(&p, iov, 2, done)) > 0) {
		CHECK(n % sizeof(*s) == 0 && n <= 256 << 10);
		CHECK_INT(p.out.len % 8, 0);
		for (size_t off = 0; off < p.out.len;) {
			struct rec_header *h = (void *)(p.out.buf + off);

			REQUIRE(h->size >= sizeof(*h) && h->size % 8 == 0);
			CHECK_INT(h->type, REC_COMPRESSED);
			off += h->size;
		}
		REQUIRE(!writer_write(&w, p.out.buf, p.out.len));
		done += n;
		written += p.out.len;
		/* the data that is there ends at the end of a record */
		CHECK_U64(samples_between(w.fd, start, w.data_off + w.size), done / sizeof(*s));
	}
	CHECK_INT(n, 0);
	CHECK_U64(done, 20000 * sizeof(*s));
	CHECK(written < done);
	REQUIRE(!write_samples(&w, 1));
	REQUIRE(!writer_finish(&w, set, &f, &err));
	CHECK_U64(samples_between(w.fd, w.data_off, w.data_off + w.size), 20001);
	writer_close(&w);
	CHECK_INT(count_samples("z.data", NULL), 20001);
	packer_release(&p);
	free(s);
	evset_free(set);
}

TEST(all_features_survive)
{
	struct features f = { .hostname = "h", .nr_cpus_avail = 2, .nr_cpus_online = 2 }, got;
	static const char *sib[] = { "0-1" }, *thr[] = { "0", "1" };
	static const s32 ids[] = { 0, 1 };
	static u64 bits[] = { 0xff, 1 };
	struct feat_node node = { 0, 100, 50, "0-1" };
	struct feat_pmu pmu[] = { { 1, "software" }, { 2, "tracepoint" } };
	struct feat_group group = { "{anon_group}", 0, 2 };
	struct feat_cache cache = { 1, 64, 64, 8, "Data", "32K", "0" };
	struct feat_mem_node mem = { 0, 65, bits };
	struct evset *set = two_events();
	struct err err = ERR_INIT;
	struct writer w;

	f.nr_core_siblings = f.nr_die_siblings = 1;
	f.core_siblings = f.die_siblings = sib;
	f.nr_thread_siblings = 2;
	f.thread_siblings = thr;
	f.cpu_core = f.cpu_socket = f.cpu_die = ids;
	f.nr_nodes = 1, f.nodes = &node;
	f.nr_pmus = 2, f.pmus = pmu;
	f.nr_groups = 1, f.groups = &group;
	f.nr_caches = 1, f.caches = &cache;
	f.nr_mem_nodes = 1, f.mem_nodes = &mem, f.mem_block_size = 1 << 27;
	f.clockid = 1, f.clock_tod_ns = 5, f.clock_ns = 6, f.clockid_res_ns = 1;
	f.e_machine = 62;
	f.cacheline_size = 64;
	static const unsigned int set_bits[] = { FEAT_NRCPUS, FEAT_CPU_TOPOLOGY, FEAT_NUMA_TOPOLOGY,
		FEAT_PMU_MAPPINGS, FEAT_GROUP_DESC, FEAT_CACHE, FEAT_MEM_TOPOLOGY, FEAT_CLOCKID,
		FEAT_CLOCK_DATA, FEAT_E_MACHINE, FEAT_CACHELINE_SIZE, FEAT_CPU_PMU_CAPS, FEAT_PMU_CAPS,
		FEAT_BPF_BTF, FEAT_BPF_PROG_INFO, FEAT_BRANCH_STACK };
	for (size_t i = 0; i < ARRAY_SIZE(set_bits); i++)
		feature_set(&f, set_bits[i]);
	REQUIRE(!writer_open(&w, "x.data", set, &f, &err));
	REQUIRE(!write_samples(&w, 1));
	REQUIRE(!writer_finish(&w, set, &f, &err));
	writer_close(&w);
	CHECK_INT(count_samples("x.data", &got), 1);
	for (size_t i = 0; i < ARRAY_SIZE(set_bits); i++)
		CHECK(feature_present(&got, set_bits[i]));
	CHECK_INT(got.nr_thread_siblings, 2);
	CHECK_STR(got.thread_siblings[1], "1");
	CHECK_INT(got.cpu_die[1], 1);
	CHECK_STR(got.nodes[0].cpus, "0-1");
	CHECK_STR(got.pmus[1].name, "tracepoint");
	CHECK_INT(got.groups[0].nr_members, 2);
	CHECK_STR(got.caches[0].size, "32K");
	CHECK_U64(got.mem_nodes[0].nr_bits, 65);
	CHECK_U64(got.mem_nodes[0].bitmap[1], 1);
	CHECK_U64(got.clock_ns, 6);
	CHECK_INT(got.e_machine, 62);
	CHECK_INT(got.cacheline_size, 64);
	evset_free(set);
}

/* a large table at the end must not cost the samples */
TEST(no_room_for_large_features)
{
	static struct buildid_entry ids[1000];
	struct features f = some_features(), got;
	struct evset *set = two_events();
	struct err err = ERR_INIT;
	struct rlimit limit;
	struct writer w;

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		ids[i].filename = "/lib/x";
		vec_push(&f.buildids, ids[i]);
	}
	feature_set(&f, FEAT_BUILD_ID);
	signal(SIGXFSZ, SIG_IGN);
	REQUIRE(!writer_open(&w, "x.data", set, &f, &err));
	REQUIRE(!write_samples(&w, 5));
	limit.rlim_cur = limit.rlim_max = writer_file_size(&w) + 8192;
	REQUIRE(!setrlimit(RLIMIT_FSIZE, &limit));
	CHECK_INT(writer_finish(&w, set, &f, &err), 0);
	writer_close(&w);
	CHECK_INT(count_samples("x.data", &got), 5);
	CHECK(!feature_present(&got, FEAT_BUILD_ID));
	CHECK_STR(got.hostname, "box");
	vec_release(&f.buildids);
	evset_free(set);
}

/* as if the recorder had been killed before anything was written */
TEST(new_file_says_that_it_has_data)
{
	struct features f = some_features(), got;
	struct evset *set = two_events();
	struct err err = ERR_INIT;
	struct writer w;
	u64 data_size = 0;

	REQUIRE(!writer_open(&w, "x.data", set, &f, &err));
	/* offset 48 of the header: other readers refuse a data section without a byte */
	CHECK_INT(pread(w.fd, &data_size, sizeof(data_size), 48), (int)sizeof(data_size));
	CHECK(data_size >= sizeof(struct rec_header));
	CHECK_INT(count_samples("x.data", &got), 0);
	CHECK_STR(got.hostname, "box");
	writer_close(&w);
	evset_free(set);
}

/* as where the disk is full when a recorder goes on to its next file */
TEST(no_next_file)
{
	struct features f = some_features();
	struct evset *set = two_events();
	struct err err = ERR_INIT;
	struct rlimit limit = { 100, 100 };
	struct writer w;

	signal(SIGXFSZ, SIG_IGN);
	REQUIRE(!writer_open(&w, "x.data", set, &f, &err));
	CHECK_INT(writer_finish(&w, set, &f, &err), 0);
	writer_close(&w);
	CHECK(writer_finish(&w, set, &f, &err) < 0);
	CHECK(writer_open(&w, "no/x.data", set, &f, &err) < 0);
	CHECK(writer_finish(&w, set, &f, &err) < 0);
	REQUIRE(!setrlimit(RLIMIT_FSIZE, &limit));
	CHECK_INT(writer_open(&w, "y.data", set, &f, &err), -EFBIG);
	CHECK(access("y.data", F_OK));		/* half a header is of no use */
	CHECK(writer_finish(&w, set, &f, &err) < 0);
	writer_close(&w);
	evset_free(set);
}

/* a payload for which the file has no room is not there at all, and what was before it can be read */
TEST(no_room_for_a_payload)
{
	static u8 bytes[1 << 16];
	struct features f = some_features();
	struct strbuf rec = STRBUF_INIT;
	struct evset *set = two_events();
	struct err err = ERR_INIT;
	struct rlimit limit = { .rlim_max = RLIM_INFINITY };
	struct writer w;
	u64 size;

	memset(bytes, 9, sizeof(bytes));	/* what a sample begins with, in no place of a record */
	REQUIRE(!writer_open(&w, "x.data", set, &f, &err));
	record_put(&rec, &(struct record_view){ .type = REC_AUXTRACE, .auxtrace = { .size = 104 } }, NULL, 0);
	size = w.size;
	/* 101 bytes and 3 zeros, in two spans */
	CHECK_INT(writer_write_payload(&w, rec.buf, rec.len,
				       (struct iovec[]){ { bytes, 100 }, { bytes, 1 } }, 2), 0);
	CHECK_U64(w.size, size + rec.len + 104);
	REQUIRE(!write_samples(&w, 10));
	size = w.size;
	signal(SIGXFSZ, SIG_IGN);
	limit.rlim_cur = writer_file_size(&w) + 40000;
	REQUIRE(!setrlimit(RLIMIT_FSIZE, &limit));
	CHECK_INT(writer_write_payload(&w, rec.buf, rec.len, (struct iovec[]){ { bytes, sizeof(bytes) } }, 1),
		  -EFBIG);
	CHECK_U64(w.size, size);
	CHECK_INT(write_samples(&w, 1), -EFBIG);
	CHECK_INT(writer_finish(&w, set, &f, &err), 0);
	CHECK_U64(samples_between(w.fd, w.data_off, w.data_off + w.size), 10);
	writer_close(&w);
	CHECK_INT(count_samples("x.data", NULL), 10);
	evset_free(set);
	strbuf_release(&rec);
}
