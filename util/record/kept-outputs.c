/* Kept outputs: see kept-outputs.h. */
#include "kept-outputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/alloc.h"
#include "../base/units.h"

#define STAMP_DIGITS 16		/* of the time in the name of a file: 2026112800000000 */

/* calls fn for the files of a directory; returns the sum, 0 if it is not a directory */
static u64 each_file(const char *path, u64 (*fn)(int dir, const char *name))
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *de;
	u64 ret = 0;

	while (d && (de = readdir(d)))
		if (strcmp(de->d_name, ".") && strcmp(de->d_name, ".."))
			ret += fn(fd, de->d_name);
	if (d)
		closedir(d);
	return ret;
}

static u64 size_of(int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) ? 0 : st.st_size;
}

static u64 remove_one(int dir, const char *name)
{
	return unlinkat(dir, name, 0) != 0;
}

void output_remove(const char *path)
{
	if (!unlink(path) || (errno != EISDIR && errno != EPERM))
		return;
	each_file(path, remove_one);
	rmdir(path);
}

static bool keeps_all(const struct kept_limits *l)
{
	return !l->files && !l->bytes && !l->ns;
}

/* "perf.data.2026112800000000.pb.gz" for the output perf.data: its time; 0: it is another file */
static u64 stamp_of(const struct kept_outputs *k, const char *path)
{
	size_t len = strlen(k->output);
	const char *digits;

	if (strncmp(path, k->output, len) || path[len] != '.')
		return 0;
	digits = path + len + 1;
	if (strspn(digits, "0123456789") != STAMP_DIGITS || strcmp(digits + STAMP_DIGITS, k->suffix))
		return 0;
	return strtoull(digits, NULL, 10);
}

static void add(struct kept_outputs *k, const char *path)
{
	u64 stamp = stamp_of(k, path), bytes;
	struct stat st;

	if (!stamp || stat(path, &st))
		return;
	bytes = S_ISDIR(st.st_mode) ? each_file(path, size_of) : (u64)st.st_size;
	vec_push(&k->out, (struct kept_output){ stamp, bytes,
					      st.st_mtim.tv_sec * 1000000000ull + st.st_mtim.tv_nsec });
	k->bytes += bytes;
}

static bool too_much(const struct kept_outputs *k)
{
	const struct kept_output *oldest = &k->out.v[k->first];
	size_t nr = k->out.nr - k->first;
	u64 now = clock_ns(CLOCK_REALTIME);

	return (k->limits->files && nr > k->limits->files) ||
	       (k->limits->bytes && k->bytes > k->limits->bytes) ||
	       (k->limits->ns && now > oldest->time_ns && now - oldest->time_ns > k->limits->ns);
}

/* the newest one stays, however large it is */
static void remove_old(struct kept_outputs *k)
{
	while (k->out.nr - k->first > 1 && too_much(k)) {
		const struct kept_output *f = &k->out.v[k->first++];
		char *path = xasprintf("%s.%0*lu%s", k->output, STAMP_DIGITS, f->stamp, k->suffix);

		output_remove(path);
		k->bytes -= f->bytes;
		free(path);
	}
	if (k->first > k->out.nr / 2) {
		k->out.nr -= k->first;
		memmove(k->out.v, k->out.v + k->first, k->out.nr * sizeof(*k->out.v));
		k->first = 0;
	}
}

/* outputs of earlier recorders count, too; names are in the order of time */
static void find_folded(struct kept_outputs *k)
{
	const char *slash = strrchr(k->output, '/');
	char *dir = slash ? xstrndup(k->output, slash - k->output + 1) : xstrdup("./");
	struct dirent **list;
	int nr = scandir(dir, &list, NULL, alphasort);

	for (int i = 0; i < nr; i++) {
		char *path = xasprintf("%s%s", slash ? dir : "", list[i]->d_name);

		add(k, path);
		free(path);
		free(list[i]);
	}
	if (nr >= 0)
		free(list);
	free(dir);
}

void kept_outputs_init(struct kept_outputs *k, const struct kept_limits *limits, const char *output,
		       const char *suffix)
{
	*k = (struct kept_outputs){ .limits = limits, .output = output, .suffix = suffix };
	if (!keeps_all(limits))
		find_folded(k);
}

void kept_outputs_add(struct kept_outputs *k, const char *path)
{
	if (keeps_all(k->limits))
		return;
	add(k, path);
	remove_old(k);
}
