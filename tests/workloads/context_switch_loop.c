/* context_switch_loop: two processes, proc1 and proc2, that wake each other in turn through pipes. */
#include "workload.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* first: whether this side begins */
static bool play(int in, int out, u64 nr, bool first)
{
	char ball = 0;

	for (u64 i = 0; i < nr; i++) {
		if (first && write(out, &ball, 1) != 1)
			return false;
		if (read(in, &ball, 1) != 1)
			return false;
		if (!first && write(out, &ball, 1) != 1)
			return false;
	}
	return true;
}

int context_switch_loop(int argc, const char **argv)
{
	int there[2], back[2], status;
	u64 nr = 100;
	pid_t pid;
	bool ok;

	if (!workload_number(argc, argv, 0, &nr))
		return 1;
	if (pipe(there) || pipe(back) || (pid = fork()) < 0) {
		perror("Error: cannot start a second process");
		return 1;
	}
	if (!pid) {
		close(there[1]);
		close(back[0]);
		prctl(PR_SET_NAME, "proc1");
		_exit(!play(there[0], back[1], nr, false));
	}
	close(there[0]);
	close(back[1]);
	prctl(PR_SET_NAME, "proc2");
	ok = play(back[0], there[1], nr, true);
	close(there[1]);
	close(back[0]);
	return waitpid(pid, &status, 0) != pid || status || !ok;
}
