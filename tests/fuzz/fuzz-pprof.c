/* Fuzz target: pprof profiles, which become recordings. */
#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return import_any("pprof", data, size);
}
