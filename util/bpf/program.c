/* Program: see program.h. */
#include "program.h"
#include "../base/fs.h"
#include "../base/units.h"
#include "../event/abi.h"
#include "../kernel/bpf-programs.h"
#include "../kernel/open-close.h"
#include "../kernel/open.h"
#include "../kernel/tracefs.h"
#include "bpf-explain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LOG_BYTES (1u << 20)
#define LOAD_ATTEMPTS 5u

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
	long fd = -EAGAIN;
	char *log;

	if (ret)
		return ret;
	if (kernel_is_confidential()) {		/* they would load, and read zeros */
		err_set(err, -EPERM, "the kernel is locked down (confidentiality): BPF programs cannot read "
			"its memory");
		err_hint(err, "boot without lockdown=confidentiality");
		return -EPERM;
	}
	attr.insns = (uintptr_t)c->insn.v;
	attr.insn_cnt = c->insn.nr;
	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", name);
	/* the kernel stops checking a program when a signal, or work that waits for the thread, interrupts */
	for (u32 i = 0; i < LOAD_ATTEMPTS && fd == -EAGAIN; i++)
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

int bpf_prog_load_once(struct bpf_prog *p, enum bpf_prog_type type, const char *name, struct bpf_code *c,
		       struct err *err)
{
	int ret = bpf_prog_load(p, type, name, c, err);

	bpf_code_release(c);
	return ret;
}

static int attach_raw(struct bpf_prog *p, const char *name, const char *tracepoint, struct err *err)
{
	union bpf_attr attr = { .raw_tracepoint = { .name = (uintptr_t)name, .prog_fd = p->fd } };
	long fd = bpf_call(BPF_RAW_TRACEPOINT_OPEN, &attr);

	if (fd < 0)
		return err_sys(err, -fd, "the BPF program cannot be attached to tracepoint %s", tracepoint);
	p->link_fd = fd;
	return 0;
}

int bpf_prog_attach_raw(struct bpf_prog *p, const char *tracepoint, struct err *err)
{
	return attach_raw(p, tracepoint, tracepoint, err);
}

int bpf_prog_attach_typed(struct bpf_prog *p, const char *tracepoint, struct err *err)
{
	return attach_raw(p, NULL, tracepoint, err);
}

int bpf_prog_attach_tracepoint(struct bpf_prog *p, const char *system, const char *name, struct err *err)
{
	struct pe_attr attr = { .size = PE_ATTR_SIZE_MIN, .type = PERF_TYPE_TRACEPOINT, .sample_period = 1 };
	u64 id;
	int fd, ret = tracefs_event_id(system, name, &id, err);

	if (ret)
		return ret;
	attr.config = id;
	/* any CPU will do: the program runs on all of them */
	fd = open_raw(&attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return err_sys(err, -fd, "tracepoint %s:%s cannot be opened", system, name);
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, p->fd)) {
		ret = err_sys(err, errno, "the BPF program cannot be attached to tracepoint %s:%s", system,
			      name);
		close(fd);
		return ret;
	}
	p->link_fd = fd;
	return 0;
}

/* which bit of config asks for the return: sysfs says "config:0" */
static u64 return_bit(void)
{
	struct strbuf line = STRBUF_INIT;
	u64 bit = 0;

	if (!fs_read_line("/sys/bus/event_source/devices/uprobe/format/retprobe", &line) &&
	    !strncmp(strbuf_str(&line), "config:", 7) && parse_u64(line.buf + 7, &bit))
		bit = 0;
	strbuf_release(&line);
	return 1ull << (bit & 63);
}

int bpf_prog_attach_uprobe(struct bpf_prog *p, const char *path, u64 offset, bool at_return, struct err *err)
{
	struct pe_attr attr = { .config1 = (uintptr_t)path, .config2 = offset };
	u64 type;
	int fd, ret = fs_read_u64("/sys/bus/event_source/devices/uprobe/type", &type);

	if (ret)
		return err_sys(err, -ret, "the kernel has no events of type uprobe (CONFIG_UPROBE_EVENTS)");
	attr.type = type;
	attr.config = at_return ? return_bit() : 0;
	attr.size = attr_size_needed(&attr);
	fd = open_raw(&attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return err_sys(err, -fd, "a probe in %s cannot be opened", path);
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, p->fd)) {
		ret = err_sys(err, errno, "the BPF program cannot be attached to a probe in %s", path);
		close(fd);
		return ret;
	}
	p->link_fd = fd;
	return 0;
}

void bpf_prog_detach(struct bpf_prog *p)
{
	if (p->link_fd >= 0)
		close(p->link_fd);
	p->link_fd = -1;
}

void bpf_prog_detach_later(struct bpf_prog *p)
{
	if (p->link_fd >= 0)
		close_in_background(&p->link_fd, 1);
	p->link_fd = -1;
}

void bpf_prog_release(struct bpf_prog *p)
{
	bpf_prog_detach(p);
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}
