/*
 * Plug-in: scripts in Python. Ops in util/script/engine-plugin.h. It is not linked with a library of Python:
 * one is loaded before it (util/script/interpreter.h), so it uses only what all of them have from 3.8 on.
 */
#define Py_LIMITED_API 0x03080000
#include <Python.h>

#include "../util/script/engine-plugin.h"
#include "../util/base/plugin.h"
#include "libpython-modules.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS_MAX 4096
#define KEYS 1024u			/* names of values that are kept as Python's texts */

static struct {
	const struct engine_script *script;
	PyObject *names;		/* those of the script, as a dictionary */
	PyObject *context;		/* what functions of perf_trace_context are given */
	PyObject *function_type;	/* of functions that are written in Python */
	PyObject *function[FUNCTIONS_MAX];
	int nr_functions;
	struct { const char *key; PyObject *text; } key[KEYS];
} py;

/* ---- values ---- */

static PyObject *to_python(const struct script_value *v);

static PyObject *text_of(const char *p, size_t len)
{
	return PyUnicode_DecodeUTF8(p, (Py_ssize_t)len, "backslashreplace");
}

/* a reference of the table's own, until the next call */
static PyObject *key_of(const char *key)
{
	size_t slot = ((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u >> 32) % KEYS;

	if (py.key[slot].key != key) {
		Py_XDECREF(py.key[slot].text);
		py.key[slot].text = PyUnicode_InternFromString(key);
		py.key[slot].key = py.key[slot].text ? key : NULL;
	}
	return py.key[slot].text;
}

#include "libpython-dict.h"

static PyObject *list_of(const struct script_value *v, uint32_t nr)
{
	PyObject *list = PyList_New(nr);

	for (uint32_t i = 0; list && i < nr; i++) {
		PyObject *value = to_python(&v[i]);

		if (!value || PyList_SetItem(list, i, value))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *tuple_of(const struct script_value *v, uint32_t nr)
{
	PyObject *tuple = PyTuple_New(nr);

	for (uint32_t i = 0; tuple && i < nr; i++) {
		PyObject *value = to_python(&v[i]);

		if (!value || PyTuple_SetItem(tuple, i, value))
			Py_CLEAR(tuple);
	}
	return tuple;
}

static PyObject *to_python(const struct script_value *v)
{
	struct script_value made;

	switch (v->kind) {
	case VALUE_INT:
		return PyLong_FromLongLong(v->i);
	case VALUE_UINT:
		return PyLong_FromUnsignedLongLong(v->u);
	case VALUE_BOOL:
		return PyBool_FromLong(v->u != 0);
	case VALUE_TEXT:
		return text_of(v->bytes.p, v->bytes.len);
	case VALUE_BYTES:
		return PyBytes_FromStringAndSize(v->bytes.p, (Py_ssize_t)v->bytes.len);
	case VALUE_BYTEARRAY:
		return PyByteArray_FromStringAndSize(v->bytes.p, (Py_ssize_t)v->bytes.len);
	case VALUE_LIST:
		return list_of(v->of.v, v->of.nr);
	case VALUE_TUPLE:
		return tuple_of(v->of.v, v->of.nr);
	case VALUE_DICT:
		return late_dict(v->of.v, v->of.nr);
	case VALUE_LATER:
		made = py.script->later(py.script->ctx, v->later);
		return to_python(&made);
	case VALUE_CONTEXT:
		Py_INCREF(py.context);
		return py.context;
	case VALUE_MORE:
	case VALUE_NONE:
		break;
	}
	Py_RETURN_NONE;
}

/* ---- the module perf_trace_context ---- */

static PyObject *ask(PyObject *args, enum script_question q)
{
	struct script_value answer;
	PyObject *context;

	if (!PyArg_ParseTuple(args, "O", &context))
		return NULL;
	answer = py.script->ask(py.script->ctx, q);
	return to_python(&answer);
}

static PyObject *common_pc(PyObject *self, PyObject *args)
{
	(void)self;
	return ask(args, ASK_COMMON_PC);
}

static PyObject *common_flags(PyObject *self, PyObject *args)
{
	(void)self;
	return ask(args, ASK_COMMON_FLAGS);
}

static PyObject *common_lock_depth(PyObject *self, PyObject *args)
{
	(void)self;
	return ask(args, ASK_COMMON_LOCK_DEPTH);
}

static PyObject *sample_insn(PyObject *self, PyObject *args)
{
	(void)self;
	return ask(args, ASK_INSN);
}

static PyObject *sample_srcline(PyObject *self, PyObject *args)
{
	(void)self;
	return ask(args, ASK_SRCLINE);
}

static PyObject *sample_srccode(PyObject *self, PyObject *args)
{
	(void)self;
	return ask(args, ASK_SRCCODE);
}

/* a hardware trace was decoded before the script begins: the letters are only checked */
static PyObject *set_itrace_options(PyObject *self, PyObject *args)
{
	PyObject *context;
	const char *options;

	(void)self;
	if (!PyArg_ParseTuple(args, "Os", &context, &options))
		return NULL;
	return PyLong_FromLong(py.script->check_itrace(options) ? -1 : 0);
}

static PyObject *config_get(PyObject *self, PyObject *args)
{
	const char *name, *value;

	(void)self;
	if (!PyArg_ParseTuple(args, "s", &name))
		return NULL;
	value = py.script->config ? py.script->config(name) : NULL;
	if (!value)
		Py_RETURN_NONE;
	return text_of(value, strlen(value));
}

static PyObject *field_words(PyObject *self, PyObject *args)
{
	const char *event, *field;
	PyObject *number;
	unsigned long long value;
	int flags;

	(void)self;
	if (!PyArg_ParseTuple(args, "ssOp", &event, &field, &number, &flags))
		return NULL;
	value = PyLong_AsUnsignedLongLongMask(number);
	if (PyErr_Occurred())
		return NULL;
	return PyUnicode_FromString(py.script->words(py.script->ctx, event, field, value, flags));
}

static PyObject *syscall_name(PyObject *self, PyObject *args)
{
	const char *name;
	int nr;

	(void)self;
	if (!PyArg_ParseTuple(args, "i", &nr))
		return NULL;
	name = py.script->syscall(py.script->ctx, nr);
	if (!name)
		Py_RETURN_NONE;
	return PyUnicode_FromString(name);
}

static PyMethodDef methods[] = {
	{ "common_pc", common_pc, METH_VARARGS, "common_preempt_count of the event" },
	{ "common_flags", common_flags, METH_VARARGS, "common_flags of the event" },
	{ "common_lock_depth", common_lock_depth, METH_VARARGS, "common_lock_depth of the event" },
	{ "perf_sample_insn", sample_insn, METH_VARARGS, "bytes of the instruction, or None" },
	{ "perf_sample_srcline", sample_srcline, METH_VARARGS, "(file, line) of the sample" },
	{ "perf_sample_srccode", sample_srccode, METH_VARARGS, "(file, line, text) of the sample" },
	{ "perf_set_itrace_options", set_itrace_options, METH_VARARGS, "0: the options are right" },
	{ "perf_config_get", config_get, METH_VARARGS, "a value of the configuration, or None" },
	{ "_words", field_words, METH_VARARGS, "words of a tracepoint's field" },
	{ "_syscall", syscall_name, METH_VARARGS, "name of a system call of the recorded machine, or None" },
	{ NULL, NULL, 0, NULL },
};

static struct PyModuleDef definition = {
	.m_base = PyModuleDef_HEAD_INIT, .m_name = "perf_trace_context", .m_size = -1, .m_methods = methods,
};

static PyObject *make_module(void)
{
	PyObject *module = PyModule_Create(&definition);

	Py_INCREF(py.context);
	if (module && PyModule_AddObject(module, "perf_script_context", py.context))
		Py_CLEAR(module);
	return module;
}

/* ---- running ---- */

/* what an exception means: reported, or the script wants to end */
static int failed(int *ret_status)
{
	PyObject *type, *value, *trace, *code;

	if (PyErr_ExceptionMatches(PyExc_BrokenPipeError)) {
		PyErr_Clear();
		return -EPIPE;
	}
	if (!PyErr_ExceptionMatches(PyExc_SystemExit)) {
		PyErr_Print();
		return -ECANCELED;
	}
	PyErr_Fetch(&type, &value, &trace);
	PyErr_NormalizeException(&type, &value, &trace);
	code = value ? PyObject_GetAttrString(value, "code") : NULL;
	*ret_status = 0;
	if (code && PyLong_Check(code)) {
		*ret_status = (int)PyLong_AsLong(code);
	} else if (code && code != Py_None) {
		PySys_FormatStderr("%S\n", code);
		*ret_status = 1;
	}
	Py_XDECREF(code);
	Py_XDECREF(type);
	Py_XDECREF(value);
	Py_XDECREF(trace);
	PyErr_Clear();
	return ENGINE_EXIT;
}

/* the whole file; NULL with a Python exception */
static PyObject *read_file(const char *path)
{
	PyObject *io = PyImport_ImportModule("io"), *file = NULL, *bytes = NULL;

	if (io)
		file = PyObject_CallMethod(io, "open", "ss", path, "rb");
	if (file)
		bytes = PyObject_CallMethod(file, "read", NULL);
	Py_XDECREF(file);
	Py_XDECREF(io);
	return bytes;
}

static int run_text(const char *text, const char *path, PyObject *names)
{
	PyObject *code = Py_CompileString(text, path, Py_file_input), *result = NULL;

	/* newer versions do that by themselves */
	if (code && !PyDict_GetItemString(names, "__builtins__") &&
	    PyDict_SetItemString(names, "__builtins__", PyEval_GetBuiltins()))
		Py_CLEAR(code);
	if (code)
		result = PyEval_EvalCode(code, names, names);
	Py_XDECREF(code);
	Py_XDECREF(result);
	return result ? 0 : -1;
}

static int add_module(const char *name, const char *text)
{
	PyObject *code = Py_CompileString(text, name, Py_file_input);
	PyObject *module = code ? PyImport_ExecCodeModule(name, code) : NULL;

	Py_XDECREF(code);
	Py_XDECREF(module);
	return module ? 0 : -1;
}

/* modules beside the script are found, as if python had run it */
static int add_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	PyObject *list = PySys_GetObject("path");
	PyObject *folder = slash ? PyUnicode_DecodeFSDefaultAndSize(path, slash - path) :
				   PyUnicode_FromString("");
	int ret = list && folder ? PyList_Insert(list, 0, folder) : -1;

	Py_XDECREF(folder);
	return ret;
}

/* where the locale has no encoding, texts are UTF-8, as in the program python3 */
static void choose_encoding(void)
{
	int *utf8 = dlsym(RTLD_DEFAULT, "Py_UTF8Mode");
	const char *locale = getenv("LC_ALL");

	if (!locale || !*locale)
		locale = getenv("LC_CTYPE");
	if (!locale || !*locale)
		locale = getenv("LANG");
	if (utf8 && (!locale || !*locale || !strcmp(locale, "C") || !strcmp(locale, "POSIX")))
		*utf8 = 1;
}

/* modules are those of the program: of a virtual environment, too. The function is not in all versions */
static void choose_program(const char *program)
{
	void (*set)(const wchar_t *name);
	wchar_t *name = program ? Py_DecodeLocale(program, NULL) : NULL;

	*(void **)&set = dlsym(RTLD_DEFAULT, "Py_SetProgramName");
	/* the name must stay */
	if (set && name)
		set(name);
}

static int set_arguments(const struct engine_script *s)
{
	PyObject *list = PyList_New(s->argc);
	int ret;

	for (int i = 0; list && i < s->argc; i++) {
		PyObject *word = PyUnicode_DecodeFSDefault(s->argv[i]);

		if (!word || PyList_SetItem(list, i, word))
			Py_CLEAR(list);
	}
	ret = list ? PySys_SetObject("argv", list) : -1;
	Py_XDECREF(list);
	return ret;
}

static int find_function_type(void)
{
	PyObject *types = PyImport_ImportModule("types");

	py.function_type = types ? PyObject_GetAttrString(types, "FunctionType") : NULL;
	Py_XDECREF(types);
	return py.function_type ? 0 : -1;
}

static int begin(const struct engine_script *s, int *ret_status)
{
	PyObject *text;
	int ret;

	PyImport_AppendInittab("perf_trace_context", make_module);
	choose_encoding();
	choose_program(s->program);
	Py_InitializeEx(0);
	py.script = s;
	py.context = PyCapsule_New(&py, "perf", NULL);
	py.names = PyModule_GetDict(PyImport_AddModule("__main__"));
	if (!py.context || set_arguments(s) || find_function_type() || make_late_type() ||
	    add_folder(s->path) ||
	    add_module("Core", core_module) ||
	    add_module("Util", util_module) || add_module("EventClass", event_class_module) ||
	    run_text(missing_module, "perf", PyModule_GetDict(PyImport_AddModule("perf_missing"))) ||
	    PyDict_SetItemString(py.names, "perf_script_context", py.context))
		return failed(ret_status);
	text = read_file(s->path);
	ret = text && !run_text(PyBytes_AsString(text), s->path, py.names) ? 0 : failed(ret_status);
	Py_XDECREF(text);
	return ret;
}

/* of a function that is written in Python */
static uint32_t nr_arguments(PyObject *f)
{
	PyObject *code = NULL, *nr = NULL;
	uint32_t ret;

	if (PyObject_IsInstance(f, py.function_type) == 1)
		code = PyObject_GetAttrString(f, "__code__");
	if (code)
		nr = PyObject_GetAttrString(code, "co_argcount");
	ret = nr ? (uint32_t)PyLong_AsLong(nr) : 0;
	Py_XDECREF(nr);
	Py_XDECREF(code);
	PyErr_Clear();
	return ret;
}

static int find(const char *name, uint32_t *ret_nr)
{
	PyObject *f = PyDict_GetItemString(py.names, name);

	if (!f || !PyCallable_Check(f) || py.nr_functions == FUNCTIONS_MAX)
		return -1;
	*ret_nr = nr_arguments(f);
	Py_INCREF(f);
	py.function[py.nr_functions] = f;
	return py.nr_functions++;
}

static int call(int function, const struct script_value *arg, uint32_t nr, int *ret_status)
{
	PyObject *args = tuple_of(arg, nr);
	PyObject *result = args ? PyObject_CallObject(py.function[function], args) : NULL;

	int ret = result ? 0 : failed(ret_status);

	Py_XDECREF(args);
	Py_XDECREF(result);
	if (end_late_dicts() && !ret)
		ret = failed(ret_status);
	return ret;
}

/* what is printed before is written in any case; the interpreter itself would only warn */
static int flush(const char *name)
{
	PyObject *file = PySys_GetObject(name);
	PyObject *done = file && file != Py_None ? PyObject_CallMethod(file, "flush", NULL) : NULL;
	int status, ret = 0;

	if (!done && PyErr_Occurred())
		ret = failed(&status);
	Py_XDECREF(done);
	return ret;
}

static int end(void)
{
	int ret = flush("stdout");

	Py_FinalizeEx();
	return ret;
}

static const struct engine_plugin_ops ops = { begin, find, call, end };

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libpython", &ops };
