/* Unit tests of affinity: where the thread runs, and that it comes back. */
#include "test.h"

#include <sched.h>
#include <string.h>
#include "../../util/observe/affinity.h"

static int last_allowed(cpu_set_t *ret_mask)
{
	int cpu = CPU_SETSIZE - 1;

	REQUIRE(!sched_getaffinity(0, sizeof(*ret_mask), ret_mask));
	while (cpu > 0 && !CPU_ISSET(cpu, ret_mask))
		cpu--;
	return cpu;
}

static bool runs_on(const cpu_set_t *want)
{
	cpu_set_t now;

	REQUIRE(!sched_getaffinity(0, sizeof(now), &now));
	return CPU_EQUAL(&now, want);
}

TEST(affinity_follows_and_returns)
{
	struct affinity_state a;
	cpu_set_t before, one;
	int cpu = last_allowed(&before);

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	affinity_init(&a, AFFINITY_CPU);
	affinity_follow(&a, -1);
	affinity_follow(&a, 1 << 20);	/* no machine has it */
	CHECK(runs_on(&before));
	affinity_follow(&a, cpu);
	CHECK(runs_on(&one));
	CHECK_INT(sched_getcpu(), cpu);
	affinity_return(&a);
	CHECK(runs_on(&before));
	affinity_follow(&a, cpu);
	CHECK(runs_on(&one));
	affinity_release(&a);
	CHECK(runs_on(&before));
}

TEST(affinity_none_stays)
{
	struct affinity_state a;
	cpu_set_t before;
	int cpu = last_allowed(&before);

	affinity_init(&a, AFFINITY_NONE);
	affinity_follow(&a, cpu);
	CHECK(runs_on(&before));
	affinity_release(&a);
}
