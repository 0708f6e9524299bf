/*
 * Module-places: names for places in functions of a module whose names are not unique. The kernel is told
 * such a place as an offset from another function of the same section, one with a unique name.
 */
#ifndef PERF_PROBE_MODULE_PLACES_H
#define PERF_PROBE_MODULE_PLACES_H

#include "../base/types.h"

struct debug_file;
struct module_places;
struct probe_image;

/* reads the module's file: d's, or img's if d is NULL; both must outlive the result */
struct module_places *module_places_new(struct debug_file *d, struct probe_image *img);
void module_places_free(struct module_places *m);
bool module_name_is_shared(const struct module_places *m, const char *name);
/*
 * Address of the nearest function with a unique name in the section of svma, before or after it; 0: there is
 * none. *ret_name lives as long as the file
 */
u64 module_reference_before(const struct module_places *m, u64 svma, const char **ret_name);
u64 module_reference_after(const struct module_places *m, u64 svma, const char **ret_name);

#endif
