/* Crc32: zlib's polynomial over a whole file, piece by piece. */
#include "crc32.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include "../lib/lib.h"

int crc32_of_file(const char *path, u32 *ret)
{
	int fd, rc = lib_load(LIB_zlib, NULL);
	u8 buf[65536];
	uLong crc;
	ssize_t n;

	if (rc)
		return rc;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	crc = crc32(0, NULL, 0);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		crc = crc32(crc, buf, n);
	n = n < 0 ? -errno : 0;
	close(fd);
	*ret = crc;
	return n;
}
