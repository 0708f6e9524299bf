/* Wall-encode: see wall-encode.h. */
#include "wall-encode.h"
#include "../base/put.h"

#include <arpa/inet.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

char wall_switch_letter(const struct wall_switch *s)
{
	static const char letters[] = "SDTtXZPX";
	const u32 no_load = 0x400;

	if (s->flags & WALL_THROTTLED)
		return WALL_RAW_THROTTLED;
	if (s->flags & WALL_PREEMPTED)
		return 'R';
	if (s->state & 2 && s->state & no_load)
		return 'I';
	for (u32 i = 0; i < sizeof(letters) - 1; i++)
		if (s->state & 1u << i)
			return letters[i];
	return 'R';
}

struct wall_switch_raw wall_switch_raw_of(const struct wall_switch *s)
{
	return (struct wall_switch_raw){
		.flags = (s->flags & WALL_WAKES ? WALL_RAW_WAKES : s->flags & WALL_HERE ? WALL_RAW_HERE :
			  s->tid ? WALL_RAW_HAS_LEFT : 0) |
			 (s->flags & WALL_UNSEEN ? WALL_RAW_UNSEEN : 0) |
			 (s->flags & WALL_NEXT_UNSEEN ? WALL_RAW_NEXT_UNSEEN : 0) |
			 (s->flags & WALL_BY_INTERRUPT ? WALL_RAW_BY_INTERRUPT : 0) |
			 (s->flags & WALL_BY_END ? WALL_RAW_BY_END : 0) |
			 (s->flags & WALL_BEGAN ? WALL_RAW_BEGAN : 0) |
			 (s->flags & WALL_MISSED ? WALL_RAW_MISSED : 0),
		.letter = wall_switch_letter(s), .next_pid = s->next_pid, .next_tid = s->next_tid,
		.waker_pid = s->waker_pid, .waker_tid = s->waker_tid,
		.woken = { s->woken, s->woken >> 32 },
		.arg = { s->arg, s->arg >> 32 },
	};
}

struct wall_file_raw wall_file_raw_of(const struct wall_file *f)
{
	struct wall_file_raw ret = { .inode = { f->inode, f->inode >> 32 }, .mode = f->mode,
				     .family = f->family };

	if (f->family) {
		ret.port = ntohs(f->port);
		ret.own_port = f->own_port;
		memcpy(ret.address, f->address, sizeof(ret.address));
	} else {
		memcpy(ret.name, f->name, strnlen(f->name, sizeof(f->name)));
	}
	return ret;
}

u32 wall_file_raw_bytes(const struct wall_file_raw *f)
{
	return f->family || *f->name ? sizeof(*f) : offsetof(struct wall_file_raw, address);
}

void wall_switch_put_raw(struct strbuf *out, const struct wall_switch *s, const struct wall_file *f)
{
	const struct wall_switch_raw raw = wall_switch_raw_of(s);
	struct wall_file_raw file;
	u32 bytes = 0;

	if (f) {
		file = wall_file_raw_of(f);
		bytes = wall_file_raw_bytes(&file);
	}
	put_u32(out, sizeof(raw) + bytes);
	strbuf_add(out, &raw, sizeof(raw));
	strbuf_add(out, &file, bytes);
}

void wall_switch_put_chain(struct strbuf *out, const struct wall_switch *s, const u64 *ip)
{
	u64 kernel = s->nr_kernel, user = s->nr_user;

	put_u64(out, kernel + !!kernel + user + !!user);
	if (kernel)
		put_u64(out, PERF_CONTEXT_KERNEL);
	strbuf_add(out, ip, kernel * sizeof(u64));
	if (user)
		put_u64(out, PERF_CONTEXT_USER);
	strbuf_add(out, ip + kernel, user * sizeof(u64));
}

const struct wall_file *wall_file_after(const struct wall_switch *s, const u64 *ip)
{
	return s->has_file ? (const void *)(ip + s->nr_kernel + s->nr_user) : NULL;
}
