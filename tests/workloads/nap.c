/* nap: one sleep, of five seconds unless the argument says otherwise. */
#include "workload.h"

#include <sys/prctl.h>
#include <time.h>

int nap(int argc, const char **argv)
{
	struct workload_times begin;
	double seconds = 5;
	struct timespec t;

	if (!workload_seconds(argc, argv, 0, &seconds))
		return 1;
	prctl(PR_SET_NAME, "nap");
	workload_times_begin(&begin);
	t = (struct timespec){ seconds, (seconds - (u64)seconds) * 1e9 };
	nanosleep(&t, NULL);
	workload_times_print(&begin, "nap");
	return 0;
}
