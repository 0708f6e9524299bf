#include <capstone/capstone.h>

int main(void)
{
	csh cs;

	return cs_open(CS_ARCH_X86, CS_MODE_64, &cs) != CS_ERR_OK;
}
