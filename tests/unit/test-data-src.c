/* Data sources: the parts into which accesses are divided. */
#include "test.h"

#include "../../util/event/data-src.h"

/* from mem_op, mem_lvl, mem_snoop, mem_dtlb and mem_lvl_num */
static const char *parts(u64 op, u64 lvl, u64 snoop, u64 tlb, u64 num)
{
	static const char *const name[] = {
#define DATA_SRC_PART(group, part, title, text) text,
#include "../../util/event/data-src-parts.def"
#undef DATA_SRC_PART
	};
	static char text[64];
	u8 part[DATA_SRC_NR_GROUPS];

	data_src_parts(op | lvl << 5 | snoop << 19 | tlb << 26 | num << 33, part);
	snprintf(text, sizeof(text), "%s %s %s %s %s", name[part[0]], name[part[1]], name[part[2]],
		 name[part[3]], name[part[4]]);
	return text;
}

TEST(each_access_is_in_one_part_of_each_group)
{
	CHECK_STR(parts(2, 0xa, 4, 0xa, 1), "Load L1 Other Hit L1-Hit");
	CHECK_STR(parts(4, 2, 8, 0x12, 13), "Store Other RAM Miss L2-Hit");
	CHECK_STR(parts(6, 2, 16, 0x1a, 5), "Ld+St L2-buf Other HitM L?-Hit");
	CHECK_STR(parts(10, 2, 2, 0xc, 8), "Pfetch Other Uncach Other Miss");
	CHECK_STR(parts(16, 2, 0, 0, 14), "Exec Other PMEM Other Other");
	/* more than one answer is none */
	CHECK_STR(parts(3, 2, 24, 0x2a, 15), "Other Other Other Other Other");
}

TEST(levels_of_older_kernels_count)
{
	CHECK_STR(parts(2, 0xa, 0, 0, 0), "Load L1 Other Other Other");
	CHECK_STR(parts(2, 0x12, 0, 0, 0), "Load L1-buf Other Other Other");
	CHECK_STR(parts(2, 0x42, 0, 0, 0), "Load L3 Other Other Other");
	CHECK_STR(parts(2, 0x102, 0, 0, 0), "Load Other RAM Other Other");
	CHECK_STR(parts(2, 0x802, 0, 0, 0), "Load Other Other Other Other");
	CHECK_STR(parts(2, 0x2002, 0, 0, 0), "Load Other Uncach Other Other");
	CHECK_STR(parts(2, 2, 0, 0, 0), "Load Other Other Other Other");
}
