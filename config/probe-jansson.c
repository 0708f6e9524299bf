#include <jansson.h>

int main(void)
{
	return json_loadb("[]", 2, JSON_DISABLE_EOF_CHECK, NULL) == NULL;
}
