/*
 * landlock: system calls that take structures, for commands that print arguments. The ruleset descriptor is
 * bad on purpose: nothing is restricted. Layouts: Documentation/userspace-api/landlock.rst of the kernel; own
 * copies, as headers may be older.
 */
#include "workload.h"

#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __NR_landlock_add_rule
#define __NR_landlock_add_rule 445
#endif

struct path_beneath {
	u64 allowed_access;
	s32 parent_fd;
} __attribute__((packed));

struct net_port {
	u64 allowed_access, port;
};

int landlock(int argc, const char **argv)
{
	struct path_beneath path = { .allowed_access = 1 << 2 /* read a file */, .parent_fd = 14 };
	struct net_port port = { .allowed_access = 1 << 1 /* connect */, .port = 19 };

	for (int type = 1; type <= 2; type++) {
		const void *rule = type == 1 ? (void *)&path : (void *)&port;

		if (!syscall(__NR_landlock_add_rule, -1, type, rule, 0)) {
			fprintf(stderr, "Error: landlock took a rule for no ruleset\n");
			return 1;
		}
	}
	return 0;
}
