/* Wall-targets: see wall-targets.h. */
#include "wall-targets.h"
#include "../obj/elf-obj.h"

#include <arpa/inet.h>
#include <elf.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* a futex that an address space waited for in one place, and what it was called: an exec moves places */
struct wall_lock {
	u64 address;
	u32 maps, stack, text;
};

void wall_targets_init(struct wall_targets *t, struct resolver *r)
{
	*t = (struct wall_targets){ .r = r };
	strtab_add(&t->text, "");
}

void wall_targets_release(struct wall_targets *t)
{
	strtab_release(&t->text);
	sequences_release(&t->files);
	vec_release(&t->file_text);
	vec_release(&t->lock);
	hidx_release(&t->locks);
	strbuf_release(&t->scratch);
	arena_release(&t->arena);
}

const char *wall_target_text(const struct wall_targets *t, u32 target)
{
	return strtab_get(&t->text, target);
}

void wall_targets_forget(struct wall_targets *t, struct wall *of)
{
	struct wall_targets old = *t;

	wall_targets_init(t, old.r);
	vec_foreach(&of->thread, thread)
		thread->target = strtab_add(&t->text, wall_target_text(&old, thread->target));
	wall_targets_release(&old);
}

void wall_targets_forget_places(struct wall_targets *t)
{
	t->lock.nr = 0;
	hidx_release(&t->locks);
}

static u32 take_text(struct wall_targets *t)
{
	u32 len = MIN(t->scratch.len, (size_t)WALL_TARGET_LEN - 1);
	u32 ret = strtab_addn(&t->text, strbuf_str(&t->scratch), len);

	strbuf_reset(&t->scratch);
	return ret;
}

/* ---- files ---- */

static void put_port(struct wall_targets *t, const struct wall_file_raw *f)
{
	bool is6 = f->family == AF_INET6;
	char text[INET6_ADDRSTRLEN];

	if (!f->port)		/* it listens, or has any peer */
		strbuf_addf(&t->scratch, "port %u", f->own_port);
	else if (inet_ntop(f->family, f->address, text, sizeof(text)))
		strbuf_addf(&t->scratch, is6 ? "[%s]:%u" : "%s:%u", text, f->port);
}

static void put_named(struct wall_targets *t, const struct wall_file_raw *f)
{
	/* files of /dev/pts have numbers for names */
	if (S_ISCHR(f->mode) && *f->name >= '0' && *f->name <= '9')
		strbuf_addstr(&t->scratch, "pts/");
	strbuf_add_safe(&t->scratch, arena_strndup(&t->arena, f->name, strnlen(f->name, sizeof(f->name))));
	arena_reset(&t->arena);
}

static u32 name_file(struct wall_targets *t, u64 nr, const struct wall_file_raw *f)
{
	u64 inode = f ? f->inode[0] | (u64)f->inode[1] << 32 : 0;

	if (!f)
		strbuf_addf(&t->scratch, "file %d", (s32)nr);
	else if (S_ISSOCK(f->mode) && (f->family == AF_INET || f->family == AF_INET6))
		put_port(t, f);
	else if (S_ISSOCK(f->mode))
		strbuf_addf(&t->scratch, "socket:[%lu]", inode);
	else if (S_ISFIFO(f->mode) && !*f->name)
		strbuf_addf(&t->scratch, "pipe:[%lu]", inode);
	else
		put_named(t, f);
	return take_text(t);
}

/* most waits are for the same few files */
static u32 file_target(struct wall_targets *t, u64 nr, const struct wall_file_raw *f)
{
	u64 key[1 + sizeof(*f) / sizeof(u64)] = { (u32)nr };
	bool is_new;
	u32 id;

	_Static_assert(sizeof(*f) % sizeof(u64) == 0, "it is copied as a whole");
	if (f)
		memcpy(key + 1, f, sizeof(*f));
	id = sequences_add(&t->files, key, f ? ARRAY_SIZE(key) : 1, &is_new);
	if (is_new)
		vec_push(&t->file_text, name_file(t, nr, f));
	return t->file_text.v[id];
}

