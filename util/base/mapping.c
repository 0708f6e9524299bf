/* Guarded file mappings: see mapping.h. */
#include "mapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * The handler may run at any moment in any thread, so the table is fixed and its fields are atomic. A process
 * that opens more files than this gets unguarded mappings for the rest.
 */
#define NR_GUARDS 1024
static struct {
	_Atomic uintptr_t start;	/* 0: free */
	_Atomic uintptr_t end;
	_Atomic bool torn;
} guard[NR_GUARDS];
static pthread_mutex_t guard_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction previous;
static bool installed;

static void on_sigbus(int sig, siginfo_t *info, void *ucontext)
{
	uintptr_t addr = (uintptr_t)info->si_addr;

	for (int i = 0; i < NR_GUARDS; i++) {
		uintptr_t start = atomic_load(&guard[i].start), end = atomic_load(&guard[i].end);
		long page = sysconf(_SC_PAGESIZE);

		if (!start || addr < start || addr >= end)
			continue;
		addr &= ~(uintptr_t)(page - 1);
		atomic_store(&guard[i].torn, true);
		/* everything after the hole is gone as well; the mapping may be one that is written to */
		if (mmap((void *)addr, end - addr, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED)
			return;
		break;
	}
	/* not ours: restore the previous handler, and the instruction runs again */
	sigaction(SIGBUS, &previous, NULL);
}

static int guard_add(uintptr_t start, uintptr_t end)
{
	int slot = -1;

	pthread_mutex_lock(&guard_lock);
	if (!installed) {
		struct sigaction sa = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO };

		sigemptyset(&sa.sa_mask);
		installed = !sigaction(SIGBUS, &sa, &previous);
	}
	for (int i = 0; i < NR_GUARDS && slot < 0; i++)
		if (!atomic_load(&guard[i].start))
			slot = i;
	if (slot >= 0) {
		atomic_store(&guard[slot].torn, false);
		atomic_store(&guard[slot].end, end);
		atomic_store(&guard[slot].start, start);
	}
	pthread_mutex_unlock(&guard_lock);
	return slot;
}

/* a page of zeros follows */
static size_t mapped_size(size_t len)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return ((len + page - 1) & ~(page - 1)) + page;
}

static int map_file(struct mapping *m, int fd, size_t len, int prot, int flags)
{
	size_t size = mapped_size(len);
	int ret;
	void *p;

	*m = (struct mapping){ .slot = -1 };
	if (!len)
		return 0;
	if (size < len)
		return -ENOMEM;
	p = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return -errno;
	if (mmap(p, len, prot, flags | MAP_FIXED, fd, 0) == MAP_FAILED) {
		ret = -errno;
		munmap(p, size);
		return ret;
	}
	m->p = p;
	m->len = len;
	m->slot = guard_add((uintptr_t)p, (uintptr_t)p + len);
	return 0;
}

int mapping_open(struct mapping *m, int fd, size_t len)
{
	return map_file(m, fd, len, PROT_READ, MAP_SHARED);
}

int mapping_open_private(struct mapping *m, int fd, size_t len)
{
	return map_file(m, fd, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE);
}

void mapping_close(struct mapping *m)
{
	if (m->p) {
		if (m->slot >= 0)
			atomic_store(&guard[m->slot].start, 0);
		munmap((void *)m->p, mapped_size(m->len));
	}
	*m = (struct mapping){ .slot = -1 };
}

void mapping_rest(const struct mapping *m)
{
	if (m->p)
		madvise((void *)m->p, m->len, MADV_DONTNEED);
}

bool mapping_torn(const struct mapping *m)
{
	return m->p && m->slot >= 0 && atomic_load(&guard[m->slot].torn);
}
