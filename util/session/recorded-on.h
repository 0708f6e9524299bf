/* Recorded-on: on which machine a file was recorded, and until when: for sym/identity.h. */
#ifndef PERF_SESSION_RECORDED_ON_H
#define PERF_SESSION_RECORDED_ON_H

#include "../data/data.h"
#include "../sym/sym.h"

/* strings belong to data */
struct recorded_on recorded_on_of(const struct data *data);
/* on this machine and by the running kernel, as far as the header shows */
bool recorded_here(const struct features *f);
/*
 * appends the id of the boot of this machine in which the file was recorded; nothing if it was recorded
 * elsewhere or in an earlier one
 */
struct strbuf;
void recorded_boot(const struct data *data, struct strbuf *out);

#endif
