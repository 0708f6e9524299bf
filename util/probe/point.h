/*
 * Point: a place where a probe is put: its address, function and source line, and the fetch-arguments as the
 * kernel's definitions write them (kprobetrace and uprobetracer in its documentation).
 * One spec gives several points: globs, inlined copies, lines with several addresses.
 */
#ifndef PERF_PROBE_POINT_H
#define PERF_PROBE_POINT_H

#include "../base/arena.h"
#include "../base/vec.h"

/* a fetch-argument: NAME=TEXT */
struct probe_fetch {
	const char *name;	/* letters, digits and _; NULL: the kernel names it arg1, arg2 ... */
	const char *text;	/* "+8(%di):u32" */
};

struct probe_point {
	u64 svma;		/* address of the dso as linked */
	u64 off;		/* file offset of that instruction: what uprobes take */
	const char *function;	/* symbol that contains it, not demangled; NULL: none */
	u64 function_off;	/* bytes after its start */
	/* function is not the place's own but another one, because several functions have that one's name */
	bool is_counted;
	u64 kernel_address;	/* in the running kernel, if no name identifies the place; else 0 */
	/* the source function: differs from function in inlined copies; NULL: unknown */
	const char *inlined;
	const char *file;	/* source file; NULL: unknown */
	u32 line;		/* of the file; 0: unknown */
	u32 function_line;	/* line of the source function's start; 0: unknown */
	u64 ref_off;		/* file offset of an SDT semaphore; 0: none */
	const char *marker, *group;	/* an SDT marker's name, and the group of its event; NULL: none */
	const char *marker_args;	/* the marker's arguments as its note has them */
	bool is_return;
	struct { VEC(struct probe_fetch); } fetch;
};

struct probe_points {
	VEC(struct probe_point);
	struct arena mem;	/* owns all strings */
};

/* appends a zeroed point; valid until the next one is added */
struct probe_point *probe_points_add(struct probe_points *pts);
/* copies both texts and appends a fetch-argument to p, which belongs to pts */
void probe_point_fetch(struct probe_points *pts, struct probe_point *p, const char *name, const char *text);
/* name, or if a fetch-argument of p has it, name_1, name_2 ...: the kernel refuses equal names */
const char *probe_point_name(struct probe_points *pts, const struct probe_point *p, const char *name);
void probe_points_release(struct probe_points *pts);

struct btf;

struct probe_names {
	VEC(char *);
};

/* where probes go: a program or library, the kernel, or one of its modules */
struct probe_target {
	bool is_kernel;		/* the kernel or a module */
	/* program, library or module as it is in memory; NULL: the kernel itself */
	const char *path;
	const char *module;	/* name of a module, "ext4"; NULL: none */
	/* file with DWARF; may equal path. NULL: search by build-id, debuglink and path */
	const char *debug_file;
	const struct btf *types;	/* of the kernel's functions, if there is no debug information */
	/* functions of all definitions of a command, to search them together; NULL: not known */
	const struct probe_names *functions;
	const char *symfs;	/* NULL: "" */
	const char *source_dir;	/* -s; NULL: none */
	u16 machine;		/* EM_* of the target */
	bool no_inlines;
	bool debuginfod;	/* a debug file may be fetched from servers */
	u32 max_points;		/* more than these are an error */
};

#endif
