/*
 * syscalls: makes system calls of many kinds, and says what each was as util/syscall prints it, with the
 * bytes that its rules for copying ask for. tests/interop/t0880-trace-strace.sh compares that with what
 * strace says of the same run. Texts are kept in memory until the end, and bytes are copied with
 * process_vm_readv, so that all other calls between the two marks (close(-77), close(-78)) are those of
 * syscalls-made.def.
 */
#include "workload.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "../../util/base/strbuf.h"
#include "../../util/syscall/syscall.h"

static int not_here(void)
{
	fprintf(stderr, "Error: this workload is made for x86-64\n");
	return 1;
}

/* other machines lack the numbers of many old calls */
#ifdef __x86_64__
#define COPY_MAX 4096
#define TEXT_MAX (4 << 20)

struct call_maker {
	const struct syscall_table *table;
	const struct syscall_text_opts *opts;
	struct strbuf out;
	u8 copied[SYSCALL_ARGS][COPY_MAX];
	u8 copied_part[SYSCALL_PARTS_MAX][SYSCALL_PART_MAX];
	struct syscall_part part[SYSCALL_PARTS_MAX];
	pid_t pid;
};

static size_t copy_from(struct call_maker *m, void *to, u64 from, size_t len)
{
	struct iovec local = { to, len }, remote = { (void *)(uintptr_t)from, len };
	ssize_t n = process_vm_readv(m->pid, &local, 1, &remote, 1, 0);

	return n < 0 ? 0 : n;
}

/* strings of an array of pointers, one after another */
static size_t copy_strings(struct call_maker *m, u8 *to, u64 from)
{
	size_t len = 0;
	u64 at;

	while (copy_from(m, &at, from, sizeof(at)) == sizeof(at) && at && len < COPY_MAX - 64) {
		size_t n = copy_from(m, to + len, at, 64);

		len += strnlen((char *)to + len, n) + 1;
		from += sizeof(at);
	}
	return len;
}

static size_t copy_len(const struct syscall_call *c, const struct syscall_copy *rule)
{
	size_t len;

	switch (rule->count) {
	case SYSCALL_COUNT_ARG:
		len = c->arg[rule->arg] * rule->size;
		break;
	case SYSCALL_COUNT_BITS:
		len = (c->arg[rule->arg] + 63) / 64 * 8;
		break;
	case SYSCALL_COUNT_RESULT:
		len = MIN((u64)c->ret, c->arg[rule->arg]) * rule->size;
		break;
	case SYSCALL_COUNT_STRING:
		len = 512;
		break;
	default:
		len = rule->max;
	}
	len = MIN(len, (size_t)COPY_MAX);
	return rule->max ? MIN(len, rule->max) : len;
}

static void copy_part(struct call_maker *m, struct syscall_call *c, const void *addr, size_t len)
{
	u8 *to = m->copied_part[c->nr_parts];

	if (len)
		len = copy_from(m, to, (uintptr_t)addr, MIN(len, SYSCALL_PART_MAX));
	if (len)
		m->part[c->nr_parts++] = (struct syscall_part){ (uintptr_t)addr, to, len };
	c->part = m->part;
}

/* what the bytes of argument i point to */
static void copy_parts(struct call_maker *m, struct syscall_call *c, unsigned int i, u8 parts)
{
	const struct iovec *iov = c->data[i].p;
	const struct msghdr *msg = c->data[i].p;
	size_t nr = c->arg[2];

	if (!c->data[i].p || parts == SYSCALL_PARTS_NONE)
		return;
	if (parts == SYSCALL_PARTS_MSGHDR) {
		copy_part(m, c, msg->msg_name, msg->msg_namelen);
		copy_part(m, c, msg->msg_control, msg->msg_controllen);
		iov = msg->msg_iov;
		nr = MIN((size_t)msg->msg_iovlen, SYSCALL_PARTS_VECTORS);
		copy_part(m, c, iov, nr * sizeof(*iov));
	}
	for (size_t n = 0; n < MIN(nr, SYSCALL_PARTS_VECTORS); n++)
		copy_part(m, c, iov[n].iov_base, iov[n].iov_len);
}

