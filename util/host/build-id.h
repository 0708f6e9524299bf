/*
 * Build-id: reads the GNU build-id from ELF notes: of a file (program headers, no library needed), of the
 * running kernel and of its modules. All input is untrusted.
 */
#ifndef PERF_HOST_BUILD_ID_H
#define PERF_HOST_BUILD_ID_H

#include "../data/features.h"

struct build_id {
	u8 len;			/* 0: none */
	u8 id[BUILDID_MAX];
};

/* scans notes; false if they contain no GNU build-id */
bool build_id_from_notes(const void *notes, size_t len, struct build_id *ret);
/*
 * of an ELF file of either class; the path is not below the fs root. False if it has none or cannot be read
 */
bool build_id_of_file(const char *path, struct build_id *ret);
/* the same for the bytes of such a file */
bool build_id_of_image(const void *image, size_t size, struct build_id *ret);
bool build_id_of_kernel(struct build_id *ret);
/* the name is that in /proc/modules */
bool build_id_of_module(const char *name, struct build_id *ret);

#endif
