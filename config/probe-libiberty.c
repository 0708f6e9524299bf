#include <libiberty/demangle.h>

int main(void)
{
	return cplus_demangle_v3("_Z1fv", DMGL_PARAMS | DMGL_ANSI) == 0;
}
