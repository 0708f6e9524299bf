/*
 * Wall-target.bpf: what the system call in progress is about: its first argument, and the file it names.
 * wall-switches.bpf.c defines `settings` and read_u64() before it includes this.
 */
#ifndef PERF_BPF_WALL_TARGET_BPF_H
#define PERF_BPF_WALL_TARGET_BPF_H

#include "common.bpf.h"
#include "wall-stack.bpf.h"
#include "wall-switches-types.h"

/* by address of its structure */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WALL_NR_FILES);
	__type(key, u32);
	__type(value, struct wall_kept_file);
} kept_files SEC(".maps");

#define MODE_KIND 0xf000
#define MODE_SOCKET 0xc000
#define FAMILY_INET 2
#define FAMILY_INET6 10
#define WALL_FILE_BYTES 64	/* structures of files begin at multiples of it, or less */

static __always_inline void note_socket(u64 file, struct wall_file *f)
{
	u64 sock = read_u64(read_u64(file + settings.file_data) + settings.socket_sock);

	f->family = (u16)read_u32(sock + settings.sock_family);
	f->port = (u16)read_u32(sock + settings.sock_port);
	f->own_port = (u16)read_u32(sock + settings.sock_own_port);
	if (f->family == FAMILY_INET)
		bpf_probe_read_kernel(f->address, 4, (const void *)(sock + settings.sock_address));
	if (f->family == FAMILY_INET6)
		bpf_probe_read_kernel(f->address, 16, (const void *)(sock + settings.sock_address6));
}

/* the kernel's structure of a file of the current task; 0: none */
static __always_inline u64 file_of(u32 nr)
{
	const void *files = load_pointer(bpf_get_current_task_btf(), settings.task_files), *table;

	if (!files)
		return 0;
	table = load_pointer(files, settings.files_table);
	if (!table || nr >= load_u32(table, settings.table_max))
		return 0;
	return read_u64(load_u64(table, settings.table_files) + nr * sizeof(u64));
}

/* not a socket, which gets and loses its peer */
static __always_inline void keep_file(u64 file, u64 inode, const struct wall_file *f, u64 hash)
{
	u32 at = file / WALL_FILE_BYTES % WALL_NR_FILES;
	struct wall_kept_file *k = bpf_map_lookup_elem(&kept_files, &at);

	if (!k)
		return;
	k->file = file;
	k->inode = inode;
	k->f = *f;
	k->hash = hash;
}

/* a file that was read before: it has the same inode, which has the same number */
static __always_inline bool is_kept_file(u64 file, u64 inode, struct wall_file *f, u64 *ret_hash)
{
	u32 at = file / WALL_FILE_BYTES % WALL_NR_FILES;
	struct wall_kept_file *k = bpf_map_lookup_elem(&kept_files, &at);

	if (!k || k->file != file || k->inode != inode || k->f.inode != f->inode)
		return false;
	*f = k->f;
	*ret_hash = k->hash;
	return true;
}

/* equal files are equal in all bytes */
static __always_inline void read_file(u64 file, u64 inode, struct wall_file *f)
{
	*f = (struct wall_file){ .inode = f->inode };
	f->mode = (u16)read_u32(inode + settings.inode_mode);
	if ((f->mode & MODE_KIND) == MODE_SOCKET) {
		note_socket(file, f);
		return;
	}
	bpf_probe_read_kernel_str(f->name, sizeof(f->name), (const void *)read_u64(
		read_u64(file + settings.file_dentry) + settings.dentry_name));
}

static __always_inline void note_file(u64 nr, struct wall_room *r)
{
	u64 file = file_of(nr), inode, hash, at = r->s.nr_kernel + r->s.nr_user;
	struct wall_file *f;

	if (!file || at > WALL_MAX_KERNEL + WALL_MAX_USER)
		return;
	f = (struct wall_file *)&r->s.ip[at];
	inode = read_u64(file + settings.file_inode);
	f->inode = read_u64(inode + settings.inode_number);
	r->s.has_file = 1;
	if (!is_kept_file(file, inode, f, &hash)) {
		read_file(file, inode, f);
		forget();
		hash = hash_words(r, at, sizeof(*f) / sizeof(u64), 0);
		if ((f->mode & MODE_KIND) != MODE_SOCKET)
			keep_file(file, inode, f, hash);
	}
	r->hash = add_hash(r->hash, hash);
}

/*
 * The first argument of a system call, and its file. Without one in progress, what is taken for its number is
 * not: the reader knows by the stack
 */
static __always_inline void note_target(struct wall_room *r)
{
	u64 call;

	if (!r->is_program)
		return;
	r->s.arg = r->arg;
	call = (u32)r->call;
	asm volatile("" : "+r"(call));	/* as in read_frame() */
	if (settings.file_inode && call < WALL_FILE_CALLS &&
	    settings.file_calls[call / 64] >> call % 64 & 1)
		note_file(r->s.arg, r);
}

#endif
