/* Symbol sources of kernels, modules and the vdso. */
#include "bytes.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include "../../util/base/fs.h"
#include "../../util/obj/kallsyms.h"
#include "../../util/sym/sym.h"
#include "fake-root.h"
#include "mini-elf.h"
#include "one-dso.h"

TEST(vdso_of_another_kernel)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x1000, .buildid = id_a, .sym = full };
	struct machine_of_one w;

	if (!getauxval(AT_SYSINFO_EHDR))
		SKIP("this kernel gives no vdso");
	init(&w, DSO_VDSO, "[vdso]", id_a);
	w.opts.is_local = true;
	CHECK_STR(look_up(&w, 0x1018), "-");
	CHECK(strstr(symbols_reason(w.s, 0), "this process's [vdso] is another build"));
	mini_elf_write("cache/.build-id/aa/bbcc0100000000000000000000000000000000/vdso", &e);
	again(&w);
	CHECK_STR(look_up(&w, 0x1018), "hidden_one");
	again(&w);
	memcpy(w.dso.buildid, id_b, 20);
	CHECK_STR(look_up(&w, 0x1018), "-");
}

TEST(module_by_modules_dep)
{
	static const struct mini_sym syms[] = { { "probe", 0x10, 0x20, STB_LOCAL, STT_FUNC }, { NULL } };
	struct mini_elf e = { .type = ET_REL, .text_off = 0x1000, .sym = syms, .buildid = id_a };
	struct machine_of_one w;

	mini_elf_write("mods/kernel/snd-foo.ko", &e);
	fake_file("/../mods/modules.dep", "kernel/foo.ko: kernel/bar.ko\nkernel/snd-foo.ko: kernel/foo.ko\n");
	init(&w, DSO_MODULE, "[snd_foo]", id_a);
	w.dso.text_start = 0xffffffffc0100000;
	w.dso.text_end = 0xffffffffc0102000;
	w.opts.modules_path = "mods";
	CHECK_STR(look_up(&w, 0xffffffffc0100015), "probe");
	again(&w);
	memcpy(w.dso.buildid, id_b, 20);
	CHECK_STR(look_up(&w, 0xffffffffc0100015), "-");
}

TEST(bpf_program_is_one_symbol)
{
	struct machine_of_one w;

	init(&w, DSO_BPF, "bpf_prog_6deef7357e7b4530_sd_fw", NULL);
	w.dso.text_start = 0xffffffffc0001000;
	w.dso.text_end = 0xffffffffc0001100;
	CHECK_STR(look_up(&w, 0xffffffffc0001010), "bpf_prog_6deef7357e7b4530_sd_fw");
	CHECK_STR(look_up(&w, 0xffffffffc0001100), "-");
}

static void kernel_notes(const u8 *id)
{
	struct { u32 head[3]; char name[4]; u8 id[20]; } note = { { 4, 20, 3 }, "GNU" };
	FILE *f;

	fake_file("/sys/kernel/notes", "");
	memcpy(note.id, id, 20);
	f = fopen("root/sys/kernel/notes", "w");
	REQUIRE(f && fwrite(&note, sizeof(note), 1, f) == 1);
	fclose(f);
	fs_set_root("root");
}

static const char kallsyms[] = "ffffffff81000000 T _text\nffffffff81000100 t do_one\n"
			       "ffffffffc0100000 t ext4_open\t[ext4]\n";

TEST(kernel_of_this_boot)
{
	struct machine_of_one w;

	init(&w, DSO_KERNEL, "[kernel.kallsyms]", id_a);
	fake_file("/proc/kallsyms", kallsyms);
	kernel_notes(id_a);
	w.dso.ref_reloc_sym = "_text";
	w.dso.ref_reloc_addr = 0xffffffff81000000;
	CHECK_STR(look_up(&w, 0xffffffff81000104), "do_one");
	CHECK_STR(symbols_table(w.s, 0)->file, "/proc/kallsyms");
	/* the same kernel after a reboot, elsewhere */
	again(&w);
	w.dso.ref_reloc_addr = 0xffffffff9a000000;
	CHECK_STR(look_up(&w, 0xffffffff9a000104), "do_one");
}

