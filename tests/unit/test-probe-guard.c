/* Unit tests of the warning about probes that occur too often. */
#include "test.h"
#include "../../util/probe/cost.h"
#include "../../util/probe/guard.h"

static u64 cost_us(u32 kinds, bool is_kernel UNUSED)
{
	return kinds == PROBE_COST_ENTRY ? 1000 : 2000;
}

TEST(guard_warns_once)
{
	struct probe_planned probes[] = {
		{ .group = "probe_a", .event = "f", .is_user = true,
		  .definition = "p:probe_a/f /bin/a:0x10" },
		{ .group = "probe", .event = "g", .definition = "p:probe/g g+0" },
	};
	struct probe_plan plan = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct probe_guard g = { .plan = &plan, .cost = cost_us };

	vec_push(&plan, probes[0]);
	vec_push(&plan, probes[1]);
	CHECK(!probe_guard_check(&g, "  /bin/a f   1000\n", "  g  5  0\n", 1000000000, &out));
	/* 4,000 a second cost nothing worth a word; other files and other events are not meant */
	CHECK(!probe_guard_check(&g, "  /bin/b f 900000\n  /bin/a f 5000\n  /bin/a ff 90000000\n", "",
				 2000000000, &out));
	CHECK(!probe_guard_check(&g, "  /bin/a f  95000\n", "", 3000000000, &out));
	/* 200,000 a second at 1 us */
	CHECK(probe_guard_check(&g, "  /bin/a f  295000\n", "", 4000000000, &out));
	CHECK_STR(strbuf_str(&out), "probe_a:f occurs 200000 times a second: the probes take about 20 % of a "
		  "CPU's time");
	CHECK(!probe_guard_check(&g, "  /bin/a f  99295000\n", "", 5000000000, &out));
	strbuf_release(&out);
	probe_guard_release(&g);
	vec_release(&plan);
}
