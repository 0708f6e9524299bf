/* Names of record types. */
#include "data.h"

static const char *const names[REC_TYPE_MAX] = {
#define RECORD(type, name, size, print, left_alone) [type] = #name,
#include "records.def"
#undef RECORD
};

const char *rec_type_name(u32 type)
{
	return type < REC_TYPE_MAX ? names[type] : NULL;
}
