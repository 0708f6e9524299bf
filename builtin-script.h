/* perf script: what its files share. */
#ifndef PERF_BUILTIN_SCRIPT_H
#define PERF_BUILTIN_SCRIPT_H

#include <stdbool.h>

struct err;
struct option;
struct python_opts;
struct script_fields;
struct session;

/*
 * runs perf script as upstream's script for flame graphs is called; false: the arguments do not name it.
 * *ret: the exit status
 */
bool script_flamegraph(int argc, const char **argv, int *ret);

/* --script: the value is a struct python_opts; --gen-script: a bool */
int script_parse_name(const struct option *opt, const char *arg, bool unset);
int script_parse_language(const struct option *opt, const char *arg, bool unset);
/* warns of -F beside --script */
void script_note_fields(const struct script_fields *f);
/* the first Ctrl-C lets the script show what it has, the second one ends perf */
void script_catch_interrupt(struct python_opts *o);
/* writes perf-script.py, which must not be there, into the current directory; a negative errno with err */
int script_write_starter(const struct session *s, struct err *err);

#endif
