/* cpu_map, thread_map: the CPUs and threads that events are opened on. Sequences of numbers, constant. */
#include "module.h"
#include "../util/kernel/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct cpu_map_object {
	PyObject_HEAD
	struct cpulist cpus;
};

struct thread_map_object {
	PyObject_HEAD
	struct tid_list tids;
};

static PyTypeObject *cpu_map_type, *thread_map_type;

/* ---- CPUs ---- */

PyObject *cpu_map_new(const int *cpu, size_t nr)
{
	struct cpu_map_object *m = (struct cpu_map_object *)object_new(cpu_map_type);

	for (size_t i = 0; m && i < nr; i++)
		vec_push(&m->cpus, cpu[i]);
	return (PyObject *)m;
}

static PyObject *cpu_map_call(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "cpustr", NULL };
	struct err err = ERR_INIT;
	const char *text = NULL;
	struct cpu_map_object *m;
	int ret = 0;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|z:cpu_map", keys, &text))
		return NULL;
	m = (struct cpu_map_object *)object_new(type);
	if (!m)
		return NULL;
	if (text && !strcmp(text, "-1"))
		vec_push(&m->cpus, -1);
	else if (text && *text)
		ret = cpulist_parse(&m->cpus, text, &err);
	else
		ret = cpus_online(&m->cpus, &err);
	if (!ret)
		return (PyObject *)m;
	Py_DECREF(m);
	return raise_err(&err);
}

static void cpu_map_dealloc(PyObject *o)
{
	vec_release(&((struct cpu_map_object *)o)->cpus);
	object_free(o);
}

static Py_ssize_t cpu_map_length(PyObject *o)
{
	return (Py_ssize_t)((struct cpu_map_object *)o)->cpus.nr;
}

static PyObject *cpu_map_item(PyObject *o, Py_ssize_t i)
{
	const struct cpulist *cpus = &((struct cpu_map_object *)o)->cpus;

	i = index_in(i, cpus->nr);
	return i < 0 ? NULL : PyLong_FromLong(cpus->v[i]);
}

