/* Status: see builtin-status.h. */
#include "builtin-status.h"

#include <stdio.h>
#include <string.h>
#include "util/cli/builtin.h"

int command_status(int ret, const struct err *err, const struct workload_result *command)
{
	if (ret < 0) {
		die_err(err);
		return command->exec_failed ? 255 : 1;
	}
	if (command->status > 128)
		fprintf(stderr, "%s\n", strsignal(command->status - 128));
	return command->status;
}
