/*
 * Module-places: how the kernel can be told a place in a function of a module if other functions of the
 * module have its name: from a function before it in the same section, whose name no other has.
 */
#ifndef PERF_PROBE_MODULE_PLACES_H
#define PERF_PROBE_MODULE_PLACES_H

#include "../base/types.h"

struct debug_file;
struct module_places;
struct probe_image;

/* of the module's file: that of d if it is not NULL, else of img; both live longer */
struct module_places *module_places_new(struct debug_file *d, struct probe_image *img);
void module_places_free(struct module_places *m);
bool module_name_is_shared(const struct module_places *m, const char *name);
/*
 * The nearest function of a name of its own, in the section of svma: before it, or after it. Its address; 0:
 * there is none. *ret_name lives as long as the file
 */
u64 module_reference_before(const struct module_places *m, u64 svma, const char **ret_name);
u64 module_reference_after(const struct module_places *m, u64 svma, const char **ret_name);

#endif