static struct kallsyms *take_list(void *text)
{
	struct strbuf copy = STRBUF_INIT;

	if (!text)
		return NULL;
	strbuf_addstr(&copy, text);
	return kallsyms_parse(&copy);
}

/* with a list in hand from the start, or NULL: it could not be read */
static const char *look_up_given(struct machine_of_one *w, const char *list, u64 addr)
{
	w->s = symbols_new(&w->dsos, &w->opts);
	symbols_expect_kallsyms(w->s, take_list, (void *)list);
	load(w);
	return look_up(w, addr);
}

TEST(a_list_that_was_read_before)
{
	struct machine_of_one w;

	init(&w, DSO_KERNEL, "[kernel.kallsyms]", id_a);
	fake_file("/proc/kallsyms", "ffffffff81000000 T _text\nffffffff81000100 t read_again\n");
	kernel_notes(id_a);
	CHECK_STR(look_up_given(&w, kallsyms, 0xffffffff81000104), "do_one");
	again(&w);
	CHECK_STR(look_up_given(&w, NULL, 0xffffffff81000104), "read_again");
	/* it is treated as the file would be: that of another kernel is not used */
	again(&w);
	kernel_notes(id_b);
	CHECK_STR(look_up_given(&w, kallsyms, 0xffffffff81000104), "-");
}

TEST(kernel_of_another_build)
{
	struct machine_of_one w;

	init(&w, DSO_KERNEL, "[kernel.kallsyms]", id_a);
	fake_file("/proc/kallsyms", kallsyms);
	kernel_notes(id_b);
	w.opts.is_local = true;
	CHECK_STR(look_up(&w, 0xffffffff81000104), "-");
	CHECK(strstr(symbols_reason(w.s, 0), "/proc/kallsyms is of another kernel"));
	/* unless the user says which */
	again(&w);
	w.opts.kallsyms = "root/proc/kallsyms";
	CHECK_STR(look_up(&w, 0xffffffff81000104), "do_one");
	/* or the cache has its list */
	again(&w);
	w.opts.kallsyms = NULL;
	fake_file("/../cache/.build-id/aa/bbcc0100000000000000000000000000000000/kallsyms", kallsyms);
	fs_set_root("root");
	CHECK_STR(look_up(&w, 0xffffffff81000104), "do_one");
}

TEST(vmlinux_is_relocated)
{
	static const struct mini_sym syms[] = {
		{ "_text", 0xffffffff81000000, 0, STB_GLOBAL, STT_NOTYPE },
		{ "do_two", 0xffffffff81000100, 0x40, STB_GLOBAL, STT_FUNC },
		{ NULL },
	};
	struct mini_elf e = { .type = ET_EXEC, .text_svma = 0xffffffff81000000, .text_off = 0x200000,
			      .buildid = id_a, .sym = syms };
	struct machine_of_one w;

	mini_elf_write("kernel", &e);
	init(&w, DSO_KERNEL, "[kernel.kallsyms]", id_a);
	w.opts.vmlinux = "kernel";
	w.dso.ref_reloc_sym = "_text";
	w.dso.ref_reloc_addr = 0xffffffff9a000000;
	CHECK_STR(look_up(&w, 0xffffffff9a000110), "do_two");
	again(&w);
	memcpy(w.dso.buildid, id_b, 20);
	CHECK_STR(look_up(&w, 0xffffffff9a000110), "-");
	again(&w);
	w.opts.ignore_vmlinux_buildid = true;
	CHECK_STR(look_up(&w, 0xffffffff9a000110), "do_two");
}

#define CACHED "cache/.build-id/aa/bbcc0100000000000000000000000000000000"

