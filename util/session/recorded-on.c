/* Recorded-on: facts of the header and of the running system. */
#include "recorded-on.h"

#include <string.h>
#include <sys/utsname.h>

/*
 * Recorded on this machine and by the running kernel: without a build-id, only this shows whose symbols are
 * right.
 */
bool recorded_here(const struct features *f)
{
	struct utsname u;

	return f->hostname && f->osrelease && f->arch && !uname(&u) && !strcmp(f->hostname, u.nodename) &&
	       !strcmp(f->osrelease, u.release) && !strcmp(f->arch, u.machine);
}

/*
 * The file was written last when the recording had ended, or when it was copied later; a header with the time
 * of day knows it better
 */
static s64 ended_ns(const struct data *d)
{
	const struct features *f = &d->feat;
	s64 end = d->changed_ns;
	u64 since;

	if (!feature_present(f, FEAT_CLOCK_DATA) || !feature_present(f, FEAT_SAMPLE_TIME) ||
	    f->sample_time_last < f->clock_ns || f->clock_tod_ns > INT64_MAX / 2)
		return end;
	since = f->sample_time_last - f->clock_ns;
	if (since > INT64_MAX / 2)
		return end;
	return end ? MIN(end, (s64)(f->clock_tod_ns + since)) : (s64)(f->clock_tod_ns + since);
}

struct recorded_on recorded_on_of(const struct data *data)
{
	const struct features *f = &data->feat;
	struct recorded_on on = { .until_ns = ended_ns(data) };
	struct utsname u;

	if (uname(&u))
		return on;
	on.this_host = f->hostname && !strcmp(f->hostname, u.nodename);
	on.other_kernel = f->osrelease && strcmp(f->osrelease, u.release);
	if (data->swap || features_arch(f) != arch_native())
		on.other_machine = f->arch ? f->arch : "another architecture";
	else if (f->hostname && !on.this_host)
		on.other_machine = f->hostname;
	return on;
}
