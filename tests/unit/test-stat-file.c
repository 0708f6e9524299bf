/* Unit tests of recorded counts: what was written is read again; damaged files are reported. */
#include "bytes.h"
#include "test.h"
#include "../../util/event/record-type.h"
#include "../../util/stat/stat-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define PATH "s.data"

struct sample_run {
	struct evset *set;
	struct counts c;
};

/* three events on CPUs 0 and 3; the second could not be opened, the third belongs on CPU 3 alone */
static void run_setup(struct sample_run *r)
{
	static const int cpus[] = { 0, 3 };
	static const s32 tids[] = { -1 };
	struct event *ev;

	r->set = evset_new();
	ev = evset_add(r->set, "task-clock");
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_TASK_CLOCK;
	ev->unit = "msec";
	ev->scale = 1e-6;
	ev = evset_add(r->set, "cycles:u");
	ev = evset_add(r->set, "group \"two\"");
	ev->leader = 1;
	counts_init(&r->c, 3, cpus, 2, tids, 1);
	for (u32 cpu = 0; cpu < 2; cpu++) {
		r->c.state[counts_at(&r->c, 0, cpu, 0)] = COUNT_READ;
		r->c.v[counts_at(&r->c, 0, cpu, 0)] = (struct count){ 1000 + cpu, 20 + cpu, 10 + cpu };
		r->c.state[counts_at(&r->c, 1, cpu, 0)] = COUNT_UNSUPPORTED;
	}
	r->c.state[counts_at(&r->c, 2, 1, 0)] = COUNT_GONE;
	r->c.v[counts_at(&r->c, 2, 1, 0)] = (struct count){ UINT64_MAX, 2, 1 };
}

static void run_release(struct sample_run *r)
{
	counts_release(&r->c);
	evset_free(r->set);
}

/* rounds intervals, or one run where rounds is 0 */
static void write_file(const struct sample_run *r, const struct stat_file_config *config, int rounds)
{
	static const char *const argv[] = { "perf", "stat", "record", "a\033b" };
	struct stat_writer_origin origin = { .argc = 4, .argv = argv, .version = "7.3" };
	const struct stat_round last = { .last = true, .time_ns = 12345, .has_times = true, .user_ns = 7,
					 .sys_ns = 8 };
	struct stat_writer w;
	struct err err = ERR_INIT;

	REQUIRE(!stat_writer_open(&w, PATH, r->set, &r->c, config, &origin, &err));
	for (int i = 0; i < rounds; i++)
		REQUIRE(!stat_writer_round(&w, &r->c, &(struct stat_round){ .time_ns = 1000 + i }, &err));
	if (!rounds)
		REQUIRE(!stat_writer_round(&w, &r->c, &last, &err));
	REQUIRE(!stat_writer_finish(&w, &err));
	stat_writer_release(&w);
}

static int open_file(struct stat_file *f, struct err *err)
{
	struct data_opts o = { .path = PATH };

	return stat_file_open(f, &o, err);
}

TEST(counts_come_back)
{
	static const char *const cgroup[] = { NULL, "a/b", "c\033" };
	struct stat_file_config config = { .mode = AGGR_CACHE, .cache_level = 2, .no_scale = true,
					   .cgroup = cgroup };
	struct sample_run r;
	struct stat_file f;
	struct stat_round round;
	struct err err = ERR_INIT;

	run_setup(&r);
	write_file(&r, &config, 0);
	REQUIRE(!open_file(&f, &err));
	CHECK_INT(f.config.mode, AGGR_CACHE);
	CHECK_INT(f.config.cache_level, 2);
	CHECK_INT(f.config.no_scale, true);
	CHECK_INT(f.config.interval_ms, 0);
	REQUIRE(f.set->ev.nr == 3 && f.counts.nr_cpus == 2 && f.counts.nr_threads == 1);
	CHECK_STR(evset_at(f.set, 0)->name, "task-clock");
	CHECK_STR(evset_at(f.set, 0)->unit, "msec");
	CHECK(evset_at(f.set, 0)->scale == 1e-6);
	CHECK_STR(evset_at(f.set, 2)->name, "group \"two\"");
	CHECK_INT(evset_at(f.set, 2)->leader, 1);
	CHECK_INT(f.counts.cpu[1], 3);
	CHECK_INT(f.counts.tid[0], -1);
	CHECK_INT(stat_file_next(&f, &round), 1);
	CHECK(round.last);
	CHECK_U64(round.time_ns, 12345);
	CHECK(round.has_times && round.user_ns == 7 && round.sys_ns == 8);
	/* also of an event that is not supported and has no id */
	REQUIRE(f.cgroup && !f.cgroups_unknown && !f.cgroup[0]);
	CHECK_STR(f.cgroup[1], "a/b");
	CHECK_STR(f.cgroup[2], "c\033");
	CHECK_INT(f.counts.state[0], COUNT_READ);
	CHECK_U64(f.counts.v[1].val, 1001);
	CHECK_U64(f.counts.v[1].ena, 21);
	CHECK_U64(f.counts.v[1].run, 11);
	CHECK_INT(f.counts.state[counts_at(&f.counts, 1, 1, 0)], COUNT_UNSUPPORTED);
	CHECK_INT(f.counts.state[counts_at(&f.counts, 2, 0, 0)], COUNT_ABSENT);
	CHECK_INT(f.counts.state[counts_at(&f.counts, 2, 1, 0)], COUNT_READ);
	CHECK_U64(f.counts.v[counts_at(&f.counts, 2, 1, 0)].val, UINT64_MAX);
	CHECK_INT(stat_file_next(&f, &round), 0);
	CHECK(strstr(f.title, "stat record a\\x1bb'"));
	stat_file_close(&f);
	run_release(&r);
}

