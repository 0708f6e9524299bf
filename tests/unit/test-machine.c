/*
 * Machine: fork, exec, names, overlays, kernel maps, and that it agrees with a plain replay of
 * the same records.
 */
#include "replay.h"
#include "side.h"
#include "test.h"
#include "../../util/event/record-type.h"
#include "../../util/machine/locator.h"

#define USER CPUMODE_USER
#define KERNEL CPUMODE_KERNEL

static struct diag diag;

static struct sample_ctx then(const struct machine *w, s32 pid, s32 tid, u64 time)
{
	return machine_sample_ctx(w, pid, tid, (struct when){ .time = time });
}

static const char *comm(const struct machine *w, s32 pid, s32 tid, struct when when)
{
	struct sample_ctx ctx = machine_sample_ctx(w, pid, tid, when);

	return machine_comm(w, &ctx);
}

/* "long name+hex", or "-" */
static const char *at(struct machine *w, s32 pid, s32 tid, u8 mode, u64 ip, u64 time)
{
	static char buf[256];
	struct sample_ctx ctx = then(w, pid, tid, time);
	struct loc l = machine_locate(w, &ctx, mode, ip);

	if (l.dso == ID_NONE)
		return "-";
	snprintf(buf, sizeof(buf), "%s+%lx", dsos_at(machine_dsos(w), l.dso)->long_name, l.dso_addr);
	return buf;
}

TEST(names_over_time)
{
	struct side s = { 0 };
	struct machine *w;

	side_comm(&s, 0, 100, 100, "main", false);
	side_fork(&s, 1000, 200, 100, 200, 100);
	side_comm(&s, 1300, 200, 200, "child", true);
	side_exit(&s, 1400, 200, 200);
	side_fork(&s, 1500, 200, 100, 200, 100);
	side_comm(&s, 1800, 500, 500, "late", false);
	side_fork(&s, 1900, 501, 999, 501, 999);
	side_mmap2(&s, 1950, USER, 600, 601, 0x1000, 0x1000, 0, "/bin/x");
	w = side_machine(&s, &diag);
	CHECK_STR(comm(w, 100, 100, (struct when){ 5, 0 }), "main");
	CHECK_STR(comm(w, 200, 200, (struct when){ 999, 0 }), ":200");
	CHECK_STR(comm(w, 200, 200, (struct when){ 1100, 0 }), "main");
	CHECK_STR(comm(w, 200, 200, (struct when){ 1300, UINT64_MAX }), "child");
	/* the kernel still samples it */
	CHECK_STR(comm(w, 200, 200, (struct when){ 1410, 0 }), "child");
	CHECK_STR(comm(w, 200, 200, (struct when){ 1510, 0 }), "main");
	CHECK_STR(comm(w, 500, 500, (struct when){ 1799, 0 }), ":500");
	CHECK_STR(comm(w, 500, 500, (struct when){ 1801, 0 }), "late");
	CHECK_STR(comm(w, 501, 501, (struct when){ 1901, 0 }), ":501");
	CHECK_STR(comm(w, 600, 601, (struct when){ 1951, 0 }), ":601");
	CHECK_STR(comm(w, 0, 0, (struct when){ 1, 0 }), "swapper");
	CHECK_STR(comm(w, -1, -1, (struct when){ 1, 0 }), ":-1");
	machine_free(w);
}

TEST(a_task_goes_on_behind_an_exit_record_where_more_is_told_of_it)
{
	struct side s = { 0 };
	struct machine *w;

	/* what the kernel writes when a set-uid program is executed */
	side_fork(&s, 1000, 200, 100, 200, 100);
	side_comm(&s, 1300, 200, 200, "sudo", true);
	side_exit(&s, 1310, 200, 200);
	side_mmap2(&s, 1320, USER, 200, 200, 0x1000, 0x1000, 0, "/usr/bin/sudo");
	side_fork(&s, 1400, 300, 200, 300, 200);
	side_exit(&s, 1500, 200, 200);
	side_fork(&s, 1600, 200, 100, 200, 100);
	w = side_machine(&s, &diag);
	CHECK_STR(comm(w, 200, 200, (struct when){ 1350, 0 }), "sudo");
	CHECK_STR(comm(w, 300, 300, (struct when){ 1450, 0 }), "sudo");
	CHECK_INT(then(w, 200, 200, 1350).thread->death.time, 1500);
	CHECK_STR(at(w, 200, 200, USER, 0x1800, 1350), "/usr/bin/sudo+800");
	CHECK_STR(comm(w, 200, 200, (struct when){ 1700, 0 }), ":200");
	machine_free(w);
}

