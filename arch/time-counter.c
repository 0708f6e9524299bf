/* The time stamp counter of x86; other machines have none here. */
#include "time-counter.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

u64 arch_time_counter(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

void arch_crystal_ratio(u32 *num, u32 *den)
{
	*num = *den = 0;
#if defined(__x86_64__) || defined(__i386__)
	u32 c, d;

	if (!__get_cpuid(0x15, den, num, &c, &d) || !*num || !*den)
		*num = *den = 0;
#endif
}
