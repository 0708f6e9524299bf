/* Identity: build-ids, else inodes and times. */
#include "identity.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../base/fs.h"
#include "../obj/buildid.h"
#include "../obj/elf-obj.h"
#include "sym.h"

enum evidence { AGAINST, NOTHING, FOR, SURE };

bool identity_by_id(const struct elf_obj *o, const u8 *want, int len, const char *whose, const char *path,
		    struct strbuf *why)
{
	u8 id[ELF_BUILDID_MAX];
	int has = elf_obj_buildid(o, id);

	if (buildid_equal(id, has, want, len))
		return true;
	strbuf_addf(why, has ? "%s is another build (build-id " : "%s has no build-id (", path);
	if (has) {
		buildid_hex(why, id, has);
		strbuf_addstr(why, ", ");
	}
	strbuf_addf(why, "%s ", whose);
	buildid_hex(why, want, len);
	strbuf_addch(why, ')');
	return false;
}

bool identity_other_mounts(const struct sym_opts *opts, const struct dso *dso)
{
	struct strbuf path = STRBUF_INIT;
	struct stat st;
	bool other;

	other = dso->mnt_ns && opts->is_local && !stat(fs_path(&path, "/proc/self/ns/mnt"), &st) &&
		(u32)st.st_ino != dso->mnt_ns;
	strbuf_release(&path);
	return other;
}

/* the number that a file system gives an inode anew when it is used again; 0: unknown */
static u32 generation_of(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	/* the kernel writes an int, although the request is declared with a long */
	u32 gen[2] = { 0 };

	if (fd < 0)
		return 0;
	if (ioctl(fd, FS_IOC_GETVERSION, gen))
		gen[0] = 0;
	close(fd);
	return gen[0];
}

/*
 * Equal files can have different devices: btrfs and overlayfs report another one in stat(2) than in maps.
 * Then the inode number proves nothing
 */
static enum evidence inode_says(const struct dso *d, const char *path, const struct stat *st)
{
	u32 gen;

	if (!d->ino)
		return NOTHING;
	if (d->ino != st->st_ino)
		return AGAINST;
	gen = generation_of(path);
	if (gen && d->ino_gen && gen != (u32)d->ino_gen)
		return AGAINST;
	if (d->maj != major(st->st_dev) || d->min != minor(st->st_dev))
		return NOTHING;
	return gen && d->ino_gen ? SURE : FOR;
}

static s64 ns_of(struct timespec t)
{
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* programs that copy files set the time of contents back, but not that of the inode */
static bool is_newer(const struct recorded_on *on, const struct stat *st)
{
	return on->until_ns && MAX(ns_of(st->st_mtim), ns_of(st->st_ctim)) > on->until_ns;
}

/*
 * "perf inject --jit" makes jitted-PID-N.so of generated code after the recording, and upstream writes wrong
 * inodes into their maps: neither inode nor time proves anything
 */
static bool is_made_by_inject(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	unsigned int pid, nr;
	int len = 0;

	return sscanf(name, "jitted-%u-%u.so%n", &pid, &nr, &len) == 2 && len && !name[len];
}

static enum identity no(struct strbuf *why, const char *path, const char *how)
{
	strbuf_addf(why, "%s is not the recorded file, which has no build-id: %s", path, how);
	return IDENTITY_NO;
}

static enum identity perhaps(struct strbuf *why, const char *path, const char *how)
{
	strbuf_addf(why, "%s may not be the recorded file, which has no build-id: %s", path, how);
	return IDENTITY_UNKNOWN;
}

/* the recording has no build-id of it */
static enum identity by_inode_and_time(const struct sym_opts *opts, const struct dso *dso, const char *path,
				       struct strbuf *why)
{
	const struct recorded_on *on = &opts->on;
	enum evidence inode;
	struct stat st;
	bool newer;

	if (stat(path, &st))
		return IDENTITY_UNKNOWN;	/* an image without a file */
	inode = inode_says(dso, path, &st);
	newer = is_newer(on, &st);
	if (on->other_machine && (inode != SURE || newer)) {
		strbuf_addf(why, "%s is a file of this machine: it is not used, because the recording is of "
			    "another one (%s) and has no build-id of it", path, on->other_machine);
		return IDENTITY_FOREIGN;
	}
	if (is_made_by_inject(path))
		return IDENTITY_YES;
	if (dso_is_deleted(dso) && !path_is_marked_deleted(path) && inode < FOR)
		return no(why, path, "that one was deleted while it ran");
	if (inode == AGAINST && newer)
		return no(why, path, "it has another inode and is newer than the recording");
	if (inode == AGAINST && identity_other_mounts(opts, dso))
		return no(why, path, "it has another inode, and that one was in a container");
	if (inode == AGAINST && on->other_kernel)
		return no(why, path, "it has another inode, and another kernel ran");
	if (newer)
		return perhaps(why, path, "it was changed after the recording");
	if (inode == AGAINST)
		return perhaps(why, path, "it has another inode");
	return inode >= FOR || (on->this_host && on->until_ns) ? IDENTITY_YES : IDENTITY_UNKNOWN;
}

enum identity identity_of(const struct sym_opts *opts, const struct dso *dso, const struct elf_obj *o,
			  const char *path, struct strbuf *why)
{
	if (dso->buildid_len)
		return identity_by_id(o, dso->buildid, MIN(dso->buildid_len, ELF_BUILDID_MAX), "recorded was",
				      path, why) ? IDENTITY_YES : IDENTITY_NO;
	if (opts->trust_paths || (opts->symfs && opts->symfs[0]))
		return IDENTITY_YES;
	return by_inode_and_time(opts, dso, path, why);
}
