/* Names: functions of the kernel and of this program, its source lines and code. */
#include "machine.h"

TEST(kernel_functions)
{
	need("kernel-symbols");
	perf("kallsyms schedule");
	shows("schedule");
}

TEST(functions_of_a_file)
{
	perf_file();
	perf("probe -x @ -F noploop");
	shows("noploop");
}

TEST(code_of_a_function)
{
	need("events");
	perf("record -q -o x.data -e cpu-clock:u -F 1000 @ test -w noploop 0.3");
	perf("annotate -i x.data --stdio -s noploop");
	shows("noploop");
}