TEST(maps_follow_fork_and_overlay)
{
	struct side s = { 0 };
	struct machine *w;
	struct map *maps;

	side_comm(&s, 0, 100, 100, "main", false);
	side_mmap2(&s, 0, USER, 100, 100, 0x400000, 0x10000, 0, "/bin/foo");
	side_fork(&s, 1000, 200, 100, 200, 100);
	side_mmap2(&s, 1050, USER, 100, 100, 0x800000, 0x1000, 0, "/lib/later.so");
	side_fork(&s, 1100, 100, 100, 101, 100);
	side_comm(&s, 1300, 200, 200, "child", true);
	side_mmap2(&s, 1320, USER, 200, 200, 0x408000, 0x1000, 0x100, "/bin/bar");
	w = side_machine(&s, &diag);
	CHECK_STR(at(w, 100, 100, USER, 0x400010, 1), "/bin/foo+10");
	CHECK_STR(at(w, 100, 101, USER, 0x400010, 1200), "/bin/foo+10");
	CHECK_STR(at(w, 100, 101, USER, 0x800010, 1200), "/lib/later.so+10");
	CHECK_STR(at(w, 200, 200, USER, 0x800010, 1200), "-");
	CHECK_STR(at(w, 200, 200, USER, 0x400010, 1310), "/bin/foo+10");
	CHECK_STR(at(w, 200, 200, USER, 0x408030, 1310), "/bin/foo+8030");
	CHECK_STR(at(w, 200, 200, USER, 0x408030, 1330), "/bin/bar+130");
	CHECK_STR(at(w, 200, 200, USER, 0x409000, 1330), "/bin/foo+9000");
	CHECK_STR(at(w, 100, 100, USER, 0x408030, 1330), "/bin/foo+8030");
	CHECK_STR(at(w, 100, 100, USER, 0x410000, 1330), "-");
	CHECK_STR(at(w, 300, 300, USER, 0x400010, 1330), "-");
	CHECK_STR(at(w, 100, 105, USER, 0x400010, 1330), "/bin/foo+10");
	REQUIRE(machine_maps_at_end(w, then(w, 200, 200, 2000).maps, &maps) == 3);
	CHECK_U64(maps[0].start, 0x400000);
	CHECK_U64(maps[0].end, 0x408000);
	CHECK_U64(maps[1].pgoff, 0x100);
	CHECK_U64(maps[2].start, 0x409000);
	CHECK_U64(maps[2].pgoff, 0x9000);
	free(maps);
	machine_free(w);
}

TEST(kernel_and_modules)
{
	struct side s = { 0 };
	struct machine *w;
	const struct dso *d;

	side_mmap2(&s, 0, KERNEL, -1, 0, 0xffffffff82500000, 0x1000, 0, "[near]");
	side_mmap2(&s, 0, KERNEL, -1, 0, 0xffffffff81000000, 0x1200000, 0xffffffff81000000,
		   "[kernel.kallsyms]_text");
	side_mmap2(&s, 0, KERNEL, -1, 0, 0xffffffffc0000000, 0x10000, 0, "[ext4]");
	side_mmap2(&s, 0, KERNEL, -1, 0, 0xffffffffc0020000, 0x10000, 0,
		   "/lib/modules/6.1/kernel/fs/x-fs.ko.xz");
	side_ksymbol(&s, 500, 0xffffffffc0100000, 0x100, 0, "bpf_prog_12_f");
	side_ksymbol(&s, 900, 0xffffffffc0100000, 0x100, 1, "bpf_prog_12_f");
	w = side_machine(&s, &diag);
	CHECK_STR(at(w, 1, 1, KERNEL, 0xffffffff81000010, 1), "[kernel.kallsyms]+ffffffff81000010");
	/* boot code after _etext, but not what a module covers, in any order of the records */
	CHECK_STR(at(w, 1, 1, KERNEL, 0xffffffff82300010, 1), "[kernel.kallsyms]+ffffffff82300010");
	CHECK_STR(at(w, 1, 1, KERNEL, 0xffffffff82500010, 1), "[near]+ffffffff82500010");
	CHECK_STR(at(w, 1, 1, KERNEL, 0xffffffff82600010, 1), "-");
	CHECK_STR(at(w, 1, 1, KERNEL, 0xffffffffc0000010, 1), "[ext4]+ffffffffc0000010");
	CHECK_STR(at(w, 1, 1, KERNEL, 0xffffffffc0100010, 499), "-");
	CHECK_STR(at(w, 1, 1, KERNEL, 0xffffffffc0100010, 501), "bpf_prog_12_f+ffffffffc0100010");
	CHECK_STR(at(w, 1, 1, KERNEL, 0xffffffffc0100010, 901), "-");
	CHECK_STR(at(w, 1, 1, USER, 0xffffffff81000010, 1), "-");
	d = dsos_at(machine_dsos(w), 1);
	CHECK_STR(d->short_name, "[kernel.kallsyms]");
	CHECK_STR(d->ref_reloc_sym, "_text");
	CHECK_U64(d->ref_reloc_addr, 0xffffffff81000000);
	CHECK_STR(dsos_at(machine_dsos(w), 3)->short_name, "[x_fs]");
	machine_free(w);
}

