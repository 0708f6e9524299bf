#include <intel-pt.h>

int main(void)
{
	struct pt_config c;

	pt_config_init(&c);
	return !pt_insn_alloc_decoder(&c);
}
