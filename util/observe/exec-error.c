/* Exec-error: see exec-error.h. */
#include "exec-error.h"
#include "../base/fs.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct refused {
	const char *name;
	const char *path;	/* of its file; NULL: there is none */
	struct stat st;		/* of it */
	char interp[256];	/* that the file names; "": none */
	bool script;		/* in a line #! */
};

/* "#!/bin/interp args" */
static void read_shebang(struct refused *r, const char *head, size_t len)
{
	size_t from = 2, n = 0;

	while (from < len && (head[from] == ' ' || head[from] == '\t'))
		from++;
	while (from + n < len && n < sizeof(r->interp) - 1 && !strchr(" \t\r\n", head[from + n]))
		n++;
	memcpy(r->interp, head + from, n);
	r->interp[n] = '\0';
	r->script = true;
}

/* PT_INTERP, of either class and this byte order: others do not run here */
static void read_elf(struct refused *r, int fd, const char *head, size_t len)
{
	bool is64 = head[EI_CLASS] == ELFCLASS64;
	u64 at, off, size, entry = is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	Elf64_Ehdr e64;
	Elf32_Ehdr e32;
	u32 nr;

	if (len < sizeof(e64))
		return;
	memcpy(&e64, head, sizeof(e64));
	memcpy(&e32, head, sizeof(e32));
	at = is64 ? e64.e_phoff : e32.e_phoff;
	nr = is64 ? e64.e_phnum : e32.e_phnum;
	for (u32 i = 0; i < nr && at <= INT64_MAX / 2; i++, at += entry) {
		Elf64_Phdr p64;
		Elf32_Phdr p32;
		ssize_t n = is64 ? pread(fd, &p64, sizeof(p64), at) : pread(fd, &p32, sizeof(p32), at);

		if (n != (ssize_t)entry)
			return;
		if ((is64 ? p64.p_type : p32.p_type) != PT_INTERP)
			continue;
		off = is64 ? p64.p_offset : p32.p_offset;
		size = is64 ? p64.p_filesz : p32.p_filesz;
		if (off > INT64_MAX)
			return;
		n = pread(fd, r->interp, MIN(size, sizeof(r->interp) - 1), off);
		r->interp[MAX(n, 0)] = '\0';
		return;
	}
}

static void read_interp(struct refused *r)
{
	int fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char head[256];
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, head, sizeof(head));
	if (n > 2 && head[0] == '#' && head[1] == '!')
		read_shebang(r, head, n);
	else if (n > EI_NIDENT && !memcmp(head, ELFMAG, SELFMAG))
		read_elf(r, fd, head, n);
	close(fd);
}

static bool is_builtin(const char *name)
{
	static const char *const words[] = {
		"alias", "cd", "eval", "exec", "export", "jobs", "set", "shopt", "source", "time", "trap",
		"type", "ulimit", "umask", "unset", "wait",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], name))
			return true;
	return false;
}

/* "sleep 1": as one word of the command line */
static bool is_quoted(const char *name)
{
	struct strbuf first = STRBUF_INIT, path = STRBUF_INIT;
	size_t len = strcspn(name, " \t");
	bool known;

	if (!len || !name[len])
		return false;
	strbuf_add(&first, name, len);
	known = strchr(strbuf_str(&first), '/') ? !access(first.buf, X_OK) : program_find(first.buf, &path) ||
		is_builtin(first.buf);
	strbuf_release(&first);
	strbuf_release(&path);
	return known;
}

static void hint_near(const struct refused *r, struct err *err)
{
	bool plain = !strchr(r->name, '/');
	struct stat st;

	if (plain && *r->name && !stat(r->name, &st) && S_ISREG(st.st_mode))
		err_hint(err, "this folder has a file of that name, and is not searched: ./%s", r->name);
	else if (is_quoted(r->name))
		err_hint(err, "program and arguments are one word here: leave out the quotes, or use "
			 "sh -c '%s'", r->name);
	else if (is_builtin(r->name))
		err_hint(err, "'%s' is built into the shell and is not a program: sh -c '%s ...'", r->name,
			 r->name);
	else if (plain)
		err_hint(err, "no directory of $PATH has it; sudo may set another $PATH: name it with its "
			 "path");
}

static void explain_noent(const struct refused *r, struct err *err)
{
	if (!r->path || !*r->interp || !access(r->interp, F_OK)) {
		err_sys(err, ENOENT, "cannot run '%s'", r->name);
		if (!r->path)
			hint_near(r, err);
		return;
	}
	err_set(err, -ENOENT, "cannot run '%s': its interpreter %s does not exist", r->name, r->interp);
	if (r->script)
		err_hint(err, "the first line of the script names it: change the line, or start the script "
			 "with an interpreter that is here");
	else
		err_hint(err, "it was built for another C library or system: install the one that has this "
			 "file");
}

static void explain_access(const struct refused *r, struct err *err)
{
	if (r->path && S_ISDIR(r->st.st_mode)) {
		err_set(err, -EACCES, "cannot run '%s': it is a directory", r->name);
		return;
	}
	err_sys(err, EACCES, "cannot run '%s'", r->name);
	if (r->path && !(r->st.st_mode & 0111))
		err_hint(err, "its file is not executable: chmod +x %s", r->path);
}

static void explain_format(const struct refused *r, struct err *err)
{
	err_set(err, -ENOEXEC, "cannot run '%s': it is neither a program for this machine nor a script with "
		"a first line #!", r->name);
}

static const struct {
	int errnum;
	void (*explain)(const struct refused *r, struct err *err);
} explanations[] = {
	{ ENOENT, explain_noent },
	{ ENOTDIR, explain_noent },
	{ EACCES, explain_access },
	{ ENOEXEC, explain_format },
};

int exec_explain(const char *name, int errnum, struct err *err)
{
	struct strbuf path = STRBUF_INIT;
	struct refused r = { .name = name };

	r.path = strchr(name, '/') ? name : program_find(name, &path) ? strbuf_str(&path) : NULL;
	if (r.path && stat(r.path, &r.st))
		r.path = NULL;
	if (r.path && S_ISREG(r.st.st_mode))
		read_interp(&r);
	err_sys(err, errnum, "cannot run '%s'", name);
	for (size_t i = 0; i < ARRAY_SIZE(explanations); i++)
		if (explanations[i].errnum == errnum)
			explanations[i].explain(&r, err);
	strbuf_release(&path);
	return -errnum;
}
