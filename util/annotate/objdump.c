/* Objdump: see objdump.h. */
#include "objdump.h"
#include "../../arch/arch.h"
#include "../base/fs.h"
#include "../base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define CODE_FD 3	/* of the program: the bytes */

static const char *machine_name(const struct disasm_target *t)
{
	const struct arch *a = arch_by_machine(t->e_machine);

	for (size_t i = 0; a && i < ARRAY_SIZE(a->abi); i++)
		if (a->abi[i].e_machine == t->e_machine && a->abi[i].objdump[t->is64])
			return a->abi[i].objdump[t->is64];
	return NULL;
}

/* an anonymous file with the code, at its beginning */
static int code_file(const struct code *c, struct err *err)
{
	int fd = memfd_create("code", MFD_CLOEXEC), ret = fd < 0 ? -errno : fd_write_all(fd, c->byte, c->nr);

	if (!ret)
		return fd;
	if (fd >= 0)
		close(fd);
	return err_sys(err, -ret, "cannot write code to a file in memory");
}

/* output and error messages go to one pipe; its end to read, or a negative errno */
static int start(const char *program, const struct code *c, const char *machine, int code, pid_t *ret_pid)
{
	char vma[40], file[40];
	const struct arch *a = arch_by_machine(c->target.e_machine);
	const char *style = !a || !a->two_syntaxes ? NULL : c->target.intel ? "-Mintel" : "-Matt";
	const char *argv[] = { program, "-D", "-z", "-b", "binary", "-m", machine, vma, "--no-show-raw-insn",
			       c->target.big_endian ? "-EB" : "-EL", file, style, NULL };
	posix_spawn_file_actions_t fa;
	int out[2], ret;

	snprintf(vma, sizeof(vma), "--adjust-vma=0x%lx", c->svma);
	snprintf(file, sizeof(file), "/proc/self/fd/%d", CODE_FD);
	if (pipe2(out, O_CLOEXEC) < 0)
		return -errno;
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&fa, out[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&fa, out[1], STDERR_FILENO);
	posix_spawn_file_actions_adddup2(&fa, code, CODE_FD);
	ret = posix_spawnp(ret_pid, program, &fa, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	close(out[1]);
	if (!ret)
		return out[0];
	close(out[0]);
	return -ret;
}

static void set_kind(struct disasm_insn *in, const struct arch *a)
{
	switch (a && a->branch_of ? a->branch_of(in->mnemonic) : ARCH_NO_BRANCH) {
	case ARCH_CALL:
		in->kind = DISASM_CALL;
		break;
	case ARCH_JUMP:
		in->kind = DISASM_JUMP;
		break;
	case ARCH_RETURN:
		in->kind = DISASM_RETURN;
		break;
	case ARCH_NO_BRANCH:
		break;
	}
}

static void set_target(struct disasm_insn *in)
{
	char *end;

	if ((in->kind != DISASM_JUMP && in->kind != DISASM_CALL) || strncmp(in->operands, "0x", 2))
		return;
	in->target = strtoull(in->operands, &end, 16);
	in->has_target = !*end;
}

/* "  401136:<tab>push   %rbp"; other lines are false */
static bool read_insn(char *line, const struct code *c, struct disasm_insn *ret)
{
	char *at;
	u64 addr;
	size_t len;

	line += strspn(line, " \t");
	addr = strtoull(line, &at, 16);
	if (at == line || *at != ':' || addr < c->svma || addr - c->svma >= c->nr)
		return false;
	at += 1 + strspn(at + 1, " \t");
	len = strcspn(at, " \t");
	*ret = (struct disasm_insn){ .addr = addr };
	snprintf(ret->mnemonic, sizeof(ret->mnemonic), "%.*s", (int)len, at);
	at += len + strspn(at + len, " \t");
	len = strlen(at);
	while (len && strchr(" \t", at[len - 1]))
		len--;
	snprintf(ret->operands, sizeof(ret->operands), "%.*s", (int)len, at);
	set_kind(ret, arch_by_machine(c->target.e_machine));
	set_target(ret);
	return *ret->mnemonic;
}

/* instructions reach to the next one; the first and last lines that are none of it say what went wrong */
static void read_text(struct objdump_text *o, char *text, const struct code *c, const char **ret_message)
{
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct disasm_insn in, *before = o->insn.nr ? &o->insn.v[o->insn.nr - 1] : NULL;
		u64 size;

		if (!read_insn(line, c, &in)) {
			*ret_message = line;
			continue;
		}
		size = before ? in.addr - before->addr : 0;
		if (before ? in.addr <= before->addr || size > UINT8_MAX : in.addr != c->svma)
			continue;
		if (before)
			before->size = size;
		vec_push(&o->insn, in);
	}
}

/* the whole code was read: the last instruction ends with it */
static bool is_complete(struct objdump_text *o, const struct code *c)
{
	struct disasm_insn *last = o->insn.nr ? &o->insn.v[o->insn.nr - 1] : NULL;
	u64 left = last ? c->svma + c->nr - last->addr : 0;

	if (!last || left > 16)
		return false;
	last->size = left;
	return true;
}

int objdump_run(struct objdump_text *o, const char *program, const struct code *c, struct err *err)
{
	const char *machine = machine_name(&c->target), *message = "it printed nothing";
	struct strbuf text = STRBUF_INIT;
	int code, out, status = 0, ret;
	pid_t pid;

	*o = (struct objdump_text){ 0 };
	if (!machine)
		return err_set(err, -ENOTSUP, "perf does not know what %s calls machine %u", program,
			       c->target.e_machine);
	code = code_file(c, err);
	if (code < 0)
		return code;
	out = start(program, c, machine, code, &pid);
	close(code);
	if (out < 0)
		return err_sys(err, -out, "cannot run %s", program);
	ret = fd_read_all(out, &text);
	close(out);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	read_text(o, text.len ? text.buf : (char[]){ "" }, c, &message);
	if (ret >= 0 && WIFEXITED(status) && !WEXITSTATUS(status) && is_complete(o, c)) {
		ret = 0;
	} else {
		ret = err_set(err, -EIO, "%s did not decode the code: %s", program, message);
		objdump_release(o);
	}
	strbuf_release(&text);
	return ret;
}

void objdump_release(struct objdump_text *o)
{
	vec_release(&o->insn);
}
