#include <EXTERN.h>
#include <perl.h>

int main(void)
{
	return !perl_alloc();
}
