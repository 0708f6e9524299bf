/* Counting: events of the kernel's own, of the CPU, tracepoints, of a program and of whole CPUs. */
#include "machine.h"

TEST(a_program)
{
	const char *csv;

	need("events");
	csv = perf("stat -x, -o /dev/stdout -e task-clock:u,page-faults:u @ test -w noploop 0.05");
	CHECK(count_of(csv, "task-clock") > 1);
	CHECK(count_of(csv, "page-faults") > 1);
}

TEST(hardware_counters)
{
	const char *csv;

	need("hardware-events");
	csv = perf("stat -x, -o /dev/stdout -e cycles:u,instructions:u @ test -w noploop 0.05");
	CHECK(count_of(csv, "cycles") > 1000);
	CHECK(count_of(csv, "instructions") > 1000);
}

TEST(whole_cpus)
{
	need("events");
	need("rights");
	CHECK(count_of(perf("stat -x, -o /dev/stdout -a -e cpu-clock @ test -w noploop 0.05"),
		       "cpu-clock") > 1);
}

TEST(tracepoints)
{
	need("rights");
	need("tracepoints");
	CHECK(count_of(perf("stat -x, -o /dev/stdout -e raw_syscalls:sys_enter @ test -w noploop 0.02"),
		       "raw_syscalls:sys_enter") > 1);
}
