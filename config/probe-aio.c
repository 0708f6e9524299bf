#include <aio.h>

int main(void)
{
	struct aiocb cb = { .aio_fildes = -1 };

	return aio_write(&cb) ? aio_error(&cb) : 0;
}