TEST(anonymous_code_has_a_perf_map)
{
	struct side s = { 0 };
	struct machine *w;

	side_mmap2(&s, 0, USER, 100, 100, 0x1000, 0x1000, 0, "//anon");
	side_mmap2(&s, 0, USER, 100, 100, 0x2000, 0x1000, 0, "/dev/zero (deleted)");
	side_mmap2(&s, 0, USER, 101, 101, 0x2000, 0x1000, 0, "[stack]");
	side_mmap2(&s, 0, USER, 101, 101, 0x5000, 0x1000, 0, "[vdso]");
	w = side_machine(&s, &diag);
	CHECK_STR(at(w, 100, 100, USER, 0x1010, 1), "/tmp/perf-100.map+1010");
	CHECK_STR(at(w, 100, 100, USER, 0x2010, 1), "/tmp/perf-100.map+2010");
	CHECK_STR(at(w, 101, 101, USER, 0x2010, 1), "/tmp/perf-101.map+2010");
	CHECK_STR(at(w, 101, 101, USER, 0x5010, 1), "[vdso]+10");
	CHECK_INT(machine_dsos(w)->dso.nr, 3);
	CHECK_STR(dsos_at(machine_dsos(w), 0)->short_name, "[JIT] tid 100");
	machine_free(w);
}

TEST(leaked_build_id_bit)
{
	struct side s = { 0 };
	u32 maj = HOST_IS_BE ? 77u << 24 : 77;
	struct machine *w;
	struct rec *r;

	side_mmap2(&s, 0, USER, 1, 1, 0x1000, 0x1000, 0, "/bin/a");
	side_mmap2(&s, 0, USER | MISC_MMAP_BUILD_ID, 1, 1, 0x2000, 0x1000, 0, "/bin/b");
	side_mmap2(&s, 0, USER | MISC_MMAP_BUILD_ID, 1, 1, 0x3000, 0x1000, 0, "/bin/c");
	side_mmap2(&s, 0, USER | MISC_MMAP_BUILD_ID, 1, 1, 0x4000, 0x1000, 0, "/bin/d");
	r = s.sb.recs.v;
	((u8 *)r[1].p)[40] = 8;
	memcpy((u8 *)r[2].p + 40, &maj, 4);	/* no build-id has 77 bytes: this is maj */
	memset((u8 *)r[3].p + 40, 0, 4);	/* nor none */
	w = side_machine(&s, &diag);
	CHECK_INT(dsos_at(machine_dsos(w), 0)->buildid_len, 0);
	CHECK_U64(dsos_at(machine_dsos(w), 0)->ino, 77);
	CHECK_INT(dsos_at(machine_dsos(w), 1)->buildid_len, 8);
	CHECK_INT(dsos_at(machine_dsos(w), 2)->buildid_len, 0);
	CHECK_U64(dsos_at(machine_dsos(w), 2)->maj, maj);
	CHECK_INT(dsos_at(machine_dsos(w), 3)->buildid_len, 0);
	CHECK_U64(dsos_at(machine_dsos(w), 3)->ino, 77);
	machine_free(w);
}

