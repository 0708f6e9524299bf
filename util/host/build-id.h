/*
 * Build-id: the GNU build id out of ELF notes: of a file (program headers, no library needed), of the running kernel and of
 * its modules. What is read is untrusted.
 */
#ifndef PERF_HOST_BUILD_ID_H
#define PERF_HOST_BUILD_ID_H

#include "../data/features.h"

struct build_id {
	u8 len;			/* 0: none */
	u8 id[BUILDID_MAX];
};

/* scans notes; false where there is no GNU build id among them */
bool build_id_from_notes(const void *notes, size_t len, struct build_id *ret);
/* an ELF file of either class; not followed below the fs root. False where it has none or cannot be read */
bool build_id_of_file(const char *path, struct build_id *ret);
/* the bytes of such a file */
bool build_id_of_image(const void *image, size_t size, struct build_id *ret);
bool build_id_of_kernel(struct build_id *ret);
/* name as /proc/modules has it */
bool build_id_of_module(const char *name, struct build_id *ret);

#endif
