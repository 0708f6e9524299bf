/* The unit tests as a program of their own: unit-tests [-v] [PATTERN...]. "perf test" runs the same tests. */
#include "test.h"

#include <string.h>

int main(int argc, const char **argv)
{
	struct unit_opts o = { 0 };

	if (argc > 1 && !strcmp(argv[1], "-v")) {
		o.verbose = true;
		argc--;
		argv++;
	}
	o.nr_patterns = argc - 1;
	o.patterns = argv + 1;
	return unit_run_all(&o, stdout);
}
