/* direct_reader: reads a file past the page cache (O_DIRECT), so each read waits for the disk. */
#include "workload.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#define FILE_BYTES (16u << 20)
#define READ_BYTES (256u << 10)
#define NR_PLACES (FILE_BYTES / READ_BYTES)

int direct_reader(int argc, const char **argv)
{
	struct workload_times begin;
	u64 nr = 500;
	void *buf;
	int fd;

	if (!workload_number(argc, argv, 0, &nr))
		return 1;
	if (posix_memalign(&buf, 4096, READ_BYTES))
		return 1;
	fd = workload_cold_file(FILE_BYTES, O_DIRECT);
	if (fd < 0)
		return 1;
	prctl(PR_SET_NAME, "reader");
	workload_times_begin(&begin);
	for (u64 i = 0; i < nr; i++)
		/* a place far from the last one, so that nothing is read in advance */
		if (pread(fd, buf, READ_BYTES, i * 37 % NR_PLACES * READ_BYTES) != READ_BYTES) {
			fprintf(stderr, "Error: cannot read\n");
			return 1;
		}
	workload_times_print(&begin, "reader");
	prctl(PR_SET_NAME, "end");
	close(fd);
	free(buf);
	return 0;
}
