/* Program: see program.h. */
#include "program.h"
#include "../kernel/bpf-programs.h"
#include "bpf-explain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOG_BYTES (1u << 20)

/* the last line of the verifier's log that says something: before its statistics */
static const char *last_words(char *log)
{
	char *stats = strstr(log, "\nprocessed "), *line;

	if (stats)
		*stats = '\0';
	else
		log[strcspn(log, "\n")] = '\0';
	line = strrchr(log, '\n');
	return line ? line + 1 : log;
}

int bpf_prog_load(struct bpf_prog *p, enum bpf_prog_type type, const char *name, struct bpf_code *c,
		     struct err *err)
{
	union bpf_attr attr = { .prog_type = type, .license = (uintptr_t)"GPL" };
	int ret = bpf_code_finish(c, err);
	char *log;
	long fd;

	if (ret)
		return ret;
	attr.insns = (uintptr_t)c->insn.v;
	attr.insn_cnt = c->insn.nr;
	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", name);
	fd = bpf_call(BPF_PROG_LOAD, &attr);
	if (fd >= 0) {
		*p = (struct bpf_prog){ .fd = fd, .link_fd = -1 };
		return 0;
	}
	ret = bpf_explain(err, -fd, "a BPF program");
	if (fd != -EINVAL && fd != -EACCES)
		return ret;
	log = xcalloc(LOG_BYTES, 1);
	attr.log_level = 1;
	attr.log_size = LOG_BYTES;
	attr.log_buf = (uintptr_t)log;
	fd = bpf_call(BPF_PROG_LOAD, &attr);
	if (fd >= 0)
		close(fd);
	log[LOG_BYTES - 1] = '\0';
	if (*log)
		err_set(err, ret, "the kernel refuses the BPF program %s: %s", name, last_words(log));
	free(log);
	return ret;
}

int bpf_prog_attach_raw(struct bpf_prog *p, const char *tracepoint, struct err *err)
{
	union bpf_attr attr = { .raw_tracepoint = { .name = (uintptr_t)tracepoint, .prog_fd = p->fd } };
	long fd = bpf_call(BPF_RAW_TRACEPOINT_OPEN, &attr);

	if (fd < 0)
		return err_sys(err, -fd, "the BPF program cannot be attached to tracepoint %s", tracepoint);
	p->link_fd = fd;
	return 0;
}

void bpf_prog_release(struct bpf_prog *p)
{
	if (p->link_fd >= 0)
		close(p->link_fd);
	if (p->fd >= 0)
		close(p->fd);
	p->link_fd = p->fd = -1;
}