/* copies what the rules say is to be copied at that time */
static void copy(struct call_maker *m, struct syscall_call *c, const struct syscall_row *row, u8 when)
{
	struct syscall_copy rule;

	for (unsigned int i = 0; i < row->nr_args; i++) {
		syscall_copy_rule(c->table, row, i, &rule);
		if (rule.when != when || !c->arg[i])
			continue;
		if (rule.count == SYSCALL_COUNT_STRINGS)
			c->data[i].len = copy_strings(m, m->copied[i], c->arg[i]);
		else
			c->data[i].len = copy_from(m, m->copied[i], c->arg[i], copy_len(c, &rule));
		c->data[i].p = c->data[i].len ? m->copied[i] : NULL;
	}
	/* the vectors of a call that fills them are known when it begins, but not their bytes */
	for (unsigned int i = 0; when == SYSCALL_EXIT && i < row->nr_args; i++) {
		syscall_copy_rule(c->table, row, i, &rule);
		copy_parts(m, c, i, rule.parts);
	}
}

static long make(struct call_maker *m, u32 nr, const u64 *arg)
{
	const struct syscall_row *row = syscall_by_nr(m->table, nr);
	struct syscall_call c = { .table = m->table, .nr = nr, .pid = m->pid, .tid = m->pid };
	long ret;

	if (!row)
		return -1;
	memcpy(c.arg, arg, sizeof(c.arg));
	copy(m, &c, row, SYSCALL_ENTER);
	ret = syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	if (!ret && (nr == SYS_clone || nr == SYS_fork || nr == SYS_clone3))
		_exit(3);
	c.ret = ret == -1 ? -errno : ret;
	c.has_ret = true;
	copy(m, &c, row, SYSCALL_EXIT);
	strbuf_addstr(&m->out, row->name);
	strbuf_addch(&m->out, '(');
	syscall_add_args(&c, m->opts, &m->out);
	strbuf_addstr(&m->out, ") = ");
	syscall_add_result(&c, m->opts, &m->out);
	strbuf_addch(&m->out, '\n');
	return ret;
}

#define ARGS(...) ((const u64[SYSCALL_ARGS]){ __VA_ARGS__ })
#define P(x) (u64)(uintptr_t)(x)
#define CALL(name, ...) make(m, SYS_##name, ARGS(__VA_ARGS__))

static void make_all(struct call_maker *m)
{
#include "syscalls-made.def"
}

int syscalls(int argc, const char **argv)
{
	static const struct syscall_text_opts like_strace = { .hide_names = true, .show_zeros = true,
							      .show_prefix = true };
	static const struct syscall_text_opts like_perf = { .string_limit = 64 };
	static struct call_maker m;
	bool ok;
	FILE *f;

	m.table = syscall_table_find(EM_X86_64, 64);
	if (sizeof(long) != 8)
		return not_here();
	m.opts = argc > 1 && !strcmp(argv[1], "names") ? &like_perf : &like_strace;
	m.pid = getpid();
	strbuf_room(&m.out, TEXT_MAX);
	/* the first use of the rows makes them: pthread_once ends with a futex */
	syscall_by_name("close");
	close(-77);
	make_all(&m);
	close(-78);
	f = argc > 0 ? fopen(argv[0], "w") : stdout;
	ok = f && fwrite(m.out.buf, 1, m.out.len, f) == m.out.len && !fflush(f);
	if (f && f != stdout)
		fclose(f);
	strbuf_release(&m.out);
	return !ok;
}

#else
int syscalls(int argc, const char **argv)
{
	(void)argc;
	(void)argv;
	return not_here();
}
#endif
