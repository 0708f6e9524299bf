/* Recorded-on: facts of the header and of the running system. */
#include "recorded-on.h"
#include "../base/fs.h"
#include "../base/strbuf.h"

#include <stdlib.h>
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

/* when this machine was booted, in seconds since 1970; 0: not known */
static u64 boot_time(void)
{
	static const char name[] = "\nbtime ";
	struct strbuf stat = STRBUF_INIT;
	const char *p = fs_read("/proc/stat", &stat) ? NULL : strstr(strbuf_str(&stat), name);
	u64 ret = p ? strtoull(p + strlen(name), NULL, 10) : 0;

	strbuf_release(&stat);
	return ret;
}

void recorded_boot(const struct data *data, struct strbuf *out)
{
	u64 booted = boot_time();
	s64 ended = ended_ns(data);
	struct strbuf id = STRBUF_INIT;

	if (booted && ended > 0 && (u64)ended / 1000000000 >= booted && recorded_here(&data->feat) &&
	    !fs_read_line("/proc/sys/kernel/random/boot_id", &id))
		strbuf_addstr(out, strbuf_str(&id));
	strbuf_release(&id);
}
