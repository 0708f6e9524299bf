/* Budget of a session of perf daemon: reading limits, and measuring processes in /proc. */
#include "budget.h"
#include "../base/fs.h"
#include "../base/strbuf.h"
#include "../base/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NS_PER_S 1000000000ull
#define WINDOW_NS (60 * NS_PER_S)
#define CPU_MAX 10000u		/* CPUs: above each machine's number */
#define NR_PROCESSES 64u	/* children of a recorder that are looked at */

/* --- limits */

/* "0.5%": seconds have the same digits, and 9 places */
static int parse_percent(char *text, u64 *ret_amount)
{
	char *end = text + strlen(text) - 1;
	u64 v;

	if (end < text || *end != '%')
		return -EINVAL;
	*end = 0;
	if (parse_seconds(text, &v) || v > CPU_MAX * 100 * NS_PER_S)
		return -EINVAL;
	*ret_amount = v / (NS_PER_S / 10000);
	return 0;
}

/* with a unit: whoever writes 100 means megabytes, hardly bytes */
static int parse_memory(const char *text, u64 *ret)
{
	size_t len = strlen(text);

	return len && strchr("0123456789", text[len - 1]) ? -EINVAL : parse_size(text, ret);
}

int budget_parse(struct budget_limit *ret, enum budget_kind kind, const char *text, struct err *err)
{
	struct budget_limit l = { .window_ns = WINDOW_NS };
	char copy[64], *slash;
	size_t len = strnlen(text, sizeof(copy) - 1);
	int code = text[len] ? -EINVAL : 0;

	memcpy(copy, text, len);
	copy[len] = 0;
	slash = strchr(copy, '/');
	if (slash)
		*slash++ = 0;
	if (!code && slash)
		code = parse_duration(slash, NS_PER_S, &l.window_ns);
	if (!code)
		code = kind == BUDGET_CPU ? parse_percent(copy, &l.amount) : parse_memory(copy, &l.amount);
	if (!code && l.amount && l.window_ns >= NS_PER_S && l.window_ns <= 86400 * NS_PER_S) {
		*ret = l;
		return 0;
	}
	return err_set(err, -EINVAL, "'%s' is not %s, maybe with a time of 1s to 1d to measure it (%s)", text,
		       kind == BUDGET_CPU ? "a percentage of one CPU" : "a size with its unit",
		       kind == BUDGET_CPU ? "1%, 0.5%/10s" : "100M, 1G/10s");
}

bool budget_equal(const struct budget *a, const struct budget *b)
{
	for (u32 k = 0; k < BUDGET_KINDS; k++)
		if (a->limit[k].amount != b->limit[k].amount ||
		    a->limit[k].window_ns != b->limit[k].window_ns)
			return false;
	return true;
}

bool budget_limits(const struct budget *b)
{
	return b->limit[BUDGET_CPU].amount || b->limit[BUDGET_MEMORY].amount;
}

void budget_text(struct strbuf *out, const struct budget *b, enum budget_kind kind)
{
	u64 v = b->limit[kind].amount;

	if (kind == BUDGET_CPU)
		strbuf_addf(out, v % 10000 ? "cpu = %llu.%04llu%%" : "cpu = %llu%%",
			    (unsigned long long)v / 10000, (unsigned long long)v % 10000);
	else if (v % (1 << 20))
		strbuf_addf(out, "memory = %lluK", (unsigned long long)v >> 10);
	else
		strbuf_addf(out, "memory = %lluM", (unsigned long long)v >> 20);
}

/* --- processes */

/* user and system time of all its threads */
static u64 cpu_ns(pid_t pid)
{
	struct strbuf stat = STRBUF_INIT;
	unsigned long long user = 0, system = 0;
	u64 hz = sysconf(_SC_CLK_TCK);
	char path[64];
	const char *p;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	/* the name in brackets can contain anything; utime is the 12th field after it */
	p = fs_read(path, &stat) ? NULL : strrchr(strbuf_str(&stat), ')');
	if (!p ||
	    sscanf(p + 1, " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu", &user, &system) != 2)
		user = system = 0;
	strbuf_release(&stat);
	return hz ? (user + system) * (NS_PER_S / hz) : 0;
}

/* the number of bytes in a line such as "Pss:  12 kB"; 0 if there is none */
static u64 kilobytes(pid_t pid, const char *file, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	char path[64];
	const char *p;
	u64 ret = 0;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	p = fs_read(path, &text) ? NULL : strstr(strbuf_str(&text), name);
	if (p)
		ret = strtoull(p + strlen(name), NULL, 10) << 10;
	strbuf_release(&text);
	return ret;
}

/* pages that both processes have count once */
static u64 memory_bytes(pid_t pid)
{
	u64 pss = kilobytes(pid, "smaps_rollup", "\nPss:");

	return pss ? pss : kilobytes(pid, "status", "\nVmRSS:");
}

static bool is_folder(pid_t pid)
{
	struct strbuf comm = STRBUF_INIT;
	char path[64];
	bool ret;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	ret = !fs_read_line(path, &comm) && !strcmp(strbuf_str(&comm), "perf-fold");
	strbuf_release(&comm);
	return ret;
}

/* fn of the recorder and of what converts for it, which its first thread forked */
static u64 sum(pid_t recorder, u64 (*fn)(pid_t pid))
{
	struct strbuf children = STRBUF_INIT;
	u64 ret = fn(recorder);
	char path[64], *p, *end;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", recorder, recorder);
	if (!fs_read(path, &children)) {
		p = children.buf;
		for (u32 i = 0; p && i < NR_PROCESSES; i++, p = end) {
			pid_t pid = strtol(p, &end, 10);

			if (end == p)
				break;
			if (is_folder(pid))
				ret += fn(pid);
		}
	}
	strbuf_release(&children);
	return ret;
}

/* --- windows */

void budget_start(struct budget_meter *m, const struct budget *b, u64 now_ns)
{
	*m = (struct budget_meter){ 0 };
	for (u32 k = 0; k < BUDGET_KINDS; k++)
		if (b->limit[k].amount)
			m->window[k].end_ns = now_ns + b->limit[k].window_ns;
}

/* whether more was used than what the limit allows for the window, which is over */
static bool exceeded(struct budget_meter *m, const struct budget *b, enum budget_kind k, pid_t recorder,
		     u64 now_ns)
{
	u64 used, limit = b->limit[k].amount, before = m->window[k].cpu_ns, took;

	if (k == BUDGET_MEMORY)
		return m->window[k].counts && sum(recorder, memory_bytes) > limit;
	used = m->window[k].cpu_ns = sum(recorder, cpu_ns);
	took = now_ns - m->window[k].begin_ns;
	return m->window[k].counts && used > before && (used - before) > took / 1000000.0 * limit;
}

enum budget_kind budget_check(struct budget_meter *m, const struct budget *b, pid_t recorder, u64 now_ns)
{
	enum budget_kind ret = BUDGET_KINDS;

	for (u32 k = 0; k < BUDGET_KINDS; k++) {
		if (!m->window[k].end_ns || m->window[k].end_ns > now_ns)
			continue;
		if (exceeded(m, b, k, recorder, now_ns) && ret == BUDGET_KINDS)
			ret = k;
		m->window[k].counts = true;
		m->window[k].begin_ns = now_ns;
		m->window[k].end_ns = now_ns + b->limit[k].window_ns;
	}
	return ret;
}

u64 budget_next(const struct budget_meter *m)
{
	u64 a = m->window[BUDGET_CPU].end_ns, b = m->window[BUDGET_MEMORY].end_ns;

	return a && b ? MIN(a, b) : a ? a : b;
}
