/* Config: perfconfig files, read and changed. */
#include "test.h"
#include "../../util/base/fs.h"
#include "../../util/base/strbuf.h"
#include "../../util/cli/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *path, const char *text)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	REQUIRE(fd >= 0 && !fd_write_all(fd, text, strlen(text)));
	close(fd);
}

static void check_text(const char *path, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	CHECK_INT(fs_read(path, &sb), 0);
	CHECK_STR(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

TEST(reads_sections_and_values)
{
	struct config c = { 0 };

	put("c", "# comment\n[Report]\n\tChildren = false ; why\n  sort_order=comm,dso\nflag\n"
	    "[alias \"My Sub\"]\nx = \"a # b \" \\\"q\\\" \n[call-graph]\n\trecord-mode = dwarf,4096   \n"
	    "[report]\nchildren = true");
	CHECK_INT(config_read(&c, "c", NULL), 0);
	CHECK_STR(config_find(&c, "report.children"), "true");
	CHECK_STR(config_find(&c, "report.sort_order"), "comm,dso");
	CHECK_STR(config_find(&c, "report.flag"), "true");
	CHECK_STR(config_find(&c, "alias.My Sub.x"), "a # b  \"q\"");
	CHECK_STR(config_find(&c, "call-graph.record-mode"), "dwarf,4096");
	CHECK(!config_find(&c, "report.nothing"));
	CHECK_INT(c.nr, 6);
	config_release(&c);
}

TEST(bad_lines_are_passed_over)
{
	struct config c = { 0 };

	put("c", "outside = 1\n[open\n[]\n[s]\n= 3\nkey value\na = \"open\nb = 2\n[s \"x]\n");
	CHECK_INT(config_read(&c, "c", NULL), 0);
	CHECK_INT(c.nr, 1);
	CHECK_STR(config_find(&c, "s.b"), "2");
	CHECK_INT(config_read(&c, "missing", NULL), -ENOENT);
	CHECK_INT(config_read(&c, ".", NULL), -EINVAL);
	CHECK_INT(config_read(&c, "/dev/zero", NULL), 0);
	CHECK_INT(c.nr, 1);
	config_release(&c);
}

TEST(writes_keep_the_rest)
{
	struct err err = ERR_INIT;

	CHECK_INT(config_write("w", "report.children", "false", &err), 0);
	check_text("w", "[report]\n\tchildren = false\n");
	CHECK_INT(config_write("w", "alias.a b.x", " # ", &err), 0);
	CHECK_INT(config_write("w", "report.children", "true", &err), 0);
	CHECK_INT(config_write("w", "report.group", "a\\\"b", &err), 0);
	check_text("w",
		   "[report]\n\tchildren = true\n\tgroup = \"a\\\\\\\"b\"\n[alias \"a b\"]\n\tx = \" # \"\n");
	put("v", "; top\n[a]\nx=1 # one\n\n[b]\n y = 2");
	CHECK_INT(config_write("v", "a.z", "3", &err), 0);
	CHECK_INT(config_write("v", "b.w", "4", &err), 0);
	CHECK_INT(config_write("v", "a.x", "5", &err), 0);
	check_text("v", "; top\n[a]\n\tx = 5\n\tz = 3\n\n[b]\n y = 2\n\tw = 4\n");
}

TEST(writes_what_it_reads)
{
	static const char *const values[] = { "", " ", "a", "\"", "\\", "a;b", "tab\there", "line\nbreak",
					      "  x  ", "=[]" };
	struct err err = ERR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct config c = { 0 };

		CHECK_INT(config_write("r", "some.key", values[i], &err), 0);
		CHECK_INT(config_read(&c, "r", &err), 0);
		CHECK_STR(config_find(&c, "some.key"), values[i]);
		CHECK_INT(c.nr, 1);
		config_release(&c);
	}
}

TEST(refuses_what_is_no_key)
{
	static const char *const keys[] = { "", "x", ".x", "x.", "a b.c", "a.b c", "a.b\nc.d", "s.k=v" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		CHECK_INT(config_write("k", keys[i], "1", NULL), -EINVAL);
	CHECK(access("k", F_OK));
}

TEST(follows_links_and_keeps_modes)
{
	struct stat st;

	put("real", "[a]\n");
	REQUIRE(!chmod("real", 0640) && !symlink("real", "link"));
	CHECK_INT(config_write("link", "a.b", "1", NULL), 0);
	CHECK(!lstat("link", &st) && S_ISLNK(st.st_mode));
	CHECK(!stat("real", &st));
	CHECK_INT(st.st_mode & 0777, 0640);
	check_text("real", "[a]\n\tb = 1\n");
}
