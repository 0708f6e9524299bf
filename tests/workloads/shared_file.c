/*
 * shared_file: two threads, "first" and "second", read the same open file again and again. The kernel lets
 * one of them at a time move the file's position, by a mutex, so each waits for the other. The file is large
 * and has no blocks, so that a read takes a while.
 */
#include "workload.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#define FILE_BYTES (16l << 20)

struct file_reader {
	const char *name;
	int fd;
	u32 nr;
};

static void *shared_file_read(void *arg)
{
	const struct file_reader *r = arg;
	char *buf = malloc(FILE_BYTES);

	prctl(PR_SET_NAME, r->name);
	for (u32 i = 0; buf && i < r->nr; i++)
		if (lseek(r->fd, 0, SEEK_SET) < 0 || read(r->fd, buf, FILE_BYTES) < 0)
			break;
	free(buf);
	return NULL;
}

int shared_file(int argc, const char **argv)
{
	char path[] = "/tmp/perf-shared-file-XXXXXX";
	int fd = mkstemp(path);
	struct file_reader reader[2] = { { "first", fd, 20 }, { "second", fd, 20 } };
	pthread_t thread[2];

	if (argc > 0)
		reader[0].nr = reader[1].nr = MAX(atoi(argv[0]), 1);
	if (fd < 0 || unlink(path) || ftruncate(fd, FILE_BYTES)) {
		fprintf(stderr, "Error: cannot write a file in /tmp\n");
		return 1;
	}
	for (u32 i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, shared_file_read, &reader[i])) {
			fprintf(stderr, "Error: cannot start a thread\n");
			return 1;
		}
	for (u32 i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	close(fd);
	return 0;
}
