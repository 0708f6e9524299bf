/* Tests of AUX areas: a memfd with the page of positions, a ring and an area that a thread fills. */
#include "test.h"
#include "../../util/base/alloc.h"
#include "../../util/base/fs.h"
#include "../../util/kernel/aux-ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct fake {
	int fd;
	struct ring ring;
	struct aux_ring aux;
	u8 *kernel;		/* the area as the kernel sees it: writable */
};

static void fake_open(struct fake *f, u64 aux_pages, bool overwrite)
{
	u64 off = 2 * page_size();

	*f = (struct fake){ .fd = memfd_create("aux", MFD_CLOEXEC) };
	REQUIRE(f->fd >= 0 && !ftruncate(f->fd, off + aux_pages * page_size()));
	REQUIRE(!ring_map(&f->ring, f->fd, 1, false));
	REQUIRE(!aux_ring_map(&f->aux, &f->ring, aux_pages, overwrite));
	f->kernel = mmap(NULL, aux_pages * page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, off);
	REQUIRE(f->kernel != MAP_FAILED);
	CHECK_U64(f->ring.page->aux_offset, off);
	CHECK_U64(f->ring.page->aux_size, aux_pages * page_size());
}

static void fake_close(struct fake *f)
{
	munmap(f->kernel, f->aux.size);
	aux_ring_unmap(&f->aux);
	ring_unmap(&f->ring);
	close(f->fd);
}

/* the byte of a trace at a position: equal bytes are far from each other */
static u8 byte_at(u64 pos)
{
	return 1 + (pos * 2654435761u >> 13) % 251;
}

static void fill(struct fake *f, u64 from, u64 to)
{
	for (u64 i = from; i < to; i++)
		f->kernel[i & (f->aux.size - 1)] = byte_at(i);
}

static void write_to(struct fake *f, u64 from, u64 to)
{
	fill(f, from, to);
	__atomic_store_n(&f->ring.page->aux_head, to, __ATOMIC_RELEASE);
}

/* the position after the last byte of the spans; 0: one of them is wrong */
static u64 check_spans(const struct fake *f, const struct iovec *iov, int nr)
{
	u64 pos = f->aux.from;

	for (int i = 0; i < nr; i++)
		for (size_t k = 0; k < iov[i].iov_len; k++)
			if (((u8 *)iov[i].iov_base)[k] != byte_at(pos++))
				return 0;
	return pos;
}

TEST(aux_area_wraps)
{
	struct iovec iov[2];
	struct fake f;

	fake_open(&f, 2, false);
	CHECK_INT(aux_ring_peek(&f.aux, iov), 0);
	write_to(&f, 0, 5000);
	CHECK_INT(aux_ring_peek(&f.aux, iov), 1);
	CHECK_U64(check_spans(&f, iov, 1), 5000);
	CHECK_U64(f.ring.page->aux_tail, 0);
	aux_ring_consume(&f.aux);
	CHECK_U64(f.ring.page->aux_tail, 5000);
	CHECK_INT(aux_ring_peek(&f.aux, iov), 0);
	write_to(&f, 5000, 5000 + f.aux.size);
	CHECK_INT(aux_ring_peek(&f.aux, iov), 2);
	CHECK_U64(f.aux.from, 5000);
	CHECK_U64(check_spans(&f, iov, 2), 5000 + f.aux.size);
	aux_ring_consume(&f.aux);
	/* up to the end of the area exactly: one span */
	write_to(&f, 5000 + f.aux.size, 2 * f.aux.size);
	CHECK_INT(aux_ring_peek(&f.aux, iov), 1);
	CHECK_U64(check_spans(&f, iov, 1), 2 * f.aux.size);
	aux_ring_consume(&f.aux);
	/* a kernel that did not wait: what is left is the newest, and the rest is counted */
	write_to(&f, 2 * f.aux.size, 4 * f.aux.size + 100);
	CHECK_INT(aux_ring_peek(&f.aux, iov), 2);
	CHECK_U64(f.aux.from, 3 * f.aux.size + 100);
	CHECK_U64(check_spans(&f, iov, 2), 4 * f.aux.size + 100);
	CHECK_U64(f.aux.lost, f.aux.size + 100);
	aux_ring_consume(&f.aux);
	/* a head that goes back */
	f.ring.page->aux_head = 17;
	CHECK_INT(aux_ring_peek(&f.aux, iov), 0);
	fake_close(&f);
}

#define STREAM_BYTES (1u << 20)

/* writes as much as there is room for, in pieces of many sizes */
static void *kernel_thread(void *arg)
{
	struct fake *f = arg;
	u64 head = 0, piece = 1;

	while (head < STREAM_BYTES) {
		u64 tail = __atomic_load_n(&f->ring.page->aux_tail, __ATOMIC_ACQUIRE);
		u64 len = MIN(MIN(piece, f->aux.size - (head - tail)), STREAM_BYTES - head);

		if (!len) {
			sched_yield();
			continue;
		}
		write_to(f, head, head + len);
		head += len;
		piece = piece * 5 % 8191 + 1;
	}
	return NULL;
}

