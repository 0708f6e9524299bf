/* Stack: see stack.h. */
#include "stack.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#define NEEDED (8ul << 20)

struct stack_call {
	int (*fn)(void *ctx);
	void *ctx;
	int ret;
};

/* makecontext() passes only ints */
static void make_call(unsigned int high, unsigned int low)
{
	struct stack_call *c = (struct stack_call *)(uintptr_t)((u64)high << 32 | low);

	c->ret = c->fn(c->ctx);
}

/* the page below the stack is not mapped for use: an overflow ends there, as on any stack */
static void *new_stack(size_t page)
{
	u8 *p = mmap(NULL, NEEDED + page, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	mprotect(p, page, PROT_NONE);
	return p + page;
}

int stack_run(int (*fn)(void *ctx), void *ctx)
{
	size_t page = sysconf(_SC_PAGESIZE);
	struct stack_call c = { .fn = fn, .ctx = ctx };
	ucontext_t here, there;
	struct rlimit lim;
	u64 at = (uintptr_t)&c;
	void *stack;

	if (getrlimit(RLIMIT_STACK, &lim) || lim.rlim_cur >= NEEDED || getcontext(&there))
		return fn(ctx);
	stack = new_stack(page);
	if (!stack)
		return fn(ctx);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = NEEDED;
	there.uc_link = &here;
	makecontext(&there, (void (*)(void))make_call, 2, (unsigned int)(at >> 32), (unsigned int)at);
	swapcontext(&here, &there);
	munmap((u8 *)stack - page, NEEDED + page);
	return c.ret;
}

void stack_thread_attr(pthread_attr_t *attr)
{
	size_t size = 0;

	pthread_attr_init(attr);
	if (!pthread_attr_getstacksize(attr, &size) && size < NEEDED)
		pthread_attr_setstacksize(attr, NEEDED);
}