/* ---- locks ---- */

/*
 * Where a program has its data follows from where it has its code: segments keep their distances. *ret: as
 * symbols have it. False: the address is in none of the segments
 */
static bool in_same_object(const struct symbols *s, const struct loc *code, u64 ip, u64 address, u64 *ret)
{
	u64 svma = symbols_off_to_svma(s, code->dso, code->dso_addr), data = address - ip + svma;
	const struct elf_segment *seg;
	size_t nr = symbols_segments(s, code->dso, &seg);

	for (; nr; nr--, seg++) {
		if (data - seg->vaddr >= seg->memsz)
			continue;
		*ret = data - seg->vaddr + seg->off;
		return !seg->exec;
	}
	return false;
}

#define MAX_SPAN (1ull << 31)	/* code reaches data with 32 bits */

/* the symbol of a variable of the object that has this code; false: it has none there */
static bool put_symbol(struct wall_targets *t, const struct sample_ctx *ctx, u64 ip, u64 address)
{
	const struct session *s = t->r->session;
	struct loc loc = locator_find(&t->r->locator, ctx, CPUMODE_USER, ip);
	const struct symbol *sym;
	u64 at;

	if (loc.dso == ID_NONE || address - ip + MAX_SPAN > 2 * MAX_SPAN ||
	    dsos_at(machine_dsos(s->machine), loc.dso)->kind != DSO_USER)
		return false;
	symbols_load(s->symbols, s->pool, &loc.dso, 1);
	if (!in_same_object(s->symbols, &loc, ip, address, &at))
		return false;
	sym = symbols_find(s->symbols, loc.dso, at);
	if (!sym || sym->type != STT_OBJECT || at >= sym->end)
		return false;
	strbuf_add_safe(&t->scratch, symbols_show(s->symbols, loc.dso, sym, &t->arena));
	if (at > sym->start)
		strbuf_addf(&t->scratch, "+%#lx", at - sym->start);
	arena_reset(&t->arena);
	return true;
}

/* what was mapped then and still is at the end: stacks end early where libraries have no frame pointers */
static bool put_symbol_of_maps(struct wall_targets *t, const struct sample_ctx *ctx, u64 address)
{
	struct map *map = NULL;
	size_t nr = ctx->maps == ID_NONE ? 0 :
		    machine_maps_at_end(t->r->session->machine, ctx->maps, &map);
	bool found = false;

	for (size_t i = 0; i < nr && !found; i++)
		found = when_before(map[i].from, ctx->when) && put_symbol(t, ctx, map[i].start, address);
	free(map);
	return found;
}

