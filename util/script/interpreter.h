/*
 * Interpreter: the library of a language that is chosen when it is first needed, not when perf is built. Its
 * plug-in uses the library's functions without being linked with it. Nothing is run to find a library.
 */
#ifndef PERF_SCRIPT_INTERPRETER_H
#define PERF_SCRIPT_INTERPRETER_H

#include "../base/err.h"

/* owns its texts */
struct interpreter {
	char *library;		/* the file that was loaded */
	char *version;		/* "3.11.2" */
	char *program;		/* of that library, as it was found; NULL: unknown */
};

/*
 * Python from 3.8 on: that of $PERF_PYTHON (a program or a library), else of the first python3 in $PATH that
 * has one, else the newest that the dynamic linker knows; a perf with more rights than its user asks only the
 * linker. Its functions are where plug-ins, loaded after it, find them. 0, or a negative errno with err
 */
int interpreter_load_python(struct interpreter *ret, struct err *err);
void interpreter_release(struct interpreter *i);

#endif
