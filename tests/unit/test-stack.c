/* Unit test of stacks: enough for large frames where the limit of the main thread is small. */
#include "test.h"
#include "../../util/base/stack.h"

#include <alloca.h>
#include <string.h>
#include <sys/resource.h>

static int needs_a_megabyte(void *ctx)
{
	size_t size = 1 << *(int *)ctx;	/* not known to the compiler, which bounds frames */
	volatile char *room = alloca(size);

	memset((char *)room, 3, size);
	return room[size - 1];
}

TEST(a_small_limit_does_not_bound_the_stack)
{
	struct rlimit small = { 128 << 10, 128 << 10 }, after;
	int bits = 20;

	REQUIRE(!setrlimit(RLIMIT_STACK, &small));
	REQUIRE(!getrlimit(RLIMIT_STACK, &after));
	if (after.rlim_cur != small.rlim_cur)
		SKIP("an emulator keeps its own limit of the stack");
	CHECK_INT(stack_run(needs_a_megabyte, &bits), 3);
	/* programs that are started have the user's limit */
	REQUIRE(!getrlimit(RLIMIT_STACK, &after));
	CHECK_INT(after.rlim_cur, 128 << 10);
}

TEST(threads_have_as_much_stack_as_the_main_thread)
{
	pthread_attr_t attr;
	size_t size = 0;

	stack_thread_attr(&attr);
	REQUIRE(!pthread_attr_getstacksize(&attr, &size));
	CHECK(size >= 8 << 20);
	pthread_attr_destroy(&attr);
}
