#include <opencsd/c_api/opencsd_c_api.h>

int main(void)
{
	return ocsd_create_dcd_tree(OCSD_TRC_SRC_SINGLE, 0) == C_API_INVALID_TREE_HANDLE;
}
