/*
 * callchain: what a program's profile looks like, with call chains of several depths. Of each request about a
 * quarter of the time goes to parsing, half to a recursive walk over a tree, a quarter to a checksum that two
 * callers share.
 */
#include "workload.h"

#define TREE_DEPTH 4

static volatile u64 sink;

__attribute__((noinline)) static void burn(u64 rounds)
{
	for (u64 i = 0; i < rounds; i++)
		sink += i;
}

__attribute__((noinline)) static void checksum(u64 rounds)
{
	burn(rounds);
}

__attribute__((noinline)) static void read_token(void)
{
	burn(300);
}

__attribute__((noinline)) static void parse_expression(int depth)
{
	read_token();
	if (depth)
		parse_expression(depth - 1);
}

__attribute__((noinline)) static void parse_request(void)
{
	parse_expression(6);
	checksum(400);
}

__attribute__((noinline)) static void visit_node(void)
{
	burn(150);
}

/* 2^5 - 1 nodes */
__attribute__((noinline)) static void walk_tree(int depth)
{
	visit_node();
	if (!depth)
		return;
	walk_tree(depth - 1);
	walk_tree(depth - 1);
}

__attribute__((noinline)) static void write_reply(void)
{
	checksum(1700);
}

__attribute__((noinline)) static void handle_request(void)
{
	parse_request();
	walk_tree(TREE_DEPTH);
	write_reply();
}

__attribute__((noinline)) static void serve_requests(void)
{
	while (!workload_done)
		handle_request();
}

int callchain(int argc, const char **argv)
{
	double seconds = 1;

	if (!workload_seconds(argc, argv, 0, &seconds))
		return 1;
	workload_timer(seconds);
	serve_requests();
	return 0;
}
