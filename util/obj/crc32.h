/* Crc32: the checksum of .gnu_debuglink. */
#ifndef PERF_OBJ_CRC32_H
#define PERF_OBJ_CRC32_H

#include "../base/types.h"

/* 0 or a negative errno */
int crc32_of_file(const char *path, u32 *ret);

#endif
