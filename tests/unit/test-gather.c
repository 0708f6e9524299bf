/* Tests of gather: the same bytes in the same order, with few writes. */
#include "test.h"
#include "../../util/data/writer.h"
#include "../../util/event/record-type.h"
#include "../../util/inject/gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR 20000u

struct small {
	struct rec_header h;
	u64 nr;
};

/* which records are spans: none, all, or some, with gaps between them */
static bool is_span(u32 mix, u32 i)
{
	return mix == 1 || (mix == 2 && i % 5000 > 20 && i % 7000 != 3000);
}

static u32 write_all(struct gather *g, struct writer *w, struct small *all, u32 mix)
{
	u32 writes = 0;

	for (u32 i = 0; i < NR; i++) {
		u64 before = w->size;
		struct small made = all[i];

		if (is_span(mix, i))
			CHECK(!gather_span(g, w, &all[i], sizeof(*all)));
		else
			CHECK(!gather_copy(g, w, &made, sizeof(made)));
		writes += w->size > before;
	}
	CHECK(!gather_flush(g, w));
	return writes + 1;
}

static void check_file(const char *path, const struct small *all)
{
	struct small *got = calloc(NR, sizeof(*got));
	FILE *f = fopen(path, "r");

	REQUIRE(f);
	CHECK_INT(fread(got, sizeof(*got), NR, f), NR);
	CHECK_MEM(got, all, NR * sizeof(*all));
	CHECK_INT(fgetc(f), EOF);
	fclose(f);
	free(got);
}

TEST(order_and_writes)
{
	struct small *all = calloc(NR, sizeof(*all));

	for (u32 i = 0; i < NR; i++)
		all[i] = (struct small){ { REC_SAMPLE, 0, sizeof(*all) }, i };
	for (u32 mix = 0; mix < 3; mix++) {
		struct err err = ERR_INIT;
		struct gather g = { 0 };
		struct writer w;

		REQUIRE(!writer_open_plain(&w, "x", &err));
		CHECK(write_all(&g, &w, all, mix) < 12);
		CHECK_INT(w.size, NR * sizeof(*all));
		writer_close(&w);
		gather_release(&g);
		check_file("x", all);
	}
	free(all);
}

TEST(failed_write)
{
	struct small rec = { { REC_SAMPLE, 0, sizeof(rec) }, 1 };
	struct gather g = { 0 };
	struct writer w = { .fd = -1 };
	int ret = 0;

	for (u32 i = 0; i < NR * 2 && !ret; i++)
		ret = gather_copy(&g, &w, &rec, sizeof(rec));
	CHECK(ret < 0);
	CHECK_INT(gather_copy(&g, &w, &rec, sizeof(rec)), 0);
	CHECK_INT(gather_flush(&g, &w), ret);	/* a writer that failed writes no more */
	gather_release(&g);
}
