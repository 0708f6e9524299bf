/* Debuginfod: see debuginfod.h. */
#include "debuginfod.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include "../base/log.h"
#include "../lib/lib.h"
#ifdef HAVE_DEBUGINFOD
#include <elfutils/debuginfod.h>
#endif

/* libdebuginfod says "not found" for URLs that it cannot use; a host name without a protocol is one */
static int check_urls(const char *urls, struct err *err)
{
	static const char *const can[] = { "http://", "https://", "file://" };

	for (urls += strspn(urls, " "); *urls; urls += strspn(urls, " ")) {
		size_t len = strcspn(urls, " "), i = 0;
		const char *protocol = strstr(urls, "://");

		while (i < ARRAY_SIZE(can) && strncasecmp(urls, can[i], strlen(can[i])))
			i++;
		if (i == ARRAY_SIZE(can) && protocol && protocol < urls + len)
			return err_set(err, -EINVAL,
				       "'%.*s' is not the URL of a server, which begins with https://",
				       (int)len, urls);
		urls += len;
	}
	return 0;
}

int debuginfod_prepare(const char *urls, struct err *err)
{
	if (urls && !strcmp(urls, "system"))
		urls = NULL;
	if (lib_load(LIB_debuginfod, err))
		return err->code;
	if (urls && setenv("DEBUGINFOD_URLS", urls, 1))
		return err_sys(err, errno, "cannot set DEBUGINFOD_URLS");
	urls = getenv("DEBUGINFOD_URLS");
	if (!urls || !*urls)
		return err_set(err, -EINVAL, "no servers: give their URLs, or set DEBUGINFOD_URLS");
	return check_urls(urls, err);
}

#ifdef HAVE_DEBUGINFOD
static u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* called about once a second while a file is fetched; not 0: ends it */
static int is_late(debuginfod_client *c, long a UNUSED, long b UNUSED)
{
	return now() > *(const u64 *)debuginfod_get_user_data(c);
}

static u64 deadline(struct debuginfod *d, unsigned int seconds)
{
	u64 old = 0, end;

	seconds = seconds ? seconds : DEBUGINFOD_SECONDS;
	end = now() + seconds * 1000000000ull;
	if (!__atomic_compare_exchange_n(&d->deadline, &old, end, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return old;
	log_note("asking %s for debug files, for at most %u s", getenv("DEBUGINFOD_URLS"), seconds);
	return end;
}

/* result: of debuginfod_find_debuginfo() */
static void count(struct debuginfod *d, int result, bool is_over)
{
	unsigned int *nr = result >= 0 ? &d->nr_fetched : is_over ? &d->nr_given_up :
			   result == -ENOENT ? &d->nr_missing : &d->nr_not_reached;

	__atomic_add_fetch(nr, 1, __ATOMIC_RELAXED);
	if (nr == &d->nr_not_reached)
		__atomic_store_n(&d->error, -result, __ATOMIC_RELAXED);
}

char *debuginfod_fetch(struct debuginfod *d, unsigned int seconds, const u8 *id, int len)
{
	u64 end = deadline(d, seconds);
	debuginfod_client *c = now() < end ? debuginfod_begin() : NULL;
	char *path = NULL;
	int fd = -ETIME;

	if (c) {
		debuginfod_set_user_data(c, &end);
		debuginfod_set_progressfn(c, is_late);
		fd = debuginfod_find_debuginfo(c, id, len, &path);
		debuginfod_end(c);
	}
	if (fd >= 0)
		close(fd);
	count(d, fd, now() >= end);
	return fd >= 0 ? path : NULL;
}
#else
char *debuginfod_fetch(struct debuginfod *d UNUSED, unsigned int seconds UNUSED, const u8 *id UNUSED,
		       int len UNUSED)
{
	return NULL;
}
#endif

void debuginfod_note_unusable(struct debuginfod *d)
{
	__atomic_add_fetch(&d->nr_unusable, 1, __ATOMIC_RELAXED);
}

void debuginfod_tell(struct debuginfod *d)
{
	if (d->nr_fetched + d->nr_missing + d->nr_given_up)
		log_note("debuginfod: %u debug file%s found, %u not found, %u given up for lack of time",
			 d->nr_fetched, d->nr_fetched == 1 ? "" : "s", d->nr_missing, d->nr_given_up);
	if (d->nr_unusable)
		log_warn("debuginfod: %u fetched debug file%s not used: damaged, of another build, or "
			 "without symbols (-v shows which; delete what libdebuginfod keeps to fetch it "
			 "again)",
			 d->nr_unusable, d->nr_unusable == 1 ? " is" : "s are");
	if (d->nr_not_reached)
		log_warn("debuginfod: %s not reached for %u debug file%s: %s", getenv("DEBUGINFOD_URLS"),
			 d->nr_not_reached, d->nr_not_reached == 1 ? "" : "s", strerror(d->error));
	d->nr_fetched = d->nr_missing = d->nr_given_up = d->nr_not_reached = d->nr_unusable = 0;
}
