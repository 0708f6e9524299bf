/* Tests of the recorder's parts: rings, control commands, sizes, build ids, start-up state. */
#include "bytes.h"
#include "test.h"
#include "../../util/base/alloc.h"
#include "../../util/base/fs.h"
#include "../../util/base/vdso.h"
#include "../../util/event/abi.h"
#include "../../util/event/record-type.h"
#include "../../util/host/build-id.h"
#include "../../util/observe/control.h"
#include "../../util/record/map-ids.h"
#include "../../util/record/record-opts.h"
#include "../../util/kernel/ring.h"
#include "../../util/kernel/rings.h"
#include "../../util/record/synthesize.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* a ring in plain memory */
struct fake_ring {
	struct ring r;
	struct perf_event_mmap_page page;
	u64 data[64];
};

static void fake_init(struct fake_ring *f, bool backward)
{
	memset(f, 0, sizeof(*f));
	f->r = (struct ring){ .page = &f->page, .data = (u8 *)f->data, .size = sizeof(f->data),
			      .backward = backward };
}

static u64 header(u32 type, u16 size)
{
	union { struct rec_header h; u64 word; } u = { .h = { type, 0, size } };

	return u.word;
}

TEST(spans_wrap)
{
	struct fake_ring f;
	struct iovec iov[2];
	struct ring_counts c = { .first_time = UINT64_MAX };
	struct ring_plan plan = { .time_off = 8 };

	fake_init(&f, false);
	CHECK_INT(ring_peek(&f.r, iov), 0);
	/* from word 60: a sample of 3 words, one of 3 that wraps in the middle, LOST of 3 */
	f.r.tail = 60 * 8;
	f.data[60] = header(REC_SAMPLE, 24);
	f.data[62] = 1000;
	f.data[63] = header(REC_SAMPLE, 24);
	f.data[1] = 900;
	f.data[2] = header(REC_LOST, 24);
	f.data[4] = 7;
	f.page.data_head = (60 + 9) * 8;
	REQUIRE(ring_peek(&f.r, iov) == 2);
	CHECK_INT(iov_bytes(iov, 2), 72);
	ring_count(&c, &plan, iov, 2);
	CHECK_U64(c.samples, 2);
	CHECK_U64(c.lost, 7);
	CHECK_U64(c.first_time, 900);
	CHECK_U64(c.last_time, 1000);
	ring_consume(&f.r);
	CHECK_U64(f.page.data_tail, f.page.data_head);
	CHECK_INT(ring_peek(&f.r, iov), 0);
}

struct records {
	u32 nr, sizes[8];
	u64 last_word;
	u32 stop_at;
};

static int on_record(void *ctx, const struct ring *r, const struct rec_header *h)
{
	struct records *rs = ctx;

	rs->last_word = ((const u64 *)h)[h->size / 8 - 1];
	rs->sizes[rs->nr++] = h->size;
	return rs->nr == rs->stop_at ? -EINTR : 0;
}

TEST(records_of_rings)
{
	struct fake_ring f[2];
	struct rings rs = { 0 };
	struct ring_counts c = { 0 };
	struct records got = { 0 };

	for (int i = 0; i < 2; i++) {
		fake_init(&f[i], false);
		/* a sample, one that wraps, losses */
		f[i].r.tail = 60 * 8;
		f[i].data[60] = header(REC_SAMPLE, 16);
		f[i].data[62] = header(REC_SAMPLE, 32);
		f[i].data[1] = 0x77 + i;
		f[i].data[2] = header(REC_LOST, 24);
		f[i].data[4] = 7;
		f[i].page.data_head = (60 + 9) * 8;
		vec_push(&rs.r, f[i].r);
	}
	rs.r.v[1].backward = true;
	CHECK_INT(rings_read(&rs, &c, on_record, &got), 0);
	CHECK_INT(got.nr, 3);
	CHECK_INT(got.sizes[1], 32);
	CHECK_U64(got.last_word, 7);
	CHECK_U64(c.samples, 2);
	CHECK_U64(c.lost, 7);
	CHECK_U64(f[0].page.data_tail, f[0].page.data_head);
	CHECK_U64(f[1].page.data_tail, 0);
	/* nothing is returned twice; a reader that stops is not called again */
	CHECK_INT(rings_read(&rs, &c, on_record, &got), 0);
	CHECK_INT(got.nr, 3);
	rs.r.v[1].backward = false;
	got = (struct records){ .stop_at = 2 };
	CHECK_INT(rings_read(&rs, &c, on_record, &got), -EINTR);
	CHECK_U64(got.last_word, 0x78);
	/* a record whose size exceeds the bytes that are left is not returned */
	f[0].data[5] = header(REC_SAMPLE, 160);
	f[0].page.data_head += 24;
	got = (struct records){ 0 };
	CHECK_INT(rings_read(&rs, &c, on_record, &got), 0);
	CHECK_INT(got.nr, 0);
	vec_release(&rs.r);
}

