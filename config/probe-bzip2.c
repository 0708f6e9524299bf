#include <bzlib.h>

int main(void)
{
	return BZ2_bzlibVersion() == NULL;
}
