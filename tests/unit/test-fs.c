/* Unit tests of fs, with a made-up root. */
#include "test.h"
#include "fake-root.h"
#include "../../util/base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

TEST(root_prefixes_paths)
{
	struct strbuf sb = STRBUF_INIT;

	fs_set_root("/some/where///");
	CHECK_STR(fs_root(), "/some/where");
	CHECK_STR(fs_path(&sb, "/proc/%d/maps", 12), "/some/where/proc/12/maps");
	fs_set_root(NULL);
	CHECK_STR(fs_path(&sb, "/proc"), "/proc");
	CHECK_STR(fs_path(&sb, "%s", "/sys"), "/sys");
	strbuf_release(&sb);
}

TEST(reads_files_of_a_fake_root)
{
	struct strbuf sb = STRBUF_INIT;
	u64 u;
	s64 s;

	fake_file("/proc/one", "first line\nsecond\n");
	fake_file("/sys/hex", "0x1f\n");
	fake_file("/sys/neg", "-3\n");
	fake_file("/sys/word", "abc\n");
	fake_file("/sys/empty", "");
	CHECK_INT(fs_read("/proc/one", &sb), 0);
	CHECK_STR(strbuf_str(&sb), "first line\nsecond\n");
	CHECK_INT(fs_read_line("/proc/one", &sb), 0);
	CHECK_STR(strbuf_str(&sb), "first line");
	CHECK_INT(fs_read_line("/sys/empty", &sb), 0);
	CHECK_STR(strbuf_str(&sb), "");
	CHECK_INT(fs_read_u64("/sys/hex", &u), 0);
	CHECK_U64(u, 31);
	CHECK_INT(fs_read_s64("/sys/neg", &s), 0);
	CHECK_INT(s, -3);
	CHECK_INT(fs_read_u64("/sys/word", &u), -EINVAL);
	CHECK_INT(fs_read_u64("/sys/empty", &u), -EINVAL);
	CHECK_INT(fs_read_u64("/sys/none", &u), -ENOENT);
	CHECK(fs_exists("/sys/hex") && !fs_exists("/sys/none"));
	CHECK(!fs_fopen("/sys/none"));
	strbuf_release(&sb);
}

TEST(reads_files_without_size)
{
	struct strbuf sb = STRBUF_INIT;

	fs_set_root(NULL);
	CHECK_INT(fs_read("/proc/self/maps", &sb), 0);
	CHECK(sb.len > 100 && strstr(strbuf_str(&sb), "[stack]"));
	strbuf_release(&sb);
}

TEST(programs_are_found_as_execvp_does)
{
	struct strbuf sb = STRBUF_INIT;

	close(open("own-program", O_WRONLY | O_CREAT, 0700));
	setenv("PATH", "/nowhere:/bin", 1);
	CHECK(program_find("sh", &sb));
	CHECK_STR(strbuf_str(&sb), "/bin/sh");
	CHECK(!program_find("own-program", &sb));
	/* an empty directory is the current one, at the end, too */
	setenv("PATH", "/nowhere:", 1);
	CHECK(program_find("own-program", &sb));
	CHECK_STR(strbuf_str(&sb), "own-program");
	unsetenv("PATH");
	CHECK(program_find("sh", &sb));
	strbuf_release(&sb);
}

TEST(write_all_reports_errors)
{
	int fd = open("x", O_RDWR | O_CREAT, 0600);
	static const char big[100000];
	struct strbuf sb = STRBUF_INIT;

	REQUIRE(fd >= 0);
	CHECK_INT(fd_write_all(fd, big, sizeof(big)), 0);
	lseek(fd, 0, SEEK_SET);
	CHECK_INT(fd_read_all(fd, &sb), 0);
	CHECK_INT(sb.len, sizeof(big));
	close(fd);
	CHECK_INT(fd_write_all(fd, big, 1), -EBADF);
	CHECK_INT(fd_read_all(fd, &sb), -EBADF);
	CHECK(page_size() >= 4096);
	strbuf_release(&sb);
}
