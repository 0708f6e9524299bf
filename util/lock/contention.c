/* Contention: the handlers and their state. */
#include "contention.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/units.h"

enum { BEGIN_ADDR, BEGIN_FLAGS };
static const struct tracing_field begin_fields[] = {
	{ .name = "lock_addr" }, { .name = "flags" }, { .name = NULL }
};
enum { END_ADDR };
static const struct tracing_field end_fields[] = { { .name = "lock_addr" }, { .name = NULL } };

static struct contention_wait *wait_of(struct contention *c, const struct tracing_sample *ts, u64 addr)
{
	s32 task = ts->sample->tid ? (s32)ts->sample->tid : -1 - (s32)ts->sample->cpu;
	u64 hash = hash_mix(hash_u64(addr), (u32)task);

	return vec_find_or_add(&c->wait, &c->wait.idx, hash, e, e->addr == addr && e->task == task,
			       (struct contention_wait){ .addr = addr, .task = task });
}

static bool is_wanted_lock(const struct contention *c, u64 addr)
{
	for (size_t i = 0; i < c->locks.nr; i++)
		if (c->locks.v[i] == addr)
			return true;
	return !c->locks.nr;
}

static void begin_wait(struct contention *c, struct contention_wait *w, const struct tracing_sample *ts)
{
	w->begin = ts->when.time;
	w->flags = ts->value[BEGIN_FLAGS];
	w->open = true;
	w->comm = machine_comm_id(c->session->machine, tracing_ctx(ts)->thread, ts->when);
	w->wanted = lock_types_has(&c->types, w->flags) && is_wanted_lock(c, w->addr) &&
		    id_filter_ok(&c->cpus, ts->sample->cpu);
	if (w->wanted && (c->opts->by == CONTENTION_BY_CALLER || c->opts->functions)) {
		w->chain = lock_chains_add(&c->chains, ts->sample, tracing_ctx(ts));
		w->wanted = c->chains.chain.v[w->chain].wanted;
	}
}

static void handle_begin(void *ctx, const struct tracing_sample *ts)
{
	struct contention *c = ctx;
	struct contention_wait *w = wait_of(c, ts, ts->value[BEGIN_ADDR]);
	u32 flags = ts->value[BEGIN_FLAGS];
	bool continues = w->open && flags & w->flags & LOCK_FLAG_MUTEX && flags != w->last_flags;

	if (!continues) {
		c->losses.nr_unfinished += w->open && w->wanted;
		begin_wait(c, w, ts);
	}
	w->last_flags = flags;
}

struct contention_row *contention_row_of(struct contention *c, u64 key)
{
	return vec_find_or_add(&c->row, &c->row.idx, hash_u64(key), e, e->key == key,
			       (struct contention_row){ .key = key });
}

/* a function can take locks of two kinds; a mutex that spins first is not another one */
u64 contention_caller_key(const struct contention *c, u32 chain, u32 flags)
{
	return c->chains.chain.v[chain].group |
	       (u64)(flags & LOCK_FLAG_MUTEX ? LOCK_FLAG_MUTEX : flags) << CONTENTION_GROUP_BITS;
}

static u64 key_of(const struct contention *c, const struct contention_wait *w)
{
	switch (c->opts->by) {
	case CONTENTION_BY_THREAD:
		return w->task < 0 ? 0 : w->task;
	case CONTENTION_BY_LOCK:
		return w->addr;
	default:
		return contention_caller_key(c, w->chain, w->flags);
	}
}

static void handle_end(void *ctx, const struct tracing_sample *ts)
{
	struct contention *c = ctx;
	struct contention_wait *w = wait_of(c, ts, ts->value[END_ADDR]);
	struct contention_row *row;

	if (!w->open) {
		/* what is filtered by its beginning cannot be judged without one */
		c->losses.nr_unstarted++;
		return;
	}
	w->open = false;
	if (!w->wanted || ts->when.time < w->begin)
		return;
	row = contention_row_of(c, key_of(c, w));
	if (!row->times.nr)
		row->flags = w->flags;
	row->comm = w->comm;
	lock_times_add(&row->times, ts->when.time - w->begin);
}

