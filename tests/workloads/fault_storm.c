/* fault_storm: touches the pages of a mapped file that is not in memory, so each one waits for the disk. */
#include "workload.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

int fault_storm(int argc, const char **argv)
{
	u64 nr = 2000, page = getpagesize();
	struct workload_times begin;
	volatile const char *map;
	int fd;

	if (!workload_number(argc, argv, 0, &nr))
		return 1;
	fd = workload_cold_file(nr * page, 0);
	if (fd < 0)
		return 1;
	map = mmap(NULL, nr * page, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED || madvise((void *)map, nr * page, MADV_RANDOM)) {
		fprintf(stderr, "Error: cannot map the file\n");
		return 1;
	}
	prctl(PR_SET_NAME, "faults");
	workload_times_begin(&begin);
	for (u64 i = 0; i < nr; i++)
		map[i * page];
	workload_times_print(&begin, "faults");
	prctl(PR_SET_NAME, "end");
	close(fd);
	return 0;
}
