/* Progress: the words and numbers. */
#include "progress.h"

static struct progress now;

void progress_at(const char *what)
{
	progress_count(0, 0);
	__atomic_store_n(&now.what, what, __ATOMIC_RELAXED);
}

void progress_count(u64 done, u64 total)
{
	__atomic_store_n(&now.done, done, __ATOMIC_RELAXED);
	__atomic_store_n(&now.total, total, __ATOMIC_RELAXED);
}

struct progress progress_now(void)
{
	return (struct progress){
		.what = __atomic_load_n(&now.what, __ATOMIC_RELAXED),
		.done = __atomic_load_n(&now.done, __ATOMIC_RELAXED),
		.total = __atomic_load_n(&now.total, __ATOMIC_RELAXED),
	};
}
