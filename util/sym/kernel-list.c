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

/* the first line of a copy that is still right; false: this system does not say which boot it is */
static bool first_line(struct strbuf *ret)
{
	struct strbuf boot = STRBUF_INIT;
	bool known = !fs_read_line("/proc/sys/kernel/random/boot_id", &boot) && boot.len;

	strbuf_addf(ret, "perf kernel symbols 1 %s %016lx %u\n", strbuf_str(&boot),
		    (unsigned long)hash_of_modules(), geteuid());
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

static bool read_copy(int dir, const struct strbuf *first, struct strbuf *text)
{
	int fd = openat(dir, FILE_NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char line[200];
	struct stat st;
	bool right;

	if (fd < 0)
		return false;
	right = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077) &&
		st.st_size < MAX_SIZE && first->len < sizeof(line) &&
		pread(fd, line, first->len, 0) == (ssize_t)first->len &&
		!memcmp(line, first->buf, first->len) && !fd_read_all(fd, text);
	close(fd);
	return right;
}

static bool comes_and_goes(const struct kallsyms_block *b)
{
	static const char builtin[] = "__builtin__";

	return (b->module_len == 3 && !memcmp(b->module, "bpf", 3)) ||
	       (b->module_len >= strlen(builtin) && !memcmp(b->module, builtin, strlen(builtin)));
}

/* the lines of a block, with their ends */
static int write_block(int fd, const struct kallsyms *k, const struct kallsyms_block *b)
{
	const char *text = k->text.buf, *from = text + k->line.v[b->first].name;
	const char *last = text + k->line.v[b->first + b->nr - 1].name, *end;

	while (from > text && from[-1] != '\n')
		from--;
	end = memchr(last, '\n', text + k->text.len - last);
	return fd_write_all(fd, from, (end ? end + 1 : text + k->text.len) - from);
}

static void write_copy(int dir, const struct strbuf *first, const struct kallsyms *k)
{
	char name[64];
	int fd, ret;

	snprintf(name, sizeof(name), "%s.%d", FILE_NAME, getpid());
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	ret = fd_write_all(fd, first->buf, first->len);
	for (size_t i = 0; i < k->block.nr && !ret; i++)
		if (!comes_and_goes(&k->block.v[i]))
			ret = write_block(fd, k, &k->block.v[i]);
	if (close(fd) || ret || renameat(dir, name, dir, FILE_NAME))
		unlinkat(dir, name, 0);
}

int kernel_list_read(struct kallsyms **ret, struct err *err)
{
	struct strbuf first = STRBUF_INIT, text = STRBUF_INIT;
	int dir = open_cache(), status = 0;
	bool may_keep = dir >= 0 && first_line(&first);

	if (may_keep && read_copy(dir, &first, &text)) {
		*ret = kallsyms_parse(&text);
		if ((*ret)->line.nr && !(*ret)->all_zero)
			goto out;
		kallsyms_free(*ret);
	}
	strbuf_release(&text);
	status = kallsyms_read_live(ret, err);
	if (!status && may_keep)
		write_copy(dir, &first, *ret);
out:
	strbuf_release(&first);
	if (dir >= 0)
		close(dir);
	return status;
}
