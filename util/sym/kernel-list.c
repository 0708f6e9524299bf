/* Kernel list: see kernel-list.h. */
#include "kernel-list.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/fs.h"
#include "../base/hash.h"
#include "../obj/kallsyms-binary.h"

#define FILE_NAME "kernel-symbols"
#define MAX_SIZE (256u << 20)

/* modules by names, sizes and addresses: other facts of /proc/modules change without the list */
static u64 hash_of_modules(void)
{
	struct strbuf text = STRBUF_INIT;
	u64 hash = 0;
	char *line, *save = NULL;

	if (!fs_read("/proc/modules", &text) && text.len)
		for (line = strtok_r(text.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
			char *words = NULL, *word = strtok_r(line, " ", &words);

			for (u32 i = 0; word; word = strtok_r(NULL, " ", &words), i++)
				if (i < 2 || i == 5)
					hash = hash_mix(hash, hash_str(word));
		}
	strbuf_release(&text);
	return hash;
}

/* how a copy begins that is still right; false: this system does not say which boot it is */
static bool first_line(struct strbuf *ret)
{
	struct strbuf boot = STRBUF_INIT;
	bool known = !fs_read_line("/proc/sys/kernel/random/boot_id", &boot) && boot.len;

	strbuf_addf(ret, "perf kernel symbols 2 %s %016lx %u %zu\n", strbuf_str(&boot),
		    (unsigned long)hash_of_modules(), geteuid(), sizeof(struct kallsyms_line));
	/* what follows is aligned */
	strbuf_pad(ret, '\n', -ret->len % 8);
	strbuf_release(&boot);
	return known;
}

static bool is_own_folder(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 022);
}

/* opens a folder of this user inside of another one, which may be made; -1: there is none */
static int open_folder(int parent, const char *name)
{
	int fd;

	if (parent >= 0)
		mkdirat(parent, name, 0700);
	fd = openat(parent >= 0 ? parent : AT_FDCWD, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && is_own_folder(fd))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int open_below(int parent, const char *name)
{
	int fd = parent < 0 ? -1 : open_folder(parent, name);

	if (parent >= 0)
		close(parent);
	return fd;
}

/* where the copy is; -1: nowhere */
static int open_cache(void)
{
	const char *base = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");

	if (fs_root() && *fs_root())
		return -1;	/* another system's list is read */
	if (base && *base == '/')
		return open_below(open_folder(-1, base), "perf");
	return home && *home == '/' ? open_below(open_below(open_folder(-1, home), ".cache"), "perf") : -1;
}

static struct kallsyms *read_copy(int dir, const struct strbuf *first)
{
	int fd = openat(dir, FILE_NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct kallsyms *k = NULL;
	struct mapping map = { 0 };
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077) &&
	    st.st_size < MAX_SIZE && st.st_size > (off_t)first->len && !mapping_open(&map, fd, st.st_size) &&
	    !memcmp(map.p, first->buf, first->len))
		k = kallsyms_read_binary(map.p + first->len, map.len - first->len);
	close(fd);
	if (k)
		k->map = map;
	else
		mapping_close(&map);
	return k;
}

static bool comes_and_goes(const struct kallsyms_block *b)
{
	static const char builtin[] = "__builtin__";

	return (b->module_len == 3 && !memcmp(b->module, "bpf", 3)) ||
	       (b->module_len >= strlen(builtin) && !memcmp(b->module, builtin, strlen(builtin)));
}

static void write_copy(int dir, const struct strbuf *first, const struct kallsyms *k)
{
	struct strbuf out = STRBUF_INIT;
	char name[64];
	int fd, ret;

	snprintf(name, sizeof(name), "%s.%d", FILE_NAME, getpid());
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	strbuf_add(&out, first->buf, first->len);
	kallsyms_write_binary(k, comes_and_goes, &out);
	ret = fd_write_all(fd, out.buf, out.len);
	strbuf_release(&out);
	if (close(fd) || ret || renameat(dir, name, dir, FILE_NAME))
		unlinkat(dir, name, 0);
}

int kernel_list_read(struct kallsyms **ret, struct err *err)
{
	struct strbuf first = STRBUF_INIT;
	int dir = open_cache(), status = 0;
	bool may_keep = dir >= 0 && first_line(&first);
	struct kallsyms *copy = may_keep ? read_copy(dir, &first) : NULL;

	if (copy && copy->nr && !copy->all_zero) {
		*ret = copy;
	} else {
		kallsyms_free(copy);
		status = kallsyms_read_live(ret, err);
		if (!status && may_keep)
			write_copy(dir, &first, *ret);
	}
	strbuf_release(&first);
	if (dir >= 0)
		close(dir);
	return status;
}
