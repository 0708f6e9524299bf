/*
 * brstack: branches of every kind in a known order: conditional, direct and indirect calls, returns, a jump
 * through a table.
 */
#include "workload.h"

static volatile u64 brstack_count;

__attribute__((noinline)) static void brstack_bar(void)
{
	brstack_count++;
}

__attribute__((noinline)) static void brstack_foo(void)
{
	brstack_bar();
	brstack_bar();
}

__attribute__((noinline)) static void brstack_switch(u64 i)
{
	static void *const targets[] = { &&even, &&odd };

	goto *targets[i & 1];
even:
	brstack_count += 2;
	return;
odd:
	brstack_count += 1;
}

__attribute__((noinline)) static void brstack_bench(u64 i)
{
	void (*volatile indirect)(void) = brstack_foo;

	if (i % 3)
		indirect();
	else
		brstack_bar();
	brstack_switch(i);
}

int brstack(int argc, const char **argv)
{
	u64 nr = 999999;

	if (!workload_number(argc, argv, 0, &nr))
		return 1;
	for (u64 i = 0; i < nr; i++)
		brstack_bench(i);
	return 0;
}
