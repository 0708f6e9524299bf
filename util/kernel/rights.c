/* Rights: see rights.h. */
#include "rights.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/fs.h"

/* the first namespace has one line, which maps all numbers to themselves */
bool rights_in_user_namespace(void)
{
	struct strbuf text = STRBUF_INIT;
	unsigned int inside = 0, outside = 0, nr = UINT32_MAX;

	if (!fs_read("/proc/self/uid_map", &text))
		sscanf(strbuf_str(&text), "%u %u %u", &inside, &outside, &nr);
	strbuf_release(&text);
	return inside || outside || nr != UINT32_MAX;
}

bool rights_in_pid_namespace(u64 *ret_dev, u64 *ret_inode)
{
	const u64 first = 0xeffffffc;	/* the same on all kernels */
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) || st.st_ino == first)
		return false;
	*ret_dev = st.st_dev;
	*ret_inode = st.st_ino;
	return true;
}

static u64 effective(void)
{
	struct strbuf text = STRBUF_INIT;
	unsigned long long caps = 0;
	const char *line;

	if (!fs_read("/proc/self/status", &text)) {
		line = strstr(strbuf_str(&text), "\nCapEff:");
		if (line)
			sscanf(line, "\nCapEff: %llx", &caps);
	}
	strbuf_release(&text);
	return caps;
}

bool rights_have(enum capability c)
{
	u64 mask = 1ull << c;

	if (c == CAPABILITY_PERFMON || c == CAPABILITY_BPF)
		mask |= 1ull << CAPABILITY_SYS_ADMIN;
	return effective() & mask;
}

bool rights_perfmon(void)
{
	return !rights_in_user_namespace() && rights_have(CAPABILITY_PERFMON);
}

const char *paranoid_meaning(s64 v)
{
	if (v > 2)
		return "ordinary users may not measure anything";
	if (v == 2)
		return "ordinary users may measure user space of their own processes only";
	if (v == 1)
		return "ordinary users may measure their own processes, but not whole CPUs";
	if (v == 0)
		return "ordinary users may measure all but raw tracepoint data";
	return "all users may measure everything";
}
