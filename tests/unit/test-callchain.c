/* The walk over a recorded call chain: sides, garbage, limits, what was recorded later. */
#include "test.h"
#include "../../util/base/strbuf.h"
#include "../../util/event/callchain.h"

#include <stdio.h>

#define K 0xffffffff81000000ull
#define U 0x401000ull
#define VSYSCALL 0xffffffffff600000ull

/* "k2 u1" for two kernel addresses and one of user space; "!" for damage, "=N" for a cookie */
static const char *walk(const u64 *chain, u64 nr, u64 max)
{
	static const char side[] = "?kuh";
	static char text[128];
	struct sample s = { .callchain = chain, .nr_callchain = nr };
	struct chain_walk w = chain_walk_of(&s, max);
	struct strbuf sb = STRBUF_INIT;
	struct chain_run run;

	while (chain_next_run(&w, &run)) {
		REQUIRE(run.ip >= chain && run.ip + run.nr <= chain + nr && run.cpumode < sizeof(side) - 1);
		strbuf_addf(&sb, "%s%c%lu", sb.len ? " " : "", side[run.cpumode], run.nr);
	}
	if (w.damaged)
		strbuf_addstr(&sb, "!");
	if (w.cookie)
		strbuf_addf(&sb, "=%lu", *w.cookie);
	snprintf(text, sizeof(text), "%s", strbuf_str(&sb));
	strbuf_release(&sb);
	return text;
}
#define WALK(max, ...) \
	walk((const u64[]){ __VA_ARGS__ }, sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64), max)

TEST(callchain_runs_are_of_one_side)
{
	CHECK_STR(WALK(99, CHAIN_KERNEL, K, K + 1, CHAIN_USER, U), "k2 u1");
	CHECK_STR(WALK(99, CHAIN_HV, 7, CHAIN_KERNEL, CHAIN_USER, U, U), "h1 u2");
	CHECK_STR(WALK(99, 1, K, CHAIN_USER, U), "?2 u1");
	CHECK_STR(WALK(99, CHAIN_USER), "");
	CHECK_STR(walk(NULL, 0, 99), "");
}

TEST(callchain_addresses_after_the_first_of_a_side_are_return_addresses)
{
	static const u64 chain[] = { CHAIN_KERNEL, K, K + 1, K + 2, CHAIN_USER, U, U + 1 };
	struct sample s = { .callchain = chain, .nr_callchain = sizeof(chain) / sizeof(*chain) };
	struct chain_walk w = chain_walk_of(&s, 99);
	struct chain_run run;

	w.has_calls = true;	/* of user space only */
	REQUIRE(chain_next_run(&w, &run));
	CHECK_INT(run.nr_exact, 1);
	CHECK(!chain_run_is_caller(&run, 0));
	CHECK(chain_run_is_caller(&run, 1));
	REQUIRE(chain_next_run(&w, &run));
	CHECK_INT(run.nr_exact, 2);
	w = chain_walk_of(&s, 99);
	REQUIRE(chain_next_run(&w, &run) && chain_next_run(&w, &run));
	CHECK_INT(run.nr_exact, 1);
}

TEST(callchain_in_user_space_ends_at_the_first_value_that_is_no_address)
{
	CHECK_STR(WALK(99, CHAIN_KERNEL, K, CHAIN_USER, U, U, (u64)-1, U), "k1 u2");
	CHECK_STR(WALK(99, CHAIN_USER, U, 0xb7ace770fe30acff, U), "u1");
	CHECK_STR(WALK(99, CHAIN_USER, 0xffffffffffffff, VSYSCALL + 0x400, VSYSCALL + 0x1000), "u2");
	CHECK_STR(WALK(99, CHAIN_USER, (u64)-1), "");
	CHECK_STR(WALK(99, CHAIN_USER, U, 4096, 4095, U), "u2");
	CHECK_STR(WALK(99, CHAIN_USER, U, 0), "u1");
}

TEST(callchain_elsewhere_is_damaged_then)
{
	CHECK_STR(WALK(99, CHAIN_KERNEL, K, (u64)-1, CHAIN_USER, U), "k1!");
	CHECK_STR(WALK(99, 1, (u64)-16, 2), "?1!");
	CHECK_STR(WALK(99, CHAIN_KERNEL, K, CHAIN_GUEST, 1), "k1!");
}

TEST(callchain_limit_counts_frames)
{
	CHECK_STR(WALK(3, CHAIN_KERNEL, K, K, CHAIN_USER, U, U), "k2 u1");
	CHECK_STR(WALK(2, CHAIN_KERNEL, K, K, CHAIN_USER, U, U), "k2");
	CHECK_STR(WALK(0, CHAIN_KERNEL, K), "");
	CHECK_STR(WALK(1, CHAIN_KERNEL, K, (u64)-1), "k1");
}

TEST(callchain_with_a_cookie_is_joined)
{
	const u64 chain[] = { CHAIN_KERNEL, K, CHAIN_USER_DEFERRED, 77 }, user[] = { CHAIN_USER, U, U };
	struct sample s = { .callchain = chain, .nr_callchain = ARRAY_SIZE(chain) };
	struct arena scratch = { 0 };

	CHECK_STR(walk(chain, ARRAY_SIZE(chain), 99), "k1=77");
	CHECK_STR(walk(chain, ARRAY_SIZE(chain) - 1, 99), "k1");
	CHECK_STR(walk(chain, ARRAY_SIZE(chain), 1), "k1");
	REQUIRE(callchain_is_deferred(&s));
	callchain_join(&s, user, ARRAY_SIZE(user), &scratch);
	CHECK(!callchain_is_deferred(&s));
	CHECK_U64(callchain_user_marker(&s), 2);
	CHECK_STR(walk(s.callchain, s.nr_callchain, 99), "k1 u2");
	arena_release(&scratch);
}

TEST(callchain_markers_have_names)
{
	CHECK_STR(chain_marker_name(CHAIN_USER), "PERF_CONTEXT_USER");
	CHECK(!chain_marker_name((u64)-1));
}
