/* Unit tests of what perf probe --latency computes. */
#include "test.h"
#include "../../util/probe/call-times.h"

static struct call_times times_of(u32 nr_functions)
{
	static const char *const names[] = { "g:a", "g:b" };
	struct call_times t;

	call_times_init(&t, &(struct call_times_opts){ .pop = 8 });
	for (u32 i = 0; i < nr_functions; i++)
		call_times_add_function(&t, names[i]);
	return t;
}

TEST(nested_calls_are_paired_by_depth)
{
	struct call_times t = times_of(1);

	call_times_enter(&t, 0, 7, 100, 1000, 0);
	call_times_enter(&t, 0, 7, 110, 900, 0);
	call_times_enter(&t, 0, 8, 111, 900, 0);
	CHECK_U64(call_times_return(&t, 0, 7, 130, 908), 20);
	CHECK_U64(call_times_return(&t, 0, 7, 150, 1008), 50);
	CHECK_U64(call_times_return(&t, 0, 8, 151, 908), 40);
	CHECK_U64(t.function.v[0].sum.nr, 3);
	CHECK_U64(t.function.v[0].sum.total, 110);
	CHECK_U64(t.function.v[0].sum.min, 20);
	CHECK_U64(t.function.v[0].sum.max, 50);
	CHECK_U64(t.function.v[0].max_depth, 2);
	CHECK_U64(t.function.v[0].nr_left, 0);
	CHECK_U64(call_times_open_calls(&t, 0), 0);
	call_times_release(&t);
}

TEST(calls_that_do_not_return_are_told)
{
	struct call_times t = times_of(1);

	/* left by longjmp, called again from the same place */
	call_times_enter(&t, 0, 7, 100, 1000, 0);
	call_times_enter(&t, 0, 7, 200, 1000, 0);
	CHECK_U64(call_times_return(&t, 0, 7, 230, 1008), 30);
	CHECK_U64(t.function.v[0].nr_left, 1);
	/* left from deeper; the outer call returns */
	call_times_enter(&t, 0, 7, 300, 1000, 0);
	call_times_enter(&t, 0, 7, 310, 900, 0);
	CHECK_U64(call_times_return(&t, 0, 7, 340, 1008), 40);
	CHECK_U64(t.function.v[0].nr_left, 2);
	/* its entry was lost */
	CHECK_U64(call_times_return(&t, 0, 7, 350, 2008), UINT64_MAX);
	CHECK_U64(t.function.v[0].nr_no_entry, 1);
	/* its time is before that of the only call */
	call_times_enter(&t, 0, 7, 380, 1000, 0);
	CHECK_U64(call_times_return(&t, 0, 7, 370, 1008), UINT64_MAX);
	CHECK_U64(t.function.v[0].nr_no_entry, 2);
	CHECK_U64(call_times_return(&t, 0, 7, 390, 1008), 10);
	/* still running */
	call_times_enter(&t, 0, 9, 400, 1000, 0);
	CHECK_U64(call_times_open_calls(&t, 0), 1);
	CHECK_U64(t.function.v[0].nr_entries, 6);
	call_times_release(&t);
}

TEST(tail_calls_return_at_the_same_place)
{
	struct call_times t = times_of(2);

	call_times_enter(&t, 0, 7, 100, 1000, 0);
	call_times_enter(&t, 1, 7, 110, 1000, 0);
	CHECK_U64(call_times_return(&t, 1, 7, 150, 1008), 40);
	CHECK_U64(call_times_return(&t, 0, 7, 151, 1008), 51);
	CHECK_U64(t.function.v[0].nr_left + t.function.v[1].nr_left, 0);
	call_times_release(&t);
}

/* the return address of a function that was jumped to is the kernel's page, which takes returns */
TEST(tail_calls_lead_back)
{
	struct call_times t = times_of(1);

	call_times_enter(&t, 0, 7, 100, 1000, 0x401234);
	call_times_enter(&t, 0, 7, 110, 1000, 0x7fffffffe000);
	call_times_enter(&t, 0, 7, 120, 1000, 0x7fffffffe000);
	CHECK_U64(call_times_return(&t, 0, 7, 150, 1008), 30);
	CHECK_U64(call_times_return(&t, 0, 7, 151, 1008), 41);
	CHECK_U64(call_times_return(&t, 0, 7, 152, 1008), 52);
	CHECK_U64(t.function.v[0].nr_left + t.function.v[0].nr_no_entry, 0);
	/* both were left by longjmp */
	call_times_enter(&t, 0, 7, 200, 1000, 0x401234);
	call_times_enter(&t, 0, 7, 210, 1000, 0x7fffffffe000);
	call_times_enter(&t, 0, 7, 220, 1000, 0x401234);
	CHECK_U64(t.function.v[0].nr_left, 2);
	CHECK_U64(call_times_return(&t, 0, 7, 230, 1008), 10);
	CHECK_U64(call_times_open_calls(&t, 0), 0);
	call_times_release(&t);
}

TEST(open_calls_are_bounded)
{
	struct call_times t = times_of(1);

	for (u64 i = 0; i < 10000; i++)
		call_times_enter(&t, 0, 7, i, 1000000 - i * 16, 0);
	CHECK_U64(call_times_open_calls(&t, 0), 4096);
	CHECK_U64(t.function.v[0].nr_left, 10000 - 4096);
	call_times_release(&t);
}

TEST(callers_add_up)
{
	struct call_times t = times_of(1);

	call_times_add_caller(&t, 0, 3, 0x100, 10);
	call_times_add_caller(&t, 0, 3, 0x100, 30);
	call_times_add_caller(&t, 0, 4, 0x100, 5);
	CHECK_U64(t.site.nr, 2);
	CHECK_U64(t.site.v[0].sum.total, 40);
	CHECK_U64(t.site.v[0].sum.min, 10);
	call_times_release(&t);
}
