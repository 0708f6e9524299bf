/*
 * Source: the symbols and the debug information of a probe's target, opened when first needed and shared by
 * all definitions for it. Chooses between them for each definition.
 */
#ifndef PERF_PROBE_SOURCE_H
#define PERF_PROBE_SOURCE_H

#include "../base/err.h"
#include "point.h"

struct btf;
struct debug_file;
struct kernel_symbols;
struct module_places;
struct probe_image;
struct probe_spec;

/* true if the file is known to be another build than the running kernel */
bool kernel_file_differs(const char *path);

struct probe_source {
	struct probe_target t;
	/* program, library, file of a module; NULL: not needed yet, or the kernel with its loaded modules */
	struct probe_image *img;
	struct kernel_symbols *kernel;	/* NULL: not needed yet, or a program, or not readable */
	char *module_path;	/* file of a module that was given by name; NULL: none, or not needed */
	struct debug_file *debug;	/* NULL: not needed yet, or there is none */
	struct module_places *places;	/* of a module's file; NULL: not needed yet */
	bool debug_tried, types_tried;
	bool is_other_kernel;	/* -k names a file of another build: the running kernel is not asked */
	struct btf *types;		/* of the kernel; NULL: not needed yet, or none */
	struct err debug_err;		/* why there is none */
};

/* opens the symbols; src->t must be filled. 0, or a negative errno with err */
int probe_source_open(struct probe_source *src, struct err *err);
void probe_source_release(struct probe_source *src);
/* NULL with err if there is no debug information */
struct debug_file *probe_source_debug(struct probe_source *src, struct err *err);
/* types of the kernel's functions; NULL: a program, or there are none */
const struct btf *probe_source_types(struct probe_source *src);
/* appends the points of a definition with their fetch-arguments */
int probe_source_points(struct probe_source *src, const struct probe_spec *spec, struct probe_points *out,
			struct err *err);

#endif
