#include <elfutils/debuginfod.h>

int main(void)
{
	debuginfod_client *c = debuginfod_begin();

	debuginfod_set_user_data(c, 0);
	debuginfod_end(c);
	return 0;
}
