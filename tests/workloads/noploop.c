/* noploop: an empty loop. */
#include "workload.h"

#include <sys/prctl.h>

int noploop(int argc, const char **argv)
{
	double seconds = 1;

	if (!workload_seconds(argc, argv, 0, &seconds))
		return 1;
	prctl(PR_SET_NAME, "perf-noploop");
	workload_timer(seconds);
	while (!workload_done)
		;
	return 0;
}