TEST(damaged_records_are_counted)
{
	struct side s = { 0 };
	struct side_rec r = { .n = 16 };
	struct diag d = { 0 };
	struct machine *w;

	side_add(&s, REC_MMAP2, USER, 1, &r);
	side_add(&s, REC_COMM, 0, 1, &r);
	side_add(&s, REC_FORK, 0, 1, &r);
	side_add(&s, REC_KSYMBOL, 0, 1, &r);
	side_mmap2(&s, 0, USER, 1, 1, UINT64_MAX - 10, 0x1000, 0, "/bin/a");
	w = side_machine(&s, &d);
	CHECK_INT(d.kind[DIAG_TRUNCATED_RECORD].nr, 4);
	CHECK_INT(d.kind[DIAG_BAD_MAP].nr, 1);
	machine_free(w);
}

TEST(long_chains_of_forks)
{
	struct side s = { 0 };
	struct machine *w;
	const s32 nr = 20000;

	side_comm(&s, 0, 1, 1, "init", false);
	side_mmap2(&s, 0, USER, 1, 1, 0x1000, 0x1000, 0, "/bin/init");
	for (s32 i = 2; i < nr; i++) {
		side_fork(&s, i * 10, i, i - 1, i, i - 1);
		side_mmap2(&s, i * 10 + 1, USER, i, i, 0x1000 + 0x1000 * (i % 100 + 1), 0x1000, 0,
			   i & 1 ? "/bin/odd" : "/bin/even");
	}
	w = side_machine(&s, &diag);
	CHECK_STR(at(w, nr - 1, nr - 1, USER, 0x1010, nr * 10), "/bin/init+10");
	CHECK_STR(at(w, nr - 1, nr - 1, USER, 0x1010 + 0x1000 * 50, nr * 10), "/bin/odd+10");
	CHECK_STR(at(w, 150, 150, USER, 0x1010 + 0x1000 * 51, nr * 10), "/bin/even+10");
	CHECK_STR(at(w, 150, 150, USER, 0x1010 + 0x1000 * 52, nr * 10), "/bin/odd+10");
	machine_free(w);
}

/* a small generator, the same on every machine */
static u32 rnd(u64 *seed, u32 n)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(*seed >> 33) % n;
}

static void random_record(struct side *s, u64 *seed, u64 time)
{
	static const char *const names[] = { "/bin/a", "/bin/b", "/lib/c.so", "/lib/d.so" };
	s32 pid = 10 + 10 * rnd(seed, 6), tid = pid + rnd(seed, 3), other = 10 + 10 * rnd(seed, 6);
	u64 start = 0x1000ull * rnd(seed, 64);

	switch (rnd(seed, 10)) {
	case 0:
		side_fork(s, time, pid, other, pid, other);
		break;
	case 1:
		side_fork(s, time, pid, pid, tid, pid);
		break;
	case 2:
		side_exit(s, time, pid, tid);
		break;
	case 3:
		side_comm(s, time, pid, tid, names[rnd(seed, 4)], rnd(seed, 2));
		break;
	default:
		side_mmap2(s, time, USER, pid, tid, start, 0x1000ull * (1 + rnd(seed, 16)), start * 2,
			   names[rnd(seed, 4)]);
	}
}

/* the machine's answer and the replay's for one thread and address */
static bool agree(struct locator *l, struct replay *r, s32 pid, s32 tid, u64 ip, struct when when)
{
	const struct machine *w = l->machine;
	struct sample_ctx ctx = machine_sample_ctx(w, pid, tid, when), cached;
	struct loc loc;
	u64 file_off = 0;
	const char *name = replay_map(r, pid, tid, ip, &file_off);

	locator_ctx(l, pid, tid, when, &cached);
	loc = locator_find(l, &cached, USER, ip);

	if (cached.thread != ctx.thread || cached.maps != ctx.maps ||
	    strcmp(machine_comm(w, &ctx), replay_comm(r, tid)))
		return false;
	if (loc.dso == ID_NONE || !name)
		return loc.dso == ID_NONE && !name;
	return !strcmp(dsos_at(machine_dsos(w), loc.dso)->long_name, name) && loc.dso_addr == file_off;
}

