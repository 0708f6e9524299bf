#include <slang.h>

int main(void)
{
	return SLtt_initialize(NULL) != 0 && SLsmg_init_smg() == -1;
}