TEST(leaked_build_id_bit)
{
	union { struct rec_header h; u64 word; } a[2] = { { .h = { REC_MMAP2, 0x4002, 8 } },
							  { .h = { REC_COMM, 0x4000, 8 } } },
			b[1] = { { .h = { REC_MMAP2, 0x4002, 8 } } };
	struct iovec iov[2] = { { a, sizeof(a) }, { b, sizeof(b) } };

	ring_clear_build_id_bit(iov, 2);
	CHECK_INT(a[0].h.misc, 2);
	CHECK_INT(a[1].h.misc, 0x4000);
	CHECK_INT(b[0].h.misc, 2);
}

TEST(zero_size_does_not_hang)
{
	struct ring_counts c = { 0 };
	struct ring_plan plan = { 0 };
	u64 words[4] = { 0 };
	struct iovec iov = { words, sizeof(words) };

	ring_count(&c, &plan, &iov, 1);
	CHECK_U64(c.records, 0);
}

TEST(backward_ring)
{
	struct fake_ring f;
	struct iovec iov[2];

	fake_init(&f, true);
	/* the kernel writes downwards: the newest record at head, older above, then what was never written */
	f.data[58] = header(REC_SAMPLE, 16);
	f.data[60] = header(REC_SAMPLE, 32);
	f.page.data_head = (u64)-48;
	REQUIRE(ring_peek(&f.r, iov) == 1);
	CHECK_INT(iov[0].iov_len, 48);
	CHECK(iov[0].iov_base == &f.data[58]);
}

TEST(control_commands)
{
	struct control c;
	struct control_msg m;
	struct err err = ERR_INIT;
	char spec[64];
	int fds[2];

	REQUIRE(!pipe(fds));
	snprintf(spec, sizeof(spec), "fd:%d,%d", fds[0], fds[1]);
	REQUIRE(!control_open(&c, spec, &err));
	REQUIRE(write(fds[1], "enable\ndisable 'cpu-clock'\nwhat\nsto", 35) == 35);
	CHECK_INT(control_read(&c), 0);
	CHECK(control_next(&c, &m));
	CHECK_INT(m.cmd, CONTROL_ENABLE);
	CHECK_STR(m.arg, "");
	CHECK(control_next(&c, &m));
	CHECK_INT(m.cmd, CONTROL_DISABLE);
	CHECK_STR(m.arg, "cpu-clock");
	CHECK(control_next(&c, &m));
	CHECK_INT(m.cmd, CONTROL_NONE);
	CHECK_INT(control_open(&c, "fd:x", &err), -EINVAL);
	CHECK_INT(control_open(&c, "fd:999", &err), -EBADF);
	CHECK_INT(control_open(&c, "file", &err), -EINVAL);
	CHECK(control_open(&c, "fifo:/nowhere/at/all", &err) < 0);
}

