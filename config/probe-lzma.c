#include <lzma.h>

int main(void)
{
	lzma_stream s = LZMA_STREAM_INIT;

	return lzma_stream_decoder(&s, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK;
}
