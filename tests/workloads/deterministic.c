/* deterministic: three functions that take 1/6, 2/6 and 3/6 of a known number of loop rounds. */
#include "workload.h"

#define ROUNDS 1000

static void deterministic_spin(u64 nr)
{
	for (volatile u64 i = 0; i < nr; i++)
		;
}

__attribute__((noinline)) static void deterministic_one(void)
{
	deterministic_spin(ROUNDS);
}

__attribute__((noinline)) static void deterministic_two(void)
{
	deterministic_spin(2 * ROUNDS);
}

__attribute__((noinline)) static void deterministic_three(void)
{
	deterministic_spin(3 * ROUNDS);
}

int deterministic(int argc, const char **argv)
{
	u64 nr = 100;

	if (!workload_number(argc, argv, 0, &nr))
		return 1;
	for (u64 i = 0; i < nr; i++) {
		deterministic_one();
		deterministic_two();
		deterministic_three();
	}
	return 0;
}
