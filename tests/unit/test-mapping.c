/* Unit test of mappings: a text that fills its last page has an end, and pages come back when read again. */
#include "test.h"
#include "../../util/base/alloc.h"
#include "../../util/base/mapping.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST(mapping_ends_with_a_zero)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *text = xmalloc(2 * page);
	struct mapping m;
	int fd = open("text", O_RDWR | O_CREAT, 0600);

	memset(text, 'x', 2 * page);
	REQUIRE(fd >= 0 && write(fd, text, 2 * page) == (ssize_t)(2 * page));
	REQUIRE(!mapping_open(&m, fd, 2 * page));
	CHECK_U64(m.len, 2 * page);
	CHECK_U64(strlen((const char *)m.p), 2 * page);
	mapping_rest(&m);
	CHECK(!memcmp(m.p, text, 2 * page));
	CHECK(!mapping_torn(&m));
	mapping_close(&m);
	close(fd);
	free(text);
}
