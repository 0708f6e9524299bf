/* Converted files of a recorder: which are removed, and that memory does not grow with their number. */
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../util/record/kept-outputs.h"

#define NR 1000u	/* files, one after another */

static void add(struct kept_outputs *k, u32 i, const char *suffix, const char *text)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "dir/out.%016u%s", 20261128 + i, suffix);
	f = fopen(path, "w");
	REQUIRE(f && fputs(text, f) >= 0 && !fclose(f));
	kept_outputs_add(k, path);
}

static u32 files_in(const char *path)
{
	DIR *d = opendir(path);
	u32 nr = 0;

	REQUIRE(d);
	while (readdir(d))
		nr++;
	closedir(d);
	return nr - 2;
}

TEST(few_converted_files_are_remembered_however_many_there_were)
{
	const struct kept_limits all = { 0 }, two = { .files = 2 }, bytes = { .bytes = 100 };
	struct kept_outputs k;
	size_t most = 0;

	mkdir("dir", 0700);
	kept_outputs_init(&k, &two, "dir/out", ".pb.gz");
	for (u32 i = 0; i < NR; i++) {
		add(&k, i, ".pb.gz", "1234567890");
		most = most > k.out.nr ? most : k.out.nr;
	}
	CHECK_U64(files_in("dir"), 2);
	CHECK(!access("dir/out.0000000020262127.pb.gz", F_OK));
	CHECK(most <= 8);
	vec_release(&k.out);
	/* another recorder: the two that are there count, and other names do not */
	kept_outputs_init(&k, &all, "dir/out", ".pb.gz");
	add(&k, 1, ".pack", "1234567890");
	add(&k, 2, ".pb.gz.tmp", "1234567890");
	kept_outputs_init(&k, &bytes, "dir/out", ".pb.gz");
	CHECK_U64(k.bytes, 20);
	for (u32 i = NR; i < 2 * NR; i++)
		add(&k, i, ".pb.gz", "1234567890");
	CHECK_U64(files_in("dir"), 12);
	CHECK_U64(k.bytes, 100);
	CHECK(k.out.nr <= 24);
	vec_release(&k.out);
	kept_outputs_init(&k, &all, "dir/out", ".pb.gz");
	for (u32 i = 2 * NR; i < 2 * NR + 5; i++)
		add(&k, i, ".pb.gz", "");
	CHECK_U64(files_in("dir"), 17);
	CHECK_U64(k.out.nr, 0);
}
