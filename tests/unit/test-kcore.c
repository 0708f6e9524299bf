/* Copies of the kernel's code, from a fake /proc. */
#include "fake-root.h"
#include "test.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../../util/base/alloc.h"
#include "../../util/base/fs.h"
#include "../../util/base/units.h"
#include "../../util/record/kcore.h"

static const char kallsyms[] =
	"0000000000001000 A percpu_thing\nffffffff81000000 T _text\nffffffff81000000 T _stext\n"
	"ffffffff81001000 t foo\n"
	"ffffffff81001234 T _etext\nffffffff82000000 D data\nffffffffc0200010 t first\t[ext4]\n"
	"ffffffffc0200100 t last\t[ext4]\n"
	"ffffffffc0fff000 t bpf_prog_1234\t[bpf]\n";

/* two pages of the kernel, full of 0x11 and 0x22, and the modules' one, of 0x33; a note before them */
static void fake_core(bool with_modules)
{
	u64 page = page_size();
	Elf64_Ehdr head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64 }, .e_type = ET_CORE,
			    .e_machine = EM_X86_64, .e_phoff = sizeof(head),
			    .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3 };
	Elf64_Phdr ph[3] = { { .p_type = PT_NOTE }, { .p_type = PT_LOAD, .p_vaddr = 0xffffffff81000000,
			       .p_offset = 2 * page, .p_filesz = 2 * page },
			     { .p_type = PT_LOAD, .p_vaddr = with_modules ? 0xffffffffc0000000 : 16,
			       .p_offset = 4 * page - 0x200000, .p_filesz = 0x200000 + page } };
	char *bytes = xcalloc(5, page);
	int fd;

	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), ph, sizeof(ph));
	memset(bytes + 2 * page, 0x11, page);
	memset(bytes + 3 * page, 0x22, page);
	memset(bytes + 4 * page, 0x33, page);
	fake_file("/proc/kcore", "");
	fd = open("root/proc/kcore", O_WRONLY);
	REQUIRE(write(fd, bytes, 5 * page) == (ssize_t)(5 * page));
	close(fd);
	free(bytes);
}

static size_t read_copy(const char *name, char *buf, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "out/kcore_dir/%s", name);
	fd = open(path, O_RDONLY);
	REQUIRE(fd >= 0);
	n = read(fd, buf, size);
	close(fd);
	return n;
}

TEST(copies_text_and_lists)
{
	struct err err = ERR_INIT;
	u64 page = page_size();
	char *buf = xcalloc(8, page);
	Elf64_Ehdr *head = (void *)buf;
	Elf64_Phdr *ph = (void *)(buf + sizeof(*head));
	struct stat st;

	fake_core(true);
	fake_file("/proc/kallsyms", kallsyms);
	fake_file("/proc/modules", "ext4 4096 1 - Live 0xffffffffc0200000\n");
	fs_set_root("root");
	CHECK_INT(kcore_check(&err), 0);
	REQUIRE(!mkdir("out", 0700));
	CHECK_INT(kcore_copy("out", &err), 0);
	CHECK_STR(err.msg, "");
	CHECK_U64(read_copy("kcore", buf, 8 * page), page * 4 + page);
	CHECK_INT(head->e_type, ET_CORE);
	CHECK_INT(head->e_machine, EM_X86_64);
	CHECK_INT(head->e_phnum, 2);
	CHECK_U64(ph[0].p_vaddr, 0xffffffff81000000);
	CHECK_U64(ph[0].p_filesz, 2 * page);
	CHECK_U64(ph[0].p_offset, page);
	CHECK_U64(ph[1].p_vaddr, 0xffffffffc0200000);
	CHECK_U64(ph[1].p_filesz, 2 * page);
	CHECK_U64(ph[1].p_offset, 3 * page);
	CHECK_INT(buf[page], 0x11);
	CHECK_INT(buf[2 * page], 0x22);
	CHECK_INT(buf[3 * page], 0x33);
	CHECK_INT(buf[4 * page], 0);	/* the file ends there */
	CHECK_U64(read_copy("kallsyms", buf, 8 * page), sizeof(kallsyms) - 1);
	CHECK_MEM(buf, kallsyms, sizeof(kallsyms) - 1);
	CHECK_INT(read_copy("modules", buf, 8 * page), 38);
	CHECK(!stat("out/kcore_dir/kcore", &st) && (st.st_mode & 0777) == 0400);
}

TEST(reasons_why_not)
{
	struct err err = ERR_INIT;

	fake_file("/proc/modules", "");
	fs_set_root("root");
	CHECK_INT(kcore_check(&err), -EOPNOTSUPP);
	CHECK(strstr(err.msg, "no root/proc/kcore"));
	err_clear(&err);
	fake_file("/proc/kcore", "not ELF");
	fs_set_root("root");
	CHECK_INT(kcore_check(&err), -ENOEXEC);
	err_clear(&err);
	fake_core(false);
	fake_file("/proc/kallsyms", "0000000000000000 T _stext\n0000000000000000 T _etext\n");
	fs_set_root("root");
	REQUIRE(!mkdir("out", 0700));
	CHECK_INT(kcore_copy("out", &err), -EPERM);
	CHECK(strstr(err.msg, "kptr_restrict"));
}