TEST(build_id_notes)
{
	static const struct {
		u32 head[3];
		char name[4];
		u8 desc[4];
	} notes[] = { { { 4, 4, 1 }, "Xen", { 9, 9, 9, 9 } }, { { 4, 3, 3 }, "GNU", { 0xaa, 0xbb, 0xcc } } };
	struct build_id id = { 0 };

	CHECK(build_id_from_notes(notes, sizeof(notes), &id));
	CHECK_INT(id.len, 3);
	CHECK_INT(id.id[2], 0xcc);
	/* cut anywhere: found or not, but never read past the end */
	for (size_t len = 0; len < sizeof(notes) - 1; len++)
		CHECK(!build_id_from_notes(notes, len, &id));
}

TEST(build_id_of_an_image)
{
	struct vdso v = vdso_of_self();
	struct build_id whole, id;
	bool found = false;

	if (!v.image)
		SKIP("this kernel gives no vdso");
	REQUIRE(build_id_of_image(v.image, v.size, &whole));
	/* cut anywhere: that one or none, but never read past the end */
	for (size_t len = 0; len < v.size; len += len < 512 ? 1 : 64) {
		void *cut = xmemdup(v.image, len);

		if (build_id_of_image(cut, len, &id)) {
			CHECK(id.len == whole.len && !memcmp(id.id, whole.id, id.len));
			found = true;
		} else {
			CHECK(!found);
		}
		free(cut);
	}
	CHECK(found);
}

