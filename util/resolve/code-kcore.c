/* Code-kcore: finds copies of the kernel's code that perf buildid-cache --kcore keeps. */
#include "code-private.h"
#include "../base/fs.h"
#include "../obj/buildid.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct dso *kernel_of(const struct session *s)
{
	vec_foreach(&machine_dsos(s->machine)->dso, d)
		if ((*d)->kind == DSO_KERNEL && (*d)->buildid_len >= 2)
			return *d;
	return NULL;
}

/* whether the list has a line "ADDRESS TYPE NAME", or with a tab and a module after it */
static bool lists_symbol(const char *list, const struct symbol *sym)
{
	char addr[32];
	size_t len = strlen(sym->name);

	snprintf(addr, sizeof(addr), "%016llx ", (unsigned long long)sym->start);
	for (const char *p = list; (p = strstr(p, addr)); p++) {
		const char *name = p + strlen(addr);

		if ((p > list && p[-1] != '\n') || strnlen(name, 2) < 2)
			continue;
		name += 2;
		if (!strncmp(name, sym->name, len) && (!name[len] || strchr("\t\n", name[len])))
			return true;
	}
	return false;
}

static bool is_of(const char *dir, const struct symbol *sym)
{
	char *path = xasprintf("%s/kallsyms", dir);
	struct strbuf list = STRBUF_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ret = fd >= 0 && fd_read_all(fd, &list) >= 0 && lists_symbol(strbuf_str(&list), sym);

	if (fd >= 0)
		close(fd);
	strbuf_release(&list);
	free(path);
	return ret;
}

char *code_cached_kcore(const struct session *s, const struct symbol *sym)
{
	const struct dso *kernel = kernel_of(s);
	struct strbuf hex = STRBUF_INIT;
	char *cache = buildid_cache_dir(), *copies, *copy, *ret = NULL;
	struct dirent *de;
	DIR *d;

	if (kernel)
		buildid_hex(&hex, kernel->buildid, kernel->buildid_len);
	copies = xasprintf("%s/[kernel.kcore]/%s", cache ? cache : "", strbuf_str(&hex));
	d = cache && kernel ? opendir(copies) : NULL;
	while (d && !ret && (de = readdir(d))) {
		if (*de->d_name == '.')
			continue;
		copy = xasprintf("%s/%s", copies, de->d_name);
		if (is_of(copy, sym))
			ret = xasprintf("%s/kcore", copy);
		free(copy);
	}
	if (d)
		closedir(d);
	strbuf_release(&hex);
	free(copies);
	free(cache);
	return ret;
}
