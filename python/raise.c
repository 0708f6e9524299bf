/* Errors as exceptions, lines of the log as warnings. */
#include "module.h"
#include "../util/base/diag.h"
#include "../util/base/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static PyObject *error, *warning;

#define ERROR(number, ...) + 1
enum { NR_ERRORS = 0
#include "errors.def"
};
#undef ERROR

static struct error_class {
	int number;
	PyObject *class;
} errors[NR_ERRORS];

/* ---- exceptions ---- */

static PyObject *class_of(int code)
{
	for (size_t i = 0; i < NR_ERRORS; i++)
		if (errors[i].number == -code)
			return errors[i].class;
	return error;
}

static int set_member(PyObject *o, const char *name, PyObject *value)
{
	int ret = value ? PyObject_SetAttrString(o, name, value) : -1;

	Py_XDECREF(value);
	return ret;
}

static PyObject *hints_of(const struct err *err)
{
	PyObject *hints = PyTuple_New(err->nr_hints);

	for (u32 i = 0; hints && i < err->nr_hints; i++) {
		PyObject *hint = text_object(err_hint_at(err, i));

		if (!hint || PyTuple_SetItem(hints, i, hint))
			Py_CLEAR(hints);
	}
	return hints;
}

PyObject *raise_err(const struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	PyObject *class = class_of(err->code), *o;

	if (err->code == -ENOMEM && !*err->msg)
		return PyErr_NoMemory();
	err_describe(err, &text);
	while (text.len && text.buf[text.len - 1] == '\n')
		text.buf[--text.len] = '\0';
	o = PyObject_CallFunction(class, "N", text_object(strbuf_str(&text)));
	strbuf_release(&text);
	if (o && !set_member(o, "errno", PyLong_FromLong(-err->code)) &&
	    !set_member(o, "message", text_object(err->msg)) &&
	    !set_member(o, "place", *err->place ? text_object(err->place) : text_object(NULL)) &&
	    !set_member(o, "hints", hints_of(err)))
		PyErr_SetObject(class, o);
	Py_XDECREF(o);
	return NULL;
}

/* a class of each name, with the bases perf.Error and that of Python */
static PyObject *class_new(PyObject *module, const char *name, PyObject *base, const char *doc)
{
	PyObject *bases = PyTuple_Pack(2, error, base), *class = NULL;
	char full[64];

	snprintf(full, sizeof(full), "perf.%s", name);
	if (bases)
		class = PyErr_NewExceptionWithDoc(full, doc, bases, NULL);
	Py_XDECREF(bases);
	if (class && PyObject_SetAttrString(module, name, class))
		Py_CLEAR(class);
	return class;
}

/* ---- warnings ---- */

/* lines that any thread logged */
static struct strbuf logged;
static pthread_mutex_t logged_lock = PTHREAD_MUTEX_INITIALIZER;

static void keep_line(bool is_warning, const char *text, size_t len)
{
	pthread_mutex_lock(&logged_lock);
	/* a program that never comes back here must not grow */
	if (is_warning && logged.len < (1u << 20)) {
		strbuf_add(&logged, text, len);
		strbuf_addch(&logged, '\n');
	}
	pthread_mutex_unlock(&logged_lock);
}

int raise_notes(const struct strbuf *notes)
{
	const char *p = strbuf_str(notes);

	while (*p) {
		size_t len = strcspn(p, "\n");
		PyObject *text = text_object_len(p, len), *ascii = text ? PyUnicode_AsUTF8String(text) : NULL;
		int ret = ascii ? PyErr_WarnEx(warning, PyBytes_AsString(ascii), 1) : -1;

		Py_XDECREF(text);
		Py_XDECREF(ascii);
		if (ret)
			return ret;
		p += len + (p[len] == '\n');
	}
	return 0;
}

int raise_damage(const struct diag *damage)
{
	struct strbuf text = STRBUF_INIT;
	int ret;

	diag_describe(damage, &text);
	ret = raise_notes(&text);
	strbuf_release(&text);
	return ret;
}

int raise_warnings(void)
{
	struct strbuf taken;
	int ret;

	pthread_mutex_lock(&logged_lock);
	taken = logged;
	logged = (struct strbuf)STRBUF_INIT;
	pthread_mutex_unlock(&logged_lock);
	ret = raise_notes(&taken);
	strbuf_release(&taken);
	return ret;
}

int raise_init(PyObject *module)
{
	error = PyErr_NewExceptionWithDoc("perf.Error",
		"Base of all errors of this module, an OSError. str() is the whole text; message, place "
		"(the text that is wrong, with a caret below it, or None) and hints (a tuple: what can be "
		"done) are its parts.", PyExc_OSError, NULL);
	warning = PyErr_NewExceptionWithDoc("perf.Warning",
		"Something is missing, changed or doubtful; the call goes on.", PyExc_UserWarning, NULL);
	if (!error || !warning || PyObject_SetAttrString(module, "Error", error) ||
	    PyObject_SetAttrString(module, "Warning", warning))
		return -1;
	struct error_class *e = errors;
#define ERROR(number_, name, base, doc) \
	*e = (struct error_class){ number_, doc ? class_new(module, name, base, doc) : e[-1].class }; \
	if (!e++->class) \
		return -1;
#include "errors.def"
#undef ERROR
	log_set_sink(keep_line);
	return 0;
}
