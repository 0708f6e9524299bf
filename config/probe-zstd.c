#include <zstd.h>

int main(void)
{
	return ZSTD_createDStream() == NULL || ZSTD_CLEVEL_DEFAULT < 0;
}
