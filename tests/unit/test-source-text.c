/* Unit tests of the texts of source files. */
#include "test.h"
#include "../../util/resolve/source-text.h"

#include <errno.h>
#include <sys/stat.h>

static void write_bytes(const char *path, const char *bytes, size_t len)
{
	FILE *f = fopen(path, "w");

	REQUIRE(f && fwrite(bytes, 1, len, f) == len && !fclose(f));
}

TEST(lines_end_where_the_file_ends)
{
	struct sources s = { 0 };
	static const char bytes[] = "one\n\nzero\0hidden\nlast";

	write_bytes("a.c", bytes, sizeof(bytes) - 1);
	CHECK_STR(source_line(&s, "a.c", 1), "one");
	CHECK_STR(source_line(&s, "a.c", 2), "");
	CHECK_STR(source_line(&s, "a.c", 3), "zero");
	CHECK_STR(source_line(&s, "a.c", 4), "last");
	CHECK(!source_line(&s, "a.c", 5));
	CHECK(!source_line(&s, "a.c", 0));
	CHECK(!source_line(&s, "b.c", 1));
	sources_release(&s);
}

TEST(directories_are_replaced)
{
	struct sources s = { .prefix = "src", .prefix_strip = 2 };

	REQUIRE(!mkdir("src", 0755));
	write_bytes("src/a.c", "here\n", 5);
	CHECK_STR(source_line(&s, "/build/app/a.c", 1), "here");
	sources_release(&s);
}

TEST(only_regular_files_are_read)
{
	struct source_text t;
	struct err err = { 0 };

	REQUIRE(!mkfifo("fifo", 0600));
	CHECK(source_text_read(&t, "fifo", &err) < 0);
	CHECK(err.msg[0]);
	source_text_release(&t);
	CHECK_INT(source_text_read(&t, "missing", NULL), -ENOENT);
}

TEST(source_cannot_drive_a_terminal)
{
	struct strbuf out = STRBUF_INIT;

	source_line_add(&out, "\ta\x1b[2J\tb\r");
	CHECK_STR(strbuf_str(&out), "\ta\\x1b[2J\tb");
	strbuf_release(&out);
}
