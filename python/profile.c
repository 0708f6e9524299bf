/* A recording that is open: see profile.h. */
#include "profile.h"
#include "../util/base/log.h"
#include "../util/resolve/deferred.h"
#include "../util/sym/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* threads of the pool are not there after a fork; with jobs=1 there are none */
static bool in_child(const struct profile *p)
{
	return p->pid != getpid() && pool_nr_workers(p->s->pool) > 1;
}

static void profile_free(struct origin *o)
{
	struct profile *p = profile_of(o);

	for (size_t i = 0; i < p->name.nr; i++)
		Py_XDECREF(p->name.v[i]);
	vec_release(&p->name);
	origin_forget_formats(o);
	vec_release(&p->loaded);
	vec_release(&p->told);
	vec_release(&p->symbol);
	hidx_release(&p->symbol_idx);
	arena_release(&p->texts);
	strtab_release(&p->comms);
	vec_release(&p->comm_of);
	lines_free(p->lines[0]);
	lines_free(p->lines[1]);
	resolver_release(&p->resolver);
	deferred_free(p->deferred);
	free(p->address);
	arena_release(&p->scratch);
	/* a child has no threads of the pool that could be ended: what it has is left */
	if (!in_child(p))
		session_close(p->s);
	PyThread_free_lock(p->lock);
	free(p);
}

static int open_session(struct session **ret, const struct session_opts *opts, struct err *err)
{
	int code;

	Py_BEGIN_ALLOW_THREADS
	code = session_open(ret, opts, err);
	Py_END_ALLOW_THREADS
	return code;
}

struct profile *profile_open(const struct session_opts *opts)
{
	struct err err = ERR_INIT;
	struct session *s;
	struct profile *p;

	if (open_session(&s, opts, &err)) {
		raise_err(&err);
		return NULL;
	}
	p = xcalloc(1, sizeof(*p));
	p->s = s;
	p->pid = getpid();
	p->lock = PyThread_allocate_lock();
	p->origin = (struct origin){ .users = 1, .plan = s->data->plan, .set = s->data->evset, .profile = p,
				     .release = profile_free };
	resolver_init(&p->resolver, s, &p->scratch);
	p->deferred = deferred_new(s);
	p->resolver.deferred = p->deferred;
	if (raise_damage(&s->diag) || raise_warnings()) {
		origin_drop(&p->origin);
		return NULL;
	}
	return p;
}

bool profile_enter(struct profile *p)
{
	if (in_child(p)) {
		PyErr_SetString(PyExc_RuntimeError, "this recording was opened with threads, before a fork: "
				"open it again in the child, or with jobs=1");
		return false;
	}
	if (p->owner == PyThread_get_thread_ident()) {
		PyErr_SetString(PyExc_RuntimeError, "the recording is in use by this thread");
		return false;
	}
	if (!PyThread_acquire_lock(p->lock, NOWAIT_LOCK)) {
		Py_BEGIN_ALLOW_THREADS
		PyThread_acquire_lock(p->lock, WAIT_LOCK);
		Py_END_ALLOW_THREADS
	}
	p->owner = PyThread_get_thread_ident();
	return true;
}

void profile_leave(struct profile *p)
{
	p->owner = 0;
	PyThread_release_lock(p->lock);
}