/*
 * an image of the kernel, under each name that caches have it by, where it was, and in the current directory
 */
TEST(kernel_image_of_the_recorded_build)
{
	static const struct mini_sym syms[] = {
		{ "_text", 0xffffffff81000000, 0, STB_GLOBAL, STT_NOTYPE },
		{ "do_three", 0xffffffff81000100, 0x40, STB_GLOBAL, STT_FUNC },
		{ NULL },
	};
	static const char *const where[] = { CACHED "/elf", CACHED "/vmlinux", CACHED "/debug",
					     "boot/vmlinux-5.5", "vmlinux" };
	struct mini_elf e = { .type = ET_EXEC, .text_svma = 0xffffffff81000000, .text_off = 0x200000,
			      .buildid = id_a, .sym = syms };
	struct machine_of_one w;

	init(&w, DSO_KERNEL, "[kernel.kallsyms]", id_a);
	w.dso.listed = "boot/vmlinux-5.5";
	w.dso.ref_reloc_sym = "_text";
	w.dso.ref_reloc_addr = 0xffffffff9a000000;
	CHECK_STR(look_up(&w, 0xffffffff9a000110), "-");
	for (size_t i = 0; i < ARRAY_SIZE(where); i++) {
		mini_elf_write(where[i], &e);
		again(&w);
		CHECK_STR(look_up(&w, 0xffffffff9a000110), "do_three");
		CHECK_STR(symbols_table(w.s, 0)->file, where[i]);
		/* of another build */
		e.buildid = id_b;
		mini_elf_write(where[i], &e);
		again(&w);
		CHECK_STR(look_up(&w, 0xffffffff9a000110), "-");
		e.buildid = id_a;
		unlink(where[i]);
	}
	/* caches of old perf versions: the file itself, which may be a list */
	rmdir(CACHED);
	mini_elf_write(CACHED, &e);
	again(&w);
	CHECK_STR(look_up(&w, 0xffffffff9a000110), "do_three");
	unlink(CACHED);
	fake_file("/../" CACHED, kallsyms);
	fs_set_root("root");
	again(&w);
	CHECK_STR(look_up(&w, 0xffffffff9a000110), "do_one");
}

TEST(module_of_the_recorded_build)
{
	static const struct mini_sym syms[] = { { "probe", 0x10, 0x20, STB_LOCAL, STT_FUNC }, { NULL } };
	struct mini_elf e = { .type = ET_REL, .text_off = 0x1000, .sym = syms, .buildid = id_a };
	struct machine_of_one w;

	init(&w, DSO_MODULE, "[snd_foo]", id_a);
	w.dso.text_start = 0xffffffffc0100000;
	w.dso.text_end = 0xffffffffc0102000;
	w.dso.listed = "/mods/snd-foo.ko";
	w.opts.symfs = "elsewhere";
	CHECK_STR(look_up(&w, 0xffffffffc0100015), "-");
	mini_elf_write("elsewhere/mods/snd-foo.ko", &e);
	again(&w);
	CHECK_STR(look_up(&w, 0xffffffffc0100015), "probe");
	mini_elf_write(CACHED "/elf", &e);
	again(&w);
	CHECK_STR(look_up(&w, 0xffffffffc0100015), "probe");
	CHECK_STR(symbols_table(w.s, 0)->file, CACHED "/elf");
}

TEST(module_from_the_kernels_list)
{
	struct machine_of_one w;

	init(&w, DSO_MODULE, "[ext4]", NULL);
	w.dso.text_start = 0xffffffffc0100000;
	w.dso.text_end = 0xffffffffc0101000;
	w.opts.is_local = true;
	fake_file("/proc/kallsyms", kallsyms);
	fs_set_root("root");
	CHECK_STR(look_up(&w, 0xffffffffc0100010), "ext4_open");
	CHECK_STR(look_up(&w, 0xffffffffc0101000), "-");
}
