// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * storm: what makes side-band records, at a steady rate, until it is ended.
 *
 *	storm RATE
 *
 * RATE times a second, by turns: a process that executes true, one that only ends, a thread with a name of
 * its own, and a mapping of a program that is removed again.
 */
#include "../../../util/base/alloc.h"
#include "../../../util/base/types.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char program[] = "/bin/true";

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void one_process(bool executes)
{
	pid_t pid = fork();

	if (pid < 0)
		die("storm: fork");
	if (!pid) {
		if (executes)
			execl(program, program, NULL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void *named(void *number)
{
	char name[16];

	snprintf(name, sizeof(name), "storm-%lu", (unsigned long)number);
	prctl(PR_SET_NAME, name);
	return NULL;
}

static void one_thread(unsigned long number)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, named, (void *)number))
		die("storm: pthread_create");
	pthread_join(thread, NULL);
}

static void one_mapping(void)
{
	int fd = open(program, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *at;

	if (fd < 0 || fstat(fd, &st))
		die(program);
	at = mmap(NULL, st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		die("storm: mmap");
	munmap(at, st.st_size);
	close(fd);
}

int main(int argc, char **argv)
{
	unsigned long rate = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	struct timespec pause;

	if (!rate || rate > 1000000) {
		fprintf(stderr, "usage: storm RATE\n");
		return 2;
	}
	pause.tv_sec = rate == 1;
	pause.tv_nsec = rate == 1 ? 0 : 1000000000 / rate;
	for (unsigned long i = 0;; i++) {
		switch (i % 4) {
		case 0:
		case 1:
			one_process(i % 4);
			break;
		case 2:
			one_thread(i);
			break;
		default:
			one_mapping();
		}
		nanosleep(&pause, NULL);
	}
}
