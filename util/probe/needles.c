/* Needles: the end of a name, for 16 bytes at a time. */
#include "needles.h"

typedef u8 bytes_vector __attribute__((vector_size(16)));

const u8 *byte_find_end(const u8 *at, const u8 *end)
{
	bytes_vector other, nul = { 0 }, v;

	memset(&other, '<', sizeof(other));
	for (; end - at >= (ptrdiff_t)sizeof(v); at += sizeof(v)) {
		u64 hit[2];

		memcpy(&v, at, sizeof(v));
		v = (bytes_vector)((v == nul) | (v == other));
		memcpy(hit, &v, sizeof(hit));
		if (hit[0] | hit[1])
			break;
	}
	while (at < end && *at && *at != '<')
		at++;
	return at;
}
