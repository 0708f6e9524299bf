/* Raw data of samples of record --wall: how files are cut, and read. */
#include "test.h"

#include <string.h>
#include "../../util/inject/wall-raw.h"
#include "../../util/record/wall-encode.h"

/* as it is written, and read again; the file follows 4 other bytes */
static struct wall_file_raw again(const struct wall_file_raw *f, u32 want)
{
	struct wall_file_raw ret;
	const struct rec rec = { 0 };
	u32 bytes = wall_file_raw_bytes(f);
	u8 *raw = xcalloc(1, 4 + bytes);
	struct sample s = { .raw = raw, .raw_size = 4 + bytes };

	CHECK_INT(bytes, want);
	memcpy(raw + 4, f, bytes);
	CHECK(wall_raw_file(&rec, &s, 4, &ret));
	free(raw);
	return ret;
}

TEST(wall_raw_files_end_with_what_they_have)
{
	struct wall_file_raw f = { .inode = { 7, 8 }, .mode = 010600 }, got;

	got = again(&f, 24);
	CHECK(!memcmp(&got, &f, sizeof(f)));
	f.family = 10;
	f.port = 80;
	memset(f.address, 6, sizeof(f.address));
	got = again(&f, sizeof(f));
	CHECK(!memcmp(&got, &f, sizeof(f)));
	f = (struct wall_file_raw){ .inode = { 7 }, .name = "12345678" };
	got = again(&f, sizeof(f));
	CHECK(!memcmp(&got, &f, sizeof(f)));
}

TEST(wall_raw_files_that_are_damaged)
{
	const u8 raw[4 + sizeof(struct wall_file_raw)] = { 0 };
	struct sample s = { .raw = raw };
	const struct rec rec = { 0 };
	struct wall_file_raw f;

	for (s.raw_size = 0; s.raw_size < 4 + 24; s.raw_size++)
		CHECK(!wall_raw_file(&rec, &s, 4, &f));
	/* more than there can be is ignored */
	s.raw_size = sizeof(raw);
	CHECK(wall_raw_file(&rec, &s, 0, &f));
}
