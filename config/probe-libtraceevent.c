#include <stdbool.h>
#include <traceevent/event-parse.h>

int main(void)
{
	return tep_alloc() == NULL;
}
