/*
 * The module `perf` for Python: live events and recordings as objects. It is a layer above util, as the
 * commands are, and knows no command. Only functions that all Pythons from 3.8 on have are used.
 *
 * Rules of this folder: nothing prints and nothing ends the process: a struct err becomes an exception
 * (raise.c), lines of the log become warnings. What objects share (struct opened_events, struct profile)
 * counts its users, so objects may be dropped in any order. Python's lock (GIL) is held except while
 * something waits or works for long; what runs without it touches no object of Python. The kinds are rows:
 * constants.def, attr-fields.def, event-types.def, columns.def, errors.def.
 */
#ifndef PERF_PYTHON_MODULE_H
#define PERF_PYTHON_MODULE_H

#define Py_LIMITED_API 0x03080000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../util/base/err.h"
#include "../util/base/cpulist.h"
#include "../util/base/strbuf.h"
#include "../util/base/vec.h"

/* ---- raise.c ---- */

/* an exception of the class for its code, with sentence, place and hints. Returns NULL, to be returned */
PyObject *raise_err(const struct err *err);
/* a class of its own for each kind of errno, and perf.Warning; 0 or -1 */
int raise_init(PyObject *module);
/* what was logged meanwhile becomes warnings; -1 if one of them is an exception. Needs the lock */
int raise_warnings(void);
/* lines for the user, each a warning */
int raise_notes(const struct strbuf *notes);
/* a warning for each kind of damage */
struct diag;
int raise_damage(const struct diag *damage);

/* ---- values ---- */

/* NULL becomes None; bytes that are not UTF-8 are shown as \xNN */
PyObject *text_object(const char *text);
PyObject *text_object_len(const char *text, size_t len);
PyObject *list_of_ints(const int *v, size_t nr);
/* a new object of a type, zeroed after the head; NULL with an exception */
PyObject *object_new(PyTypeObject *type);
/* the end of every tp_dealloc: the memory, and the reference to the type */
void object_free(PyObject *o);
/* tp_new of types that only perf makes */
PyObject *not_made_by_call(PyTypeObject *type, PyObject *args, PyObject *kwargs);
/* makes the type and adds it to the module under the last word of its name; NULL with an exception */
PyTypeObject *type_add(PyObject *module, PyType_Spec *spec);
/* the index of a sequence of nr items, negative ones from its end; -1 with IndexError */
Py_ssize_t index_in(Py_ssize_t i, size_t nr);

/* ---- each file adds its types; 0 or -1 with an exception ---- */

int maps_init(PyObject *module);
int counts_init_types(PyObject *module);
int evsel_init(PyObject *module);
int evlist_init(PyObject *module);
int events_init(PyObject *module);
int session_init(PyObject *module);
int count_init(PyObject *module);
int pmus_init(PyObject *module);

/* ---- maps.c ---- */

PyObject *cpu_map_new(const int *cpu, size_t nr);
PyObject *thread_map_new(const s32 *tid, size_t nr);
/* borrowed, or NULL with TypeError if o is another object; NULL and None: all CPUs, all threads */
const struct cpulist *cpu_map_of(PyObject *o);
bool cpus_of(PyObject *o, struct cpulist *ret);
struct tid_list { VEC(s32); };
bool tids_of(PyObject *o, struct tid_list *ret);

/* ---- counts.c ---- */

struct counts_values {
	u64 val, ena, run, id, lost;
};
PyObject *counts_values_new(const struct counts_values *v);

#endif
