/* The unit tests: unit-tests [-v] [-t SECONDS] [PATTERN...], with a limit for each test. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, const char **argv)
{
	struct unit_opts o = { 0 };

	/* libpfm4 would know events of the CPU on which the tests run, and tests compare lists and errors */
	setenv("LIBPFM_FORCE_PMU", "perf_raw", 1);
	if (argc > 1 && !strcmp(argv[1], "-v")) {
		o.verbose = true;
		argc--;
		argv++;
	}
	if (argc > 2 && !strcmp(argv[1], "-t")) {
		o.timeout_s = atoi(argv[2]);
		argc -= 2;
		argv += 2;
	}
	o.nr_patterns = argc - 1;
	o.patterns = argv + 1;
	return unit_run_all(&o, stdout);
}