/* the C library has the functions that lock, not those that want to */
static bool is_c_library(const char *path)
{
	static const char *const names[] = { "libc.", "libc-", "libpthread", "ld-" };
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

/* programs in Go have such functions themselves */
static bool is_go_runtime(const char *name)
{
	return !strncmp(name, "runtime.", strlen("runtime."));
}

/* " in FUNCTION"; false: the address is in no function that has a name, or in such a library */
static bool put_function(struct wall_targets *t, const struct sample_ctx *ctx, u64 ip)
{
	const struct session *s = t->r->session;
	struct loc loc = locator_find(&t->r->locator, ctx, CPUMODE_USER, ip);
	const struct dso *d = loc.dso == ID_NONE ? NULL : dsos_at(machine_dsos(s->machine), loc.dso);
	const struct symbol *sym;
	const char *name;
	bool is_users;

	if (!d || d->kind != DSO_USER || is_c_library(d->long_name))
		return false;
	symbols_load(s->symbols, s->pool, &loc.dso, 1);
	sym = symbols_find(s->symbols, loc.dso, loc.dso_addr);
	if (!sym || loc.dso_addr >= sym->end)
		return false;
	name = symbols_show(s->symbols, loc.dso, sym, &t->arena);
	is_users = !is_go_runtime(name);
	if (is_users) {
		strbuf_addstr(&t->scratch, " in ");
		strbuf_add_safe(&t->scratch, name);
	}
	arena_reset(&t->arena);
	return is_users;
}

/* a lock without a name, as those on the heap: where the program waits says which one it is */
static void put_place(struct wall_targets *t, const struct sample_ctx *ctx, const struct wall_call *call)
{
	bool user = false;

	for (u32 i = 0; i < call->nr_chain; i++) {
		u64 ip = call->chain[i];

		if (ip >= PERF_CONTEXT_MAX)
			user = ip == PERF_CONTEXT_USER;
		else if (user && put_function(t, ctx, ip))
			return;
	}
}

/* the objects on the stack are tried first */
static u32 name_lock(struct wall_targets *t, const struct sample_ctx *ctx, const struct wall_call *call)
{
	bool user = false;

	for (u32 i = 0; i < call->nr_chain; i++) {
		u64 ip = call->chain[i];

		if (ip >= PERF_CONTEXT_MAX)
			user = ip == PERF_CONTEXT_USER;
		else if (user && put_symbol(t, ctx, ip, call->value))
			return take_text(t);
	}
	if (put_symbol_of_maps(t, ctx, call->value))
		return take_text(t);
	strbuf_addf(&t->scratch, "futex %#lx", call->value);
	put_place(t, ctx, call);
	return take_text(t);
}

static u32 lock_target(struct wall_targets *t, const struct sample_ctx *ctx, const struct wall_call *call)
{
	u64 hash = hash_u64(call->value ^ (u64)ctx->maps << 48 ^ (u64)call->stack << 16);
	struct wall_lock lock = { .address = call->value, .maps = ctx->maps, .stack = call->stack };
	u32 i;

	HIDX_FOREACH(&t->locks, hash, i) {
		const struct wall_lock *l = &t->lock.v[i];

		if (l->address == lock.address && l->maps == lock.maps && l->stack == lock.stack)
			return l->text;
	}
	lock.text = name_lock(t, ctx, call);
	hidx_insert(&t->locks, hash, t->lock.nr);
	vec_push(&t->lock, lock);
	return lock.text;
}

#define DELETED " (deleted)"	/* after names of maps */

u32 wall_target_of_fault(struct wall_targets *t, const struct sample_ctx *ctx, u64 address)
{
	const struct dsos *dsos = machine_dsos(t->r->session->machine);
	struct loc loc = locator_find(&t->r->locator, ctx, CPUMODE_USER, address);
	const struct dso *d = loc.dso == ID_NONE ? NULL : dsos_at(dsos, loc.dso);
	const char *name;
	size_t len;

	if (!d || d->kind != DSO_USER)
		return 0;
	name = strrchr(d->long_name, '/');
	name = name ? name + 1 : d->long_name;
	len = strlen(name);
	if (len > strlen(DELETED) && !strcmp(name + len - strlen(DELETED), DELETED))
		len -= strlen(DELETED);
	strbuf_add_safe(&t->scratch, arena_strndup(&t->arena, name, len));
	arena_reset(&t->arena);
	return take_text(t);
}

u32 wall_target_of_thread(struct wall_targets *t, s32 tid)
{
	strbuf_addf(&t->scratch, "thread %d", tid);
	return take_text(t);
}

u32 wall_target_of(struct wall_targets *t, const struct sample_ctx *ctx, const struct wall_call *call)
{
	switch (call->arg) {
	case WALL_ARG_FILE:
		return file_target(t, call->value, call->file);
	case WALL_ARG_LOCK:
		return lock_target(t, ctx, call);
	case WALL_ARG_TASK:
		if ((s32)call->value <= 0)	/* any child */
			return 0;
		strbuf_addf(&t->scratch, "process %d", (s32)call->value);
		return take_text(t);
	default:
		return 0;
	}
}
