/* Unit tests of fs, with a made-up root. */
#include "test.h"
#include "fake-root.h"
#include "../../util/base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
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

static FILE *begin(const char *path, const char *text)
{
	FILE *f = file_create(path, true);

	if (f)
		fputs(text, f);
	return f;
}

TEST(a_file_is_replaced_when_the_new_one_is_whole)
{
	struct strbuf sb = STRBUF_INIT;
	struct stat st;
	FILE *f;

	REQUIRE((f = begin("new", "first")));
	CHECK_INT(file_finish(f, "new", 0), 0);
	REQUIRE(!chmod("new", 0640) && !symlink("new", "link"));
	REQUIRE((f = begin("link", "half")));
	CHECK(!fs_read("new", &sb));
	CHECK_STR(sb.buf, "first");
	CHECK_INT(file_finish(f, "link", -ENOSPC), -ENOSPC);
	strbuf_reset(&sb);
	CHECK(!fs_read("new", &sb));
	CHECK_STR(sb.buf, "first");
	REQUIRE((f = begin("link", "second")));
	CHECK_INT(file_finish(f, "link", 0), 0);
	strbuf_reset(&sb);
	CHECK(!fs_read("new", &sb));
	CHECK_STR(sb.buf, "second");
	CHECK(!stat("new", &st) && (st.st_mode & 07777) == 0640);
	CHECK(!lstat("link", &st) && S_ISLNK(st.st_mode));
	REQUIRE((f = begin("fresh", "half")));
	CHECK_INT(file_finish(f, "fresh", -EIO), -EIO);
	CHECK(access("fresh", F_OK));
	CHECK(!file_create("new", false) && errno == EEXIST);
	strbuf_release(&sb);
}

TEST(a_file_of_several_names_stays_one)
{
	struct strbuf sb = STRBUF_INIT;
	FILE *f;

	REQUIRE((f = begin("one", "first")));
	CHECK_INT(file_finish(f, "one", 0), 0);
	REQUIRE(!link("one", "two"));
	REQUIRE((f = begin("one", "second")));
	CHECK_INT(file_finish(f, "one", 0), 0);
	CHECK(!fs_read("two", &sb));
	CHECK_STR(sb.buf, "second");
	strbuf_release(&sb);
}