TEST(aux_area_of_a_thread)
{
	struct iovec iov[2];
	pthread_t thread;
	struct fake f;
	u64 pos = 0;

	fake_open(&f, 2, false);
	REQUIRE(!pthread_create(&thread, NULL, kernel_thread, &f));
	while (pos < STREAM_BYTES) {
		int nr = aux_ring_peek(&f.aux, iov);

		CHECK_U64(f.aux.from, pos);
		if (!nr) {
			sched_yield();
			continue;
		}
		pos += iov_bytes(iov, nr);
		REQUIRE(check_spans(&f, iov, nr) == pos);
		aux_ring_consume(&f.aux);
	}
	pthread_join(thread, NULL);
	CHECK_U64(f.aux.lost, 0);
	fake_close(&f);
}

/* what a snapshot has: bytes from..to */
static void check_snapshot(struct fake *f, u64 most, u64 from, u64 to)
{
	struct iovec iov[2];
	int nr = aux_ring_snapshot(&f->aux, most, iov);

	CHECK_U64(f->aux.from, from);
	CHECK_U64(iov_bytes(iov, nr), to - from);
	CHECK_U64(check_spans(f, iov, nr), to);
	aux_ring_consume(&f->aux);
}

TEST(snapshots_by_position)
{
	struct iovec iov[2];
	struct fake f;

	fake_open(&f, 2, true);
	CHECK_INT(aux_ring_snapshot(&f.aux, UINT64_MAX, iov), 0);
	write_to(&f, 0, 1000);
	check_snapshot(&f, UINT64_MAX, 0, 1000);
	CHECK_U64(f.ring.page->aux_tail, 0);
	CHECK_INT(aux_ring_snapshot(&f.aux, UINT64_MAX, iov), 0);
	/* with bytes that the last one had, too */
	write_to(&f, 1000, 1500);
	check_snapshot(&f, UINT64_MAX, 0, 1500);
	write_to(&f, 1500, 5 * f.aux.size + 7);
	check_snapshot(&f, UINT64_MAX, 4 * f.aux.size + 7, 5 * f.aux.size + 7);
	write_to(&f, 5 * f.aux.size + 7, 5 * f.aux.size + 100);
	check_snapshot(&f, 4096, 5 * f.aux.size + 100 - 4096, 5 * f.aux.size + 100);
	fake_close(&f);
}

/* as the drivers of Intel PT and BTS do: the head is an offset */
static void write_offset(struct fake *f, u64 from, u64 to)
{
	fill(f, from, to);
	__atomic_store_n(&f->ring.page->aux_head, to & (f->aux.size - 1), __ATOMIC_RELEASE);
}

TEST(snapshots_by_offset)
{
	struct iovec iov[2];
	struct fake f;
	u64 size;

	fake_open(&f, 2, true);
	f.aux.head_wraps = true;
	size = f.aux.size;
	CHECK_INT(aux_ring_snapshot(&f.aux, UINT64_MAX, iov), 0);
	write_offset(&f, 0, 100);
	check_snapshot(&f, UINT64_MAX, 0, 100);
	write_offset(&f, 100, 3000);
	check_snapshot(&f, UINT64_MAX, 0, 3000);
	/* once around, to a place before and after the last one */
	write_offset(&f, 3000, size + 200);
	check_snapshot(&f, UINT64_MAX, 200, size + 200);
	write_offset(&f, size + 200, 2 * size + 100);
	check_snapshot(&f, UINT64_MAX, size + 100, 2 * size + 100);
	write_offset(&f, 2 * size + 100, 2 * size + 500);
	check_snapshot(&f, 1000, 2 * size - 500, 2 * size + 500);
	CHECK_INT(aux_ring_snapshot(&f.aux, 1000, iov), 0);
	/* several times around: how often is not known, but that bytes are missing is */
	fill(&f, 2 * size + 500, 7 * size + 600);
	f.ring.page->aux_head = 600;
	CHECK_INT(aux_ring_snapshot(&f.aux, UINT64_MAX, iov), 2);
	CHECK_U64(f.aux.end, 3 * size + 600);
	CHECK_U64(f.aux.from, 2 * size + 600);
	fake_close(&f);
}

TEST(first_snapshot_after_laps)
{
	struct iovec iov[2];
	struct fake f;
	u64 size;

	fake_open(&f, 2, true);
	f.aux.head_wraps = true;
	size = f.aux.size;
	fill(&f, 0, size + 50);
	f.ring.page->aux_head = 50;
	CHECK_INT(aux_ring_snapshot(&f.aux, UINT64_MAX, iov), 2);
	CHECK_U64(f.aux.from, 50);
	CHECK_U64(check_spans(&f, iov, 2), size + 50);
	/* a first one before the area was full, a lap after it, and less than a tail between them */
	fake_close(&f);
	fake_open(&f, 2, true);
	f.aux.head_wraps = true;
	write_offset(&f, 0, 100);
	check_snapshot(&f, UINT64_MAX, 0, 100);
	write_offset(&f, 100, size + 50);
	check_snapshot(&f, UINT64_MAX, 50, size + 50);
	fake_close(&f);
}

TEST(areas_that_cannot_be_mapped)
{
	struct aux_ring a;
	struct fake f;

	fake_open(&f, 1, false);
	f.ring.fd = -1;
	CHECK_INT(aux_ring_map(&a, &f.ring, 1, false), -EBADF);
	fake_close(&f);
}
