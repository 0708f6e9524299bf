/* Redact-names: see redact-names.h. */
#include "redact-names.h"
#include "inject.h"

#include <string.h>

static bool begins(const char *s, size_t len, const char *prefix)
{
	return len >= strlen(prefix) && !strncmp(s, prefix, strlen(prefix));
}

/* memory without a file, and what has brackets; the machine knows them by name */
static bool is_no_file(const char *path)
{
	static const char *const prefixes[] = { "[", "//", "/dev/zero", "/anon_hugepage", "/SYSV" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (begins(path, strlen(path), prefixes[i]))
			return true;
	return !*path;
}

/* with the slash at its end */
static bool is_kernel_dir(const char *dir, size_t len)
{
	return begins(dir, len, "/lib/modules/") || begins(dir, len, "/usr/lib/modules/") ||
	       begins(dir, len, "/usr/lib/debug/") || begins(dir, len, "/boot/");
}

const char *redact_names_path(struct redact_names *r, const char *path, bool kernel)
{
	struct strbuf *out = &r->text;
	const char *slash, *base;
	size_t len;

	if (!path || !(r->words & (REDACT_DIRS | REDACT_FILES)) || is_no_file(path))
		return path;
	slash = strrchr(path, '/');
	base = slash ? slash + 1 : path;
	len = base - path;
	strbuf_reset(out);
	if (len > 1 && r->words & REDACT_DIRS && !(kernel && is_kernel_dir(path, len)))
		strbuf_addf(out, "%sdir%u/", *path == '/' ? "/" : "", strtab_addn(&r->dir, path, len));
	else
		strbuf_add(out, path, len);
	if (r->words & REDACT_FILES && !kernel)
		strbuf_addf(out, "file%u", strtab_add(&r->file, base));
	else
		strbuf_addstr(out, base);
	return strtab_get(&r->path, strtab_add(&r->path, strbuf_str(out)));
}

static const char *numbered(struct redact_names *r, struct strtab *names, const char *word, const char *name)
{
	strbuf_reset(&r->text);
	strbuf_addf(&r->text, "%s%u", word, strtab_add(names, name));
	return strtab_get(&r->path, strtab_add(&r->path, strbuf_str(&r->text)));
}

const char *redact_names_comm(struct redact_names *r, const char *comm)
{
	return r->words & REDACT_COMMS ? numbered(r, &r->comm, "comm", comm) : comm;
}

const char *redact_names_cgroup(struct redact_names *r, const char *path)
{
	return r->words & REDACT_DIRS ? numbered(r, &r->cgroup, "/cgroup", path) : path;
}

void redact_names_release(struct redact_names *r)
{
	strtab_release(&r->dir);
	strtab_release(&r->file);
	strtab_release(&r->comm);
	strtab_release(&r->cgroup);
	strtab_release(&r->path);
	strbuf_release(&r->text);
}
