/* Lines of /proc/PID/maps, /proc/kallsyms and /proc/modules: good, broken and hostile ones. */
#include "test.h"
#include "fake-root.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include "../../util/base/fs.h"
#include "../../util/base/kallsyms-lines.h"
#include "../../util/base/map-lines.h"
#include "../../util/base/module-lines.h"

static bool describe(void *ctx, const struct proc_map *m)
{
	struct strbuf *out = ctx;

	strbuf_addf(out, "%llx-%llx %d%s %llx %x:%x %llu '%s'\n", (unsigned long long)m->start,
		    (unsigned long long)m->end, m->prot, m->is_shared ? "s" : "p",
		    (unsigned long long)m->off, m->maj, m->min, (unsigned long long)m->ino, m->path);
	return m->ino != 99;
}

static void check_maps(const char *text, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	fake_file("/proc/12/maps", text);
	CHECK_INT(map_lines_each(12, describe, &out), 0);
	CHECK_STR(strbuf_str(&out), want);
	strbuf_release(&out);
}

TEST(map_lines)
{
	check_maps("00400000-00401000 r-xp 00001000 fd:01 5    /bin/a b (deleted)\n"
		   "7ffd0000-7ffe0000 rw-s 00000000 00:00 0                [stack]\n"
		   "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0\n",
		   "400000-401000 5p 1000 fd:1 5 '/bin/a b (deleted)'\n"
		   "7ffd0000-7ffe0000 3s 0 0:0 0 '[stack]'\n"
		   "ffffffffff600000-ffffffffff601000 4p 0 0:0 0 ''\n");
	/* the callback stops at inode 99 */
	check_maps("1000-2000 r--p 0 0:0 99 /x\n3000-4000 r--p 0 0:0 1 /y\n", "1000-2000 1p 0 0:0 99 '/x'\n");
}

TEST(map_lines_hostile)
{
	check_maps("", "");
	check_maps("rubbish\n\n-\n1000-\n1000-2000\n1000-2000 r\n1000-2000 r-xp\n", "");
	/* not ascending, and without the colon of the device */
	check_maps("2000-1000 r-xp 0 0:0 1 /a\n1000-1000 r-xp 0 0:0 1 /a\n1000-2000 r-xp 0 00 1 /a\n", "");
	/* numbers that are too large, and a last line without its end */
	check_maps("1-fffffffffffffffffff r-xp fffffffffffffffffff 0:0 1 /a",
		   "1-ffffffffffffffff 5p ffffffffffffffff 0:0 1 '/a'\n");
	CHECK_INT(map_lines_each(13, describe, NULL), -ENOENT);
}

struct own {
	u64 addr;
	int prot;
};

static bool find_own(void *ctx, const struct proc_map *m)
{
	struct own *o = ctx;

	if (o->addr >= m->start && o->addr < m->end)
		o->prot = m->prot;
	return !o->prot;
}

TEST(map_lines_of_this_process)
{
	struct own o = { .addr = (uintptr_t)check_maps };

	fake_file("/proc/self/maps", "rubbish\n");	/* not below the fs root */
	CHECK_INT(map_lines_each(0, find_own, &o), 0);
	CHECK(o.prot & PROT_EXEC);
}

TEST(map_line_links)
{
	const struct proc_map m = { .start = 0x400000, .end = 0x401000 };
	struct strbuf out = STRBUF_INIT;

	fs_set_root("");
	/* the kernel's names have no leading zeros, as lines have */
	CHECK_STR(proc_map_link(12, &m, &out), "/proc/12/map_files/400000-401000");
	strbuf_release(&out);
}

/* up to a symbol "last" */
static bool describe_symbol(void *ctx, const struct kallsyms_entry *e)
{
	struct strbuf *out = ctx;

	strbuf_addf(out, "%llx%c", (unsigned long long)e->addr, e->type);
	strbuf_addf(out, "%s:%u [%.*s]\n", e->name, e->name_len, (int)e->module_len, e->module);
	return strcmp(e->name, "last") != 0;
}

TEST(kallsyms_lines)
{
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;

	fake_file("/proc/version", "");
	CHECK_INT(kallsyms_lines_each(describe_symbol, &out), -ENOENT);
	strbuf_addstr(&text, "ffffffff81000000 T _text\nrubbish\n\n12345678123456789 T digits\n"
		      "10 t\n10 t \n10 t a\t[m_x]\n20 D b\t[\n");
	fake_file("/proc/kallsyms", strbuf_str(&text));
	CHECK_INT(kallsyms_lines_each(describe_symbol, &out), 0);
	CHECK_STR(strbuf_str(&out), "ffffffff81000000T_text:5 []\n10ta:1 [m_x]\n20Db:1 []\n");

	/* lines that two reads share, one that is too long, and one after the last that is wanted */
	strbuf_reset(&text);
	strbuf_reset(&out);
	for (u32 i = 0; i < 10000; i++)
		strbuf_addf(&text, "%x t filler\n", i);
	strbuf_addstr(&text, "1 t ");
	strbuf_pad(&text, 'x', 200000);
	strbuf_addstr(&text, "\n2 t last\n3 t after");
	fake_file("/proc/kallsyms", strbuf_str(&text));
	CHECK_INT(kallsyms_lines_each(describe_symbol, &out), 0);
	for (u32 i = 0, off = 0; i < 10000; i++) {
		char want[64];
		int len = snprintf(want, sizeof(want), "%xtfiller:6 []\n", i);

		CHECK_MEM(out.buf + off, want, len);
		off += len;
	}
	CHECK_STR(out.buf + out.len - strlen("2tlast:4 []\n"), "2tlast:4 []\n");

	/* no newline at the end */
	strbuf_reset(&out);
	fake_file("/proc/kallsyms", "1 t only");
	CHECK_INT(kallsyms_lines_each(describe_symbol, &out), 0);
	CHECK_STR(strbuf_str(&out), "1tonly:4 []\n");
	strbuf_release(&text);
	strbuf_release(&out);
}

static void describe_module(void *out, const struct loaded_module *m)
{
	strbuf_addf(out, "%s %llu %llx\n", m->name, (unsigned long long)m->size, (unsigned long long)m->addr);
}

TEST(module_lines)
{
	struct strbuf out = STRBUF_INIT;

	fake_file("/proc/version", "");
	CHECK_INT(module_lines_each(describe_module, &out), -ENOENT);
	fake_file("/proc/modules", "");
	CHECK_INT(module_lines_each(describe_module, &out), 0);
	fake_file("/proc/modules", "loop 40960 0 - Live 0xffffffffc0800000\n\nrubbish\nx y 0 - Live 0x10\n"
		  "short 1 0 - Live\nodd 1 0 - Live 0x1z\nout 7 2 loop,ext4, Loading 0x0 (OE)");
	CHECK_INT(module_lines_each(describe_module, &out), 0);
	CHECK_STR(strbuf_str(&out), "loop 40960 ffffffffc0800000\nout 7 0\n");
	strbuf_release(&out);
}