static PyObject *cpu_map_repr(PyObject *o)
{
	const struct cpulist *cpus = &((struct cpu_map_object *)o)->cpus;
	struct strbuf text = STRBUF_INIT;
	PyObject *ret;

	if (cpus->nr && cpus->v[0] < 0)
		strbuf_addstr(&text, "-1");
	else
		cpulist_format(cpus, &text);
	ret = PyUnicode_FromFormat("cpu_map('%s')", strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

const struct cpulist *cpu_map_of(PyObject *o)
{
	if (PyObject_TypeCheck(o, cpu_map_type))
		return &((struct cpu_map_object *)o)->cpus;
	PyErr_SetString(PyExc_TypeError, "CPUs must be a perf.cpu_map");
	return NULL;
}

bool cpus_of(PyObject *o, struct cpulist *ret)
{
	struct err err = ERR_INIT;
	const struct cpulist *from;

	*ret = (struct cpulist){ 0 };
	if (!o || o == Py_None) {
		if (!cpus_online(ret, &err))
			return true;
		raise_err(&err);
		return false;
	}
	from = cpu_map_of(o);
	for (size_t i = 0; from && i < from->nr; i++)
		vec_push(ret, from->v[i]);
	return from;
}

/* ---- threads ---- */

PyObject *thread_map_new(const s32 *tid, size_t nr)
{
	struct thread_map_object *m = (struct thread_map_object *)object_new(thread_map_type);

	for (size_t i = 0; m && i < nr; i++)
		vec_push(&m->tids, tid[i]);
	return (PyObject *)m;
}

static int find_threads(struct tid_list *ret, int pid, int tid, struct err *err)
{
	struct strbuf notes = STRBUF_INIT;
	struct target t = { 0 };
	char word[16];
	int code;

	/* 0: the thread that opens the events */
	if (pid < 0 && tid <= 0) {
		vec_push(ret, tid);
		return 0;
	}
	snprintf(word, sizeof(word), "%d", pid > 0 ? pid : pid ? tid : (int)getpid());
	code = target_resolve(&t, pid >= 0 ? &(struct target_opts){ .pids = word } :
			      &(struct target_opts){ .tids = word }, &notes, err);
	for (size_t i = 0; !code && i < t.tids.nr; i++)
		vec_push(ret, t.tids.v[i]);
	target_release(&t);
	strbuf_release(&notes);
	return code;
}

static PyObject *thread_map_call(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "pid", "tid", NULL };
	struct err err = ERR_INIT;
	struct thread_map_object *m;
	int pid = -1, tid = -1;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|ii:thread_map", keys, &pid, &tid))
		return NULL;
	m = (struct thread_map_object *)object_new(type);
	if (!m || !find_threads(&m->tids, pid, tid, &err))
		return (PyObject *)m;
	Py_DECREF(m);
	return raise_err(&err);
}

static void thread_map_dealloc(PyObject *o)
{
	vec_release(&((struct thread_map_object *)o)->tids);
	object_free(o);
}

static Py_ssize_t thread_map_length(PyObject *o)
{
	return (Py_ssize_t)((struct thread_map_object *)o)->tids.nr;
}

static PyObject *thread_map_item(PyObject *o, Py_ssize_t i)
{
	const struct tid_list *tids = &((struct thread_map_object *)o)->tids;

	i = index_in(i, tids->nr);
	return i < 0 ? NULL : PyLong_FromLong(tids->v[i]);
}

static PyObject *thread_map_repr(PyObject *o)
{
	const struct tid_list *tids = &((struct thread_map_object *)o)->tids;
	PyObject *list = list_of_ints(tids->v, tids->nr), *ret = NULL;

	if (list)
		ret = PyUnicode_FromFormat("thread_map(%R)", list);
	Py_XDECREF(list);
	return ret;
}

bool tids_of(PyObject *o, struct tid_list *ret)
{
	const struct tid_list *from;

	*ret = (struct tid_list){ 0 };
	if (!o || o == Py_None) {
		vec_push(ret, -1);
		return true;
	}
	if (!PyObject_TypeCheck(o, thread_map_type)) {
		PyErr_SetString(PyExc_TypeError, "threads must be a perf.thread_map");
		return false;
	}
	from = &((struct thread_map_object *)o)->tids;
	for (size_t i = 0; i < from->nr; i++)
		vec_push(ret, from->v[i]);
	return true;
}

static PyType_Slot cpu_map_slots[] = {
	{ Py_tp_doc, "cpu_map(cpustr=None)\n--\n\nThe CPUs that are online, or those of a list such as "
		     "'0-3,8'; '-1': events follow their threads to any CPU." },
	{ Py_tp_new, cpu_map_call },
	{ Py_tp_dealloc, cpu_map_dealloc },
	{ Py_tp_repr, cpu_map_repr },
	{ Py_sq_length, cpu_map_length },
	{ Py_sq_item, cpu_map_item },
	{ 0, NULL }
};
static PyType_Spec cpu_map_spec = { "perf.cpu_map", sizeof(struct cpu_map_object), 0, Py_TPFLAGS_DEFAULT,
				    cpu_map_slots };

static PyType_Slot thread_map_slots[] = {
	{ Py_tp_doc, "thread_map(pid=-1, tid=-1)\n--\n\nAll threads of a process (0: this one), or one "
		     "thread; without either [-1]: all tasks of the system." },
	{ Py_tp_new, thread_map_call },
	{ Py_tp_dealloc, thread_map_dealloc },
	{ Py_tp_repr, thread_map_repr },
	{ Py_sq_length, thread_map_length },
	{ Py_sq_item, thread_map_item },
	{ 0, NULL }
};
static PyType_Spec thread_map_spec = { "perf.thread_map", sizeof(struct thread_map_object), 0,
				       Py_TPFLAGS_DEFAULT,
				       thread_map_slots };

int maps_init(PyObject *module)
{
	cpu_map_type = type_add(module, &cpu_map_spec);
	thread_map_type = cpu_map_type ? type_add(module, &thread_map_spec) : NULL;
	return thread_map_type ? 0 : -1;
}
