/*
 * Count-read: reads open counters into struct counts, with as few system calls as the kernel allows: one per
 * group, CPU after CPU. The plan of reads is made once; reading allocates nothing. Owns its plan, not the
 * descriptors.
 */
#ifndef PERF_COUNT_COUNT_READ_H
#define PERF_COUNT_COUNT_READ_H

#include "../event/counts.h"
#include "../kernel/open.h"
#include "../observe/affinity.h"

struct read_op {
	int fd;
	u32 cpu, thread, leader, first_member, nr_members;
};

struct count_reader {
	const struct open_fds *fds;
	struct tool_reader *tools;	/* owned by the caller; NULL if there is no tool event */
	const struct evset *set;
	struct { VEC(struct read_op); } op;	/* by CPU */
	struct { VEC(u32); } member;	/* events of the groups that are read with one call */
	u64 *buf;
	size_t buf_size;
	/* moves to each CPU to read there, which avoids interrupts on other CPUs */
	struct affinity_state near;
};

/*
 * tools: started by the caller. follow_cpu: move between CPUs while reading, if that is cheaper. f and set
 * must live as long as the reader. c gets the dimensions of f and the states of what is not open.
 */
struct tool_reader;
void count_reader_init(struct count_reader *r, const struct open_fds *f, const struct evset *set,
		       struct tool_reader *tools, bool follow_cpu, struct counts *c);
/* totals since the start; a counter that can no longer be read keeps its last value and becomes COUNT_GONE */
void count_read(struct count_reader *r, struct counts *c);
/* reads only the tool events: once more, after tool_reader_end() */
void count_read_tools(struct count_reader *r, struct counts *c);
void count_reader_release(struct count_reader *r);

/* called instead of read(2), for tests; NULL: the real one. Returns bytes or -errno */
typedef long (*count_read_call)(int fd, void *buf, size_t size);
void count_set_read_for_test(count_read_call fn);
/* read(2) of one counter through that hook: bytes or -errno */
long count_read_raw(int fd, void *buf, size_t size);

#endif
