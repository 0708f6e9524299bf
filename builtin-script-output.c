/* perf script: where its lines go, standard output or a file per event. */
#include "builtin-script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "util/base/fs.h"
#include "util/script/script.h"

/* file: the first event whose file has this name */
struct script_out_event {
	int fd;
	u32 file;
	u64 bytes, samples;
	char *name;
};

int script_out_write(void *ctx, u32 event, const char *text, size_t len)
{
	struct script_out *o = ctx;

	if (o->per_event && event != ID_NONE) {
		u32 file = o->ev[event].file;

		o->ev[file].bytes += len;
		return fd_write_all(o->ev[file].fd, text, len);
	}
	return fd_write_all(STDOUT_FILENO, text, len);
}

int script_out_open(struct script_out *o, struct err *err)
{
	o->ev = xcalloc(o->set->ev.nr + 1, sizeof(*o->ev));
	for (size_t i = 0; i < o->set->ev.nr; i++) {
		o->ev[i].name = xasprintf("%s.%s.dump", o->path, o->set->ev.v[i]->name);
		for (char *p = o->ev[i].name + strlen(o->path); *p; p++)
			if (*p == '/')
				/*
				 * event names may contain any character: they must not lead to
				 * another directory
				 */
				*p = '_';
		while (strcmp(o->ev[o->ev[i].file].name, o->ev[i].name))
			o->ev[i].file++;
		if (o->ev[i].file < i)
			continue;
		o->ev[i].fd = open(o->ev[i].name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (o->ev[i].fd < 0)
			return err_sys(err, errno, "cannot write %s", o->ev[i].name);
	}
	return 0;
}

void script_out_close(struct script_out *o, const struct script_opts *opts)
{
	for (size_t i = 0; o->ev && opts->nr_lines && i < o->set->ev.nr; i++)
		o->ev[o->ev[i].file].samples += opts->nr_lines[i];
	for (size_t i = 0; o->ev && i < o->set->ev.nr; i++) {
		if (o->ev[i].fd > 0) {
			close(o->ev[i].fd);
			fprintf(stdout, "[ perf script: Wrote %.3f MB %s (%llu samples) ]\n",
				o->ev[i].bytes / 1024.0 / 1024.0, o->ev[i].name,
				(unsigned long long)o->ev[i].samples);
		}
		free(o->ev[i].name);
	}
	free(o->ev);
}
