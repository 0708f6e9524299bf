/* Names of record types. */
#include "sample.h"

static const char *const names[REC_TYPE_MAX] = {
#define RECORD(number, name) [number] = name,
#include "records.def"
#undef RECORD
};

const char *rec_type_name(u32 type)
{
	return type < REC_TYPE_MAX ? names[type] : NULL;
}