static void put_bytes(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	REQUIRE(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

static void put_file(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

static u32 count_records(const struct strbuf *sb, u32 type)
{
	u32 nr = 0;

	for (size_t off = 0; off + 8 <= sb->len;) {
		const struct rec_header *h = (const void *)(sb->buf + off);

		if (h->size < 8 || h->size % 8)
			return UINT32_MAX;
		nr += h->type == type;
		off += h->size;
	}
	return nr;
}

TEST(process_of_a_fake_root)
{
	struct synth_opts o = { .trailer = 16 };
	struct synth_notes notes = { 0 };
	struct strbuf sb = STRBUF_INIT;

	REQUIRE(!mkdir("proc", 0700) && !mkdir("proc/12", 0700) && !mkdir("proc/12/task", 0700));
	REQUIRE(!mkdir("proc/12/task/12", 0700) && !mkdir("proc/12/task/13", 0700));
	put_file("proc/12/stat", "12 (a (b) c) S 1 12 12 0 -1 4194560 1 1 0 0 1 0 0 0 20 0 2 0 9\n");
	put_file("proc/12/task/13/stat", "13 (worker) S 1 12\n");
	put_file("proc/12/maps",
		 "00400000-00401000 r-xp 00001000 fd:01 77   /usr/bin/with blank\n"
		 "00600000-00601000 rw-p 00000000 fd:01 77   /usr/bin/with blank\n"
		 "7f0000000000-7f0000001000 r-xp 00000000 00:00 0 \n"
		 "garbage\n"
		 "7fff00000000-7fff00001000 r-xp 00000000 00:00 0   [vdso]\n");
	fs_set_root(".");
	synth_process(&sb, 12, -1, &o, &notes);
	CHECK_INT(count_records(&sb, REC_FORK), 2);
	CHECK_INT(count_records(&sb, REC_COMM), 2);
	CHECK_INT(count_records(&sb, REC_MMAP2), 3);
	CHECK(memmem(sb.buf, sb.len, "a (b) c", 7));
	CHECK(memmem(sb.buf, sb.len, "/usr/bin/with blank", 19));
	CHECK(memmem(sb.buf, sb.len, "//anon", 6));
	strbuf_reset(&sb);
	o.data_maps = true;
	synth_process(&sb, 12, 12, &o, &notes);
	CHECK_INT(count_records(&sb, REC_MMAP2), 4);
	CHECK_INT(count_records(&sb, REC_COMM), 1);
	strbuf_reset(&sb);
	synth_all_tasks(&sb, &o, &notes);
	CHECK_INT(count_records(&sb, REC_COMM), 2);
	CHECK_INT(count_records(&sb, REC_MMAP2), 4);
	/* the list of threads is not read for one */
	put_file("proc/12/stat", "12 (a) S 1 12 12 0 -1 4194560 1 1 0 0 1 0 0 0 20 0 1 0 9\n");
	strbuf_reset(&sb);
	synth_process(&sb, 12, -1, &o, &notes);
	CHECK_INT(count_records(&sb, REC_COMM), 1);
}

static const struct mmap2 *find_map(const struct proc_maps *maps, u64 start)
{
	vec_foreach(maps, m)
		if (m->start == start)
			return m;
	return NULL;
}

/* what the kernel answers one by one is the same as its text */
TEST(executable_maps_of_this_process)
{
	struct proc_maps all = { .text = STRBUF_INIT }, exec = { .text = STRBUF_INIT };
	struct map_gate gate = { 0 };
	u32 nr_exec = 0;

	proc_maps_read(&all, getpid());
	proc_maps_read_exec(&exec, getpid(), &gate);
	REQUIRE(all.nr && exec.nr);
	vec_foreach(&all, m) {
		const struct mmap2 *e = find_map(&exec, m->start);

		if (!(m->prot & PROT_EXEC))
			continue;
		nr_exec++;
		REQUIRE(e);
		CHECK_INT(e->len, m->len);
		CHECK_INT(e->pgoff, m->pgoff);
		CHECK_INT(e->ino, m->ino);
		CHECK(e->maj == m->maj && e->min == m->min && e->prot == m->prot && e->flags == m->flags);
		CHECK_STR(e->path, m->path);
	}
	CHECK(nr_exec >= 2 && nr_exec <= exec.nr);
	proc_maps_release(&all);
	proc_maps_release(&exec);
}

/* memory without a file may be moved text: then the maps around it come, too */
TEST(maps_beside_executable_memory)
{
	struct proc_maps exec = { .text = STRBUF_INIT };
	struct map_gate gate = { 0 };
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool others = false;

	REQUIRE(code != MAP_FAILED);
	proc_maps_read_exec(&exec, getpid(), &gate);
	vec_foreach(&exec, m)
		others |= !(m->prot & PROT_EXEC);
	CHECK(others);
	proc_maps_release(&exec);
	munmap(code, 4096);
}

TEST(file_of_many_maps_is_read_once)
{
	struct vdso v = vdso_of_self();
	struct map_ids ids = { 0 };
	struct mmap2 m = { .path = "/a.so" };
	struct build_id id;
	struct stat st;

	if (!v.image)
		SKIP("this kernel gives no vdso");
	REQUIRE(build_id_of_image(v.image, v.size, &id));
	put_bytes("a.so", v.image, v.size);
	fs_set_root(".");
	REQUIRE(!stat("a.so", &st));
	m.ino = st.st_ino;
	map_ids_find(&ids, &m, 1);
	CHECK(m.bid.len == id.len && !memcmp(m.bid.id, id.id, id.len));
	/* the path of another process's root: only the first answer can say it */
	m.path = "/elsewhere/a.so";
	m.bid.len = 0;
	map_ids_find(&ids, &m, 2);
	CHECK(m.bid.len == id.len && !memcmp(m.bid.id, id.id, id.len));
	m.bid.len = 0;
	m.min++;
	map_ids_find(&ids, &m, 2);
	CHECK_INT(m.bid.len, 0);
	m.path = "//anon";
	m.ino = 0;
	map_ids_find(&ids, &m, 2);
	CHECK_INT(m.bid.len, 0);
	map_ids_release(&ids);
}

/* of a process whose maps are text */
static u32 nr_maps_written(const char *text)
{
	struct synth_opts o = { .trailer = 16 };
	struct synth_notes notes = { 0 };
	struct strbuf sb = STRBUF_INIT;
	u32 nr;

	put_file("proc/12/maps", text);
	synth_process(&sb, 12, 12, &o, &notes);
	nr = count_records(&sb, REC_MMAP2);
	strbuf_release(&sb);
	return nr;
}

TEST(maps_beside_moved_text)
{
	REQUIRE(!mkdir("proc", 0700) && !mkdir("proc/12", 0700));
	put_file("proc/12/stat", "12 (moved) S 1 12\n");
	fs_set_root(".");
	/* a part of the text, and all of it */
	CHECK_INT(nr_maps_written("1000-2000 r-xp 00001000 fd:01 77 /bin/a\n"
				  "2000-3000 r-xp 00000000 00:00 0 \n"
				  "3000-4000 r--p 00003000 fd:01 77 /bin/a\n"
				  "4000-5000 rw-p 00004000 fd:01 77 /bin/a\n"), 3);
	CHECK_INT(nr_maps_written("1000-2000 r--p 00000000 fd:01 77 /bin/a\n"
				  "2000-3000 r-xs 00000000 00:01 5 /memfd:text (deleted)\n"
				  "3000-4000 r-xp 00000000 00:00 0 \n"
				  "4000-5000 r--p 00003000 fd:01 77 /bin/a\n"), 4);
	/* a gap, another offset, another file, memory that is not executable */
	CHECK_INT(nr_maps_written("1000-2000 r-xp 00001000 fd:01 77 /bin/a\n"
				  "2000-2800 r-xp 00000000 00:00 0 \n"
				  "3000-4000 r--p 00003000 fd:01 77 /bin/a\n"), 2);
	CHECK_INT(nr_maps_written("1000-2000 r-xp 00001000 fd:01 77 /bin/a\n"
				  "2000-3000 r-xp 00000000 00:00 0 \n"
				  "3000-4000 r--p 00002000 fd:01 77 /bin/a\n"), 2);
	CHECK_INT(nr_maps_written("1000-2000 r--p 00001000 fd:01 78 /bin/b\n"
				  "2000-3000 r-xp 00000000 00:00 0 \n"
				  "3000-4000 r--p 00003000 fd:01 77 /bin/a\n"), 1);
	CHECK_INT(nr_maps_written("1000-2000 r-xp 00001000 fd:01 77 /bin/a\n"
				  "2000-3000 rw-p 00000000 00:00 0 \n"
				  "3000-4000 r--p 00003000 fd:01 77 /bin/a\n"), 1);
}

static void put_process(s32 pid, s32 ppid, const char *comm)
{
	char path[64], text[128];

	snprintf(path, sizeof(path), "proc/%d", pid);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "proc/%d/stat", pid);
	snprintf(text, sizeof(text), "%d (%s) S %d 7\n", pid, comm, ppid);
	put_file(path, text);
	snprintf(path, sizeof(path), "proc/%d/task", pid);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "proc/%d/task/%d", pid, pid);
	mkdir(path, 0700);
}

TEST(descendants_of_a_fake_root)
{
	struct synth_opts o = { .trailer = 16 };
	struct synth_notes notes = { 0 };
	struct strbuf sb = STRBUF_INIT;

	REQUIRE(!mkdir("proc", 0700));
	put_process(1, 0, "init");
	put_process(20, 1, "target");
	put_process(30, 20, "child");
	put_process(25, 30, "grandchild");	/* the counters have wrapped around */
	put_process(31, 1, "stranger");
	put_process(40, 20, "also-a-target");
	fs_set_root(".");
	synth_descendants(&sb, (s32[]){ 20, 40 }, 2, &o, &notes);
	CHECK_INT(count_records(&sb, REC_COMM), 2);
	CHECK(memmem(sb.buf, sb.len, "child", 6));
	CHECK(memmem(sb.buf, sb.len, "grandchild", 10));
	CHECK(!memmem(sb.buf, sb.len, "target", 6));
	strbuf_reset(&sb);
	synth_descendants(&sb, (s32[]){ 31 }, 1, &o, &notes);
	CHECK_INT(sb.len, 0);
	/* where the kernel tells of children, others are only looked for if there are some */
	put_file("proc/20/task/20/children", "");
	synth_descendants(&sb, (s32[]){ 20 }, 1, &o, &notes);
	CHECK_INT(sb.len, 0);
	put_file("proc/20/task/20/children", "30 40 ");
	synth_descendants(&sb, (s32[]){ 20 }, 1, &o, &notes);
	CHECK_INT(count_records(&sb, REC_COMM), 3);
}

TEST(kernel_of_a_fake_root)
{
	struct synth_opts o = { .trailer = 0, .build_ids = true };
	struct synth_notes notes = { 0 };
	struct strbuf sb = STRBUF_INIT;
	static const struct { u32 head[3]; char name[4]; u8 desc[4]; } note = {
		{ 4, 2, 3 }, "GNU", { 0x12, 0x34 }
	};

	REQUIRE(!mkdir("proc", 0700) && !mkdir("sys", 0700) && !mkdir("sys/kernel", 0700));
	put_file("proc/kallsyms", "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
				  "ffffffff81000100 t foo_text\n"
				  "ffffffff82000000 T _etext\n");
	put_file("proc/modules",
		 "ext4 4096 1 - Live 0xffffffffc0000000\nhidden 10 0 - Live 0x0000000000000000\n");
	int fd = open("sys/kernel/notes", O_WRONLY | O_CREAT, 0600);
	REQUIRE(write(fd, &note, sizeof(note)) == sizeof(note));
	fs_set_root(".");
	synth_kernel(&sb, &o, &notes);
	CHECK(!notes.kernel_restricted);
	CHECK_INT(count_records(&sb, REC_MMAP2), 2);
	CHECK(memmem(sb.buf, sb.len, "[kernel.kallsyms]_text", 23));
	CHECK(memmem(sb.buf, sb.len, "[ext4]", 7));
	CHECK(memmem(sb.buf, sb.len, "\2\0\0\0\x12\x34", 6));	/* size and build-id, in any byte order */
	put_file("proc/kallsyms",
		 "0000000000000000 T _stext\n0000000000000000 T _text\n0000000000000000 T _etext\n");
	synth_kernel(&sb, &o, &notes);
	CHECK(notes.kernel_restricted);
}

TEST(kernel_is_found_once)
{
	struct synth_place place = { 0 };
	struct synth_opts o = { .kernel = &place };
	struct synth_notes notes = { 0 };
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;

	REQUIRE(!mkdir("proc", 0700));
	put_file("proc/kallsyms", "0000000000000000 T _text\n0000000000000000 T _etext\n");
	fs_set_root(".");
	/* hidden addresses are not remembered: they may be shown later */
	synth_kernel(&first, &o, &notes);
	CHECK(notes.kernel_restricted && !first.len);
	put_file("proc/kallsyms", "ffffffff81000000 T _text\nffffffff82000000 T _etext\n");
	synth_kernel(&first, &o, &notes);
	CHECK_INT(count_records(&first, REC_MMAP), 1);
	REQUIRE(!unlink("proc/kallsyms"));
	synth_kernel(&second, &o, &notes);
	REQUIRE(first.len == second.len && !memcmp(first.buf, second.buf, first.len));
	strbuf_release(&first);
	strbuf_release(&second);
}

TEST(modules_that_were_loaded_since)
{
	struct strtab known = { 0 };
	struct synth_opts o = { .modules = &known };
	struct strbuf sb = STRBUF_INIT;

	REQUIRE(!mkdir("proc", 0700));
	put_file("proc/modules", "ext4 4096 1 - Live 0xffffffffc0000000\n");
	fs_set_root(".");
	synth_new_modules(&sb, &o);
	CHECK_INT(count_records(&sb, REC_MMAP), 1);
	strbuf_reset(&sb);
	/* used by more, but the same */
	put_file("proc/modules", "ext4 4096 2 - Live 0xffffffffc0000000\n");
	synth_new_modules(&sb, &o);
	CHECK_INT(sb.len, 0);
	/* one is new, one was loaded again at another address */
	put_file("proc/modules",
		 "ext4 4096 1 - Live 0xffffffffc0800000\nloop 8192 0 - Live 0xffffffffc0400000\n");
	synth_new_modules(&sb, &o);
	CHECK_INT(count_records(&sb, REC_MMAP), 2);
	CHECK(memmem(sb.buf, sb.len, "[loop]", 7));
	strtab_release(&known);
	strbuf_release(&sb);
}

TEST(delays)
{
	static const char *const bad[] = { "", "x", "5-", "5-5", "9-3", "1-2,", "1-2,2-3", "5,6", "1-2x",
					   "-2", "1-2,-1" };
	struct record_opts c = { 0 };
	struct err err = ERR_INIT;

	CHECK_INT(record_parse_delay(&c, "500", &err), 0);
	CHECK_INT(c.observe.delay.nr, 1);
	CHECK_U64(c.observe.delay.v[0].on_ns, 500000000);
	CHECK(observe_delayed(&c.observe));
	CHECK_INT(record_parse_delay(&c, "10-20,30-40,50", &err), 0);
	CHECK_INT(c.observe.delay.nr, 3);
	CHECK_U64(c.observe.delay.v[1].off_ns, 40000000);
	CHECK_U64(c.observe.delay.v[2].off_ns, 0);
	CHECK_INT(record_parse_delay(&c, "0", &err), 0);
	CHECK(!observe_delayed(&c.observe));
	CHECK_INT(record_parse_delay(&c, "-1", &err), 0);
	CHECK(c.observe.start_disabled);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_INT(record_parse_delay(&c, bad[i], &err), -EINVAL);
}

TEST(switch_output_and_synth)
{
	struct record_opts c = { 0 };
	struct err err = ERR_INIT;

	CHECK_INT(record_parse_switch_output(&c, "100M", &err), 0);
	CHECK_INT(c.switch_mode, SWITCH_SIZE);
	CHECK_U64(c.switch_value, 100 << 20);
	CHECK_INT(record_parse_switch_output(&c, "2m", &err), 0);
	CHECK_INT(c.switch_mode, SWITCH_TIME);
	CHECK_U64(c.switch_value, 120000000000);
	CHECK_INT(record_parse_switch_output(&c, "signal", &err), 0);
	CHECK_INT(c.switch_mode, SWITCH_SIGNAL);
	CHECK_INT(record_parse_switch_output(&c, "", &err), -EINVAL);
	CHECK_INT(record_parse_switch_output(&c, "0s", &err), -EINVAL);
	CHECK_INT(record_parse_switch_output(&c, "10", &err), -EINVAL);
	CHECK_INT(record_parse_synth(&c, "task,cgroup", &err), 0);
	CHECK(!c.no_task_synth && c.no_map_synth && c.cgroup_synth);
	CHECK_INT(record_parse_synth(&c, "no", &err), 0);
	CHECK(c.no_task_synth && !c.cgroup_synth);
	CHECK_INT(record_parse_synth(&c, "task,what", &err), -EINVAL);
}

TEST(ring_pages)
{
	bool rounded;
	u64 pages;

	CHECK_INT(rings_parse_pages("128", &pages, &rounded), 0);
	CHECK_U64(pages, 128);
	CHECK(!rounded);
	CHECK_INT(rings_parse_pages("100", &pages, &rounded), 0);
	CHECK_U64(pages, 128);
	CHECK(rounded);
	CHECK_INT(rings_parse_pages("4M", &pages, &rounded), 0);
	CHECK_U64(pages, (4 << 20) / page_size());
	/* thousands of rings do not ask for gigabytes */
	if (!geteuid())
		CHECK(rings_default_pages(10000) * page_size() * 10000 <= 1u << 30);
	CHECK(rings_default_pages(10000) <= rings_default_pages(1));
	CHECK_INT(rings_parse_pages("0", &pages, &rounded), -EINVAL);
	CHECK_INT(rings_parse_pages("", &pages, &rounded), -EINVAL);
	CHECK_INT(rings_parse_pages("99999999999999", &pages, &rounded), -EINVAL);
	CHECK_INT(rings_parse_pages("4X", &pages, &rounded), -EINVAL);
}