TEST(every_mode_comes_back)
{
	static const enum aggr_mode modes[] = { AGGR_GLOBAL, AGGR_NONE, AGGR_SOCKET, AGGR_DIE, AGGR_CLUSTER,
						AGGR_CACHE, AGGR_CORE, AGGR_NODE, AGGR_THREAD };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		struct stat_file_config config = { .mode = modes[i], .interval_ms = 50 };
		struct stat_round round;
		struct sample_run r;
		struct stat_file f;
		struct err err = ERR_INIT;

		run_setup(&r);
		write_file(&r, &config, 3);
		REQUIRE(!open_file(&f, &err));
		CHECK_INT(f.config.mode, modes[i]);
		CHECK_INT(f.config.cache_level, 0);
		CHECK_U64(f.config.interval_ms, 50);
		for (int k = 0; k < 3; k++) {
			CHECK_INT(stat_file_next(&f, &round), 1);
			CHECK(!round.last);
			CHECK_U64(round.time_ns, 1000 + k);
		}
		CHECK_INT(stat_file_next(&f, &round), 0);
		stat_file_close(&f);
		run_release(&r);
	}
}

/* where in the file the first record of a type begins, found by its header */
static long find_record(u32 type, u16 size)
{
	struct rec_header want = { type, 0, size }, got;
	int fd = open(PATH, O_RDONLY);
	long off;

	for (off = 104; pread(fd, &got, sizeof(got), off) == sizeof(got); off += 8)
		if (!memcmp(&got, &want, sizeof(got)))
			break;
	close(fd);
	return off;
}

static void patch(long off, const void *p, size_t len)
{
	int fd = open(PATH, O_WRONLY);

	REQUIRE(fd >= 0 && pwrite(fd, p, len, off) == (ssize_t)len);
	close(fd);
}

TEST(counts_of_nothing_declared)
{
	static const struct { int at; u64 value; u32 bytes; } bad[] = {
		{ 8, 77, 8 }, { 16, 1, 4 }, { 20, 1, 4 }, { 20, UINT32_MAX, 4 }
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct stat_file_config config = { 0 };
		struct stat_round round;
		struct sample_run r;
		struct stat_file f;
		struct err err = ERR_INIT;

		run_setup(&r);
		write_file(&r, &config, 0);
		patch(find_record(REC_STAT, 48) + bad[i].at, low_bytes(&bad[i].value, bad[i].bytes),
		      bad[i].bytes);
		REQUIRE(!open_file(&f, &err));
		CHECK_INT(stat_file_next(&f, &round), 1);
		CHECK_INT(f.counts.state[0], COUNT_ABSENT);
		CHECK_U64(f.diag.kind[DIAG_BAD_COUNT].nr, 1);
		stat_file_close(&f);
		run_release(&r);
	}
}

/* a mask of CPUs and a table of threads that would take gigabytes */
TEST(more_counters_than_a_file_can_hold)
{
	struct stat_file_config config = { 0 };
	struct sample_run r;
	struct stat_file f;
	struct err err = ERR_INIT;
	struct rec_header h = { REC_CPU_MAP, 0, 16 };
	u16 range[] = { 2, 0, 0, 65535 };
	int fd;

	run_setup(&r);
	write_file(&r, &config, 0);
	patch(find_record(REC_CPU_MAP, 16), &h, sizeof(h));
	patch(find_record(REC_CPU_MAP, 16) + 8, range, sizeof(range));
	CHECK_INT(open_file(&f, &err), -EINVAL);
	CHECK(strstr(err.msg, "3 events on 65536 CPUs"));
	CHECK(!f.data);
	fd = open(PATH, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	REQUIRE(fd >= 0);
	close(fd);
	CHECK(open_file(&f, &err) < 0);
	run_release(&r);
}

TEST(places_from_a_header)
{
	static const s32 sockets[] = { 0, 0, 1, 1 }, cores[] = { 0, 1, 0, 1 };
	static const int cpus[] = { -1, 1, 3, 9 };
	static const s32 tids[] = { -1 };
	struct feat_node nodes[] = { { .node = 4, .cpus = "0-1" }, { .node = 5, .cpus = "2-3,x" },
				     { .node = 6, .cpus = "3" } };
	struct feat_cache caches[] = { { .level = 1, .type = "Instruction", .map = "0-3" },
				       { .level = 2, .type = "Unified", .map = "1" },
				       { .level = 3, .type = "Unified", .map = "0-1" },
				       { .level = 2, .type = "Unified", .map = "2-3" } };
	struct features f = { .nr_cpus_avail = 4, .cpu_socket = sockets, .cpu_core = cores, .nr_nodes = 3,
			      .nodes = nodes, .nr_caches = 4, .caches = caches };
	struct cpu_location place[4];
	struct counts c;

	counts_init(&c, 1, cpus, 4, tids, 1);
	stat_locations_of_features(place, &c, &f, 0);
	CHECK_INT(place[0].cpu, -1);
	CHECK_INT(place[0].socket, -1);
	CHECK_INT(place[1].socket, 0);
	CHECK_INT(place[1].die, 0);
	CHECK_INT(place[1].core, 1);
	CHECK_INT(place[1].node, 4);
	CHECK_INT(place[1].cache, 0);
	CHECK_INT(place[1].cache_level, 3);
	CHECK_INT(place[1].cluster, -1);
	CHECK_INT(place[2].socket, 1);
	CHECK_INT(place[2].node, 6);
	CHECK_INT(place[2].cache, 2);
	CHECK_INT(place[3].cpu, 9);
	CHECK_INT(place[3].socket, -1);
	stat_locations_of_features(place, &c, &f, 2);
	CHECK_INT(place[1].cache, 1);
	CHECK_INT(place[1].cache_level, 2);
	counts_release(&c);
}
