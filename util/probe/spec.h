/*
 * Spec: a probe definition as the user wrote it, in parts: names, place, arguments (spec-parse.h). The spec
 * owns all of its strings (in its arena); it is const once parsed.
 */
#ifndef PERF_PROBE_SPEC_H
#define PERF_PROBE_SPEC_H

#include "../base/arena.h"
#include "../base/vec.h"

struct strbuf;

enum probe_place_kind {
	PROBE_FUNCTION,		/* function (a glob with is_glob), offset or line or pattern, perhaps file */
	PROBE_FILE_LINE,	/* file and line, or file and pattern */
	PROBE_ADDRESS,		/* address: as linked */
	PROBE_SDT,		/* %sdt_provider:name: group and function (its name) */
	PROBE_CACHED,		/* %[group:]name, from the build-id cache: group (or NULL) and function */
};

struct probe_place {
	enum probe_place_kind kind;
	/*
	 * without quotes and backslashes; NULL: none. "malloc@@GLIBC_2.2.5" has its version in it. A
	 * pattern of fnmatch(3) if is_glob, as pattern always is
	 */
	char *function;
	char *group;		/* PROBE_SDT ("sdt_provider"), PROBE_CACHED; NULL: none */
	char *file;		/* of func@FILE and FILE:LINE; NULL: none */
	/* of func;PATTERN: glob that matches anywhere in a trimmed line; NULL: none */
	char *pattern;
	u64 offset;		/* of func+OFF, in bytes; 0: none */
	u64 address;
	u32 line;		/* FUNCTION: relative to the function's line; FILE_LINE: of the file */
	bool has_line;		/* func:0 is the function's own line */
	bool is_glob;		/* function has unescaped * ? or [ */
	bool is_return;
};

/* steps from a variable to the value, in the order of application */
enum probe_step_kind {
	PROBE_STEP_MEMBER,	/* .name */
	PROBE_STEP_ARROW,	/* ->name */
	PROBE_STEP_INDEX,	/* [index] */
	PROBE_STEP_DEREF,	/* *p */
	PROBE_STEP_ADDRESS,	/* &x, always the last one */
};

struct probe_step {
	enum probe_step_kind kind;
	char *name;		/* MEMBER, ARROW */
	s64 index;		/* INDEX */
};

enum probe_arg_kind {
	PROBE_ARG_VARIABLE,	/* variable (local, parameter or global) and steps */
	PROBE_ARG_REGISTER,	/* %name: text as typed, without the % */
	PROBE_ARG_STACK,	/* $stack */
	PROBE_ARG_STACKN,	/* $stackN: number */
	PROBE_ARG_COMM,		/* $comm */
	PROBE_ARG_ARGN,		/* $argN: number from 1 */
	PROBE_ARG_RETVAL,	/* $retval and steps */
	PROBE_ARG_ADDRESS,	/* @ADDR or @+OFF: number; @SYM[+-OFF]: variable and number */
	PROBE_ARG_IMMEDIATE,	/* \N: number; \"text": variable */
	PROBE_ARG_DEREF,	/* +OFF(inner), -OFF(inner), +uOFF(inner): number, is_user, inner */
	PROBE_ARG_PARAMS,	/* $params: all parameters of the function */
	PROBE_ARG_VARS,		/* $vars: all variables that are visible at the place */
};

enum probe_type_kind {
	PROBE_TYPE_AUTO,	/* none was given */
	PROBE_TYPE_UNSIGNED,	/* u8 .. u64 */
	PROBE_TYPE_SIGNED,	/* s8 .. s64 */
	PROBE_TYPE_HEX,		/* x8 .. x64 */
	PROBE_TYPE_CHAR,
	PROBE_TYPE_STRING,
	PROBE_TYPE_USTRING,
	PROBE_TYPE_SYMBOL,	/* symbol: an address shown as symbol+offset */
	PROBE_TYPE_SYMSTR,	/* symstr: the same, as text when it is recorded */
	PROBE_TYPE_BITFIELD,	/* bWIDTH@OFFSET/CONTAINER */
};

struct probe_type {
	enum probe_type_kind kind;
	/*
	 * as the kernel's text, without the colon: "u32", "b3@2/32", "string[4]"; NULL: none. "[4]" alone is
	 * array 4 of kind AUTO
	 */
	char *text;
	u8 bits;		/* of an element, of a bit field's container; 0: not a number */
	u8 bit_width, bit_offset;
	u32 array;		/* number of elements; 0: not an array */
};

struct probe_arg {
	char *name;		/* NULL: automatic */
	enum probe_arg_kind kind;
	char *variable;
	struct { VEC(struct probe_step); } step;
	s64 number;
	bool is_plus;		/* @+OFF: an offset in the file, which only uprobes know */
	bool is_user;		/* +uOFF(), or an attribute @user: memory of the process */
	struct probe_arg *inner;
	struct probe_type type;
	char *text;		/* as typed, without the name: "list->head[2]:u32" */
};

struct probe_spec {
	char *group, *event;	/* NULL: automatic */
	struct probe_place place;
	struct { VEC(struct probe_arg); } arg;
	char *text;		/* the whole definition as typed */
	char *place_text;	/* its place, for lists and messages: "foo+0x10", "foo%return" */
	struct arena mem;	/* owns the strings and inner arguments */
};

void probe_spec_release(struct probe_spec *spec);
/* appends what was understood, in words */
void probe_spec_describe(const struct probe_spec *spec, struct strbuf *out);
/* the name that an argument gets from its last member or its variable; NULL: it has none */
const char *probe_arg_member(const struct probe_arg *a);
/* whether one of the arguments needs debug information: variables, $params, $vars, members */
bool probe_spec_needs_variables(const struct probe_spec *spec);
/* whether the place needs debug information: lines, patterns, files */
bool probe_spec_needs_lines(const struct probe_spec *spec);

#endif