TEST(agrees_with_replay)
{
	for (u64 round = 1; round <= unit_amount(40); round++) {
		struct side s = { 0 };
		u64 seed = round;
		struct replay *r = replay_new();
		struct locator l;
		struct machine *w;
		u32 bad = 0;

		for (u64 i = 0; i < 600; i++)
			random_record(&s, &seed, 100 + i / 2 * 10);
		w = side_machine(&s, &diag);
		locator_init(&l, w);
		for (size_t i = 0; i < s.sb.recs.nr; i++) {
			replay_apply(r, &s.sb.recs.v[i]);
			for (u32 k = 0; k < 40; k++) {
				s32 pid = 10 + 10 * rnd(&seed, 6), tid = pid + rnd(&seed, 4);

				bad += !agree(&l, r, pid, tid, 0x800ull * rnd(&seed, 160),
					      (struct when){ s.sb.times.v[i], s.sb.recs.v[i].off });
			}
		}
		CHECK_INT(bad, 0);
		locator_release(&l);
		replay_free(r);
		machine_free(w);
	}
}

static bool same_loc(struct loc a, u64 a_ip, struct loc b, u64 b_ip)
{
	return a.dso == b.dso && a.map == b.map && a.dso_addr - a_ip == b.dso_addr - b_ip;
}

TEST(answers_hold_in_their_span)
{
	for (u64 round = 1; round <= unit_amount(20); round++) {
		struct side s = { 0 };
		u64 seed = round;
		struct machine *w;
		u32 bad = 0;

		for (u64 i = 0; i < 600; i++)
			random_record(&s, &seed, 100 + i * 10);
		w = side_machine(&s, &diag);
		for (u32 k = 0; k < 4000; k++) {
			u64 ip = 0x800ull * rnd(&seed, 160), time = 100 + rnd(&seed, 6000);
			struct sample_ctx ctx = machine_sample_ctx(w, 10 + 10 * rnd(&seed, 6), 10,
								   (struct when){ time, UINT64_MAX });
			struct loc_span span;
			struct loc loc = machine_locate_span(w, &ctx, USER, ip, &span);
			u64 ips[] = { span.lo, span.hi - 1 }, times[] = { span.from + 1, span.to - 1, time };

			bad += ip < span.lo || ip >= span.hi;
			for (u32 i = 0; i < 6; i++) {
				u64 at_ip = ips[i % 2], at_time = times[i / 2];

				struct sample_ctx other = { .when.time = at_time, .maps = ctx.maps };

				if (at_time > span.from && at_time < span.to)
					bad += !same_loc(loc, ip, machine_locate(w, &other, USER, at_ip),
							 at_ip);
			}
		}
		CHECK_INT(bad, 0);
		machine_free(w);
	}
}

/* a machine that grows record by record answers at each step as the complete one does for that time */
TEST(grows_like_the_whole)
{
	for (u64 round = 1; round <= 10; round++) {
		struct machine_opts grows = { .grows = true };
		struct side s = { 0 }, none = { 0 };
		u64 seed = round;
		struct machine *whole, *w;
		u32 bad = 0;

		for (u64 i = 0; i < 200; i++)
			random_record(&s, &seed, 100 + i * 10);
		none.sb.has_time = true;
		w = machine_build(&none.sb, &grows, &diag);
		for (u64 from = 0, n; from < 200; from += n) {
			struct sideband part = { .has_time = true };

			n = MIN(1ull + rnd(&seed, 9), 200 - from);
			for (u64 i = from; i < from + n; i++) {
				vec_push(&part.recs, s.sb.recs.v[i]);
				vec_push(&part.times, s.sb.times.v[i]);
			}
			machine_append(w, &part, &diag);
			vec_release(&part.recs);
			vec_release(&part.times);
		}
		whole = side_machine(&s, &diag);
		for (u32 k = 0; k < 2000; k++) {
			u64 ip = 0x800ull * rnd(&seed, 160), time = 100 + rnd(&seed, 2000);
			s32 pid = 10 + 10 * rnd(&seed, 6), tid = pid + rnd(&seed, 3);
			struct sample_ctx at_a = then(w, pid, tid, time);
			struct sample_ctx at_b = then(whole, pid, tid, time);
			struct loc a = machine_locate(w, &at_a, USER, ip),
					b = machine_locate(whole, &at_b, USER, ip);

			bad += a.dso != b.dso || a.dso_addr != b.dso_addr;
			bad += strcmp(machine_comm(w, &at_a), machine_comm(whole, &at_b)) != 0;
		}
		CHECK_INT(bad, 0);
		machine_free(w);
		machine_free(whole);
	}
}
