#include <elfutils/libdwfl.h>

int main(void)
{
	Dwfl_Callbacks cb = { .find_elf = dwfl_linux_proc_find_elf };

	return dwfl_begin(&cb) == NULL;
}