const struct tracing_row contention_rows[CONTENTION_NR_ROWS] = {
	{ "lock:contention_begin", begin_fields, handle_begin, true },
	{ "lock:contention_end", end_fields, handle_end, true },
};

/* the address of a lock; 0 with err */
static u64 find_lock(struct contention *c, const char *name, struct err *err)
{
	char *end;
	u64 addr = strtoull(name, &end, 16);

	if (*end || end == name)
		addr = lock_names_address(&c->names, name);
	if (!addr) {
		err_set(err, -EINVAL, "'%s' is not an address, and not a variable of the kernel", name);
		err_hint(err, "addresses are hexadecimal, and 'perf lock contention -l' shows them");
	}
	return addr;
}

static int add_lock(struct contention *c, const char *word, size_t len, struct err *err)
{
	char *name = xstrndup(word, len);
	u64 addr = find_lock(c, name, err);

	free(name);
	if (!addr)
		return -EINVAL;
	vec_push(&c->locks, addr);
	return 0;
}

/* "2ms@cgroup_mutex" */
static int add_delay(struct contention *c, const char *word, size_t len, struct err *err)
{
	char *text = xstrndup(word, len), *name = strchr(text, '@');
	struct lock_delay d = { 0 };
	int ret = 0;

	if (name)
		*name++ = '\0';
	if (!name || !*name || parse_duration(text, 1, &d.ns) || !d.ns)
		ret = err_set(err, -EINVAL, "-J: '%.*s' is not a time, '@' and a lock, such as "
			      "2ms@cgroup_mutex", (int)len, word);
	else if (d.ns > LOCK_DELAY_MAX_NS)
		ret = err_set(err, -EINVAL, "-J: '%s' is too long: at most 10ms, as other CPUs may wait "
			      "for the lock", text);
	else if (c->delays.nr == LOCK_DELAYS_MAX)
		ret = err_set(err, -E2BIG, "-J: at most %u locks can be delayed", LOCK_DELAYS_MAX);
	else if (!(d.lock = find_lock(c, name, err)))
		ret = -EINVAL;
	else
		vec_push(&c->delays, d);
	free(text);
	return ret;
}

int contention_parse_delays(struct contention *c, struct err *err)
{
	const char *delays = c->opts->delays, *word;
	size_t len;
	int ret = 0;

	while (!ret && delays && (word = lock_next_word(&delays, &len)))
		ret = add_delay(c, word, len, err);
	return ret;
}

static int parse_filters(struct contention *c, struct err *err)
{
	const struct contention_opts *o = c->opts;
	const char *locks = o->locks, *word;
	size_t len;
	int ret = 0;

	if (o->types)
		ret = lock_types_parse(&c->types, o->types, err);
	if (!ret && o->cpus)
		ret = id_filter_parse_cpus(&c->cpus, o->cpus, err);
	while (!ret && locks && (word = lock_next_word(&locks, &len)))
		ret = add_lock(c, word, len, err);
	return ret ? ret : contention_parse_delays(c, err);
}

int contention_init(struct contention *c, const struct session *s, const struct contention_opts *opts,
		    struct err *err)
{
	*c = (struct contention){ .session = s, .opts = opts };
	resolver_init(&c->resolver, s, &c->chains.scratch);
	kernel_names_load(s);
	lock_chains_init(&c->chains, &c->resolver, opts->max_stack, opts->stack_skip, opts->functions);
	if (opts->auto_skip && lock_chains_know_text(&c->chains))
		c->chains.skip = 0;
	if (opts->by == CONTENTION_BY_LOCK || opts->locks || opts->delays)
		lock_names_init(&c->names, s);
	return parse_filters(c, err);
}

void contention_release(struct contention *c)
{
	lock_chains_release(&c->chains);
	lock_names_release(&c->names);
	id_filter_release(&c->cpus);
	resolver_release(&c->resolver);
	vec_release(&c->locks);
	vec_release(&c->delays);
	vec_release(&c->wait);
	hidx_release(&c->wait.idx);
	vec_release(&c->row);
	hidx_release(&c->row.idx);
	arena_release(&c->arena);
}
